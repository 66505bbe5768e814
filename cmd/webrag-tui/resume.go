package main

import (
	"fmt"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/ui"
)

// goOn starts an exploration from the preset or profile that the last session of
// its corpus ended with, empty for none, where the settings choose none. One that is gone since is
// told.
func (x *exploration) goOn(c *config.Config, last string) {
	if x.query != "" || x.flags.span != "" || last == "" || last == x.start.Name || c.IsSet(presetKey) {
		return
	}
	from, err := openBasis(last)
	if err == nil {
		var start ui.Profile
		if start, err = startOf(c, from); err == nil {
			x.from, x.start = from, start
			return
		}
	}
	x.notices = append(x.notices, retrieval.Notice{
		Code: "session_start", Warning: true,
		Text: fmt.Sprintf("the last session used %s, which cannot be used any more; this one starts from %s: %v", last, x.start.Name, err),
	})
}
