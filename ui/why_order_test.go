package ui

import (
	"context"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/whynot"
)

// What the pane says of a parameter, w says too, and A does what w lists first.
func TestPaneAndWhyAgree(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "esc")
	d.change("similarity_floor", "0.95")
	d.press("1")
	nearest := d.session().Result().NearMisses[0].ChunkID
	turns := d.session().Evidence().RankBreakpoints(d.session().Params(), nearest, nil)
	r, err := d.session().Corpus().Engine.WhyNot(context.Background(), retrieval.Query{Text: d.session().Query()}, d.session().Params(), whynot.Target{ChunkID: nearest})
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
	if got := d.session().Params(); got.Get(first.Field) != first.To {
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
