package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/evaluation/exchange"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// randomCollection has 150 documents and 12 queries of words of which some are
// common and some rare.
func randomCollection() *exchange.Collection {
	rng := rand.New(rand.NewPCG(8, 9))
	words := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf("word%d", rng.IntN(1+rng.IntN(60)))
		}
		return strings.Join(list, " ")
	}
	c := &exchange.Collection{Qrels: map[string]map[string]int{}}
	for i := range 150 {
		c.Documents = append(c.Documents, exchange.Document{ID: fmt.Sprint("d", i), Text: words(10 + rng.IntN(40))})
	}
	for i := range 12 {
		id := fmt.Sprint("q", i)
		c.Queries = append(c.Queries, exchange.Query{ID: id, Text: words(3)})
		c.Qrels[id] = map[string]int{"d1": 1}
	}
	return c
}

// TestTheStudyFusesAsTheProgramDoes holds that what the study recommends is what
// the program does under that name.
func TestTheStudyFusesAsTheProgramDoes(t *testing.T) {
	k, err := index(t.Context(), filepath.Join(t.TempDir(), "c.db"), "random", randomCollection())
	if err != nil {
		t.Fatal(err)
	}
	defer k.store.Close()
	all, err := k.ask(t.Context(), depth)
	if err != nil {
		t.Fatal(err)
	}
	if err := k.gatherEvidence(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		g := k.gather(a, depth)
		// With weights like .1 the shares of two documents can be equal but for
		// rounding, and then the order depends on which is divided first.
		for _, w := range []float64{.12347, .31415, .51803, .90907} {
			for name, c := range map[string]struct {
				ours    fusion
				program param.Params
			}{
				"rrf, k 60": {rrf(w, 60), hybrid(w, 60, param.FusionRRF)},
				"rrf, k 2":  {rrf(w, 2), hybrid(w, 2, param.FusionRRF)},
				"convex":    {convex(w, calibrated, byMax), hybrid(w, 60, param.FusionConvex)},
			} {
				got, err := k.retrieved(a, c.program)
				if err != nil {
					t.Fatal(err)
				}
				if want := g.rank(c.ours); !slices.Equal(got, want) {
					t.Errorf("%s, w %v, query %q: %d documents %v, want %d: %v", name, w, a.query.ID, len(got), got[:min(5, len(got))], len(want), want[:min(5, len(want))])
				}
			}
		}
	}
}
