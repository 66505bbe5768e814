package whynot

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Needs are what the view asks of the explorer around it, beside what every view may.
type Needs struct {
	// Selected is the selected row of the list of results, nil for none and while that
	// is not shown. Target is what is selected elsewhere.
	Selected func() *retrieval.Item
	Target   func() (t whynot.Target, ok bool)
	// InResults are the contexts in which results are listed. ShowResults goes there,
	// Reveal selects a result.
	InResults   view.Contexts
	ShowResults func() tea.Cmd
	Reveal      func(*retrieval.Item)
	// Watch watches the query with a page that it must return.
	Watch func(view.Page) tea.Cmd
	// Close closes a dialog that is open, with those above it.
	Close func(view.Dialog)
	// Left is done once the dialog was left with nothing let in.
	Left func() tea.Cmd
}

// View is what is known while one asks why a text is missing.
type View struct {
	view.Shell
	needs Needs
	// shown is the dialog, nil while it is closed.
	shown *dialog
	// entries are what can be picked, of the corpus of; nil before they are read.
	entries *catalogue
	of      *session.Corpus
	// listing makes entries of what can be picked, matching compares them with what is typed,
	// spinning is between two steps of the spinner.
	listing, matching, spinning view.Work
	// admitting asks the watched queries what is best let in.
	admitting view.Work
	// wanted is what is to be selected once it is among the results.
	wanted *wanted
	// later is what is asked once its query is answered, nil for nothing.
	later *asked
}

// New is the view before anything was asked.
func New(s view.Shell, n Needs) *View { return &View{Shell: s, needs: n} }

// IsLooking reports that a text is being looked into.
func (v *View) IsLooking() bool { return v.shown != nil && v.shown.stage == looking }

// passages is how many the corpus has, 0 while that is not known.
func (v *View) passages() int {
	if s := v.Session().Summary(); s != nil {
		return s.Children
	}
	return 0
}

// Report is what is shown of a text, nil while there is none.
func (v *View) Report() *whynot.Report {
	if v.shown == nil {
		return nil
	}
	return v.shown.report
}

// Actions are what can be done in every pane.
func (v *View) Actions() []view.Action {
	return []view.Action{
		{
			ID: "why.ask", Title: "Why not: Ask about a section", Words: "missing absent dropped explain", Short: "why not", Help: "Say why a section is missing, or present, and what would let it in.",
			Keys: []string{"w"}, Contexts: view.AnyPane, Footer: 77, Enabled: v.canAsk,
			Run: v.askSelected, Verb: v.verb,
		},
		{
			ID: "why.pick", Title: "Why not: Pick any page or section", Help: "Find a page or section by its name, address or words, and say why it is missing.",
			Contexts: view.AnyPane, Enabled: v.canAsk, Run: v.Pick,
		},
	}
}

func (v *View) canAsk() (bool, string) {
	switch {
	case v.Session().Corpus() == nil:
		return false, "no corpus is open"
	case v.Session().Query() == "":
		return false, v.Keyed("ask a query first ({query.edit}): what is missing depends on it")
	}
	return true, ""
}

// Hint leads from an empty list to the answer.
func (v *View) Hint() string {
	if it := v.needs.Selected(); it != nil && it.Why != nil {
		return "{why.ask} says what would let the selected one in; {why.ask} again asks about any other page."
	}
	return "{why.ask} says of any page why it is missing, and what would let it in."
}

// verb is what asking does now, empty for what it always does.
func (v *View) verb() string {
	if it := v.needs.Selected(); it != nil && it.Why != nil {
		return "why, and let it in"
	}
	return ""
}

// askSelected asks about the selected section; where none is selected, or one that is
// among the results, another is picked.
func (v *View) askSelected() tea.Cmd {
	if it := v.needs.Selected(); it != nil {
		if it.Why == nil {
			return v.pickBeside(it) // it is there: another one is missed
		}
		return v.Ask(whynot.Target{ChunkID: it.ChunkID})
	}
	if t, ok := v.needs.Target(); ok {
		return v.Ask(t)
	}
	return v.Pick()
}

// Ask answers why a text is not among the results, in a dialog.
func (v *View) Ask(t whynot.Target) tea.Cmd {
	if ok, why := v.canAsk(); !ok {
		return v.Say(why, false)
	}
	return v.lookInto(v.open(), t)
}

// Pick opens the dialog where a text is picked.
func (v *View) Pick() tea.Cmd { return v.pickBeside(nil) }

// pickBeside does so with a section that is among the results, if not nil, before
// all others: why it is there.
func (v *View) pickBeside(it *retrieval.Item) tea.Cmd {
	d := v.open()
	if it != nil {
		d.picker.here = &row{target: whynot.Target{ChunkID: it.ChunkID}, here: cmp.Or(wording.ListedTrail(it, v.TitleSuffixes()), "(no heading)")}
	}
	d.fromPicker = true
	return v.startPicking(d)
}

// open shows the dialog, or what is left of it when it is open already.
func (v *View) open() *dialog {
	d := newDialog(v)
	if v.shown != nil {
		v.shown.judging.End()
		v.needs.Close(v.shown)
	}
	v.shown = d
	v.Push(d)
	return d
}

// Leave closes the dialog and forgets what can be picked: the corpus is left.
func (v *View) Leave() {
	if v.shown != nil {
		v.needs.Close(v.shown)
		v.close()
	}
	v.listing.End()
	v.entries, v.of, v.wanted, v.later = nil, nil, nil, nil
}

// Reindexed asks again what the dialog waits for, which was given up: the corpus has other
// pages now.
func (v *View) Reindexed() tea.Cmd {
	d := v.shown
	switch {
	case d == nil:
	case d.stage == looking:
		return v.lookInto(d, d.target)
	case d.stage == picking && d.picker.entries == nil && d.picker.failed == "":
		return v.Begin(v.Session().ListSections(mostListed, -1))
	}
	return nil
}

// close ends what the dialog has begun.
func (v *View) close() {
	v.Session().StopWhy()
	v.matching.End()
	v.shown.judging.End()
	v.shown = nil
}

// Take implements [view.Taker].
func (v *View) Take(d session.Done) tea.Cmd {
	switch d.Kind {
	case session.KindWhy:
		return v.takeReport(d)
	case session.KindAdmit:
		return v.admitted(d)
	case session.KindSections:
		return v.takeList(d)
	default:
		return nil
	}
}
