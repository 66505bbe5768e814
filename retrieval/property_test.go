package retrieval_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/param/paramtest"
	"github.com/webrag/webrag-tui/retrieval/wire"
	"github.com/webrag/webrag-tui/store"
)

// drawBench draws a corpus with many equal scores, orphans, HTML and parameters
// from anywhere in their ranges. Its clock stands still: with a half-life of a
// millisecond, what is asked later scores less.
func drawBench(t *rapid.T) *bench {
	b := newBench()
	b.tick = 0
	similarity := rapid.Map(rapid.IntRange(-5, 20), func(n int) float64 { return float64(n) / 20 })
	for page := range rapid.IntRange(0, 4).Draw(t, "pages") {
		url := fmt.Sprintf("page%d", page)
		b.page(url, rapid.IntRange(0, 6).Draw(t, "depth"))
		for i := range rapid.IntRange(0, 6).Draw(t, "sections") {
			id := fmt.Sprintf("%c%d", 'z'-rune(page), i)
			tokens := rapid.IntRange(0, 400).Draw(t, "tokens")
			s := b.section(id, url, i, tokens, rapid.SliceOfN(similarity, 0, 4).Draw(t, "similarities")...)
			if rapid.Bool().Draw(t, "html") {
				s.Flags, s.HTMLTokens, s.HTMLText = store.HasTable, 2*tokens+1, "<table>"
			}
		}
	}
	for i := range b.memory.chunks {
		if c := &b.memory.chunks[i]; c.Level == store.Child && rapid.IntRange(0, 9).Draw(t, "orphan") == 0 {
			c.ParentID = "gone"
		}
	}
	drawWords(t, b)
	drawEdges(t, b)
	b.double.info.Lexical = rapid.Bool().Draw(t, "lexical")
	if rapid.Bool().Draw(t, "calibrated") {
		b.memory.meta.Calibration = store.Calibration{EmbedderID: "double", P50: 0.05, P995: 0.4}
	}
	for _, s := range param.Specs() {
		b.params = paramtest.Draw(t, b.params, s)
	}
	return b
}

// drawWords gives some children a keyword score, many of them the same.
func drawWords(t *rapid.T, b *bench) {
	b.memory.words = map[string]int{}
	for i := range b.memory.chunks {
		if c := &b.memory.chunks[i]; c.Level == store.Child && rapid.Bool().Draw(t, "has words") {
			b.memory.words[c.ID] = rapid.IntRange(1, 8).Draw(t, "tf")
		}
	}
}

// drawEdges connects sections, in circles too, and some to what is gone.
func drawEdges(t *rapid.T, b *bench) {
	nodes := []string{"gone"}
	for i := range b.memory.chunks {
		if c := &b.memory.chunks[i]; c.Level == store.Parent {
			nodes = append(nodes, c.ID)
		}
	}
	for i := range rapid.IntRange(0, 3*len(nodes)).Draw(t, "edges") {
		source, target := rapid.SampledFrom(nodes).Draw(t, "source"), rapid.SampledFrom(nodes).Draw(t, "target")
		if source != target {
			b.memory.edge(fmt.Sprintf("e%02d", i), source, target, rapid.SampledFrom(store.Relations()).Draw(t, "relation"),
				float64(rapid.IntRange(1, 5).Draw(t, "weight"))/5)
		}
	}
}

func (b *bench) mustRetrieve(t *rapid.T) retrieval.Result {
	r, err := retrieval.Retrieve(t.Context(), b.deps(), retrieval.Query{Text: "question"}, b.params, retrieval.Options{Trace: true, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEveryCandidateIsAccountedFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBench(t)
		r := b.mustRetrieve(t)
		at := 0
		for _, s := range r.Trace.Stages {
			if s.In != at {
				t.Fatalf("stage %s begins with %d candidates, the one before ended with %d", s.Name, s.In, at)
			}
			if got := s.In - len(s.Dropped) - len(s.Merged) + s.Added; got != s.Out {
				t.Fatalf("stage %s: %d in - %d dropped - %d merged + %d added = %d, but %d out",
					s.Name, s.In, len(s.Dropped), len(s.Merged), s.Added, got, s.Out)
			}
			at = s.Out
		}
		if at != len(r.Items) {
			t.Fatalf("the last stage let %d through, %d items came", at, len(r.Items))
		}
		seeds := 0
		for i := range r.Items {
			if r.Items[i].Hop == 0 {
				seeds++
			}
		}
		if r.ChildrenKept > r.ChildrenFound || seeds > r.ParentsFound {
			t.Fatalf("%d found, %d kept, %d parents, %d of them items", r.ChildrenFound, r.ChildrenKept, r.ParentsFound, seeds)
		}
	})
}

func TestNoCandidateIsTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawBench(t).mustRetrieve(t)
		seen := map[string]bool{}
		ranks := make([]bool, len(r.Items)+1)
		for _, it := range append(slices.Clone(r.Items), r.NearMisses...) {
			if seen[it.ChunkID] {
				t.Fatalf("%s is listed twice", it.ChunkID)
			}
			seen[it.ChunkID] = true
			if (it.Why != nil) != (it.Rank == 0) {
				t.Fatalf("%s: rank %d, why %v", it.ChunkID, it.Rank, it.Why)
			}
		}
		for _, it := range r.Items {
			if it.Rank < 1 || it.Rank > len(r.Items) || ranks[it.Rank] {
				t.Fatalf("%s has rank %d of %d", it.ChunkID, it.Rank, len(r.Items))
			}
			ranks[it.Rank] = true
		}
		for _, s := range r.Trace.Stages {
			gone := map[string]bool{}
			for _, d := range s.Dropped {
				if gone[d.ID+d.Arm] {
					t.Fatalf("stage %s drops %s twice", s.Name, d.ID)
				}
				gone[d.ID+d.Arm] = true
			}
		}
	})
}

func TestExplanationsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawBench(t).mustRetrieve(t)
		for _, it := range append(slices.Clone(r.Items), r.NearMisses...) {
			if it.Explanation == nil {
				t.Fatalf("%s is not explained", it.ChunkID)
			}
			checkTree(t, it.Explanation)
			if got := it.Explanation.Recompute(); math.Float64bits(got) != math.Float64bits(it.Score) {
				t.Fatalf("%s: the explanation gives %v, the score is %v", it.ChunkID, got, it.Score)
			}
		}
	})
}

// checkTree holds every node, not only the root, to its children.
func checkTree(t *rapid.T, e *retrieval.Explanation) {
	if got := e.Recompute(); math.Float64bits(got) != math.Float64bits(e.Value) {
		t.Fatalf("%s: recomputed %v, shown %v", e.Label, got, e.Value)
	}
	inner := slices.ContainsFunc(e.Children, func(c *retrieval.Explanation) bool { return c.Op != retrieval.OpNote })
	if e.Label == "" || e.Op != retrieval.OpNote && (e.Op == retrieval.OpLeaf) == inner {
		t.Fatalf("node %+v", e)
	}
	for _, child := range e.Children {
		checkTree(t, child)
	}
}

func TestBudgetHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBench(t)
		r := b.mustRetrieve(t)
		counted := r.Tokens
		if b.params.BudgetCount == param.CountSurface {
			counted = r.SurfaceTokens
		}
		if counted > r.Budget && r.Items[0].CumulativeTokens <= r.Budget {
			t.Fatalf("%d tokens in %d items, budget %d", counted, len(r.Items), r.Budget)
		}
		for _, it := range r.Items {
			if it.Rank == len(r.Items) && it.CumulativeTokens != counted {
				t.Fatalf("the last section stands at %d tokens, %d are counted", it.CumulativeTokens, counted)
			}
		}
	})
}

// Ranks follow the scores. Places kept for what edges found are the last ones in
// the scoring of oasis' code, whatever the score.
func TestOrderIsThatOfTheScores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bench := drawBench(t)
		r := bench.mustRetrieve(t)
		p := bench.params
		pools := p.GraphScoring == param.ScoringOasis && r.Mode == param.ModeChunk && p.MaxHops > 0 && p.TopK > 0 && p.GraphTopK > 0
		byRank := slices.Clone(r.Items)
		slices.SortFunc(byRank, func(a, b retrieval.Item) int { return a.Rank - b.Rank })
		for i := 1; i < len(byRank); i++ {
			a, b := byRank[i-1], byRank[i]
			if pools && (a.Hop > 0) != (b.Hop > 0) {
				if a.Hop > 0 {
					t.Fatalf("rank %d is %s, found by an edge, rank %d is %s, a seed", a.Rank, a.ChunkID, b.Rank, b.ChunkID)
				}
				continue
			}
			if a.Score < b.Score || r.Mode == param.ModeChunk && a.Score == b.Score && a.ChunkID > b.ChunkID {
				t.Fatalf("rank %d is %s with %v, rank %d is %s with %v", a.Rank, a.ChunkID, a.Score, b.Rank, b.ChunkID, b.Score)
			}
		}
	})
}

func TestTheSameBytesWhateverTheStoresOrder(t *testing.T) {
	encode := func(t *rapid.T, r retrieval.Result) string {
		raw, err := wire.Encode(r, wire.Options{WithEmbedding: true})
		if err != nil {
			t.Fatal(err)
		}
		r.Items = r.NearMisses
		below, err := wire.Encode(r, wire.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw) + string(below)
	}
	rapid.Check(t, func(t *rapid.T) {
		b := drawBench(t)
		strip := func(r retrieval.Result) retrieval.Result {
			for i := range r.NearMisses { // pointers print as addresses
				r.NearMisses[i].Why, r.NearMisses[i].Explanation = nil, nil
			}
			return r
		}
		want := encode(t, strip(b.mustRetrieve(t)))
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		b.memory.shuffle = rng.Shuffle
		for range 10 {
			if got := encode(t, strip(b.mustRetrieve(t))); got != want {
				t.Fatalf("another order of rows gave\n%s\nwant\n%s", got, want)
			}
		}
	})
}

// A thousand orders of equal scores are one result.
func TestEqualScoresShuffled(t *testing.T) {
	b := newBench().set(t, "mode", "chunk", "top_k_children_limit", "7")
	b.page("a", 0)
	for _, id := range []string{"A", "B", "C", "D", "E"} {
		b.section(id, "a", 0, 10, 0.5, 0.5)
	}
	encode := func() string {
		raw, err := wire.Encode(b.retrieve(t), wire.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	want := encode()
	rng := rand.New(rand.NewPCG(1, 2))
	b.memory.shuffle = rng.Shuffle
	for range 1000 {
		if got := encode(); got != want {
			t.Fatalf("got\n%s\nwant\n%s", got, want)
		}
	}
}

func TestRecordersChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBench(t)
		ev, err := retrieval.Gather(t.Context(), b.deps(), retrieval.Query{Text: "question"}, b.params)
		if err != nil {
			t.Fatal(err)
		}
		plain, needs := retrieval.Rank(ev, b.params, retrieval.Options{})
		full, also := retrieval.Rank(ev, b.params, retrieval.Options{Trace: true, Explain: true})
		if !slices.Equal(needs.Texts, also.Texts) || len(plain.Items) != len(full.Items) {
			t.Fatalf("needs %v and %v", needs, also)
		}
		for i := range plain.Items {
			if plain.Items[i].ChunkID != full.Items[i].ChunkID || plain.Items[i].Score != full.Items[i].Score {
				t.Fatalf("item %d differs", i)
			}
		}
		if plain.Trace != nil || len(plain.Items) > 0 && plain.Items[0].Explanation != nil {
			t.Fatal("recorded without being asked")
		}
	})
}

// Evidence that covers other parameters gives what gathering with them gives.
func TestCoveredIsAsGoodAsGathered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBench(t)
		b.params.Reach = param.ReachWide
		ev, err := retrieval.Gather(t.Context(), b.deps(), retrieval.Query{Text: "question"}, b.params)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range param.Specs() {
			b.params = paramtest.Draw(t, b.params, s)
		}
		b.params.Reach = param.ReachWide
		if ok, _ := ev.Covers(b.params); !ok {
			t.Skip("other rows were asked for")
		}
		ev, err = retrieval.Complete(t.Context(), b.deps(), ev, b.params)
		if err != nil {
			t.Fatal(err)
		}
		moved, _ := retrieval.Rank(ev, b.params, retrieval.Options{Trace: true, Explain: true})
		fresh := b.mustRetrieve(t)
		if ids(moved.Items) != ids(fresh.Items) || ids(moved.NearMisses) != ids(fresh.NearMisses) || codes(moved) != codes(fresh) {
			t.Fatalf("moved: %s | %s | %s\nfresh: %s | %s | %s", ids(moved.Items), ids(moved.NearMisses), codes(moved), ids(fresh.Items), ids(fresh.NearMisses), codes(fresh))
		}
	})
}
