package sweep

import (
	"math"
	"slices"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/experiment"
)

// Table has the numbers of rankings, by setting and query.
type Table struct {
	// IDs are those of the queries, Measures what was measured: that of the plan, its
	// [evaluation.Measure.Judged], and those of constraints.
	IDs      []string
	Measures []evaluation.Measure
	// Settings are in the order in which they were first tried, that of the base first.
	Settings []Setting

	// timed says that rows have a latency, too.
	timed bool
	query map[string]int // by id
	at    map[string]int // by key
	// rows has one row for each query, of all columns, by setting; NaN where it was not ranked.
	rows [][]float64
}

// The measures that every sweep has.
const (
	columnScore = iota
	columnJudged
)

func newTable(x *experiment.Experiment, p *Plan) *Table {
	t := &Table{Measures: []evaluation.Measure{p.Measure, p.Measure.Judged()}, timed: p.IsTimed(), at: map[string]int{}, query: map[string]int{}}
	for i, q := range x.Questions {
		t.IDs = append(t.IDs, q.ID)
		t.query[q.ID] = i
	}
	for _, c := range p.Constraints {
		if c.column(t.Measures) < 0 {
			t.Measures = append(t.Measures, c.Measure)
		}
	}
	return t
}

func (t *Table) columns() int {
	if t.timed {
		return len(t.Measures) + columnMillis + 1
	}
	return len(t.Measures) + columnMillis
}

// latency is the median over some queries of how long a setting takes, in milliseconds; 0 where
// nothing was timed.
func (t *Table) latency(setting int, queries []int) float64 {
	if !t.timed || len(queries) == 0 {
		return 0
	}
	took := make([]float64, len(queries))
	for i, q := range queries {
		took[i] = t.row(setting, q)[len(t.Measures)+columnMillis]
	}
	slices.Sort(took)
	return (took[(len(took)-1)/2] + took[len(took)/2]) / 2
}

// add finds the places of settings, which new ones get.
func (t *Table) add(settings []Setting) []int {
	places := make([]int, len(settings))
	for i, s := range settings {
		k := key(s.Values)
		at, ok := t.at[k]
		if !ok {
			at = len(t.Settings)
			t.at[k] = at
			t.Settings = append(t.Settings, s)
			row := make([]float64, len(t.IDs)*t.columns())
			for i := range row {
				row[i] = math.NaN()
			}
			t.rows = append(t.rows, row)
		}
		places[i] = at
	}
	return places
}

// SettingOf is the setting with a value for each axis, if it was tried.
func (t *Table) SettingOf(values []string) (setting int, ok bool) {
	setting, ok = t.at[key(values)]
	return setting, ok
}

// row are the columns of one ranking.
func (t *Table) row(setting, query int) []float64 {
	n := t.columns()
	return t.rows[setting][query*n : (query+1)*n : (query+1)*n]
}

// has says that a query was ranked by a setting.
func (t *Table) has(setting, query int) bool { return !math.IsNaN(t.row(setting, query)[columnScore]) }

// isComplete says that all queries were.
func (t *Table) isComplete(setting int) bool {
	for q := range t.IDs {
		if !t.has(setting, q) {
			return false
		}
	}
	return true
}

// Score is that of the plan's measure.
func (t *Table) Score(setting, query int) float64 { return t.row(setting, query)[columnScore] }

// everyone are all queries.
func (t *Table) everyone() []int {
	all := make([]int, len(t.IDs))
	for i := range all {
		all[i] = i
	}
	return all
}

// mean is that of a column over some queries, 0 over none.
func (t *Table) mean(setting, column int, queries []int) float64 {
	sum := 0.0
	for _, q := range queries {
		sum += t.row(setting, q)[column]
	}
	return sum / float64(max(1, len(queries)))
}

// judged is the judged rate over the queries that returned something, as in
// [evaluation.Summary].
func (t *Table) judged(setting int, queries []int) float64 {
	sum, n := 0.0, 0
	for _, q := range queries {
		if row := t.row(setting, q); row[len(t.Measures)+columnReturned] > 0 {
			sum += row[columnJudged]
			n++
		}
	}
	return sum / float64(max(1, n))
}

// LeastJudged is the id of the query of which least is judged among what a setting returns, of
// equal ones the first.
func (t *Table) LeastJudged(setting int) string {
	least := 0
	for q := range t.IDs {
		if t.row(setting, q)[columnJudged] < t.row(setting, least)[columnJudged] {
			least = q
		}
	}
	return t.IDs[least]
}

// differences are by how much a setting is better than another one, by query.
func (t *Table) differences(setting, than int, queries []int) []float64 {
	list := make([]float64, len(queries))
	for i, q := range queries {
		list[i] = t.Score(setting, q) - t.Score(than, q)
	}
	return list
}

// isSame says that two settings score alike for every query.
func (t *Table) isSame(a, b int) bool {
	for q := range t.IDs {
		numbers := len(t.Measures) + columnMillis // all but the time, which is never the same
		if !slices.Equal(t.row(a, q)[:numbers], t.row(b, q)[:numbers]) {
			return false
		}
	}
	return true
}

// best is the setting with the highest mean over some queries among those that meet the
// constraints there; of equal ones that with the fewest tokens, and then the first, but the
// first of all, which is the base, before any. It is -1 where none meets them.
func (t *Table) best(among, queries []int, constraints []Constraint) int {
	found, most, fewest := -1, 0.0, 0.0
	for i, s := range among {
		if !t.meets(s, queries, constraints) {
			continue
		}
		mean, tokens := t.mean(s, columnScore, queries), t.mean(s, len(t.Measures)+columnTokens, queries)
		isEqual := math.Abs(mean-most) <= rounding && found != among[0]
		if i == 0 || found < 0 || mean > most+rounding || isEqual && tokens < fewest-rounding {
			found, most, fewest = s, mean, tokens
		}
	}
	return found
}

// rounding is by how much two ways to add the same scores may differ.
const rounding = 1e-12

func (t *Table) meets(setting int, queries []int, constraints []Constraint) bool {
	for i := range constraints {
		c := &constraints[i]
		value := t.latency(setting, queries)
		if c.Quantity != Latency {
			value = t.mean(setting, c.column(t.Measures), queries)
		}
		if !c.IsMet(value) {
			return false
		}
	}
	return true
}
