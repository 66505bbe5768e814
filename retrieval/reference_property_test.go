package retrieval_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/param/paramtest"
	"github.com/webrag/webrag-tui/retrieval/wire"
	"github.com/webrag/webrag-tui/store"
)

// labNow is when the queries of a lab are asked.
var labNow = labDay.Add(90 * 24 * time.Hour)

// similarities are how children of a drawn corpus stand to the query: in steps,
// so that many are equal, or leaning to one side as those of many models, whose
// unrelated texts are at .4 to .7.
func drawSimilarity(t *rapid.T, leaning bool) float64 {
	if leaning {
		return 0.4 + 0.3*rapid.Float64Range(0, 1).Draw(t, "similarity")
	}
	return float64(rapid.IntRange(-4, 20).Draw(t, "similarity")) / 20
}

// drawLab draws a corpus with everything that may be wrong with one: pages of
// others, deleted and replaced ones, children without section or vector, equal
// texts, edges to what is hidden.
func drawLab(t *rapid.T) *lab { return drawLabOf(t, 0) }

// drawLabOf draws at least so many pages, and sections of each.
func drawLabOf(t *rapid.T, least int) *lab {
	l := newLab()
	l.owner = rapid.SampledFrom([]string{"", "ann"}).Draw(t, "owner")
	leaning := rapid.IntRange(0, 3).Draw(t, "leaning") == 0
	words := []string{"alpha", "beta", "gamma", "delta", "epsilon", "zeta"}
	var nodes []string
	for page := range rapid.IntRange(least, 5).Draw(t, "pages") {
		d := l.page(fmt.Sprintf("page%d", page), rapid.IntRange(0, 5).Draw(t, "depth"))
		d.FetchedAt = labNow.Add(-time.Duration(rapid.IntRange(-10, 400).Draw(t, "age")) * 24 * time.Hour)
		d.Tags = rapid.SampledFrom([][]string{nil, {"x"}, {"x", "y"}}).Draw(t, "tags")
		switch rapid.IntRange(0, 11).Draw(t, "fate") {
		case 0:
			d.Owner = "bob"
		case 1:
			d.DeletedAt = labDay
		case 2:
			d.CurrentIngestionID = ""
		case 3:
			d.Owner = "ann"
		}
		for i := range rapid.IntRange(least, 5).Draw(t, "sections") {
			id := fmt.Sprintf("%c%d", 'z'-rune(page), i)
			tokens := rapid.IntRange(0, 300).Draw(t, "tokens")
			s := l.section(id, i, tokens)
			s.ChunkText = strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 4).Draw(t, "section words"), " ")
			if rapid.IntRange(0, 2).Draw(t, "html") == 0 {
				s.Flags, s.HTMLTokens, s.HTMLText = store.HasTable, 2*tokens+1, "<table>"
			}
			nodes = append(nodes, id)
			for n := range rapid.IntRange(min(least, 1), 3).Draw(t, "children") {
				text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 5).Draw(t, "words"), " ")
				// Children are not in the order of their sections.
				c := l.child(fmt.Sprintf("%d%c.%d", i, 'z'-rune(page), n), drawSimilarity(t, leaning), text)
				c.Flags, c.HTMLText, c.HTMLTokens = 0, "", 0
				switch rapid.IntRange(0, 19).Draw(t, "wrong") {
				case 0:
					c.ParentID = "gone"
					nodes = append(nodes, c.ID)
				case 1:
					c.ParentID = ""
					nodes = append(nodes, c.ID)
				case 2:
					delete(l.similar, c.ID)
				case 3:
					c.Owner = "bob"
				case 4:
					c.IngestionID = "0"
				}
			}
		}
	}
	for range rapid.IntRange(0, 2*len(nodes)).Draw(t, "edges") {
		a, b := rapid.SampledFrom(nodes).Draw(t, "source"), rapid.SampledFrom(nodes).Draw(t, "target")
		r := rapid.SampledFrom(store.Relations()[:3]).Draw(t, "relation")
		if a != b && !slices.ContainsFunc(l.edges, func(e store.Edge) bool { return e.ID == store.EdgeID(a, b, r) }) {
			l.edge(a, b, r, float64(rapid.IntRange(1, 10).Draw(t, "weight"))/10)
		}
	}
	l.directionless = rapid.IntRange(0, 14).Draw(t, "directionless") == 1
	l.info.Lexical = rapid.Bool().Draw(t, "lexical")
	if rapid.Bool().Draw(t, "calibrated") {
		l.meta.Calibration = store.Calibration{EmbedderID: "lab", P50: 0.05, P995: 0.4}
	}
	return l
}

func drawQuery(t *rapid.T) retrieval.Query { return drawQueryOf(t, append(questions(), " ")...) }

// questions are texts of queries, one of them without a word to search for.
func questions() []string { return []string{"alpha beta", "gamma", "the of", "alpha zeta nothing"} }

func drawQueryOf(t *rapid.T, texts ...string) retrieval.Query {
	q := retrieval.Query{Text: rapid.SampledFrom(texts).Draw(t, "query")}
	switch rapid.IntRange(0, 7).Draw(t, "scope") {
	case 0:
		q.Scope.Tags = []string{"y"}
	case 1:
		q.Scope.SourceURLs = []string{"page0", "page2"}
	case 2:
		depth := 2
		q.Scope.MaxDepth = &depth
	case 3:
		q.Scope.ExcludeDocumentIDs = []string{"doc-page1"}
	}
	return q
}

// drawPreset is a preset with some parameters changed, none of which waits on
// somebody or refuses to answer.
func drawPreset(t *rapid.T, name string, changes int) param.Params {
	p, _ := param.Preset(name)
	if name == param.PresetWebRAG {
		p.FullContextThreshold, p.ContextBudget = 300, 600
	}
	var tunable []param.Spec
	for _, s := range param.Specs() {
		switch s.Field {
		case "empty_query", "require_owner":
		default:
			tunable = append(tunable, s)
		}
	}
	for range changes {
		s := rapid.SampledFrom(tunable).Draw(t, "field")
		if s.Kind == param.KindInt && rapid.Bool().Draw(t, "small") {
			s.Max = min(s.Max, max(s.Min, 12))
		}
		p = paramtest.Draw(t, p, s)
	}
	if p.Reranker != param.RerankerNone {
		p.Reranker = param.RerankerScore
	}
	p.EmptyQuery, p.RequireOwner = param.EmptyIsEmpty, false
	return p
}

func (l *lab) now() func() time.Time { return func() time.Time { return labNow } }

// retrieved is what the engine returns.
func retrieved(t *rapid.T, l *lab, q retrieval.Query, p param.Params) retrieval.Result {
	d := l.deps()
	d.Now = l.now()
	r, err := retrieval.Retrieve(t.Context(), d, q, p, retrieval.Options{Trace: true, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// agrees holds the engine's result against that of the reference. It reports false
// when nothing can be compared.
func agrees(t *rapid.T, l *lab, q retrieval.Query, p param.Params) bool {
	ref := naive{l: l, query: q.Text, scope: q.Scope, p: p}
	want := ref.run()
	got := retrieved(t, l, q, p)
	if ref.close {
		return false
	}
	show := func() string {
		var b strings.Builder
		for _, it := range want {
			fmt.Fprintf(&b, "want #%d %s %v %v\n", it.rank, it.id, it.score, it.members)
		}
		for _, it := range got.Items {
			fmt.Fprintf(&b, "got #%d %s %v %v\n", it.Rank, it.ChunkID, it.Score, it.Merged)
		}
		for _, s := range got.Trace.Stages {
			fmt.Fprintf(&b, "%s %d > %d: %v %v %v\n", s.Name, s.In, s.Out, s.Dropped, s.Merged, s.Notes)
		}
		return b.String() + fmt.Sprintf("%+v\n%+v", p, q)
	}
	if len(want) != len(got.Items) {
		t.Fatalf("%d items, want %d\n%s", len(got.Items), len(want), show())
	}
	for i, it := range want {
		g := &got.Items[i]
		if g.ChunkID != it.id || g.Rank != it.rank || math.Abs(g.Score-it.score) > nearly || !slices.Equal(g.Merged, it.members) {
			t.Fatalf("item %d differs\n%s", i, show())
		}
	}
	return true
}

// The engine returns what the five strategies are described to return.
func TestEveryPresetAgreesWithTheReference(t *testing.T) {
	for _, name := range param.Presets() {
		t.Run(name, func(t *testing.T) {
			compared := 0
			rapid.Check(t, func(t *rapid.T) {
				if agrees(t, drawLab(t), drawQuery(t), drawPreset(t, name, 0)) {
					compared++
				}
			})
			if compared < atLeast(50) {
				t.Errorf("only %d corpora could be compared", compared)
			}
		})
	}
}

// So do compositions of their options.
func TestCompositionsAgreeWithTheReference(t *testing.T) {
	for _, name := range param.Presets() {
		t.Run(name, func(t *testing.T) {
			compared := 0
			rapid.Check(t, func(t *rapid.T) {
				p := drawPreset(t, name, rapid.IntRange(1, 12).Draw(t, "changes"))
				if agrees(t, drawLab(t), drawQuery(t), p) {
					compared++
				}
			})
			if compared < atLeast(50) {
				t.Errorf("only %d corpora could be compared", compared)
			}
		})
	}
}

// Whatever the order in which a store returns its rows, the bytes are the same.
func TestPresetsAreDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, q := drawLab(t), drawQuery(t)
		p := drawPreset(t, rapid.SampledFrom(param.Presets()).Draw(t, "preset"), rapid.IntRange(0, 6).Draw(t, "changes"))
		encode := func() string {
			raw, err := wire.Encode(retrieved(t, l, q, p), wire.Options{WithEmbedding: true})
			if err != nil {
				t.Fatal(err)
			}
			return string(raw)
		}
		want := encode()
		l.shuffle = rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)).Shuffle
		for range 5 {
			if got := encode(); got != want {
				t.Fatalf("another order of rows gave\n%s\nwant\n%s", got, want)
			}
		}
	})
}

// Explanations and traces of all presets add up.
func TestPresetsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPreset(t, rapid.SampledFrom(param.Presets()).Draw(t, "preset"), rapid.IntRange(0, 6).Draw(t, "changes"))
		r := retrieved(t, drawLab(t), drawQuery(t), p)
		at := 0
		for _, s := range r.Trace.Stages {
			if out := s.In - len(s.Dropped) - len(s.Merged) + s.Added; s.In != at || out != s.Out {
				t.Fatalf("stage %s: %d in after %d, %d dropped, %d merged, %d added, %d out\n%+v", s.Name, s.In, at, len(s.Dropped), len(s.Merged), s.Added, s.Out, p)
			}
			at = s.Out
		}
		if at != len(r.Items) {
			t.Fatalf("%d came out of the last stage, %d items came", at, len(r.Items))
		}
		for i := range r.Items {
			it := &r.Items[i]
			if it.Explanation == nil {
				t.Fatalf("%s is not explained", it.ChunkID)
			}
			if got := it.Explanation.Recompute(); math.Float64bits(got) != math.Float64bits(it.Score) {
				t.Fatalf("%s: the explanation gives %v, the score is %v\n%+v", it.ChunkID, got, it.Score, p)
			}
		}
	})
}

// A higher floor, a lower limit and a smaller budget never find more.
func TestTighteningNeverFindsMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, q := drawLab(t), drawQuery(t)
		p := drawPreset(t, param.PresetWebRAG, 0)
		p.Mode, p.ContextBudget = param.ModeChunk, param.Unlimited
		loose := retrieved(t, l, q, p)
		holds := func(name string, tight retrieval.Result) {
			for i := range tight.Items {
				if !slices.ContainsFunc(loose.Items, func(it retrieval.Item) bool { return it.ChunkID == tight.Items[i].ChunkID }) {
					t.Fatalf("%s found %s, which is new", name, tight.Items[i].ChunkID)
				}
			}
		}
		floor, limit, budget := p, p, p
		floor.SimilarityFloor = rapid.Float64Range(p.SimilarityFloor, 1).Draw(t, "floor")
		holds("a higher floor", retrieved(t, l, q, floor))
		limit.TopKChildrenLimit = rapid.IntRange(1, p.TopKChildrenLimit).Draw(t, "limit")
		holds("a lower limit", retrieved(t, l, q, limit))
		budget.ContextBudget = rapid.IntRange(1, 1000).Draw(t, "budget")
		small := retrieved(t, l, q, budget)
		holds("a smaller budget", small)
		budget.ContextBudget += rapid.IntRange(0, 500).Draw(t, "more")
		loose = retrieved(t, l, q, budget)
		holds("a smaller budget", small)
	})
}

// Where nothing orders sections after they were found, equal scores stand in the
// order of the sections' ids all the same.
func TestSectionsOfEqualScoreWithoutALaterOrder(t *testing.T) {
	l := newLab()
	l.page("a", 0)
	for i, id := range []string{"A", "B", "C"} {
		l.section(id, i, 10)
		l.child(fmt.Sprint(9-i), .5, "text") // the last section has the first child
	}
	p, _ := param.Preset(param.PresetTopK)
	p.Unit, p.RequireOwner = param.UnitParent, false
	if r := l.retrieve(t, "question", p); ids(r.Items) != "A B C" {
		t.Errorf("items %s", ids(r.Items))
	}
}

// atLeast is how many of the usual hundred checks must have had something to
// check: a fifth of them are made where tests are to be short. What is counted
// are checks, not what they found: those do not come in bunches, so that for one
// check in two that has something, ten of a hundred or one of twenty are as good
// as certain.
func atLeast(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}
