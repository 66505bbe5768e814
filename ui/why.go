package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/ui/view"
	whyview "github.com/webrag/webrag-tui/ui/whynot"
)

// newWhy is the view of why a text is missing, with what it needs of the explorer.
func (m *Model) newWhy() *whyview.View {
	return whyview.New(shell{m}, whyview.Needs{
		Selected: func() *retrieval.Item {
			if m.view != viewExplore {
				return nil
			}
			return m.results.Selected()
		},
		Target:    m.selectedTarget,
		InResults: inResults,
		ShowResults: func() tea.Cmd {
			m.leaveTyping()
			return tea.Batch(m.showView(viewExplore), m.focusOn(paneResults))
		},
		Reveal: func(it *retrieval.Item) { m.results.Select(it.ChunkID) },
		Watch:  func(p view.Page) tea.Cmd { return m.compare.Watch(p) },
		Close:  m.closeFrom,
		Left:   excursion{m}.afterWhy,
	})
}

// selectedTarget is the chunk or page that is selected outside of the list of results.
func (m *Model) selectedTarget() (t whynot.Target, ok bool) {
	if p, ok := m.panel(m.focus).(view.Selector); ok {
		if chunk, ok := p.Selected(); ok {
			return whynot.Target{ChunkID: chunk.ID, SourceURL: chunk.URL}, true
		}
	}
	return t, false
}
