package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
)

// IndexHealth is how well the vector index of a corpus answers one query.
type IndexHealth struct {
	Index  store.VectorIndex
	Probed store.Probed
	// K is the number of nearest rows that were compared.
	K int
}

// ErrNoIndex says that there is nothing to examine.
var ErrNoIndex = errors.New("this corpus is searched exactly: there is no index to examine")

// healthRows is the K of the dialog: what the preset webrag asks for.
const healthRows = 60

// healthSettings are the values of ef_search that are tried.
func healthSettings() []int { return []int{10, 20, 40, 80, 100, 200, 400, 800} }

// health asks the index of a store one query in several ways.
func health(ctx context.Context, d retrieval.Deps, query string) (h IndexHealth, err error) {
	vector, err := d.Embedder.EmbedOne(ctx, query, embedder.RoleQuery)
	if err != nil {
		return h, fmt.Errorf("embed the query: %w", err)
	}
	err = reader{d.Store}.view(ctx, func(v store.View) error {
		view, ok := v.(store.IndexHealth)
		if !ok {
			return ErrNoIndex
		}
		if h.Index, err = view.VectorIndex(ctx); err != nil {
			return err
		}
		if h.Index.Name == "" {
			return fmt.Errorf("the search is exact: %s", h.Index.Why)
		}
		h.K = healthRows
		h.Probed, err = view.Probe(ctx, store.Probe{Vector: vector, K: h.K, EfSearch: healthSettings(), Iterative: store.IterativeOff})
		return err
	})
	return h, err
}
