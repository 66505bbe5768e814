package judgment_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/evaluation/judgment"
)

// opinionsOf are judgments of a model and of people, as many as there are pairs of digits, each
// followed by the grades of people.
func opinionsOf(pairs ...string) []judgment.Judgment {
	var list []judgment.Judgment
	for _, p := range pairs {
		j := judgment.Judgment{Opinions: []judgment.Opinion{{Judge: "model:m", Grade: judgment.Grade(p[0] - '0')}, {Judge: "model:other", Grade: 3}, {Judge: judgment.Rule, Grade: 3}}}
		for i, c := range p[1:] {
			j.Opinions = append(j.Opinions, judgment.Opinion{Judge: judgment.Judge("abc"[i : i+1]), Grade: judgment.Grade(c - '0')})
		}
		list = append(list, j)
	}
	return list
}

// times repeats judgments.
func times(n int, list []judgment.Judgment) []judgment.Judgment {
	var all []judgment.Judgment
	for range n {
		all = append(all, list...)
	}
	return all
}

// The first is worked by hand. The model says 3 2 0 1 2 0 where people say 3 3 0 0 2 1, the
// last as the lower median of 1 2. The squares of the differences are 0 1 0 1 0 1, on
// average 3/6. Were they independent these would be E(x²) + E(y²) − 2 E(x) E(y) = 18/6 + 23/6 −
// 2 × 8/6 × 9/6 = 17/6 on average. So kappa is 1 − 3/17 = .8235, over 5 × 6 = 30.
func TestStandingOf(t *testing.T) {
	t.Parallel()
	six := opinionsOf("33", "23", "00", "10", "22", "012")
	for _, tt := range []struct {
		name  string
		list  []judgment.Judgment
		alone bool
		kappa float64
		why   string
	}{
		{"enough", times(5, six), true, 1 - 3./17, "model:m agrees with people (weighted kappa 0.824 over 30 that both graded)"},
		{"29 are too few", times(5, six)[1:], false, .8121, "have both graded 29, and 30 are needed to know whether they agree; judge 1 more"},
		{"nobody else", times(30, opinionsOf("3")), false, 0, "have both graded 0"},
		{"one grade only", times(30, opinionsOf("22")), false, 0, "the same one grade"},
		{"the other way", times(15, opinionsOf("03", "30")), false, -1, "agrees with people too little (weighted kappa -1.000 over 30, and 0.6 is needed)"},
		// Of ten, eight agree: 1 − 10 × 2 / (10 × 5 + 10 × 5 − 2 × 5 × 5) = .6, which is enough.
		{"just enough", times(3, opinionsOf("00", "00", "00", "00", "01", "11", "11", "11", "11", "10")), true, .6, "weighted kappa 0.600"},
		{"just not", append(times(3, opinionsOf("00", "00", "00", "00", "01", "11", "11", "11", "11", "10")), opinionsOf("10")...), false, .5489, "is needed"},
	} {
		got := judgment.StandingOf(tt.list, "model:m")
		if got.Alone != tt.alone || math.Abs(got.Kappa-tt.kappa) > 5e-5 || !strings.Contains(got.Why, tt.why) || strings.HasSuffix(got.Why, ".") {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

// A set has a standing for each of its models, in the order in which they began, and none for
// people and rules.
func TestStandingsOfASet(t *testing.T) {
	t.Parallel()
	set := judgment.Set{Queries: []judgment.Query{{ID: "q"}}}
	if all := set.Standings(); all != nil {
		t.Errorf("nobody has the standings %+v", all)
	}
	for i, by := range []judgment.Judge{"ana", "model:b", judgment.Rule, "model:a", "model:b"} {
		set.Records = append(set.Records, judgment.Record{Key: judgment.PageKey("q", "page"), Judge: by, Grade: judgment.Grade(i % 4)})
	}
	all := set.Standings()
	if len(all) != 2 || all[0].Model != "model:b" || all[1].Model != "model:a" || all[0].Both != 1 || all[0].Alone {
		t.Errorf("they are %+v", all)
	}
	if judges := judgment.Judges(set.Judgments()); !slices.Equal(judges, []judgment.Judge{"ana", "model:b", judgment.Rule, "model:a"}) {
		t.Errorf("the judges are %v", judges)
	}
}
