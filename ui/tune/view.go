package tune

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

// Pane is the pane's name.
const Pane view.Context = "tune"

// Needs are what the pane asks of the explorer beside what all views do.
type Needs struct {
	// Undo takes the last change of parameters back, Redo makes it again, and Pin
	// makes the present parameters the baseline or lets it go.
	Undo, Redo, Pin func() tea.Cmd
	// Changed shows what a change of the session has changed, and begins the work
	// that follows from it.
	Changed func(work []session.Work) tea.Cmd
	// Profiles are those that the parameters were started from.
	Profiles *session.Profiles
	// Read lists what the parameters can start from instead, which waits; nil are
	// the presets. Save writes one and says where; unless it is to replace, it fails
	// with [session.ErrProfileExists] when there is one of the name. nil saves none.
	Read func() ([]session.Profile, error)
	Save func(p session.Profile, replace bool) (where string, err error)
	// Note says how parameters were chosen, if that is known: a profile of them says so.
	Note func(p param.Params) string
	// IsTaken reports that a dialog or a line that is typed into has the keys.
	IsTaken func() bool
}

// View is the pane of parameters, as [view.Pane].
type View struct {
	view.Shell
	needs Needs

	w, h int
	// field is the parameter under the cursor; onFold says that it is the folding
	// row instead.
	field  string
	onFold bool
	// unfolded shows the parameters that the preset has no use for, too.
	unfolded bool
	pager    widget.Pager // over the lines of the rows

	rows []parameterRow
	of   rowsOf
	laid int // counts the changes of rows
	// arrived says what the last jump to a breakpoint did, as long as the value that
	// it led to stands.
	arrived   string
	arrivedAt param.Params

	looking looking
	drawn   widget.Drawing[drawing]
	version int // of what is known of the tracks
	// reading is that of the profiles: of two, the later one is shown.
	reading view.Work
}

// New is the pane before it was opened.
func New(s view.Shell, n Needs) *View { return &View{Shell: s, needs: n} }

// Actions are what can be done with parameters.
func (v *View) Actions() []view.Action {
	in := view.Contexts{Pane}
	return []view.Action{
		{
			ID: "tune.preset", Title: "Tune: Preset or profile", Words: "strategy", Short: "preset", Help: "Start from another preset, or from a profile.",
			Keys: []string{"p"}, Contexts: view.AnyPane, Run: v.chooseProfile,
		},
		{
			ID: "tune.less", Title: "Tune: Less", Short: "step", Help: "One step to the left on the track; of words, the one before.",
			Keys: []string{"left", "h"}, Contexts: in, Enabled: v.onParameter, Run: func() tea.Cmd { return v.step(-1, false) },
		},
		{
			ID: "tune.more", Title: "Tune: More", Short: "step", Help: "One step to the right on the track; of words, the next one.",
			Keys: []string{"right", "l"}, Contexts: in, Enabled: v.onParameter, Run: func() tea.Cmd { return v.step(1, false) },
		},
		{
			ID: "tune.muchless", Title: "Tune: Much less", Short: "coarse", Help: "A tenth of the track to the left.",
			Keys: []string{"shift+left", "H"}, Contexts: in, Enabled: v.onParameter, Run: func() tea.Cmd { return v.step(-1, true) },
		},
		{
			ID: "tune.muchmore", Title: "Tune: Much more", Help: "A tenth of the track to the right.",
			Keys: []string{"shift+right", "L"}, Contexts: in, Enabled: v.onParameter, Run: func() tea.Cmd { return v.step(1, true) },
		},
		{
			ID: "tune.previous", Title: "Tune: Change before", Short: "next change", Help: "To the left, to the next value at which the ranking changes.",
			Keys: []string{"["}, Contexts: in, Enabled: v.onParameter, Run: func() tea.Cmd { return v.jump(-1) },
		},
		{
			ID: "tune.next", Title: "Tune: Next change", Short: "next change", Help: "To the right, to the next value at which the ranking changes.",
			Keys: []string{"]"}, Contexts: in, Enabled: v.onParameter, Run: func() tea.Cmd { return v.jump(1) },
		},
		{
			ID: "tune.type", Title: "Tune: Type a value", Short: "value", Help: "Type a value or choose a word; on the last row, show or hide the parameters that the preset does not use.",
			Keys: []string{"enter", "space"}, Contexts: in, Run: v.typeValue,
		},
		{
			ID: "tune.default", Title: "Tune: Default", Words: "reset", Short: "default", Help: "Back to what the preset or profile gives.",
			Keys: []string{"backspace"}, Contexts: in, Enabled: v.onParameter, Run: func() tea.Cmd { return v.SetValue(v.field, v.Session().Start().Params.Get(v.field)) },
		},
		{
			ID: "tune.undo", Title: "Tune: Undo", Words: "revert take back", Short: "undo", Help: "Take the last change of parameters back; what a key changed while it was held down is one.",
			Keys: []string{"u"}, Contexts: view.AnyPane, Footer: 98, Run: v.needs.Undo,
			Enabled: func() (bool, string) { return v.Session().CanUndo(), "nothing to undo" },
		},
		{
			ID: "tune.redo", Title: "Tune: Redo", Help: "Make the change again that was taken back.",
			Keys: []string{"ctrl+r"}, Contexts: view.AnyPane, Run: v.needs.Redo,
			Enabled: func() (bool, string) { return v.Session().CanRedo(), "nothing to redo" },
		},
		{
			ID: "tune.pin", Title: "Tune: Compare from here", Words: "baseline pin", Short: "compare from here", Help: "Compare with the ranking as it is now; again to compare with the preset or profile that the parameters started from.",
			Keys: []string{"s"}, Contexts: view.AnyPane, Footer: 45, Run: v.needs.Pin,
		},
		{
			ID: "tune.save", Title: "Tune: Save as profile", Words: "store keep export preset", Help: "Save the parameters as a profile.", Outside: true,
			Keys: []string{"W"}, Contexts: view.AnyPane, Footer: 97, Enabled: v.canSaveProfile, Run: saving{v}.saveThese,
			Verb: func() string {
				if now := v.Session(); now.Params() == now.Start().Params {
					return "" // there is nothing to save
				}
				return "save"
			},
		},
		{
			ID: "tune.copy", Title: "Tune: Copy as .env", Words: "export settings environment", Short: "copy as .env", Help: "Copy all parameters as the lines of an environment file.", Outside: true,
			Keys: []string{"y"}, Contexts: in, Run: v.copyParams,
		},
	}
}

// Hint is what the footer says while the pane has the keys: the actions that one verb
// stands for, of which the last is done by a click. Where there is no room for all, verbs
// are Brief, and then those of least weight go.
type Hint struct {
	Verb, Brief string
	Weight      int
	Actions     []string
}

// Wanted is the weight from which on no hint gives way to the verbs of keys that are the same
// in all panes.
const Wanted = 35

// Hints are those of the pane. The way out is not among them: every pane has it.
func Hints() []Hint {
	return []Hint{
		{"step", "step", 100, []string{"tune.less", "tune.more"}},
		{"coarse", "coarse", 30, []string{"tune.muchless"}},
		{"next change", "change", 95, []string{"tune.previous", "tune.next"}},
		{"value", "value", 70, []string{"tune.type"}},
		{"default", "default", 60, []string{"tune.default"}},
		{"undo", "undo", 98, []string{"tune.undo"}},
		{"compare from here", "compare", 45, []string{"tune.pin"}},
		{"save", "save", 97, []string{"tune.save"}},
		{"copy as .env", "copy .env", 35, []string{"tune.copy"}},
		{"preset", "preset", 50, []string{"tune.preset"}},
	}
}

func (v *View) onParameter() (bool, string) {
	_, ok := v.selected()
	return ok && !v.onFold, "no parameter is selected"
}

// Open shows the row under the cursor, when the pane has come to the screen.
func (v *View) Open() { v.scroll() }

// Select puts the cursor on a parameter, for when the pane is opened.
func (v *View) Select(field string) { v.field, v.onFold = field, false }

// GoTo puts the cursor on a parameter and shows it, unfolding those that the preset has
// no use for where it is one of them.
func (v *View) GoTo(field string) {
	at := v.rowOf(field)
	if at < 0 {
		v.unfolded = true
		at = v.rowOf(field)
	}
	v.goTo(at)
	v.selectedAnother()
}

// Parameter is the parameter under the cursor, empty where that is on the row that folds.
func (v *View) Parameter() string {
	if v.onFold {
		return ""
	}
	return v.field
}

// SetSize implements [view.Pane].
func (v *View) SetSize(w, h int) {
	if v.w != w || v.h != h {
		v.w, v.h = w, h
		v.scroll()
	}
}

// Hidden implements [view.Pager].
func (v *View) Hidden() (above, below int) { return v.pager.Hidden() }

// Title implements [view.Pane].
func (v *View) Title() (name, note string) { return "Tune", v.Session().Name() }

// Move implements [view.Pane].
func (v *View) Move(verb widget.Verb) {
	v.layRows()
	if verb.Turns() {
		v.pager.Top += verb.Lines(0)
		v.pager.Resize(max(1, v.h-footHeight(v.w, v.h)), len(v.lines()))
		return
	}
	n := verb.Rows(v.h)
	if n < 0 {
		n = min(-1, n+2) // of a page, two rows stay
	} else {
		n = max(1, n-2)
	}
	l := widget.List{Pager: widget.Pager{Total: len(v.rows)}, At: v.at()}
	l.Walk(n, func(i int) bool { return v.rows[i].stops() })
	v.goTo(l.At)
	v.selectedAnother()
}

// selectedAnother follows the cursor.
func (v *View) selectedAnother() {
	v.arrived, v.looking.jump = "", 0
	v.scroll()
}

// Click selects a row; on a track it sets the value that stands there, on the
// folding row it folds.
func (v *View) Click(x, y int) tea.Cmd {
	v.layRows()
	lines := v.lines()
	at, ok := v.pager.RowOf(y)
	if !ok {
		return nil
	}
	i := lines[at].row
	if !v.rows[i].stops() {
		return nil
	}
	before := v.at()
	v.goTo(i)
	if v.rows[i].fold {
		return v.typeValue()
	}
	first := at == 0 || lines[at-1].row != i
	spec, ok := v.selected()
	if ok && first && (spec.Kind == param.KindInt || spec.Kind == param.KindFloat) {
		name, value, _ := v.sheet(v.w, true).words(&spec)
		from, n := trackOf(v.w, name, value)
		if at := x - from; at >= 0 && at < n {
			return v.SetValue(spec.Field, spec.At(float64(at)/float64(n-1)))
		}
	}
	if i != before {
		v.selectedAnother()
	}
	return nil
}
