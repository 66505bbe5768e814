package ui

import (
	"fmt"

	"github.com/webrag/webrag-tui/ui/widget"

	tea "charm.land/bubbletea/v2"
)

// panel is a region of the screen. It sees no messages: what keys do are actions,
// and motions reach it by these methods. All of them get the model, which owns
// what they show.
type panel interface {
	// setSize tells how many cells its body has.
	setSize(m *Model, w, h int)
	// title is the name above it and a note beside the name, which may be empty.
	title(m *Model) (name, note string)
	// view draws its body: as many lines as it is high, each as wide.
	view(m *Model, w, h int, focused bool) []string

	// move moves the cursor, or where there is none the text.
	move(m *Model, v widget.Verb)
	// click is a press of the left button at a cell of the body.
	click(m *Model, x, y int) tea.Cmd
}

// finder is a panel that finds words in what it shows.
type finder interface {
	// search finds words and goes to the first place; empty ends finding.
	search(m *Model, words string)
	// found is which of how many places the panel is on, from 1.
	found(m *Model) (at, of int)
	// step goes to the n-th place from here: of those found, else of the marks
	// that the panel has by itself. stops is how many there are.
	step(m *Model, n int)
	stops(m *Model) int
}

// panel is the pane of a name.
func (p paneID) panel() panel {
	return [paneCount]panel{
		resultsPanel{}, previewPanel{}, scorePanel{}, tunePanel{}, stagesPanel{}, fallenPanel{}, treePanel{}, pagePanel{},
	}[p]
}

// resultsPanel is the list of sections.
type resultsPanel struct{}

func (resultsPanel) setSize(m *Model, w, h int) {
	m.reserveMoves()
	m.results.setSize(w, h)
}

func (resultsPanel) title(m *Model) (name, note string) { return "Results", m.results.title(m.styles) }

func (resultsPanel) view(m *Model, w, h int, focused bool) []string {
	m.results.setSize(w, h) // nothing, where it has its size already
	switch {
	case len(m.results.rows) == 0 || m.failure != nil && m.session.Result() == nil:
		return widget.Clip(m.emptyResults(w), w, h)
	case m.sections() == 0 && m.opened == nil:
		said := indented(styled(m.styles.Text.Render, wrapped(m.nothingSaid(), w-4)), 2)
		hint := m.keyed(m.whyHint())
		if ok, _ := canAdmit(m); ok {
			hint = m.keyed("{results.admit} lets the nearest in, {why.ask} says why another one is missing")
		}
		said = append(append(said, ""), indented(styled(m.styles.Faint.Render, wrapped(hint, w-4)), 2)...)
		said = append(said, "")
		rest := m.results // a copy: the list itself keeps its size
		rest.Height = max(0, h-len(said)-1)
		rest.scroll()
		return widget.Clip(append(append([]string{""}, said...), rest.view(m.styles, focused)...), w, h)
	}
	return m.results.view(m.styles, focused)
}

func (resultsPanel) move(m *Model, v widget.Verb) {
	switch n := v.Rows(m.results.Height); n {
	case -1, 1:
		m.results.move(n)
	default:
		m.results.moveRows(n)
	}
}

func (resultsPanel) click(m *Model, _, y int) tea.Cmd {
	i, ok := m.results.RowOf(y)
	switch {
	case !ok:
	case m.results.stops(i):
		m.results.goTo(i)
	case m.results.rows[i].kind == rowGroup:
		m.results.At = i
		m.results.fold()
	}
	return nil
}

// allCountWidth is the width of the preview from which its title counts the matches
// of all sections.
const allCountWidth = 56

// previewPanel is the text of the selected section.
type previewPanel struct{}

func (previewPanel) setSize(m *Model, w, h int) { m.preview.setSize(w, h) }

func (previewPanel) title(m *Model) (name, note string) {
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

func (previewPanel) view(m *Model, w, h int, _ bool) []string {
	if m.preview.item == nil {
		return widget.Clip(m.emptyPreview(w), w, h)
	}
	return m.preview.view(m.styles)
}

func (previewPanel) move(m *Model, v widget.Verb) {
	m.preview.Top += v.Lines(m.preview.textHeight())
	m.preview.refit()
}

func (previewPanel) click(*Model, int, int) tea.Cmd { return nil }

// scorePanel is the score of the selected section, taken apart.
type scorePanel struct{}

func (scorePanel) setSize(m *Model, w, h int) { m.score.setSize(w, h) }

func (scorePanel) title(*Model) (name, note string) { return "Score", "" }

func (scorePanel) view(m *Model, w, h int, _ bool) []string {
	if m.score.item == nil {
		words := "What a score is made of stands here, once a section is selected."
		if m.results.onGroup() {
			words = m.keyed("A page is selected, which has no score of its own: {results.fold} unfolds it.")
		}
		said := styled(m.styles.Faint.Render, wrapped(words, w-2))
		return widget.Clip(append([]string{""}, indented(said, 1)...), w, h)
	}
	return m.score.view(m.styles)
}

func (scorePanel) move(m *Model, v widget.Verb) { m.score.Scroll(v.Lines(m.score.Height)) }

func (scorePanel) click(*Model, int, int) tea.Cmd { return nil }
