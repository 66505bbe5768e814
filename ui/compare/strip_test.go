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

// A query whose page has a worse rank is seen before those that have only changed, with both
// ranks.
func TestTheStripPrefersWhatGotWorse(t *testing.T) {
	v, s := watching(t, "changed one", "changed two", "better", "worse", "new", "as it was")
	outcomes := []session.Outcome{
		{Rank: 1, Was: 1, Entered: 4, Left: 4}, {Entered: 2}, {Rank: 2, Was: 5, Entered: 1}, {Rank: 12, Was: 11, Entered: 3, Moved: true}, {Rank: 7, Entered: 1}, {Rank: 1, Was: 1},
	}
	for i, w := range s.Of.Watched() {
		outcomes[i].Known, outcomes[i].Compared, outcomes[i].Passed = true, true, true
		w.Now = outcomes[i]
		if i != 1 {
			w.Page = "https://a.test/"
		}
	}
	line := ansi.Strip(v.Strip(300))
	for _, want := range []string{"changed one others +4 −4", "changed two sections +2", "better 5 → 2", "worse 11 → 12", "new new at 7"} {
		if !strings.Contains(line, want) {
			t.Errorf("%q is not in %q", want, line)
		}
	}
	if line := ansi.Strip(v.Strip(60)); !strings.Contains(line, "worse 11 → 12") || !strings.Contains(line, "more") {
		t.Errorf("in 60 cells: %q", line)
	}
}
