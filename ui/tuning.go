package ui

import (
	"context"
	"errors"

	"github.com/webrag/webrag-tui/ui/wording"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// tuning is what the screen has of the parameters beside their values: the tune pane, and
// the presets and profiles that they can start from.
type tuning struct {
	open bool // the pane of parameters is shown
	pane tunePane
	// origins and bases say where the values of presets and profiles come from and
	// on which preset they are based, by name.
	origins map[string]func(field string) string
	bases   map[string]string
	// plain are the presets and profiles as they are, by name, before they were
	// adapted to a corpus.
	plain    map[string]Profile
	choosing work
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
	if what.Has(session.ParamsChanged) && m.session.Evidence() == nil && m.failure != nil && m.session.Asked() != "" {
		return m.sendQuery(true)
	}
	return m.showChanges(what, m.selectedID(), work)
}

// pin makes the present parameters the baseline, or lets it go.
func (m *Model) pin() tea.Cmd {
	work, pinned := m.session.Pin()
	cmd := m.showSession(m.selectedID(), work)
	if !pinned {
		return tea.Batch(cmd, m.say("compared with "+wording.Line(m.session.Start().Name)+" again", false))
	}
	return tea.Batch(cmd, m.say("pinned: what changes from here on is shown", false))
}

// onEvidence takes what the parameters need beyond the evidence.
func (m *Model) onEvidence(d session.Done) tea.Cmd {
	cmd := m.showSession(m.selectedID(), m.session.Apply(d))
	var unseen *NotRecordedError
	switch {
	case d.Err == nil:
		return cmd
	case errors.Is(d.Err, context.Canceled):
		return nil
	case session.IsOutage(d.Err):
		return m.lose(d.Err)
	case errors.As(d.Err, &unseen):
		return m.say("not recorded: "+unseen.Why+"; "+m.keyed("{tune.undo} takes the change back"), true)
	}
	return m.say("the corpus could not be asked: "+d.Err.Error(), true)
}

// onBaseline takes the baseline's result.
func (m *Model) onBaseline(d session.Done) tea.Cmd {
	cmd := m.showSession(m.selectedID(), m.session.Apply(d))
	if d.Err == nil || errors.Is(d.Err, context.Canceled) || session.IsOutage(d.Err) {
		return cmd
	}
	return m.say("not compared with "+wording.Line(m.session.Baseline().Name)+": "+wording.FirstLine(d.Err), true)
}
