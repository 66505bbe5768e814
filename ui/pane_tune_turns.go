package ui

import (
	tea "charm.land/bubbletea/v2"
)

// turning is where the tune pane has the session look along tracks for values at which the
// ranking changes, and the jump that waits for it: 1 up, -1 down.
type turning struct {
	asked turningFor
	jump  int
}

// turningFor is what decides which tracks are looked at: the parameter under the cursor,
// and the rows.
type turningFor struct {
	field string
	laid  int
}

// followTune has the session look where the ranking changes. It runs after every message.
func (m *Model) followTune() tea.Cmd {
	d := &m.tune.pane
	if !m.tune.open || m.session.Evidence() == nil {
		return nil
	}
	m.layRows()
	asked := turningFor{d.field, d.laid}
	if d.onFold {
		asked.field = ""
	}
	if asked == d.turning.asked {
		return nil
	}
	return m.seekTurns(asked, false)
}

// seekTurns has the session look along the tracks of the tune pane; now does not wait for
// the cursor to rest.
func (m *Model) seekTurns(asked turningFor, now bool) tea.Cmd {
	d := &m.tune.pane
	d.turning.asked = asked
	fields := make([]string, len(d.rows))
	for i := range d.rows {
		fields[i] = d.rows[i].field
	}
	return m.start(m.session.LookAlong(asked.field, fields, now))
}

// stopTurns ends the looking.
func (m *Model) stopTurns() {
	m.tune.pane.turning = turning{}
	m.session.LookAlong("", nil, false)
}

// foundTurns draws what was found along a track, and makes the jump that waited for it.
func (m *Model) foundTurns() tea.Cmd {
	d := &m.tune.pane
	d.version++
	sign := d.turning.jump
	if _, ok := m.session.ExactBreakpoints(d.field); sign == 0 || !ok {
		return nil
	}
	d.turning.jump = 0
	return m.jumpTurn(sign)
}
