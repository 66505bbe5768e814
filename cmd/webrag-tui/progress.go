package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/indexing"
)

const (
	// redrawEvery bounds how often the bar is drawn on a terminal.
	redrawEvery = 100 * time.Millisecond
	// lineEvery is the pause between lines where there is no terminal.
	lineEvery = 5 * time.Second
	// barCells and barLeast are the widths of the bar where there is room, and
	// where there is so little that a narrower one would say nothing.
	barCells, barLeast = 24, 6
	// wordsApart stands between the figures.
	wordsApart = " · "
)

// progressBar narrates indexing: one redrawn line on a terminal, plain lines
// elsewhere.
type progressBar struct {
	w io.Writer
	// columns is the terminal's width in cells, asked for each time because it
	// changes; 0 without a terminal.
	columns func() int
	now     func() time.Time
	drawn   time.Time
	width   int // cells of the line on the screen
}

func newProgressBar(w io.Writer, now func() time.Time) *progressBar {
	return &progressBar{w: w, now: now, drawn: now(), columns: func() int { return columns(w) }}
}

// update draws the progress if enough time has passed since the last time.
func (p *progressBar) update(g indexing.Progress) {
	cells := p.columns()
	every := lineEvery
	if cells > 0 {
		every = redrawEvery
	}
	now := p.now()
	if now.Sub(p.drawn) < every {
		return
	}
	p.drawn = now
	if cells == 0 {
		fmt.Fprintln(p.w, strings.Join(progressWords(g), wordsApart))
		return
	}
	line := progressLine(g, cells-1)
	width := len([]rune(line))
	fmt.Fprint(p.w, "\r"+line+strings.Repeat(" ", p.rest(width, cells)))
	p.width = width
}

// rest is how many cells of the line before lie beyond the given width. The last
// column stays free: a character there makes terminals begin a new line.
func (p *progressBar) rest(width, cells int) int { return max(0, min(p.width, cells-1)-width) }

// clear removes the bar from the terminal.
func (p *progressBar) clear() {
	if cells := p.columns(); cells > 0 && p.width > 0 {
		fmt.Fprint(p.w, "\r"+strings.Repeat(" ", p.rest(0, cells))+"\r")
		p.width = 0
	}
}

// progressLine is the bar with as many of the figures as there is room for.
func progressLine(g indexing.Progress, cells int) string {
	words := progressWords(g)
	line := words[0]
	for _, w := range words[1:] {
		if len([]rune(line+wordsApart+w)) <= cells {
			line += wordsApart + w
		}
	}
	if room := cells - len([]rune(line)) - 1; room >= barLeast && g.PagesTotal > 0 {
		room = min(room, barCells)
		full := int(min(1, float64(g.PagesDone)/float64(g.PagesTotal)) * float64(room))
		return strings.Repeat("█", full) + strings.Repeat("░", room-full) + " " + line
	}
	runes := []rune(line)
	return string(runes[:min(len(runes), max(0, cells))])
}

// progressWords are the figures, the most important first. The rate and the time
// left are those of more than a moment.
func progressWords(g indexing.Progress) []string {
	if g.Stage == indexing.StageFinish {
		return []string{"building the index of the vectors"}
	}
	pages := plural(g.PagesDone, "page")
	if g.PagesTotal > 0 {
		pages = fmt.Sprintf("%d of %s", g.PagesDone, plural(g.PagesTotal, "page"))
	}
	words := []string{pages}
	if left, ok := g.Left(); ok && g.PagesTotal > 0 && g.Elapsed >= time.Second {
		words = append(words, left.Round(time.Second).String()+" left")
	}
	words = append(words, plural(g.Chunks, "chunk"), plural(g.Vectors, "vector"))
	if g.Elapsed >= time.Second && g.PagesDone > 0 {
		words = append(words, fmt.Sprintf("%.0f pages/s", g.Rate()))
	}
	return words
}
