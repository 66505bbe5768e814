package retrieval_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// chunks is a corpus of one section whose children have the given texts, the
// first the most similar.
func chunks(t testing.TB, preset string, texts ...string) *bench {
	b := newBench()
	b.params, _ = param.Preset(preset)
	b.page("page", 0)
	similar := make([]float64, len(texts))
	for i := range texts {
		similar[i] = .9 - float64(i)/100
	}
	b.section("P", "page", 0, 100, similar...)
	for i, text := range texts {
		c := b.chunk(fmt.Sprintf("P.%d", i))
		c.ChunkText, c.CharStart, c.CharEnd = text, 10*i, 10*i+len(text)
	}
	return b
}

// numbered are n distinct words.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "w%d ", i)
	}
	return b.String()
}

// 20 of 21 words are .952, above .95; 19 of 20 are exactly .95, which is not.
func TestDedup(t *testing.T) {
	for _, c := range []struct {
		name  string
		texts []string
		want  string
	}{
		{"equal texts", []string{"a b c", "a b c", "d"}, "P.0 P.2"},
		{"other case and spaces", []string{"a b c", "A  b\nC", "d"}, "P.0 P.2"},
		{"20 of 21", []string{numbered(21), numbered(20), "d"}, "P.0 P.2"},
		{"19 of 20", []string{numbered(20), numbered(19), "d"}, "P.0 P.1 P.2"},
		{"a chain keeps its first", []string{numbered(22), numbered(21), numbered(20)}, "P.0 P.2"},
		{"no words at all", []string{"", "", "d"}, "P.0 P.2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := chunks(t, param.PresetTextbook, c.texts...).retrieve(t)
			if got := ids(r.Items); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			for _, d := range stageOf(t, r, param.StageDedup).Dropped {
				if d.Reason != phrase.ReasonDuplicate || d.Of != "P.0" || d.Value <= d.Threshold {
					t.Errorf("dropped %+v", d)
				}
			}
			if dropped := len(c.texts) - len(r.Items); (dropped > 0) != strings.Contains(codes(r), phrase.NoticeDedupUnderfills.Code) {
				t.Errorf("%d dropped, notices %s", dropped, codes(r))
			}
		})
	}
}

func TestRepeatsAndCrowdingAreReported(t *testing.T) {
	b := chunks(t, param.PresetTopK, "one two", "one two", "three", "four", "five")
	b.page("other", 0)
	r := b.retrieve(t)
	if codes(r) != phrase.NoticeNearDuplicates.Code+" "+phrase.NoticeCrowding.Code {
		t.Errorf("notices %s", codes(r))
	}
	for _, n := range r.Notices {
		if !strings.Contains(n.Text, "of 5 results") || n.Warning {
			t.Errorf("notice %+v", n)
		}
	}
}

// said is a scorer that says what it is told to.
type said struct {
	scores retrieval.Scores
	err    error
	scale  string
	list   bool
	asked  [][]string
}

func (s *said) ID() string     { return "said" }
func (s *said) Scale() string  { return s.scale }
func (s *said) Listwise() bool { return s.list }
func (s *said) Score(_ context.Context, _ string, docs []string) (retrieval.Scores, error) {
	s.asked = append(s.asked, docs)
	return s.scores, s.err
}

// reranked asks three chunks of the cosines .90, .89 and .88.
func reranked(t *testing.T, s *said, set ...string) retrieval.Result {
	t.Helper()
	b := chunks(t, param.PresetTopK, "zero", "one", "two").set(t, "reranker", "llm").set(t, set...)
	d := b.deps()
	d.Scorers = map[param.RerankerKind]retrieval.Scorer{param.RerankerLLM: s}
	r, err := retrieval.Retrieve(t.Context(), d, retrieval.Query{Text: "question"}, b.params, retrieval.Options{Trace: true, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRerank(t *testing.T) {
	first := retrieval.Scores{Values: []float64{.3, .9, 0}, Scored: []bool{true, true, false}}
	all := retrieval.Scores{Values: []float64{-3, 2.5, .1}, Scored: []bool{true, true, true}}
	for _, c := range []struct {
		name   string
		said   said
		set    []string
		want   string
		notice string
	}{
		{"unscored below", said{scores: first, scale: retrieval.ScaleUnit}, nil, "P.1 0.900000, P.0 0.300000, P.2 0.880000", phrase.NoticeRerankPartial.Code},
		{"unscored as they are", said{scores: first, scale: retrieval.ScaleUnit}, []string{"unscored", "keep"}, "P.1 0.900000, P.2 0.880000, P.0 0.300000", phrase.NoticeRerankPartial.Code},
		{"a list at once", said{scores: first, scale: retrieval.ScaleUnit, list: true}, nil, "P.1 0.900000, P.0 0.300000, P.2 0.880000", phrase.NoticeRerankPartial.Code},
		{"a least score", said{scores: first, scale: retrieval.ScaleUnit}, []string{"min_score", "0.5"}, "P.1 0.900000, P.2 0.880000", phrase.NoticeRerankPartial.Code},
		{"logits", said{scores: all, scale: "logit"}, []string{"min_score", "0.5"}, "P.1 2.500000, P.2 0.100000, P.0 -3.000000", phrase.NoticeForeignScale.Code},
		{"top k after", said{scores: all, scale: "logit"}, []string{"top_k", "1", "overfetch", "3"}, "P.1 2.500000", ""},
		{"failure", said{err: errors.New("timeout")}, nil, "P.0 0.900000, P.1 0.890000, P.2 0.880000", phrase.NoticeRerankFailed.Code},
		{"too few scores", said{scores: retrieval.Scores{Values: []float64{1}, Scored: []bool{true}}}, nil, "P.0 0.900000, P.1 0.890000, P.2 0.880000", phrase.NoticeRerankFailed.Code},
		{"not a number", said{scores: retrieval.Scores{Values: []float64{math.NaN(), 1, 1}, Scored: []bool{true, true, true}}}, nil, "P.0 0.900000, P.1 0.890000, P.2 0.880000", phrase.NoticeRerankFailed.Code},
		{"nothing scored", said{scores: retrieval.Scores{Values: make([]float64, 3), Scored: make([]bool, 3)}}, nil, "P.0 0.900000, P.1 0.890000, P.2 0.880000", phrase.NoticeRerankFailed.Code},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := reranked(t, &c.said, c.set...)
			if got := scores(r); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if codes(r) != c.notice {
				t.Errorf("notices %s, want %s", codes(r), c.notice)
			}
			if len(c.said.asked) != 1 || strings.Join(c.said.asked[0], " ") != "zero one two" {
				t.Errorf("asked %v", c.said.asked)
			}
			for _, it := range r.Items {
				if got := it.Explanation.Recompute(); got != it.Score {
					t.Errorf("%s: explained as %v, score %v", it.ChunkID, got, it.Score)
				}
			}
		})
	}
}

func TestNoReranker(t *testing.T) {
	b := chunks(t, param.PresetTopK, "zero", "one").set(t, "reranker", "http")
	if r := b.retrieve(t); codes(r) != phrase.NoticeRerankFailed.Code || ids(r.Items) != "P.0 P.1" {
		t.Errorf("%s, notices %s", ids(r.Items), codes(r))
	}
}

func TestScoreIsReranked(t *testing.T) {
	b := twoArms(t).set(t, "rrf_scale", "raw", "reranker", "score", "rerank_min_score", "0.1")
	r := b.retrieve(t)
	if !r.IsEmpty() || len(stageOf(t, r, param.StageRerank).Dropped) != 5 {
		t.Errorf("raw scores are below .0164, and came back: %s", scores(r))
	}
	if r = twoArms(t).set(t, "reranker", "score", "rerank_min_score", "0.7").retrieve(t); ids(r.Items) != "A C" {
		t.Errorf("got %s", scores(r))
	}
}

// A page of 20 days has half of its score where the half-life is 20 days.
func TestRecency(t *testing.T) {
	b := newBench()
	b.params, _ = param.Preset(param.PresetHybrid)
	b.set(t, "recency_half_life", "20", "keyword_weight", "0")
	b.page("new", 0)
	b.page("old", 0)
	b.page("undated", 0)
	b.section("N", "new", 0, 1, .5)
	b.section("O", "old", 0, 1, .9)
	b.section("U", "undated", 0, 1, .4)
	at := time.Date(2026, 11, 2, 8, 0, 0, int(time.Millisecond), time.UTC)
	for i := range b.memory.chunks {
		c := &b.memory.chunks[i]
		switch c.SourceURL {
		case "new":
			c.FetchedAt = at
		case "old":
			c.FetchedAt = at.Add(-20 * 24 * time.Hour)
		default:
			c.FetchedAt = time.Time{}
		}
	}
	r := b.retrieve(t)
	if got := scores(r); got != "N 0.500000, O 0.450000, U 0.400000" {
		t.Errorf("got %s", got)
	}
	for _, it := range r.Items {
		if got := it.Explanation.Recompute(); got != it.Score {
			t.Errorf("%s: explained as %v, score %v", it.ChunkID, got, it.Score)
		}
	}
}

// What the limit or the floor kept out has the score that it would come in with: every
// multiplier counts.
func TestNearMissesAreMultiplied(t *testing.T) {
	b := newBench().set(t, "mode", "chunk", "depth_decay_rate", "0.1", "recency_half_life", "20", "similarity_floor", "-1")
	b.page("a", 1)
	b.section("A", "a", 0, 1, .9)
	b.section("B", "a", 1, 1, .8)
	for i := range b.memory.chunks {
		b.memory.chunks[i].FetchedAt = time.Date(2026, 11, 2, 8, 0, 0, int(time.Millisecond), time.UTC).Add(-20 * 24 * time.Hour)
	}
	in := b.retrieve(t).Items[1]
	if in.ChunkID != "B" || math.Abs(in.Score-.36) > tolerance {
		t.Fatalf("%s has the score %v, want .36 of B", in.ChunkID, in.Score)
	}
	for field, value := range map[string]string{"top_k_children_limit": "1", "similarity_floor": "0.85"} {
		w := *b
		r := w.set(t, "floor_scale", "raw", field, value).retrieve(t)
		if len(r.NearMisses) != 1 {
			t.Fatalf("%s: below %s", field, ids(r.NearMisses))
		}
		out := r.NearMisses[0]
		if out.ChunkID != "B" || out.Score != in.Score || out.Scale != in.Scale || out.Explanation.Recompute() != in.Score {
			t.Errorf("%s: %s has the score %v on %q, explained as %v; come in it has %v on %q", field, out.ChunkID, out.Score, out.Scale, out.Explanation.Recompute(), in.Score, in.Scale)
		}
	}
}

func TestMergeAdjacent(t *testing.T) {
	b := chunks(t, param.PresetTopK, "aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc", "dddddddddd").set(t, "merge_adjacent", "true", "top_k", "3")
	b.memory.similar["P.2"] = .1 // the last of four, beyond top k
	r := b.retrieve(t)
	if ids(r.Items) != "P.0 P.3" {
		t.Fatalf("got %s", scores(r))
	}
	first := r.Items[0]
	if strings.Join(first.Merged, " ") != "P.0 P.1" || first.ChunkText != "aaaaaaaaaabbbbbbbbbb" || first.CharStart != 0 || first.CharEnd != 20 ||
		first.Score != .9 || len(first.Matches) != 2 || first.Explanation.Recompute() != .9 {
		t.Errorf("merged: %+v", first)
	}
	if s := stageOf(t, r, param.StageMerge); s.In != 3 || len(s.Merged) != 1 || s.Out != 2 {
		t.Errorf("stage %+v", s)
	}
}

// Which chunks an item is made of does not wait for their texts.
func TestMergedChunksAreKnownWithoutTheirTexts(t *testing.T) {
	b := chunks(t, param.PresetTopK, "a", "b", "c").set(t, "merge_adjacent", "true")
	r, needs := retrieval.Rank(gather(t, b), b.params, retrieval.Options{})
	if len(needs.Texts) == 0 || len(r.Items) != 1 || strings.Join(r.Items[0].Merged, " ") != "P.0 P.1 P.2" || r.Items[0].ChunkText != "" {
		t.Errorf("%+v, needs %v", r.Items, needs.Texts)
	}
}

func TestMissingParent(t *testing.T) {
	for set, want := range map[string]string{"drop": "A", "keep": "A B.0"} {
		b := newBench()
		b.params, _ = param.Preset(param.PresetHybrid)
		b.set(t, "keyword_weight", "0", "missing_parent", set)
		b.page("page", 0)
		b.section("A", "page", 0, 1, .9, .8)
		b.section("B", "page", 1, 1, .7)
		b.chunk("B.0").ParentID = "gone"
		r := b.retrieve(t)
		if ids(r.Items) != want || codes(r) != phrase.NoticeNoParents.Code {
			t.Errorf("%s: %s, notices %s", set, ids(r.Items), codes(r))
		}
	}
}

func TestQueriesThatCannotBeAsked(t *testing.T) {
	b := chunks(t, param.PresetTextbook, "one")
	if _, err := retrieval.Retrieve(t.Context(), b.deps(), retrieval.Query{Text: " \n"}, b.params, retrieval.Options{}); !errors.Is(err, retrieval.ErrBlankQuery) {
		t.Errorf("a blank question: %v", err)
	}
	if b.double.calls+len(b.memory.calls) != 0 {
		t.Error("a blank question reached the embedder or the store")
	}
	b = chunks(t, param.PresetTopK, "one")
	b.memory.hasOwners = true
	if _, err := retrieval.Retrieve(t.Context(), b.deps(), retrieval.Query{Text: "question"}, b.params, retrieval.Options{}); !errors.Is(err, retrieval.ErrNoOwner) {
		t.Errorf("a corpus with owners, asked by nobody: %v", err)
	}
	b.memory.owner = "ana"
	if r := b.retrieve(t); ids(r.Items) != "P.0" {
		t.Errorf("asked by its owner: %s", ids(r.Items))
	}
}
