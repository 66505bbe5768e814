package ui

import (
	"github.com/webrag/webrag-tui/ui/view"
)

// openingActions lead from what is read to other places of the corpus, and back.
func (m *Model) openingActions() []view.Action {
	return []view.Action{
		{
			ID: "page.outline", Title: "Page: Outline…", Short: "outline", Help: "List the headings of the whole page and go to one. Sections of the result have their rank.",
			Keys: []string{"O"}, Contexts: reading, Footer: 14, Enabled: m.canFollow,
			Run: m.showOutline,
		},
		{
			ID: "section.links", Title: "Section: Follow a link…", Short: "links", Help: "List the links of the section: those into the corpus open here, others in the browser.",
			Keys: []string{"F"}, Contexts: reading, Footer: 15, Enabled: m.canFollow,
			Run: m.listLinks,
		},
		{
			ID: "page.open", Title: "Page: Open an address…", Help: "Open a page of the corpus by its address.",
			Contexts: anyPane, Enabled: m.hasCorpus,
			Run: m.promptAddress,
		},
		{
			ID: "trail.back", Title: "Trail: Back", Short: "back", Help: "Go back to where you were before you opened a section, with row and line.",
			Keys: []string{"[", "backspace", "alt+left"}, Contexts: reading.And(inPages), Enabled: m.canGoBack,
			Run: m.goBack,
		},
		{
			ID: "trail.forward", Title: "Trail: Forward", Help: "Go forward again, after going back.",
			Keys: []string{"]", "alt+right"}, Contexts: reading.And(inPages), Enabled: m.canGoForward,
			Run: m.goForward,
		},
	}
}

// canFollow says whether there is a section to go on from.
func (m *Model) canFollow() (bool, string) {
	switch {
	case m.session.Corpus() == nil:
		return false, "the corpus is not open yet"
	case m.results.Selected() == nil:
		return false, "nothing is selected"
	}
	return true, ""
}
