package sweep

import (
	"cmp"
	"math"
	"slices"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// Finding is what came of a sweep.
type Finding struct {
	Plan Plan
	// Table has the numbers of all settings that were tried, the base first.
	*Table
	// Halves are the choices by one half of the queries each.
	Halves [2]Half
	// Held scores each query by the setting that the other half chose, and compares with
	// the base: it has no luck in it. Base is the base's mean, Mean that.
	Held Comparison
	// Winner is the setting that is best by all queries among those that meet the
	// constraints, of equal ones the base or that with the fewest tokens; or where both halves chose the same one, that. It is -1
	// where none meets them.
	Winner int
	// OnAll compares the winner with the base by all queries. It was chosen by these: part of
	// it is luck.
	OnAll Comparison
	// Verdict says whether what the sweep chooses is better than the base: if it is so on either half
	// for what the other one chose, by the test of [evaluation.Test]. Below
	// [evaluation.LeastQueries], or where too little is judged, there is none.
	Verdict evaluation.Verdict
	// Idle are the parameters that have no effect in any of the settings.
	Idle []string
}

// Half is what was chosen by some of the queries.
type Half struct {
	// Setting was chosen, -1 where none meets the constraints.
	Setting int
	// Queries chose it. On compares it with the base by these, Held by all others.
	Queries  int
	On, Held Comparison
}

// Gap is how much more the setting gains where it was chosen than where it was not: luck.
func (h *Half) Gap() float64 { return (h.On.Mean - h.On.Base) - (h.Held.Mean - h.Held.Base) }

// Comparison compares a setting with the base.
type Comparison struct {
	Queries int
	// Mean and Base are the means of the measure.
	Mean, Base float64
	// Difference is Mean − Base with its 95 % bootstrap interval.
	Difference evaluation.Interval
	// Chance is the two-sided p of the randomisation test, see [evaluation.Tests].
	Chance float64
	// Judged and BaseJudged are the judged rates.
	Judged, BaseJudged float64
}

// direction is 1 if the setting is better by more than chance, -1 if it is worse.
func (c *Comparison) direction() int {
	switch {
	case c.Chance >= evaluation.MostChance:
		return 0
	case c.Difference.Mean > 0:
		return 1
	default:
		return -1
	}
}

// theSeed makes intervals and tests of equal numbers equal.
const theSeed = 1

// compared is what differences come to.
func compared(mean, base float64, differences []float64) Comparison {
	return Comparison{
		Queries: len(differences), Mean: mean, Base: base,
		Difference: evaluation.Bootstrap(differences, theSeed), Chance: evaluation.Test(differences, theSeed).Randomisation,
	}
}

// compare compares a setting with the base by some of the queries.
func (t *Table) compare(setting int, queries []int) Comparison {
	c := compared(t.mean(setting, columnScore, queries), t.mean(base, columnScore, queries), t.differences(setting, base, queries))
	c.Judged, c.BaseJudged = t.judged(setting, queries), t.judged(base, queries)
	return c
}

// base is the place of the base in a table that [Table.only] made.
const base = 0

// find chooses among what was tried.
func find(p *Plan, all *Table, by [3][]int, searched searched) *Finding {
	f := &Finding{Plan: *p, Table: all.only(slices.Concat(searched[:]...)), Winner: -1}
	choice := [3]int{}
	for i := range choice {
		among := make([]int, len(searched[i]))
		for n, place := range searched[i] {
			among[n] = f.at[key(all.Settings[place].Values)]
		}
		choice[i] = f.best(among, by[i], p.Constraints)
	}
	f.Winner = choice[byAll]
	for i := range f.Halves {
		h := &f.Halves[i]
		h.Setting, h.Queries = choice[i], len(by[i])
		if h.Setting >= 0 {
			h.On, h.Held = f.compare(h.Setting, by[i]), f.compare(h.Setting, by[1-i])
		}
	}
	if s := f.Halves[0].Setting; s >= 0 && s == f.Halves[1].Setting && f.meets(s, by[byAll], p.Constraints) {
		f.Winner = s
	}
	if f.Winner >= 0 {
		f.OnAll = f.compare(f.Winner, by[byAll])
	}
	f.hold(by)
	f.Verdict = f.verdict()
	f.Idle = f.idle()
	return f
}

// hold compares by all queries, each with what was chosen without it.
func (f *Finding) hold(by [3][]int) {
	if f.Halves[0].Setting < 0 || f.Halves[1].Setting < 0 {
		return
	}
	var differences []float64
	mean, judged := 0.0, 0.0
	for half, h := range f.Halves {
		others := by[1-half]
		differences = append(differences, f.differences(h.Setting, base, others)...)
		mean += f.mean(h.Setting, columnScore, others) * float64(len(others))
		judged += h.Held.Judged / 2
	}
	f.Held = compared(mean/float64(max(1, len(differences))), f.mean(base, columnScore, by[byAll]), differences)
	f.Held.Judged, f.Held.BaseJudged = judged, f.judged(base, by[byAll])
}

func (f *Finding) verdict() evaluation.Verdict {
	a, b := &f.Halves[0].Held, &f.Halves[1].Held
	switch {
	case len(f.IDs) < evaluation.LeastQueries:
		return evaluation.VerdictFew
	case evaluation.CoverageOf(a.Judged, a.BaseJudged) != evaluation.Covered || evaluation.CoverageOf(b.Judged, b.BaseJudged) != evaluation.Covered:
		return evaluation.VerdictUnjudged
	case a.direction() > 0 && b.direction() > 0:
		return evaluation.VerdictBetter
	case a.direction() < 0 && b.direction() < 0:
		return evaluation.VerdictWorse
	default:
		return evaluation.VerdictNone
	}
}

func (f *Finding) idle() (fields []string) {
	for _, a := range f.Plan.Axes {
		spec, _ := param.SpecOf(a.Field)
		if !slices.ContainsFunc(f.Settings, func(s Setting) bool { return !spec.IdleIn(&s.Params) }) {
			fields = append(fields, a.Field)
		}
	}
	return fields
}

// only has some of the settings, in the order of their places, each once.
func (t *Table) only(places []int) *Table {
	some := &Table{IDs: t.IDs, Measures: t.Measures, timed: t.timed, query: t.query, at: map[string]int{}}
	for _, place := range places {
		k := key(t.Settings[place].Values)
		if _, ok := some.at[k]; ok {
			continue
		}
		some.at[k] = len(some.Settings)
		some.Settings, some.rows = append(some.Settings, t.Settings[place]), append(some.rows, t.rows[place])
	}
	return some
}

// Means are the means of a setting over all queries.
type Means struct {
	// Score is that of the measure, Judged the judged rate; Results and Tokens are per
	// query.
	Score, Judged, Results, Tokens float64
	// Latency is the median time of a query in milliseconds, 0 where nothing was timed.
	Latency float64
}

// Means are those of a setting.
func (f *Finding) Means(setting int) Means {
	queries, n := f.everyone(), len(f.Measures)
	return Means{f.mean(setting, columnScore, queries), f.judged(setting, queries), f.mean(setting, n+columnReturned, queries), f.mean(setting, n+columnTokens, queries), f.latency(setting, queries)}
}

// HeatMap is the mean of the measure by the values of two axes, the others being those of the
// winner: a row for each value of down, NaN where it was not tried.
func (f *Finding) HeatMap(across, down int) [][]float64 {
	values := slices.Clone(f.Settings[max(base, f.Winner)].Values)
	everyone := f.everyone()
	rows := make([][]float64, len(f.Plan.Axes[down].Values))
	for y, v := range f.Plan.Axes[down].Values {
		for _, u := range f.Plan.Axes[across].Values {
			values[down], values[across] = v, u
			mean := math.NaN()
			if at, ok := f.at[key(values)]; ok {
				mean = f.mean(at, columnScore, everyone)
			}
			rows[y] = append(rows[y], mean)
		}
	}
	return rows
}

// Frontier are the settings that none beats in both the measure and the tokens returned, those
// with the fewest tokens first, whether they meet the constraints or not (Pareto). Of
// equal ones it has the first.
func (f *Finding) Frontier() []int {
	order, means := f.ordered(func(a, b *Means) int {
		return cmp.Or(cmp.Compare(a.Tokens, b.Tokens), cmp.Compare(b.Score, a.Score))
	})
	var frontier []int
	for _, s := range order {
		if n := len(frontier); n == 0 || means[s].Score > means[frontier[n-1]].Score+rounding {
			frontier = append(frontier, s)
		}
	}
	return frontier
}

// Ranked are the settings that meet the constraints, the best first, of equal ones that with
// the fewest tokens.
func (f *Finding) Ranked() []int {
	order, _ := f.ordered(func(a, b *Means) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Tokens, b.Tokens))
	})
	everyone := f.everyone()
	return slices.DeleteFunc(order, func(s int) bool { return !f.meets(s, everyone, f.Plan.Constraints) })
}

func (f *Finding) ordered(by func(a, b *Means) int) ([]int, []Means) {
	order, means := make([]int, len(f.Settings)), make([]Means, len(f.Settings))
	for s := range order {
		order[s], means[s] = s, f.Means(s)
	}
	slices.SortStableFunc(order, func(a, b int) int { return by(&means[a], &means[b]) })
	return order, means
}
