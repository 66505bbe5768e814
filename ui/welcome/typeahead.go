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
	gen    int
}

// typingPause is longer than the pause between two letters of a word.
const typingPause = 400 * time.Millisecond

// typingRested says that nothing was typed for that long.
type typingRested struct {
	v   *View
	gen int
}

// Apply implements [view.Arrival].
func (msg typingRested) Apply() tea.Cmd {
	if msg.gen == msg.v.typeahead.gen && msg.v.Session().Corpus() != nil {
		msg.v.typeahead.on = false
	}
	return nil
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
	t.gen++
	return true, v.After(typingPause, typingRested{v, t.gen})
}
