package measure

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

// Table is the pane: the judged queries, below what the settings are worth on the whole.
const Table view.Context = "measured"

// Needs are what the view asks of the explorer around it, beside what every view may.
type Needs struct {
	// Choose has a setting chosen of those that are not taken.
	Choose func(title string, isTaken func(param.Params) bool, then func(session.Setting) tea.Cmd) tea.Cmd
	// OpenSet has a query set chosen.
	OpenSet func() tea.Cmd
	// Look shows the results of a query by the parameters that by sets, Judge has judged which
	// of them differ, and Why says why a text is not among them. All lead back, and put
	// back what by has changed.
	Look, Judge func(query string, by func() tea.Cmd) tea.Cmd
	Why         func(query string, by func() tea.Cmd, t whynot.Target) tea.Cmd
}

// View measures settings.
type View struct {
	view.Shell
	needs Needs

	// columns are the settings, of which the first is what the others are compared with;
	// at is the one under the cursor. They are shown for a set and a measure.
	columns []column
	at      int
	shown   string
	// order is how the queries are sorted, words narrow them.
	order order
	words string
	// all are the judged queries, rows those that are shown.
	all  []row
	rows []row
	// made is what all and rows were made of.
	made made
	list widget.List
	// above is how many lines stand above the first row, w how wide the pane is.
	above, w int
}

// New is the view before a set is open.
func New(s view.Shell, n Needs) *View {
	v := &View{Shell: s, needs: n}
	v.reset()
	return v
}

// reset compares the present parameters with the baseline.
func (v *View) reset() { v.columns, v.at = []column{{kind: baseline}, {kind: live}}, 1 }

// Panes implements [view.View].
func (v *View) Panes() []view.Context { return []view.Context{Table} }

// Pane implements [view.View].
func (v *View) Pane(view.Context) view.Pane { return pane{v} }

// Arrange implements [view.View].
func (v *View) Arrange(l *view.Layout, body image.Rectangle, _ int, _ bool) {
	l.Slots = []view.Slot{view.CutTitle(Table, body)}
}

// Enter implements [view.View].
func (v *View) Enter() tea.Cmd { return nil }

// Leave implements [view.View].
func (v *View) Leave() {
	v.reset()
	v.Session().Try()
	v.all, v.rows, v.made, v.words = nil, nil, made{}, ""
	v.list = widget.List{Pager: widget.Pager{Height: v.list.Height}}
}

// Follow implements [view.View]: what is shown is measured, and shown as far as that is known.
func (v *View) Follow() tea.Cmd {
	var cmd tea.Cmd
	if v.Session().Judged() != nil {
		if work := v.Session().Try(v.settings()...); work != nil {
			cmd = v.Begin(work)
		}
	}
	v.follow()
	return cmd
}

// Actions implements [view.View].
func (v *View) Actions() []view.Action {
	in := view.Contexts{Table}
	return []view.Action{
		{
			ID: "measure.open", Title: "Measure: Look at the query", Short: "what moved", Help: "Ask the selected query by the setting under the cursor, compared with A: what moved is marked.",
			Keys: []string{"enter"}, Contexts: in, Footer: 92, Enabled: v.hasRow, Run: v.open,
		},
		{
			ID: "measure.why", Title: "Measure: Why is the judged page there, or missing", Short: "why", Words: "missing explain dropped", Help: "Say where the best judged page of the query stands by the setting under the cursor, or which stage dropped it.",
			Keys: []string{"e"}, Contexts: in, Footer: 90, Enabled: v.hasRow, Run: v.why,
		},
		{
			ID: "measure.judge", Title: "Measure: Judge what differs", Short: "judge what differs", Words: "unjudged holes coverage", Help: "Judge what the setting under the cursor and A do not both return for the selected query.",
			Keys: []string{"d"}, Contexts: in, Footer: 68, Enabled: v.canJudge, Run: v.judge,
		},
		{
			ID: "measure.next", Title: "Measure: Next setting", Short: "setting", Help: "Go to the column of the next setting, which is then compared with A.",
			Keys: []string{"right", "l"}, Contexts: in, Footer: 60, Enabled: v.isOpen, Run: func() tea.Cmd { return v.step(1) },
		},
		{
			ID: "measure.previous", Title: "Measure: Setting before", Help: "Go to the column of the setting before.",
			Keys: []string{"left", "h"}, Contexts: in, Enabled: v.isOpen, Run: func() tea.Cmd { return v.step(-1) },
		},
		{
			ID: "measure.order", Title: "Measure: Sort the queries", Short: "sort", Help: "Sort by what differs most, what lost or won most, the lowest value, or as in the set.",
			Keys: []string{"o"}, Contexts: in, Footer: 80, Enabled: v.hasRows, Run: v.sortNext,
		},
		{
			ID: "measure.filter", Title: "Measure: Only queries with…", Short: "filter", Words: "tag narrow find search", Help: "Show only queries with some words in their text, their tags, or in won, lost and tied.",
			Keys: []string{"f"}, Contexts: in, Footer: 78, Enabled: v.hasRows, Run: choosing{v}.filter,
		},
		{
			ID: "measure.by", Title: "Measure: By another measure…", Short: "measure", Words: "ndcg precision recall reciprocal rank mrr map", Help: "Choose the measure, also for the line of the header.",
			Keys: []string{"m"}, Contexts: in, Footer: 76, Enabled: v.isOpen, Run: choosing{v}.measure,
		},
		{
			ID: "measure.add", Title: "Measure: Add a setting…", Short: "add", Words: "preset profile snapshot configuration column heat map", Help: "Measure a preset, profile or snapshot as well: from three on, the queries are a map.",
			Keys: []string{"c"}, Contexts: in, Footer: 74, Enabled: v.canAdd, Run: choosing{v}.add,
		},
		{
			ID: "measure.remove", Title: "Measure: Leave out the setting", Short: "leave out", Help: "Leave out the setting under the cursor.",
			Keys: []string{"x"}, Contexts: in, Footer: 58, Enabled: v.canRemove, Run: v.remove,
		},
		{
			ID: "measure.a", Title: "Measure: Choose A…", Short: "A", Help: "Choose what the other settings are compared with.",
			Keys: []string{"a"}, Contexts: in, Footer: 72, Enabled: v.isOpen, Run: choosing{v}.chooseA,
		},
		{
			ID: "measure.b", Title: "Measure: Choose B…", Short: "B", Help: "Put another setting in the place of the one under the cursor.",
			Keys: []string{"b"}, Contexts: in, Footer: 70, Enabled: v.isOpen, Run: choosing{v}.chooseB,
		},
		{
			ID: "measure.set", Title: "Measure: Open a query set…", Help: "Open another query set, or make one.",
			Keys: []string{"O"}, Contexts: in, Run: v.needs.OpenSet,
		},
		{
			ID: "measure.again", Title: "Measure: Again", Words: "refresh reload", Help: "Read the set again, ask the corpus again, and measure all of it.",
			Keys: []string{"R"}, Contexts: in, Enabled: v.hasSet, Run: func() tea.Cmd { return v.Begin(v.Session().OpenSet(v.Session().SetName())) },
		},
	}
}

func (v *View) isOpen() (bool, string) {
	return v.Session().Judged() != nil, "no query set is open: {judge.toggle} opens one"
}

func (v *View) hasSet() (bool, string) {
	return v.Session().SetName() != "", "no query set is open: {judge.toggle} opens one"
}

func (v *View) hasRows() (bool, string) {
	if ok, why := v.isOpen(); !ok {
		return false, why
	}
	return len(v.all) > 0, "nothing is measured yet"
}

func (v *View) hasRow() (bool, string) {
	if ok, why := v.hasRows(); !ok {
		return false, why
	}
	return v.selected() != nil, "no query is selected"
}

func (v *View) canJudge() (bool, string) {
	if ok, why := v.hasRow(); !ok {
		return false, why
	}
	return !v.isAlone(), "there is A alone, and nothing that it differs from: {tune.open} changes a parameter, {measure.b} chooses another setting"
}

// sortNext sorts by the next order.
func (v *View) sortNext() tea.Cmd {
	v.order = (v.order + 1) % orders
	v.list.Go(0)
	return nil
}
