package retrieval_test

import (
	"testing"
	"time"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/store"
)

// whyBudget is what finding out about one section of an ordinary query may take:
// the user pressed a key and waits.
const whyBudget = 250 * time.Millisecond

// A section that the limit leaves out, for which every parameter has to be tried.
func BenchmarkWhyNot(b *testing.B) {
	w, p := typicalBench(b)
	l := labOf(w.memory)
	var sections []string
	for i := range w.chunks {
		if w.chunks[i].Level == store.Parent {
			sections = append(sections, w.chunks[i].ID)
		}
	}
	query, target := retrieval.Query{Text: "question"}, whynot.Target{ChunkID: sections[100]}
	var report whynot.Report
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if report, err = whynot.Ask(b.Context(), l.deps(), query, p, target); err != nil {
			b.Fatal(err)
		}
	}
	spent := b.Elapsed()
	if report.DroppedBy == nil || len(report.Suggestions) == 0 {
		b.Fatalf("%+v", report)
	}
	b.ReportMetric(float64(spent.Microseconds())/float64(b.N), "measured")
	b.ReportMetric(float64(whyBudget.Microseconds()), "budget")
	b.ReportMetric(float64(spent)/float64(reference(b)), "x-sorting")
	b.ReportMetric(float64(report.Runs), "rankings")
}
