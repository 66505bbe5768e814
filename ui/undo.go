package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/wording"
)

// tellChange makes a change of parameters and says what it did, where no tune pane
// shows it: "similarity_floor back to .300".
// said is how that is put, with verbs for a parameter and its value.
func (m *Model) tellChange(said string, change func() tea.Cmd) tea.Cmd {
	before, name := m.session.Params(), m.session.Start().Name
	cmd := change()
	if _, shown := m.place.Slot(paneTune); shown || before == m.session.Params() && name == m.session.Start().Name {
		return cmd
	}
	if name != m.session.Start().Name {
		return tea.Batch(cmd, m.say(fmt.Sprintf(said, "parameters", wording.Line(m.session.Name())), false))
	}
	return tea.Batch(cmd, m.say(wording.Differences(before, m.session.Params(), said), false))
}
