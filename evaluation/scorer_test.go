package evaluation_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/evaluation"
)

// A measure of one's own that says what a built-in one does gives the same.
func TestMeasuresOfOnesOwn(t *testing.T) {
	same := map[string]string{
		"nDCG@4":                 "expr:n@4=sum(results, .grade / log2(.rank + 1)) / sum(ideal, .grade / log2(.rank + 1))",
		"nDCG(dcg='exp-log2')@3": "expr:e@3=sum(results, (2 ** .grade - 1) / log2(.rank + 1)) / sum(ideal, (2 ^ .grade - 1) / log2(.rank + 1))",
		"P@3":                    "expr:p@3=count(grades, # >= 1) / k",
		"R(rel=2)@3":             "expr:r@3=count(grades, # >= 2) / count(pool, # >= 2)",
		"Success@2":              "expr:s@2=any(grades, # > 0) ? 1 : 0",
		"RR":                     "expr:rr=1 / min(map(filter(results, .grade > 0), .rank))",
		"Judged@3":               "expr:j@3=count(results, .judged) / len(results)",
		"RBP":                    "expr:rbp=.2 * sum(results | filter(.grade >= 1), .8 ** (.rank - 1))",
	}
	rapid.Check(t, func(t *rapid.T) {
		grades, pool := drawJudged(t)
		j := evaluation.Judged{Grades: grades, Pool: evaluation.NewPool(pool)}
		for name, text := range same {
			if name == "RR" && evaluation.MustMeasure("Success@30").Of(j) == 0 {
				continue // the least of nothing is an error, see below
			}
			text = strings.Replace(text, "1 / min(", "len(filter(results, .grade > 0)) == 0 ? 0 : 1 / min(", 1)
			if got, want := evaluation.MustMeasure(text).Of(j), evaluation.MustMeasure(name).Of(j); math.Abs(got-want) > 1e-12 {
				t.Fatalf("%s is %v, and %s %v", text, got, name, want)
			}
		}
	})
}

func TestExpressionsThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"a":                                  "a measure of your own is expr:NAME=EXPRESSION, and this has no =",
		"a b=1":                              `the name of a measure of your own has letters, digits, - and _, and this is "a b"`,
		"=1":                                 `and this is ""`,
		"a@0=1":                              "the k after @ must be a whole number",
		"a=":                                 "at character 1 of the expression: unexpected token EOF",
		"a=1 +":                              "at character 3 of the expression: unexpected token EOF",
		"a=sum(grade)":                       "at character 5 of the expression: unknown name grade",
		"a=1 + true":                         "at character 3 of the expression: invalid operation: + (mismatched types int and bool)",
		"a=grades":                           "expected float64, but got []int",
		"a='x'":                              "expected float64, but got string",
		"a=max(grades)":                      "for a ranking of 0 results there is no value: at character 1 of the expression: ",
		"a=sum(results, .score)":             "a result has .rank, .grade and .judged",
		"a=grades[0]":                        "sum(grades[:1]) is the first grade",
		"a=sum(grades, sum(grades))":         "at character 17 of the expression: grades is a list, and what is done for each result cannot go through a list again",
		"a=sum(map(grades, count(pool, 1)))": "pool is a list",
		"a=let x = grades; sum(x)":           "this cannot be used here: an expression has numbers",
		"a=sum([1, 2])":                      "this cannot be used here",
		"a=sum({'a': 1}.a)":                  "this cannot be used here",
		"a=1; 2":                             "this cannot be used here",
		"a=sum(1..1000000)":                  `the operator ".." cannot be used here`,
		"a='x' matches 'y' ? 1 : 0":          `the operator "matches" cannot be used here`,
		"a=reduce(grades, #acc + #, 0)":      "reduce cannot be used here",
		"a=len(repeat('x', 1000000000))":     "repeat cannot be used here",
		"a=first(grades)":                    "first cannot be used here",
		"a=now().Unix()":                     "now cannot be used here",
		"a=system(1)":                        "there is no function system here",
		"a=log2()":                           "not enough arguments to call log2",
		"a=1" + strings.Repeat("+1", 150):    "compilation failed: expression exceeds maximum allowed nodes",
		"a=1" + strings.Repeat("+1", 500):    "it has 1008 bytes, and may have 1000",
		"a=" + strings.Repeat("(", 900):      "at character 900 of the expression",
	} {
		_, err := evaluation.ParseMeasure("expr:" + text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60s: %v, want %s", text, err, want)
		}
	}
}

func TestWhatIsNoNumberCountsNothing(t *testing.T) {
	for _, text := range []string{"0/0", "1/0", "-1/0", "log(-1)", "exp(1000)", "5 % (len(pool) - 2)"} {
		j := evaluation.Judged{Grades: []int{1}, Pool: evaluation.NewPool([]int{1, 1})}
		if got := evaluation.MustMeasure("expr:x=" + text).Of(j); got != 0 {
			t.Errorf("%s is %v", text, got)
		}
	}
	// The worst that passes goes through the longest ranking for each few letters. What is
	// deeper than any cut does not count.
	text := "expr:x=" + strings.Repeat("sum(sort(grades))+", 45) + "0"
	grades := make([]int, 2000)
	grades[999], grades[1000] = 2, 1
	if got := evaluation.MustMeasure(text).Of(evaluation.Judged{Grades: grades}); got != 90 {
		t.Errorf("the longest is %v", got)
	}
}
