package docs_test

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/docs"
	"github.com/webrag/webrag-tui/evaluation"
)

// graded reads the worked example of the page on judgments: the grades of a list by rank,
// and those of all texts that were judged.
func graded(t *testing.T, p *page) (list, pool []int) {
	t.Helper()
	for i, row := range p.table(t, "rank", "divisor", "grade", "earns", "best grade", "would earn") {
		divisor := math.Log2(float64(i + 2))
		grade := evaluation.Unjudged
		if row[2] != "none" {
			grade = int(number(t, row[2]))
		}
		best := int(number(t, row[4]))
		list, pool = append(list, grade), append(pool, best)
		same(t, p, row[0], strconv.Itoa(i+1))
		same(t, p, row[1], fmt.Sprintf("%.3f", divisor))
		same(t, p, row[3], fmt.Sprintf("%.3f", float64(max(grade, 0))/divisor))
		same(t, p, row[5], fmt.Sprintf("%.3f", float64(best)/divisor))
	}
	if !slices.IsSortedFunc(pool, func(a, b int) int { return b - a }) {
		t.Errorf("%s: %v is not the best order", p.path, pool)
	}
	return list, pool
}

// earned is what a list of grades earns: its DCG.
func earned(grades []int) float64 {
	sum := 0.0
	for i, g := range grades {
		sum += float64(max(g, 0)) / math.Log2(float64(i+2))
	}
	return sum
}

// differences matches those of the page's sign flips.
var differences = regexp.MustCompile(`the differences (.*?), with a mean of (\S+)\. Of`)

// TestJudgmentsCompute measures the worked examples of the page on judgments with the
// measures and tests that the program uses.
func TestJudgmentsCompute(t *testing.T) {
	t.Parallel()
	p := guidePages(t)["guide/judgments.md"]
	ndcg, known := evaluation.MustMeasure("nDCG@10"), evaluation.MustMeasure("Judged@10")
	of := func(m evaluation.Measure, list, pool []int) float64 {
		return m.Of(evaluation.Judged{Grades: list, Pool: evaluation.NewPool(pool)})
	}
	list, pool := graded(t, p)
	turned, found := slices.Clone(list), slices.Clone(list)
	turned[0], turned[1] = list[1], list[0]
	found[slices.Index(list, evaluation.Unjudged)] = 3

	m := differences.FindStringSubmatch(p.text())
	if m == nil {
		t.Fatal("judgments.md gives no differences with their mean")
	}
	var ds []float64
	for s := range strings.FieldsSeq(strings.NewReplacer("−", "-", "and", "", ",", "").Replace(m[1])) {
		ds = append(ds, number(t, s))
	}
	tests := evaluation.Test(ds, 1)
	mean := 0.0
	for _, d := range ds {
		mean += d / float64(len(ds))
	}
	same(t, p, strings.TrimSuffix(m[2], "."), strings.TrimPrefix(fmt.Sprintf("%.2f", mean), "0"))

	for _, want := range []string{
		fmt.Sprintf("earns %.3f of %.3f, which is an nDCG@10 of %.3f", earned(list), earned(pool), of(ndcg, list, pool)),
		fmt.Sprintf("the other way round it would be %.3f", of(ndcg, turned, pool)),
		fmt.Sprintf("and the list %.3f of it", of(ndcg, found, append(slices.Clone(pool), 3))),
		fmt.Sprintf("here 4 of %d or %.2f", len(list), of(known, list, pool)),
		fmt.Sprintf("Of the %d ways to set four signs, %.0f come as far: p is %.2f", 1<<len(ds), math.Ldexp(tests.Randomisation, len(ds)), tests.Randomisation),
		fmt.Sprintf("1 − 0.95²⁰ = %.2f", 1-math.Pow(1-evaluation.MostChance, 20)),
		fmt.Sprintf("below %d the program gives no verdict", evaluation.LeastQueries),
		"below " + strings.TrimPrefix(fmt.Sprint(evaluation.LeastJudged), "0") + " no figure says",
	} {
		if !strings.Contains(p.text(), want) {
			t.Errorf("%s does not say %q", p.path, want)
		}
	}
	about, err := docs.Judged.ReadFile("judged/set.json")
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range p.table(t, "grade", "the text is", "which means") {
		same(t, p, row[0], strconv.Itoa(i))
		if !strings.Contains(string(about), strconv.Quote(row[1])) {
			t.Errorf("%s: no grade is labelled %q", p.path, row[1])
		}
	}
}
