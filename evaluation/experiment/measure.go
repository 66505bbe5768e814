package experiment

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// Measure ranks every question by p on all cores, and keeps what it gathers for the
// next time: then it asks nothing where p is covered. Several goroutines may call it, and
// wait for each other.
func (x *Experiment) Measure(ctx context.Context, d retrieval.Deps, p param.Params, measures ...evaluation.Measure) (*evaluation.Report, error) {
	x.measuring.Lock()
	defer x.measuring.Unlock()
	answers := make([]evaluation.Answer, len(x.Questions))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, q := range x.Questions {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			judged, _, err := q.brief(ctx, &d, p)
			if err != nil {
				return err
			}
			answers[i] = evaluation.Answer{ID: q.ID, Tags: q.Tags, Judged: judged}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return evaluation.Measured(answers, evaluation.Options{Measures: measures}), nil
}

// Inherit takes over what another experiment gathered for the same queries, which lets go
// of it.
func (x *Experiment) Inherit(from *Experiment) {
	if from == nil {
		return
	}
	from.measuring.Lock()
	defer from.measuring.Unlock()
	gathered := map[string]*Question{}
	for _, q := range from.Questions {
		gathered[q.Text] = q
	}
	for _, q := range x.Questions {
		if old := gathered[q.Text]; old != nil {
			q.evidence, old.evidence = old.evidence, nil
		}
	}
}
