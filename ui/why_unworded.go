package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/session"
)

// wordCount is what is known of the words of a query that brought nothing.
type wordCount struct {
	query string
	session.TermMatch
}

// countWords looks whether the corpus has any word of a query that brought
// nothing: the search itself may have left words alone. It does so once for each
// query.
func (m *Model) countWords() tea.Cmd {
	r := m.session.Result()
	if m.session.Evidence() == nil || r == nil || len(r.Items) > 0 || r.Mode != param.ModeChunk || m.why.counted.query == m.session.Query() {
		return nil
	}
	m.why.counted = wordCount{query: m.session.Query()}
	ctx, gen := m.why.counting.begin(m.ctx)
	e, query, p := m.corpus.Engine, m.session.Query(), m.session.Params()
	return func() tea.Msg {
		// Without an answer there is nothing to say: the results stand as they are.
		match, _ := e.MatchTerms(ctx, retrieval.Query{Text: query}, p)
		return wordsCounted{gen: gen, wordCount: wordCount{query, match}}
	}
}

// wordsCounted brings what was found of the words.
type wordsCounted struct {
	gen int
	wordCount
}

func (msg wordsCounted) arrive(m *Model) tea.Cmd { //nolint:unparam // as every arrival
	if msg.gen == m.why.counting.gen && msg.query == m.session.Query() {
		m.why.counted = msg.wordCount
	}
	return nil
}

// unworded says first of all that a query has nothing to do with the corpus,
// before anything is let in.
func (m *Model) unworded() string {
	if c := m.why.counted; c.None && c.query == m.session.Query() {
		return phrase.NoTermMatch(c.Lexical)
	}
	return ""
}
