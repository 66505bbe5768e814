package judge

import (
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// queryList are the queries of the set.
type queryList struct {
	widget.List
	// of is the set that counts are of: how much the judge has judged for each query, by
	// id; known is how much of how much, by text, of those that were asked.
	of     *session.Judged
	judged map[string]int
	known  map[string][2]int
	// asked is the query of the set that the cursor was put on when it was asked.
	asked string
}

// follow counts where the set is another one, and puts the cursor on a query of it that is
// asked anew, however it was asked.
func (l *queryList) follow(now *session.Session) {
	if now.Judged() != l.of {
		l.count(now)
	}
	switch at, _ := l.place(now); {
	case at == 0:
		l.asked = ""
	case now.Query() != l.asked:
		l.asked = now.Query()
		l.Go(at - 1)
	}
}

// count counts what is judged in another set.
func (l *queryList) count(now *session.Session) {
	set := now.Judged()
	l.of, l.judged = set, map[string]int{}
	if set == nil {
		l.Resize(l.Height, 0)
		return
	}
	for i := range set.Anchors.Judgments {
		j := &set.Anchors.Judgments[i]
		if slices.ContainsFunc(j.Opinions, func(o judgment.Opinion) bool { return o.Judge == now.JudgeName() }) {
			l.judged[j.QueryID]++
		}
	}
	l.Resize(l.Height, len(set.Queries))
	if now.Query() == "" {
		l.Go(max(0, slices.IndexFunc(set.Queries, func(q judgment.Query) bool { return l.judged[q.ID] == 0 })))
	}
}

// begun counts the queries of which the judge has judged something, or could not tell.
func (l *queryList) begun() (n int) {
	for i := range l.of.Queries {
		if q := &l.of.Queries[i]; l.judged[q.ID] > 0 || l.known[q.Text][0] > 0 {
			n++
		}
	}
	return n
}

// note notes how much of a query is judged.
func (l *queryList) note(query string, done, of int) {
	if l.known == nil {
		l.known = map[string][2]int{}
	}
	l.known[query] = [2]int{done, of}
}

// place is which query of the set is asked, from 1, 0 for none of it; and how many there are.
func (l *queryList) place(now *session.Session) (at, of int) {
	if now.Judged() == nil {
		return 0, 0
	}
	queries := now.Judged().Queries
	return 1 + slices.IndexFunc(queries, func(q judgment.Query) bool { return q.Text == now.Query() }), len(queries)
}

// toCurrent puts the cursor on the query that is asked.
func (l *queryList) toCurrent(now *session.Session) {
	l.asked = ""
	l.follow(now)
}

// askNext asks a query of the set that follows the present one.
func (v *View) askNext(n int) tea.Cmd {
	queries := v.Session().Judged().Queries
	at, of := v.list.place(v.Session())
	if at == 0 && n < 0 {
		at = 1 // of a query that is none of the set's the last one comes before
	}
	next := ((at-1+n)%of + of) % of
	v.list.follow(v.Session())
	v.list.Go(next)
	return v.needs.Ask(queries[next].Text)
}

// askSelected asks the query under the cursor, and gives the keys to its candidates.
func (v *View) askSelected() tea.Cmd {
	queries := v.Session().Judged().Queries
	if v.list.At < 0 || v.list.At >= len(queries) {
		return nil
	}
	return tea.Batch(v.needs.Ask(queries[v.list.At].Text), v.Focus(Candidate))
}

// queriesPane lists the queries of the set.
type queriesPane struct{ *View }

// SetSize implements [view.Pane].
func (v queriesPane) SetSize(_, h int) { v.list.Resize(h, v.list.Total) }

// Hidden implements [view.Pager].
func (v queriesPane) Hidden() (above, below int) { return v.list.Hidden() }

// Title implements [view.Pane].
func (v queriesPane) Title() (name, note string) {
	set := v.Session().Judged()
	if set == nil {
		return "Queries", ""
	}
	note = plural(len(set.Queries), "query", "queries")
	if v.list.of == set && v.list.begun() > 0 && len(set.Queries) > 1 {
		note = fmt.Sprintf("%d of %s begun", v.list.begun(), note)
	}
	return "Queries", set.Origin.Mark(wording.Line(set.Name)) + " · " + note
}

// left says how much of a query is judged.
func (v *View) left(q *judgment.Query) string {
	if known, ok := v.list.known[q.Text]; ok {
		if known[0] == known[1] {
			return "all " + strconv.Itoa(known[1])
		}
		return fmt.Sprintf("%d of %d", known[0], known[1])
	}
	if n := v.list.judged[q.ID]; n > 0 {
		return strconv.Itoa(n) + " judged"
	}
	return ""
}

// Draw implements [view.Pane].
func (v queriesPane) Draw(w, h int, focused bool) []string {
	s, set := v.Styles(), v.Session().Judged()
	if set == nil {
		return widget.Clip(nil, w, h)
	}
	if len(set.Queries) == 0 {
		return widget.Clip(widget.Styled(s.Faint.Render, padded(widget.Wrapped("none yet: the first that is judged becomes one", w-2))), w, h)
	}
	v.list.Resize(h, len(set.Queries))
	var lines []string
	for i := v.list.Top; i < v.list.Until(); i++ {
		lines = append(lines, v.row(s, &set.Queries[i], i == v.list.At, focused, w))
	}
	return widget.Clip(lines, w, h)
}

// row is a query, with how much of it is judged at the right.
func (v queriesPane) row(s *theme.Styles, q *judgment.Query, current, focused bool, w int) string {
	own := s.Text
	if q.Text == v.Session().Query() {
		own = s.Accent
	}
	mark, style := widget.Mark(s, current, focused, own)
	right := s.Faint.Render(v.left(q)) + " "
	room := max(1, w-3-ansi.StringWidth(right))
	return widget.Spread(mark+" "+style.Render(ansi.Truncate(wording.Line(q.Text), room, s.Signs.Ellipsis)), right, w)
}

// Said implements [view.Pane].
func (v queriesPane) Said() string {
	set := v.Session().Judged()
	if set == nil || v.list.At < 0 || v.list.At >= len(set.Queries) {
		return ""
	}
	q := &set.Queries[v.list.At]
	asked := ""
	if q.Text == v.Session().Query() {
		asked = "asked"
	}
	return wording.Aloud(wording.Line(q.Text), v.left(q), asked)
}

// Move implements [view.Pane].
func (v queriesPane) Move(verb widget.Verb) { v.list.Go(v.list.At + verb.Rows(v.list.Height)) }

// Click implements [view.Pane].
func (v queriesPane) Click(_, y int) tea.Cmd {
	if row, ok := v.list.RowOf(y); ok {
		v.list.Go(row)
	}
	return nil
}

// disagreements are what judges do not agree on.
type disagreements struct{ *View }

// show lists what judges do not agree on.
func (v disagreements) show() tea.Cmd {
	d := &view.TextDialog{Title: "Where judges disagree", Wanted: 100}
	set := v.Session().Judged()
	d.Text = func(s *theme.Styles, w int) []string { return v.lines(s, set, w) }
	return v.Push(d)
}

// agreements say how far judges agree who have graded the same texts, and of models whether
// figures may rest on their grades.
func agreements(s *theme.Styles, set *session.Judged, w int) (lines []string) {
	list := set.Judgments()
	judges := judgment.Judges(list)
	for i, a := range judges {
		for _, b := range judges[i+1:] {
			of := judgment.Agree(list, a, b)
			if of.Both == 0 {
				continue
			}
			kappa := "not defined"
			if of.Defined {
				kappa = wording.Score(of.Kappa)
			}
			text := fmt.Sprintf("%s, %s: %d of %d graded the same, weighted kappa %s", a, b, of.Same, of.Both, kappa)
			lines = append(lines, widget.Styled(s.Text.Render, widget.Wrapped(wording.Line(text), w))...)
		}
	}
	for i := range set.Standings {
		style := s.Faint
		if !set.Standings[i].Alone {
			style = s.Warning
		}
		lines = append(lines, widget.Styled(style.Render, widget.Wrapped(wording.Line(set.Standings[i].Why), w))...)
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return lines
}

// lines are the judgments of which judges give different grades, by query.
func (v disagreements) lines(s *theme.Styles, set *session.Judged, w int) []string {
	var lines []string
	last := ""
	for _, d := range set.Anchors.Disputes(nil) {
		j := d.A
		if j.QueryID != last {
			last = j.QueryID
			if len(lines) > 0 {
				lines = append(lines, "")
			}
			text := j.QueryID
			if q := set.Query(j.QueryID); q != nil {
				text = q.Text
			}
			lines = append(lines, widget.Styled(s.Strong.Render, widget.Wrapped(wording.Line(text), w))...)
		}
		for i, text := range d.Texts() {
			what := "the page as a whole"
			if !text.IsPage() {
				what = wording.Line(text.Quote)
			}
			if i > 0 {
				what = "overlaps with it: " + what
			}
			lines = append(lines, " "+s.Faint.Render(ansi.Truncate(wording.ShortURL(text.Page, w/2)+"  "+what, w-1, s.Signs.Ellipsis)))
			for _, o := range text.Opinions {
				lines = append(lines, "   "+ansi.Truncate(v.label(o.Grade)+"  "+s.Faint.Render(wording.Line(string(o.Judge))), w-3, s.Signs.Ellipsis))
			}
		}
	}
	if lines == nil {
		lines = widget.Wrapped("No two judges have graded the same text, or texts that overlap, differently.", w)
	}
	return append(agreements(s, set, w), lines...)
}
