package ui

import (
	"slices"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/ui/view"
)

// BenchmarkCorpusView is a key to the new frame with 2,000 pages in the list.
func BenchmarkCorpusView(b *testing.B) {
	for _, c := range []struct{ name, before, key string }{
		{"down", "", "j"},
		{"page", "", "pgdown"},
		{"last", "", "G"},
		{"fold", "", "space"},
		{"table", "", "r"},
		{"sort", "r", "O"},
		{"turn", "r", "I"},
		{"open", "", "m"},
	} {
		b.Run(c.name, func(b *testing.B) {
			d := drive(b, 1, 200, 60, withPages(2000), "esc 3 "+c.before)
			if n := len(pagesOf(d).Listed()); n != 2000 {
				b.Fatalf("%d rows", n)
			}
			keyToFrame(b, d, c.key)
		})
	}
}

// BenchmarkLongPage is what happens to a page of 1 MB: a key to the new frame, and
// the time from the key that opens it to a screen of finished text.
func BenchmarkLongPage(b *testing.B) {
	const size = 1 << 20
	long := func(o *Options, f *fakeCorpus) { f.longPage = size }
	for _, c := range []struct{ name, before, key string }{
		{"sections", "enter", "j"},
		{"line", "m", "j"},
		{"page", "m", "pgdown"},
		{"last", "m", "G"},
	} {
		b.Run(c.name, func(b *testing.B) {
			keyToFrame(b, drive(b, 1, 200, 60, long, "esc 3 "+c.before), c.key)
		})
	}
	b.Run("open", func(b *testing.B) {
		var took []time.Duration
		for b.Loop() {
			b.StopTimer()
			d := drive(b, 1, 200, 60, long, "esc 3")
			b.StartTimer()
			start := time.Now()
			_, cmd := d.update(keyOf("m"))
			_ = d.frame()
			d.push(cmd)
			for !pagesOf(d).IsRendered() {
				next := d.ready[0] // nothing here waits for time
				d.ready = d.ready[1:]
				if next != nil {
					d.send(next())
				}
			}
			took = append(took, time.Since(start))
		}
		slices.Sort(took)
		b.ReportMetric(openBudget, "budget_ms")
		b.ReportMetric(float64(took[len(took)/2])/1e6, "median_ms")
	})
}

// openBudget is how long a page of 1 MB takes to stand on the screen rendered, in
// milliseconds.
const openBudget = 150.0

// keyToFrame measures a key up to the new frame. What the key starts in the
// background is done between the measurements.
func keyToFrame(b *testing.B, d *driver, key string) {
	b.Helper()
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		_, cmd := d.update(keyOf(key))
		_ = d.frame()
		took = append(took, time.Since(start))
		d.push(cmd)
		b.StopTimer()
		d.steps = 0
		d.pass(view.RestPause)
		b.StartTimer()
	}
	slices.Sort(took)
	b.ReportMetric(keyBudget, "budget_ms")
	b.ReportMetric(float64(took[len(took)/2])/1e6, "median_ms")
	b.ReportMetric(float64(took[len(took)*99/100])/1e6, "p99_ms")
}
