package experiment

import (
	"context"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// Measurement is what one setting is worth, and what it ranks.
type Measurement struct {
	*evaluation.Report
	// order are the ids of what was ranked for each question, the best first.
	order [][]string
}

// Movement is how differently another setting ranks the same questions, at a depth: 0 is
// the whole of the longer ranking. The measurements are of one experiment.
func (m *Measurement) Movement(other *Measurement, depth int) evaluation.Movement {
	all := make([]retrieval.Comparison, min(len(m.order), len(other.order)))
	for i := range all {
		all[i] = retrieval.Compare(ranked(m.order[i]), ranked(other.order[i]), depth)
	}
	return evaluation.MovementOf(all)
}

// ranked are ids as a result that has nothing but their ranks.
func ranked(ids []string) retrieval.Result {
	r := retrieval.Result{Items: make([]retrieval.Item, len(ids))}
	for i, id := range ids {
		r.Items[i].ChunkID, r.Items[i].Rank = id, i+1
	}
	return r
}

// Measure ranks every question by p on all cores, and keeps what it gathers for the
// next time: then it asks nothing where p is covered. Several goroutines may call it, and
// wait for each other.
func (x *Experiment) Measure(ctx context.Context, d retrieval.Deps, p param.Params, measures ...evaluation.Measure) (*Measurement, error) {
	x.measuring.Lock()
	defer x.measuring.Unlock()
	answers, order := make([]evaluation.Answer, len(x.Questions)), make([][]string, len(x.Questions))
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
			answers[i], order[i] = evaluation.Answer{ID: q.ID, Tags: q.Tags, Judged: judged}, slices.Clone(q.order)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return &Measurement{evaluation.Measured(answers, evaluation.Options{Measures: measures}), order}, nil
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
