package ui

import (
	"slices"
	"testing"
	"time"
)

// The budgets of a frame, in milliseconds.
const (
	keyBudget  = 16.0
	viewBudget = 4.0
)

func benchModel(b *testing.B, w, h int) *driver {
	b.Helper()
	d := drive(b, 1, w, h, asking("many"), "")
	if n := len(slices.Collect(d.list().Matched())); n < 10_000 {
		b.Fatalf("only %d rows", n)
	}
	return d
}

// BenchmarkKey is a key to the new frame with 10,000 sections in the list.
func BenchmarkKey(b *testing.B) {
	for _, c := range []struct{ name, key string }{
		{"down", "j"},
		{"page", "pgdown"},
		{"last", "G"},
		{"first", "g"},
		{"by rank", "r"},
		{"fold", "space"},
		{"mark", "n"},
		{"form", "m"},
		{"score", "e"},
		{"split", ">"},
		{"help", "?"},
	} {
		b.Run(c.name, func(b *testing.B) {
			d := benchModel(b, 200, 60)
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				_, cmd := d.update(keyOf(c.key))
				_ = d.frame()
				took = append(took, time.Since(start))
				d.push(cmd)
				b.StopTimer()
				d.pass(0)
				if d.top() != nil {
					d.pop()
				}
				b.StartTimer()
			}
			b.ReportMetric(keyBudget, "budget_ms")
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2])/1e6, "median_ms")
			b.ReportMetric(float64(took[len(took)*99/100])/1e6, "p99_ms")
		})
	}
}

// BenchmarkView is the drawing alone, which happens after every message.
func BenchmarkView(b *testing.B) {
	d := benchModel(b, 200, 60)
	for _, c := range []struct {
		name string
		anew bool
	}{{"nothing changed", false}, {"all panes anew", true}} {
		b.Run(c.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				if c.anew {
					d.list().Redraw()
					d.score().Redraw()
					d.reader().Redraw()
				}
				start := time.Now()
				_ = d.frame()
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(viewBudget, "budget_ms")
			b.ReportMetric(float64(took[len(took)/2])/1e6, "median_ms")
		})
	}
}
