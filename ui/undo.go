package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/param"
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
	return tea.Batch(cmd, m.say(differenceWords(before, m.session.Params(), said), false))
}

// changesTold is how many parameters are named one by one.
const changesTold = 2

// differenceWords name the parameters in which two sets differ, with their values in
// the second, each as said puts it.
func differenceWords(before, after param.Params, said string) string {
	var parts []string
	n := 0
	for _, s := range param.Specs() {
		value := after.Get(s.Field)
		if value == before.Get(s.Field) {
			continue
		}
		if n++; n <= changesTold {
			parts = append(parts, fmt.Sprintf(said, s.Name, s.Shown(wording.Line(value))))
		}
	}
	if n > changesTold {
		parts = append(parts, wording.Plural(n-changesTold, "parameter")+" more")
	}
	return strings.Join(parts, ", ")
}
