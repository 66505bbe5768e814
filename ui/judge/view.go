package judge

import (
	"image"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/rendering"
	"github.com/webrag/webrag-tui/ui/view"
)

// The panes, and the context of the keys that grade: they come before those of the pane
// that has the keys, see [View.Takes].
const (
	// Candidate shows a text that is to be judged, Queries those of the set.
	Candidate view.Context = "candidate"
	Queries   view.Context = "queries"
	Grading   view.Context = "judging"
)

// Needs are what the view asks of the explorer around it, beside what every view may.
type Needs struct {
	// InPlace are the contexts in which the selected section of the result is graded.
	InPlace view.Contexts
	// Selected is that section, with its text as far as that was read; nil for none.
	Selected func() *retrieval.Item
	// Passage ends selecting a passage of it and returns what was selected, with the code
	// point of the page that it begins at; empty where nothing was. ok is false where the
	// form that is shown does not say where the passage stands.
	Passage func() (text string, start int, ok bool)
	// Next selects the next listed section that is wanted, and reports whether there is one.
	Next func(wanted func(*retrieval.Item) bool) bool
	// Redraw draws the list of results with other grades.
	Redraw func()
	// Ask asks a query in place of the present one, and stays in the view.
	Ask func(query string) tea.Cmd
	// Keep writes what is kept between runs; Place tells the present corpus from others,
	// and is empty for one that nothing is kept of.
	Keep  func() tea.Cmd
	Place func() string
	// Profiles lists the presets and profiles, which waits; nil are the presets. Suit
	// gives one as it suits the present corpus.
	Profiles func() ([]session.Profile, error)
	Suit     func(session.Profile) session.Profile
}

// View is what is judged and measured.
type View struct {
	view.Shell
	needs Needs
	// kept are the sets that were last open, by the place of their corpus.
	kept map[string]string
	// on says that the selected section of the result is graded; wanted that it is to be,
	// once a set is open.
	on, wanted bool
	// grades are those of the open set, and those that are being written to it.
	grades grades
	// told is what was last said of a failure to open the set, or to write to it.
	told string
	// reading reads sets and profiles, making makes a set.
	reading, making view.Work

	pool      pool
	list      queryList
	text      shownText
	ready     *rendering.Cache
	rendering view.Work
	// open says that ranks are shown before a candidate is judged, changed that only what
	// not all rankings return is.
	open, changed bool
	// more are rankings beside the present one and the baseline.
	more []session.Setting
	// texts are sections that were read, reading those that are on their way.
	texts view.Latest[store.Chunk]
	asked map[string]bool
}

var _ view.Taker = (*View)(nil)

// readyKept is how many rendered candidates are kept, textsKept how many sections that were
// read for them.
const (
	readyKept = 40
	textsKept = 400
)

// New is the view before a set is open.
func New(s view.Shell, n Needs) *View {
	return &View{Shell: s, needs: n, ready: rendering.NewCache(readyKept)}
}

// Panes implements [view.View].
func (v *View) Panes() []view.Context { return []view.Context{Candidate, Queries} }

// Pane implements [view.View].
func (v *View) Pane(name view.Context) view.Pane {
	if name == Queries {
		return queriesPane{v}
	}
	return candidatePane{v}
}

// queriesShare is the part of the screen, in percent, that the queries have beside the
// candidate, queriesRows how many rows above it.
const (
	queriesShare = 32
	queriesRows  = 7
)

// Arrange has the queries at the left of the candidate or, on a screen that is too narrow,
// above it.
func (v *View) Arrange(l *view.Layout, body image.Rectangle, split int, upright bool) {
	if upright {
		l.Slots = view.Above(body, min(queriesRows, body.Dy()/3), Queries, Candidate)
		return
	}
	left, right := l.Columns(body, queriesShare, split)
	l.Slots = []view.Slot{view.CutTitle(Queries, left), view.CutTitle(Candidate, right)}
}

// Enter implements [view.View].
func (v *View) Enter() tea.Cmd {
	v.list.toCurrent(v.Session())
	return toList(v)
}

// toList gives the keys to the queries while there is no candidate that they could act on.
func toList(v *View) tea.Cmd {
	if now := v.Session(); now.Query() == "" && now.Judged() != nil && len(now.Judged().Queries) > 0 && v.Focused() == Candidate {
		return v.Focus(Queries)
	}
	return nil
}

// Leave implements [view.View].
func (v *View) Leave() {
	v.reading.End()
	v.rendering.End()
	v.grades, v.pool, v.list, v.on, v.wanted = grades{}, pool{}, queryList{}, false, false
	v.texts, v.asked, v.text, v.more = view.Latest[store.Chunk]{}, nil, shownText{w: v.text.w, h: v.text.h}, nil
}

// Takes reports that the keys that grade come before those of a context: in the view itself
// while a set is open, and where results are graded in place.
func (v *View) Takes(c view.Context) bool {
	return v.Session().Judged() != nil && (c == Candidate || c == Queries || v.on && v.needs.InPlace.Has(c))
}

// Take implements [view.Taker]: what was read are texts of candidates.
func (v *View) Take(d session.Done) tea.Cmd {
	if d.Kind == session.KindText && v.asked[d.ID] {
		delete(v.asked, d.ID)
		if d.Err == nil {
			v.texts.Keep(d.ID, d.Section, textsKept)
		}
		v.pool.of = nil // made anew
	}
	return nil
}

// most is the highest grade that has a key of its own.
const most = 3

// Actions implements [view.View].
func (v *View) Actions() []view.Action {
	own, grading := view.Contexts{Candidate, Queries}, view.Contexts{Grading}
	all := []view.Action{
		{
			ID: "judge.toggle", Title: "Judge: Grade in place", Short: "judge", Help: "Have keys grade the selected section of the result, or leave them what they are; without a set, open one.",
			Words: "judgment relevant rate evaluate", Keys: []string{"J"}, Contexts: view.AnyPane, Footer: 43, Enabled: v.canOpen, Run: v.Toggle,
			Verb: func() string {
				if v.on {
					return "stop judging"
				}
				return ""
			},
		},
		{
			ID: "judge.set", Title: "Judge: Open a query set…", Words: "query judge measure ndcg evaluate new create watch list", Help: "Open a set of judged queries, which the parameters are measured by, or make one.",
			Contexts: view.AnyPane, Enabled: v.canOpen, Run: sets{v}.choose,
		},
	}
	for g := range most + 1 {
		all = append(all, view.Action{
			ID: "judge.grade" + strconv.Itoa(g), Title: "Judge: Grade " + strconv.Itoa(g) + " (" + judgment.Labels()[g] + ")",
			Help: "Grade the selected section, passage or candidate, and go to the next that has no grade.",
			Keys: []string{strconv.Itoa(g)}, Contexts: grading, Outside: true, Enabled: v.canGrade, Run: func() tea.Cmd { return v.grade(judgment.Grade(g)) },
		})
	}
	first := &all[len(all)-1-most]
	first.Footer, first.Verb = 101, func() string { return "to " + v.KeyOf("judge.grade"+strconv.Itoa(most)) + ": grade" }
	return append(
		all,
		view.Action{
			ID: "judge.choose", Title: "Judge: Choose a grade…", Help: "Choose one of all grades of the set, with what they mean.",
			Contexts: view.AnyPane, Outside: true, Enabled: v.canGrade, Run: v.chooseGrade,
		},
		view.Action{
			ID: "judge.cannot", Title: "Judge: Cannot tell", Short: "cannot tell", Help: "Say that one cannot tell: it counts as no grade, and does not come again.",
			Keys: []string{"-"}, Contexts: grading, Outside: true, Footer: 96, Enabled: v.canGrade, Run: func() tea.Cmd { return v.grade(judgment.CannotTell) },
		},
		view.Action{
			ID: "judge.undo", Title: "Judge: Undo the last judgment", Short: "undo", Help: "Take back what was judged last in this session; again for the one before.",
			Keys: []string{"U"}, Contexts: grading, Outside: true, Footer: 97, Enabled: v.isOpen, Run: v.undo,
		},
		view.Action{
			ID: "judge.next", Title: "Judge: Next candidate", Short: "next", Help: "Look at the next candidate without judging this one.",
			Keys: []string{"right", "l"}, Contexts: own, Footer: 80, Enabled: v.isOpen, Run: func() tea.Cmd { return v.step(1) },
		},
		view.Action{
			ID: "judge.previous", Title: "Judge: Candidate before", Help: "Look at the candidate before, also if it is judged.",
			Keys: []string{"left", "h"}, Contexts: own, Enabled: v.isOpen, Run: func() tea.Cmd { return v.step(-1) },
		},
		view.Action{
			ID: "judge.nextquery", Title: "Judge: Next query", Short: "query", Help: "Ask the next query of the set, after the last the first.",
			Keys: []string{"]"}, Contexts: own, Footer: 78, Enabled: v.hasQueries, Run: func() tea.Cmd { return v.askNext(1) },
		},
		view.Action{
			ID: "judge.previousquery", Title: "Judge: Query before", Help: "Ask the query of the set before this one.",
			Keys: []string{"["}, Contexts: own, Enabled: v.hasQueries, Run: func() tea.Cmd { return v.askNext(-1) },
		},
		view.Action{
			ID: "judge.ask", Title: "Judge: Ask the query", Short: "ask it", Help: "Ask the selected query of the set, and judge what comes.",
			Keys: []string{"enter"}, Contexts: view.Contexts{Queries}, Footer: 90, Enabled: v.hasQueries, Run: v.askSelected,
		},
		view.Action{
			ID: "judge.blind", Title: "Judge: Show or hide ranks", Short: "show ranks", Help: "Show rank and rankings of a candidate before it is judged; hidden, they cannot sway the judge.",
			Keys: []string{"b"}, Contexts: own, Footer: 60, Enabled: v.isOpen, Run: func() tea.Cmd { v.open = !v.open; return nil },
			Verb: func() string {
				if v.open {
					return "hide ranks"
				}
				return ""
			},
		},
		view.Action{
			ID: "judge.changed", Title: "Judge: Only what differs", Short: "only what differs", Help: "Leave out what all rankings return at the same rank: what is left decides between them.",
			Keys: []string{"c"}, Contexts: own, Footer: 55, Enabled: v.isOpen, Run: func() tea.Cmd { v.changed = !v.changed; v.pool.of = nil; return nil },
			Verb: func() string {
				if v.changed {
					return "all candidates"
				}
				return ""
			},
		},
		view.Action{
			ID: "judge.rankings", Title: "Judge: Candidates of another preset…", Short: "rankings", Words: "pool profile", Help: "Put what another preset or profile returns among the candidates, or leave it out again.",
			Keys: []string{"P"}, Contexts: own, Footer: 50, Enabled: v.isOpen, Run: pooling{v}.choose,
		},
		view.Action{
			ID: "judge.disagreements", Title: "Judge: Where judges disagree", Words: "agreement kappa", Help: "List what several judges gave different grades, with the grades of each.",
			Contexts: view.AnyPane, Enabled: v.isOpen, Run: disagreements{v}.show,
		},
	)
}

func (v *View) canOpen() (bool, string) {
	switch {
	case v.Session().Sets() == "":
		return false, "there is no folder for query sets"
	case v.Session().Corpus() == nil:
		return false, "the corpus is not open yet"
	case v.Session().Corpus().Measurer == nil:
		return false, "a recording is not judged: it has no pages"
	}
	return true, ""
}

func (v *View) isOpen() (bool, string) {
	return v.Session().Judged() != nil, "no query set is open: {judge.toggle} opens one"
}

func (v *View) hasQueries() (bool, string) {
	if ok, why := v.isOpen(); !ok {
		return false, why
	}
	return len(v.Session().Judged().Queries) > 0, "the set has no queries yet: ask one, and grade what comes"
}

func (v *View) canGrade() (bool, string) {
	switch now := v.Session(); {
	case now.Judged() == nil:
		return v.isOpen()
	case now.Query() == "" || now.Result() == nil:
		return false, "ask a query first ({query.edit}): what is judged answers it"
	}
	return true, ""
}
