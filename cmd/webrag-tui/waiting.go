package main

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/remote"
)

// waitEvery is how long nothing more is said of a wait like the last: several
// requests may wait at once, and each one anew.
const waitEvery = time.Minute

// lastWait is what was said last, and when.
type lastWait struct {
	mu   sync.Mutex
	said string
	at   time.Time
}

// tellWait says on standard error what a server is waited for, and how to stop. It is
// called from several goroutines.
func (a *app) tellWait(w remote.Wait) {
	if a.quiet {
		return
	}
	a.waited.mu.Lock()
	defer a.waited.mu.Unlock()
	line, now := "· "+offset.Line(w.String())+"; ctrl-c stops", a.now()
	if line == a.waited.said && now.Sub(a.waited.at) < waitEvery {
		return
	}
	a.waited.said, a.waited.at = line, now
	if cells := columns(a.process.err); cells > 0 {
		// A bar may stand on the line, which is drawn again below.
		line = "\r" + line + strings.Repeat(" ", max(0, cells-1-len([]rune(line))))
	}
	fmt.Fprintln(a.process.err, line) // raw: of what is on the line only the return is not text
}
