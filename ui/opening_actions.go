package ui

import (
	"github.com/webrag/webrag-tui/ui/view"
)

// openingActions lead to other places of the corpus, and back.
func (m navigation) openingActions() []view.Action {
	return []view.Action{
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
