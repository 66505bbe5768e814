package ui

import (
	"image"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/pipeline"
	"github.com/webrag/webrag-tui/ui/view"
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
)

// viewRow is a view with what the keys' table and the help say of it.
type viewRow struct {
	// name is stable: "pipeline".
	name, title, key, help string
	view.View
}

// makeViews makes the views.
func (m *Model) makeViews() {
	m.views = m.viewTable()
	m.tune, m.why, m.compare = m.newTune(), m.newWhy(), m.newCompare()
}

// viewTable lists the views in the order of their keys. A new one is a package and a
// row.
func (m *Model) viewTable() []viewRow {
	return []viewRow{
		{"explore", "Explore", "1", "Results, the text of one, and its score.", exploreView{m}},
		{"pipeline", "Pipeline", "2", "The stages of the retrieval and what each of them dropped.", pipeline.New(shell{m})},
		{"corpus", "Corpus", "3", "The pages of the corpus, their sections, and the links between them.", pagesView{m}},
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
	return resultsPanel{m} // of a list that is shown as another, as the welcome is
}

// showView changes the view. Each keeps the pane that had the focus.
func (m *Model) showView(v viewID) tea.Cmd {
	if v == m.view {
		return nil
	}
	m.leaveTyping()
	cmd := m.endFind()
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
		return previewPanel(m)
	case paneScore:
		return scorePanel(m)
	case paneTune:
		return m.tune
	default:
		return resultsPanel(m)
	}
}

// Arrange does nothing: these panes stand as [layoutFor] has them.
func (exploreView) Arrange(*view.Layout, image.Rectangle, int, bool) {}
func (exploreView) Actions() []view.Action                           { return nil }
func (exploreView) Enter() tea.Cmd                                   { return nil }
func (exploreView) Follow() tea.Cmd                                  { return nil }
func (exploreView) Leave()                                           {}

// pagesView has the pages of the corpus beside the one that is selected.
type pagesView struct{ *Model }

func (pagesView) Panes() []view.Context { return []view.Context{paneTree, panePage} }

func (m pagesView) Pane(name view.Context) view.Pane {
	if name == panePage {
		return pagePanel(m)
	}
	return treePanel(m)
}

func (pagesView) Arrange(l *view.Layout, body image.Rectangle, split int, upright bool) {
	if upright {
		l.Slots = view.Above(body, l.Halves(body, split), paneTree, panePage)
		return
	}
	left, right := l.Columns(body, 38, split)
	l.Slots = []view.Slot{view.CutTitle(paneTree, left), view.CutTitle(panePage, right)}
}

func (pagesView) Actions() []view.Action { return nil }
func (m pagesView) Enter() tea.Cmd       { return m.enterCorpus() }
func (m pagesView) Follow() tea.Cmd      { return m.followCorpus() }
func (pagesView) Leave()                 {}
