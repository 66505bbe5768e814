package ui

import (
	"runtime"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// BenchmarkResizeStorm is a drag of the window's corner: a message for every
// size on the way, each with its frame.
func BenchmarkResizeStorm(b *testing.B) {
	d := benchModel(b, 200, 60)
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		w, h := 200-i%120, 60-i%40
		start := time.Now()
		_, cmd := d.update(tea.WindowSizeMsg{Width: w, Height: h})
		_ = d.frame()
		took = append(took, time.Since(start))
		d.push(cmd)
		b.StopTimer()
		d.pass(0)
		b.StartTimer()
	}
	slices.Sort(took)
	b.ReportMetric(keyBudget, "budget_ms")
	b.ReportMetric(float64(took[len(took)/2])/1e6, "median_ms")
	b.ReportMetric(float64(took[len(took)*99/100])/1e6, "p99_ms")
}

// hour is what somebody does in a minute of work, over and over: queries,
// sections, sliders, views, dialogs.
const hour = "/ ctrl+u 'depth of pages' enter j j enter n n esc t down down right right right left u u esc w esc esc 2 right right x x left esc 3 j j enter j esc esc e e m m m r r z z ? esc : esc"

// BenchmarkLongSession is the memory that an hour of work leaves behind: the heap
// after sixty minutes of it over that after five. Caches are full by then.
func BenchmarkLongSession(b *testing.B) {
	const growth = 1.2
	d := openGuide(b, 120, 40, "webrag", depthQuestion, "")
	heap := func() float64 {
		runtime.GC()
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return float64(s.HeapAlloc)
	}
	minute := func() { d.press(hour); d.steps, d.foreign = 0, nil }
	for b.Loop() {
		for range 5 {
			minute()
		}
		before := heap()
		for range 55 {
			minute()
		}
		b.ReportMetric(heap()/before, "measured")
	}
	b.ReportMetric(growth, "budget")
}

// BenchmarkIdle counts the messages that a program sends itself while nobody
// touches it: there must be none.
func BenchmarkIdle(b *testing.B) {
	d := openGuide(b, 120, 40, "webrag", depthQuestion, "t esc")
	d.pass(time.Minute)
	before, woken := d.steps, 0
	for b.Loop() {
		d.pass(time.Hour)
		woken = d.steps - before
	}
	b.ReportMetric(float64(woken), "measured")
	b.ReportMetric(0, "budget")
}
