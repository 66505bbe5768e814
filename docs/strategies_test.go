package docs_test

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// TestPresetTableIsThePresets holds the table of defaults against the presets,
// and that a parameter in which they differ is in it.
func TestPresetTableIsThePresets(t *testing.T) {
	t.Parallel()
	p := guidePages(t)["guide/strategies.md"]
	names := param.Presets()
	listed := map[string]bool{}
	for _, row := range p.table(t, append([]string{"parameter"}, names...)...) {
		listed[row[0]] = true
		for i, name := range names {
			params, ok := param.Preset(name)
			if !ok {
				t.Fatalf("no preset %s", name)
			}
			same(t, p, row[i+1], params.Get(row[0]))
		}
	}
	// Said in a sentence, without an effect on a corpus file, or the other half of
	// a stage that the table has.
	for _, elsewhere := range []string{"context_budget", "search", "hnsw_ef_search", "missing_parent"} {
		listed[elsewhere] = true
	}
	for _, s := range param.Specs() {
		values := map[string]bool{}
		for _, name := range names {
			params, _ := param.Preset(name)
			values[params.Get(s.Field)] = true
		}
		if len(values) > 1 && !listed[s.Field] {
			t.Errorf("%s: the presets differ in %s, which the table does not have", p.path, s.Field)
		}
	}
	for name, rows := range map[string]int{
		param.PresetHybrid: 15, param.PresetTextbook: 5, param.PresetTopK: 5,
	} {
		params, _ := param.Preset(name)
		if params.TopKChildrenLimit != 0 || params.TopK*params.Overfetch != rows {
			t.Errorf("%s: %s does not fetch %d rows an arm", p.path, name, rows)
		}
	}
}

// TestScoreTableIsComplete holds that each preset has its scale.
func TestScoreTableIsComplete(t *testing.T) {
	t.Parallel()
	p := guidePages(t)["guide/strategies.md"]
	var names []string
	for _, row := range p.table(t, "preset", "a score is", "at most") {
		names = append(names, row[0])
	}
	if !slices.Equal(names, param.Presets()) {
		t.Errorf("%s lists the scores of %q", p.path, names)
	}
}

// TestFusionTablesCompute recomputes fused scores and those of a single arm.
func TestFusionTablesCompute(t *testing.T) {
	t.Parallel()
	p := guidePages(t)["guide/fusion.html"]
	for _, row := range p.table(t, "rank", "renormalize", "keep") {
		rank := number(t, row[0])
		same(t, p, row[1], fmt.Sprintf("%.3f", 61/(60+rank)))
		same(t, p, row[2], fmt.Sprintf("%.3f", 0.7*61/(60+rank)))
	}

	scale := store.Calibration{P50: 0.04, P995: 0.22}
	rows := p.table(t, "passage", "cosine", "bm25", "V", "K", "fused")
	best := 0.0
	for _, row := range rows {
		best = max(best, optional(t, row[2]))
	}
	last := math.Inf(1)
	for _, row := range rows {
		v := param.Calibrated(scale, optional(t, row[1]))
		k := optional(t, row[2]) / best
		fused := 0.5*v + 0.5*k
		same(t, p, row[3], fmt.Sprintf("%.3f", v))
		same(t, p, row[4], fmt.Sprintf("%.3f", k))
		same(t, p, row[5], fmt.Sprintf("%.3f", fused))
		if fused >= last {
			t.Errorf("%s: row %s is out of order", p.path, row[0])
		}
		last = fused
	}
}

// optional is the number in a cell, 0 in an empty one.
func optional(t *testing.T, cell string) float64 {
	t.Helper()
	if cell == "" {
		return 0
	}
	return number(t, cell)
}

// TestGraphExampleComputes walks the edges of the example as the page says.
func TestGraphExampleComputes(t *testing.T) {
	t.Parallel()
	p := guidePages(t)["guide/graph.html"]
	for _, row := range p.table(t, "relation", "from", "to", "weight") {
		weight := map[store.Relation]float64{
			store.References: store.WeightReferences, store.PartOf: store.WeightPartOf, store.Sequence: store.WeightSequence,
		}[store.Relation(row[0])]
		same(t, p, row[3], fmt.Sprintf("%.1f", weight))
	}

	edges := p.table(t, "from", "to", "weight")
	results := p.table(t, "section", "search", "hop", "best edge", "score")
	hops, terms := map[string]int{}, map[string]float64{}
	for _, row := range results {
		if row[1] != "" {
			hops[row[0]] = 0
		}
	}
	for hop, decay := range []float64{0.7, 0.5} {
		reached := map[string]int{}
		for _, e := range edges {
			if from, known := hops[e[0]]; !known || from != hop {
				continue
			}
			terms[e[1]] = max(terms[e[1]], 0.3*decay*number(t, e[2]))
			if _, known := hops[e[1]]; !known {
				reached[e[1]] = hop + 1
			}
		}
		for name, at := range reached {
			hops[name] = at
		}
	}
	if len(hops) != len(results) {
		t.Errorf("%s lists %d sections, the walk finds %d", p.path, len(results), len(hops))
	}
	last := math.Inf(1)
	for _, row := range results {
		score := 0.7*optional(t, row[1]) + terms[row[0]]
		same(t, p, row[2], strconv.Itoa(hops[row[0]]))
		same(t, p, row[3], fmt.Sprintf("%.3f", terms[row[0]]))
		same(t, p, row[4], fmt.Sprintf("%.3f", score))
		if score >= last {
			t.Errorf("%s: row %s is out of order", p.path, row[0])
		}
		last = score
	}
}

// TestComparisonTableComputes measures the two lists of the page.
func TestComparisonTableComputes(t *testing.T) {
	t.Parallel()
	p := guidePages(t)["guide/missing.md"]
	a, b := strings.Split("A B C D", " "), strings.Split("A C B E", " ")
	for _, list := range [][]string{a, b} {
		if want := strings.Join(list, ", "); !strings.Contains(p.text(), want) {
			t.Errorf("%s does not say %q", p.path, want)
		}
	}
	result := func(ids []string) retrieval.Result {
		var res retrieval.Result
		for i, id := range ids {
			res.Items = append(res.Items, retrieval.Item{ChunkID: id, Rank: i + 1})
		}
		return res
	}
	c := retrieval.Compare(result(a), result(b), 4)
	want := map[string]float64{
		"overlap@4": c.Overlap, "churn": c.Churn, "Jaccard": c.Jaccard, "RBO": c.RBO, "τ": c.TauB,
	}
	rows := p.table(t, "measure", "computation", "value")
	if len(rows) != len(want) {
		t.Errorf("%s has %d measures, want %d", p.path, len(rows), len(want))
	}
	for _, row := range rows {
		same(t, p, row[2], fmt.Sprintf("%.3f", want[row[0]]))
	}
}

// lowered matches the suggestion of a verdict to lower the floor.
var lowered = regexp.MustCompile(`cosine (\.\d+) · .*similarity_floor 0\.3 → (0\.\d+) `)

// TestWhyExampleAddsUp holds that the suggestion of the example lets the passage
// in, and that none above it would.
func TestWhyExampleAddsUp(t *testing.T) {
	t.Parallel()
	p := guidePages(t)["guide/missing.md"]
	m := lowered.FindStringSubmatch(p.text())
	if m == nil {
		t.Fatalf("%s shows no passage with a cosine that a lower floor lets in", p.path)
	}
	cosine, floor := number(t, m[1]), number(t, m[2])
	if cut := raw(floor, 0.03, 0.15); cut >= cosine {
		t.Errorf("a floor of %.2f cuts at %.3f", floor, cut)
	}
	if cut := raw(floor+.01, 0.03, 0.15); cut < cosine {
		t.Errorf("a floor of %.2f cuts at %.3f and would do", floor+.01, cut)
	}
}

// TestRerankTablesCompute recomputes likeness and age.
func TestRerankTablesCompute(t *testing.T) {
	t.Parallel()
	p := guidePages(t)["guide/rerank.html"]
	for _, row := range p.table(t, "words in both", "words in either", "J", "the worse one is") {
		alike := number(t, row[0]) / number(t, row[1])
		same(t, p, row[2], fmt.Sprintf("%.3f", alike))
		fate := "kept"
		if alike > 0.95 {
			fate = "dropped"
		}
		same(t, p, row[3], fate)
	}
	for _, row := range p.table(t, "age in days", "multiplier") {
		same(t, p, row[1], fmt.Sprintf("%.3f", math.Exp2(-number(t, row[0])/30)))
	}
	reranker, _ := param.SpecOf("reranker")
	var named []string
	for _, row := range p.table(t, "reranker", "does", "scores") {
		named = append(named, row[0])
	}
	if all := append([]string{string(param.RerankerNone)}, named...); !slices.Equal(all, reranker.Values) {
		t.Errorf("%s has the rerankers %q, there are %q", p.path, named, reranker.Values)
	}
}

// TestMatchesAreAll holds that the page has each way in which words combine.
func TestMatchesAreAll(t *testing.T) {
	t.Parallel()
	p := guidePages(t)["guide/fusion.html"]
	var named []string
	for _, dt := range p.all("dt") {
		named = append(named, textOf(dt))
	}
	match, _ := param.SpecOf("keyword_match")
	slices.SortFunc(named, func(a, b string) int {
		return cmp.Compare(slices.Index(match.Values, a), slices.Index(match.Values, b))
	})
	if !slices.Equal(named, match.Values) {
		t.Errorf("%s has %q, there are %q", p.path, named, match.Values)
	}
}

// TestMeasuredFiguresAreThoseOfQuality holds the table of measured fusions against the
// one in quality.md, which "make bench-quality" prints.
func TestMeasuredFiguresAreThoseOfQuality(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("quality.md")
	if err != nil {
		t.Fatal(err)
	}
	p := guidePages(t)["guide/fusion.html"]
	for _, row := range p.table(t, "ranking", "w", "SciFact", "Cranfield") {
		found := false
		for line := range strings.Lines(string(raw)) {
			cells := strings.Split(line, "|")
			if len(cells) < 5 {
				continue
			}
			found = found || strings.TrimSpace(cells[2]) == row[1] &&
				strings.HasPrefix(strings.TrimSpace(cells[3]), row[2]+" ") && strings.HasPrefix(strings.TrimSpace(cells[4]), row[3]+" ")
		}
		if !found {
			t.Errorf("%s: quality.md has no row with %q", p.path, row)
		}
	}
}
