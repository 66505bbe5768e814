package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

// finding searches the focused pane, and steps through what is found or marked.
type finding struct{ *Model }

// find is a search in a pane.
type find struct {
	on     bool
	typing bool
	pane   view.Context
	input  widget.Input
}

// start begins finding in the focused list or text.
func (m finding) start() tea.Cmd {
	if m.find.pane != m.focus {
		m.end() // its marks are of other words
	}
	m.find.on, m.find.typing, m.find.pane = true, true, m.focus
	m.find.input.SetValue("")
	m.find.input.Focus()
	return nil
}

// canStart says whether words can be found in the focused pane.
func (m finding) canStart() (bool, string) {
	_, ok := m.panel(m.focus).(view.Finder)
	return ok, "nothing is found in this pane; {pane.next} leads to lists and texts"
}

// finder is the pane in which is being searched, nil while none is.
func (m finding) finder() view.Finder {
	if !m.find.on {
		return nil
	}
	f, _ := m.panel(m.find.pane).(view.Finder)
	return f
}

// run finds what stands in the find line.
func (m finding) run() {
	if f := m.finder(); f != nil {
		f.Search(m.find.input.Value())
	}
}

// keep ends the typing; n and N step through what was found.
func (m finding) keep() tea.Cmd {
	m.leaveTyping()
	if m.find.input.Value() == "" {
		return m.end()
	}
	return nil
}

func (m finding) end() tea.Cmd {
	f := m.finder()
	if m.find.on && m.find.typing {
		m.leaveTyping()
	}
	m.find.on = false
	if f != nil {
		f.Search("")
	}
	return nil
}

// found says how many places were found.
func (m finding) found() string {
	at, of := 0, 0
	if f := m.finder(); f != nil {
		at, of = f.Found()
	}
	return fmt.Sprintf("%d/%d", at, of)
}

// stepped is the pane through whose marks n and N go: the focused one, if it finds. In the
// explorer's own view it is the text of the section, whichever pane is focused, or the one
// in which is being searched.
func (m finding) stepped() view.Finder {
	if m.view == viewExplore {
		if f := m.finder(); f != nil {
			return f
		}
		return m.reader
	}
	f, _ := m.panel(m.focus).(view.Finder)
	return f
}

func (m finding) hasMarks() (bool, string) {
	switch f := m.stepped(); {
	case f != nil && f.Stops() > 0:
		return true, ""
	case m.find.on && m.find.pane == paneResults:
		return false, "nothing found"
	}
	return false, "nothing is marked here"
}

// step goes to the next mark, or to the next place found.
func (m finding) step(n int) tea.Cmd {
	if f := m.stepped(); f != nil {
		return f.Step(n)
	}
	return nil
}
