package results

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/webrag/webrag-tui/ui/wording"
)

// setSize tells how many cells it has.
func (p *list) setSize(w, h int) {
	if p.w == w && p.Height == h {
		return
	}
	p.w, p.Height = w, h
	if line := p.At - p.Top; p.held && line >= 0 && line < h {
		p.Scroll(0)
		return
	}
	p.showCursor()
}

// measure finds the widths of the columns of numbers. That of ranks has two digits, so that
// it stays, or more.
func (p *list) measure() {
	p.scoreWide = len(wording.Score(0))
	low, high, last := 0.0, 0.0, 0
	for _, g := range p.groups {
		for _, it := range g.items {
			last = max(last, it.Rank)
			if !math.IsNaN(it.Score) {
				low, high = min(low, it.Score), max(high, it.Score)
			}
		}
	}
	p.rankWide = max(2, len(strconv.Itoa(last)))
	for _, score := range []float64{low, high} {
		p.scoreWide = max(p.scoreWide, len(wording.Score(score)))
	}
}

// hold puts the cursor on a row, and this row on a line of the screen, as far as
// that leaves no lines empty above the list or, if there is more of it, below.
func (p *list) hold(at, line int) {
	p.At = at
	if at < 0 || p.Height <= 0 {
		p.showCursor()
		return
	}
	p.Top, p.held = at-max(0, min(line, p.Height-1)), true
	p.Scroll(0)
}

// showCursor keeps the cursor and, where it is the first section of its page, the
// page's title on the screen.
func (p *list) showCursor() {
	p.held = false
	if p.At < 0 || p.Height <= 0 {
		p.Top = 0
		return
	}
	first, last := p.At, p.At
	for first > 0 && p.rows[first].kind == sectionRow && !p.stops(first-1) {
		first--
	}
	if first == p.At && first > 0 && p.rows[first].kind == belowRow && p.rows[first-1].kind == cutRow {
		first--
	}
	if last+1 < len(p.rows) && p.rows[last+1].kind == moreRow {
		last++
	}
	p.Show(first)
	p.Show(last)
	p.Show(p.At)
	p.Scroll(0) // a list that fits is shown from its first row
}

// title says what the list holds.
func (p *list) title() string {
	if p.sections == 0 {
		return ""
	}
	pages := 0
	for _, g := range p.groups {
		if !g.opened {
			pages++
		}
	}
	held := fmt.Sprintf("%d in %s", p.sections, wording.Plural(pages, "page"))
	var orders []string // the fullest first
	switch {
	case p.flat && p.full: // it selects nothing, and its ranks are the order of reading
		orders = []string{", in reading order"}
	case p.flat:
		orders = []string{", by rank"}
	case p.full:
	case pages > 1 && !p.byRank():
		// The numbers jump within pages: where only one half has room, it is what explains that.
		orders = []string{", best page first, sections in reading order", ", best first, each in reading order", ", each in page order", ", page order"}
	case pages > 1:
		orders = []string{", best first"}
	case !p.byRank():
		orders = []string{", in reading order"}
	}
	more := 0 // what is left to how much is hidden, wherever the list is scrolled to
	if n := len(strconv.Itoa(p.Total)); p.Total > p.Height {
		more = len("  ") + len(" ") + 2*(1+n)
	}
	for i, order := range orders {
		most := more
		if i == 0 && len(orders) > 1 && more > 0 {
			most += len(" above, below") // that has its words before the order has all of its own
		}
		const blanks = 5 // beside the name and the note, and the least of the line
		if len("Results")+len(held)+len(order)+blanks+most <= p.w {
			return held + order
		}
	}
	return held
}

// byRank says that the sections of each page stand in the order of their ranks.
func (p *list) byRank() bool {
	return !slices.ContainsFunc(p.groups, func(g group) bool { return !g.byRank() })
}
