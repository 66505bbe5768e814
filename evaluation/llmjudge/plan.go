package llmjudge

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/llm"
	"github.com/webrag/webrag-tui/offset"
)

// Plan is what a judge would be asked, and what that costs. Nothing is sent before
// [Plan.Grade].
type Plan struct {
	// Queries and Candidates are how many there are left to judge, Done how many of those
	// given the judge has judged by this rubric before.
	Queries, Candidates, Done int
	Cost                      llm.Cost

	judge *Judge
	set   *judgment.Set
	left  []judgment.Candidate
}

// Plan takes candidates of a set's queries, as [judgment.Pool] finds them, less those that
// the judge has judged with the same rubric: so what was broken off goes on. What it judged by
// another rubric is judged anew, and replaced. Candidates of queries that the set has not
// are left out. The rubric of [Rubric] is for the grades 0 to 3, and another scale an error.
func (j *Judge) Plan(set *judgment.Set, anchors *judgment.Anchors, candidates []judgment.Candidate) (*Plan, error) {
	if j.rubric == strings.TrimSpace(rubric) && set.MaxGrade() != rubricEnd {
		return nil, fmt.Errorf("the rubric that comes with the program has the grades 0 to %d, and the set %s has 0 to %d; give a rubric for these", rubricEnd, set.Name, set.MaxGrade())
	}
	p := &Plan{judge: j, set: set}
	done := j.judged(set, anchors)
	queries := map[string]bool{}
	for i := range candidates {
		c := &candidates[i]
		query := set.Query(c.QueryID)
		if query == nil {
			continue
		}
		if done[c.Key] {
			p.Done++
			continue
		}
		p.left = append(p.left, *c)
		queries[c.QueryID] = true
		p.Cost.Add(j.prompt(query.Text, c, set.MaxGrade()), usualAnswer, j.o.CountTokens)
	}
	p.Queries, p.Candidates = len(queries), len(p.left)
	return p, nil
}

// judged are the places that the judge has judged with this rubric.
func (j *Judge) judged(set *judgment.Set, anchors *judgment.Anchors) map[judgment.Key]bool {
	prompt, done := j.PromptHash(set.MaxGrade()), map[judgment.Key]bool{}
	for i := range anchors.Judgments {
		a := &anchors.Judgments[i]
		for _, o := range a.Opinions {
			evidence := set.Records[o.Record].Evidence
			if o.Judge == j.Name() && evidence != nil && evidence.Prompt == prompt {
				done[judgment.Key{QueryID: a.QueryID, SourceURL: a.Page, QuoteHash: a.QuoteHash, CharStart: a.Start, CharEnd: a.End}] = true
			}
		}
	}
	return done
}

// Report counts what became of the candidates.
type Report struct {
	// Graded got a grade, of CannotTell the model said that it cannot. Both are in the set.
	Graded, CannotTell int
	// Unusable had no usable answer even when asked twice, as of a model that refuses; they
	// are left as they were. Again is how many were asked twice.
	Unusable, Again int
	// Grades counts each grade.
	Grades []int
	// PromptTokens and AnswerTokens are what the server counted, 0 if it counts none.
	PromptTokens, AnswerTokens int
	// Unanswered is an answer that could not be used, as one line, empty if there was none.
	Unanswered string
}

// mostUseless is after how many candidates without a grade no more are asked about.
const mostUseless = 20

// ErrNoGrades says that a model does not answer with grades.
var ErrNoGrades = errors.New("no answer is a grade: say in the rubric what to answer, or take another model")

// Grade asks the model about each candidate, and appends what it says to the set at once:
// what is broken off is kept. An answer that is no grade is asked for once more, and then
// left. It ends with the context, where the model cannot be asked any more, and with
// [ErrNoGrades] where 20 candidates [chosen] got nothing else.
func (p *Plan) Grade(ctx context.Context) (Report, error) {
	report := Report{Grades: make([]int, p.set.MaxGrade()+1)}
	if len(p.left) == 0 {
		return report, nil
	}
	if err := p.set.KeepPrompt(p.judge.PromptHash(p.set.MaxGrade()), p.judge.system(p.set.MaxGrade())); err != nil {
		return report, err
	}
	var mu sync.Mutex // of the set, the report and the progress
	through := 0
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(p.judge.o.AtOnce)
	for i := range p.left {
		if within.Err() != nil {
			break
		}
		g.Go(func() error {
			if err := within.Err(); err != nil {
				return err
			}
			a, err := p.ask(within, &p.left[i])
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				err = p.keep(within, &p.left[i], a, &report)
			}
			if err == nil && p.judge.o.Progress != nil {
				through++
				p.judge.o.Progress(through, len(p.left))
			}
			return err
		})
	}
	err := g.Wait()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		err = fmt.Errorf("grade with %s: %w; what was judged is kept, and going on asks for the rest", p.judge.chat.Model(), err)
	}
	return report, err
}

// answered is what a model said of a candidate.
type answered struct {
	text         string
	grade        judgment.Grade
	ok, again    bool
	asked, wrote int // tokens
}

// ask asks about a candidate, twice if need be.
func (p *Plan) ask(ctx context.Context, c *judgment.Candidate) (a answered, err error) {
	prompt := p.judge.prompt(p.set.Query(c.QueryID).Text, c, p.set.MaxGrade())
	for try := range 2 {
		a.again = try > 0
		answer, err := p.judge.chat.Complete(ctx, prompt)
		var bad *llm.BadResponseError
		switch {
		case errors.As(err, &bad) && ctx.Err() == nil:
			a.text = bad.Error()
			continue
		case err != nil:
			return a, err
		}
		a.asked, a.wrote = a.asked+answer.PromptTokens, a.wrote+answer.CompletionTokens
		a.text = answer.Text
		if a.grade, a.ok = read(answer.Text, p.set.MaxGrade()); a.ok {
			break
		}
	}
	return a, nil
}

// keep counts an answer, and appends it to the set if it is one.
func (p *Plan) keep(ctx context.Context, c *judgment.Candidate, a answered, report *Report) error {
	report.PromptTokens, report.AnswerTokens = report.PromptTokens+a.asked, report.AnswerTokens+a.wrote
	if a.again {
		report.Again++
	}
	if !a.ok {
		report.Unusable++
		shown, _ := llm.Legible(a.text, mostQuery)
		report.Unanswered = offset.Trimmed(shown)
		if report.Unusable == mostUseless && report.Graded+report.CannotTell == 0 {
			return ErrNoGrades
		}
		return nil
	}
	record := c.Record(a.grade, p.judge.Name(), p.judge.o.Now(), false)
	record.Evidence = &judgment.Evidence{Model: p.judge.chat.Model(), Prompt: p.judge.PromptHash(p.set.MaxGrade()), Answer: a.text}
	if err := p.set.Append(context.WithoutCancel(ctx), record); err != nil { // it is paid for
		return err
	}
	if a.grade == judgment.CannotTell {
		report.CannotTell++
		return nil
	}
	report.Graded++
	report.Grades[a.grade]++
	return nil
}
