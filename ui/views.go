package ui

import (
	"image"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/corpus"
	"github.com/webrag/webrag-tui/ui/judge"
	"github.com/webrag/webrag-tui/ui/measure"
	"github.com/webrag/webrag-tui/ui/pipeline"
	"github.com/webrag/webrag-tui/ui/results"
	"github.com/webrag/webrag-tui/ui/sweep"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

// viewID names a view: what the whole body of the screen is about.
type viewID int

const (
	// viewExplore has results, preview, score and parameters.
	viewExplore viewID = iota
	// viewPipeline has the stages of the retrieval and what fell in each.
	viewPipeline
	// viewCorpus has the pages of the corpus.
	viewCorpus
	// viewJudge has what is to be judged.
	viewJudge
	// viewMeasure has what settings are worth.
	viewMeasure
	// viewSweep has which parameters would be better.
	viewSweep
)

// viewRow is a view with what the keys' table and the help say of it.
type viewRow struct {
	// name is stable: "pipeline".
	name, title, key, help string
	view.View
}

// makeViews makes the views.
func (m *Model) makeViews() {
	m.results = m.newResults()
	m.reader = m.newReader()
	m.judge = newJudge(m)
	m.score, m.tune, m.why, m.compare, m.welcome = m.newScore(), m.newTune(), m.newWhy(), m.newCompare(), m.newWelcome()
	m.sweep = newSweep(m)
	m.views = m.viewTable()
}

// viewTable lists the views in the order of their keys. A new one is a package and a
// row.
func (m *Model) viewTable() []viewRow {
	return []viewRow{
		{"explore", "Explore", "1", "Results, the text of one, and its score.", exploreView{m}},
		{"pipeline", "Pipeline", "2", "The stages of the retrieval and what each of them dropped.", pipeline.New(shell{m})},
		{"corpus", "Corpus", "3", "The pages, their sections, and the links between them.", m.corpusView()},
		{"judge", "Judge", "4", "Results to be judged without their ranks, and the queries of the set.", m.judge},
		{"measure", "Measure", "5", "What settings are worth by the open query set, on the whole and query by query.", measure.New(shell{m}, measure.Needs{Choose: m.compare.ChooseSetting, OpenSet: func() tea.Cmd { return judge.ChooseSet(m.judge) }, Look: excursion{m}.look, Why: excursion{m}.explain, Judge: excursion{m}.judge})},
		{"sweep", "Sweep", "6", "Parameters to be moved, and which of their values are best by what was judged.", m.sweep},
	}
}

func (m *Model) viewActions() []view.Action {
	var all []view.Action
	for i, row := range m.views {
		all = append(all, view.Action{
			ID: "view." + row.name, Title: "View: " + row.title, Help: row.help,
			Keys: []string{row.key}, Contexts: anyPane, Run: func() tea.Cmd { return m.showView(viewID(i)) },
		})
	}
	return all
}

// ofViews are the actions of the views that are packages.
func (m *Model) ofViews() []view.Action {
	var all []view.Action
	for i := range m.views {
		all = append(all, m.views[i].Actions()...)
	}
	return all
}

// panesOf are the panes of a view; the first has the keys when it is opened.
func (m *Model) panesOf(v viewID) []view.Context { return m.views[v].Panes() }

// allPanes are those of all views, and the welcome.
func (m *Model) allPanes() view.Contexts {
	var all view.Contexts
	for i := range m.views {
		all = append(all, m.views[i].Panes()...)
	}
	return all.And(inWelcome)
}

// panel is the pane of a name.
func (m *Model) panel(p view.Context) view.Pane {
	for i := range m.views {
		if slices.Contains(m.views[i].Panes(), p) {
			return m.views[i].Pane(p)
		}
	}
	return m.results.Pane() // of a list that is shown as another, as the welcome is
}

// showView changes the view. Each keeps the pane that had the focus.
func (m *Model) showView(v viewID) tea.Cmd {
	if v == m.view {
		return nil
	}
	m.leaveTyping()
	cmd := finding{m}.end()
	m.focusIn[m.view] = m.focus
	m.view, m.zoomed = v, false
	m.focus = m.focusIn[v]
	m.arrange()
	return tea.Batch(cmd, m.views[v].Enter())
}

// exploreView has the results, the text of one, its score, and the parameters.
type exploreView struct{ *Model }

func (exploreView) Panes() []view.Context {
	return []view.Context{paneResults, panePreview, paneScore, paneTune}
}

func (m exploreView) Pane(name view.Context) view.Pane {
	switch name {
	case panePreview:
		return m.reader
	case paneScore:
		return m.score
	case paneTune:
		return m.tune
	default:
		return m.results.Pane()
	}
}

// Arrange does nothing: these panes stand as [layoutFor] has them.
func (exploreView) Arrange(*view.Layout, image.Rectangle, int, bool) {}
func (exploreView) Actions() []view.Action                           { return nil }
func (exploreView) Enter() tea.Cmd                                   { return nil }
func (exploreView) Follow() tea.Cmd                                  { return nil }

// Leave implements [view.View].
func (m exploreView) Leave() { m.reader.Leave() }

// Take implements [view.Taker].
func (m exploreView) Take(d session.Done) tea.Cmd { return m.reader.Take(d) }

// newResults is the list of results, with what it needs of the explorer.
func (m *Model) newResults() *results.View {
	return results.New(shell{m}, results.Needs{
		Exploring: exploring,
		Empty:     func(w int) []string { return m.welcome.Lines(w) },
		Hint: func() string {
			hint := m.why.Hint()
			if ok, _ := m.why.CanAdmit(); ok {
				hint = "{results.admit} lets the nearest in, {why.ask} says why another one is missing"
			}
			if m.editing && hint != "" {
				hint = "after enter: " + hint // here the key would be typed
			}
			return hint
		},
		Read:   m.readSelected,
		Graded: func(it *retrieval.Item) (string, string) { return m.judge.Graded(it) }, GradedWide: func() (int, int) { return m.judge.GradedWide() },
	})
}

// newJudge is the view of what is judged, with what it needs of the explorer.
func newJudge(m *Model) *judge.View {
	n := comparing(m)
	return judge.New(shell{m}, judge.Needs{
		InPlace: inResults.And(inPreview, inPassage), Selected: m.reader.Item, Passage: m.reader.TakePassage, Next: m.results.SelectNext,
		Redraw: m.results.Redraw, Keep: n.Keep, Place: n.Place, Profiles: n.Profiles, Suit: n.Suit,
		Ask: func(query string) tea.Cmd {
			m.input.Set(wording.Line(query))
			m.leaveTyping()
			return m.sendQuery(true)
		},
	})
}

// newSweep is the view of sweeps, with what it needs of the explorer.
func newSweep(m *Model) *sweep.View {
	n := sweep.Needs{Version: m.opts.Version, IsTour: func() bool { return m.tour.IsOn() }, Judge: excursion{m}.judge}
	if m.opts.SaveProfile != nil {
		n.Save = m.tune.SaveAs
	}
	return sweep.New(shell{m}, n)
}

// corpusView is the view of the corpus, with what it needs of the explorer.
func (m *Model) corpusView() *corpus.View {
	return corpus.New(shell{m}, corpus.Needs{
		Missing: func(w int) []string {
			if m.session.Corpus() == nil || m.welcome.IsEmpty() {
				return m.welcome.Lines(w)
			}
			return nil
		},
		Selected: func() *retrieval.Item { return m.results.Selected() },
		Marks:    m.reader.Marks,
	})
}

// browse opens an address in the browser; why it cannot be, if it cannot.
func (m *Model) browse(address string) (cmd tea.Cmd, why string) {
	switch {
	case m.opts.OpenURL == nil:
		return nil, "no program to open addresses with"
	case !wording.IsWebURL(address):
		return nil, "the page has no web address"
	}
	return openURLCmd(m.opts.OpenURL, address), ""
}
