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

// Where people, or a rule, and models have judged, models do not count; where only some of one
// kind have, all do. What was taken back, and what nobody could tell, is no grade.
func TestWhoCountsUsually(t *testing.T) {
	t.Parallel()
	by := func(judge judgment.Judge, page string, grade judgment.Grade) judgment.Record {
		return judgment.Record{Key: judgment.PageKey("q", page), Judge: judge, Grade: grade}
	}
	model := judgment.ModelJudge("small")
	for _, c := range []struct {
		records []judgment.Record
		want    judgment.Graders
		others  string // whose grades count beside those of models, empty where all do
	}{
		{nil, judgment.Graders{}, ""},
		{[]judgment.Record{by("ana", "a", 1)}, judgment.Graders{People: true}, ""},
		{[]judgment.Record{by(model, "a", 1), by(model, "b", 2)}, judgment.Graders{Models: true}, ""},
		{[]judgment.Record{by("ana", "a", 0), by(model, "a", 2)}, judgment.Graders{People: true, Models: true}, "people's"},
		{[]judgment.Record{by(judgment.Rule, "a", 3), by(model, "a", 2)}, judgment.Graders{Rule: true, Models: true}, "the rule's"},
		{[]judgment.Record{by(judgment.Rule, "a", 3), by("ana", "b", 1), by(model, "a", 2)}, judgment.Graders{People: true, Rule: true, Models: true}, "people's and the rule's"},
		{[]judgment.Record{by("ana", "a", 2), by(model, "a", 2), by("ana", "a", judgment.Withdrawn)}, judgment.Graders{Models: true}, ""},
		{[]judgment.Record{by("ana", "a", judgment.CannotTell), by(model, "a", 2)}, judgment.Graders{Models: true}, ""},
	} {
		set := judgment.Set{Queries: []judgment.Query{{ID: "q", Text: "a query"}}, Records: c.records}
		got, keep := set.Graders(), set.Usual()
		if got != c.want || got.IsOfModels() != (c.want == judgment.Graders{Models: true}) || got.IsMixed() != (c.others != "") {
			t.Errorf("%v: graded by %+v, want %+v", c.records, got, c.want)
		}
		if c.others != "" && got.Unmodelled() != c.others {
			t.Errorf("%v: %s grades count", c.records, got.Unmodelled())
		}
		if (keep == nil) != (c.others == "") || keep != nil && (keep(model) || !keep("ana") || !keep(judgment.Rule)) {
			t.Errorf("%v: everybody counts: %v", c.records, keep == nil)
		}
	}
}

func TestNamesOfPeople(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"people", "models", "all", "synthetic", "model:small", "model:"} {
		if judgment.CheckPerson(name) == nil {
			t.Errorf("a person may be called %s", name)
		}
	}
	for _, name := range []string{"ana", "People's", "modeller"} {
		if err := judgment.CheckPerson(name); err != nil {
			t.Error(err)
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
