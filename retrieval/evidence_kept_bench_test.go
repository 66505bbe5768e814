package retrieval_test

import (
	"fmt"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// keptCases are the evidence of an ordinary query, and as much as a search ever gives.
func keptCases(b *testing.B) map[string]retrieval.Evidence {
	ordinary, _ := typical(b)
	wide := large(b, 2000)
	wide.params.TopKChildrenLimit, wide.params.ContextBudget, wide.params.Mode = param.MostRows, param.Unlimited, param.ModeChunk
	most, err := retrieval.Complete(b.Context(), wide.deps(), gather(b, wide), wide.params)
	if err != nil {
		b.Fatal(err)
	}
	return map[string]retrieval.Evidence{"ordinary": ordinary, "most": most}
}

func BenchmarkKeep(b *testing.B) {
	for name, ev := range keptCases(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.SetBytes(int64(len(keptJSON(b, ev))))
			}
		})
	}
}

func BenchmarkFromKept(b *testing.B) {
	for name, ev := range keptCases(b) {
		raw := keptJSON(b, ev)
		b.Run(fmt.Sprintf("%s/%dkB", name, len(raw)>>10), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := readKept(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
