package welcome

import (
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/view"
)

// typeahead drops what is typed on after a key of the welcome: whoever types a path
// or a question there, whose first letter opened the guide, did not mean the other
// letters as keys either.
type typeahead struct {
	on bool
	// typing says that a letter was dropped already.
	typing bool
	rest   view.Work
}

// typingPause is longer than the pause between two letters of a word.
const typingPause = 400 * time.Millisecond

// begin drops what is typed on from now on, if it is on.
func (t *typeahead) begin(on bool) { t.on, t.typing = on, false }

// restTyping takes keys as keys again once nothing was typed for a while.
func (v *View) restTyping() tea.Cmd {
	t := &v.typeahead
	return t.rest.Rest(v.After, typingPause, func() tea.Cmd {
		if v.Session().Corpus() != nil {
			t.on = false
		}
		return nil
	})
}

// Drops reports whether a key belongs to what is typed on. The keys that ask
// and quit do what they always do, unless letters came before them.
func (v *View) Drops(key tea.KeyPressMsg, a *view.Action) (bool, tea.Cmd) {
	t := &v.typeahead
	if !t.on || utf8.RuneCountInString(key.Text) != 1 {
		return false, nil
	}
	if !t.typing && a != nil && (a.ID == "query.edit" || a.ID == "program.quit") {
		t.on = false
		return false, nil
	}
	t.typing = true
	return true, v.restTyping()
}
