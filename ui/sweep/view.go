package sweep

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/sweep"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

// The panes: Knobs has what is to be tried, Finding what came of it.
const (
	Knobs   view.Context = "knobs"
	Finding view.Context = "finding"
)

// Needs are what the view asks of the explorer around it, beside what every view may.
type Needs struct {
	// Version is that of the program.
	Version string
	// IsTour reports that a tour plays, which may write no files.
	IsTour func() bool
	// Save saves parameters that started from others as a profile with a note, and asks for
	// its name, which is proposed; nil saves none.
	Save func(name string, p param.Params, start session.Setting, note string) tea.Cmd
	// Judge asks a query by the parameters that by sets, has judged which of its results
	// differ from those before, and leads back.
	Judge func(query string, by func() tea.Cmd) tea.Cmd
}

// View is what is swept.
type View struct {
	view.Shell
	needs Needs

	// list is over rows; unfolded has those of parameters that are not in use, too.
	list     widget.List
	rows     []row
	unfolded bool
	// marked are the parameters that are to be moved, in the order in which they were marked;
	// given are the values that were typed for some.
	marked []string
	// lone is the mark that running made where there was none, and takes along with the
	// cursor; empty for none.
	lone  string
	given map[string]string
	// measure, limits and search are what else the plan has.
	measure evaluation.Measure
	limits  []sweep.Constraint
	search  sweep.Search
	// terrain says which parameters change anything; it is nil while that is not known.
	// surveyed is what it is of, or will be.
	terrain  *sweep.Terrain
	surveyed surveyed
	// version counts changes of the plan; of is what the estimate is of, nil while it is
	// not known, or failed.
	version  int
	of       planned
	estimate *sweep.Estimate
	failed   error
	// wanted says that the sweep is to begin as soon as it is known how long it takes.
	wanted  bool
	ticking view.Work

	// begun is the sweep that is under way or that is shown; stopped says how far one came
	// that was stopped.
	begun   begun
	stopped *sweep.Progress
	gone    error // why it failed
	looking view.Work
	shown   *shown
	// notes say of winners how they were chosen.
	notes map[param.Params]string
	h     int // of the finding
	// drawnAt is where its picture stands.
	drawnAt image.Rectangle
}

// planned is what an estimate depends on.
type planned struct {
	params  param.Params
	set     *session.Judged
	version int
}

// begun is a sweep with what it was of.
type begun struct {
	plan *sweep.Plan
	// from is what the parameters were called, start what they started from.
	from  string
	start session.Setting
	// set is the name of the query set, judged the set as it was.
	set    string
	judged *session.Judged
}

// named is the name of the set, with what is to be known of its queries.
func (b *begun) named() string {
	if b.judged == nil {
		return b.set
	}
	return b.judged.Titled(b.set)
}

var _ view.Taker = (*View)(nil)

// New is the view before anything is marked.
func New(s view.Shell, n Needs) *View {
	return &View{Shell: s, needs: n, given: map[string]string{}, notes: map[param.Params]string{}, measure: evaluation.MustMeasure("nDCG@10")}
}

// Panes implements [view.View].
func (v *View) Panes() []view.Context { return []view.Context{Knobs, Finding} }

// Pane implements [view.View].
func (v *View) Pane(name view.Context) view.Pane {
	if name == Finding {
		return findingPane{v}
	}
	return knobsPane{v}
}

// knobsShare is the part of the screen, in percent, that the parameters have beside the
// finding, knobsRows how many rows above it.
const (
	knobsShare = 34
	knobsRows  = 7
)

// Arrange has the parameters at the left of the finding or, on a screen that is too narrow,
// above it.
func (v *View) Arrange(l *view.Layout, body image.Rectangle, split int, upright bool) {
	if upright {
		l.Slots = view.Above(body, min(knobsRows, body.Dy()*2/5), Knobs, Finding)
		return
	}
	left, right := l.Columns(body, knobsShare, split)
	l.Slots = []view.Slot{view.CutTitle(Knobs, left), view.CutTitle(Finding, right)}
}

// Enter implements [view.View].
func (v *View) Enter() tea.Cmd { return nil }

// Leave implements [view.View].
func (v *View) Leave() {
	v.looking.End()
	v.ticking.End()
	*v = View{
		Shell: v.Shell, needs: v.needs, marked: v.marked, given: v.given, measure: v.measure, limits: v.limits, search: v.search,
		notes: map[param.Params]string{}, looking: v.looking, ticking: v.ticking, version: v.version + 1, h: v.h,
	}
}

// Follow implements [view.View]: what is tried follows the present parameters, and so how long
// it takes.
func (v *View) Follow() tea.Cmd {
	now := v.Session()
	of := planned{now.Params(), now.Judged(), v.version}
	if v.rows != nil && of == v.of {
		return nil
	}
	v.of, v.estimate, v.failed = of, nil, nil
	v.layRows()
	switch {
	case of.set == nil || now.Sweeping() != nil:
		return nil
	case len(v.marked) == 0:
		return surveying{v}.begin()
	}
	plan, err := planning{v}.plan()
	if err != nil {
		v.failed, v.wanted = err, false
		return nil
	}
	return v.Begin(now.EstimateSweep(plan))
}

// Actions implements [view.View].
func (v *View) Actions() []view.Action {
	plan := planning{v}
	own, knobs, finding := view.Contexts{Knobs, Finding}, view.Contexts{Knobs}, view.Contexts{Finding}
	return []view.Action{
		{
			ID: "sweep.mark", Title: "Sweep: Mark", Short: "mark", Help: "Mark a parameter to be moved, or no more; on another row, change what it says.",
			Keys: []string{"space", "enter"}, Contexts: knobs, Footer: 96, Run: plan.act,
		},
		{
			ID: "sweep.values", Title: "Sweep: Values to try…", Words: "range steps", Short: "values", Help: "Type which values of the parameter are tried: a range, steps or a list.",
			Keys: []string{"v"}, Contexts: knobs, Footer: 90, Enabled: v.onKnob, Run: plan.typeValues,
		},
		{
			ID: "sweep.run", Title: "Sweep: Run", Words: "optimise optimize search grid best tune automatically", Short: "run", Help: "Rank the queries of the set by all settings, and say whether any is better.",
			Keys: []string{"r"}, Contexts: own, Footer: 98, Enabled: v.canRun, Run: plan.run,
		},
		{
			ID: "sweep.keep", Title: "Sweep: Keep the winner as a profile…", Words: "save", Short: "keep the winner", Help: "Save the best setting as a profile, with how it was chosen and what it is worth.", Outside: true,
			Keys: []string{"K"}, Contexts: own, Footer: 95, Enabled: v.canKeep, Run: v.keep,
		},
		{
			ID: "sweep.use", Title: "Sweep: Use this setting", Short: "use it", Help: "Make the setting under the cursor the present parameters; u takes it back.",
			Keys: []string{"enter"}, Contexts: finding, Footer: 97, Enabled: v.hasSetting, Run: v.use,
		},
		{
			ID: "sweep.judge", Title: "Sweep: Judge what differs", Short: "judge what differs", Words: "unjudged holes coverage", Help: "Judge what the setting under the cursor, or else the winner, returns and the present one does not, for the query of which least is judged.",
			Keys: []string{"d"}, Contexts: own, Footer: 72, Enabled: v.canJudge, Run: v.judge,
		},
		{
			ID: "sweep.less", Title: "Sweep: To the left", Short: "value", Help: "Look at the value before.",
			Keys: []string{"left", "h"}, Contexts: finding, Footer: 80, Enabled: v.hasShown, Run: func() tea.Cmd { return v.walk(-1) },
		},
		{
			ID: "sweep.more", Title: "Sweep: To the right", Help: "Look at the next value.",
			Keys: []string{"right", "l"}, Contexts: finding, Enabled: v.hasShown, Run: func() tea.Cmd { return v.walk(1) },
		},
		{
			ID: "sweep.picture", Title: "Sweep: Another picture", Words: "curve map heat best table halves", Short: "picture", Help: "Show the next picture: curves, the map of two parameters, the best settings, the frontier, and the halves.",
			Keys: []string{"]", "c"}, Contexts: own, Footer: 88, Enabled: v.hasShown, Run: func() tea.Cmd { return v.turn(1) },
		},
		{
			ID: "sweep.picturebefore", Title: "Sweep: The picture before", Help: "Show the picture before.",
			Keys: []string{"["}, Contexts: own, Enabled: v.hasShown, Run: func() tea.Cmd { return v.turn(-1) },
		},
		{
			ID: "sweep.frontier", Title: "Sweep: Quality against tokens", Words: "frontier pareto", Short: "frontier", Help: "List the settings that none beats in both the measure and the tokens returned, or go back.",
			Keys: []string{"T"}, Contexts: own, Footer: 70, Enabled: v.hasShown, Run: v.toFrontier,
		},
	}
}

func (v *View) onKnob() (bool, string) {
	r := v.row()
	return r != nil && r.field != "", "no parameter is selected"
}

func (v *View) canRun() (bool, string) {
	switch now := v.Session(); {
	case now.Corpus() == nil:
		return false, "the corpus is not open yet"
	case now.Corpus().Measurer == nil:
		return false, "a recording is not swept: it has no pages"
	case now.SetName() == "":
		return false, "no query set is open: {judge.toggle} opens one"
	case now.Judged() == nil:
		return false, "the query set is being opened"
	case now.Judged().Measurable() == 0:
		return false, "nothing of the set is judged yet: {judge.toggle} judges"
	case now.Sweeping() != nil:
		return false, "a sweep is under way: {go.back} stops it"
	}
	return true, ""
}

func (v *View) hasShown() (bool, string) {
	if v.shown == nil && v.Session().Sweeping() != nil {
		return false, "the sweep is under way, and shows what it found when it is done"
	}
	return v.shown != nil, "nothing was swept yet"
}

// Stop is what ends the sweep that is under way: a verb and the end; nil where none is.
func (v *View) Stop() (verb string, stop func() tea.Cmd) {
	if v.Session().Sweeping() == nil {
		return "", nil
	}
	return "stop", planning{v}.stop
}
