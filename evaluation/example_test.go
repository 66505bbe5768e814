package evaluation_test

import (
	"fmt"

	"github.com/webrag/webrag-tui/evaluation"
)

func ExampleMeasure_Of() {
	// Five documents were judged, and a ranking has three of them and one that was not.
	pool := evaluation.NewPool([]int{3, 3, 2, 1, 1})
	ranking := evaluation.Judged{Grades: []int{3, 2, evaluation.Unjudged, 1}, Pool: pool}
	for _, text := range []string{"nDCG@4", "P(rel=2)@4", "Judged@4", "expr:mine@4=sum(results, .grade ^ 2 / .rank)"} {
		m, err := evaluation.ParseMeasure(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%.3f %s\n", m.Of(ranking), m)
	}
	// Output:
	// 0.742 nDCG@4
	// 0.500 P(rel=2)@4
	// 0.750 Judged@4
	// 11.250 expr:mine@4=sum(results, .grade ^ 2 / .rank)
}

func ExampleCompare() {
	judgments, narrow, wide := map[string]map[string]int{}, evaluation.Run{}, evaluation.Run{}
	for i := range 24 {
		id := fmt.Sprint("q", i)
		judgments[id] = map[string]int{"page": 1, "other": 0}
		narrow[id], wide[id] = []string{"other", "page"}, []string{"page", "other"}
	}
	options := evaluation.Options{Measures: []evaluation.Measure{evaluation.MustMeasure("RR@10")}}
	a, err := evaluation.Evaluate(judgments, wide, options)
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := evaluation.Evaluate(judgments, narrow, options)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := evaluation.Compare(a, b, 0)
	fmt.Println(p.Difference, p.Wins, "won,", p.Losses, "lost:", p.Verdict())
	// Output:
	// +0.500 [+0.500, +0.500] 24 won, 0 lost: better
}
