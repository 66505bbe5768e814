package score

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view/viewtest"
)

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
	want := `.990  reciprocal rank fusion
├ .0162  sum of the arms
│ ├ .0115  vector, rank 1
│ │   .700 / (60 + 1)
│ │ └ · .526  cosine, not in the score
│ └ + .00476  keyword, rank 3
│     .300 / (60 + 3)
│   └ · 6.040  BM25, not in the score
│     └ 6.040  "decay"
└ × 61.000  k + 1`
	if got := viewtest.Bare(explanationLines(viewtest.New(t).Look, tree, nil, 60)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// Without notes a formula says it all.
	flat := number(retrieval.OpSum, 1.1, "score", "", number(retrieval.OpQuotient, 0.5, "half", "1 / 2", leaf(1, "one"), leaf(2, "two")), leaf(0.6, "rest"))
	if got := viewtest.Bare(explanationLines(viewtest.New(t).Look, flat, nil, 60)); got != "1.100  score\n"+
		"├ .500  half\n│   1 / 2\n└ + .600  rest" {
		t.Errorf("got\n%s", got)
	}
	quotient := number(retrieval.OpQuotient, 0.5, "half", "", leaf(1, "one"), leaf(2, "two"))
	if got := viewtest.Bare(explanationLines(viewtest.New(t).Look, quotient, nil, 60)); got != ".500  half\n├ 1.000  one\n└ / 2.000  two" {
		t.Errorf("got\n%s", got)
	}
}

func TestTheScorePaneShowsEdgesAndWords(t *testing.T) {
	v := New(viewtest.New(t), Needs{})
	got := viewtest.Bare(v.linesOf(&subject{focused: -1, w: 60, styles: v.Styles(), item: &retrieval.Item{
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
	}, of: &retrieval.Result{Mode: param.ModeChunk, Items: make([]retrieval.Item, 5), Budget: param.Unlimited, Tokens: 1400}}))
	for _, want := range []string{
		" how edges lead here\n ← references from “Floors”\n links to “Decay”\n hop 1 adds .210\n → part_of of “c7”, walked back\n hop 2, .050 not in the score\n",
		" edges lead here, too\n ← sequence from “Seeds␛[31m”\n",
		"rank 2 of 5 · 12 tokens\n no budget, 1.4k tokens in all\n",
		"keyword 3", "BM25 6.04", "vector 1, keyword 2", ".500", "ranks among all passages",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

// In a narrow pane ranks are letters with a legend.
func TestRanksOfMatches(t *testing.T) {
	for _, c := range []struct {
		match          retrieval.Match
		short, spelled string
	}{
		{retrieval.Match{Rank: 1, KeywordRank: 2}, "v1 k2", "vector 1, keyword 2"},
		{retrieval.Match{KeywordRank: 3}, "k3", "keyword 3"},
		{retrieval.Match{Rank: 8}, "v8", "vector 8"},
	} {
		if short, spelled := matchRanks(&c.match, false), matchRanks(&c.match, true); short != c.short || spelled != c.spelled {
			t.Errorf("%q and %q, want %q and %q", short, spelled, c.short, c.spelled)
		}
	}
}

func number(op retrieval.Op, value float64, label, formula string, children ...*retrieval.Explanation) *retrieval.Explanation {
	return &retrieval.Explanation{Op: op, Value: value, Label: label, Formula: formula, Children: children}
}

// A cosine of .8 at depth 2 loses a tenth of itself.
func TestWaterfallWorkedExample(t *testing.T) {
	tree := scaled(number(retrieval.OpProduct, .72, "similarity × depth", "",
		scaled(number(retrieval.OpLeaf, .8, "cosine, best of 1", ""), "cosine, −1 to 1"),
		scaled(number(retrieval.OpClamp, .9, "depth 2", "max(1 − 2×0.05, 0.8)"), "multiplier, 0 to 1")), "cosine × depth")
	tree.Children[1].Fields = "depth_decay_rate,depth_floor"
	p, _ := param.Preset("webrag")
	want := `  cosine   .800 █████████████████
− depth 2 −.080                ██
= score    .720 ███████████████▎
.720  similarity × depth
scale: cosine × depth
├ .800  cosine, best of 1
└ × .900  depth 2
    max(1 − 2×.050, .800)
    depth decay .050
    depth floor .800`
	if got := viewtest.Bare(append(waterfallLines(viewtest.New(t).Look, tree, 33), explanationLines(viewtest.New(t).Look, tree, &p, 33)...)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The nearest changes are picked: two for the better, one for the worse, one out.
func TestNearest(t *testing.T) {
	turn := func(field string, from, to int) whynot.RankBreakpoint {
		return whynot.RankBreakpoint{Change: param.Change{Field: field}, From: from, To: to}
	}
	got := Nearest([]whynot.RankBreakpoint{
		turn("full_context_threshold", 3, 40), turn("depth_floor", 3, 2), turn("depth_decay_rate", 3, 4), turn("rrf_k", 3, 5),
		turn("depth_decay_rate", 3, 1), turn("keyword_weight", 3, 2), turn("similarity_floor", 3, 0), turn("top_k", 3, 0),
	})
	want := []whynot.RankBreakpoint{turn("depth_floor", 3, 2), turn("depth_decay_rate", 3, 4), turn("depth_decay_rate", 3, 1), turn("similarity_floor", 3, 0)}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}

// A floor on the scale of the corpus stands with its cosine, which tells it from that of the section.
func TestFloorsStandWithTheirCosines(t *testing.T) {
	it := &retrieval.Item{Rank: 1, Vector: &retrieval.ArmPlace{Score: .3521}}
	x := &session.Examination{Item: it, RankBreakpoints: []whynot.RankBreakpoint{{
		Change: param.Change{Field: param.FieldSimilarityFloor, From: ".3", To: ".64"}, From: 1, Floor: param.Floor{Setting: .64, Scale: param.FloorCalibrated, Raw: .35208},
	}}}
	s := viewtest.New(t).Look
	if got := viewtest.Bare(breakpointLines(s, x, 60)); !strings.Contains(got, "floor .300 → .640 (cosine .35208)") || !strings.Contains(got, "out") {
		t.Errorf("drawn is\n%s", got)
	}
	x.RankBreakpoints[0].Floor = param.Floor{}
	if got := viewtest.Bare(breakpointLines(s, x, 60)); strings.Contains(got, "cosine") {
		t.Errorf("a floor that is a cosine is\n%s", got)
	}
}

func scaled(e *retrieval.Explanation, scale string) *retrieval.Explanation {
	e.Scale = scale
	return e
}

// No line ends between a sign and what it belongs to, and there is one minus.
func TestOriginOfACosineStaysWhole(t *testing.T) {
	c := session.Cosine{Value: .07, Body: -.01, Headings: .082, Title: -.002}
	for room := 20; room < 60; room++ {
		lines := originLines(&c, "−", room)
		for i, l := range lines {
			if strings.HasPrefix(l, " ") != (i > 0) || strings.HasSuffix(l, "+") || strings.HasSuffix(l, "−") || strings.Contains(l, "-") || ansi.StringWidth(l) > room {
				t.Errorf("at %d: %q", room, lines)
			}
		}
	}
	if got, want := strings.Join(originLines(&c, "−", 80), "\n"), ".070 = text −.010 + headings .082 − title .002"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// All numbers of a waterfall have the same decimals, and its bars begin in one
// column.
func TestWaterfallNumbersAlike(t *testing.T) {
	s := viewtest.New(t).Look
	e := scaled(number(retrieval.OpProduct, .0549, "similarity × depth", "",
		scaled(number(retrieval.OpLeaf, .0645882, "cosine", ""), "cosine, −1 to 1"),
		scaled(number(retrieval.OpClamp, .85, "depth 3", ""), "multiplier, 0 to 1")), "cosine × depth")
	const room = 32
	for _, l := range waterfallLines(s, e, room) {
		l = ansi.Strip(l)
		if !regexp.MustCompile(`[ −]\.\d{3} `).MatchString(l) || ansi.StringWidth(l) > room {
			t.Errorf("%q", l)
		}
	}
}

func TestTheScorePaneSeesATextThatComesLater(t *testing.T) {
	it := &retrieval.Item{ChunkID: "a", Matches: []retrieval.Match{{ChunkID: "b", Similarity: .2, Rank: 1}}}
	v := New(viewtest.New(t), Needs{})
	v.SetSize(40, 20)
	v.Show(it, -1)
	if before := strings.Join(v.Draw(40, 20, true), "\n"); strings.Contains(before, "¶1") {
		t.Fatalf("a block is numbered without a text:\n%s", before)
	}
	it.ChunkText = "A text."
	v.Show(it, -1)
	if after := strings.Join(v.Draw(40, 20, true), "\n"); !strings.Contains(after, "¶1") {
		t.Errorf("the text came and the pane stands still:\n%s", after)
	}
	passage := *it
	passage.ParentID = "section"
	v.Show(&passage, -1)
	if alone := strings.Join(v.Draw(40, 20, true), "\n"); strings.Contains(alone, "¶") {
		t.Errorf("a passage is the block of a section:\n%s", alone)
	}
}

func TestParagraph(t *testing.T) {
	text := "\n\n## One\n\nTwo\nstill two\n  \nThree é\n"
	for quote, want := range map[string]int{"## One": 1, "Two": 2, "still": 2, "Three": 3} {
		before, _, _ := strings.Cut(text, quote)
		point := utf8.RuneCountInString(before)
		if got := paragraph(text, point); got != want {
			t.Errorf("%q stands in block %d, want %d", quote, got, want)
		}
	}
}

// The match that the text stands on is said whole, once it is in sight.
func TestSaidIsTheMatch(t *testing.T) {
	v := New(viewtest.New(t), Needs{})
	v.SetSize(40, 30)
	it := &retrieval.Item{ChunkID: "a", ChunkText: "One.\n\nTwo.", Matches: []retrieval.Match{
		{ChunkID: "x", Rank: 1, KeywordRank: 2, Similarity: .5, CharStart: 6},
		{ChunkID: "y", KeywordRank: 3, BM25: 6.04},
	}}
	for focused, want := range map[int]string{-1: "", 0: "1, ¶2, vector 1, keyword 2, .500", 1: "2, ¶1, keyword 3, BM25 6.04", 2: ""} {
		v.Show(it, focused)
		v.Draw(40, 30, true)
		if v.Said() != want {
			t.Errorf("of match %d, said %q, want %q", focused, v.Said(), want)
		}
		drawn := strings.Split(viewtest.Bare(v.Draw(40, 30, true)), "\n")
		if at := slices.IndexFunc(drawn, func(l string) bool { return strings.HasPrefix(l, " "+v.Styles().Signs.Marker) }); at != v.said {
			t.Errorf("match %d is marked in line %d and said of %d:\n%s", focused, at, v.said, strings.Join(drawn, "\n"))
		}
	}
	it.ChunkText = ""
	v.Show(it, 1)
	v.Draw(40, 30, true)
	if v.Said() != "2, keyword 3, BM25 6.04" {
		t.Errorf("without a text, said %q", v.Said())
	}
	v.SetSize(40, 3)
	v.Draw(40, 3, true)
	if v.Said() != "" {
		t.Errorf("out of sight, said %q", v.Said())
	}
	v.Show(nil, -1)
	if v.Said() != "" {
		t.Errorf("of nothing, said %q", v.Said())
	}
}

// A label that has no room goes on below, whole: in a title, a comma is the title's.
func TestWaterfallLabelsAreWhole(t *testing.T) {
	e := &retrieval.Explanation{Op: retrieval.OpSum, Value: .6, Children: []*retrieval.Explanation{
		{Label: "cosine, best of 4", Value: .6003, Scale: "cosine"},
		{Label: `references from "Words, signs and more"`, Value: -.0003, Scale: "edge"},
	}}
	want := `  cosine            .600 ████████
+ references from   .000
  "Words, signs
  and more"
= score             .600 ████████`
	if got := viewtest.Bare(waterfallLines(viewtest.New(t).Look, e, 33)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A formula writes its numbers as the lists do; whole numbers and short ones above 1 stay.
func TestNumbersOfFormulas(t *testing.T) {
	for formula, want := range map[string]string{
		"cosine 0.552608, calibrated":    "cosine .553, calibrated",
		"0.0163934 × 61":                 ".0164 × 61",
		"0.7 / (60 + 1)":                 ".700 / (60 + 1)",
		"1.23457e-05 + 8.87421":          "1.23e-05 + 8.874",
		"2^(−age / 30.5)":                "2^(−age / 30.5)",
		"3× in 48 terms, in 29 of 219":   "3× in 48 terms, in 29 of 219",
		"max(1 − 2×0.05, 0.8), weight 2": "max(1 − 2×.050, .800), weight 2",
	} {
		if got := written(formula); got != want {
			t.Errorf("%q is written %q, not %q", formula, got, want)
		}
	}
}
