package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/widget"
)

// action is something that the user can do. Dispatch, footer, help, palette and
// documentation are made from the table of actions.
type action struct {
	// ID is stable: "results.fold".
	ID string
	// Title is "Group: verb"; Short the verb in the footer; Help one sentence.
	Title, Short, Help string
	// Words are others that the palette finds it by.
	Words string
	// Keys are the keys that run it, the first being shown. Without any it is
	// reached through the palette.
	Keys     []string
	Contexts contexts
	// Enabled says whether it can be done now, and if not why. nil is always.
	Enabled func(*Model) (ok bool, reason string)
	Run     func(*Model) tea.Cmd
	// Footer is the priority in the footer, 0 to be left out.
	Footer int
	// Always keeps its keys over dialogs too.
	Always bool
	// Fixed keeps its keys whatever the user's table of keys says, so that there
	// is a way out of every place.
	Fixed bool
	// Outside leaves the explorer: it writes files or the clipboard, starts a
	// program, or opens another corpus. No tour can do it: it may be a stranger's.
	Outside bool
	// origin is the place of the user's table that changed the keys.
	origin string
}

// actionTable lists all actions, in the order of the help screen.
func actionTable() []action {
	var all []action
	for _, area := range []func() []action{
		askingActions,
		movingActions,
		readingActions,
		openingActions, passageActions,
		explainActions,
		tuneActions,
		watchActions, snapshotActions,
		whyActions,
		viewActions,
		sessionActions,
		indexingActions,
		admittingActions,
		fullContextActions,
		pipelineActions,
		corpusActions,
		pageCopyActions,
		themeActions,
		screenActions,
	} {
		all = append(all, area()...)
	}
	return all
}

func askingActions() []action {
	return []action{
		{
			ID: "query.edit", Title: "Query: Edit", Short: "ask", Help: "Edit the query. Enter asks, esc leaves.",
			Keys: []string{"/"}, Contexts: anyPane, Footer: 100, Enabled: canAsk,
			Run: func(m *Model) tea.Cmd { return m.editQuery() },
		},
		{
			ID: "query.ask", Title: "Query: Ask", Short: "ask", Help: "Ask the query and go to the results.",
			Keys: []string{"enter"}, Contexts: inQuery, Fixed: true, Footer: 100,
			Run: func(m *Model) tea.Cmd { return m.submitQuery() },
		},
		{
			ID: "query.leave", Title: "Query: Leave", Short: "leave", Help: "Leave the query line.",
			Keys: []string{"esc"}, Contexts: inQuery, Fixed: true, Footer: 90,
			Run: func(m *Model) tea.Cmd { return m.leaveQuery() },
		},
		{
			ID: "corpus.reopen", Title: "Corpus: Try again", Short: "try again", Help: "Try again at once, after the corpus could not be opened or its server was away.",
			Keys: []string{"R"}, Contexts: exploring | inWelcome, Enabled: canRetry,
			Run: func(m *Model) tea.Cmd { return m.retryNow() },
		},
		{
			ID: "index.health", Title: "Index: Health for this query", Help: "Compare what the vector index finds with an exact search, by ef_search.",
			Contexts: anyPane, Enabled: canExamine,
			Run: func(m *Model) tea.Cmd { return m.examine() },
		},
		{
			ID: "find.start", Title: "Find: In this list or text", Short: "find", Help: "Find words in the focused list or text; n and N step through them.",
			Keys: []string{"f"}, Contexts: inResults | inPreview | inTree | inPage, Footer: 40,
			Run: func(m *Model) tea.Cmd { return m.startFind() },
		},
		{
			ID: "find.keep", Title: "Find: Keep", Short: "keep", Help: "Keep the hits and go back to the list or text.",
			Keys: []string{"enter"}, Contexts: inFind, Fixed: true, Footer: 100,
			Run: func(m *Model) tea.Cmd { return m.keepFind() },
		},
		{
			ID: "find.end", Title: "Find: End", Short: "end", Help: "End finding.",
			Keys: []string{"esc"}, Contexts: inFind, Fixed: true, Footer: 90,
			Run: func(m *Model) tea.Cmd { return m.endFind() },
		},
		{
			ID: "mark.next", Title: "Mark: Next", Short: "next mark", Help: "Go to the next mark: find hits, else citations, else matches, which go on in the next section.",
			Keys: []string{"n"}, Contexts: exploring | inTree | inPage, Footer: 75, Enabled: hasMarks,
			Run: func(m *Model) tea.Cmd { return m.stepMark(1) },
		},
		{
			ID: "mark.previous", Title: "Mark: Previous", Help: "Go to the mark before, or to the section before.",
			Keys: []string{"N"}, Contexts: exploring | inTree | inPage, Enabled: hasMarks,
			Run: func(m *Model) tea.Cmd { return m.stepMark(-1) },
		},
		{
			ID: "span.open", Title: "Span: Open a span…", Help: "Open a span URL:START-END and paint it as a citation.",
			Contexts: anyPane, Enabled: hasCorpus,
			Run: func(m *Model) tea.Cmd { return m.promptSpan("") },
		},
		{
			ID: "span.close", Title: "Span: Close the span", Help: "Close the opened span.",
			Contexts: anyPane, Enabled: func(m *Model) (bool, string) { return m.opened != nil, "no span is open" },
			Run: func(m *Model) tea.Cmd { return m.closeSpan() },
		},
	}
}

func movingActions() []action {
	move := func(id, title, help string, contexts contexts, keys []string, run func(*Model) tea.Cmd) action {
		return action{ID: id, Title: title, Help: help, Contexts: contexts, Keys: keys, Run: run}
	}
	return []action{
		move("move.down", "Move: Down", "Next row or line.", anyPane, []string{"down", "j"}, func(m *Model) tea.Cmd { return m.move(widget.Down) }),
		move("move.up", "Move: Up", "Row or line before.", anyPane, []string{"up", "k"}, func(m *Model) tea.Cmd { return m.move(widget.Up) }),
		move("move.halfdown", "Move: Half a page down", "Half a page down.", anyPane, []string{"ctrl+d"}, func(m *Model) tea.Cmd { return m.move(widget.HalfDown) }),
		move("move.halfup", "Move: Half a page up", "Half a page up.", anyPane, []string{"ctrl+u"}, func(m *Model) tea.Cmd { return m.move(widget.HalfUp) }),
		move("move.pagedown", "Move: Page down", "A page down.", anyPane, []string{"pgdown"}, func(m *Model) tea.Cmd { return m.move(widget.PageDown) }),
		move("move.pageup", "Move: Page up", "A page up.", anyPane, []string{"pgup"}, func(m *Model) tea.Cmd { return m.move(widget.PageUp) }),
		move("move.top", "Move: First", "First row or line.", anyPane, []string{"g", "home"}, func(m *Model) tea.Cmd { return m.move(widget.Home) }),
		move("move.bottom", "Move: Last", "Last row or line.", anyPane, []string{"G", "end"}, func(m *Model) tea.Cmd { return m.move(widget.End) }),
		move("query.nextresult", "Query: Next result", "Select the next result while typing.", inQuery, []string{"down"}, func(m *Model) tea.Cmd { return m.moveResult(1) }),
		move("query.previousresult", "Query: Previous result", "Select the result before while typing.", inQuery, []string{"up"}, func(m *Model) tea.Cmd { return m.moveResult(-1) }),
		{
			ID: "pane.next", Title: "Pane: Next", Short: "pane", Help: "Next pane.",
			Keys: []string{"tab"}, Contexts: anyPane | inQuery, Footer: 50,
			Run: func(m *Model) tea.Cmd { return m.cyclePane(1) },
		},
		move("pane.previous", "Pane: Previous", "Pane before.", anyPane|inQuery, []string{"shift+tab"}, func(m *Model) tea.Cmd { return m.cyclePane(-1) }),
		move("pane.right", "Pane: Open the section", "Read the selected section.", inResults, []string{"right", "l"}, func(m *Model) tea.Cmd { return m.openSelected() }),
		move("pane.left", "Pane: Back to the results", "Back to the results.", inPreview|inScore, []string{"left", "h"}, func(m *Model) tea.Cmd { return m.focusOn(paneResults) }),
		{
			ID: "results.open", Title: "Results: Open", Short: "read", Help: "Read the selected section, or unfold a page.",
			Keys: []string{"enter"}, Contexts: inResults, Footer: 80, Enabled: hasSelection,
			Run: func(m *Model) tea.Cmd { return m.openSelected() },
		},
		{
			ID: "results.fold", Title: "Results: Fold", Short: "fold", Help: "Fold or unfold the sections of a page.",
			Keys: []string{"space", "left", "h"}, Contexts: inResults, Footer: 30, Enabled: hasSelection,
			Run: func(m *Model) tea.Cmd { return m.foldSelected() },
		},
	}
}

func readingActions() []action {
	return []action{
		{
			ID: "score.explain", Title: "Score: Explain", Short: "explain", Help: "Show or hide the score, taken apart.",
			Keys: []string{"e"}, Contexts: exploring, Footer: 78,
			Run: func(m *Model) tea.Cmd { return m.toggleScore() },
		},
		{
			ID: "preview.mode", Title: "Preview: Change form", Short: "form", Help: "Rendered with its marks, as the HTML that is sent, and the sources.",
			Keys: []string{"m"}, Contexts: exploring, Footer: 70, Enabled: hasSelection,
			Run: func(m *Model) tea.Cmd { return m.cycleForm() },
		},
		{
			ID: "results.flat", Title: "Results: By page or by rank", Short: "by rank", Help: "Group by page (what a model gets) or list by rank.",
			Keys: []string{"r"}, Contexts: exploring, Footer: 60,
			Run: func(m *Model) tea.Cmd { return m.toggleFlat() },
		},
		{
			ID: "copy.menu", Title: "Copy: Choose what", Short: "copy", Help: "Copy the span, the section, a citation, the address, JSON or a command line.", Outside: true,
			Keys: []string{"y"}, Contexts: reading, Footer: 55, Enabled: hasSelection,
			Run: func(m *Model) tea.Cmd { return m.openCopyMenu() },
		},
		{
			ID: "url.open", Title: "Page: Open in the browser", Short: "open", Help: "Open the page's address.", Outside: true,
			Keys: []string{"o"}, Contexts: reading, Footer: 35, Enabled: canOpenURL,
			Run: func(m *Model) tea.Cmd { return m.openURL() },
		},
		{
			ID: "section.edit", Title: "Section: Open in the editor", Help: "Open a copy of the section in the editor; after an error, show its details.", Outside: true,
			Keys: []string{"E"}, Contexts: anyPane, Enabled: canEdit,
			Run: func(m *Model) tea.Cmd { return m.editOrDetails() },
		},
		{
			ID: "notices.show", Title: "Notices: Show", Help: "Show all notices in full.",
			Keys: []string{"!"}, Contexts: anyPane, Enabled: func(m *Model) (bool, string) { return len(m.notices()) > 0, "there are no notices" },
			Run: func(m *Model) tea.Cmd { return m.showNotices() },
		},
	}
}

func screenActions() []action {
	return []action{
		{
			ID: "pane.zoom", Title: "Pane: Zoom", Short: "zoom", Help: "Give the whole screen to the focused pane, or back.",
			Keys: []string{"z"}, Contexts: anyPane, Footer: 20,
			Run: func(m *Model) tea.Cmd { return m.zoom(!m.zoomed) },
		},
		{
			ID: "pane.enlarge", Title: "Pane: Enlarge", Help: "Give the whole screen to the focused pane.",
			Keys: []string{"+"}, Contexts: anyPane, Run: func(m *Model) tea.Cmd { return m.zoom(true) },
		},
		{
			ID: "pane.reduce", Title: "Pane: Reduce", Help: "Show all panes again.",
			Keys: []string{"-"}, Contexts: anyPane, Run: func(m *Model) tea.Cmd { return m.zoom(false) },
		},
		{
			ID: "split.less", Title: "Split: Move left", Help: "Less room for the results.",
			Keys: []string{"<"}, Contexts: anyPane, Run: func(m *Model) tea.Cmd { return m.moveSplit(-4) },
		},
		{
			ID: "split.more", Title: "Split: Move right", Help: "More room for the results.",
			Keys: []string{">"}, Contexts: anyPane, Run: func(m *Model) tea.Cmd { return m.moveSplit(4) },
		},
		{
			ID: "mouse.release", Title: "Mouse: Release or take", Help: "Leave the mouse to the terminal, to select text; most terminals also do so while shift is held.",
			Contexts: anyPane, Run: func(m *Model) tea.Cmd { return m.toggleMouse() },
		},
		{
			ID: "help.show", Title: "Help: All keys", Short: "all keys", Help: "Show all keys.",
			Keys: []string{"?"}, Contexts: anyPane, Footer: 95, Run: func(m *Model) tea.Cmd { return m.showHelp() },
		},
		{
			ID: "palette.show", Title: "Palette: All actions", Help: "Find an action by its name.",
			Keys: []string{":", "ctrl+p"}, Contexts: anywhere, Run: func(m *Model) tea.Cmd { return m.showPalette() },
		},
		{
			ID: "go.back", Title: "Go: Back", Help: "Back out one level; never quits.",
			Keys: []string{"esc"}, Contexts: anyPane, Fixed: true, Run: func(m *Model) tea.Cmd { return m.back() },
		},
		{
			ID: "program.suspend", Title: "Program: Suspend", Help: "Put the program aside; fg brings it back.",
			Keys: []string{"ctrl+z"}, Contexts: anywhere, Always: true, Run: func(*Model) tea.Cmd { return tea.Suspend },
		},
		{
			ID: "program.quit", Title: "Program: Quit", Short: "quit", Help: "Quit.",
			Keys: []string{"q"}, Contexts: anyPane, Footer: 10, Run: func(m *Model) tea.Cmd { return m.quit() },
		},
		{
			ID: "program.interrupt", Title: "Program: Cancel or quit", Help: "Cancel a running query; if none runs, quit.",
			Keys: []string{"ctrl+c"}, Contexts: anywhere, Always: true, Fixed: true, Run: func(m *Model) tea.Cmd { return m.interrupt() },
		},
	}
}

func hasSelection(m *Model) (bool, string) {
	return m.results.selected() != nil || m.results.onGroup(), "nothing is selected"
}

func canAsk(m *Model) (bool, string) {
	return !m.welcoming(), "there is nothing to ask yet: {welcome.index} indexes a folder, {welcome.guide} opens the guide"
}

func hasCorpus(m *Model) (bool, string) { return m.corpus != nil, "the corpus is not open yet" }

func hasMarks(m *Model) (bool, string) {
	if f, ok := m.focus.panel().(finder); ok {
		return f.stops(m) > 0, "nothing is marked here"
	}
	if m.find.on && m.find.pane == paneResults {
		return len(m.find.rows) > 0, "nothing found"
	}
	return m.preview.steps() > 0 || m.marksElsewhere(), "nothing is marked here"
}

func canOpenURL(m *Model) (bool, string) {
	address := m.selectedAddress()
	switch {
	case address == "":
		return false, "nothing is selected"
	case m.opts.OpenURL == nil:
		return false, "no program to open addresses with"
	case !isWebURL(address):
		return false, "the page has no web address"
	}
	return true, ""
}

func canEdit(m *Model) (bool, string) {
	switch {
	case m.failure != nil:
		return true, ""
	case m.view != viewExplore:
		return false, "there is no error; sections open in the editor from the explorer ({view.explore})"
	case m.results.selected() == nil && m.results.onGroup():
		return false, saidPage
	case m.results.selected() == nil:
		return false, "nothing is selected"
	case m.opts.Editor == "":
		return false, "no editor is set: set EDITOR"
	}
	return true, ""
}
