package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/ui/wording"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
)

// stripHeight is the height of the screen from which the watch list has a line.
const stripHeight = 12

// showsStrip says whether the watch list has its line: while parameters are being
// tuned, and for as long as a watched query shows that they were.
func (m *Model) showsStrip() bool {
	return len(m.session.Watched()) > 0 && m.height >= stripHeight &&
		(m.showTune && m.view == viewExplore || m.session.WatchDiffers())
}

// watchStrip says for the watched queries whether they still return what they
// must. Those that do not come before those that have changed, and these before
// the rest, when there is not room for all; what is shown keeps its order.
func (m *Model) watchStrip() string {
	watched, s := m.session.Watched(), m.styles
	if len(watched) == 0 {
		return ""
	}
	passed, total, known := m.session.WatchCounts()
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
	if low, high, ok := overlaps(watched); ok && m.width >= 60 {
		right = s.Faint.Render("RBO "+wording.Score(low)+" "+s.Signs.Ellipsis+" "+wording.Score(high)) + " "
		if low == high {
			right = s.Faint.Render("RBO "+wording.Score(low)) + " "
		}
	}
	room := m.width - ansi.StringWidth(left) - ansi.StringWidth(right) - 1
	order := make([]int, len(watched))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return urgency(&watched[a].Now) - urgency(&watched[b].Now) })
	shown := map[int]string{}
	const gap = 3
	// Better a few words of several queries than all words of one.
	wide := max(10, min(48, room/min(4, len(order))-gap-8))
	for n, i := range order {
		rest := 0
		if n < len(order)-1 {
			rest = gap + len("19 more")
		}
		text := stripped(s, watched[i], wide)
		if n == 0 {
			text = ansi.Truncate(text, max(0, room-rest-gap), s.Signs.Ellipsis)
		}
		used := gap + ansi.StringWidth(text)
		if used > room-rest {
			break
		}
		shown[i], room = text, room-used
	}
	for i := range watched {
		if text, ok := shown[i]; ok {
			left += strings.Repeat(" ", gap) + text
		}
	}
	if rest := len(watched) - len(shown); rest > 0 {
		left += strings.Repeat(" ", gap) + s.Faint.Render(strconv.Itoa(rest)+" more")
	}
	return widget.Spread(left, right, m.width)
}

// urgency orders queries by how much they have to be seen.
func urgency(o *session.Outcome) int {
	switch {
	case o.Known && !o.Passed:
		return 0
	case o.Differs():
		return 1
	case !o.Known:
		return 2
	default:
		return 3
	}
}

// overlaps are the lowest and the highest rank-biased overlap with a baseline
// that returns as many.
func overlaps(watched []*session.Watched) (low, high float64, ok bool) {
	low, high = 1, 0
	for _, e := range watched {
		if e.Now.Known && e.Now.Compared && e.Now.SameLength {
			low, high, ok = min(low, e.Now.RBO), max(high, e.Now.RBO), true
		}
	}
	return low, high, ok
}

// stripped is a query in the strip: whether it passes, its first words in at most
// wide cells, and what has changed.
func stripped(s *theme.Styles, e *session.Watched, wide int) string {
	o := &e.Now
	sign, style, note := s.Up.Render(s.Signs.Check), s.Text, ""
	switch {
	case !o.Known:
		sign, style = s.Faint.Render(s.Signs.Ellipsis), s.Faint
		if e.Failed != "" {
			sign, note = s.Warning.Render("!"), " (not asked)"
		}
	case !o.Passed:
		sign, note = s.Down.Render(s.Signs.Cross), " ("+fault(o, e.Required() != "")+")"
	case o.Differs():
		note = " " + changeCounts(o, s.Signs.Minus)
	}
	return sign + " " + style.Render(ansi.Truncate(wording.Line(e.Query), wide, s.Signs.Ellipsis)) + s.Faint.Render(note)
}

// fault says why a query does not pass.
func fault(o *session.Outcome, page bool) string {
	switch {
	case page && o.Was > 0:
		return "page gone, was " + strconv.Itoa(o.Was)
	case page && o.Found > 0:
		return "page not returned"
	default:
		return "nothing returned"
	}
}

// changeCounts says what the baseline does not return and what it alone does.
func changeCounts(o *session.Outcome, minus string) string {
	var parts []string
	if o.Entered > 0 {
		parts = append(parts, "+"+strconv.Itoa(o.Entered))
	}
	if o.Left > 0 {
		parts = append(parts, minus+strconv.Itoa(o.Left))
	}
	if len(parts) == 0 {
		parts = append(parts, "moved")
	}
	return strings.Join(parts, " ")
}
