package trials

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/evaluation/llmjudge"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// gradeFlags say what a model grades, and by what.
type gradeFlags struct {
	profiles []string
	rubric   string
	k        int
	yes      bool
}

func newJudgeGrade(p *Program) *cobra.Command {
	var f gradeFlags
	cmd := &cobra.Command{
		Use:   "grade SET",
		Short: "Have a language model grade what presets and profiles return",
		Long: "grade has the configured language model (LLM_BASE_URL, LLM_MODEL) grade the best results of each\n" +
			"query by a rubric. It is a judge of its own, model:NAME, and keeps what it was asked and said.\n" +
			"It first says what that costs, and asks with --yes; what was broken off goes on with the same\n" +
			"command. Figures that rest on its grades alone are worth something only where it agrees with\n" +
			"people, which it says at the end: judge some of the same results yourself.",
		Example: "webrag-tui judge grade docs --profile webrag --profile hybrid\n" +
			"webrag-tui judge grade docs --profile webrag --profile hybrid --k 5 --yes\n" +
			"webrag-tui judge grade docs --rubric rubric.txt --yes",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneSet("grade", args); err != nil {
				return err
			}
			return p.judgeGrade(cmd.Context(), args[0], &f)
		},
	}
	fs := cmd.Flags()
	fs.StringSliceVar(&f.profiles, "profile", nil, "grade what this preset or profile returns, by `name` or file (repeatable)")
	fs.StringVar(&f.rubric, "rubric", "", "what each grade means, a text `FILE` (default: that of the program, for grades 0 to 3)")
	fs.IntVar(&f.k, "k", 0, "grade the best `n` of each, 0 for the number of the set")
	fs.BoolVar(&f.yes, "yes", false, "ask the language model; without, only say what it costs")
	return cmd
}

func (p *Program) judgeGrade(ctx context.Context, name string, f *gradeFlags) error {
	configurations, err := p.configurations("profile", f.profiles)
	if err != nil {
		return err
	}
	if f.k < 0 {
		return fmt.Errorf("--k %d: must be at least 0", f.k)
	}
	rubric := llmjudge.Rubric()
	if f.rubric != "" {
		raw, err := file.Read(f.rubric, 4*llmjudge.MostRubric)
		if err != nil {
			return fmt.Errorf("--rubric: %w", err)
		}
		rubric = string(raw)
	}
	set, err := p.openSet(name)
	if err != nil {
		return err
	}
	chat, count, err := p.model()
	if err != nil {
		return err
	}
	bar := p.Bar()
	defer bar.Clear()
	judge, err := llmjudge.New(chat, rubric, llmjudge.Options{CountTokens: count, Now: p.Now, Progress: shown(bar, "result")})
	if err != nil {
		return err
	}
	plan, err := p.planGrades(ctx, set, judge, configurations, f.k)
	if err != nil {
		return err
	}
	p.note("%s of %s to grade, %d graded before", phrase.Counted(plan.Candidates, "result"), countQueries(plan.Queries), plan.Done)
	if plan.Candidates > 0 {
		if !p.tellCost(chat, plan.Cost, f.yes) {
			return nil
		}
		report, failed := plan.Grade(ctx)
		bar.Clear()
		p.tellGraded(&report)
		if err = failed; err == nil && report.Graded+report.CannotTell == 0 {
			p.note("%s", llmjudge.ErrNoGrades)
			err = p.Short
		}
	}
	p.note("%s", judgment.StandingOf(set.Judgments(), judge.Name()).Why)
	return err
}

// planGrades asks the corpus, and finds what of the results is to be graded.
func (p *Program) planGrades(ctx context.Context, set *judgment.Set, judge *llmjudge.Judge, configurations []Configuration, k int) (*llmjudge.Plan, error) {
	if len(set.Queries) == 0 {
		return nil, errors.New("the query set has no queries; 'webrag-tui judge add' adds one, 'judge generate' makes some")
	}
	if k == 0 {
		k = set.K
	}
	corpus, err := p.Corpus(ctx)
	if err != nil {
		return nil, err
	}
	defer corpus.Close()
	if err := p.remember(ctx, set, corpus); err != nil {
		return nil, err
	}
	var candidates []judgment.Candidate
	for _, q := range set.Queries {
		var from []judgment.Contender
		for _, c := range configurations {
			result, err := retrieval.Retrieve(ctx, corpus.Deps, retrieval.Query{Text: q.Text}, c.Params, retrieval.Options{})
			if err != nil {
				return nil, fmt.Errorf("query %s: %w", q.ID, err)
			}
			from = append(from, judgment.Contender{Name: c.Name, Result: &result})
		}
		candidates = append(candidates, judgment.Pool(q.ID, from, judgment.PoolOptions{K: k, Seed: set.Seed})...)
	}
	view, err := corpus.Store.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer view.Close()
	anchors, err := set.Anchor(ctx, judgment.InView(view))
	if err != nil {
		return nil, err
	}
	return judge.Plan(set, anchors, candidates)
}

// tellGraded says what became of what was asked.
func (p *Program) tellGraded(r *llmjudge.Report) {
	words := fmt.Sprintf("graded %d", r.Graded)
	for grade, n := range r.Grades {
		words += fmt.Sprintf(", %d with %d", n, grade)
	}
	p.note("%s; %d it could not tell; %d had no usable answer, even when asked twice (%d were)", words, r.CannotTell, r.Unusable, r.Again)
	if r.Unanswered != "" {
		p.note("such as: %s", brief(r.Unanswered, 4*mostTextCells))
	}
	if r.PromptTokens > 0 {
		p.note("the server counted %d tokens in and %d out", r.PromptTokens, r.AnswerTokens)
	}
}
