package sweep_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/sweep"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// The values that nobody named are steps of the slider with both ends and the present value, each
// once, no more than asked for beside that one; each of them can be set, and none waits.
func TestDefaultAxes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(param.Specs()).Draw(t, "parameter")
		p, _ := param.Preset(rapid.SampledFrom(param.PresetInfos()).Draw(t, "preset").Name)
		most := rapid.IntRange(2, 60).Draw(t, "most")
		a := sweep.DefaultAxis(&s, s.Get(&p), most)
		if a.Field != s.Field || len(a.Values) > most+1 || len(slices.Compact(slices.Sorted(slices.Values(a.Values)))) != len(a.Values) {
			t.Fatalf("%s: %q", s.Field, a.Values)
		}
		if !p.Waits() && !slices.Contains(a.Values, s.Get(&p)) {
			t.Fatalf("%s: %q is not among %q", s.Field, s.Get(&p), a.Values)
		}
		positions := s.Positions()
		for _, value := range a.Values {
			set := p.WithoutWaits()
			if err := s.Set(&set, value); err != nil || set.Waits() {
				t.Fatalf("%s=%q: %v, waits %v", s.Field, value, err, set.Waits())
			}
		}
		if s.Ordered() && (!slices.Contains(a.Values, positions[0]) || !slices.Contains(a.Values, positions[len(positions)-1])) {
			t.Fatalf("%s: %q has not both ends of %q", s.Field, a.Values, positions)
		}
	})
}

// The slider of a parameter has ten steps: five of them are at even distances.
func TestDefaultAxisOfFive(t *testing.T) {
	t.Parallel()
	spec, _ := param.SpecOf(param.FieldKeywordWeight)
	if got := strings.Join(sweep.DefaultAxis(&spec, "0.3", 5).Values, " "); got != "0 0.25 0.3 0.5 0.75 1" {
		t.Errorf("five steps from 0 to 1 with .3 are %s", got)
	}
}

// The plateaus of a curve have its values, in their order and each once.
func TestPlateaus(t *testing.T) {
	t.Parallel()
	s := of(t, guide)
	plan := &sweep.Plan{Base: base(param.PresetHybrid), Axes: axes(t, "top_k=3..30,no limit")}
	f, err := sweep.Run(t.Context(), plan, s.Experiment(), s.Deps, sweep.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	chosen := 0
	all := f.Plateaus(0, math.MaxInt)
	for i := range all {
		values = append(values, all[i].Values...)
		if all[i].Chosen {
			chosen++
		}
		if all[i].Value != all[i].Values[0] || all[i].Alike {
			t.Errorf("%q begins with %q", all[i].Values, all[i].Value)
		}
	}
	if !slices.Equal(values, f.Plan.Axes[0].Values) || chosen != 1 {
		t.Errorf("%d chosen among %q", chosen, values)
	}
	spec, _ := param.SpecOf(param.FieldTopK)
	last := sweep.Plateau{Values: []string{"25", "30", "0"}}
	if got := last.Shown(&spec); got != "25 to no limit" {
		t.Errorf("shown is %q", got)
	}
	if few := f.Plateaus(0, 3); len(few) > 5 || few[0].Value != "3" || !slices.ContainsFunc(few, func(p sweep.Plateau) bool { return p.Chosen }) {
		t.Errorf("of three there are %d", len(few))
	}
	if at, ok := f.SettingOf([]string{"7"}); !ok || f.Settings[at].Params.TopK != 7 {
		t.Errorf("7 is setting %d, %v", at, ok)
	}
	if _, ok := f.SettingOf([]string{"31"}); ok {
		t.Error("31 was tried")
	}
}

// 300 of 1000 rankings, 100 of which were there before, took 4 s: 50 a second, so 14 s more.
func TestTimeLeft(t *testing.T) {
	t.Parallel()
	p := sweep.Progress{Done: 300, Total: 1000, Kept: 100}
	if left, rate, ok := p.Left(4 * time.Second); !ok || left != 14*time.Second || rate != 50 {
		t.Errorf("%v left at %v a second, %v", left, rate, ok)
	}
	if _, _, ok := p.Left(time.Second / 2); ok {
		t.Error("half a second says how long it takes")
	}
	if _, _, ok := (&sweep.Progress{Done: 100, Total: 1000, Kept: 100}).Left(time.Minute); ok {
		t.Error("what was kept says how long it takes")
	}
}

// TestEstimatesInWords has an example of each.
func TestEstimatesInWords(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]sweep.Estimate{
		"60 queries by 20 settings (grid): about a second":                                                   {Settings: 20, Combinations: 20, Queries: 60, Search: sweep.Grid},
		"1 query by 2000 settings (random search, at most 2000 of 1000000 combinations, seed 7): about 1m5s": {Settings: 2000, Combinations: 1e6, Queries: 1, Search: sweep.Random, Time: 65 * time.Second},
		"9 queries by 1 setting (grid): about 3 days":                                                        {Settings: 1, Combinations: 1, Queries: 9, Search: sweep.Grid, Time: 72 * time.Hour},
	} {
		if got := e.Words(7); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Where too little of what the base returns is judged, that is said in its numbers.
func TestSparse(t *testing.T) {
	t.Parallel()
	s := of(t, guide)
	plan := &sweep.Plan{Base: base(param.PresetHybrid), Axes: axes(t, "top_k=3,5")}
	f, err := sweep.Run(t.Context(), plan, s.Experiment(), s.Deps, sweep.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n, sparse := f.Sparse("hybrid")
	if !sparse || !n.Warning || !strings.HasPrefix(n.Text, "less than .8 of what is returned is judged (Judged@10 .") || !strings.Contains(n.Text, " of hybrid)") {
		t.Errorf("%v of %v judged: %q", sparse, f.Means(0).Judged, n.Text)
	}
	f.Verdict = evaluation.VerdictBetter
	if _, sparse := f.Sparse("hybrid"); sparse {
		t.Error("it warns beside a verdict")
	}
}
