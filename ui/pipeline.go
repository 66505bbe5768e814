package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
)

// pipeline is the state of the view of stages.
type pipeline struct {
	// stage is the name of the one that is looked at; it survives a new ranking.
	stage string
	// without shows what would change without the stage instead of what it did.
	without bool

	// of is the result that the rest was made for; narrowed says that the list has
	// another width since.
	of       *retrieval.Result
	narrowed bool
	// toggles are what leaving out each stage would change.
	toggles []whynot.Ablation
	list    fallenList
}

func pipelineActions() []action {
	const stages = inStages | inFallen
	return []action{
		{
			ID: "stages.next", Title: "Pipeline: Next stage", Short: "stage", Help: "Look at the next stage.",
			Keys: []string{"right", "l"}, Contexts: stages, Footer: 90, Run: func(m *Model) tea.Cmd { return m.walkStages(1) },
		},
		{
			ID: "stages.previous", Title: "Pipeline: Previous stage", Help: "Look at the stage before.",
			Keys: []string{"left", "h"}, Contexts: stages, Run: func(m *Model) tea.Cmd { return m.walkStages(-1) },
		},
		{
			ID: "stages.without", Title: "Pipeline: Without this stage", Short: "without it", Help: "Show what would enter, leave and move without this stage, or what it did.",
			Keys: []string{"x"}, Contexts: stages, Footer: 85, Enabled: canLeaveOut, Run: func(m *Model) tea.Cmd { return m.toggleWithout() },
		},
		{
			ID: "stages.apply", Title: "Pipeline: Leave the stage out", Short: "apply", Help: "Change the parameters so that the stage is left out; u takes it back.",
			Keys: []string{"X"}, Contexts: stages, Enabled: canLeaveOut, Run: func(m *Model) tea.Cmd { return m.applyWithout() },
		},
		{
			ID: "stages.open", Title: "Pipeline: Open", Short: "open", Help: "Go to what happened in the stage; there, to the selected section.",
			Keys: []string{"enter"}, Contexts: stages, Footer: 60, Enabled: hasStages, Run: func(m *Model) tea.Cmd { return m.openStage() },
		},
	}
}

// stages are the stages of the shown result.
func (m *Model) stages() []retrieval.Stage {
	if m.session.Result() == nil || m.session.Result().Trace == nil {
		return nil
	}
	return m.session.Result().Trace.Stages
}

func hasStages(m *Model) (bool, string) {
	return len(m.stages()) > 0, "ask a query first: it is what runs through the stages"
}

// stageAt is the index of the stage that is looked at: after a new ranking that
// has no such stage, the first that dropped something.
func (m *Model) stageAt() int {
	stages := m.stages()
	at := slices.IndexFunc(stages, func(s retrieval.Stage) bool { return s.Name == m.pipe.stage })
	if at < 0 {
		at = slices.IndexFunc(stages, func(s retrieval.Stage) bool { return len(s.Dropped) > 0 })
	}
	return max(at, 0)
}

// walkStages looks at another stage.
func (m *Model) walkStages(n int) tea.Cmd {
	stages := m.stages()
	if len(stages) == 0 {
		return nil
	}
	m.lookAt(stages[max(0, min(m.stageAt()+n, len(stages)-1))].Name)
	return nil
}

func (m *Model) lookAt(stage string) {
	if stage == m.pipe.stage {
		return
	}
	m.pipe.stage, m.pipe.without = stage, false
	m.pipe.list.clear()
	if m.session.Evidence() != nil {
		m.makeFallen()
	}
}

// followPipeline makes what the view shows of the present result, and has what
// leaving out each stage would change looked up behind it: that is a ranking for
// each. It costs nothing while neither has changed.
func (m *Model) followPipeline() tea.Cmd {
	if m.view != viewPipeline || m.pipe.of == m.session.Result() && !m.pipe.narrowed {
		return nil
	}
	same := m.pipe.of == m.session.Result()
	m.pipe.of, m.pipe.narrowed = m.session.Result(), false
	if m.session.Result() == nil || m.session.Evidence() == nil {
		m.pipe.toggles = nil
		m.pipe.list.clear()
		return nil
	}
	var cmd tea.Cmd
	if !same {
		m.pipe.toggles = nil
		if m.session.Result().Mode == param.ModeChunk {
			of, ev, p := m.session.Result(), m.session.Evidence(), m.session.Params()
			cmd = func() tea.Msg { return togglesRanked{of: of, toggles: ev.Ablations(p)} }
		}
	}
	m.makeFallen()
	return cmd
}

// togglesRanked brings what leaving out each stage would change.
type togglesRanked struct {
	of      *retrieval.Result
	toggles []whynot.Ablation
}

func (msg togglesRanked) arrive(m *Model) tea.Cmd { //nolint:unparam // as every arrival
	if m.pipe.of != msg.of {
		return nil
	}
	m.pipe.toggles = msg.toggles
	m.makeFallen()
	return nil
}

// withoutStage is what leaving a stage out would be: the parameters, and the
// stage in words. Leaving out how the mode is decided is the other mode.
func (m *Model) withoutStage(name string) (param.Params, bool) {
	p := m.session.Params()
	if name == param.StageMode && m.session.Result() != nil {
		p.Mode = param.ModeFullContext
		if m.session.Result().Mode == param.ModeFullContext {
			p.Mode = param.ModeChunk
		}
		return p, true
	}
	without, ok := param.StageOff(p, name)
	return without, ok && without != p
}

func canLeaveOut(m *Model) (bool, string) {
	if ok, why := hasStages(m); !ok {
		return false, why
	}
	name := m.stages()[m.stageAt()].Name
	if _, ok := m.withoutStage(name); !ok {
		return false, "nothing works without the stage " + stageTitle(name)
	}
	return true, ""
}

func (m *Model) toggleWithout() tea.Cmd {
	m.pipe.without = !m.pipe.without
	m.pipe.list.At, m.pipe.list.Top = -1, 0
	m.makeFallen()
	return nil
}

// applyWithout changes the parameters so that the stage is left out.
func (m *Model) applyWithout() tea.Cmd {
	name := m.stages()[m.stageAt()].Name
	p, ok := m.withoutStage(name)
	if !ok {
		return nil
	}
	m.pipe.without = false
	m.pipe.list.clear() // another list: it begins at its top
	cmd := m.setParams(p, "")
	return tea.Batch(cmd, m.say("now "+withoutTitle(name, p)+"; {tune.undo} takes it back", false))
}

// openStage goes to what happened in the stage, and there to a section.
func (m *Model) openStage() tea.Cmd {
	if m.focus != paneFallen {
		return m.focusOn(paneFallen)
	}
	row := m.pipe.list.selected()
	if row == nil {
		return nil
	}
	for _, id := range []string{row.section, row.id} {
		if at := m.results.rowOf(id); at >= 0 {
			cmd := m.showView(viewExplore)
			m.results.goTo(at)
			return tea.Batch(cmd, m.focusOn(paneResults))
		}
	}
	return m.say("it is not in the list of results; {why.ask} says why", false)
}
