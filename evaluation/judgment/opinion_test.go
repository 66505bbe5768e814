package judgment_test

import (
	"math"
	"testing"

	"github.com/webrag/webrag-tui/evaluation/judgment"
)

// said is a judgment with these grades, by judges a, b, c and so on.
func said(grades ...int) judgment.Judgment {
	var j judgment.Judgment
	for i, g := range grades {
		j.Opinions = append(j.Opinions, judgment.Opinion{Judge: judgment.Judge(rune('a' + i)), Grade: judgment.Grade(g)})
	}
	return j
}

func TestTheEffectiveGradeIsTheMedian(t *testing.T) {
	t.Parallel()
	const skip = int(judgment.CannotTell)
	for _, c := range []struct {
		grades []int
		want   int
		ok     bool
		spread int
	}{
		{[]int{2}, 2, true, 0},
		{[]int{1, 3}, 1, true, 2},
		{[]int{3, 1}, 1, true, 2},
		{[]int{0, 2, 3}, 2, true, 3},
		{[]int{3, 0, 2, 1}, 1, true, 3},
		{[]int{skip, 3}, 3, true, 0},
		{[]int{skip}, 0, false, 0},
		{nil, 0, false, 0},
		{[]int{3, 3, 3, 3, 3, 0, 0, 0, 0, 0, 0}, 0, true, 3},
	} {
		j := said(c.grades...)
		if got, ok := j.Grade(nil); got != c.want || ok != c.ok || j.Spread(nil) != c.spread {
			t.Errorf("%v: %d, %v, spread %d", c.grades, got, ok, j.Spread(nil))
		}
	}
}

func TestJudgesAreToldApart(t *testing.T) {
	t.Parallel()
	model := judgment.ModelJudge("small")
	j := judgment.Judgment{Opinions: []judgment.Opinion{{Judge: "ana", Grade: 3}, {Judge: model, Grade: 0}}}
	for name, c := range map[string]struct {
		keep judgment.Keep
		want int
		ok   bool
	}{
		"people": {judgment.People, 3, true}, "models": {judgment.Models, 0, true}, "all": {nil, 0, true},
		"ana": {judgment.Only("ana"), 3, true}, "ben": {judgment.Only("ben"), 0, false},
	} {
		if got, ok := j.Grade(c.keep); got != c.want || ok != c.ok {
			t.Errorf("%s: %d, %v", name, got, ok)
		}
	}
	list := []judgment.Judgment{said(1, 2), j, said(3, 3)}
	if differ := judgment.Disagreements(list, nil); len(differ) != 2 || differ[0].A.Opinions[0].Judge != "ana" || differ[0].Spread != 3 {
		t.Errorf("they differ on %+v", differ)
	}
	if differ := judgment.Disagreements(list, judgment.People); len(differ) != 1 {
		t.Errorf("people differ on %+v", differ)
	}
}

// Where people and models have judged, people count; where only some of one kind have, all do.
func TestWhoCountsUsually(t *testing.T) {
	t.Parallel()
	person, model := judgment.Record{Judge: "ana"}, judgment.Record{Judge: judgment.ModelJudge("small")}
	for _, c := range []struct {
		records []judgment.Record
		all     bool
	}{{nil, true}, {[]judgment.Record{person}, true}, {[]judgment.Record{model, model}, true}, {[]judgment.Record{person, model}, false}} {
		set := judgment.Set{Records: c.records}
		if want := len(c.records) == 2 && c.all; set.IsOfModels() != want {
			t.Errorf("%v: all are of models: %v", c.records, !want)
		}
		keep := set.Usual()
		if (keep == nil) != c.all || keep != nil && (keep(model.Judge) || !keep(person.Judge)) {
			t.Errorf("%v: everybody counts: %v", c.records, keep == nil)
		}
	}
}

// TestAgree is worked by hand: the grades are 3 3, 2 3, 0 0, 1 0, 2 2 and 0 1.
func TestAgree(t *testing.T) {
	t.Parallel()
	list := []judgment.Judgment{said(3, 3), said(2, 3), said(0, 0), said(1, 0), said(2, 2), said(0, 1), said(3), said(int(judgment.CannotTell), 2)}
	// They are apart by 0, 1, 0, 1, 0, 1: Σ(x−y)² is 3. Σx is 8, Σy is 9, Σx² is 18, Σy² is
	// 23. By chance Σ(x−y)² would be 18 + 23 − 2·8·9/6 = 17, and κ is 1 − 3/17.
	if a := judgment.Agree(list, "a", "b"); a.Both != 6 || a.Same != 3 || !a.Defined || math.Abs(a.Kappa-(1-3./17)) > 1e-12 {
		t.Errorf("they agree by %+v, want %v", a, 1-3./17)
	}
	if a, b := judgment.Agree(list, "a", "b"), judgment.Agree(list, "b", "a"); a != b {
		t.Errorf("%+v, and the other way round %+v", a, b)
	}
	for name, c := range map[string]struct {
		list []judgment.Judgment
		want judgment.Agreement
	}{
		"nothing in common": {[]judgment.Judgment{said(1)}, judgment.Agreement{}},
		"throughout":        {[]judgment.Judgment{said(0, 0), said(3, 3)}, judgment.Agreement{Both: 2, Same: 2, Kappa: 1, Defined: true}},
		"the other way":     {[]judgment.Judgment{said(0, 3), said(3, 0)}, judgment.Agreement{Both: 2, Kappa: -1, Defined: true}},
		"one grade only":    {[]judgment.Judgment{said(2, 2), said(2, 2)}, judgment.Agreement{Both: 2, Same: 2}},
		"one of them":       {[]judgment.Judgment{said(2, 1), said(2, 3)}, judgment.Agreement{Both: 2, Kappa: 0, Defined: true}},
	} {
		if got := judgment.Agree(c.list, "a", "b"); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
