package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/compare"
	"github.com/webrag/webrag-tui/ui/judge"
	"github.com/webrag/webrag-tui/ui/keys"
	"github.com/webrag/webrag-tui/ui/reader"
	"github.com/webrag/webrag-tui/ui/results"
	"github.com/webrag/webrag-tui/ui/score"
	"github.com/webrag/webrag-tui/ui/sweep"
	"github.com/webrag/webrag-tui/ui/tour"
	"github.com/webrag/webrag-tui/ui/tune"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/welcome"
	"github.com/webrag/webrag-tui/ui/whynot"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Model is the explorer. It owns all state of the program; make it with [New].
//
// It is made of parts, each of which holds one thing and says what it is.
type Model struct {
	look
	keys.Board
	dialogs
	statusLine

	opts Options
	ctx  context.Context //nolint:containedctx // the life of the program: Bubble Tea gives commands none
	// crash is where work beside the screen panicked.
	crash string

	noMouse bool

	// The screen.
	width, height int
	view          viewID
	views         []viewRow
	place         layout
	focus         view.Context
	focusIn       map[viewID]view.Context // of the views that are not shown
	zoomed        bool
	showScore     bool
	// scoreOfList is set where the score, alone on the screen, was asked for in the list.
	scoreOfList bool
	// scoreChosen is set once the user has said whether the score is shown;
	// until then the width decides.
	scoreChosen bool
	split       int
	// dragging is set while the mouse holds the line of the split.
	dragging bool

	// The query line.
	input   widget.Input
	editing bool
	// before is the question that was left for a new one.
	before standing

	// The corpus.
	// welcome is what there is to see before there are results.
	welcome *welcome.View
	// read are the notices that have been read in this session.
	read map[retrieval.Notice]bool

	// session is what is asked and tuned, and what came of it.
	session *session.Session
	spin    int // step of the spinner, 0 while it is not shown
	// The pauses: before what is typed is asked, and between two steps of the spinner, and of
	// the progress of loading.
	resting, spinning, loading view.Work
	// tune is the pane of parameters, showTune says that it is shown; profiles are
	// what they were started from.
	tune     *tune.View
	showTune bool
	profiles session.Profiles
	// why is what is known of texts that were asked about.
	why *whynot.View
	// compare compares rankings: watched queries, snapshots, the baseline.
	compare *compare.View
	// judge is what is judged and measured by query sets.
	judge *judge.View
	// givenUp is how many judgments that cannot be written the user has been told of when
	// the program was to end.
	givenUp int
	sweep   *sweep.View
	// sessions are what was last on the screen of each corpus, recent the corpora that
	// were opened, latest first.
	sessions map[string]sessionState
	recent   []welcome.Corpus
	// leftRead says that what an earlier session has left was read: a key came since.
	leftRead bool
	// resumed says that the query line holds that of an earlier session.
	resumed bool

	// The opened section, and the places that were read before.
	going  going
	opened *openedSection
	trail  readingTrail
	// out is the way back from results that another view has shown, nil for none.
	out *outing

	// tour is played, if there is one.
	tour *tour.Player
	// moved is what a recording was last told.
	moved Move

	// The panes.
	results *results.View
	reader  *reader.View
	score   *score.View
	find    find
}

// New makes the explorer. It does nothing that waits; the corpus is opened by
// the command that Init returns.
func New(o Options) *Model {
	o = o.withDefaults()
	m := &Model{
		opts: o, ctx: context.Background(),
		noMouse: o.NoMouse || o.Plain,
		input:   widget.NewInput(),
	}
	m.look = newLook(shell{m}, o, func(s *theme.Styles) {
		m.input.Restyle(s)
		m.find.input.Restyle(s)
	})
	m.statusLine = statusLine{after: o.After, keyboard: &m.Board}
	m.makeViews()
	m.focus = paneResults
	m.tour = tour.NewPlayer(stage{shell{m}}, o.Tour, o.TourSpeed)
	m.session = session.New(session.Setting{Name: o.Preset, Params: o.Params}, func() time.Time { return m.opts.Now() })
	m.session.JudgeBy(o.Sets, judgment.Judge(o.Judge), evaluation.MustMeasure("nDCG@10"))
	if o.Adapt != nil {
		m.profiles.Suit = func(p session.Profile) session.Profile { return m.opts.Adapt(m.opts.Place, p) }
	}
	m.profiles.Know(session.Profile{Name: o.Preset, Base: o.Base, Params: o.Params, Origin: o.Origin})
	m.adapt()
	m.focusIn = map[viewID]view.Context{}
	for v := range m.views {
		m.focusIn[viewID(v)] = m.views[v].Panes()[0]
	}
	var err error
	if m.Board, err = keys.New(m.actionTable(), typing, o.Keys); err != nil {
		m.say(err.Error(), true)
		if m.Board, err = keys.New(m.actionTable(), typing, nil); err != nil {
			panic(err) // the table is ours: a test holds it
		}
	}
	m.find.input = widget.NewInput()
	m.input.Set(wording.Line(o.Query))
	m.input.Placeholder = askTheCorpus
	if o.Query == "" && o.Span == nil {
		m.editing = true
		m.input.Focus()
	}
	m.restyle()
	return m
}

// Init opens the corpus and asks for the background's colour.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.start(m.session.Open(m.opts.Open)), m.tour.Begin()}
	if m.opts.Dark == nil {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	return caught(tea.Batch(cmds...))
}

// context is the state that keys are looked up in.
func (m *Model) context() view.Context {
	switch {
	case m.editing:
		return onQuery
	case m.find.typing:
		return onFind
	case m.focus == panePreview && m.reader.IsSelecting():
		return onPassage
	case m.focus == paneResults && m.welcome.IsShown():
		return onWelcome
	default:
		return m.focus
	}
}
