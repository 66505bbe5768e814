package whynot

import (
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
)

// What the watched queries allow comes first, then what is not known, then what
// they do not; and the verdict names the first.
func TestWatchedQueriesOrderSuggestions(t *testing.T) {
	r := whynot.Report{Meant: 1}
	for _, field := range []string{"top_k", "max_hops", "unit", "mode", "fusion"} {
		r.Suggestions = append(r.Suggestions, whynot.Suggestion{Changes: []whynot.Adjustment{{Change: param.Change{Field: field, To: "1"}}}, Rank: 1})
	}
	watched := []watchedBy{{passed: 1, total: 3, known: true}, {}, {passed: 2, total: 3, known: true}, {passed: 3, total: 3, known: true}, {}}
	places := preferWatched(&r, watched)
	if want := []int{3, 1, 4, 2, 0}; !slices.Equal(places, want) || watched[0].passed != 3 || watched[1].known || r.Suggestions[4].Changes[0].Field != "top_k" {
		t.Errorf("places %v, watched %+v, %+v", places, watched, r.Suggestions)
	}
	if !strings.Contains(r.Verdict, "Mode 1 lets it in") {
		t.Errorf("the verdict is %q", r.Verdict)
	}
	if places = preferWatched(&r, nil); !slices.IsSorted(places) {
		t.Errorf("without verdicts: %v", places)
	}
}

// A boundary has four decimals at most and is rounded to the side that works.
func TestBoundaryWords(t *testing.T) {
	for _, c := range [][3]string{
		{"0.21036675820653153", "0.21", "0.2103"},
		{"0.21036675820653153", "0.22", "0.2104"},
		{"0.2", "0.1", "0.2"},
		{"0.210366758", "0.21036", "0.210366758"},
		{"chunk", "1", "chunk"},
	} {
		if got := boundaryWords(c[0], c[1]); got != c[2] {
			t.Errorf("%s, where %s works: %s, want %s", c[0], c[1], got, c[2])
		}
	}
}
