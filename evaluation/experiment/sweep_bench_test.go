package experiment_test

import (
	"runtime"
	"testing"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/experiment"
	"github.com/webrag/webrag-tui/evaluation/internal/sample"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/testdata/cputime"
)

// BenchmarkSweep measures sweeps of about 1,000 settings over 50 queries, with the asking of
// these. The budget is the time for one setting and one query in microseconds, 100,000 of
// them a second on two cores, when nothing else uses the machine: it is the processor time
// over the number of cores. Garbage is not what it spends its time on: GOGC=800 makes no
// difference.
func BenchmarkSweep(b *testing.B) {
	s, err := sample.Random(b.Context(), b.TempDir(), 50)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	x := s.Experiment()
	o := experiment.SweepOptions{
		Measures: []evaluation.Measure{evaluation.MustMeasure("nDCG@10"), evaluation.MustMeasure("Judged@10")},
		Through:  func(int, []experiment.Numbers) error { return nil },
	}
	limits := evaluation.Steps("top_k_children_limit", 15, 5, 10)
	for preset, grid := range map[string]evaluation.Grid{
		param.PresetWebRAG: {evaluation.Steps("similarity_floor", 0, .05, 10), evaluation.Steps("depth_decay_rate", 0, .02, 10), limits},
		param.PresetHybrid: {evaluation.Steps("keyword_weight", .1, .1, 9), evaluation.Steps("rrf_k", 1, 6, 11), limits},
	} {
		b.Run(preset, func(b *testing.B) {
			base, _ := param.Preset(preset)
			base.Mode = param.ModeChunk
			settings, err := grid.Settings(base)
			if err != nil {
				b.Fatal(err)
			}
			start := cputime.Now()
			for b.Loop() {
				if err := x.Sweep(b.Context(), s.Deps, settings, o); err != nil {
					b.Fatal(err)
				}
			}
			spent := cputime.Now() - start
			each := float64(spent.Microseconds()) / float64(runtime.GOMAXPROCS(0)) / float64(b.N*len(x.Questions)*len(settings))
			b.ReportMetric(each, "measured")
			b.ReportMetric(10, "budget")
			b.ReportMetric(1e6/each, "rankings/s")
		})
	}
}
