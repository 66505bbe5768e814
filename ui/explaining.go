package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

// explaining is how the examination of the selected section is shown.
type explaining struct {
	*session.Examination
	// cosines are those of the section, nil while they are not known; version counts the
	// changes of all that is shown.
	cosines *session.Cosines
	version int
	// paintKey and leaveOutKey are the keys of the two actions, which can be changed.
	paintKey, leaveOutKey string
	// painted says that the text shows what its words bring.
	painted bool
}

// followScore has a newly selected section examined, or the same one in a new ranking.
func (m *Model) followScore(it *retrieval.Item) tea.Cmd {
	if it == m.explain.Item {
		return nil
	}
	return m.showSession(m.selectedID(), m.session.Examine(it))
}

// showExamination shows what else is known of the examined section.
func (m *Model) showExamination() {
	x := &m.explain
	x.cosines = m.session.Cosines(x.Item)
	x.paintKey, x.leaveOutKey = m.keyOf("cosine.paint"), m.keyOf("cosine.leaveout")
	x.version++
}

// openCosines takes the cosines of the selected section apart.
func (m *Model) openCosines() tea.Cmd { return m.showSession(m.selectedID(), m.session.OpenCosines()) }

func (m *Model) explainActions() []view.Action {
	return []view.Action{
		{
			ID: "cosine.paint", Title: "Cosine: Paint its words", Short: "words", Help: "Paint in the text what each word brings to the cosine; again or esc takes it away.",
			Keys: []string{"c"}, Contexts: reading, Footer: 38, Enabled: m.canPaint,
			Run: m.togglePaint,
		},
		{
			ID: "cosine.leaveout", Title: "Cosine: Leave each word out", Help: "Ask the embedding server for the query without each word; the pane says how many texts that is.",
			Keys: []string{"L"}, Contexts: reading, Enabled: m.canLeaveWordsOut,
			Run: m.openCosines,
		},
	}
}

func (m *Model) canPaint() (bool, string) {
	x := &m.explain
	switch {
	case x.painted:
		return true, ""
	case x.Item == nil:
		return false, "nothing is selected"
	case !x.HasCosines:
		return false, "no cosine selected this section: there is nothing to paint"
	case x.cosines == nil && x.Cost > 0:
		return false, "{cosine.leaveout} asks the embedding server first: " + wording.Plural(x.Cost, "text")
	case x.Failed != nil:
		return false, wording.Line(x.Failed.Error())
	}
	return true, ""
}

func (m *Model) canLeaveWordsOut() (bool, string) {
	x := &m.explain
	switch {
	case x.Item == nil:
		return false, "nothing is selected"
	case !x.HasCosines:
		return false, "no cosine selected this section: there is nothing to open"
	case x.Asking:
		return false, "the embedding server is being asked"
	case x.Cost == 0:
		return false, "what each word brings is known: nobody has to be asked"
	}
	return true, ""
}
