package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Strip says in a line of w cells for the watched queries whether they still return
// what they must; empty where none is watched. Those that do not come before those that have changed, and these before
// the rest, when there is not room for all; what is shown keeps its order.
func (v *View) Strip(w int) string {
	watched, s := v.Session().Watched(), v.Styles()
	if len(watched) == 0 {
		return ""
	}
	passed, total, known := v.Session().WatchCounts()
	tally := fmt.Sprintf("%d/%d", passed, total)
	style := s.Up
	switch {
	case !known:
		tally, style = strconv.Itoa(passed)+"/"+strconv.Itoa(total)+s.Signs.Ellipsis, s.Faint
	case passed < total:
		style = s.Down
	}
	left := " " + s.Strong.Render("watch") + " " + style.Render(tally)
	if s.Spoken {
		left = fmt.Sprintf(" watched: %d of %d pass.", passed, total)
	}
	right := ""
	if mean := v.meanRank(); mean != "" && w >= 60 {
		right = s.Rule.Render(s.Signs.Seam) + " " + s.Faint.Render(mean) + " "
	}
	room := w - ansi.StringWidth(left) - ansi.StringWidth(right) - 1
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
	return widget.Spread(left, right, w)
}

// urgency orders queries by how much they have to be seen: those whose page has a worse rank
// come before those that have only changed.
func urgency(o *session.Outcome) int {
	switch {
	case o.Known && !o.Passed:
		return 0
	case o.Compared && o.Was > 0 && o.Rank > o.Was:
		return 1
	case o.Differs():
		return 2
	case !o.Known:
		return 3
	default:
		return 4
	}
}

// meanRank says where the required pages stand on the whole, and where they did by the
// baseline; empty where that is not known.
func (v *View) meanRank() string {
	now, was, ok := v.Session().WatchMRR()
	switch {
	case !ok:
		return ""
	case wording.Score(now) == wording.Score(was):
		return "MRR " + wording.Score(now)
	}
	return "MRR " + wording.Score(now) + " was " + wording.Score(was)
}

// stripped is a query in the strip: whether it passes, its first words in at most
// wide cells, and what has changed.
func stripped(s *theme.Styles, e *session.Watched, wide int) string {
	o := &e.Now
	passes, fails, waits := s.Signs.Check, s.Signs.Cross, s.Signs.Ellipsis
	if s.Spoken {
		passes, fails, waits = "passes:", "fails:", "not known yet:"
	}
	sign, style, note := s.Up.Render(passes), s.Text, ""
	switch {
	case !o.Known:
		sign, style = s.Faint.Render(waits), s.Faint
		if e.Failed != "" {
			sign, note = s.Warning.Render("!"), " (not asked)"
		}
	case !o.Passed:
		sign, note = s.Down.Render(fails), " ("+fault(o, e.Required() != "")+")"
	case o.Differs():
		note = " " + changeWords(o, e.Required() != "", s.Signs.Minus)
	}
	return sign + " " + style.Render(ansi.Truncate(wording.Line(e.Query), wide, s.Signs.Ellipsis)) + s.Faint.Render(note)
}

// fault says why a query does not pass.
func fault(o *session.Outcome, page bool) string {
	switch {
	case page && o.Was > 0:
		return "page left, was " + strconv.Itoa(o.Was)
	case page && o.Found > 0:
		return "page not returned"
	default:
		return "nothing returned"
	}
}

// changeWords say of a page that must be returned the rank that it had and the one that it
// has. Where it is the same, or any page will do, they say how many sections the baseline does not return
// and how many it alone does.
func changeWords(o *session.Outcome, page bool, minus string) string {
	switch {
	case page && o.Was == 0:
		return fmt.Sprintf("new at %d", o.Rank)
	case page && o.Was != o.Rank:
		return fmt.Sprintf("%d → %d", o.Was, o.Rank)
	}
	what := "sections"
	if page {
		what = "others" // than the page that must be there
	}
	parts := []string{what}
	if o.Entered > 0 {
		parts = append(parts, "+"+strconv.Itoa(o.Entered))
	}
	if o.Left > 0 {
		parts = append(parts, minus+strconv.Itoa(o.Left))
	}
	if len(parts) == 1 {
		parts = append(parts, "moved")
	}
	return strings.Join(parts, " ")
}
