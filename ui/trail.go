package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/ui/reader"
	"github.com/webrag/webrag-tui/ui/view"
)

// navigation goes to places of the corpus, and back to those that were read before.
type navigation struct{ *Model }

// visit is a place where the reader was: a row of the list, or a line of a
// section.
type visit struct {
	view  viewID
	focus view.Context
	// item is the selected section, opened the one that was open beside the
	// results; both may be nil.
	item   *retrieval.Item
	opened *openedSection
	// listTop is the first visible row of the list.
	listTop int
	// in is where in the section one read.
	in reader.Place
}

func (v *visit) id() string {
	if v.item == nil {
		return ""
	}
	return v.item.ChunkID
}

// same says that two places look alike on the screen.
func (v *visit) same(o *visit) bool {
	return v.view == o.view && v.focus == o.focus && v.id() == o.id() && v.in.LooksLike(o.in)
}

// readingTrail are the places that were left, nearest last, and those that were
// gone back from.
type readingTrail struct{ behind, ahead []visit }

// mostVisits bounds how far one can go back.
const mostVisits = 100

func (t *readingTrail) push(v visit) {
	if n := len(t.behind); n > 0 && t.behind[n-1].same(&v) {
		t.behind = t.behind[:n-1]
	}
	t.behind = append(t.behind, v)
	if len(t.behind) > mostVisits {
		t.behind = append(t.behind[:0], t.behind[1:]...)
	}
}

// results is the last place on a row of the results themselves, or nil.
func (t *readingTrail) results() *visit {
	for i := len(t.behind) - 1; i >= 0; i-- {
		if v := &t.behind[i]; v.opened == nil && v.view == viewExplore && v.item != nil {
			return v
		}
	}
	return nil
}

// here is the present place.
func (m navigation) here() visit {
	v := visit{view: m.view, focus: m.focus, opened: m.opened, listTop: m.results.Top(), in: m.reader.Place()}
	if it := m.reader.Item(); it != nil {
		v.item = alone(it).item // a result is not kept for one of its sections
	}
	return v
}

// leavePlace keeps the present place, before another section is gone to, and
// reports whether there is one.
func (m navigation) leavePlace() bool {
	if m.results.Selected() == nil && m.view == viewExplore {
		return false
	}
	m.trail.push(m.here())
	m.trail.ahead = nil
	return true
}

// goBack goes to the place before, goForward to the one that was gone back from.
func (m navigation) goBack() tea.Cmd {
	v := m.trail.behind[len(m.trail.behind)-1]
	m.trail.behind = m.trail.behind[:len(m.trail.behind)-1]
	m.trail.ahead = append(m.trail.ahead, m.here())
	return m.goToPlace(v)
}

func (m navigation) goForward() tea.Cmd {
	v := m.trail.ahead[len(m.trail.ahead)-1]
	m.trail.ahead = m.trail.ahead[:len(m.trail.ahead)-1]
	m.trail.behind = append(m.trail.behind, m.here())
	return m.goToPlace(v)
}

func (m navigation) goToPlace(v visit) tea.Cmd {
	m.session.StopVisit() // what is still being read is no longer wanted
	m.opened = v.opened
	m.list(v.id())
	if v.item != nil && !m.results.Select(v.id()) {
		// It was of another result.
		m.opened = alone(v.item)
		m.list(v.id())
		m.results.Select(v.id())
	}
	m.results.ScrollTo(v.listTop)
	m.reader.Return(v.id(), v.in)
	cmd := m.showView(v.view)
	return tea.Batch(cmd, m.focusOn(v.focus))
}

func (m navigation) canGoBack() (bool, string) {
	return len(m.trail.behind) > 0, "this is where you began reading"
}

func (m navigation) canGoForward() (bool, string) {
	return len(m.trail.ahead) > 0, "you have not gone back from anywhere"
}
