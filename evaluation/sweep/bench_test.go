package sweep_test

import (
	"runtime"
	"testing"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/internal/sample"
	"github.com/webrag/webrag-tui/evaluation/sweep"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/testdata/cputime"
)

// BenchmarkLargeSweep is 500 queries and 1,000 settings, with a journal. One row is the time in
// seconds when nothing else uses the machine (processor time over cores), and one the most
// memory in use at a time, in megabytes.
func BenchmarkLargeSweep(b *testing.B) {
	s, err := sample.Random(b.Context(), b.TempDir(), 500)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	plan := &sweep.Plan{Base: base(param.PresetWebRAG), Axes: evaluation.Grid{
		evaluation.Steps("similarity_floor", 0, .05, 10), evaluation.Steps("depth_decay_rate", 0, .02, 10), evaluation.Steps("top_k_children_limit", 15, 5, 10),
	}}
	var seconds, megabytes float64
	run := func(b *testing.B) {
		start, most := cputime.Now(), uint64(0)
		for b.Loop() {
			_, err := sweep.Run(b.Context(), plan, s.Experiment(), s.Deps, sweep.Options{Journal: journal(s, b.TempDir()), Progress: func(sweep.Progress) {
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapInuse+m.StackInuse)
			}})
			if err != nil {
				b.Fatal(err)
			}
		}
		seconds = (cputime.Now() - start).Seconds() / float64(runtime.GOMAXPROCS(0)) / float64(b.N)
		megabytes = float64(most) / (1 << 20)
	}
	b.Run("seconds", func(b *testing.B) {
		run(b)
		b.ReportMetric(seconds, "measured")
		b.ReportMetric(60, "budget")
	})
	b.Run("megabytes", func(b *testing.B) {
		run(b)
		b.ReportMetric(megabytes, "measured")
		b.ReportMetric(500, "budget")
	})
}
