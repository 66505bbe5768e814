package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view/viewtest"
)

// watching is a view of a session that watches queries, none of which was asked.
func watching(t *testing.T, queries ...string) (*View, *viewtest.Shell) {
	t.Helper()
	s := viewtest.New(t)
	var list []session.WatchedQuery
	for _, q := range queries {
		list = append(list, session.WatchedQuery{Query: q})
	}
	s.Of.KeepWatchLists(map[string][]session.WatchedQuery{"here": list})
	s.Of.OpenWatchList("here")
	return New(s, Needs{}), s
}

// The line of the watch list is as wide as it is told, names each query or counts it as
// one more.
func TestTheStripFits(t *testing.T) {
	if v, _ := watching(t); v.Strip(80) != "" {
		t.Errorf("nothing is watched: %q", v.Strip(80))
	}
	rapid.Check(t, func(rt *rapid.T) {
		queries := make([]string, rapid.IntRange(1, session.MostWatched).Draw(rt, "queries"))
		for i := range queries {
			queries[i] = fmt.Sprintf("query %c", 'a'+i)
		}
		v, _ := watching(t, queries...)
		w := rapid.IntRange(50, 300).Draw(rt, "w")
		line := ansi.Strip(v.Strip(w))
		if n := ansi.StringWidth(line); n > w {
			rt.Errorf("%d cells in %d: %q", n, w, line)
		}
		named := 0
		for i := range queries {
			if strings.Contains(line, fmt.Sprintf("query %c", 'a'+i)) {
				named++
			}
		}
		if rest := len(queries) - named; rest > 0 != strings.Contains(line, fmt.Sprintf(" %d more", rest)) {
			rt.Errorf("%d of %d are named in %q", named, len(queries), line)
		}
	})
}
