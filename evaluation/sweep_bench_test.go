package evaluation_test

import (
	"runtime"
	"testing"

	"github.com/webrag/webrag-tui/evaluation"
)

// BenchmarkSweep measures a sweep of 1,000 settings over 50 queries. The budget
// is the time for one setting and one query in microseconds, 20,000 of them a
// second, when nothing else uses the machine: it is the processor time over the
// number of cores.
func BenchmarkSweep(b *testing.B) {
	queries, base := sweepable(b, 50)
	settings, err := evaluation.Grid{
		evaluation.Steps("similarity_floor", 0, .05, 10),
		evaluation.Steps("depth_decay_rate", 0, .02, 10),
		evaluation.Steps("top_k_children_limit", 15, 5, 10),
	}.Settings(base)
	if err != nil {
		b.Fatal(err)
	}
	start := cpuTime()
	for b.Loop() {
		if _, err := evaluation.Sweep(b.Context(), queries, settings); err != nil {
			b.Fatal(err)
		}
	}
	spent := cpuTime() - start
	each := float64(spent.Microseconds()) / float64(runtime.GOMAXPROCS(0)) / float64(b.N*len(queries)*len(settings))
	b.ReportMetric(each, "measured")
	b.ReportMetric(50, "budget")
	b.ReportMetric(1e6/each, "rankings/s")
}
