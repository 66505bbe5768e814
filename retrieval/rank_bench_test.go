package retrieval_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/testdata/cputime"
)

// typical is the evidence of an ordinary query: 200 rows were gathered, of which
// 60 are within the limit and belong to 40 sections on 8 pages.
func typical(b *testing.B) (retrieval.Evidence, param.Params) {
	b.Helper()
	w, p := typicalBench(b)
	ev := gather(b, w)
	_, needs := retrieval.Rank(ev, p, retrieval.Options{})
	ev, err := retrieval.Extend(b.Context(), w.deps(), ev, needs)
	if err != nil {
		b.Fatal(err)
	}
	r, _ := retrieval.Rank(ev, p, retrieval.Options{})
	if len(r.Items) != 40 || r.ChildrenKept != 60 {
		b.Fatalf("%d children in %d sections", r.ChildrenKept, len(r.Items))
	}
	return ev, p
}

// typicalBench is the corpus of an ordinary query.
func typicalBench(b *testing.B) (*bench, param.Params) {
	b.Helper()
	w := newBench().set(b, "mode", "chunk")
	for page := range 8 {
		w.page(fmt.Sprintf("https://docs.example.org/guide/page-%d.html", page), page%4)
	}
	for i := range 140 {
		near := []float64{0.9 - float64(i)/200}
		if i%2 == 0 && i < 120 {
			near = append(near, near[0]-0.001)
		}
		s := w.section(fmt.Sprintf("%08x-1111-4222-8333-444455556666", uint32(i)*2654435761), w.documents[i%8].SourceURL, i/8, 300, near...)
		s.HeadingPath = []string{"Guide", "Ranking", "Depth"}
	}
	return w, w.params
}

// reference is a loop that does the least that ranking 200 rows can do: sort
// them. Machines differ; the ratio to it does not.
func reference(b *testing.B) time.Duration {
	rng := rand.New(rand.NewPCG(1, 1))
	rows := make([]float64, 200)
	for i := range rows {
		rows[i] = rng.Float64()
	}
	scratch := make([]float64, len(rows))
	start := cputime.Now()
	for range b.N {
		copy(scratch, rows)
		slices.Sort(scratch)
	}
	return cputime.Now() - start
}

// benchmarkRank measures rank, which ranks evidence by parameters.
func benchmarkRank(b *testing.B, rank func(*retrieval.Evidence, param.Params), budget time.Duration) {
	ev, p := typical(b)
	b.ReportAllocs()
	start := cputime.Now()
	for b.Loop() {
		rank(&ev, p)
	}
	spent := cputime.Now() - start
	b.ReportMetric(float64(spent.Microseconds())/float64(b.N), "measured")
	b.ReportMetric(float64(budget.Microseconds()), "budget")
	b.ReportMetric(float64(spent)/float64(reference(b)), "x-sorting")
}

// The budgets are in microseconds of processor time.
func BenchmarkRank(b *testing.B) {
	benchmarkRank(b, func(ev *retrieval.Evidence, p param.Params) { retrieval.Rank(*ev, p, retrieval.Options{}) }, 50*time.Microsecond)
}

func BenchmarkRankRecorded(b *testing.B) {
	benchmarkRank(b, func(ev *retrieval.Evidence, p param.Params) {
		retrieval.Rank(*ev, p, retrieval.Options{Trace: true, Explain: true})
	}, 200*time.Microsecond)
}

// BenchmarkRankAgain ranks with memory that is used again, as a slider does: to items,
// which are half of what remains, and to the order alone, as a sweep does.
func BenchmarkRankAgain(b *testing.B) {
	var s retrieval.Scratch
	b.Run("items", func(b *testing.B) {
		benchmarkRank(b, func(ev *retrieval.Evidence, p param.Params) { retrieval.Rank(*ev, p, retrieval.Options{Scratch: &s}) }, 50*time.Microsecond)
	})
	b.Run("order", func(b *testing.B) {
		benchmarkRank(b, func(ev *retrieval.Evidence, p param.Params) { s.Order(ev, p) }, 25*time.Microsecond)
	})
}

// BenchmarkCompare holds two results of 10,000 sections against each other, as a step of a
// slider does: the same, and in orders that have nothing to do with each other. The
// budgets are in microseconds of processor time.
func BenchmarkCompare(b *testing.B) {
	names := make([]string, 10_000)
	for i := range names {
		names[i] = fmt.Sprintf("%08x-1111-4222-8333-444455556666", uint32(i)*2654435761)
	}
	same, again := ranking(names...), ranking(names...)
	rng := rand.New(rand.NewPCG(1, 1))
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	other := ranking(names...)
	for _, c := range []struct {
		name   string
		with   retrieval.Result
		budget time.Duration
	}{{"same", again, 2 * time.Millisecond}, {"other", other, 15 * time.Millisecond}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			start := cputime.Now()
			for b.Loop() {
				retrieval.Compare(same, c.with, 10)
			}
			spent := cputime.Now() - start
			b.ReportMetric(float64(spent.Microseconds())/float64(b.N), "measured")
			b.ReportMetric(float64(c.budget.Microseconds()), "budget")
			b.ReportMetric(float64(spent)/float64(reference(b)), "x-sorting")
		})
	}
}
