package ui

import "github.com/webrag/webrag-tui/retrieval/phrase"

// unworded says first of all that a query has nothing to do with the corpus,
// before anything is let in.
func (m *Model) unworded() string {
	if match := m.session.TermMatch(); match.None {
		return phrase.NoTermMatch(match.Lexical)
	}
	return ""
}
