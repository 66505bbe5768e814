package trials

import (
	"context"
	"errors"

	"github.com/spf13/pflag"

	"github.com/webrag/webrag-tui/store"
)

// Comparing says what counts when configurations are compared by a query set.
type Comparing struct{ measuring }

// Register adds its flags.
func (c *Comparing) Register(fs *pflag.FlagSet) { c.measuring.register(fs) }

// WithoutSet is the error for these flags where a text is asked, for which nothing is
// judged; nil where none is given.
func (c *Comparing) WithoutSet() error {
	if c.judge+c.level == "" && len(c.measures) == 0 {
		return nil
	}
	return errors.New("--judge, --level and --measure are about what was judged; name a query set by --set SET in place of the query")
}

// Compare measures configurations by a query set, and prints each of the others against the
// first: by each measure, with Holm's p where there are several, and query by query.
func Compare(ctx context.Context, p *Program, set string, configurations []Configuration, c Comparing, scope func() (store.Scope, error)) error {
	o, err := c.options()
	if err != nil {
		return err
	}
	c.scope = scope
	a, err := p.ask(ctx, set, c.counting)
	if err != nil {
		return err
	}
	defer a.corpus.Close()
	t, err := p.measure(ctx, a, configurations, o)
	if err != nil {
		return err
	}
	return p.conclude(t, t.encode(true), nil, &evaluateFlags{perQuery: true})
}
