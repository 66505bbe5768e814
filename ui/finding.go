package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

// find is a search in a pane.
type find struct {
	on     bool
	typing bool
	pane   view.Context
	input  widget.Input
}

// startFind begins finding in the focused list or text.
func (m *Model) startFind() tea.Cmd {
	if m.find.pane != m.focus {
		m.endFind() // its marks are of other words
	}
	m.find.on, m.find.typing, m.find.pane = true, true, m.focus
	m.find.input.SetValue("")
	m.find.input.Focus()
	return nil
}

// finder is the pane in which is being searched, nil while none is.
func (m *Model) finder() view.Finder {
	if !m.find.on {
		return nil
	}
	f, _ := m.panel(m.find.pane).(view.Finder)
	return f
}

// runFind finds what stands in the find line.
func (m *Model) runFind() {
	if f := m.finder(); f != nil {
		f.Search(m.find.input.Value())
	}
}

// keepFind ends the typing; n and N step through what was found.
func (m *Model) keepFind() tea.Cmd {
	m.leaveTyping()
	if m.find.input.Value() == "" {
		return m.endFind()
	}
	return nil
}

func (m *Model) endFind() tea.Cmd {
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
func (m *Model) found() string {
	at, of := 0, 0
	if f := m.finder(); f != nil {
		at, of = f.Found()
	}
	return fmt.Sprintf("%d/%d", at, of)
}

// stepped is the pane through whose marks n and N go: the focused one, if it finds. In the
// explorer's own view it is the text of the section, whichever pane is focused, or the one
// in which is being searched.
func (m *Model) stepped() view.Finder {
	if m.view == viewExplore {
		if f := m.finder(); f != nil {
			return f
		}
		return m.reader
	}
	f, _ := m.panel(m.focus).(view.Finder)
	return f
}

func (m *Model) hasMarks() (bool, string) {
	switch f := m.stepped(); {
	case f != nil && f.Stops() > 0:
		return true, ""
	case m.find.on && m.find.pane == paneResults:
		return false, "nothing found"
	}
	return false, "nothing is marked here"
}

// stepMark goes to the next mark, or to the next place found.
func (m *Model) stepMark(n int) tea.Cmd {
	if f := m.stepped(); f != nil {
		return f.Step(n)
	}
	return nil
}
