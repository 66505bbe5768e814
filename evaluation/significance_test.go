package evaluation_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/evaluation"
)

func near(t *testing.T, name string, got, want, by float64) {
	t.Helper()
	if !(math.Abs(got-want) <= by) {
		t.Errorf("%s is %.7f, want %.7f", name, got, want)
	}
}

func TestTestsWorkedExample(t *testing.T) {
	d := []float64{.10, -.05, .20, .00, .15, .05, -.10, .25}
	got := evaluation.Test(d, 1)
	near(t, "the deviation", got.Deviation, .122474, 1e-6)
	near(t, "t", got.T, 1.732051, 1e-6)
	near(t, "Student's p", got.StudentP, .126870, 1e-6)
	near(t, "the randomisation's p", got.Randomisation, 44./256, 1e-12)
	if got.Freedom != 7 || !got.Exact {
		t.Errorf("%+v", got)
	}
}

// The p of t at the 5 % points of the tables, and at others.
func TestStudentsTable(t *testing.T) {
	for _, c := range []struct {
		t       float64
		freedom int
		want    float64
	}{
		{12.7062, 1, .05},
		{4.30265, 2, .05},
		{3.18245, 3, .05},
		{2.22814, 10, .05},
		{2.06390, 24, .05},
		{2.61745, 120, .01},
		{1, 1, .5},
		{math.Sqrt2, 2, 1 - math.Sqrt2/2},
	} {
		got := evaluation.Test(differencesWith(c.t, c.freedom), 1)
		near(t, "t", got.T, c.t, 1e-9)
		near(t, "its p", got.StudentP, c.want, 1e-6)
	}
}

// differencesWith has freedom + 1 differences with this t: half of them one above the mean and half
// one below, and one at it where their number is odd.
func differencesWith(t float64, freedom int) []float64 {
	n := freedom + 1
	deviation := math.Sqrt(float64(n/2*2) / float64(freedom))
	d := make([]float64, n)
	for i := range d {
		d[i] = t * deviation / math.Sqrt(float64(n))
		switch {
		case i == n-1 && n%2 == 1:
		case i%2 == 0:
			d[i]++
		default:
			d[i]--
		}
	}
	return d
}

func TestTestsOfLittle(t *testing.T) {
	for _, c := range []struct {
		name                   string
		d                      []float64
		student, randomisation float64
	}{
		{"none", nil, 1, 1},
		{"one", []float64{.3}, 1, 1},
		{"all 0", make([]float64, 30), 1, 1},
		{"all 0 and few", make([]float64, 5), 1, 1},
		{"all equal", slices.Repeat([]float64{.1}, 5), 0, 2. / 32},
		{"many equal", slices.Repeat([]float64{-.1}, 30), 0, 1. / 10_001},
	} {
		got := evaluation.Test(c.d, 1)
		near(t, c.name+": Student's p", got.StudentP, c.student, 1e-12)
		near(t, c.name+": the randomisation's p", got.Randomisation, c.randomisation, 1e-12)
		if math.IsNaN(got.T) || math.IsInf(got.T, 0) {
			t.Errorf("%s: t is %v", c.name, got.T)
		}
	}
}

func TestTestsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SliceOfN(rapid.Float64Range(-1, 1), 1, 40).Draw(t, "d")
		got := evaluation.Test(d, 1)
		if got != evaluation.Test(d, 1) {
			t.Fatal("the same seed gives other numbers")
		}
		if !(got.StudentP >= 0 && got.StudentP <= 1 && got.Randomisation > 0 && got.Randomisation <= 1) {
			t.Fatalf("%+v", got)
		}
		other := make([]float64, len(d))
		for i := range d {
			other[i] = -d[i]
		}
		if back := evaluation.Test(other, 1); math.Abs(back.StudentP-got.StudentP) > 1e-9 || back.Randomisation != got.Randomisation {
			t.Fatalf("with a and b exchanged %+v, and %+v", back, got)
		}
	})
}

// Drawn signs give what counting all of them does, as far as 10,000 draws can.
func TestDrawnSignsEstimateTheExact(t *testing.T) {
	d := []float64{.3, -.1, .2, .05, -.15, .1, .25, -.05, .1, .15, -.2, .3, .05, -.1, .2, .1, -.05, .15, .02, -.12}
	exact := evaluation.Test(d, 1)
	drawn := evaluation.Test(append(d, 0), 1) // a 0 changes nothing but the way
	if !exact.Exact || drawn.Exact {
		t.Fatal("21 differences are counted, or 20 are not")
	}
	// Four standard errors.
	near(t, "the drawn p", drawn.Randomisation, exact.Randomisation, 4*math.Sqrt(exact.Randomisation/10_000))
}

func TestHolm(t *testing.T) {
	for _, c := range []struct{ ps, want []float64 }{
		{[]float64{.01, .04, .03}, []float64{.03, .06, .06}},
		{[]float64{.5, .5}, []float64{1, 1}},
		{[]float64{.04}, []float64{.04}},
		{nil, nil},
	} {
		got := evaluation.Holm(c.ps)
		for i := range got {
			near(t, "Holm's p", got[i], c.want[i], 1e-12)
		}
		if len(got) != len(c.want) {
			t.Errorf("%v of %v", got, c.ps)
		}
	}
}

// reportsWith are two reports with these differences, all of whose results are judged.
func reportsWith(differences []float64) (a, b *evaluation.Report) {
	m := []evaluation.Measure{evaluation.MustMeasure("nDCG@10")}
	a, b = &evaluation.Report{Measures: m}, &evaluation.Report{Measures: m}
	for i, d := range differences {
		id := string(rune('a' + i))
		a.Queries = append(a.Queries, evaluation.QueryScores{ID: id, Scores: []float64{.5 + d}})
		b.Queries = append(b.Queries, evaluation.QueryScores{ID: id, Scores: []float64{.5}})
	}
	a.Set.Judged, b.Set.Judged = []float64{.9}, []float64{.85}
	return a, b
}

func TestCompareWorkedExample(t *testing.T) {
	a, b := reportsWith([]float64{.10, -.05, .20, .00, .15, .05, -.10, .25})
	b.Queries = append(b.Queries, evaluation.QueryScores{ID: "only b", Scores: []float64{1}})
	p := evaluation.Compare(a, b, 0)
	near(t, "the mean", p.Difference.Mean, .075, 1e-12)
	near(t, "p", p.Adjusted, .171875, 1e-12)
	if p.Wins != 5 || p.Ties != 1 || p.Losses != 2 || p.Unpaired != 1 || len(p.Queries) != 8 || p.Verdict() != evaluation.VerdictFew {
		t.Errorf("%+v: %s", p, p.Verdict())
	}
	if q := p.Queries[2]; q.ID != "c" || q.A != .7 || q.B != .5 || math.Abs(q.Difference-.2) > 1e-12 {
		t.Errorf("the third query is %+v", q)
	}
}

func TestVerdicts(t *testing.T) {
	gains := slices.Repeat([]float64{.1, .2, .1, -.05}, 5)
	for _, c := range []struct {
		name   string
		change func(p *evaluation.Paired)
		want   evaluation.Verdict
	}{
		{"twenty queries", func(*evaluation.Paired) {}, evaluation.VerdictBetter},
		{"nineteen queries", func(p *evaluation.Paired) { p.Queries = p.Queries[1:] }, evaluation.VerdictFew},
		{"the other way round", func(p *evaluation.Paired) { p.Difference.Mean = -p.Difference.Mean }, evaluation.VerdictWorse},
		{"p is .05", func(p *evaluation.Paired) { p.Adjusted = .05 }, evaluation.VerdictNone},
		{"too little is judged", func(p *evaluation.Paired) { p.JudgedA, p.JudgedB = .79, .8 }, evaluation.VerdictUnjudged},
		{"just enough is judged", func(p *evaluation.Paired) { p.JudgedA, p.JudgedB = .8, .8 }, evaluation.VerdictBetter},
		{"one side is judged less", func(p *evaluation.Paired) { p.JudgedA, p.JudgedB = 1, .89 }, evaluation.VerdictUnjudged},
	} {
		p := evaluation.Compare(must(reportsWith(gains)))
		c.change(p)
		if got := p.Verdict(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func must(a, b *evaluation.Report) (*evaluation.Report, *evaluation.Report, int) { return a, b, 0 }

func TestSeveralComparisonsAreAdjusted(t *testing.T) {
	gains := slices.Repeat([]float64{.1, -.05, .09, -.02}, 6)
	one := evaluation.Compare(must(reportsWith(gains)))
	two, three := *one, *one
	evaluation.AdjustHolm([]*evaluation.Paired{one, &two, &three})
	if math.Abs(one.AdjustedStudent-min(1, 3*one.StudentP)) > 1e-12 || two.AdjustedStudent != one.AdjustedStudent {
		t.Errorf("of the t test %v becomes %v", one.StudentP, one.AdjustedStudent)
	}
	if one.Verdict() != evaluation.VerdictNone || math.Abs(one.Adjusted-min(1, 3*one.Randomisation)) > 1e-12 || one.Randomisation >= evaluation.MostChance {
		t.Errorf("%v becomes %v: %s", one.Randomisation, one.Adjusted, one.Verdict())
	}
}

func TestCoverage(t *testing.T) {
	for _, c := range []struct {
		rates []float64
		want  evaluation.Coverage
	}{
		{nil, evaluation.Covered},
		{[]float64{.8}, evaluation.Covered},
		{[]float64{.79}, evaluation.CoverageSparse},
		{[]float64{.95, .85}, evaluation.Covered},
		{[]float64{.96, .85}, evaluation.CoverageUneven},
		{[]float64{.85, .9, .96}, evaluation.CoverageUneven},
	} {
		if got := evaluation.CoverageOf(c.rates...); got != c.want {
			t.Errorf("%v are %s, want %s", c.rates, got, c.want)
		}
	}
}
