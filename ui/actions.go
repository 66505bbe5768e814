package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/input"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

// actionTable lists all actions, in the order of the help screen.
func (m *Model) actionTable() []view.Action {
	var all []view.Action
	for _, area := range []func() []view.Action{
		m.askingActions,
		m.movingActions, m.results.Actions,
		m.readingActions,
		m.reader.LinkActions, navigation{m}.openingActions, m.reader.Actions,
		m.score.Actions,
		m.openTune, m.tune.Actions,
		m.compare.Actions,
		m.why.Actions,
		m.viewActions,
		m.sessionActions,
		func() []view.Action { return m.welcome.Actions(inWelcome) },
		m.why.AdmitActions,
		wholeContext{m}.fullContextActions,
		m.ofViews,
		m.themeActions,
		m.screenActions,
	} {
		all = append(all, area()...)
	}
	panes := m.allPanes()
	for i := range all {
		all[i].Contexts = all[i].Contexts.Expand(panes)
	}
	return all
}

// defaultActions lists them for an explorer that is not open: they are not to be run.
func defaultActions() []view.Action { return closed().actionTable() }

// closed is an explorer that is not open, to be asked what there would be in it.
func closed() *Model {
	m := &Model{}
	m.makeViews()
	return m
}

func (m *Model) askingActions() []view.Action {
	return []view.Action{
		{
			ID: "query.edit", Title: "Query: New question", Short: "ask", Help: "Begin a new question. Up brings the one before back to be changed, enter asks, esc goes back to it.",
			Words: "edit search", Keys: []string{"/"}, Contexts: anyPane, Footer: 100, Enabled: m.canAsk,
			Run: question{m}.begin,
		},
		{
			ID: "query.ask", Title: "Query: Ask", Short: "ask", Help: "Ask the query and go to the results.",
			Keys: []string{"enter"}, Contexts: inQuery, Fixed: true, Footer: 100,
			Run: m.submitQuery,
		},
		{
			ID: "query.leave", Title: "Query: Leave", Short: "leave", Help: "Leave the query line.",
			Keys: []string{"esc"}, Contexts: inQuery, Fixed: true, Footer: 90,
			Run: question{m}.leaveLine,
		},
		{
			ID: "corpus.reopen", Title: "Corpus: Try again", Short: "try again", Help: "Try again at once, after the corpus could not be opened or its server was away.",
			Keys: []string{"R"}, Contexts: exploring.And(inWelcome), Enabled: m.canRetry,
			Run: m.retryNow,
		},
		{
			ID: "find.start", Title: "Find: In this list or text", Words: "search for words", Short: "find", Help: "Find words in the focused list or text; n and N step through them.",
			Keys: []string{"f"}, Contexts: exploring.And(inPages, inStages), Footer: 40, Enabled: finding{m}.canStart,
			Run: finding{m}.start,
		},
		{
			ID: "find.keep", Title: "Find: Keep", Short: "keep", Help: "Keep the hits and go back to the list or text.",
			Keys: []string{"enter"}, Contexts: inFind, Fixed: true, Footer: 100,
			Run: finding{m}.keep,
		},
		{
			ID: "find.end", Title: "Find: End", Short: "end", Help: "End finding.",
			Keys: []string{"esc"}, Contexts: inFind, Fixed: true, Footer: 90,
			Run: finding{m}.end,
		},
		{
			ID: "mark.next", Title: "Mark: Next", Short: "next mark", Help: "Go to the next mark: find hits, else citations, else matches, which go on in the next section.",
			Keys: []string{"n"}, Contexts: exploring.And(inPages, inStages), Footer: 75, Enabled: finding{m}.hasMarks,
			Run: func() tea.Cmd { return finding{m}.step(1) },
		},
		{
			ID: "mark.previous", Title: "Mark: Previous", Help: "Go to the mark before, or to the section before.",
			Keys: []string{"N"}, Contexts: exploring.And(inPages, inStages), Enabled: finding{m}.hasMarks,
			Run: func() tea.Cmd { return finding{m}.step(-1) },
		},
		{
			ID: "span.open", Title: "Span: Open a span…", Help: "Open a span URL:START-END and paint it as a citation.",
			Contexts: anyPane, Enabled: m.hasCorpus,
			Run: func() tea.Cmd { return m.promptSpan("") },
		},
		{
			ID: "span.close", Title: "Span: Close the span", Help: "Close the opened span.",
			Contexts: anyPane, Enabled: func() (bool, string) { return m.opened != nil, "no span is open" },
			Run: navigation{m}.closeSpan,
		},
	}
}

func (m *Model) movingActions() []view.Action {
	move := func(id, title, help string, contexts view.Contexts, keys []string, run func() tea.Cmd) view.Action {
		return view.Action{ID: id, Title: title, Help: help, Contexts: contexts, Keys: keys, Run: run}
	}
	return []view.Action{
		move("move.down", "Move: Down", "Next row or line.", anyPane, []string{"down", "j"}, func() tea.Cmd { return m.move(widget.Down) }),
		move("move.up", "Move: Up", "Row or line before.", anyPane, []string{"up", "k"}, func() tea.Cmd { return m.move(widget.Up) }),
		move("move.halfdown", "Move: Half a page down", "Half a page down.", anyPane, []string{"ctrl+d"}, func() tea.Cmd { return m.move(widget.HalfDown) }),
		move("move.halfup", "Move: Half a page up", "Half a page up.", anyPane, []string{"ctrl+u"}, func() tea.Cmd { return m.move(widget.HalfUp) }),
		move("move.pagedown", "Move: Page down", "A page down.", anyPane, []string{"pgdown"}, func() tea.Cmd { return m.move(widget.PageDown) }),
		move("move.pageup", "Move: Page up", "A page up.", anyPane, []string{"pgup"}, func() tea.Cmd { return m.move(widget.PageUp) }),
		move("move.top", "Move: First", "First row or line.", anyPane, []string{"g", "home"}, func() tea.Cmd { return m.move(widget.Home) }),
		move("move.bottom", "Move: Last", "Last row or line.", anyPane, []string{"G", "end"}, func() tea.Cmd { return m.move(widget.End) }),
		{
			ID: "query.nextresult", Title: "Query: Next result", Short: "select", Help: "Select the next result while typing; before anything was asked, an example.",
			Keys: []string{"down"}, Contexts: inQuery, Footer: 80,
			Run: func() tea.Cmd { return m.moveResult(widget.Down) },
			Verb: func() string {
				if m.welcome.IsBlank() && len(m.welcome.Examples()) > 0 {
					return "examples"
				}
				return ""
			},
		},
		move("query.previousresult", "Query: Previous result", "Select the result before while typing; in an empty line, bring the question before back to be changed, then those before it.", inQuery, []string{"up"}, func() tea.Cmd { return m.moveResult(widget.Up) }),
		{
			ID: "pane.next", Title: "Pane: Next", Short: "pane", Help: "Next pane.",
			Keys: []string{"tab"}, Contexts: anyPane.And(inQuery), Footer: 50,
			Run: func() tea.Cmd { return m.cyclePane(1) },
		},
		move("pane.previous", "Pane: Previous", "Pane before.", anyPane.And(inQuery), []string{"shift+tab"}, func() tea.Cmd { return m.cyclePane(-1) }),
		move("pane.right", "Pane: Open the section", "Read the selected section.", inResults, []string{"right", "l"}, m.results.Open),
		move("pane.left", "Pane: Back to the results", "Back to the results.", inPreview.And(inScore), []string{"left", "h"}, func() tea.Cmd { return m.focusOn(paneResults) }),
	}
}

func (m *Model) readingActions() []view.Action {
	return []view.Action{
		{
			ID: "score.explain", Title: "Score: Explain", Words: "why breakdown", Short: "explain", Help: "Show or hide the score, taken apart.",
			Keys: []string{"e"}, Contexts: exploring, Footer: 78,
			Run: m.toggleScore,
		},
		{
			ID: "preview.mode", Title: "Preview: Change form", Short: "form", Help: "Rendered with its marks, as the HTML that is sent, and the sources.",
			Keys: []string{"m"}, Contexts: exploring, Footer: 70, Enabled: m.results.HasSelection,
			Run: m.reader.NextForm,
		},
		m.results.OrderAction(),
		{
			ID: "copy.menu", Title: "Copy: Choose what", Words: "clipboard yank export share", Short: "copy", Help: "Copy the span, the section, a citation, the address, JSON or a command line.", Outside: true,
			Keys: []string{"y"}, Contexts: reading, Footer: 55, Enabled: m.results.HasSelection,
			Run: m.openCopyMenu,
		},
		{
			ID: "url.open", Title: "Page: Open in the browser", Words: "web link", Short: "open", Help: "Open the page's address.", Outside: true,
			Keys: []string{"o"}, Contexts: reading, Footer: 35, Enabled: m.canOpenURL,
			Run: m.openURL,
		},
		{
			ID: "section.edit", Title: "Section: Open in the editor", Words: "vim source", Help: "Open a copy of the section in the editor; after an error, show its details.", Outside: true,
			Keys: []string{"E"}, Contexts: anyPane, Enabled: m.canEdit,
			Run: m.editOrDetails,
		},
		{
			ID: "notices.show", Title: "Notices: Show", Words: "warnings messages", Help: "Show all notices in full.",
			Keys: []string{"!"}, Contexts: anyPane, Enabled: func() (bool, string) { return len(notices{m}.all()) > 0, "there are no notices" },
			Run: notices{m}.show,
		},
	}
}

func (m *Model) screenActions() []view.Action {
	return []view.Action{
		{
			ID: "pane.zoom", Title: "Pane: Zoom", Words: "maximise fullscreen", Short: "zoom", Help: "Give the whole screen to the focused pane, or back.",
			Keys: []string{"z"}, Contexts: anyPane, Footer: 20,
			Verb: func() string {
				if m.zoomed {
					return "all panes"
				}
				return ""
			},
			Run: func() tea.Cmd { return m.zoom(!m.zoomed) },
		},
		{
			ID: "pane.enlarge", Title: "Pane: Enlarge", Help: "Give the whole screen to the focused pane.",
			Keys: []string{"+"}, Contexts: anyPane, Run: func() tea.Cmd { return m.zoom(true) },
		},
		{
			ID: "pane.reduce", Title: "Pane: Reduce", Help: "Show all panes again.",
			Keys: []string{"-"}, Contexts: anyPane, Run: func() tea.Cmd { return m.zoom(false) },
		},
		{
			ID: "split.less", Title: "Split: Move left", Help: "Less room for the results.",
			Keys: []string{"<"}, Contexts: anyPane, Run: func() tea.Cmd { return m.moveSplit(-4) },
		},
		{
			ID: "split.more", Title: "Split: Move right", Help: "More room for the results.",
			Keys: []string{">"}, Contexts: anyPane, Run: func() tea.Cmd { return m.moveSplit(4) },
		},
		{
			ID: "mouse.release", Title: "Mouse: Release or take", Words: "select text", Help: "Leave the mouse to the terminal, to select text; most terminals also do so while shift is held.",
			Contexts: anyPane, Run: m.toggleMouse,
		},
		{
			ID: "help.show", Title: "Help: All keys", Short: "keys", Help: "Show the keys of what has the focus, all other keys, and what the words mean.",
			Words: "shortcuts glossary manual", Keys: []string{"?", "f1"}, Contexts: anywhere, Run: m.showHelp,
		},
		{
			ID: "palette.show", Title: "Palette: All actions", Short: "actions", Help: "Find an action by its name.",
			Keys: []string{":", "ctrl+p"}, Contexts: anywhere, Run: m.showPalette,
		},
		{
			ID: "go.back", Title: "Go: Back", Short: "back", Help: "Back out one level; never quits.",
			Keys: []string{"esc"}, Contexts: anyPane, Fixed: true, Footer: held, Run: navigation{m}.back,
			Enabled: func() (bool, string) { _, out := navigation{m}.wayOut(); return out != nil, "" },
			Verb:    func() string { verb, _ := navigation{m}.wayOut(); return verb },
		},
		{
			ID: "program.suspend", Title: "Program: Suspend", Help: "Put the program aside; fg brings it back.",
			Keys: []string{"ctrl+z"}, Contexts: anywhere, Always: true, Outside: true, Run: input.Suspend,
		},
		{
			ID: "program.quit", Title: "Program: Quit", Words: "exit leave", Short: "quit", Help: "Quit.",
			Keys: []string{"q"}, Contexts: anyPane, Footer: 10, Run: m.quit,
		},
		{
			ID: "program.interrupt", Title: "Program: Cancel or quit", Help: "Cancel a running query; if none runs, quit.",
			Keys: []string{"ctrl+c"}, Contexts: anywhere, Always: true, Fixed: true, Run: m.interrupt,
		},
	}
}

func (m *Model) canAsk() (bool, string) {
	if m.welcome.IsFilling() {
		return false, saidFilling
	}
	return !m.welcome.IsShown(), "there is nothing to ask yet: {welcome.index} indexes a folder, {welcome.guide} opens the guide"
}

func (m *Model) hasCorpus() (bool, string) {
	return m.session.Corpus() != nil, "the corpus is not open yet"
}

func (m *Model) canOpenURL() (bool, string) {
	address := m.selectedAddress()
	if address == "" {
		return false, "nothing is selected"
	}
	_, why := m.browse(address)
	return why == "", why
}

func (m *Model) canEdit() (bool, string) {
	switch {
	case m.welcome.IsFilling():
		return false, saidFilling
	case m.welcome.Failure() != nil:
		return true, ""
	case m.view != viewExplore:
		return false, "there is no error; sections open in the editor from the explorer ({view.explore})"
	case m.results.Selected() == nil && m.results.OnPage():
		return false, saidPage
	case m.results.Selected() == nil:
		return false, "nothing is selected"
	case m.opts.Editor == "":
		return false, "no editor is set: set EDITOR"
	}
	return true, ""
}
