package ui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
)

// sayRecovered says that a corpus that was away is there again.
func (m *Model) sayRecovered() tea.Cmd {
	was := m.session.RecoveredFrom()
	if was.IsFile() {
		return m.say("the corpus was opened again, after its file had been removed or replaced", false)
	}
	away := m.opts.Now().Sub(was.Since).Round(time.Second)
	return m.say(fmt.Sprintf("the corpus's server answers again, after %s", away), false)
}

func (m *Model) canRetry() (bool, string) {
	if m.welcome.IsFilling() {
		return false, saidFilling
	}
	failed := m.welcome.Failure() != nil && (m.session.Corpus() == nil || m.welcome.Failure().Again)
	return failed || m.session.Outage() != nil || m.session.Unasked() != nil, "there is nothing to try again: the corpus is open"
}

// saidFilling is why nothing can be done about a corpus that is being made.
const saidFilling = "the first pages are being indexed; {program.interrupt} stops"

// retryNow tries again without waiting.
func (m *Model) retryNow() tea.Cmd { return m.showSession(m.selectedID(), m.session.Retry()) }
