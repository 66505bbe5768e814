package welcome

import (
	"errors"
	"fmt"

	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/wording"
)

// tried says what is tried and when again, while there is nothing else to show.
func (v *View) tried() string {
	if v.Session().Outage() == nil {
		return ""
	}
	return phrase.Capital(v.Outage()) + fmt.Sprintf(" (tried %s).", wording.Plural(v.Session().Outage().Tries, "time"))
}

// Outage says for the header that the corpus is away, and when it is tried again; empty
// while all is well.
func (v *View) Outage() string {
	if v.Session().Outage() == nil {
		return ""
	}
	what := "no connection"
	if v.Session().Outage().IsFile() {
		what = "the corpus file was removed or replaced"
	}
	if v.Session().Asking() {
		return what + ", trying again …"
	}
	return fmt.Sprintf("%s, next try in %s", what, v.Session().Outage().Pause())
}

// unreachable is the failure of a corpus whose server is away, where there is no
// earlier answer to keep.
func unreachable(err error) *Failure {
	if errors.Is(err, store.ErrReplaced) {
		return &Failure{What: "The corpus is not in its place any more.", Next: "{corpus.reopen} opens what is there at once; {palette.show} switches to another corpus", Err: err}
	}
	return &Failure{What: "The corpus's server cannot be reached.", Next: "{corpus.reopen} tries at once; {palette.show} switches to another corpus", Err: err}
}
