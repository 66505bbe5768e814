package retrieval_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/testdata/cputime"
)

// crowd is a corpus of n children, two to a section, with words, texts of 150
// words and an edge from each section to two others. Half of the children are in
// each arm.
func crowd(b *testing.B, preset string, n int) (*bench, retrieval.Evidence) {
	b.Helper()
	w := newBench()
	w.params, _ = param.Preset(preset)
	w.set(b, "mode", "chunk", "require_owner", "false")
	if preset == param.PresetGraph {
		w.set(b, "seed_top_k", fmt.Sprint(n))
	} else {
		w.set(b, "top_k_children_limit", fmt.Sprint(n))
	}
	if w.params.TopK > 0 {
		w.set(b, "top_k", fmt.Sprint(n))
	}
	w.memory.words = map[string]int{}
	words := rand.NewZipf(rand.New(rand.NewPCG(1, 2)), 1.1, 4, 20000)
	for page := range 8 {
		w.page(fmt.Sprintf("https://docs.example.org/guide/page-%d.html", page), page%4)
	}
	id := func(i int) string { return fmt.Sprintf("%08x-1111-4222-8333-444455556666", uint32(i)*2654435761) }
	for i := range n / 2 {
		near := 0.9 - float64(i)/float64(2*n)
		w.section(id(i), w.documents[i%8].SourceURL, i/8, 300, near, near-0.001)
		for c := range 2 {
			child := w.chunk(fmt.Sprintf("%s.%d", id(i), c))
			var text strings.Builder
			for range 150 {
				fmt.Fprintf(&text, "w%d ", words.Uint64())
			}
			child.ChunkText = text.String()
			if (i+c)%2 == 0 {
				w.memory.words[child.ID] = 1 + i%9
			}
		}
		w.memory.edge(fmt.Sprintf("e%d", i), id(i), id((i+1)%(n/2)), store.Sequence, .5)
		w.memory.edge(fmt.Sprintf("f%d", i), id(i), id((i*31+7)%(n/2)), store.References, 1)
	}
	ev := gather(b, w)
	ev, err := retrieval.Complete(b.Context(), w.deps(), ev, w.params)
	if err != nil {
		b.Fatal(err)
	}
	return w, ev
}

// BenchmarkRankPreset ranks with each preset, in microseconds. Sixty candidates
// are an ordinary query, a thousand the most that an arm returns; textbook
// compares all of them for near-duplicates.
func BenchmarkRankPreset(b *testing.B) {
	for _, c := range []struct {
		candidates int
		budget     time.Duration
	}{{60, 50 * time.Microsecond}, {1000, 5 * time.Millisecond}} {
		for _, preset := range param.Presets() {
			b.Run(fmt.Sprintf("%s/%d", preset, c.candidates), func(b *testing.B) {
				w, ev := crowd(b, preset, c.candidates)
				r, needs := retrieval.Rank(ev, w.params, retrieval.Options{})
				if !needs.IsZero() || len(r.Items) < c.candidates/20 {
					b.Fatalf("%d items, needs %v", len(r.Items), needs)
				}
				b.ReportAllocs()
				start := cputime.Now()
				for b.Loop() {
					retrieval.Rank(ev, w.params, retrieval.Options{})
				}
				spent := cputime.Now() - start
				b.ReportMetric(float64(spent.Microseconds())/float64(b.N), "measured")
				b.ReportMetric(float64(c.budget.Microseconds()), "budget")
				b.ReportMetric(float64(spent)/float64(reference(b)), "x-sorting")
			})
		}
	}
}
