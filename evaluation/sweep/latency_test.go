package sweep

import (
	"testing"
)

// The latency of a setting is the median over the queries: of 1, 9, 2 and 30 ms it is
// (2 + 9) / 2 = 5.5, and of the first three 2. Times alone tell no setting from another.
func TestLatencyIsTheMedian(t *testing.T) {
	table := &Table{IDs: []string{"a", "b", "c", "d"}, timed: true}
	for _, took := range [][]float64{{1, 9, 2, 30}, {5, 5, 5, 5}} {
		row := make([]float64, 0, len(took)*table.columns())
		for _, ms := range took {
			row = append(row, 3, 100, ms) // results, tokens, time
		}
		table.rows = append(table.rows, row)
	}
	if all, some := table.latency(0, table.everyone()), table.latency(0, []int{0, 1, 2}); all != 5.5 || some != 2 {
		t.Errorf("the latencies are %v and %v", all, some)
	}
	if !table.isSame(0, 1) {
		t.Error("settings that differ in time alone are told from each other")
	}
	for text, want := range map[string]bool{"latency<=5.5ms": true, "latency<=5ms": false, "latency>=5ms": true} {
		c, err := ParseConstraint(text)
		if err != nil || table.meets(0, table.everyone(), []Constraint{c}) != want {
			t.Errorf("%s is met: %v, %v", text, !want, err)
		}
	}
}
