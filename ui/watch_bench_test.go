package ui

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/session"
)

// sliderBudget is a frame, in milliseconds.
const sliderBudget = 16.0

// BenchmarkWatchedSlider is a step of a slider to the new frame, alone and with
// twenty watched queries, at 200 by 60.
func BenchmarkWatchedSlider(b *testing.B) {
	for _, watched := range []int{0, session.MostWatched} {
		b.Run(fmt.Sprintf("%d watched", watched), func(b *testing.B) {
			d, _ := newDriver(b, 1, 200, 60, onGuide(b, "webrag", depthQuestion))
			words := []string{"floor", "budget", "page", "depth", "graph"}
			for i := range watched {
				q := session.WatchedQuery{Query: fmt.Sprintf("what is the %s of a %s", words[i%5], words[(i/5+i)%5])}
				q.Query += fmt.Sprint(" ", i)
				d.session().KeepWatchLists(map[string][]session.WatchedQuery{"guide": append(d.session().WatchLists()["guide"], q)})
			}
			d.settle()
			d.press("t")
			if _, total, ok := d.session().WatchCounts(); total != watched || ok != (watched > 0) {
				b.Fatalf("%d watched, known %v", total, ok)
			}
			var took []time.Duration
			floor := 0
			for b.Loop() {
				floor = (floor + 1) % 40
				p := d.session().Params()
				p.SimilarityFloor = .1 + float64(floor)/100
				start := time.Now()
				_ = d.set(p, "similarity_floor")
				_ = d.follow()
				_ = d.frame()
				took = append(took, time.Since(start))
			}
			b.ReportMetric(sliderBudget, "budget_ms")
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2])/1e6, "median_ms")
			b.ReportMetric(float64(took[len(took)*99/100])/1e6, "p99_ms")
		})
	}
}
