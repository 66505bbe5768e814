package ui

import (
	"errors"
	"fmt"
	"time"

	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/store"
)

// outage is the time in which the corpus's server cannot be reached, or its file is
// not in its place. What is on the screen stays, and the query is asked again after
// pauses that grow, of a corpus that is opened again if it is a file.
type outage struct {
	since time.Time
	tries int
	err   error
	gen   int // of the retry that is due
}

// The pauses before the query is asked again: the first, and the longest.
const (
	firstRetry = time.Second
	lastRetry  = 30 * time.Second
)

// retryDue asks to try the server again.
type retryDue struct{ gen int }

// pause is how long to wait before the next try: 1, 2, 4 … 30 seconds.
func (o *outage) pause() time.Duration {
	return min(lastRetry, firstRetry<<min(o.tries, 5))
}

// lostFile says that the outage is that of a file which was removed or replaced.
func (m *Model) lostFile() bool {
	return m.outage != nil && errors.Is(m.outage.err, store.ErrReplaced)
}

// lose notes that the server did not answer, and comes back to it.
func (m *Model) lose(err error) tea.Cmd {
	if m.outage == nil {
		m.outage = &outage{since: m.opts.Now()}
	}
	o := m.outage
	o.err = err
	o.gen++
	pause := o.pause()
	o.tries++
	return m.after(pause, retryDue{o.gen})
}

// foundAgain ends an outage.
func (m *Model) foundAgain() tea.Cmd {
	if m.outage == nil {
		return nil
	}
	away := m.opts.Now().Sub(m.outage.since).Round(time.Second)
	file := m.lostFile()
	m.outage = nil
	if file {
		return m.say("the corpus was opened again, after its file had been removed or replaced", false)
	}
	return m.say(fmt.Sprintf("the corpus's server answers again, after %s", away), false)
}

// retry asks again, or opens the corpus again, unless the user has in the
// meantime.
func (m *Model) retry(msg retryDue) tea.Cmd {
	if m.outage == nil || m.outage.gen != msg.gen || m.session.Asking() {
		return nil
	}
	if m.corpus == nil || m.lostFile() {
		return m.openCorpus()
	}
	return m.sendQuery(true)
}

func (m *Model) canRetry() (bool, string) {
	failed := m.failure != nil && (m.corpus == nil || m.failure.again)
	return failed || m.outage != nil || m.session.Unasked() != nil, "there is nothing to try again: the corpus is open"
}

// retryNow tries again without waiting.
func (m *Model) retryNow() tea.Cmd {
	switch {
	case m.corpus == nil, m.failure != nil && m.failure.again:
		return m.reopen()
	case m.lostFile():
		return m.openCorpus()
	case m.outage == nil && m.session.Unasked() != nil && m.session.Evidence() != nil:
		return m.showSession(m.selectedID(), m.session.Retry())
	}
	return m.sendQuery(true)
}

// tried says what is tried and when again, while there is nothing else to show.
func (m *Model) tried() string {
	if m.outage == nil {
		return ""
	}
	return widget.Capital(m.outageText()) + fmt.Sprintf(" (tried %s).", wording.Plural(m.outage.tries, "time"))
}

// outageText is the state in the header, empty while all is well.
func (m *Model) outageText() string {
	if m.outage == nil {
		return ""
	}
	what := "no connection"
	if m.lostFile() {
		what = "the corpus file was removed or replaced"
	}
	if m.session.Asking() {
		return what + ", trying again …"
	}
	// The pause of the try that is due was taken before it was counted.
	before := outage{tries: m.outage.tries - 1}
	return fmt.Sprintf("%s, next try in %s", what, before.pause())
}

// unreachable is the failure of a corpus whose server is away, where there is no
// earlier answer to keep.
func unreachable(err error) *failure {
	if errors.Is(err, store.ErrReplaced) {
		return &failure{what: "The corpus is not in its place any more.", next: "{corpus.reopen} opens what is there at once; {palette.show} switches to another corpus", err: err}
	}
	return &failure{what: "The corpus's server cannot be reached.", next: "{corpus.reopen} tries at once; {palette.show} switches to another corpus", err: err}
}
