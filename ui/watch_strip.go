package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
)

// stripHeight is the height of the screen from which the watch list has a line.
const stripHeight = 12

// showsStrip says whether the watch list has its line: while parameters are being
// tuned, and for as long as a watched query shows that they were.
func (m *Model) showsStrip() bool {
	return len(m.watch.entries) > 0 && m.height >= stripHeight &&
		(m.tune.open && m.view == viewExplore || m.watch.differs())
}

// watchStrip says for the watched queries whether they still return what they
// must. Those that do not come before those that have changed, and these before
// the rest, when there is not room for all; what is shown keeps its order.
func (m *Model) watchStrip() string {
	w, s := &m.watch, m.styles
	if len(w.entries) == 0 {
		return ""
	}
	passed, total, known := w.counts()
	tally := fmt.Sprintf("%d/%d", passed, total)
	style := s.Up
	switch {
	case !known:
		tally, style = strconv.Itoa(passed)+"/"+strconv.Itoa(total)+s.Signs.Ellipsis, s.Faint
	case passed < total:
		style = s.Down
	}
	left := " " + s.Strong.Render("watch") + " " + style.Render(tally)
	right := ""
	if low, high, ok := w.overlaps(); ok && m.width >= 60 {
		right = s.Faint.Render("RBO "+listScore(low)+" "+s.Signs.Ellipsis+" "+listScore(high)) + " "
		if low == high {
			right = s.Faint.Render("RBO "+listScore(low)) + " "
		}
	}
	room := m.width - ansi.StringWidth(left) - ansi.StringWidth(right) - 1
	order := make([]int, len(w.entries))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return w.entries[a].now.urgency() - w.entries[b].now.urgency() })
	shown := map[int]string{}
	const gap = 3
	// Better a few words of several queries than all words of one.
	wide := max(10, min(48, room/min(4, len(order))-gap-8))
	for n, i := range order {
		rest := 0
		if n < len(order)-1 {
			rest = gap + len("19 more")
		}
		text := w.entries[i].stripped(s, wide)
		if n == 0 {
			text = ansi.Truncate(text, max(0, room-rest-gap), s.Signs.Ellipsis)
		}
		used := gap + ansi.StringWidth(text)
		if used > room-rest {
			break
		}
		shown[i], room = text, room-used
	}
	for i := range w.entries {
		if text, ok := shown[i]; ok {
			left += strings.Repeat(" ", gap) + text
		}
	}
	if rest := len(w.entries) - len(shown); rest > 0 {
		left += strings.Repeat(" ", gap) + s.Faint.Render(strconv.Itoa(rest)+" more")
	}
	return widget.Spread(left, right, m.width)
}

// urgency orders queries by how much they have to be seen.
func (o *watchOutcome) urgency() int {
	switch {
	case o.known && !o.passed:
		return 0
	case o.differs():
		return 1
	case !o.known:
		return 2
	default:
		return 3
	}
}

// overlaps are the lowest and the highest rank-biased overlap with a baseline
// that returns as many.
func (w *watchList) overlaps() (low, high float64, ok bool) {
	low, high = 1, 0
	for _, e := range w.entries {
		if e.now.known && e.now.compared && e.now.sameLength {
			low, high, ok = min(low, e.now.rbo), max(high, e.now.rbo), true
		}
	}
	return low, high, ok
}

// stripped is a query in the strip: whether it passes, its first words in at most
// wide cells, and what has changed.
func (e *watchEntry) stripped(s *theme.Styles, wide int) string {
	o := &e.now
	sign, style, note := s.Up.Render(s.Signs.Check), s.Text, ""
	switch {
	case !o.known:
		sign, style = s.Faint.Render(s.Signs.Ellipsis), s.Faint
		if e.failed != "" {
			sign, note = s.Warning.Render("!"), " (not asked)"
		}
	case !o.passed:
		sign, note = s.Down.Render(s.Signs.Cross), " ("+o.fault(e.required() != "")+")"
	case o.differs():
		note = " " + o.change(s.Signs.Minus)
	}
	return sign + " " + style.Render(ansi.Truncate(oneLine(e.Query), wide, s.Signs.Ellipsis)) + s.Faint.Render(note)
}

// fault says why a query does not pass.
func (o *watchOutcome) fault(page bool) string {
	switch {
	case page && o.was > 0:
		return "page gone, was " + strconv.Itoa(o.was)
	case page && o.found > 0:
		return "page not returned"
	default:
		return "nothing returned"
	}
}

// change says what the baseline does not return and what it alone does.
func (o *watchOutcome) change(minus string) string {
	var parts []string
	if o.entered > 0 {
		parts = append(parts, "+"+strconv.Itoa(o.entered))
	}
	if o.left > 0 {
		parts = append(parts, minus+strconv.Itoa(o.left))
	}
	if len(parts) == 0 {
		parts = append(parts, "moved")
	}
	return strings.Join(parts, " ")
}
