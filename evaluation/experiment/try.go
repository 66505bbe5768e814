package experiment

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// Outcome is what one setting gave for all queries.
type Outcome struct {
	Params param.Params
	// Answers and Results have one for each question, in their order. Results have no
	// texts.
	Answers []evaluation.Answer
	Results []retrieval.Result
}

// Try ranks every question by every setting. done is told how many questions have been
// answered, from several goroutines; it may be nil.
func (x *Experiment) Try(ctx context.Context, d retrieval.Deps, settings []param.Params, done func(questions int)) ([]Outcome, error) {
	outcomes := make([]Outcome, len(settings))
	for s := range outcomes {
		outcomes[s] = Outcome{settings[s], make([]evaluation.Answer, len(x.Questions)), make([]retrieval.Result, len(x.Questions))}
	}
	err := x.each(ctx, &d, settings, done, func(question, setting int, j evaluation.Judged, r *retrieval.Result) {
		q := x.Questions[question]
		j.Grades = slices.Clone(j.Grades)
		outcomes[setting].Answers[question] = evaluation.Answer{ID: q.ID, Tags: q.Tags, Judged: j}
		outcomes[setting].Results[question] = *r
	})
	if err != nil {
		return nil, err
	}
	return outcomes, nil
}

// Sweep scores every question by every setting with one measure. It keeps one question's
// evidence for each core and forgets it then, so that memory does not grow with the set.
func (x *Experiment) Sweep(ctx context.Context, d retrieval.Deps, settings []param.Params, m evaluation.Measure, done func(questions int)) (evaluation.Swept, error) {
	swept := evaluation.Swept{IDs: make([]string, len(x.Questions)), Scores: make([][]float64, len(settings))}
	for i, q := range x.Questions {
		swept.IDs[i] = q.ID
	}
	for s := range settings {
		swept.Scores[s] = make([]float64, len(x.Questions))
	}
	err := x.each(ctx, &d, settings, done, func(question, setting int, j evaluation.Judged, _ *retrieval.Result) {
		swept.Scores[setting][question] = m.Of(j)
	})
	if err != nil {
		return evaluation.Swept{}, err
	}
	return swept, nil
}

// each ranks all questions by all settings, on all cores, and forgets what it gathered
// for a question when that is through. See is called from several goroutines, of one
// question by one at a time.
func (x *Experiment) each(ctx context.Context, d *retrieval.Deps, settings []param.Params, done func(int), see func(question, setting int, j evaluation.Judged, r *retrieval.Result)) error {
	order := farthestFirst(settings)
	var through atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, q := range x.Questions {
		g.Go(func() error {
			defer q.Forget()
			for _, s := range order {
				if err := ctx.Err(); err != nil {
					return err
				}
				result, err := q.Rank(ctx, d, settings[s])
				if err != nil {
					return err
				}
				see(i, s, q.Judged(&result), &result)
			}
			if n := through.Add(1); done != nil {
				done(int(n))
			}
			return nil
		})
	}
	return g.Wait()
}

// farthestFirst are the indices of settings, those first whose evidence covers most of the
// others: then one search is enough for all.
func farthestFirst(settings []param.Params) []int {
	order := make([]int, len(settings))
	for i := range order {
		order[i] = i
	}
	rank := func(p *param.Params) int {
		if p.KeywordWeight > 0 {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(order, func(a, b int) int {
		p, q := &settings[a], &settings[b]
		return cmp.Or(cmp.Compare(rank(p), rank(q)), cmp.Compare(q.ArmRows(), p.ArmRows()))
	})
	return order
}
