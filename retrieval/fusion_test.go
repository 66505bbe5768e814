package retrieval_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// twoArms is a corpus of the chunks A to E, each its own section: the vector arm
// ranks A B C D, the keyword arm C E A.
func twoArms(t testing.TB) *bench {
	b := newBench()
	p, _ := param.Preset(param.PresetHybrid)
	b.params = p
	b.page("page", 0)
	for i, id := range []string{"A", "B", "C", "D"} {
		b.section(id, "page", i, 10, .9-float64(i)/10)
	}
	b.section("E", "page", 4, 10)
	e := *b.chunk("A.0")
	e.ID, e.ParentID = "E.0", "E"
	b.memory.chunks = append(b.memory.chunks, e)
	b.memory.words = map[string]int{"C.0": 3, "E.0": 2, "A.0": 1}
	return b
}

func scores(r retrieval.Result) string {
	var all []string
	for rank := 1; rank <= len(r.Items); rank++ {
		for i := range r.Items {
			if r.Items[i].Rank == rank {
				all = append(all, fmt.Sprintf("%s %.6f", r.Items[i].ChunkID, r.Items[i].Score))
			}
		}
	}
	return strings.Join(all, ", ")
}

// Both lists with w .3 and k 60: worked out by hand as Σ weight/(60+rank), times
// 61 where it is normalised. D has 0.6671875.
func TestReciprocalRankFusion(t *testing.T) {
	for _, c := range []struct {
		name string
		set  []string
		want string
	}{
		{"normalized", nil, "A 0.990476, C 0.977778, B 0.688710, D 0.667187, E 0.295161"},
		{"raw", []string{"rrf_scale", "raw"}, "A 0.016237, C 0.016029, B 0.011290, D 0.010937, E 0.004839"},
		{"raw with a least score that nothing can reach", []string{"rrf_scale", "raw", "min_score", "0.05"}, ""},
		{"normalized with the same least score", []string{"min_score", "0.05"}, "A 0.990476, C 0.977778, B 0.688710, D 0.667187, E 0.295161"},
		{"keywords alone", []string{"keyword_weight", "1", "top_k", "3"}, "C 1.000000, E 0.983871, A 0.968254"},
		{"k 0", []string{"rrf_k", "0", "top_k", "2"}, "A 0.800000, C 0.533333"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := scores(twoArms(t).set(t, c.set...).retrieve(t)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestFusionKeepsBothArms(t *testing.T) {
	r := twoArms(t).retrieve(t)
	for i := range r.Items {
		it := &r.Items[i]
		switch it.ChunkID {
		case "C":
			v, k := it.Vector, it.Keyword
			if v == nil || v.Rank != 3 || math.Abs(v.Contribution-.7/63) > tolerance {
				t.Errorf("vector arm of C: %+v", v)
			}
			if k == nil || k.Rank != 1 || math.Abs(k.Contribution-.3/61) > tolerance || len(k.Words) != 1 || k.Words[0].TF.Body != 3 || k.Words[0].Share != k.Score {
				t.Errorf("keyword arm of C: %+v", k)
			}
			if !it.HasRaw || math.Abs(it.RawSimilarity-.7) > tolerance {
				t.Errorf("C has the cosine %v", it.RawSimilarity)
			}
			tree := text(it.Explanation, 0)
			for _, line := range []string{
				"quotient 0.011111 vector, rank 3", "note 0.700000 cosine, not in the score",
				"quotient 0.004918 keyword, rank 1", "BM25, not in the score",
			} {
				if !strings.Contains(tree, line) {
					t.Errorf("no line %q in\n%s", line, tree)
				}
			}
		case "E":
			if it.Vector != nil || it.HasRaw || it.Keyword == nil {
				t.Errorf("E: %+v, %+v", it.Vector, it.Keyword)
			}
		case "B":
			if it.Keyword != nil {
				t.Errorf("B: %+v", it.Keyword)
			}
		}
	}
	fusion := stageOf(t, r, param.StageFusion)
	if fusion.In != 7 || len(fusion.Merged) != 2 || fusion.Out != 5 {
		t.Errorf("fusion: %d in, %d merged, %d out", fusion.In, len(fusion.Merged), fusion.Out)
	}
}

// text writes a tree, a node a line.
func text(e *retrieval.Explanation, depth int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s %.6f %s\n", strings.Repeat(" ", depth), e.Op, e.Value, e.Label)
	for _, child := range e.Children {
		b.WriteString(text(child, depth+1))
	}
	return b.String()
}

func TestOneArmAlone(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*bench)
		set    []string
		want   string
		notice string
	}{
		{
			"no chunk matches", func(b *bench) { b.memory.words = nil },
			[]string{"top_k", "3"},
			"A 1.000000, B 0.983871, C 0.968254", phrase.NoticeKeywordEmpty.Code + " " + phrase.NoticeSingleArm.Code,
		},
		{
			"kept weight", func(b *bench) { b.memory.words = nil },
			[]string{"top_k", "3", "single_arm", "keep"},
			"A 0.700000, B 0.688710, C 0.677778", phrase.NoticeKeywordEmpty.Code + " " + phrase.NoticeSingleArm.Code,
		},
		{
			"the keyword arm fails", func(b *bench) { b.memory.failWords = errors.New("damaged") },
			[]string{"top_k", "3"},
			"A 1.000000, B 0.983871, C 0.968254", phrase.NoticeKeywordFailed.Code + " " + phrase.NoticeSingleArm.Code,
		},
		{
			"a vector without direction", func(b *bench) { b.double.vector = []float32{0, 0} }, nil,
			"C 1.000000, E 0.983871, A 0.968254", phrase.NoticeSingleArm.Code,
		},
		{
			"the embedder fails", func(b *bench) { b.double.fail = errors.New("no connection") }, nil,
			"C 1.000000, E 0.983871, A 0.968254", phrase.NoticeEmbedderFailed.Code + " " + phrase.NoticeSingleArm.Code,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := twoArms(t).set(t, c.set...)
			c.change(b)
			r := b.retrieve(t)
			if got := scores(r); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if codes(r) != c.notice {
				t.Errorf("notices %s, want %s", codes(r), c.notice)
			}
		})
	}
	b := twoArms(t).set(t, "keyword_weight", "0")
	b.double.fail = errors.New("no connection")
	if _, err := retrieval.Retrieve(t.Context(), b.deps(), retrieval.Query{Text: "question"}, b.params, retrieval.Options{}); err == nil {
		t.Error("without a keyword arm a failing embedder went unnoticed")
	}
}

// With p50 .04 and p99.5 .22 and equal weights: V(a) = .3 + .7(.31−.22)/.78,
// V(b) = .3(.13−.04)/.18; BM25 as a share of the best.
func TestConvexFusion(t *testing.T) {
	b := newBench()
	b.params, _ = param.Preset(param.PresetHybrid)
	b.set(t, "fusion", "convex", "keyword_weight", "0.5", "floor_scale", "calibrated", "unit", "chunk")
	b.memory.meta.Calibration.P50, b.memory.meta.Calibration.P995 = .04, .22
	b.page("page", 0)
	b.section("a", "page", 0, 1, .31)
	b.section("b", "page", 1, 1, .13)
	b.section("d", "page", 2, 1, .02)
	b.memory.words = map[string]int{"a.0": 4, "d.0": 1}
	r := b.retrieve(t)
	best, least := r.Items[0].Keyword.Score, 0.0
	for _, it := range r.Items {
		if it.ChunkID == "d.0" {
			least = it.Keyword.Score
		}
	}
	want := fmt.Sprintf("a.0 %.6f, d.0 %.6f, b.0 0.075000", .5*.3807692+.5, .5*least/best)
	if got := scores(r); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestEqualRanksTieById(t *testing.T) {
	b := newBench()
	b.params, _ = param.Preset(param.PresetHybrid)
	b.set(t, "keyword_weight", "0.5")
	b.page("page", 0)
	b.section("A", "page", 0, 1, .9)
	b.section("B", "page", 1, 1, .8)
	b.memory.words = map[string]int{"B.0": 2, "A.0": 1}
	for range 100 {
		if got := scores(b.retrieve(t)); got != "A 0.991935, B 0.991935" {
			t.Fatal(got)
		}
	}
}

// Both tenth: .871429; found by the vector arm alone as the thirtieth: .474444.
func TestRanksFarDown(t *testing.T) {
	b := newBench()
	b.params, _ = param.Preset(param.PresetHybrid)
	b.set(t, "top_k_children_limit", "40", "top_k", "0")
	b.page("page", 0)
	b.memory.words = map[string]int{}
	for i := range 30 {
		id := fmt.Sprintf("s%02d", i)
		b.section(id, "page", i, 1, .9-float64(i)/100)
		if i < 10 {
			b.memory.words[id+".0"] = 20 - i
		}
	}
	r := b.retrieve(t)
	for i := range r.Items {
		want, ok := map[string]float64{"s00": 1, "s09": .871429, "s29": .474444}[r.Items[i].ChunkID]
		if ok && math.Abs(r.Items[i].Score-want) > tolerance {
			t.Errorf("%s: %v, want %v", r.Items[i].ChunkID, r.Items[i].Score, want)
		}
	}
	if len(r.Items) != 30 {
		t.Errorf("%d items", len(r.Items))
	}
}
