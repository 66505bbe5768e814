package ui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/tune"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

// newTune is the pane of parameters.
func (m *Model) newTune() *tune.View {
	return tune.New(shell{m}, tune.Needs{
		Undo:     func() tea.Cmd { return m.tellChange("%s back to %s", m.undoChange) },
		Redo:     func() tea.Cmd { return m.tellChange("%s to %s again", m.redoChange) },
		Pin:      m.pin,
		Changed:  m.retuned,
		Profiles: &m.profiles, Read: m.opts.Profiles, Save: m.opts.SaveProfile,
		Note:    func(p param.Params) string { return m.sweep.Note(p) },
		IsTaken: func() bool { return m.top() != nil || m.typing() },
	})
}

// openTune is the action that shows or hides the pane of parameters.
func (m *Model) openTune() []view.Action {
	return []view.Action{{
		ID: "tune.open", Title: "Tune: Parameters", Words: "settings knobs sliders weights", Short: "tune", Help: "Show or hide the parameters.",
		Keys: []string{"t"}, Contexts: anyPane, Footer: 79, Run: m.toggleTune,
		Verb: func() string {
			if m.showTune && m.view == viewExplore {
				return "hide tune"
			}
			return ""
		},
	}}
}

func (m *Model) toggleTune() tea.Cmd {
	if m.showTune && m.view == viewExplore {
		return m.closeTune()
	}
	cmd := m.showView(viewExplore)
	m.showTune, m.zoomed = true, false
	if (wholeContext{m}).sentWhole() {
		m.tune.Select(param.FieldMode) // no other parameter changes anything
	}
	cmd = tea.Batch(cmd, m.focusOn(paneTune))
	m.tune.Open()
	return cmd
}

func (m *Model) closeTune() tea.Cmd {
	m.showTune = false
	m.tune.Close()
	if m.focus == paneTune {
		m.focus = paneResults
	}
	m.arrange()
	return nil
}

// followTune has the pane of parameters, while it is shown, look where the ranking
// changes.
func (m *Model) followTune() tea.Cmd {
	if !m.showTune {
		return nil
	}
	return m.tune.Follow()
}

// adapt makes the parameters suit the corpus at the present place, which may want
// others than what its presets and profiles give.
func (m *Model) adapt() {
	if m.opts.Adapt != nil {
		m.session.Adapt(m.profiles.Adapted)
	}
}

// setParams changes the parameters and ranks anew. field is the parameter that was
// changed, empty for a change of many.
func (m *Model) setParams(p param.Params, field string) tea.Cmd {
	return m.retuned(m.session.Set(p, field))
}

// undoChange takes the last change back, redoChange makes it again.
func (m *Model) undoChange() tea.Cmd {
	work, ok := m.session.Undo()
	if !ok {
		return m.say("nothing to undo", false)
	}
	return m.retuned(work)
}

func (m *Model) redoChange() tea.Cmd {
	work, ok := m.session.Redo()
	if !ok {
		return m.say("nothing to redo", false)
	}
	return m.retuned(work)
}

// retuned shows what a change of parameters has changed. Where the query has failed,
// it asks again: the change may be what makes it answer.
func (m *Model) retuned(work []session.Work) tea.Cmd {
	what := m.session.Changed()
	again := what.Has(session.ParamsChanged) && m.session.Evidence() == nil && m.welcome.Failure() != nil && m.session.Asked() != ""
	cmd := m.showChanges(what, m.selectedID(), work)
	if again {
		cmd = tea.Batch(cmd, m.sendQuery(true))
	}
	return cmd
}

// pin makes the present parameters the baseline, or lets it go.
func (m *Model) pin() tea.Cmd {
	work, pinned := m.session.Pin()
	cmd := m.showSession(m.selectedID(), work)
	if !pinned {
		return tea.Batch(cmd, m.say("compared with "+wording.Line(m.session.Baseline().Name), false))
	}
	return tea.Batch(cmd, m.say("compared from here: what changes from now on is shown", false))
}

// onEvidence takes what the parameters need beyond the evidence.
func (m *Model) onEvidence(d session.Done) tea.Cmd {
	var unseen *session.NotRecordedError
	switch {
	case d.Err == nil, errors.Is(d.Err, context.Canceled), session.IsOutage(d.Err):
		return nil
	case errors.As(d.Err, &unseen):
		return m.say("not recorded: "+unseen.Why+"; "+m.Keyed("{tune.undo} takes the change back"), true)
	}
	return m.say("the corpus could not be asked: "+d.Err.Error(), true)
}

// onBaseline takes the baseline's result.
func (m *Model) onBaseline(d session.Done) tea.Cmd {
	if d.Err == nil || errors.Is(d.Err, context.Canceled) || session.IsOutage(d.Err) {
		return nil
	}
	return m.say("not compared with "+wording.Line(m.session.Baseline().Name)+": "+wording.FirstLine(d.Err), true)
}
