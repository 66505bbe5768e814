package evaluation_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/evaluation"
)

const none = evaluation.Unjudged

// workedExample is a ranking with the values that its measures have by hand.
type workedExample struct {
	name         string
	grades, pool []int
	values       map[string]float64
}

func workedExamples() []workedExample {
	return []workedExample{
		{
			// DCG = 3 + 2/1.584963 + 0 + 1/2.321928 = 4.692536;
			// ideal 3,3,2,1 = 3 + 1.892789 + 1 + .430677 = 6.323466.
			"the ideal is of all judged, not only the returned",
			[]int{3, 2, 0, 1},
			[]int{3, 3, 2, 1, 1},
			map[string]float64{
				"nDCG@4": .742083, "nDCG(dcg='exp-log2')@4": .698534, "P@4": .75, "R@4": .60, "AP": .55, "RR": 1,
				"P(rel=2)@4": .50, "ERR@4": .497375, "RBP(p=0.8,rel=1)": .462400, "Judged@4": 1, "Success@1": 1,
				"R(rel=3)@4": .5, "RBP": .462400, "P@5": .6, "nDCG": 4.692536 / (6.323466 + 1/2.584963),
			},
		},
		{
			"topic 0 of a public test suite",
			[]int{0, 1, 2, 1, 0},
			[]int{0, 1, 1, 2, 0},
			map[string]float64{
				"nDCG": .65846, "nDCG@3": .52091, "nDCG(dcg='exp-log2')@20": .62010, "nDCG(dcg='exp-log2')@2": .17377,
				"AP": .63889, "RR": .5, "P@5": .6, "P(rel=2)@5": .2, "R@2": 1. / 3, "ERR@20": .10175, "RBP": .3904, "Judged@3": 1,
			},
		},
		{
			// Topic 1 of it: D1 (unjudged), D3, D2 and D4 (unjudged); D0, D3 and D5 were judged.
			"topic 1 of it",
			[]int{none, 2, none, none},
			[]int{1, 2, 2},
			map[string]float64{
				"nDCG": .33544, "nDCG@3": .33544, "nDCG(dcg='exp-log2')@20": .35099, "nDCG(dcg='exp-log2')@2": .38685,
				"AP": 1. / 6, "RR": .5, "P@5": .2, "P(rel=2)@5": .2, "R@2": 1. / 3, "ERR@20": .09375, "RBP": .16, "Judged@3": 1. / 3,
				"Success@1": 0, "Success@2": 1, "RR@1": 0, "AP(rel=2)": .25,
			},
		},
		{
			"negative grades count as unjudged",
			[]int{1, 0, 2, -1, 0},
			[]int{1, -1, 0, 2, 0},
			map[string]float64{"nDCG": .76018, "nDCG@3": .76018, "Judged@5": .8, "R@5": 1},
		},
		{
			"a negative grade before the right one",
			[]int{none, -1, none, 2},
			[]int{1, 2, -1, 0},
			map[string]float64{"nDCG": .32739, "nDCG@3": 0, "Judged@4": .25, "RR": .25},
		},
		{
			// Ranks 1, 2, 4 and 40 of six: (1 + 1 + 3/4 + 4/40)/6, cut at 10 (1 + 1 + 3/4)/6.
			"a cut of AP leaves R as it is", append([]int{1, 1, 0, 1}, append(make([]int, 35), 1)...),
			[]int{1, 1, 1, 1, 1, 1},
			map[string]float64{"AP": 2.85 / 6, "AP@10": 2.75 / 6, "R@100": 4. / 6, "P@100": .04},
		},
		{"a grade above four is four to ERR", []int{9}, []int{9}, map[string]float64{"ERR": 15. / 16, "nDCG(dcg='exp-log2')": 1}},
		{"nothing relevant", []int{0, 0}, []int{0}, zeros("Judged@5", 1)},
		{"nothing returned", nil, []int{1}, zeros("Judged@5", 0)},
		{"nothing judged", []int{none}, nil, zeros("Judged@5", 0)},
		{"nothing at all", nil, nil, zeros("Judged@5", 0)},
	}
}

// zeros has every kind of measure with the value 0, but one.
func zeros(but string, value float64) map[string]float64 {
	all := map[string]float64{}
	for _, text := range kinds() {
		all[text] = 0
	}
	all[but] = value
	return all
}

// kinds has a measure of each kind, with and without what they may have.
func kinds() []string {
	return []string{
		"nDCG", "nDCG@5", "nDCG(dcg='exp-log2')", "nDCG(dcg='exp-log2')@5", "P@5", "P(rel=2)@5", "R@5", "R(rel=2)@5", "AP", "AP@5",
		"AP(rel=2)", "RR", "RR@5", "Success@5", "Judged@5", "RBP(p=0.8,rel=1)", "RBP(p=0.5,rel=2)@5", "ERR", "ERR@5",
		"expr:own=sum(results, .grade / log2(.rank + 1)) / sum(ideal, .grade / log2(.rank + 1))",
	}
}

func TestMeasuresWorkedExamples(t *testing.T) {
	for _, c := range workedExamples() {
		j := evaluation.Judged{Grades: c.grades, Pool: evaluation.NewPool(c.pool)}
		for text, want := range c.values {
			if got := evaluation.MustMeasure(text).Of(j); math.Abs(got-want) > 1e-5 || math.IsNaN(got) {
				t.Errorf("%s: %s is %.6f, want %.6f", c.name, text, got, want)
			}
		}
	}
	if got := evaluation.MustMeasure("nDCG@10").Of(evaluation.Judged{Grades: []int{2}}); got != 0 {
		t.Errorf("without a pool nDCG is %v", got)
	}
	if got := (evaluation.Measure{}).Of(evaluation.Judged{Grades: []int{2}}); got != 0 || (evaluation.Measure{}).String() != "" {
		t.Errorf("no measure is %v", got)
	}
}

// drawJudged draws a ranking of some of what was judged, and of what was not.
func drawJudged(t *rapid.T) (grades, pool []int) {
	grade := rapid.IntRange(-2, 5)
	pool = rapid.SliceOfN(grade, 0, 20).Draw(t, "pool")
	returned := rapid.SliceOfN(rapid.Just(none), 0, 10).Draw(t, "unjudged")
	if len(pool) > 0 {
		returned = append(returned, pool[:rapid.IntRange(0, len(pool)).Draw(t, "returned")]...)
	}
	if len(returned) > 0 {
		grades = rapid.Permutation(returned).Draw(t, "grades")
	}
	return grades, pool
}

func TestMeasuresAreSharesOfTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grades, pool := drawJudged(t)
		m := evaluation.MustMeasure(rapid.SampledFrom(kinds()).Draw(t, "measure"))
		of := func(grades, pool []int) float64 {
			return m.Of(evaluation.Judged{Grades: grades, Pool: evaluation.NewPool(pool)})
		}
		got := of(grades, pool)
		if !(got >= 0 && got <= 1+1e-12) {
			t.Fatalf("%s is %v", m, got)
		}
		if len(pool) > 0 {
			if other := of(grades, rapid.Permutation(pool).Draw(t, "other order")); other != got {
				t.Fatalf("%s is %v, and %v with the judged ones in another order", m, got, other)
			}
		}
		if m.String() == evaluation.MustMeasure("Judged@5").String() {
			return
		}
		// Moving a better result up never lowers the value, nor does one more at the end.
		for i := range len(grades) - 1 {
			if grades[i] < grades[i+1] {
				better := slices.Clone(grades)
				better[i], better[i+1] = better[i+1], better[i]
				if up := of(better, pool); up < got-1e-12 {
					t.Fatalf("moving a better result up lowers %s from %v to %v", m, got, up)
				}
			}
		}
		more := slices.Concat(pool, []int{3})
		before, after := of(grades, more), of(slices.Concat(grades, []int{3}), more)
		if after < before-1e-12 {
			t.Fatalf("a relevant document at the end lowers %s from %v to %v", m, before, after)
		}
	})
}

func TestRecallNeverFallsWithDepth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grades, pool := drawJudged(t)
		j := evaluation.Judged{Grades: grades, Pool: evaluation.NewPool(pool)}
		k := rapid.IntRange(1, 30).Draw(t, "k")
		at := func(k int) float64 { return evaluation.MustMeasure("R@" + strconv.Itoa(k)).Of(j) }
		if at(k) > at(k+1) {
			t.Fatalf("recall at %d is %v, and one deeper %v", k, at(k), at(k+1))
		}
	})
}

func TestMeasuresAreWrittenAsTheyAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"nDCG@10":              "nDCG@10",
		" ndcg @ 10 ":          "nDCG@10",
		"nDCG(dcg='log2')@10":  "nDCG@10",
		`nDCG(dcg="exp-log2")`: "nDCG(dcg='exp-log2')",
		"nDCG(dcg=exp-log2)@7": "nDCG(dcg='exp-log2')@7",
		"P(rel=1)@5":           "P@5",
		"Precision(rel=2)@5":   "P(rel=2)@5",
		"MAP(rel=3)":           "AP(rel=3)",
		"AP()":                 "AP",
		"mrr@10":               "RR@10",
		"Recall@1000":          "R@1000",
		"RBP":                  "RBP(p=0.8,rel=1)",
		"RBP(rel=2, p=.95)@20": "RBP(p=0.95,rel=2)@20",
		"Success(rel=2)@5":     "Success(rel=2)@5",
		"Judged@10":            "Judged@10",
		"ERR@20":               "ERR@20",
		"expr: firsts @3 = grades[:2] == grades[:1] ? 1 : count(grades, # > 0) / k": "expr:firsts@3=grades[:2] == grades[:1] ? 1 : count(grades, # > 0) / k",
	} {
		m, err := evaluation.ParseMeasure(text)
		if err != nil || m.String() != want {
			t.Errorf("%s is %q, want %q; %v", text, m.String(), want, err)
			continue
		}
		if again, err := evaluation.ParseMeasure(want); err != nil || again.String() != want {
			t.Errorf("%s, read again, is %q; %v", want, again.String(), err)
		}
	}
}

func TestMeasuresThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"":                      `there is no measure "": there are nDCG, P, R, AP, RR, Success, ERR, RBP, Judged, and expr:NAME=… for one of your own`,
		"nDGC@10":               `there is no measure "nDGC" (did you mean nDCG?)`,
		"Precison@5":            `(did you mean P?)`,
		"bpref":                 `there is no measure "bpref"`,
		"P":                     "P needs the number of results that it looks at: P@10",
		"Judged":                "Judged needs the number",
		"P@0":                   `the k after @ must be a whole number from 1 to 1000, and is "0"`,
		"P@1001":                `and is "1001"`,
		"nDCG@ten":              `and is "ten"`,
		"nDCG@":                 `and is ""`,
		"nDCG(dcg='exp-log2'@5": "there must be another that closes it",
		"nDCG(dcg='ln')":        "dcg must be 'log2' or 'exp-log2', and is 'ln'",
		"nDCG(rel=2)@5":         `nDCG takes dcg, and no "rel"`,
		"P(rel)@5":              `the argument "rel" has no value: write rel=VALUE`,
		"P(rel=0)@5":            `rel, the least grade that counts, must be a whole number from 1 to 127, and is "0"`,
		"P(rel=2,rel=3)@5":      "rel is given twice",
		"P(rel=2,)@5":           `the argument "" has no value`,
		"ERR(rel=1)":            `ERR takes no arguments, and has "rel=1"`,
		"RBP(p=1)":              `p must be a number between 0 and 1, and is "1"`,
		"RBP(p=NaN)":            `and is "NaN"`,
	} {
		_, err := evaluation.ParseMeasure(text)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "measure \"") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a wrong measure of the program's own does not panic")
		}
	}()
	evaluation.MustMeasure("P")
}

func TestDefaultMeasures(t *testing.T) {
	var got []string
	for _, m := range evaluation.DefaultMeasures() {
		got = append(got, m.String()+" beside "+m.Judged().String())
		if again := evaluation.MustMeasure(m.String()); again != m || m.Depth() == 0 {
			t.Errorf("%s is not what its text gives", m)
		}
	}
	want := "nDCG@10 beside Judged@10, RR@10 beside Judged@10, R@60 beside Judged@10, P@5 beside Judged@5, Judged@10 beside Judged@10"
	if strings.Join(got, ", ") != want {
		t.Errorf("they are %s", strings.Join(got, ", "))
	}
	if got := evaluation.MustMeasure("AP").Judged().String() + evaluation.MustMeasure("Judged@50").Judged().String(); got != "Judged@10Judged@50" {
		t.Errorf("beside them stands %s", got)
	}
}

func FuzzParseMeasure(f *testing.F) {
	for _, text := range append(kinds(), "RBP(p=.3,rel=2)@7", "P(rel=", "@", "(", "expr:", "expr:a=b", "expr:a@3=1", "nDCG(dcg='@')", "P@5@6") {
		f.Add(text)
	}
	grades := evaluation.Judged{Grades: []int{2, none, 0, 1}, Pool: evaluation.NewPool([]int{2, 1, 1, 0})}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := evaluation.ParseMeasure(text)
		if err != nil {
			return
		}
		got := m.Of(grades)
		if math.IsNaN(got) || math.IsInf(got, 0) {
			t.Errorf("%q is %v", text, got)
		}
		again, err := evaluation.ParseMeasure(m.String())
		if err != nil || again.String() != m.String() || again.Of(grades) != got {
			t.Errorf("%q is written as %q, which is read as %q: %v", text, m, again, err)
		}
	})
}

func BenchmarkNDCG(b *testing.B) {
	grades, pool := make([]int, 60), make([]int, 40)
	for i := range grades {
		grades[i] = i*7%5 - 1
	}
	for i := range pool {
		pool[i] = i % 4
	}
	m, j := evaluation.MustMeasure("nDCG@10"), evaluation.Judged{Grades: grades, Pool: evaluation.NewPool(pool)}
	b.ReportAllocs()
	for b.Loop() {
		if m.Of(j) == 0 {
			b.Fatal("nothing is relevant")
		}
	}
}

func TestNoAllocations(t *testing.T) {
	j := evaluation.Judged{Grades: []int{2, none, 0, 1}, Pool: evaluation.NewPool([]int{2, 1, 1, 0})}
	for _, text := range kinds() {
		m := evaluation.MustMeasure(text)
		if got := testing.AllocsPerRun(10, func() { m.Of(j) }); got > 0 && !strings.HasPrefix(text, "expr:") {
			t.Errorf("%s allocates %v times", text, got)
		}
	}
}
