package ui

import (
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// lostFile says that the outage is that of a file which was removed or replaced.
func (m *Model) lostFile() bool { return m.session.Outage().IsFile() }

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
	failed := m.failure != nil && (m.session.Corpus() == nil || m.failure.again)
	return failed || m.session.Outage() != nil || m.session.Unasked() != nil, "there is nothing to try again: the corpus is open"
}

// retryNow tries again without waiting.
func (m *Model) retryNow() tea.Cmd { return m.showSession(m.selectedID(), m.session.Retry()) }

// tried says what is tried and when again, while there is nothing else to show.
func (m *Model) tried() string {
	if m.session.Outage() == nil {
		return ""
	}
	return widget.Capital(m.outageText()) + fmt.Sprintf(" (tried %s).", wording.Plural(m.session.Outage().Tries, "time"))
}

// outageText is the state in the header, empty while all is well.
func (m *Model) outageText() string {
	if m.session.Outage() == nil {
		return ""
	}
	what := "no connection"
	if m.lostFile() {
		what = "the corpus file was removed or replaced"
	}
	if m.session.Asking() {
		return what + ", trying again …"
	}
	return fmt.Sprintf("%s, next try in %s", what, m.session.Outage().Pause())
}

// unreachable is the failure of a corpus whose server is away, where there is no
// earlier answer to keep.
func unreachable(err error) *failure {
	if errors.Is(err, store.ErrReplaced) {
		return &failure{what: "The corpus is not in its place any more.", next: "{corpus.reopen} opens what is there at once; {palette.show} switches to another corpus", err: err}
	}
	return &failure{what: "The corpus's server cannot be reached.", next: "{corpus.reopen} tries at once; {palette.show} switches to another corpus", err: err}
}
