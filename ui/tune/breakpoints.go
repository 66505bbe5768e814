package tune

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// looking is where the pane has the session look along tracks for values at which the
// ranking changes, and the jump that waits for it: 1 up, -1 down. It is of one ranking.
type looking struct {
	asked lookingFor
	jump  int
	of    ranking
}

// ranking is what tells the ranking of an answer by some parameters from others.
type ranking struct {
	params  param.Params
	answers int
}

func (v *View) ranking() ranking {
	return ranking{v.Session().Params(), v.Session().EvidenceID().Answers}
}

// lookingFor is what decides which tracks are looked along: the parameter under the
// cursor, and the rows.
type lookingFor struct {
	field string
	laid  int
}

// Follow has the session look where the ranking changes. It is called after every message
// while the pane is shown, and costs little where nothing has changed.
func (v *View) Follow() tea.Cmd {
	if v.looking.jump != 0 && (v.isRefused() || v.looking.of != v.ranking()) {
		v.looking.jump = 0
	}
	if v.Session().Evidence() == nil {
		return nil
	}
	v.layRows()
	asked := lookingFor{v.Parameter(), v.laid}
	if asked == v.looking.asked {
		return nil
	}
	return v.look(asked, false)
}

// look has the session look along the tracks of the pane; now does not wait for the
// cursor to rest.
func (v *View) look(asked lookingFor, now bool) tea.Cmd {
	v.looking.asked = asked
	fields := make([]string, len(v.rows))
	for i := range v.rows {
		fields[i] = v.rows[i].field
	}
	return v.Begin(v.Session().LookAlong(asked.field, fields, now))
}

// Close ends looking where the ranking changes, when the pane has left the screen.
func (v *View) Close() {
	v.looking = looking{}
	v.Session().LookAlong("", nil, false)
}

// Found draws what the session has found along a track, and makes the jump that waited
// for it.
func (v *View) Found() tea.Cmd {
	v.version++
	sign := v.looking.jump
	if _, ok := v.Session().ExactBreakpoints(v.field); sign == 0 || !ok {
		return nil
	}
	v.looking.jump = 0
	return v.jump(sign)
}
