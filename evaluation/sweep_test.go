package evaluation_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// sweepable gathers queries over 40 pages of random words and judges sections at
// random. It returns the preset's parameters, to be changed.
func sweepable(tb testing.TB, queries int, preset string) ([]evaluation.SweptQuery, param.Params) {
	tb.Helper()
	ctx := tb.Context()
	rng := rand.New(rand.NewPCG(5, 6))
	words := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf("word%02d", rng.IntN(80))
		}
		return strings.Join(list, " ")
	}
	pages := fstest.MapFS{}
	for page := range 40 {
		var text strings.Builder
		for section := range 8 {
			fmt.Fprintf(&text, "## Section %d\n\n%s\n\n", section, words(60))
		}
		pages[fmt.Sprintf("page%02d.md", page)] = &fstest.MapFile{Data: []byte(text.String())}
	}
	st, err := sqlite.Open(ctx, tb.TempDir()+"/sweep.db", sqlite.Options{Create: true})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { st.Close() })
	deps := retrieval.Deps{Store: st, Embedder: embedder.NewBuiltin()}
	tok, err := embedder.NewTokenizer(deps.Embedder.Info().Tokenizer)
	if err != nil {
		tb.Fatal(err)
	}
	set, err := source.ScanFS(ctx, pages, "sweep", source.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := indexing.Run(ctx, st, set.All(ctx), indexing.Options{Embedder: deps.Embedder, Tokenizer: tok}); err != nil {
		tb.Fatal(err)
	}
	p, _ := param.Preset(preset)
	p.Mode = param.ModeChunk
	measure := evaluation.MustMeasure("nDCG@10")
	list := make([]evaluation.SweptQuery, queries)
	for i := range list {
		ev, err := retrieval.Gather(ctx, deps, retrieval.Query{Text: words(4)}, p)
		if err != nil {
			tb.Fatal(err)
		}
		grades := map[string]int{}
		res, _ := retrieval.Rank(ev, p, retrieval.Options{})
		var judged []int
		for j := range res.Items {
			if grade := rng.IntN(4); grade > 0 {
				grades[res.Items[j].ChunkID] = grade
				judged = append(judged, grade)
			}
		}
		pool := evaluation.NewPool(judged)
		list[i] = evaluation.SweptQuery{ID: fmt.Sprint("q", i), Evidence: ev, Score: func(r *retrieval.Result) float64 {
			gains := make([]int, len(r.Items))
			for i := range r.Items {
				gains[r.Items[i].Rank-1] = grades[r.Items[i].ChunkID]
			}
			// A longer list counts a little, so that cuts below rank 10 show.
			return measure.Of(evaluation.Judged{Grades: gains, Pool: pool}) + float64(len(gains))/1000
		}}
	}
	return list, p
}

func TestGrid(t *testing.T) {
	base, _ := param.Preset(param.PresetWebRAG)
	g := evaluation.Grid{evaluation.Steps("similarity_floor", .1, .1, 3), {Field: "budget_policy", Values: []string{"stop", "skip"}}}
	settings, err := g.Settings(base)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range settings {
		got = append(got, settings[i].Get("similarity_floor")+" "+settings[i].Get("budget_policy"))
	}
	want := []string{"0.1 stop", "0.1 skip", "0.2 stop", "0.2 skip", "0.3 stop", "0.3 skip"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if alone, err := (evaluation.Grid{}).Settings(base); err != nil || len(alone) != 1 || alone[0] != base {
		t.Errorf("a grid without axes: %v, %v", alone, err)
	}
	var wrong *param.Error
	if _, err := (evaluation.Grid{{Field: "similarity_flor", Values: []string{"1"}}}).Settings(base); !errors.As(err, &wrong) {
		t.Errorf("an unknown field gives %v", err)
	}
	if _, err := (evaluation.Grid{evaluation.Steps("similarity_floor", .5, .5, 3)}).Settings(base); !errors.As(err, &wrong) {
		t.Errorf("a floor of 1.5 gives %v", err)
	}
	huge := evaluation.Steps("top_k_children_limit", 1, 1, 1001)
	if _, err := (evaluation.Grid{huge, evaluation.Steps("context_budget", 1, 1, 1000)}).Settings(base); err == nil {
		t.Error("a million and a thousand combinations are taken")
	}
}

func TestStepsEndExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		a := evaluation.Steps("x", 0, 1/float64(n), n+1)
		if len(a.Values) != n+1 || a.Values[0] != "0" || a.Values[n] != "1" {
			t.Fatalf("%d values from %s to %s", len(a.Values), a.Values[0], a.Values[len(a.Values)-1])
		}
	})
	// Adding .1 three times gives .30000000000000004.
	if got := evaluation.Steps("x", 0, .1, 4).Values; !slices.Equal(got, []string{"0", "0.1", "0.2", "0.3"}) {
		t.Errorf("%q", got)
	}
}

func TestSweepAgreesWithRanking(t *testing.T) {
	t.Parallel()
	queries, base := sweepable(t, 5, param.PresetWebRAG)
	settings, err := evaluation.Grid{
		evaluation.Steps("similarity_floor", 0, .1, 5), evaluation.Steps("depth_decay_rate", 0, .1, 3), evaluation.Steps("top_k_children_limit", 10, 50, 3),
	}.Settings(base)
	if err != nil {
		t.Fatal(err)
	}
	swept, err := evaluation.Sweep(t.Context(), queries, settings)
	if err != nil {
		t.Fatal(err)
	}
	different := map[float64]bool{}
	for s := range settings {
		for q := range queries {
			res, _ := retrieval.Rank(queries[q].Evidence, settings[s], retrieval.Options{})
			if want := queries[q].Score(&res); swept.Scores[s][q] != want {
				t.Fatalf("setting %d, query %d: %v, want %v", s, q, swept.Scores[s][q], want)
			}
			different[swept.Scores[s][q]] = true
		}
	}
	if len(different) < 10 {
		t.Errorf("%d settings make only %d different scores", len(settings), len(different))
	}
}

func TestASweepStaysWithinTheEvidence(t *testing.T) {
	t.Parallel()
	queries, base := sweepable(t, 2, param.PresetWebRAG)
	far := base
	far.TopKChildrenLimit = 900
	if _, err := evaluation.Sweep(t.Context(), queries, []param.Params{base, far}); err == nil || !strings.Contains(err.Error(), "setting 1") || !strings.Contains(err.Error(), `"q`) {
		t.Errorf("a limit of 900 after a search for 200 gives %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := evaluation.Sweep(ctx, queries, []param.Params{base}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled sweep gives %v", err)
	}
	if none, err := evaluation.Sweep(t.Context(), nil, []param.Params{base}); err != nil || len(none.Scores) != 1 {
		t.Errorf("no queries give %+v, %v", none, err)
	}
	if none, err := evaluation.Sweep(t.Context(), queries, nil); err != nil || len(none.Scores) != 0 {
		t.Errorf("no settings give %+v, %v", none, err)
	}
}

// TestASweepRefusesWhatIsProvisional sweeps a setting that compares chunks with
// one another, which nobody has read yet.
func TestASweepRefusesWhatIsProvisional(t *testing.T) {
	t.Parallel()
	queries, base := sweepable(t, 2, param.PresetWebRAG)
	alike := base
	alike.DedupThreshold = .9
	var lack *evaluation.LackError
	if _, err := evaluation.Sweep(t.Context(), queries, []param.Params{base, alike}); !errors.As(err, &lack) {
		t.Fatalf("a setting that needs words gives %v", err)
	}
	if lack.Setting != 1 || lack.Query != 0 || len(lack.Needs.Words) == 0 || !strings.Contains(lack.Error(), "words") {
		t.Errorf("%v: %+v", lack, lack)
	}
}

func TestAChoiceIsHeldOut(t *testing.T) {
	ids := make([]string, 40)
	scores := make([][]float64, 3)
	for i := range scores {
		scores[i] = make([]float64, len(ids))
	}
	for q := range ids {
		ids[q] = fmt.Sprint("query ", q)
	}
	s := evaluation.Swept{IDs: ids, Scores: scores}
	halves := s.Choose(7)
	if halves[0].Setting != 0 || halves[1].Setting != 0 {
		t.Error("of equal settings the first is chosen")
	}
	if halves[0].Chosen+halves[0].Others != 40 || halves[0].Chosen != halves[1].Others || halves[0].Chosen < 10 || halves[0].Chosen > 30 {
		t.Errorf("the halves are %+v", halves)
	}
	// Setting 2 is luck: 1 on the first half, 0 on the second.
	first := firstHalf(ids)
	for q := range ids {
		scores[1][q] = .6
		if first[q] {
			scores[2][q] = 1
		}
	}
	halves = s.Choose(7)
	if c := halves[0]; c.Setting != 2 || c.On != 1 || c.Held != 0 {
		t.Errorf("on the first half: %+v", c)
	}
	if c := halves[1]; c.Setting != 1 || math.Abs(c.On-.6) > 1e-9 || math.Abs(c.Held-.6) > 1e-9 {
		t.Errorf("on the second half: %+v", c)
	}
	empty := evaluation.Swept{}
	if c := empty.Choose(7); c[0].Setting != -1 || c[1].Setting != -1 {
		t.Errorf("nothing gives %+v", c)
	}
}

// firstHalf finds out which queries are in the first half, by a setting that is
// good for one query alone.
func firstHalf(ids []string) []bool {
	first := make([]bool, len(ids))
	for q := range ids {
		one := evaluation.Swept{IDs: ids, Scores: [][]float64{make([]float64, len(ids)), make([]float64, len(ids))}}
		one.Scores[1][q] = 1
		first[q] = one.Choose(7)[0].Setting == 1
	}
	return first
}
