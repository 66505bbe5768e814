package compare

import (
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// watchDialog lists the watched queries with what became of them. It reads the
// list as it is: what is gathered meanwhile appears.
type watchDialog struct {
	v *View
	widget.List
}

// entry is the query under the cursor, nil for none.
func (d *watchDialog) entry() *session.Watched {
	d.Resize(d.Height, len(d.v.Session().Watched()))
	if d.Total == 0 {
		return nil
	}
	return d.v.Session().Watched()[d.At]
}

// Handle implements [view.Dialog].
func (d *watchDialog) Handle(msg tea.Msg) view.Verdict {
	key, verb := view.Motion(msg)
	e := d.entry()
	on := func(do func(string) tea.Cmd) view.Verdict {
		if e == nil {
			return view.Verdict{}
		}
		return view.Verdict{Then: view.Given(do, e.Query)}
	}
	switch key {
	case "esc", "q":
		return view.Verdict{Closed: true}
	case "enter":
		asked := on(d.v.needs.Ask)
		asked.Closed = true
		return asked
	case "D":
		return view.Verdict{Closed: true, Then: func() tea.Cmd { return d.v.comparePair(true) }}
	case "w":
		why := on(d.v.why)
		why.Closed = true
		return why
	case "J":
		if e == nil {
			return view.Verdict{}
		}
		return view.Verdict{Closed: true, Then: d.v.needs.MakeSet}
	case "p":
		return on(d.v.chooseRequired)
	case "d", "backspace":
		return on(d.v.unwatch)
	}
	d.Go(d.At + verb.Rows(0))
	return view.Verdict{}
}

// Cursor implements [view.Dialog].
func (d *watchDialog) Cursor() *tea.Cursor { return nil }

// The widths of the dialog from which its rows have the page that must be returned, the rank
// that it had, and how many sections came and went.
const (
	watchPageWidth = 56
	watchWasWidth  = 70
	watchDiffWidth = 90
)

// Draw implements [view.Dialog].
func (d *watchDialog) Draw(s *theme.Styles, w, h int) []string {
	w = widget.FrameWidth(116, w)
	inner := w - 4
	if inner <= 0 {
		return nil
	}
	e := d.entry()
	if e == nil {
		return widget.Frame(s, "Watch list", widget.Wrapped("Nothing is watched. Ask a query, select the page that it must return, and press *: from then on a line says whether it still does while parameters change.", inner), "", w)
	}
	passed, total, ok := d.v.Session().WatchCounts()
	title := fmt.Sprintf("Watch list  %d of %d pass", passed, total)
	if !ok {
		title += ", not all are known yet"
	} else if mean := d.v.meanRank(); mean != "" {
		title += "   " + mean
	}
	said := widget.Styled(s.Faint.Render, widget.Wrapped(saidOf(e, d.v.against(inner)), inner))
	d.Resize(max(1, h-5-len(said)), d.Total)
	lines := []string{s.Faint.Render(watchCells(s, "", "query", "must return", "rank", "was", "in", "out", inner))}
	for i := d.Top; i < d.Until(); i++ {
		lines = append(lines, watchRow(s, d.v.Session().Watched()[i], i == d.At, inner))
	}
	return widget.Frame(s, title, append(append(lines, ""), said...), d.Position(), w)
}

// Hints implements [view.Dialog].
func (d *watchDialog) Hints() []view.Hint {
	if d.entry() == nil {
		return []view.Hint{view.Closes}
	}
	return []view.Hint{{Keys: "enter", Verb: "ask"}, {Keys: "w", Verb: "why"}, {Keys: "p", Verb: "page"}, {Keys: "d", Verb: "take off"}, {Keys: "D", Verb: "compare A, B"}, {Keys: "J", Verb: "make it a query set"}, view.Closes}
}

// watchCells lays out a row of the dialog. What gives way first is what has changed, last the
// page.
func watchCells(s *theme.Styles, mark, query, page, rank, was, in, out string, w int) string {
	right := widget.FitRight(rank, 5)
	if w >= watchWasWidth {
		right += widget.FitRight(was, 5)
	}
	if w >= watchDiffWidth {
		right += widget.FitRight(in, 5) + widget.FitRight(out, 5)
	}
	room := w - 4 - ansi.StringWidth(right)
	text := ansi.Truncate(query, max(1, room), s.Signs.Ellipsis)
	if w >= watchPageWidth {
		part := room * 3 / 5
		text = widget.Fit(ansi.Truncate(query, part-2, s.Signs.Ellipsis), part) + ansi.Truncate(page, room-part, s.Signs.Ellipsis)
	}
	return widget.Padded(mark, 4) + widget.Padded(text, room) + right
}

func watchRow(s *theme.Styles, e *session.Watched, current bool, w int) string {
	o := &e.Now
	sign := s.Up.Render(s.Signs.Check)
	switch {
	case e.Failed != "" && !o.Known:
		sign = s.Warning.Render("!")
	case !o.Known:
		sign = s.Faint.Render(s.Signs.Ellipsis)
	case !o.Passed:
		sign = s.Down.Render(s.Signs.Cross)
	}
	mark, query := "  ", s.Text.Render(wording.Line(e.Query))
	if current {
		mark, query = s.Accent.Render(s.Signs.Marker+" "), s.Selected.Render(wording.Line(e.Query))
	}
	page := s.Faint.Render("anything")
	if e.Required() != "" {
		page = nameOfPage(&e.WatchedQuery)
	}
	number := func(known bool, n int) string {
		switch {
		case !known:
			return s.Faint.Render(s.Signs.Ellipsis)
		case n == 0:
			return s.Faint.Render(s.Signs.Dash)
		}
		return strconv.Itoa(n)
	}
	rank, was := number(o.Known, o.Rank), number(o.Compared, o.Was)
	if e.Required() == "" {
		rank, was = "", ""
	}
	return watchCells(s, mark+sign, query, page, rank, was, number(o.Compared, o.Entered), number(o.Compared, o.Left), w)
}

// saidOf says in a sentence how a watched query stands; by names what it is compared with.
func saidOf(e *session.Watched, by string) string {
	o, page := &e.Now, wording.Line(nameOfPage(&e.WatchedQuery))
	switch {
	case e.Failed != "":
		return "It could not be asked: " + e.Failed + "."
	case !o.Known:
		return "It is not known yet: " + wording.Line(o.Why) + "."
	case e.Required() == "" && o.Passed:
		return fmt.Sprintf("It must return something, and returns %s.", wording.Plural(o.Found, "section"))
	case e.Required() == "":
		return "It must return something, and returns nothing."
	case o.Passed && o.Compared && o.Was == 0:
		return fmt.Sprintf("It must return %s, which is rank %d, and was not returned by %s.", page, o.Rank, by)
	case o.Passed && o.Compared:
		return fmt.Sprintf("It must return %s, which is rank %d, and was %d by %s.", page, o.Rank, o.Was, by)
	case o.Passed:
		return fmt.Sprintf("It must return %s, which is rank %d.", page, o.Rank)
	case o.Was > 0:
		return fmt.Sprintf("It must return %s, which was rank %d by %s and has left.", page, o.Was, by)
	default:
		return fmt.Sprintf("It must return %s, and does not; enter asks it, and w says why.", page)
	}
}

// listVerb leads to the list in the footer once there is one.
func (v *View) listVerb() string {
	if len(v.Session().Watched()) == 0 {
		return ""
	}
	return "list"
}

// showWatchList opens the list, on the query that is on the screen if that is
// watched.
func (v *View) showWatchList() tea.Cmd {
	d := &watchDialog{v: v}
	for i, e := range v.Session().Watched() {
		if e.Query == v.Session().Query() {
			d.At = i
		}
	}
	v.Push(d)
	return v.Begin(v.Session().Judge())
}

// why asks a watched query, and why its page is or is not among the results.
func (v *View) why(query string) tea.Cmd {
	w := v.Session().WatchedQuery(query)
	if w == nil {
		return nil
	}
	return v.needs.Why(query, w.Required())
}

// unwatch takes a query off the list.
func (v *View) unwatch(query string) tea.Cmd {
	return tea.Batch(v.Begin(v.Session().Unwatch(query)), v.needs.Keep())
}
