package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/theme"
)

func bare(lines []string) string {
	for i, l := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return strings.Join(lines, "\n")
}

func darkStyles(t *testing.T) *theme.Styles {
	t.Helper()
	styles, err := theme.New("", theme.Options{Dark: true})
	if err != nil {
		t.Fatal(err)
	}
	return styles
}

func number(op retrieval.Op, value float64, label, formula string, children ...*retrieval.Explanation) *retrieval.Explanation {
	return &retrieval.Explanation{Op: op, Value: value, Label: label, Formula: formula, Children: children}
}

// A fused score keeps its arms and what stands beside them; the parts that the
// formulas show already are left out.
func TestAFusedScoreShowsItsArms(t *testing.T) {
	leaf := func(value float64, label string) *retrieval.Explanation {
		return number(retrieval.OpLeaf, value, label, "")
	}
	tree := number(retrieval.OpProduct, 0.990476, "reciprocal rank fusion", "0.0162373 × 61",
		number(retrieval.OpSum, 0.0162373, "sum of the arms", "",
			number(retrieval.OpQuotient, 0.0114754, "vector, rank 1", "0.7 / (60 + 1)", leaf(0.7, "weight"), leaf(61, "k + rank"),
				number(retrieval.OpNote, 0.526282, "cosine, not in the score", "")),
			number(retrieval.OpQuotient, 0.0047619, "keyword, rank 3", "0.3 / (60 + 3)", leaf(0.3, "weight"), leaf(63, "k + rank"),
				number(retrieval.OpNote, 6.04, "BM25, not in the score", "", leaf(6.04, `"decay"`)))),
		leaf(61, "k + 1"))
	want := `0.990  reciprocal rank fusion
├ 0.0162  sum of the arms
│ ├ 0.0115  vector, rank 1
│ │   0.7 / (60 + 1)
│ │ └ · 0.526  cosine, not in the score
│ └ + 0.00476  keyword, rank 3
│     0.3 / (60 + 3)
│   └ · 6.040  BM25, not in the score
│     └ 6.040  "decay"
└ × 61.000  k + 1`
	if got := bare(explanationLines(darkStyles(t), tree, nil, 60)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// Without notes a formula says it all.
	flat := number(retrieval.OpSum, 1.1, "score", "", number(retrieval.OpQuotient, 0.5, "half", "1 / 2", leaf(1, "one"), leaf(2, "two")), leaf(0.6, "rest"))
	if got := bare(explanationLines(darkStyles(t), flat, nil, 60)); got != "1.100  score\n"+
		"├ 0.500  half\n│   1 / 2\n└ + 0.600  rest" {
		t.Errorf("got\n%s", got)
	}
	quotient := number(retrieval.OpQuotient, 0.5, "half", "", leaf(1, "one"), leaf(2, "two"))
	if got := bare(explanationLines(darkStyles(t), quotient, nil, 60)); got != "0.500  half\n├ 1.000  one\n└ / 2.000  two" {
		t.Errorf("got\n%s", got)
	}
}

func TestTheScorePaneShowsEdgesAndWords(t *testing.T) {
	var p scorePane
	p.setSize(60, 40)
	p.show(&retrieval.Item{
		ChunkID: "a", Rank: 2, TokenEnd: 12,
		Explanation: &retrieval.Explanation{Op: retrieval.OpSum, Value: 0.5, Label: "seed and edge", Children: []*retrieval.Explanation{
			{Op: retrieval.OpLeaf, Value: 0.29, Label: "as a seed"}, {Op: retrieval.OpLeaf, Value: 0.21, Label: "references"},
		}},
		GraphContext: []retrieval.GraphPath{
			{FromHeading: "Floors", Relation: "references", Description: "links to “Decay”", Hop: 1, Term: 0.21},
			{FromChunkID: "c7", Relation: "part_of", Hop: 2, Term: 0.05, Reversed: true},
		},
		EdgesIn: []retrieval.GraphPath{{FromHeading: "Seeds\x1b[31m", Relation: "sequence", Hop: 1, Term: 0.105}},
		Matches: []retrieval.Match{
			{ChunkID: "x", KeywordRank: 3, BM25: 6.04},
			{ChunkID: "y", Rank: 1, KeywordRank: 2, Similarity: 0.5},
		},
	}, &retrieval.Result{Mode: param.ModeChunk, Items: make([]retrieval.Item, 5), Budget: param.Unlimited, Tokens: 1400}, -1)
	got := bare(p.view(darkStyles(t)))
	for _, want := range []string{
		" how edges lead here\n ← references from “Floors”\n links to “Decay”\n hop 1 adds .210\n → part_of of “c7”, walked back\n hop 2, .050 not in the score\n",
		" edges lead here, too\n ← sequence from “Seeds␛[31m”\n",
		"rank 2 of 5 · 12 tokens\n no budget, 1.4k tokens in all\n",
		"keyword 3", "BM25 6.04", "vector 1, keyword 2", ".500", "ranks among all children",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

func TestTheFunnelNamesTheArms(t *testing.T) {
	off := param.Floor{Off: true}
	for _, c := range []struct {
		result retrieval.Result
		want   string
	}{
		{retrieval.Result{ChildrenFound: 60, ChildrenKept: 12, Items: make([]retrieval.Item, 5)}, "nearest 60 children → 12 → 5 sections"},
		{retrieval.Result{ChildrenFound: 1, ChildrenKept: 1, Floor: off, Items: []retrieval.Item{{Level: store.Child}}}, "nearest 1 child → 1 passage"},
		{
			retrieval.Result{ChildrenFound: 15, ChildrenKept: 15, KeywordFound: 9, Floor: off, Terms: []store.TermStat{{Term: "x"}}, Items: make([]retrieval.Item, 2)},
			"vector 15, keyword 9 → 2 sections",
		},
	} {
		if got := funnelOf(&c.result); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// In a narrow pane ranks are letters with a legend.
func TestRanksOfMatches(t *testing.T) {
	for _, c := range []struct {
		match          retrieval.Match
		short, spelled string
	}{
		{retrieval.Match{Rank: 1, KeywordRank: 2}, "#1 k2", "vector 1, keyword 2"},
		{retrieval.Match{KeywordRank: 3}, "k3", "keyword 3"},
		{retrieval.Match{Rank: 8}, "#8", "vector 8"},
	} {
		if short, spelled := matchRanks(c.match, false), matchRanks(c.match, true); short != c.short || spelled != c.spelled {
			t.Errorf("%q and %q, want %q and %q", short, spelled, c.short, c.spelled)
		}
	}
}
