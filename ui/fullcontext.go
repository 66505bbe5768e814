package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

// wholeContext is the context with all that there is of the corpus.
type wholeContext struct{ *Model }

// fullContextActions lead out of full context, in which nothing is ranked: there
// is neither a floor nor a score to look at.
func (m wholeContext) fullContextActions() []view.Action {
	return []view.Action{{
		ID: "results.search", Title: "Results: Search in place of full context", Short: "search it",
		Help:  "While the whole corpus is sent: search it in chunk mode, as a bigger one would be, with ranks, scores and a floor.",
		Words: "chunk mode search full context rank whole",
		Keys:  []string{"X"}, Contexts: reading, Footer: 97, Enabled: m.canSearchInstead, Run: m.searchInstead,
	}}
}

// sentWhole says that the answer on the screen is the whole corpus.
func (m wholeContext) sentWhole() bool {
	return m.session.Result() != nil && m.session.Result().Mode == param.ModeFullContext && m.session.Params().Mode != param.ModeChunk
}

func (m wholeContext) canSearchInstead() (bool, string) {
	if m.session.Result() == nil {
		return false, "ask a query first"
	}
	return m.sentWhole(), "the corpus is searched already"
}

// searchInstead ranks as if the corpus were too big to be sent whole.
func (m wholeContext) searchInstead() tea.Cmd {
	p := m.session.Params()
	p.Mode = param.ModeChunk
	m.tune.Select(param.FieldMode)
	return tea.Batch(m.setParams(p, ""), m.say("mode chunk: searched as a bigger corpus would be; {tune.undo} takes it back", false))
}

// roomForReason is the width from which on it is said why all is sent.
const roomForReason = 112

// lastingHint is what stays in the notice line as long as it holds, empty for nothing. What
// an earlier session left goes after the first key that is not typed, or the first question.
func (m wholeContext) lastingHint() string {
	said, how := "", ""
	switch {
	case m.sentWhole() && m.width < roomForReason:
		said, how = "all is sent, nothing is ranked", ". {results.search} searches"
	case m.sentWhole():
		said, how = "the whole corpus fits: it is sent whole, nothing is ranked", ". {results.search} searches it as a bigger one would be"
	case m.session.IsRestored() && !m.leftRead && m.session.EvidenceID().Answers < 2:
		said, how = "as you left it: "+wording.Plural(len(m.sessionState().Changed), "parameter")+" changed", "; {tune.undo} takes that back"
	}
	if m.typing() || m.top() != nil {
		return said // its key would be typed
	}
	return m.Keyed(said + how)
}
