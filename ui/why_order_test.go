package ui

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
)

// What the watched queries allow comes first, then what is not known, then what
// they do not; and the view.Verdict names the first.
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
		t.Errorf("the view.Verdict is %q", r.Verdict)
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

// What the pane says of a parameter, w says too, and A does what w lists first.
func TestPaneAndWhyAgree(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "esc")
	d.change("similarity_floor", "0.95")
	d.press("1")
	nearest := d.m.session.Result().NearMisses[0].ChunkID
	turns := d.m.session.Evidence().RankBreakpoints(d.m.session.Params(), nearest, nil)
	r, err := d.m.corpus.Engine.WhyNot(context.Background(), retrieval.Query{Text: d.m.session.Query()}, d.m.session.Params(), whynot.Target{ChunkID: nearest})
	if err != nil || len(r.Suggestions) == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	compared := 0
	for _, turn := range turns {
		for i := range r.Suggestions {
			if s := &r.Suggestions[i]; len(s.Changes) == 1 && s.Changes[0].Field == "similarity_floor" && turn.Change.Field == "similarity_floor" {
				if compared++; s.Changes[0].To != turn.Change.To || s.Rank != turn.To {
					t.Errorf("why: %+v at %d, the pane: %+v", s.Changes[0].Change, s.Rank, turn)
				}
			}
		}
	}
	if compared == 0 {
		t.Fatalf("nothing to compare: %+v and %+v", turns, r.Suggestions)
	}
	d.press("A")
	first := r.Suggestions[0].Changes[0]
	if got := d.m.session.Params(); got.Get(first.Field) != first.To {
		t.Errorf("A gives %s %s, w says %s", first.Field, got.Get(first.Field), first.To)
	}
}

// A query whose words are nowhere is told so before noise is let in.
func TestWordsThatOccurNowhere(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", "zxqv blorpf wuggle", "")
	d.mustShow("None of the query's words occurs")
	d.press("1 w")
	d.mustShow("None of the query's words occurs in the corpus")
	d = openGuide(t, 120, 40, "webrag", depthQuestion, "")
	d.change("similarity_floor", "0.95")
	d.mustNotShow("None of the query's words")
}
