package ui

import (
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// Move is what is on the screen from a moment on, as far as a recording follows
// it. It has no text that is still being typed.
type Move struct {
	// Corpus is the one that is open, Query the query that was answered.
	Corpus *session.Corpus
	Query  string
	// Preset names what the parameters came from; Params are those of the ranking
	// that is shown.
	Preset string
	Params param.Params
	// View counts from 1; Tune says that the parameters are shown.
	View int
	Tune bool
	// Section is the chunk id of the selected result, empty for none.
	Section string
}

// followMoves tells whoever records the session what has changed on the screen.
func (m *Model) followMoves() {
	if m.opts.Moved == nil || m.session.Result() == nil || m.editing || m.session.Asking() || m.session.Pending() != "" {
		return
	}
	start, params := m.session.RankedBy()
	now := Move{
		Corpus: m.session.Corpus(), Query: m.session.Query(), Preset: start.Name, Params: params,
		View: int(m.view) + 1, Tune: m.showTune,
	}
	if it := m.results.Selected(); it != nil {
		now.Section = it.ChunkID
	}
	if now != m.moved {
		m.moved = now
		m.opts.Moved(now)
	}
}
