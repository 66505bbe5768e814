package evaluation

import (
	"time"

	"github.com/webrag/webrag-tui/store"
)

// EfRecall is what one ef_search brought over a set of queries.
type EfRecall struct {
	EfSearch int
	// Mean and Least are over the queries' recalls, 0 to 1; Worst is the index of
	// the first query with the least.
	Mean, Least float64
	Worst       int
	// Returned are the fewest rows that came back for a query.
	Returned int
	// Took is the mean time of a search.
	Took time.Duration
	// Scans counts the queries whose plan did not use the index.
	Scans int
}

// SumProbes sums up the probes of several queries, which tried the same settings
// in the same order, a row for each setting. Without probes there are none.
func SumProbes(probes []store.Probed) []EfRecall {
	if len(probes) == 0 {
		return nil
	}
	sums := make([]EfRecall, len(probes[0].Points))
	for at := range sums {
		sum := &sums[at]
		for q := range probes {
			point := &probes[q].Points[at]
			if q == 0 || point.Recall < sum.Least {
				sum.Least, sum.Worst = point.Recall, q
			}
			if q == 0 || point.Returned < sum.Returned {
				sum.Returned = point.Returned
			}
			sum.EfSearch = point.EfSearch
			sum.Mean += point.Recall
			sum.Took += point.Took
			if point.Used == "" {
				sum.Scans++
			}
		}
		sum.Mean /= float64(len(probes))
		sum.Took /= time.Duration(len(probes))
	}
	return sums
}

// LeastEf returns the setting with the smallest ef_search whose mean recall is at
// least recall, with every larger one's as well: a graph search is no monotone
// function, and one lucky setting is no recommendation. Nor is one with which the
// planner left the index alone and compared every row. It returns false when no
// setting will do.
func LeastEf(sums []EfRecall, recall float64) (EfRecall, bool) {
	// Sums of the same recalls differ in their last bits by their order.
	const rounding = 1e-9
	var least EfRecall
	found := false
	for i := range sums {
		enough := sums[i].Scans == 0
		for j := range sums {
			if sums[j].EfSearch >= sums[i].EfSearch && sums[j].Mean < recall-rounding {
				enough = false
			}
		}
		if enough && (!found || sums[i].EfSearch < least.EfSearch) {
			least, found = sums[i], true
		}
	}
	return least, found
}
