package evaluation_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/retrieval"
)

// publicSuite are the judgments and the run of a public test suite: D0 .8, D2 .7, D1 .3,
// D3 .4, D4 .1 and D1 .8, D3 .7, D4 .3, D2 .4, by score.
func publicSuite() (judgments map[string]map[string]int, run evaluation.Run) {
	judgments = map[string]map[string]int{
		"0": {"D0": 0, "D1": 1, "D2": 1, "D3": 2, "D4": 0},
		"1": {"D0": 1, "D3": 2, "D5": 2},
	}
	run = evaluation.Run{
		"0": {"D0", "D2", "D3", "D1", "D4"},
		"1": {"D1", "D3", "D2", "D4"},
	}
	return judgments, run
}

func measures(texts ...string) (list []evaluation.Measure) {
	for _, text := range texts {
		list = append(list, evaluation.MustMeasure(text))
	}
	return list
}

func TestEvaluateWorkedExample(t *testing.T) {
	judgments, run := publicSuite()
	run["2"] = []string{"D1"} // nobody judged it
	r, err := evaluation.Evaluate(judgments, run, evaluation.Options{
		Measures: measures("nDCG", "nDCG@3", "AP", "R@2", "Judged@3"),
		Tags:     map[string][]string{"0": {"odd", "all", "all"}, "1": {"all"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for q, want := range [][]float64{{.65846, .52091, .63889, 1. / 3, 1}, {.33544, .33544, 1. / 6, 1. / 3, 1. / 3}} {
		for i, m := range r.Measures {
			near(t, r.Queries[q].ID+" "+m.String(), r.Queries[q].Scores[i], want[i], 1e-5)
			near(t, "mean "+m.String(), r.Set.Scores[i].Mean, (r.Queries[0].Scores[i]+r.Queries[1].Scores[i])/2, 1e-12)
		}
	}
	// Of the first ten of both 5 of 5 and 1 of 4 are judged.
	near(t, "the judged rate", r.Set.Judged[0], (1+.25)/2, 1e-12)
	near(t, "the judged rate of three", r.Set.Judged[1], (1+1./3)/2, 1e-12)
	var tags []string
	for _, s := range r.Tags {
		tags = append(tags, fmt.Sprintf("%s %d %.5f", s.Tag, s.Queries, s.Scores[0].Mean))
	}
	if got := strings.Join(tags, ", "); got != "all 2 0.49695, odd 1 0.65846" {
		t.Errorf("the tags are %s", got)
	}
	if r.Unjudged != 1 || r.Missing != nil || r.Unanswerable != nil || r.Set.Queries != 2 || r.Set.Returned != 2 {
		t.Errorf("%+v", r)
	}
}

func TestQueriesThatAreMissing(t *testing.T) {
	judgments, run := publicSuite()
	judgments["3"] = map[string]int{"D0": 1}           // without a ranking
	judgments["4"] = map[string]int{"D0": 0, "D1": -1} // without anything relevant
	run["4"] = []string{"D0"}
	for _, c := range []struct {
		options evaluation.Options
		queries string
		mean    float64
		judged  float64
	}{
		{evaluation.Options{}, "0 1 3 4", (.65846 + .33544) / 4, (1 + .25 + 1) / 3},
		{evaluation.Options{AnsweredOnly: true}, "0 1 4", (.65846 + .33544) / 3, (1 + .25 + 1) / 3},
		{evaluation.Options{AnswerableOnly: true}, "0 1 3", (.65846 + .33544) / 3, (1 + .25) / 2},
		{evaluation.Options{AnsweredOnly: true, AnswerableOnly: true}, "0 1", (.65846 + .33544) / 2, (1 + .25) / 2},
	} {
		c.options.Measures = measures("nDCG", "Judged@10")
		r, err := evaluation.Evaluate(judgments, run, c.options)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, q := range r.Queries {
			ids = append(ids, q.ID)
		}
		if got := strings.Join(ids, " "); got != c.queries || !slices.Equal(r.Missing, []string{"3"}) || !slices.Equal(r.Unanswerable, []string{"4"}) {
			t.Errorf("%+v: the queries %s count, %q are missing, %q unanswerable", c.options, got, r.Missing, r.Unanswerable)
		}
		near(t, "the mean over "+c.queries, r.Set.Scores[0].Mean, c.mean, 1e-5)
		near(t, "the judged rate over "+c.queries, r.Set.Judged[0], c.judged, 1e-12)
		near(t, "Judged@10 over "+c.queries, r.Set.Scores[1].Mean, c.judged, 1e-12)
	}
}

func TestReportsOfLittle(t *testing.T) {
	one := map[string]map[string]int{"q": {"a": 1}}
	for name, c := range map[string]struct {
		judgments map[string]map[string]int
		run       evaluation.Run
		mean      float64
	}{
		"nothing judged":  {nil, evaluation.Run{"q": {"a"}}, 0},
		"no run":          {one, nil, 0},
		"an empty answer": {one, evaluation.Run{"q": {}}, 0},
		"no judgments":    {map[string]map[string]int{"q": {}}, evaluation.Run{"q": {"a"}}, 0},
		"all found":       {one, evaluation.Run{"q": {"a"}}, 1},
	} {
		r, err := evaluation.Evaluate(c.judgments, c.run, evaluation.Options{})
		if err != nil || len(r.Set.Scores) != len(evaluation.DefaultMeasures()) {
			t.Errorf("%s: %+v, %v", name, r, err)
			continue
		}
		near(t, name, r.Set.Scores[0].Mean, c.mean, 0)
		for i := range r.Set.Scores {
			if x := r.Set.Scores[i].Mean + r.Set.Scores[i].Low + r.Set.Judged[i]; math.IsNaN(x) {
				t.Errorf("%s: %s is no number", name, r.Measures[i])
			}
		}
	}
}

func TestADocumentCountsOnce(t *testing.T) {
	_, err := evaluation.Evaluate(map[string]map[string]int{"q": {"a": 1}}, evaluation.Run{"q": {"a", "b", "a"}}, evaluation.Options{})
	var twice *evaluation.TwiceError
	if !errors.As(err, &twice) || err.Error() != `query "q": the document "a" stands at the ranks 1 and 3: leave only the first` {
		t.Errorf("%v", err)
	}
}

// The mean of a set is that of its parts, and a report does not depend on the order of anything.
func TestReportsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "queries")
		var answers []evaluation.Answer
		for i := range n {
			grades, pool := drawJudged(t)
			answers = append(answers, evaluation.Answer{
				ID: fmt.Sprint("q", i), Tags: []string{rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "tag")},
				Judged: evaluation.Judged{Grades: grades, Pool: evaluation.NewPool(pool)},
			})
		}
		r := evaluation.Measured(answers, evaluation.Options{})
		sum, queries := 0.0, 0
		for _, s := range r.Tags {
			sum += s.Scores[0].Mean * float64(s.Queries)
			queries += s.Queries
		}
		if queries != n || math.Abs(sum/float64(n)-r.Set.Scores[0].Mean) > 1e-12 {
			t.Fatalf("the tags have %d queries and the mean %v, the set %d and %v", queries, sum/float64(n), n, r.Set.Scores[0].Mean)
		}
		again := evaluation.Measured(rapid.Permutation(answers).Draw(t, "other order"), evaluation.Options{})
		if fmt.Sprint(again) != fmt.Sprint(r) {
			t.Fatal("another order gives another report")
		}
		p := evaluation.Compare(r, again, 0)
		if p.Ties != n || p.Difference != (evaluation.Interval{}) || p.Randomisation != 1 || p.StudentP != 1 {
			t.Fatalf("a report and itself: %+v", p)
		}
	})
}

func TestMovement(t *testing.T) {
	ranked := func(ids ...string) (r retrieval.Result) {
		for i, id := range ids {
			r.Items = append(r.Items, retrieval.Item{ChunkID: id, Rank: i + 1})
		}
		return r
	}
	got := evaluation.MovementOf([]retrieval.Comparison{
		retrieval.Compare(ranked("1", "2", "3"), ranked("1", "2", "3"), 10), // RBO 1
		retrieval.Compare(ranked("1", "2", "3"), ranked("3", "2", "1"), 10), // RBO .855
		retrieval.Compare(ranked("1", "2"), ranked("3", "4"), 10),           // RBO 0, churn 1
	})
	if got.Queries != 3 || got.Changed != 2 || math.Abs(got.RBO-1.855/3) > 1e-9 || math.Abs(got.Churn-1./3) > 1e-12 {
		t.Errorf("%+v", got)
	}
	if got := evaluation.MovementOf(nil); got != (evaluation.Movement{RBO: 1}) {
		t.Errorf("of nothing %+v", got)
	}
}

func BenchmarkReport(b *testing.B) {
	for _, queries := range []int{50, 500} {
		b.Run(fmt.Sprint(queries, " queries"), func(b *testing.B) {
			var answers []evaluation.Answer
			for q := range queries {
				grades, pool := make([]int, 60), make([]int, 30)
				for i := range grades {
					grades[i] = (i*7+q)%5 - 1
				}
				for i := range pool {
					pool[i] = (i + q) % 4
				}
				answers = append(answers, evaluation.Answer{ID: fmt.Sprint(q), Judged: evaluation.Judged{Grades: grades, Pool: evaluation.NewPool(pool)}})
			}
			for b.Loop() {
				r := evaluation.Measured(answers, evaluation.Options{})
				evaluation.Compare(r, r, 0)
			}
		})
	}
}
