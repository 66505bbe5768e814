package sweep

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/experiment"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// landscape is what a plan finds where scores are made up: of settings by their values, and of
// queries by their number. Everything is judged, and tokens are a hundred times the
// first value.
func landscape(t testing.TB, p Plan, queries int, score func(values []float64, query int) float64) *Finding {
	t.Helper()
	x := &experiment.Experiment{}
	for i := range queries {
		x.Questions = append(x.Questions, &experiment.Question{Query: judgment.Query{ID: fmt.Sprint("q", i)}})
	}
	if err := p.complete(queries); err != nil {
		t.Fatal(err)
	}
	r := &runner{plan: &p, x: x, table: newTable(x, &p)}
	settings := make([][]string, 0, int(p.Combinations())+1)
	settings = append(settings, p.start())
	for i := range int(p.Combinations()) {
		settings = append(settings, p.at(i))
	}
	for i, at := range p.known(r.table, settings) {
		values := make([]float64, len(settings[i]))
		for n, v := range settings[i] {
			values[n], _ = strconv.ParseFloat(v, 64)
		}
		for q := range queries {
			put(r.table.row(at, q), &experiment.Numbers{Scores: []float64{score(values, q), 1}, Returned: 3, Tokens: int(100 * values[0])})
		}
	}
	by := p.halves(r.table.IDs)
	found, err := r.search(t.Context(), by)
	if err != nil {
		t.Fatal(err)
	}
	return find(&p, r.table, by, found)
}

// over are axes.
func over(t testing.TB, texts ...string) (grid evaluation.Grid) {
	t.Helper()
	for _, text := range texts {
		a, err := ParseAxis(text)
		if err != nil {
			t.Fatal(err)
		}
		grid = append(grid, a)
	}
	return grid
}

// hybrid is a base with top_k 5.
func hybrid() param.Params {
	p, _ := param.Preset(param.PresetHybrid)
	return p
}

// noise is a number from -1 to 1 for a query and values, the same each time.
func noise(seed uint64, values []float64, query int) float64 {
	rng := rand.New(rand.NewPCG(seed, uint64(query)))
	sum := 0.0
	for _, v := range values {
		sum += math.Sin(v*(1+rng.Float64())*57 + 6.28*rng.Float64())
	}
	return sum / float64(len(values))
}

// TestAKnobThatHelps is found by every search, and holds.
func TestAKnobThatHelps(t *testing.T) {
	t.Parallel()
	for _, search := range []Search{Grid, Random, Coordinate} {
		p := Plan{Base: hybrid(), Axes: over(t, "top_k=1..20/19", "rrf_k=10..60/5"), Search: search, Seed: 3, Most: 200}
		f := landscape(t, p, 60, func(v []float64, q int) float64 {
			return .5 - .02*math.Abs(v[0]-12) - .002*math.Abs(v[1]-30) + .02*noise(1, v, q)
		})
		won := f.Settings[f.Winner].Values
		if f.Verdict != evaluation.VerdictBetter || won[0] != "12" || f.Halves[0].Held.Difference.Low <= 0 || f.Held.Difference.Mean < .1 {
			t.Errorf("%s: %v chooses %q, held %+v", search, f.Verdict, won, f.Held)
		}
		if f.Halves[0].Queries+f.Halves[1].Queries != 60 || f.Halves[0].Held.Queries != f.Halves[1].Queries {
			t.Errorf("%s: the halves are %+v", search, f.Halves)
		}
	}
}

// TestChanceIsNoImprovement scores by chance alone: the best of many settings looks better, and
// is not called so.
func TestChanceIsNoImprovement(t *testing.T) {
	t.Parallel()
	const seeds = 60
	claimed, looksBetter := 0, 0
	for seed := range uint64(seeds) {
		f := landscape(t, Plan{Base: hybrid(), Axes: over(t, "top_k=1..30/29"), Seed: seed}, 40, func(v []float64, q int) float64 {
			return .5 + .3*noise(seed+100, v, q)
		})
		if f.Verdict != evaluation.VerdictNone {
			claimed++
		}
		if f.OnAll.Chance < evaluation.MostChance && f.OnAll.Difference.Mean > 0 {
			looksBetter++
		}
	}
	if claimed > seeds/10 {
		t.Errorf("in %d of %d cases a difference is claimed that is chance", claimed, seeds)
	}
	if looksBetter < seeds/10 {
		t.Errorf("the best of 30 looks better in only %d of %d cases: the test tests nothing", looksBetter, seeds)
	}
}

func TestNoVerdictOnFewQueries(t *testing.T) {
	t.Parallel()
	for queries, want := range map[int]evaluation.Verdict{1: evaluation.VerdictFew, 19: evaluation.VerdictFew, 20: evaluation.VerdictBetter} {
		f := landscape(t, Plan{Base: hybrid(), Axes: over(t, "top_k=3..8"), Seed: 1}, queries, func(v []float64, q int) float64 { return v[0]/10 + float64(q)/1000 })
		if f.Verdict != want || f.Settings[f.Winner].Values[0] != "8" {
			t.Errorf("%d queries give %v for %q", queries, f.Verdict, f.Settings[f.Winner].Values)
		}
	}
}

// TestWhatHoldsOnOneHalf is not called better.
func TestWhatHoldsOnOneHalf(t *testing.T) {
	t.Parallel()
	p := Plan{Base: hybrid(), Axes: over(t, "top_k=5,9"), Seed: 4}
	first := map[int]bool{}
	for _, q := range p.halves(landscape(t, p, 60, func([]float64, int) float64 { return 0 }).IDs)[0] {
		first[q] = true
	}
	f := landscape(t, p, 60, func(v []float64, q int) float64 {
		better := (v[0] - 5) / 10
		if first[q] && q%3 > 0 {
			better = -better * .45
		}
		return .5 + better
	})
	if f.Verdict != evaluation.VerdictNone || !strings.Contains(f.VerdictWords(), "half") && !strings.Contains(f.VerdictWords(), "beyond chance") {
		t.Errorf("%v: %s", f.Verdict, f.VerdictWords())
	}
	worse := landscape(t, Plan{Base: hybrid(), Axes: over(t, "top_k=1..3"), Seed: 4, Constraints: []Constraint{{Quantity: Tokens, Limit: 300}}}, 60,
		func(v []float64, q int) float64 { return v[0]/10 + float64(q%7)/100 })
	if worse.Verdict != evaluation.VerdictWorse || worse.Settings[worse.Winner].Values[0] != "3" {
		t.Errorf("what a constraint costs is %v", worse.Verdict)
	}
	none := landscape(t, Plan{Base: hybrid(), Axes: over(t, "top_k=1..3"), Constraints: []Constraint{{Quantity: Tokens, Limit: 50}}}, 20, func([]float64, int) float64 { return 1 })
	if none.Winner != -1 || none.Halves[0].Setting != -1 || len(none.Ranked()) != 0 || none.Verdict == evaluation.VerdictBetter {
		t.Errorf("where nothing meets a constraint, %d is chosen, %v", none.Winner, none.Verdict)
	}
}

// TestAHalfKnowsNothingOfTheOther changes the scores of one half, which changes nothing of what the
// other one chooses, however it is searched.
func TestAHalfKnowsNothingOfTheOther(t *testing.T) {
	t.Parallel()
	axes := over(t, "top_k=1..12/11", "rrf_k=10..60/5", "keyword_weight=0..1/4")
	rapid.Check(t, func(rt *rapid.T) {
		p := Plan{Base: hybrid(), Axes: axes, Most: rapid.IntRange(20, 400).Draw(rt, "most"), Seed: rapid.Uint64Range(0, 50).Draw(rt, "seed")}
		p.Search = rapid.SampledFrom([]Search{Random, Coordinate}).Draw(rt, "search")
		ids := make([]string, 24)
		for i := range ids {
			ids[i] = fmt.Sprint("q", i)
		}
		kept := p.halves(ids)[0]
		choice := func(other uint64) []string {
			f := landscape(t, p, len(ids), func(v []float64, q int) float64 {
				if slices.Contains(kept, q) {
					return noise(9, v, q)
				}
				return noise(other, v, q)
			})
			return f.Settings[f.Halves[0].Setting].Values
		}
		if a, b := choice(10), choice(11); !slices.Equal(a, b) {
			rt.Fatalf("%q becomes %q when the other half has other scores", a, b)
		}
	})
}

// TestBestOfSome holds the choice against a plain search for it.
func TestBestOfSome(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		seed, limit := rapid.Uint64Range(0, 1000).Draw(rt, "seed"), rapid.Float64Range(0, 1500).Draw(rt, "limit")
		p := Plan{Base: hybrid(), Axes: over(t, "top_k=1..12/11"), Seed: seed, Constraints: []Constraint{{Quantity: Tokens, Limit: limit}}}
		f := landscape(t, p, 21, func(v []float64, q int) float64 { return math.Round(5*noise(seed, v, q)) / 5 })
		for s := range f.Settings {
			m := f.Means(s)
			if m.Tokens > limit || f.Winner >= 0 && f.Halves[0].Setting == f.Halves[1].Setting {
				continue
			}
			if f.Winner < 0 || m.Score > f.Means(f.Winner).Score+1e-9 {
				rt.Fatalf("%q is better than what is chosen, and within the limit", f.Settings[s].Values)
			}
		}
		ranked := f.Ranked()
		for i := 1; i < len(ranked); i++ {
			if f.Means(ranked[i]).Score > f.Means(ranked[i-1]).Score {
				rt.Fatal("the settings are not in order")
			}
		}
		frontier := f.Frontier()
		for s := range f.Settings {
			beaten := slices.ContainsFunc(frontier, func(o int) bool {
				return f.Means(o).Tokens <= f.Means(s).Tokens && f.Means(o).Score >= f.Means(s).Score-1e-9
			})
			if !beaten {
				rt.Fatalf("%q is beaten by nothing on the frontier, and not on it", f.Settings[s].Values)
			}
		}
		for i := 1; i < len(frontier); i++ {
			if a, b := f.Means(frontier[i-1]), f.Means(frontier[i]); b.Tokens <= a.Tokens || b.Score <= a.Score {
				rt.Fatal("the frontier does not rise")
			}
		}
	})
}

// TestCurveAndMap is a worked example: the score is top_k/10 but for 7, which is as 6 is.
func TestCurveAndMap(t *testing.T) {
	t.Parallel()
	p := Plan{Base: hybrid(), Axes: over(t, "top_k=4..8/4", "rrf_k=30,60")}
	f := landscape(t, p, 30, func(v []float64, q int) float64 {
		if v[0] == 7 {
			v = []float64{6, v[1]}
		}
		return v[0]/10 + float64(q%3)/100 - (60-v[1])/1000
	})
	var got []string
	for _, c := range f.Curve(0) {
		got = append(got, fmt.Sprintf("%s %.2f %+.2f %v %v", c.Value, c.Score, c.Difference.Mean, c.IsFlat(), c.Alike))
	}
	want := []string{"4 0.41 -0.10 false false", "5 0.51 +0.00 true false", "6 0.61 +0.10 false false", "7 0.61 +0.10 false false", "8 0.81 +0.30 false false"}
	if !slices.Equal(got, want) {
		t.Errorf("the curve is %q", got)
	}
	rows := f.HeatMap(0, 1)
	if len(rows) != 2 || len(rows[0]) != 5 || math.Abs(rows[0][4]-.78) > 1e-9 || math.Abs(rows[1][4]-.81) > 1e-9 {
		t.Errorf("the map is %v", rows)
	}
	random := p
	random.Search, random.Most = Random, 2
	if rows := landscape(t, random, 30, func(v []float64, _ int) float64 { return v[0] }).HeatMap(0, 1); !slices.ContainsFunc(rows[0], math.IsNaN) {
		t.Errorf("the map of three settings is %v", rows)
	}
	if note := f.Note("docs", "hybrid"); note != "chosen by a sweep of top_k, rrf_k (10 settings, grid, seed 0) on the query set docs (30 queries): "+
		"nDCG@10 .810, and .810 on queries that did not choose it, against .510 of hybrid: better on both halves, each by what the other one chose" {
		t.Error(note)
	}
	// The last setting has the values 5 and 9; tokens are a hundred times the first one.
	last := len(f.Settings) - 1
	if note, want := f.NoteOf(last, "docs", "hybrid"), fmt.Sprintf("taken by hand of a sweep of top_k, rrf_k (10 settings, grid, seed 0) on the query set docs (30 queries): "+
		"nDCG@10 %s with %.0f tokens, against .510 of hybrid with %.0f; these queries are those that it was seen on",
		strings.TrimPrefix(fmt.Sprintf("%.3f", f.Means(last).Score), "0"), f.Means(last).Tokens, f.Means(0).Tokens); note != want {
		t.Errorf("%s\nwant\n%s", note, want)
	}
}

func TestPlansThatCannotBe(t *testing.T) {
	t.Parallel()
	llm := hybrid()
	llm.Reranker = param.RerankerLLM
	wide := over(t, "top_k=1..500/499", "rrf_k=1..500/499", "context_budget=1..900/899")
	for want, p := range map[string]Plan{
		"a sweep needs a parameter":   {Base: hybrid()},
		"top_k is swept twice":        {Base: hybrid(), Axes: over(t, "top_k=1..3", "top_k=5")},
		"top_k has no values":         {Base: hybrid(), Axes: evaluation.Grid{{Field: "top_k"}}},
		"no way to search":            {Base: hybrid(), Axes: over(t, "top_k=1..3"), Search: "luck"},
		"225000000 combinations":      {Base: hybrid(), Axes: wide, Search: Grid},
		"wait on a server":            {Base: llm, Axes: over(t, "top_k=1..3")},
		"tries at least 1 setting":    {Base: hybrid(), Axes: over(t, "top_k=1..3"), Most: -1},
		"are more than 10000000 rank": {Base: hybrid(), Axes: wide, Most: 1_000_000},
	} {
		if err := p.complete(50); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	p := Plan{Base: hybrid(), Axes: wide}
	if err := p.complete(50); err != nil || p.Search != Random || p.Most != DefaultMost || p.Measure.String() != "nDCG@10" {
		t.Errorf("%v: %s of %d by %s", err, p.Search, p.Most, p.Measure)
	}
}

// Of more combinations than can be numbered every axis is drawn by itself: each takes many
// of its values.
func TestDrawingOfVeryMany(t *testing.T) {
	t.Parallel()
	texts := []string{
		param.FieldTopK, param.FieldRRFK, param.FieldKeywordWeight, param.FieldSimilarityFloor, param.FieldDepthDecayRate,
		param.FieldTitleWeight, param.FieldHeadingWeight, param.FieldVectorWeight, param.FieldContextBudget, param.FieldFeedbackWeight, param.FieldGraphTopK,
	}
	p := Plan{Base: hybrid(), Axes: over(t, texts...), Most: 200, Seed: 7}
	if n := p.Combinations(); n <= mostNumbered {
		t.Fatalf("there are only %v combinations", n)
	}
	settings, err := p.drawn()
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	for _, s := range settings {
		keys[key(s.Values)] = true
	}
	if len(keys) != len(settings) || len(settings) < p.Most {
		t.Errorf("%d settings, %d of them different", len(settings), len(keys))
	}
	for i, a := range p.Axes {
		seen := map[string]bool{}
		for _, s := range settings {
			seen[s.Values[i]] = true
		}
		if want := min(len(a.Values), p.Most) / 2; len(seen) < want {
			t.Errorf("%s takes %d of %d values", a.Field, len(seen), len(a.Values))
		}
	}
	if got := countCombinations(163416737868089360000000000000000); got != "10^32" {
		t.Errorf("so many combinations are %s", got)
	}
	if got := countCombinations(1600); got != "1600" {
		t.Errorf("1600 combinations are %s", got)
	}
}

func TestDrawing(t *testing.T) {
	t.Parallel()
	axes := over(t, "top_k=1..40/39", "rrf_k=1..40/39")
	rapid.Check(t, func(rt *rapid.T) {
		p := Plan{Base: hybrid(), Axes: axes, Most: rapid.IntRange(1, 1599).Draw(rt, "most"), Seed: rapid.Uint64().Draw(rt, "seed")}
		numbers := p.draw(int64(p.Combinations()))
		if len(numbers) != p.Most || numbers[0] < 0 || numbers[p.Most-1] >= 1600 || len(slices.Compact(slices.Clone(numbers))) != p.Most {
			rt.Fatalf("%d of %d are drawn, from %d to %d", len(numbers), p.Most, numbers[0], numbers[len(numbers)-1])
		}
		settings, err := p.drawn()
		if err != nil || settings[0].Params != p.Base || len(settings) < p.Most || len(settings) > p.Most+1 {
			rt.Fatalf("%d settings of %d, %v", len(settings), p.Most, err)
		}
		again, _ := p.drawn()
		a, _ := json.Marshal(settings)
		b, _ := json.Marshal(again)
		if string(a) != string(b) {
			rt.Fatal("the same seed draws other settings")
		}
	})
}

// TestEqualSettings changes nothing where nothing is better, and takes what is shorter else.
func TestEqualSettings(t *testing.T) {
	t.Parallel()
	flat := landscape(t, Plan{Base: hybrid(), Axes: over(t, "top_k=1..20/19")}, 30, func([]float64, int) float64 { return .5 })
	if flat.Winner != 0 || flat.Verdict != evaluation.VerdictNone || flat.Halves[1].Setting != 0 {
		t.Errorf("of equal settings %q is chosen", flat.Settings[flat.Winner].Values)
	}
	for _, c := range flat.Curve(0) {
		if !c.IsFlat() {
			t.Errorf("%s differs on a flat curve", c.Value)
		}
	}
	above := landscape(t, Plan{Base: hybrid(), Axes: over(t, "top_k=1..20/19")}, 30, func(v []float64, q int) float64 { return min(v[0], 8) / 10 })
	if got := above.Settings[above.Winner].Values[0]; got != "8" {
		t.Errorf("of settings that score alike %s is chosen, and 8 returns least", got)
	}
}
