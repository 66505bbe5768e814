package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// unstyled takes the bold and faint type out.
func unstyled(text string) string {
	return strings.NewReplacer(bold, "", faint, "", plain, "").Replace(text)
}

func printed(res *retrieval.Result, explain bool) string {
	var b bytes.Buffer
	p := printer{w: &b, explain: explain}
	p.result("guide", wholeCorpus(res), res)
	return unstyled(b.String())
}

// wholeCorpus is the size of a corpus that nothing was left out of.
func wholeCorpus(res *retrieval.Result) corpusSize {
	st := store.Stats{Documents: max(1, res.Stats.TotalDocuments), Parents: res.Stats.TotalParentChunks, Tokens: res.Stats.TotalTokens}
	return corpusSize{all: st, scope: st}
}

func leaf(value float64, label string) *retrieval.Explanation {
	return &retrieval.Explanation{Op: retrieval.OpLeaf, Value: value, Label: label}
}

// fusedResult is what a hybrid search with edges and a reranker could return.
func fusedResult() *retrieval.Result {
	return &retrieval.Result{
		Mode: param.ModeChunk, ChildrenFound: 15, ChildrenKept: 15, KeywordFound: 9, Terms: []store.TermStat{{Term: "decay"}},
		Budget: param.Unlimited, Tokens: 300, Floor: param.Floor{Off: true},
		Items: []retrieval.Item{
			{
				ChunkID: "a", Level: store.Parent, Rank: 1, Score: 0.977778, Scale: "normalized RRF", SourceURL: "u", Title: "Ranking", SectionHeading: "Decay",
				TokenEnd: 100, HasRaw: true, RawSimilarity: 0.612,
				Vector: &retrieval.ArmPlace{Rank: 3, Score: 0.612}, Keyword: &retrieval.ArmPlace{Rank: 1, Score: 7.2},
				Rerank:  &retrieval.RerankPlace{By: "judge", Score: 0.9, Scored: true, Before: 4, After: 1},
				EdgesIn: []retrieval.GraphPath{{FromHeading: "Floor", Relation: "sequence", Hop: 1, Term: 0.105}, {FromChunkID: "z", Relation: "part_of", Hop: 2, Term: 0.05, Reversed: true}},
				Explanation: &retrieval.Explanation{
					Op: retrieval.OpSum, Value: 3, Label: "all", Children: []*retrieval.Explanation{
						{Op: retrieval.OpProduct, Value: 2, Label: "product", Children: []*retrieval.Explanation{leaf(1, "one"), leaf(2, "two")}},
						{Op: retrieval.OpQuotient, Value: 0.5, Label: "quotient", Scale: "ratio", Children: []*retrieval.Explanation{leaf(1, "one"), leaf(2, "two")}},
						{Op: retrieval.OpMax, Value: 0.25, Label: "max", Children: []*retrieval.Explanation{leaf(0.25, "x"), leaf(0.125, "y")}},
						{Op: retrieval.OpClamp, Value: 0.25, Label: "clamp", Formula: "max(1 − x, .25)", Children: []*retrieval.Explanation{leaf(0.25, "x"), leaf(0.125, "y")}},
						{Op: retrieval.OpNote, Value: 7.2, Label: "BM25, not in the score"},
					},
				},
			},
			{
				ChunkID: "b", Level: store.Parent, Rank: 2, Score: 0.21, Scale: "normalized RRF", SourceURL: "v", SectionHeading: "Budget", TokenEnd: 200, Hop: 1,
				Rerank: &retrieval.RerankPlace{By: "judge", Before: 2, After: 2},
				GraphContext: []retrieval.GraphPath{{
					FromHeading: "Decay", Relation: "references", Description: "links to \"Budget\" from 'the budget'", Hop: 1, Term: 0.21,
				}},
			},
		},
	}
}

func TestArmsEdgesAndRerankersAreShown(t *testing.T) {
	want := `guide · 1 page · 0 sections · 0 tokens · chunk mode: vector 15, keyword 9 → 2 sections · 300 tokens · embed 0.0 ms, search 0.0 ms · scores: normalized RRF

Ranking  u · depth 0 · 1 section
   1  ████████ .978  Decay  0–0, 100 tokens
      vec #3 .612 · kw #1 7.20 · reranked .900 by judge, was #4
      ← also sequence from “Floor” · hop 1, adds .105, 1 more

v  v · depth 0 · 1 section
   2  █▊       .210  Budget  0–0, 200 tokens
      not scored by judge
      ← references from “Decay”: links to "Budget" from 'the budget' · hop 1, adds .210
`
	if got := printed(fusedResult(), false); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestEveryOperationIsExplained(t *testing.T) {
	want := `      → also part_of of “z”, walked back · hop 2, adds .050
      3  all   2 + 0.5 + 0.25 + 0.25
      ├ 2  product   1 × 2
      │ ├ 1  one
      │ └ 2  two
      ├ 0.5  quotient   1 / 2  [ratio]
      │ ├ 1  one
      │ └ 2  two
      ├ 0.25  max   max(0.25, 0.125)
      │ ├ 0.25  x
      │ └ 0.125  y
      ├ 0.25  clamp   max(1 − x, .25)
      │ ├ 0.25  x
      │ └ 0.125  y
      └ 7.2  BM25, not in the score
`
	if got := printed(fusedResult(), true); !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPassagesNameTheirSection(t *testing.T) {
	res := &retrieval.Result{
		Mode: param.ModeChunk, ChildrenFound: 2, ChildrenKept: 1, Budget: 1000, Tokens: 70, Floor: param.Floor{Raw: 0.3},
		Items: []retrieval.Item{
			{
				ChunkID: "a", ParentID: "p", Level: store.Child, Rank: 1, Score: 0.5, Scale: "cosine", HasRaw: true, SourceURL: "u", Title: "Ranking",
				SectionHeading: "Decay", HeadingPath: []string{"Ranking", "Decay", "Example"}, ChunkIndex: 2, TokenEnd: 30, Vector: &retrieval.ArmPlace{Rank: 1, Score: 0.5},
			},
			{
				ChunkID: "b", ParentID: "p", Level: store.Child, Rank: 2, Score: -0.25, Scale: "cosine", HasRaw: true, SourceURL: "u", Title: "Ranking",
				SectionHeading: "Decay", ChunkIndex: 0, Merged: []string{"b", "c"}, TokenEnd: 40, Vector: &retrieval.ArmPlace{Rank: 2, Score: -0.25},
			},
		},
	}
	want := `guide · 1 page · 0 sections · 0 tokens · chunk mode: 2 passages → 1 → 2 passages · 70 of 1k tokens · embed 0.0 ms, search 0.0 ms · scores: cosine

Ranking  u · depth 0 · 2 passages
   1  ████████ .500  Decay › Example · part 3  0–0, 30 tokens
   2           -.250  Decay · parts 1–2  0–0, 40 tokens
`
	if got := printed(res, false); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestScoresKeepTheirDigits(t *testing.T) {
	for value, want := range map[float64]string{0.5: ".500", -0.25: "-.250", 1: "1.000", 10.5: "10.500", 20.0625: "20.062"} {
		if got := score(value); got != want {
			t.Errorf("%v is shown as %s, want %s", value, got, want)
		}
	}
}

func TestThousandsHaveOneForm(t *testing.T) {
	for n, want := range map[int]string{999: "999", 1000: "1k", 36_600: "36.6k", 999_949: "999.9k", 999_950: "1M", 3_755_700: "3.8M"} {
		if got := thousands(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

func TestOnlyTheBestArePrinted(t *testing.T) {
	res := fusedResult()
	res.Items[0].Rank, res.Items[1].Rank = 2, 1
	var b bytes.Buffer
	p := printer{w: &b, top: 1}
	p.result("guide", wholeCorpus(res), res)
	if got := unstyled(b.String()); strings.Contains(got, "Decay  0") || !strings.Contains(got, "Budget  0") || !strings.HasSuffix(got, "\n1 more; without --top all are printed\n") {
		t.Errorf("printed\n%s", got)
	}
}

// A depth that changes nothing, its parts and the scale of the number above are
// the same for every result.
func TestExplanationsLeaveOutWhatIsConstant(t *testing.T) {
	depth := func(value float64) *retrieval.Explanation {
		cosine := &retrieval.Explanation{Op: retrieval.OpMax, Value: 0.5, Label: "cosine, best of 1", Scale: "cosine", Children: []*retrieval.Explanation{
			{Op: retrieval.OpLeaf, Value: 0.5, Label: "child, rank 1", Scale: "cosine"},
		}}
		clamp := &retrieval.Explanation{Op: retrieval.OpClamp, Value: value, Label: "depth 2", Formula: "max(1 − 2×0.05, 0.8)", Scale: "multiplier, 0 to 1", Children: []*retrieval.Explanation{
			leaf(0.8, "depth floor"), leaf(value, "linear decay"),
		}}
		return &retrieval.Explanation{Op: retrieval.OpProduct, Value: 0.5 * value, Label: "similarity × depth", Children: []*retrieval.Explanation{cosine, clamp}}
	}
	for value, want := range map[float64]string{
		1:   "0.5  cosine, best of 1  [cosine]\n└ 0.5  child, rank 1\n",
		0.9: "0.45  similarity × depth   0.5 × 0.9\n├ 0.5  cosine, best of 1  [cosine]\n│ └ 0.5  child, rank 1\n└ 0.9  depth 2   max(1 − 2×0.05, 0.8)  [multiplier, 0 to 1]\n",
	} {
		var b bytes.Buffer
		p := printer{w: &b}
		p.tree(depth(value), "", "", "", "")
		if got := unstyled(b.String()); got != want {
			t.Errorf("at %g:\n%s\nwant\n%s", value, got, want)
		}
	}
}

func TestWordsOfAnIndexRunAddUp(t *testing.T) {
	empty := &source.PageError{Path: "e.md", Err: source.ErrEmpty}
	broken := &source.PageError{Path: "b.md", Err: errors.New("broken")}
	for want, r := range map[string]indexing.Report{
		"5 pages (2 changed, 1 unchanged, 1 without text, 1 failed); 4 sections and 10 passages: 5 embedded, 2 vectors reused, 3 left as they were": {
			Pages: 5, Updated: 2, Unchanged: 1, Failed: []*source.PageError{empty, broken}, Parents: 4, Children: 10, Embedded: 5, Reused: 2,
		},
		"1 page (1 new); 1 section and 2 passages: 1 embedded, 0 vectors reused, 1 with nothing to embed": {Pages: 1, Added: 1, Parents: 1, Children: 2, Embedded: 1},
	} {
		if got := indexWords(&r); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
