package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/keys"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

// statusLine says in the footer what has just happened.
type statusLine struct {
	after    func(time.Duration, tea.Msg) tea.Cmd
	keyboard *keys.Board

	status status
	fading view.Work
}

// status is a line that is said; without a text there is none.
type status struct {
	text    string
	warning bool
}

// statusTime is how long a line stays.
const statusTime = 6 * time.Second

// say shows a line that fades. It may name keys, as keyed has them.
func (l *statusLine) say(text string, warning bool) tea.Cmd {
	l.warn(l.keyboard.Keyed(text))
	l.status.warning = warning
	return l.fading.Rest(l.after, statusTime, func() tea.Cmd {
		l.unsay()
		return nil
	})
}

// warn shows a line that stays.
func (l *statusLine) warn(text string) {
	l.status = status{text: wording.Line(text), warning: true}
	l.fading.End()
}

// unsay takes the line away.
func (l *statusLine) unsay() { l.status.text = "" }
