package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"

	"github.com/webrag/webrag-tui/indexing"
)

const (
	// redrawEvery bounds how often the bar is drawn on a terminal.
	redrawEvery = 100 * time.Millisecond
	// lineEvery is the pause between lines where there is no terminal.
	lineEvery = 5 * time.Second
	barCells  = 24
)

// progressBar narrates indexing: one redrawn line on a terminal, plain lines
// elsewhere.
type progressBar struct {
	w        io.Writer
	terminal bool
	now      func() time.Time
	drawn    time.Time
	width    int // cells of the line on the screen
}

func newProgressBar(w io.Writer, now func() time.Time) *progressBar {
	p := &progressBar{w: w, now: now, drawn: now()}
	if f, ok := w.(*os.File); ok {
		p.terminal = term.IsTerminal(f.Fd())
	}
	return p
}

// update draws the progress if enough time has passed since the last time.
func (p *progressBar) update(g indexing.Progress) {
	every := lineEvery
	if p.terminal {
		every = redrawEvery
	}
	now := p.now()
	if now.Sub(p.drawn) < every {
		return
	}
	p.drawn = now
	if !p.terminal {
		fmt.Fprintln(p.w, progressWords(g))
		return
	}
	line := progressLine(g)
	pad := max(0, p.width-len([]rune(line)))
	p.width = len([]rune(line))
	fmt.Fprint(p.w, "\r"+line+strings.Repeat(" ", pad))
}

// clear removes the bar from the terminal.
func (p *progressBar) clear() {
	if p.terminal && p.width > 0 {
		fmt.Fprint(p.w, "\r"+strings.Repeat(" ", p.width)+"\r")
		p.width = 0
	}
}

// progressLine is the bar: share of the pages, counts, rate and time left.
func progressLine(g indexing.Progress) string {
	share := 0.0
	if g.PagesTotal > 0 {
		share = min(1, float64(g.PagesDone)/float64(g.PagesTotal))
	}
	full := int(share * barCells)
	return strings.Repeat("█", full) + strings.Repeat("░", barCells-full) + " " + progressWords(g)
}

// progressWords are the same figures without the bar.
func progressWords(g indexing.Progress) string {
	words := fmt.Sprintf("%d of %d pages · %d chunks · %d vectors", g.PagesDone, g.PagesTotal, g.Chunks, g.Vectors)
	if g.Elapsed >= time.Second && g.PagesDone > 0 {
		rate := float64(g.PagesDone) / g.Elapsed.Seconds()
		left := time.Duration(float64(g.PagesTotal-g.PagesDone) / rate * float64(time.Second))
		words += fmt.Sprintf(" · %.0f pages/s · %s left", rate, left.Round(time.Second))
	}
	return words
}
