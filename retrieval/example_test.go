package retrieval_test

import (
	"context"
	"fmt"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// Gather once, then rank as often as a setting moves.
func ExampleRank() {
	corpus := newMemory()
	corpus.page("guide", 1)
	corpus.section("depth", "guide", 0, 214, 0.644, 0.571)
	corpus.section("budget", "guide", 1, 120, 0.31)

	p, _ := param.Preset("webrag")
	p.Mode = param.ModeChunk
	deps := retrieval.Deps{Store: corpus, Embedder: newDouble()}
	ev, err := retrieval.Gather(context.Background(), deps, retrieval.Query{Text: "depth decay"}, p)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, rate := range []float64{0.05, 0.20} {
		p.DepthDecayRate = rate
		result, _ := retrieval.Rank(ev, p, retrieval.Options{Explain: true})
		for _, it := range result.Items {
			fmt.Printf("%d %s %.3f = %s\n", it.Rank, it.ChunkID, it.Score, it.Explanation.Formula)
		}
	}
	// Output:
	// 1 depth 0.612 = 0.644 × 0.95
	// 2 budget 0.294 = 0.31 × 0.95
	// 1 depth 0.515 = 0.644 × 0.8
	// 2 budget 0.248 = 0.31 × 0.8
}
