package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/ui/reader"
	"github.com/webrag/webrag-tui/ui/score"
)

// newReader is the pane of the text of the selected section.
func (m *Model) newReader() *reader.View {
	return reader.New(shell{m}, reader.Needs{
		Reading: reading,
		List:    m.results,
		Cited: func() (*retrieval.Item, citations.PageSpan) {
			if !m.opened.cites() {
				return nil, citations.PageSpan{}
			}
			return m.opened.item, m.opened.span
		},
		IsPainted:   func() bool { return m.score.IsPainted() },
		Empty:       func(w int) []string { return m.welcome.Beside(w) },
		ToMarkdown:  m.opts.HTMLToMarkdown,
		JSON:        m.opts.ItemJSON,
		CommandLine: m.commandLine,
		RefusesTour: func(what string) bool { return m.tour.Refuses(what) },
	})
}

// newScore is the pane of the score of the selected section.
func (m *Model) newScore() *score.View {
	return score.New(shell{m}, score.Needs{Reading: reading, IsOnPage: m.results.OnPage, Painted: m.reader.Painted})
}

// follow keeps text and score on the selected section. It runs after every
// message and costs microseconds while nothing has changed.
func (m *Model) follow() tea.Cmd {
	it := m.reader.Item()
	explain, text := m.score.Examine(it), m.reader.Follow()
	m.score.Show(it, m.reader.FocusedMatch())
	return tea.Batch(explain, text)
}
