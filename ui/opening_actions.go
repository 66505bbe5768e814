package ui

import (
	tea "charm.land/bubbletea/v2"
)

// openingActions lead from what is read to other places of the corpus, and back.
func openingActions() []action {
	return []action{
		{
			ID: "page.outline", Title: "Page: Outline…", Short: "outline", Help: "List the headings of the whole page and go to one. Sections of the result have their rank.",
			Keys: []string{"O"}, Contexts: reading, Footer: 14, Enabled: canFollow,
			Run: func(m *Model) tea.Cmd { return m.showOutline() },
		},
		{
			ID: "section.links", Title: "Section: Follow a link…", Short: "links", Help: "List the links of the section: those into the corpus open here, others in the browser.",
			Keys: []string{"F"}, Contexts: reading, Footer: 15, Enabled: canFollow,
			Run: func(m *Model) tea.Cmd { return m.listLinks() },
		},
		{
			ID: "page.open", Title: "Page: Open an address…", Help: "Open a page of the corpus by its address.",
			Contexts: anyPane, Enabled: hasCorpus,
			Run: func(m *Model) tea.Cmd { return m.promptAddress() },
		},
		{
			ID: "trail.back", Title: "Trail: Back", Short: "back", Help: "Go back to where you were before you opened a section, with row and line.",
			Keys: []string{"[", "backspace", "alt+left"}, Contexts: reading | inTree | inPage, Enabled: canGoBack,
			Run: func(m *Model) tea.Cmd { return m.goBack() },
		},
		{
			ID: "trail.forward", Title: "Trail: Forward", Help: "Go forward again, after going back.",
			Keys: []string{"]", "alt+right"}, Contexts: reading | inTree | inPage, Enabled: canGoForward,
			Run: func(m *Model) tea.Cmd { return m.goForward() },
		},
	}
}

// canFollow says whether there is a section to go on from.
func canFollow(m *Model) (bool, string) {
	switch {
	case m.corpus == nil:
		return false, "the corpus is not open yet"
	case m.results.selected() == nil:
		return false, "nothing is selected"
	}
	return true, ""
}
