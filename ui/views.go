package ui

import tea "charm.land/bubbletea/v2"

// viewID names a view: what the whole body of the screen is about.
type viewID int

const (
	// viewExplore has results, preview, score and parameters.
	viewExplore viewID = iota
	// viewPipeline has the stages of the retrieval and what fell in each.
	viewPipeline
	// viewCorpus has the pages of the corpus.
	viewCorpus

	viewCount
)

// panes are the panes of a view, in the order of tab; the first has the keys
// when the view is opened.
func (v viewID) panes() []paneID {
	switch v {
	case viewPipeline:
		return []paneID{paneStages, paneFallen}
	case viewCorpus:
		return []paneID{paneTree, panePage}
	default:
		return []paneID{paneResults, panePreview, paneScore, paneTune}
	}
}

// String is the name of the view on the screen.
func (v viewID) String() string {
	return [...]string{"Explore", "Pipeline", "Corpus"}[v]
}

// contextOf is the state that keys are looked up in while a pane has the focus.
func contextOf(p paneID) contexts {
	return [paneCount]contexts{inResults, inPreview, inScore, inTune, inStages, inFallen, inTree, inPage}[p]
}

func viewActions() []action {
	show := func(v viewID, key, help string) action {
		return action{
			ID: "view." + [...]string{"explore", "pipeline", "corpus"}[v], Title: "View: " + v.String(), Help: help,
			Keys: []string{key}, Contexts: anyPane, Run: func(m *Model) tea.Cmd { return m.showView(v) },
		}
	}
	return []action{
		show(viewExplore, "1", "Results, the text of one, and its score."),
		show(viewPipeline, "2", "The stages of the retrieval and what each of them dropped."),
		show(viewCorpus, "3", "The pages of the corpus, their sections, and the links between them."),
	}
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
	return tea.Batch(cmd, m.entered(v))
}

// entered is what a view does when it is opened.
func (m *Model) entered(v viewID) tea.Cmd {
	switch v {
	case viewCorpus:
		return m.enterCorpus()
	default:
		return nil
	}
}
