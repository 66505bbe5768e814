package trials

import (
	"context"

	"github.com/webrag/webrag-tui/evaluation"
)

// Compare measures two configurations by a query set, and prints the second against
// the first: by each measure, and query by query.
func Compare(ctx context.Context, p *Program, name string, configurations []Configuration) error {
	f := evaluateFlags{perQuery: true}
	set, err := p.openSet(name)
	if err != nil {
		return err
	}
	corpus, err := p.Corpus(ctx)
	if err != nil {
		return err
	}
	defer corpus.Close()
	t, err := p.measure(ctx, set, corpus, f.counting, configurations, evaluation.Options{Measures: evaluation.DefaultMeasures()})
	if err != nil {
		return err
	}
	return p.conclude(t, t.encode(true), nil, &f)
}
