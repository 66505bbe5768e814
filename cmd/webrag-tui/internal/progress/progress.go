// Package progress narrates work that takes long: one redrawn line on a terminal, plain
// lines elsewhere.
package progress

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// The pauses between what is drawn, and what it is drawn with.
const (
	// RedrawEvery bounds how often the bar is drawn on a terminal.
	RedrawEvery = 100 * time.Millisecond
	// LineEvery is the pause between lines where there is no terminal.
	LineEvery = 5 * time.Second
	// barCells and barLeast are the widths of the bar where there is room, and
	// where there is so little that a narrower one would say nothing.
	barCells, barLeast = 24, 6
	// wordsApart stands between the figures.
	wordsApart = " · "
)

// Shown is how far some work is.
type Shown struct {
	// Words are figures, the most important first, which has no more than a line's room.
	Words []string
	// Done of Total is what the bar shows; there is none with a total of 0.
	Done, Total int
}

// Bar narrates one piece of work. It may be used from several goroutines.
type Bar struct {
	lock sync.Mutex
	w    io.Writer
	// columns is the terminal's width in cells, asked for each time because it
	// changes; 0 without a terminal.
	columns func() int
	now     func() time.Time
	drawn   time.Time
	width   int // cells of the line on the screen
}

// NewBar makes a bar that is written to w, of the columns that there are then, 0 where w
// is no terminal.
func NewBar(w io.Writer, columns func() int, now func() time.Time) *Bar {
	return &Bar{w: w, now: now, drawn: now(), columns: columns}
}

// Update draws what shown returns if enough time has passed since the last time. A nil
// bar draws nothing.
func (b *Bar) Update(shown func() Shown) {
	if b == nil {
		return
	}
	b.lock.Lock()
	defer b.lock.Unlock()
	cells := b.columns()
	every := LineEvery
	if cells > 0 {
		every = RedrawEvery
	}
	now := b.now()
	if now.Sub(b.drawn) < every {
		return
	}
	b.drawn = now
	g := shown()
	if cells == 0 {
		fmt.Fprintln(b.w, strings.Join(g.Words, wordsApart))
		return
	}
	line := g.line(cells - 1)
	width := len([]rune(line))
	fmt.Fprint(b.w, "\r"+line+strings.Repeat(" ", b.rest(width, cells)))
	b.width = width
}

// rest is how many cells of the line before lie beyond the given width. The last
// column stays free: a character there makes terminals begin a new line.
func (b *Bar) rest(width, cells int) int { return max(0, min(b.width, cells-1)-width) }

// Clear removes the bar from the terminal.
func (b *Bar) Clear() {
	if b == nil {
		return
	}
	b.lock.Lock()
	defer b.lock.Unlock()
	if cells := b.columns(); cells > 0 && b.width > 0 {
		fmt.Fprint(b.w, "\r"+strings.Repeat(" ", b.rest(0, cells))+"\r")
		b.width = 0
	}
}

// line is the bar with as many of the figures as there is room for.
func (g Shown) line(cells int) string {
	line := g.Words[0]
	for _, w := range g.Words[1:] {
		if len([]rune(line+wordsApart+w)) <= cells {
			line += wordsApart + w
		}
	}
	if room := cells - len([]rune(line)) - 1; room >= barLeast && g.Total > 0 {
		room = min(room, barCells)
		full := int(min(1, float64(g.Done)/float64(g.Total)) * float64(room))
		return strings.Repeat("█", full) + strings.Repeat("░", room-full) + " " + line
	}
	runes := []rune(line)
	return string(runes[:min(len(runes), max(0, cells))])
}
