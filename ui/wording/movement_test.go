package wording

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/theme"
)

// A worked example. Of ten sections two are left, at their old ranks: the rank-biased overlap
// of a list and its own beginning is 1 by its definition, while eight of ten are missing. It is
// not said; of ten that only changed their order it is.
func TestRBOIsSaidOfOneLengthOnly(t *testing.T) {
	ranking := func(from, to int) (r retrieval.Result) {
		for i := from; i < to; i++ {
			r.Items = append(r.Items, retrieval.Item{ChunkID: fmt.Sprint(i), Rank: i - from + 1})
		}
		return r
	}
	two, ten := ranking(0, 2), ranking(0, 10)
	c := retrieval.Compare(ten, two, 10)
	if overlap, rbo := Measures(&c); overlap != ".200" || rbo != "" || Score(c.RBO) != "1.000" {
		t.Errorf("overlap %s, RBO %q of %v", overlap, rbo, c.RBO)
	}
	c = retrieval.Compare(ten, ten, 10)
	if overlap, rbo := Measures(&c); overlap != "1.000" || rbo != "" {
		t.Errorf("of one ranking and itself: overlap %s, RBO %q", overlap, rbo)
	}
	turned := ranking(0, 10)
	for i := range turned.Items {
		turned.Items[i].Rank = 10 - i
	}
	c = retrieval.Compare(ten, turned, 10)
	if overlap, rbo := Measures(&c); overlap != "1.000" || rbo != Score(c.RBO) || c.RBO >= .7 {
		t.Errorf("overlap %s, RBO %q", overlap, rbo)
	}
}

// In short, what did not happen is left out.
func TestCountsInShort(t *testing.T) {
	s := &theme.Styles{}
	for _, c := range []struct {
		entered, left int
		long, short   string
	}{{2, 0, "entered 2  left 0  moved 0", "entered 2"}, {1, 3, "entered 1  left 3  moved 0", "entered 1 left 3"}, {0, 0, "same ranks, other scores", "same ranks"}} {
		d := retrieval.Comparison{
			Entered: make([]retrieval.Shift, c.entered), Left: make([]retrieval.Shift, c.left),
			Moved: []retrieval.Shift{{RankA: 1, RankB: 1, ScoreA: .7942, ScoreB: .7944}, {RankA: 2, RankB: 2, ScoreA: .61, ScoreB: .611}},
		}
		if long, short := DiffCounts(s, &d); long != c.long || short != c.short {
			t.Errorf("%q and %q, want %q and %q", long, short, c.long, c.short)
		}
	}
	// Scores that look alike are not called other ones.
	d := retrieval.Comparison{Moved: []retrieval.Shift{{RankA: 1, RankB: 1, ScoreA: .7942, ScoreB: .7944}}}
	if long, short := DiffCounts(s, &d); long != "same ranks, scores within .001" || short != "same ranks" {
		t.Errorf("%q and %q", long, short)
	}
}

// That the first places are the same is said in words: 1.000 beside a section that entered
// reads as if nothing had.
func TestOverlapInWords(t *testing.T) {
	for want, c := range map[string]retrieval.Comparison{
		"the same first 10": {Overlap: 1, Depth: 10, LengthA: 20, LengthB: 21},
		"the same first 3":  {Overlap: 1, Depth: 10, LengthA: 3, LengthB: 3},
		"overlap@10 .900":   {Overlap: .9, Depth: 10, LengthA: 20, LengthB: 20},
	} {
		measure, value := Overlap(&c)
		if got := strings.TrimRight(measure+" "+value, " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
