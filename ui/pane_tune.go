package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/view"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/ui/widget"
)

func (m *Model) tuneActions() []view.Action {
	return []view.Action{
		{
			ID: "tune.open", Title: "Tune: Parameters", Short: "tune", Help: "Show or hide the parameters.",
			Keys: []string{"t"}, Contexts: anyPane, Footer: 79, Run: m.toggleTune,
		},
		{
			ID: "tune.preset", Title: "Tune: Preset or profile", Short: "preset", Help: "Start from another preset, or from a profile.",
			Keys: []string{"p"}, Contexts: anyPane, Run: m.chooseProfile,
		},
		{
			ID: "tune.less", Title: "Tune: Less", Short: "step", Help: "One step to the left on the track; of words, the one before.",
			Keys: []string{"left", "h"}, Contexts: inTune, Enabled: m.onParameter, Run: func() tea.Cmd { return m.stepParameter(-1, false) },
		},
		{
			ID: "tune.more", Title: "Tune: More", Short: "step", Help: "One step to the right on the track; of words, the next one.",
			Keys: []string{"right", "l"}, Contexts: inTune, Enabled: m.onParameter, Run: func() tea.Cmd { return m.stepParameter(1, false) },
		},
		{
			ID: "tune.muchless", Title: "Tune: Much less", Short: "coarse", Help: "A tenth of the track to the left.",
			Keys: []string{"shift+left", "H"}, Contexts: inTune, Enabled: m.onParameter, Run: func() tea.Cmd { return m.stepParameter(-1, true) },
		},
		{
			ID: "tune.muchmore", Title: "Tune: Much more", Help: "A tenth of the track to the right.",
			Keys: []string{"shift+right", "L"}, Contexts: inTune, Enabled: m.onParameter, Run: func() tea.Cmd { return m.stepParameter(1, true) },
		},
		{
			ID: "tune.previous", Title: "Tune: Change before", Short: "next change", Help: "To the left, to the next value at which the ranking changes.",
			Keys: []string{"["}, Contexts: inTune, Enabled: m.onParameter, Run: func() tea.Cmd { return m.jumpTurn(-1) },
		},
		{
			ID: "tune.next", Title: "Tune: Next change", Short: "next change", Help: "To the right, to the next value at which the ranking changes.",
			Keys: []string{"]"}, Contexts: inTune, Enabled: m.onParameter, Run: func() tea.Cmd { return m.jumpTurn(1) },
		},
		{
			ID: "tune.type", Title: "Tune: Type a value", Short: "value", Help: "Type a value or choose a word; on the last row, show or hide the parameters that the preset does not use.",
			Keys: []string{"enter", "space"}, Contexts: inTune, Run: m.typeParameter,
		},
		{
			ID: "tune.default", Title: "Tune: Default", Short: "default", Help: "Back to what the preset or profile gives.",
			Keys: []string{"backspace"}, Contexts: inTune, Enabled: m.onParameter, Run: m.resetParameter,
		},
		{
			ID: "tune.undo", Title: "Tune: Undo", Short: "undo", Help: "Take the last change of parameters back.",
			Keys: []string{"u"}, Contexts: anyPane, Run: func() tea.Cmd { return m.tellChange("%s back to %s", m.undoChange) },
		},
		{
			ID: "tune.redo", Title: "Tune: Redo", Help: "Make the change again that was taken back.",
			Keys: []string{"ctrl+r"}, Contexts: anyPane, Run: func() tea.Cmd { return m.tellChange("%s to %s again", m.redoChange) },
		},
		{
			ID: "tune.pin", Title: "Tune: Pin as baseline", Short: "pin", Help: "Compare with the ranking as it is now; again to compare with the profile.",
			Keys: []string{"s"}, Contexts: anyPane, Footer: 45, Run: m.pin,
		},
		{
			ID: "tune.save", Title: "Tune: Save as profile", Short: "save profile", Help: "Save the parameters as a profile.", Outside: true,
			Keys: []string{"W"}, Contexts: anyPane, Enabled: m.canSaveProfile, Run: func() tea.Cmd { return m.promptProfile("") },
		},
		{
			ID: "tune.copy", Title: "Tune: Copy as .env", Short: "copy as .env", Help: "Copy all parameters as the lines of an environment file.", Outside: true,
			Keys: []string{"y"}, Contexts: inTune, Run: m.copyParams,
		},
	}
}

func (m *Model) onParameter() (bool, string) {
	_, ok := m.selectedParameter()
	return ok && !m.tune.pane.onFold, "no parameter is selected"
}

func (m *Model) toggleTune() tea.Cmd {
	if m.tune.open && m.view == viewExplore {
		return m.closeTune()
	}
	cmd := m.showView(viewExplore)
	m.tune.open, m.zoomed = true, false
	if m.sentWhole() {
		m.goToMode() // no other parameter changes anything
	}
	cmd = tea.Batch(cmd, m.focusOn(paneTune))
	m.scrollTune()
	return cmd
}

func (m *Model) closeTune() tea.Cmd {
	m.tune.open = false
	m.stopTurns()
	if m.focus == paneTune {
		m.focus = paneResults
	}
	m.arrange()
	return nil
}

// tunePanel is the pane of parameters.
type tunePanel struct{ *Model }

func (m tunePanel) SetSize(w, h int) {
	d := &m.tune.pane
	if d.w != w || d.h != h {
		d.w, d.h = w, h
		m.scrollTune()
	}
}

func (m tunePanel) Title() (name, note string) { return "Tune", m.session.Name() }

func (m tunePanel) Draw(w, h int, focused bool) []string { return m.viewTune(w, h, focused) }

func (m tunePanel) Move(v widget.Verb) {
	m.layRows()
	d := &m.tune.pane
	if v.Turns() {
		d.Top += v.Lines(0)
		d.Resize(max(1, d.h-len(m.tuneFoot(d.w, d.h))), len(m.tuneLines(d.w, true)))
		return
	}
	n := v.Rows(d.h)
	if n < 0 {
		n = min(-1, n+2) // of a page, two rows stay
	} else {
		n = max(1, n-2)
	}
	l := widget.List{Pager: widget.Pager{Total: len(d.rows)}, At: d.at()}
	l.Walk(n, func(i int) bool { return d.rows[i].stops() })
	d.goTo(l.At)
	m.selectedAnother()
}

// selectedAnother follows the cursor.
func (m *Model) selectedAnother() {
	m.tune.pane.arrived, m.tune.pane.turning.jump = "", 0
	m.scrollTune()
}

// click selects a row; on a track it sets the value that stands there, on the
// folding row it folds.
func (m tunePanel) Click(x, y int) tea.Cmd {
	d := &m.tune.pane
	m.layRows()
	lines := m.tuneLines(d.w, true)
	at, ok := d.RowOf(y)
	if !ok {
		return nil
	}
	i := lines[at].row
	if !d.rows[i].stops() {
		return nil
	}
	before := d.at()
	d.goTo(i)
	if d.rows[i].fold {
		return m.typeParameter()
	}
	first := at == 0 || lines[at-1].row != i
	n := d.w - trackColumn - 1
	spec, ok := m.selectedParameter()
	if at := x - trackColumn; ok && first && n >= leastTrack && at >= 0 && at < n && (spec.Kind == param.KindInt || spec.Kind == param.KindFloat) {
		return m.setParameter(spec.Field, spec.At(float64(at)/float64(n-1)))
	}
	if i != before {
		m.selectedAnother()
	}
	return nil
}
