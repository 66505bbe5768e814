package progress

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/indexing"
)

func TestProgressBarStaysOnItsLine(t *testing.T) {
	for _, columns := range []int{1, 10, 40, 80, 200} {
		var screen bytes.Buffer
		now := time.Unix(0, 0)
		width := columns
		p := &Bar{w: &screen, columns: func() int { return width }, now: func() time.Time { return now }, drawn: now}
		for done := range 3 {
			now = now.Add(time.Minute)
			p.Update(func() Shown {
				return OfIndexing(indexing.Progress{
					PagesDone: done * 600, PagesTotal: 123456, Chunks: 1234567 * done, Vectors: 1034567 * done,
					Elapsed: time.Duration(done) * time.Hour,
				})
			})
		}
		p.Clear()
		for line := range strings.SplitSeq(screen.String(), "\r") {
			if n := len([]rune(line)); n >= columns && n > 0 {
				t.Errorf("%d columns: %q takes %d", columns, line, n)
			}
		}
		if strings.Contains(screen.String(), "\n") {
			t.Errorf("%d columns: the bar scrolls", columns)
		}
		if columns >= 40 && !strings.Contains(screen.String(), "1200 of 123456 pages · 20") {
			t.Errorf("%d columns: pages and the time left are not in %q", columns, screen.String())
		}
		// A terminal made narrower must not be cleared as wide as it was.
		screen.Reset()
		p.width, width = 70, 40
		p.Clear()
		if n := len(strings.Trim(screen.String(), "\r")); n != 39 {
			t.Errorf("made narrower, %d cells are cleared", n)
		}
	}
}

// 30 of 90 pages in 10 s: 3 a second, and the other 60 take 20 s.
func TestProgressWords(t *testing.T) {
	g := indexing.Progress{PagesDone: 30, PagesTotal: 90, Chunks: 1, Vectors: 2, Elapsed: 10 * time.Second}
	if got, want := OfIndexing(g).line(100), "████████░░░░░░░░░░░░░░░░ 30 of 90 pages · 20s left · 1 chunk · 2 vectors · 3 pages/s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	g.PagesTotal = 0 // not known, as on standard input
	if got, want := OfIndexing(g).line(100), "30 pages · 1 chunk · 2 vectors · 3 pages/s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	end := indexing.Progress{Stage: indexing.StageFinish, PagesDone: 1, PagesTotal: 4}
	if got, want := OfIndexing(end).line(100), "██████░░░░░░░░░░░░░░░░░░ building the index of the vectors"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
