package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/results"
	"github.com/webrag/webrag-tui/ui/widget"
)

// resultsPanel is the list of sections.
type resultsPanel struct{ *Model }

func (m resultsPanel) SetSize(w, h int) {
	m.reserveMoves()
	m.results.SetSize(w, h)
}

func (m resultsPanel) Title() (name, note string) { return "Results", m.results.Title(m.styles) }

func (m resultsPanel) Draw(w, h int, focused bool) []string {
	m.results.SetSize(w, h) // nothing, where it has its size already
	switch {
	case len(m.results.Rows) == 0 || m.welcome.Failure() != nil && m.session.Result() == nil:
		return widget.Clip(m.welcome.Lines(w), w, h)
	case m.sections() == 0 && m.opened == nil:
		said := widget.Indented(widget.Styled(m.styles.Text.Render, widget.Wrapped(m.welcome.Nothing(), w-4)), 2)
		hint := m.keyed(m.why.Hint())
		if ok, _ := m.why.CanAdmit(); ok {
			hint = m.keyed("{results.admit} lets the nearest in, {why.ask} says why another one is missing")
		}
		said = append(append(said, ""), widget.Indented(widget.Styled(m.styles.Faint.Render, widget.Wrapped(hint, w-4)), 2)...)
		said = append(said, "")
		rest := m.results // a copy: the list itself keeps its size
		rest.Height = max(0, h-len(said)-1)
		rest.ShowCursor()
		return widget.Clip(append(append([]string{""}, said...), rest.View(m.styles, focused)...), w, h)
	}
	return m.results.View(m.styles, focused)
}

func (m resultsPanel) Move(v widget.Verb) {
	switch n := v.Rows(m.results.Height); n {
	case -1, 1:
		m.results.MoveBy(n)
	default:
		m.results.MoveRows(n)
	}
}

func (m resultsPanel) Click(_, y int) tea.Cmd {
	i, ok := m.results.RowOf(y)
	switch {
	case !ok:
	case m.results.Stops(i):
		m.results.GoTo(i)
	case m.results.Rows[i].Kind == results.Page:
		m.results.At = i
		m.results.Fold()
	}
	return nil
}

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
