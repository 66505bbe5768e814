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
	order := farthestFirst(settings)
	err := x.each(ctx, done, func(ctx context.Context, question int) error {
		q := x.Questions[question]
		q.scratch = new(retrieval.Scratch)
		defer func() { q.scratch = nil; q.Forget() }()
		for _, s := range order {
			if err := ctx.Err(); err != nil {
				return err
			}
			r, err := q.Rank(ctx, &d, settings[s])
			if err != nil {
				return err
			}
			j := q.Judged(&r)
			j.Grades = slices.Clone(j.Grades)
			outcomes[s].Answers[question] = evaluation.Answer{ID: q.ID, Tags: q.Tags, Judged: j}
			outcomes[s].Results[question] = r
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return outcomes, nil
}

// each does something with every question, on all cores: do is called from several
// goroutines.
func (x *Experiment) each(ctx context.Context, done func(int), do func(ctx context.Context, question int) error) error {
	var through atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range x.Questions {
		g.Go(func() error {
			if err := do(ctx, i); err != nil {
				return err
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
