package main

import (
	"context"
	"fmt"

	"github.com/webrag/webrag-tui/evaluation/internal/judged"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// gatherEvidence asks the program for what its fusions need, once a query.
func (k *corpus) gatherEvidence(ctx context.Context, all []*asked) error {
	p := hybrid(.5, 60, param.FusionRRF)
	for _, a := range all {
		ev, err := retrieval.Gather(ctx, retrieval.Deps{Store: k.store, Embedder: k.model}, retrieval.Query{Text: a.query.Text}, p)
		if err != nil {
			return fmt.Errorf("query %q: %w", a.query.ID, err)
		}
		a.evidence = ev
	}
	return nil
}

// hybrid is the preset of this name with another fusion, and with all that the
// arms return as its result.
func hybrid(w float64, constant int, fusion param.Fusion) param.Params {
	p, _ := param.Preset(param.PresetHybrid)
	p.TopKChildrenLimit, p.TopK = depth, 0
	p.KeywordMatch = param.KeywordMatch(match)
	p.KeywordWeight, p.RRFK, p.Fusion = w, constant, fusion
	return p
}

// retrieved is the order in which the program returns the documents.
func (k *corpus) retrieved(a *asked, p param.Params) ([]int, error) {
	if ok, why := a.evidence.Covers(p); !ok {
		return nil, fmt.Errorf("query %q: %s", a.query.ID, why)
	}
	res, _ := retrieval.Rank(a.evidence, p, retrieval.Options{})
	return judged.Ranking(res.Items, func(it *retrieval.Item) int { return k.at[it.ChunkID] }), nil
}
