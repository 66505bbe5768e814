package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// arrange lays the screen out anew and tells the panes their sizes.
func (m *Model) arrange() {
	m.place = layoutFor(m.width, m.height, m.arranging())
	m.place.alone = m.alone()
	if _, ok := m.place.Slot(m.focus); !ok && len(m.place.Slots) > 0 {
		m.focus = m.panesOf(m.view)[0]
		m.place = layoutFor(m.width, m.height, m.arranging())
	}
	panes := m.panesOf(m.view)
	if !slices.Contains(panes, m.focus) { // the list, to which asking leads from any view
		panes = append(slices.Clone(panes), m.focus)
	}
	for _, p := range panes {
		s, ok := m.place.Slot(p)
		if !ok && len(m.place.Slots) == 1 {
			// The panes that wait behind the only one would take its place:
			// what they show is made ready for it.
			s, ok = m.place.Slots[0], true
		}
		if ok {
			m.panel(p).SetSize(s.Body.Dx(), s.Body.Dy())
		}
	}
	m.input.SetWidth(max(1, m.width-6))
}

// alone says that the list has the whole body: before there is a corpus there is
// nothing to put beside it.
func (m *Model) alone() bool {
	blank := m.welcome.IsBlank() && (m.session.Corpus() != nil || m.input.Value() == "")
	return m.view == viewExplore && m.focus == paneResults && (m.welcome.IsShown() || blank && !m.showTune)
}

func (m *Model) arranging() arranging {
	a := arranging{
		focus: m.focus, score: m.wantsScore(), tune: m.showTune, zoomed: m.zoomed || m.alone(), split: m.split,
		strip: m.showsStrip(), plain: m.opts.Plain,
		measure: func(p view.Context) int {
			if text, ok := m.panel(p).(view.Measured); ok {
				return text.Measure()
			}
			return 0
		},
	}
	if m.view != viewExplore {
		a.arrange = m.views[m.view].Arrange
	}
	return a
}

// arrangement is how the panes stand when nothing is zoomed.
func (m *Model) arrangement() arrangement {
	if m.opts.Plain {
		return single
	}
	return arrangementFor(m.width, m.height)
}

// wantsScore says whether the score pane is shown: by itself where it has a
// place of its own, otherwise when asked for.
func (m *Model) wantsScore() bool {
	if m.welcome.Failure() != nil && m.session.Result() == nil {
		return false
	}
	if m.scoreChosen {
		return m.showScore
	}
	switch m.arrangement() {
	case threeColumns:
		return true
	case sideBySide:
		return m.height-4 >= scoreUnderResultsHeight
	default:
		return false
	}
}

func (m *Model) toggleScore() tea.Cmd {
	if m.arrangement() == single || m.zoomed {
		switch {
		case m.focus != paneScore:
			m.scoreOfList = m.focus == paneResults
			return m.focusOn(paneScore)
		case m.scoreOfList:
			return m.focusOn(paneResults)
		}
		return m.focusOn(panePreview)
	}
	m.showScore = !m.wantsScore()
	m.scoreChosen = true
	if m.focus == paneScore {
		m.focus = panePreview
	}
	m.arrange()
	return nil
}

// focusOn gives a pane the keys.
func (m *Model) focusOn(p view.Context) tea.Cmd {
	m.focus = p
	m.arrange()
	return nil
}

// cyclePane goes to the next pane on the screen; where one is shown at a time,
// to the next of all.
func (m *Model) cyclePane(n int) tea.Cmd {
	if m.editing {
		m.leaveTyping()
		return m.focusOn(m.panesOf(m.view)[0])
	}
	order := m.panesOf(m.view)
	if m.view == viewExplore && !m.showTune {
		order = slices.DeleteFunc(order, func(p view.Context) bool { return p == paneTune })
	}
	if m.place.arrangement != single && !m.zoomed {
		order = slices.DeleteFunc(order, func(p view.Context) bool {
			_, ok := m.place.Slot(p)
			return !ok
		})
	}
	if len(order) == 0 {
		return nil
	}
	at := slices.Index(order, m.focus)
	return m.focusOn(order[((at+n)%len(order)+len(order))%len(order)])
}

func (m *Model) move(v widget.Verb) tea.Cmd {
	m.panel(m.focus).Move(v)
	return nil
}

// moveResult moves in the list while a query is being typed; before anything was asked,
// among the examples.
func (m *Model) moveResult(v widget.Verb) tea.Cmd {
	switch {
	case m.welcome.Chosen() == "" && question{m}.recall(v):
		return m.queryChanged()
	case m.atBeginning() && m.welcome.IsBlank():
		m.welcome.Choose(v)
		return nil
	}
	m.results.Pane().Move(v)
	return nil
}

// readSelected goes from the list to the text of the selected section.
func (m *Model) readSelected() tea.Cmd {
	navigation{m}.leavePlace()
	return m.focusOn(panePreview)
}

func (m *Model) zoom(on bool) tea.Cmd {
	m.zoomed = on
	m.arrange()
	return nil
}

func (m *Model) moveSplit(n int) tea.Cmd {
	m.split = max(-view.MostSplit, min(view.MostSplit, m.split+n))
	m.arrange()
	return nil
}

// wayOut is what esc leaves: a search, a zoom, a pane, a view. It never quits; nil is
// where there is nothing to leave.
func (m navigation) wayOut() (verb string, leave func() tea.Cmd) {
	first := m.panesOf(m.view)[0]
	switch stops, stop := m.sweep.Stop(); {
	case stop != nil && m.view == viewSweep:
		return stops, stop
	case m.find.on:
		return "end find", finding(m).end
	case m.score.IsPainted():
		return "paint off", m.score.Paint
	case m.status.text != "" && m.status.warning:
		return "hide", func() tea.Cmd { m.unsay(); return nil }
	case m.zoomed:
		return "all panes", func() tea.Cmd { return m.zoom(false) }
	case m.focus == paneTune:
		return "close", m.closeTune
	case m.focus != first:
		return "back", func() tea.Cmd { return m.focusOn(first) }
	case excursion(m).isOut():
		return m.views[m.out.from].name, excursion(m).back
	case m.view != viewExplore:
		return "explore", func() tea.Cmd { return m.showView(viewExplore) }
	case m.showTune:
		return "hide tune", m.closeTune
	case m.opened != nil:
		return "close it", m.closeSpan
	case m.judge.Takes(paneResults):
		return "stop judging", m.judge.Toggle
	}
	return "", nil
}

// back leaves one thing.
func (m navigation) back() tea.Cmd {
	if _, leave := m.wayOut(); leave != nil {
		return leave()
	}
	return nil
}

func (m *Model) quit() tea.Cmd { return ending(m, tea.Quit) }

// ending ends the program. What was judged and cannot be written is said first, and is given up
// when it ends all the same.
func ending(m *Model, how tea.Cmd) tea.Cmd {
	err := m.session.Flush(m.ctx)
	if lost := m.session.Unwritten(); lost > 0 && lost != m.givenUp {
		m.givenUp = lost
		return tea.Batch(m.judge.Changed(), m.say("again quits without what is "+wording.FirstLine(err), true))
	}
	m.session.Close()
	return how
}

// interrupt cancels a running query; otherwise it ends the program.
func (m *Model) interrupt() tea.Cmd {
	if m.session.Indexing() != "" {
		cmd := m.welcome.StopIndexing()
		m.arrange() // as the end of indexing does
		return cmd
	}
	if m.session.Asking() {
		m.session.Stop()
		m.resting.End()
		m.spin = 0
		return m.say("cancelled; ctrl+c again quits", false)
	}
	if _, stop := m.sweep.Stop(); stop != nil {
		return stop()
	}
	return ending(m, tea.Interrupt)
}

func (m *Model) toggleMouse() tea.Cmd {
	m.noMouse = !m.noMouse
	if m.noMouse {
		return m.say("the mouse is the terminal's: drag to select", false)
	}
	return m.say("the mouse is the program's", false)
}
