package results

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

// pane is the list on the screen.
type pane struct{ *View }

var (
	_ view.Finder   = pane{}
	_ view.Selector = pane{}
)

func (v pane) SetSize(w, h int) { v.list.setSize(w, h) }

// Hidden implements [view.Pager].
func (v pane) Hidden() (above, below int) {
	above, below = v.list.Hidden()
	return above, below + v.list.barren()
}

func (v pane) Title() (name, note string) { return "Results", v.list.title() }

func (v pane) Draw(w, h int, focused bool) []string {
	v.list.setSize(w, h) // nothing, where it has its size already
	if v.needs.GradedWide != nil {
		v.list.gradedWide[0], v.list.gradedWide[1] = v.needs.GradedWide()
	}
	said, rest := v.beside(w)
	switch {
	case rest == nil:
		return widget.Clip(said, w, h)
	case said != nil:
		return widget.Clip(append(said, rest.lines(v.Styles(), focused)...), w, h)
	}
	return rest.lines(v.Styles(), focused)
}

// Said implements [view.Pane].
func (v pane) Said() string {
	if _, rest := v.beside(v.list.w); rest != nil {
		return drawing{list: rest, s: v.Styles()}.said()
	}
	return ""
}

// beside is what is said instead of the list or, where a query was answered with nothing
// but something was dropped, above it; and the list as it is shown then, nil where it is
// not.
func (v *View) beside(w int) (said []string, rest *list) {
	switch {
	case len(v.list.rows) == 0, v.Session().Failure() != nil && v.Session().Result() == nil:
		if said = v.needs.Empty(w); said == nil {
			said = v.nothingLines(w)
		}
		return said, nil
	case len(v.list.groups) == 0:
		said = append(v.nothingLines(w), "")
		l := v.list // a copy: the list itself keeps its size
		l.Height = max(0, l.Height-len(said))
		l.showCursor()
		return said, &l
	}
	return nil, &v.list
}

func (v pane) Move(verb widget.Verb) {
	switch n := verb.Rows(v.list.Height); n {
	case -1, 1:
		v.list.moveBy(n)
	default:
		v.list.moveRows(n)
	}
}

func (v pane) Click(_, y int) tea.Cmd {
	l := &v.list
	i, ok := l.RowOf(y)
	switch {
	case !ok:
	case l.stops(i):
		l.goTo(i)
	case l.rows[i].kind == pageRow:
		l.At = i
		l.fold()
	}
	return nil
}

// Selected is the section under the cursor.
func (v pane) Selected() (chunk view.Chunk, ok bool) {
	if it := v.list.selected(); it != nil {
		return view.Chunk{ID: it.ChunkID, Section: it.SectionID()}, true
	}
	return chunk, false
}

// Search implements [view.Finder]. It goes to the next row found, from where the cursor
// stood when the search began, and back to there where nothing is.
func (v pane) Search(words string) {
	l := &v.list
	if l.hit == "" {
		l.from = l.List
	}
	before := l.hit
	l.hit, l.hits, l.hitAt = words, l.rowsWith(words), 0
	if len(l.hits) == 0 {
		if words != "" && before != "" && l.from.At < len(l.rows) && l.from.Total == l.Total {
			l.At, l.Top = l.from.At, l.from.Top
			l.showCursor()
		}
		return
	}
	l.hitAt = max(0, slices.IndexFunc(l.hits, func(row int) bool { return row >= l.from.At }))
	l.goTo(l.hits[l.hitAt])
}

// Found implements [view.Finder].
func (v pane) Found() (at, of int) {
	if of = len(v.list.hits); of == 0 {
		return 0, 0
	}
	return v.list.hitAt + 1, of
}

// Step implements [view.Finder]. The list has no marks by itself.
func (v pane) Step(n int) tea.Cmd {
	l := &v.list
	l.hits = l.rowsWith(l.hit) // another height lays the list out anew
	if of := len(l.hits); of > 0 {
		l.hitAt = ((l.hitAt+n)%of + of) % of
		l.goTo(l.hits[l.hitAt])
	}
	return nil
}

// Stops implements [view.Finder].
func (v pane) Stops() int { return len(v.list.hits) }
