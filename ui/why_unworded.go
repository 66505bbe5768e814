package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
)

// wordCounter is evidence that knows whether the corpus has any of the query's
// words, where they were searched for, and whether similarity is one of words.
type wordCounter interface {
	Unworded() (unworded, lexical bool)
}

// Unworded implements wordCounter.
func (g gathered) Unworded() (unworded, lexical bool) { return g.Evidence.Unworded(), g.IsLexical() }

// wordCount is what is known of the words of a query that brought nothing.
type wordCount struct {
	query             string
	unworded, lexical bool
}

// countWords looks whether the corpus has any word of a query that brought
// nothing: the search itself may have left words alone. It does so once for each
// query, and only where asking again costs nothing.
func (m *Model) countWords() tea.Cmd {
	r := m.result
	if _, ok := m.evidence.(wordCounter); !ok || !m.corpus.Live || r == nil || len(r.Items) > 0 || r.Mode != retrieval.ModeChunk || m.why.counted.query == m.answeredQuery {
		return nil
	}
	m.why.counted = wordCount{query: m.answeredQuery}
	ctx, gen := m.why.counting.begin(m.ctx)
	e, query, p := m.corpus.Engine, m.answeredQuery, m.params()
	p.Mode, p.KeywordWeight, p.KeywordMatch = retrieval.ModeChunk, 0.5, retrieval.MatchOr
	return func() tea.Msg {
		msg := wordsCounted{gen: gen, wordCount: wordCount{query: query}}
		if ev, err := e.Gather(ctx, retrieval.Query{Text: query}, p); err == nil {
			if c, ok := ev.(wordCounter); ok {
				msg.unworded, msg.lexical = c.Unworded()
			}
		}
		return msg
	}
}

// wordsCounted brings what was found of the words.
type wordsCounted struct {
	gen int
	wordCount
}

func (msg wordsCounted) arrive(m *Model) tea.Cmd { //nolint:unparam // as every arrival
	if msg.gen == m.why.counting.gen && msg.query == m.answeredQuery {
		m.why.counted = msg.wordCount
	}
	return nil
}

// unworded says first of all that a query has nothing to do with the corpus,
// before anything is let in.
func (m *Model) unworded() string {
	switch c := m.why.counted; {
	case !c.unworded || c.query != m.answeredQuery:
		return ""
	case c.lexical:
		return "None of the query's words occurs in the corpus: what is near it is so by chance. "
	default:
		return "None of the query's words occurs in the corpus. "
	}
}
