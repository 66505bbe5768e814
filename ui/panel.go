package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

// allCountWidth is the width of the preview from which its title counts the matches
// of all sections.
const allCountWidth = 56

// previewPanel is the text of the selected section.
type previewPanel struct{ *Model }

func (m previewPanel) SetSize(w, h int) { m.preview.setSize(w, h) }

func (m previewPanel) Title() (name, note string) {
	name, note = m.preview.title(), m.preview.counter()
	if m.preview.passage != nil {
		note = m.preview.passageNote()
	} else if at, all := m.matchInAll(); m.focus == panePreview && m.preview.w >= allCountWidth && at > 0 && all > m.preview.steps() {
		note += fmt.Sprintf(" · %d/%d in all", at, all)
	}
	if name == "" {
		name = "Section"
	}
	if f := m.preview.form; m.preview.item != nil && m.formOf(m.preview.item) == f && f != formRendered {
		if note != "" {
			note += "  "
		}
		note += f.String()
	}
	return name, note
}

func (m previewPanel) Draw(w, h int, _ bool) []string {
	if m.preview.item == nil {
		return widget.Clip(m.welcome.Beside(w), w, h)
	}
	return m.preview.view(m.styles)
}

func (m previewPanel) Move(v widget.Verb) {
	m.preview.Top += v.Lines(m.preview.textHeight())
	m.preview.refit()
}

func (m previewPanel) Click(int, int) tea.Cmd { return nil }

var _ view.Finder = previewPanel{}

// Search implements [view.Finder].
func (m previewPanel) Search(words string) {
	if words != "" || len(m.preview.hits) > 0 {
		m.preview.setHits(m.preview.search(words), m.styles)
	}
}

// Found implements [view.Finder].
func (m previewPanel) Found() (at, of int) {
	if len(m.preview.hits) == 0 {
		return 0, 0
	}
	return m.preview.focus + 1, m.preview.steps()
}

// Step goes to the next mark of the text. After the last match come those of the next
// section. From a form without marks it goes to the form that has them.
func (m previewPanel) Step(n int) tea.Cmd {
	if m.marksElsewhere() {
		m.preview.form, m.preview.tentative = formRendered, false
		m.preview.reset()
		return m.say("markdown, which the marks refer to; m for the other forms", false)
	}
	return m.stepInText(n)
}

// Stops implements [view.Finder]. Marks that this form cannot show count, too.
func (m previewPanel) Stops() int {
	if m.marksElsewhere() {
		return m.preview.lost
	}
	return m.preview.steps()
}
