package pipeline

import (
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
)

// The panes.
const (
	// Stages is the line of stages, Outcome what happened in one of them, which "keys --json"
	// calls by its older name.
	Stages  view.Context = "stages"
	Outcome view.Context = "fallen"
)

// View is the view of stages.
type View struct {
	view.Shell
	// stage is the name of the one that is looked at; it survives a new ranking.
	stage string
	// without shows what would change without the stage instead of what it did.
	without bool

	// of is the result that the rest was made for; resized says that the list has
	// another size since.
	of      *retrieval.Result
	resized bool
	list    outcomeList
	// w and h are the cells of the line of stages.
	w, h int
}

// New is the view before anything was asked.
func New(s view.Shell) *View { return &View{Shell: s} }

// Panes implements [view.View].
func (v *View) Panes() []view.Context { return []view.Context{Stages, Outcome} }

// Pane implements [view.View].
func (v *View) Pane(name view.Context) view.Pane {
	if name == Stages {
		return stagesPane{v}
	}
	return outcomePane{v}
}

// The rows of the stages, their title included: three tenths of the screen, and not more
// than the flow makes something of.
const leastStages, mostStages = 9, 12

// Arrange has the stages above what happened in one of them.
func (v *View) Arrange(l *view.Layout, body image.Rectangle, _ int, _ bool) {
	rows := max(leastStages, min(body.Dy()*3/10, mostStages))
	l.Slots = view.Above(body, min(rows, body.Dy()/2), Stages, Outcome)
}

// Enter implements [view.View].
func (v *View) Enter() tea.Cmd { return nil }

// Leave implements [view.View].
func (v *View) Leave() { *v = View{Shell: v.Shell, w: v.w, h: v.h} }

// Stage is the name of the stage that is looked at.
func (v *View) Stage() string {
	if stages := v.stages(); len(stages) > 0 {
		return stages[v.stageAt()].Name
	}
	return ""
}

// Listed are the chunks that are listed of the stage, in their order, also those that are
// folded.
func (v *View) Listed() []view.Chunk {
	var all []view.Chunk
	for i := range v.list.groups {
		for _, c := range v.list.groups[i].all {
			all = append(all, view.Chunk{ID: c.id, Section: c.section})
		}
	}
	return all
}

// Actions implements [view.View].
func (v *View) Actions() []view.Action {
	both := view.Contexts{Stages, Outcome}
	return []view.Action{
		{
			ID: "stages.next", Title: "Pipeline: Next stage", Short: "stage", Help: "Look at the next stage.",
			Keys: []string{"right", "l"}, Contexts: both, Footer: 90, Run: func() tea.Cmd { return v.walk(1) },
		},
		{
			ID: "stages.previous", Title: "Pipeline: Previous stage", Help: "Look at the stage before.",
			Keys: []string{"left", "h"}, Contexts: both, Run: func() tea.Cmd { return v.walk(-1) },
		},
		{
			ID: "stages.without", Title: "Pipeline: Without this stage", Short: "without it", Help: "Show what would enter, leave and move without this stage, or what it did.",
			Keys: []string{"x"}, Contexts: both, Footer: 85, Enabled: v.canLeaveOut, Run: v.toggleWithout,
			Verb: func() string {
				if v.without {
					return "what it did"
				}
				return ""
			},
		},
		{
			ID: "stages.apply", Title: "Pipeline: Leave the stage out", Short: "apply", Help: "Change the parameters so that the stage is left out; u takes it back.",
			Keys: []string{"X"}, Contexts: both, Enabled: v.canLeaveOut, Run: v.applyWithout,
		},
		{
			ID: "stages.open", Title: "Pipeline: Open", Short: "open", Help: "Go to what happened in the stage; there, to the selected section, or unfold a group.",
			Keys: []string{"enter"}, Contexts: both, Footer: 60, Enabled: v.hasStages, Run: v.open,
		},
		{
			ID: "stages.fold", Title: "Pipeline: Fold", Short: "fold", Help: "Show all candidates that share a reason, or their number alone.",
			Keys: []string{"space"}, Contexts: view.Contexts{Outcome}, Footer: 65, Enabled: v.canFold, Run: v.fold,
			Verb: func() string {
				if g := v.list.foldable(); g != nil && v.list.hides(g) {
					return "show all"
				}
				return ""
			},
		},
		{
			ID: "stages.copy", Title: "Pipeline: Copy", Words: "export clipboard", Help: "Copy the names and numbers of what happened in the stage, as text.", Outside: true,
			Keys: []string{"y"}, Contexts: both, Enabled: v.hasStages, Run: v.copy,
		},
	}
}

// stages are the stages of the shown result.
func (v *View) stages() []retrieval.Stage {
	if v.Session().Result() == nil || v.Session().Result().Trace == nil {
		return nil
	}
	return v.Session().Result().Trace.Stages
}

func (v *View) hasStages() (bool, string) {
	return len(v.stages()) > 0, "ask a query first: it is what runs through the stages"
}

// stageAt is the index of the stage that is looked at: after a new ranking that
// has no such stage, the one that dropped the most.
func (v *View) stageAt() int {
	stages := v.stages()
	at := slices.IndexFunc(stages, func(s retrieval.Stage) bool { return s.Name == v.stage })
	if at < 0 {
		at = mostDropped(stages)
	}
	return max(at, 0)
}

// mostDropped is the index of the stage that dropped the most, -1 where none did.
func mostDropped(stages []retrieval.Stage) int {
	at, most := -1, 0
	for i := range stages {
		if n := len(stages[i].Dropped); n > most {
			at, most = i, n
		}
	}
	return at
}

// walk looks at another stage.
func (v *View) walk(n int) tea.Cmd {
	stages := v.stages()
	if len(stages) == 0 {
		return nil
	}
	v.lookAt(stages[max(0, min(v.stageAt()+n, len(stages)-1))].Name)
	return nil
}

func (v *View) lookAt(stage string) {
	if stage == v.stage {
		return
	}
	v.stage, v.without = stage, false
	v.list.clear()
	if v.Session().Evidence() != nil {
		v.makeOutcome()
	}
}

// Follow makes what the view shows of the present result, and has what
// leaving out each stage would change looked up behind it: that is a ranking for
// each. It costs nothing while neither has changed.
func (v *View) Follow() tea.Cmd {
	if v.of == v.Session().Result() && !v.resized {
		return nil
	}
	same := v.of == v.Session().Result()
	v.of, v.resized = v.Session().Result(), false
	if v.of == nil || v.Session().Evidence() == nil {
		v.list.clear()
		return nil
	}
	var cmd tea.Cmd
	if !same {
		cmd = v.Begin(v.Session().Ablate())
	}
	v.makeOutcome()
	return cmd
}

// Take implements [view.Taker]: what leaving out each stage would change stands in the
// list.
func (v *View) Take(d session.Done) tea.Cmd {
	if d.Kind == session.KindAblations && v.of != nil && v.of == v.Session().Result() {
		v.makeOutcome()
	}
	return nil
}

// withoutStage is what leaving a stage out would be: the parameters, and the
// stage in words. Leaving out how the mode is decided is the other mode.
func (v *View) withoutStage(name string) (param.Params, bool) {
	p := v.Session().Params()
	if name == param.StageMode && v.Session().Result() != nil {
		p.Mode = param.ModeFullContext
		if v.Session().Result().Mode == param.ModeFullContext {
			p.Mode = param.ModeChunk
		}
		return p, true
	}
	without, ok := param.StageOff(p, name)
	return without, ok && without != p
}

func (v *View) canLeaveOut() (bool, string) {
	if ok, why := v.hasStages(); !ok {
		return false, why
	}
	why := v.staysIn(v.stages()[v.stageAt()].Name)
	return why == "", why
}

// staysIn says why a stage cannot be left out, empty where it can.
func (v *View) staysIn(name string) string {
	p, ok := v.withoutStage(name)
	_, hasSwitch := param.StageOff(p, name)
	switch {
	case ok:
		return ""
	case hasSwitch:
		return "the stage " + stageTitle(name) + " is off already"
	}
	return "the stage " + stageTitle(name) + " is always there, and cannot be left out"
}

func (v *View) toggleWithout() tea.Cmd {
	v.without = !v.without
	v.list.At, v.list.Top = -1, 0
	v.makeOutcome()
	return nil
}

// applyWithout changes the parameters so that the stage is left out.
func (v *View) applyWithout() tea.Cmd {
	name := v.stages()[v.stageAt()].Name
	p, ok := v.withoutStage(name)
	if !ok {
		return nil
	}
	v.without = false
	v.list.clear() // another list: it begins at its top
	cmd := v.Set(p, "")
	return tea.Batch(cmd, v.Say("now "+withoutTitle(name, p)+"; {tune.undo} takes it back", false))
}

// open goes to what happened in the stage, and there to a section.
func (v *View) open() tea.Cmd {
	if v.Focused() != Outcome {
		return v.Focus(Outcome)
	}
	row := v.list.selected()
	if row == nil {
		return v.fold()
	}
	if cmd, ok := v.OpenResult(row.section, row.id); ok {
		return cmd
	}
	return v.Say("it is not in the list of results; {why.ask} says why", false)
}

func (v *View) canFold() (bool, string) {
	return v.list.foldable() != nil, "no group of candidates is selected"
}

func (v *View) fold() tea.Cmd {
	v.list.fold()
	return nil
}

// copy copies what the pane of the stage lists, what is folded included.
func (v *View) copy() tea.Cmd {
	var b strings.Builder
	name, note := outcomePane{v}.Title()
	b.WriteString(name + "  " + note + "\n")
	for _, text := range v.list.text {
		b.WriteString(text + "\n")
	}
	for i := range v.list.groups {
		g := &v.list.groups[i]
		b.WriteString(strings.TrimSpace(g.what+"  "+g.why) + "\n")
		for k := range g.all {
			c := &g.all[k]
			b.WriteString(strings.Join([]string{strings.TrimSpace(c.value), c.way(), c.into, c.note}, "\t") + "\n")
		}
	}
	return v.Copy("stage", b.String())
}
