package sweep

import (
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// Note says in one line how the winner was chosen, on what, and what it is worth: what a
// profile keeps of it. set and from are the names of the query set and of what the
// base is called.
//
//	chosen by a sweep of top_k (20 settings, grid, seed 1) on the query set docs (60 queries):
//	nDCG@10 .640, and .612 on queries that did not choose it, against .571 of blend: better on both halves
func (f *Finding) Note(set, from string) string {
	fields := make([]string, len(f.Plan.Axes))
	for i, a := range f.Plan.Axes {
		fields[i] = a.Field
	}
	within := ""
	if len(f.Plan.Constraints) > 0 {
		list := make([]string, len(f.Plan.Constraints))
		for i, c := range f.Plan.Constraints {
			list[i] = c.String()
		}
		within = " within " + strings.Join(list, ", ")
	}
	return fmt.Sprintf("chosen by a sweep of %s (%s, %s, seed %d) on the query set %s (%s)%s: %s %s, and %s on queries that did not choose it, against %s of %s: %s",
		strings.Join(fields, ", "), phrase.Counted(len(f.Settings), "setting"), f.Plan.Search, f.Plan.Seed, set, countQueries(len(f.IDs)), within,
		f.Plan.Measure, phrase.Short(f.OnAll.Mean), phrase.Short(f.Held.Mean), phrase.Short(f.OnAll.Base), from, f.VerdictWords())
}

// VerdictWords are the verdict, and why there is none where that is so.
func (f *Finding) VerdictWords() string {
	switch f.Verdict {
	case evaluation.VerdictFew:
		return fmt.Sprintf("no verdict with %s, it takes %d", countQueries(len(f.IDs)), evaluation.LeastQueries)
	case evaluation.VerdictUnjudged:
		return "no verdict, too little of what comes back is judged"
	case evaluation.VerdictBetter:
		return "better on both halves, each by what the other one chose"
	case evaluation.VerdictWorse:
		return "worse on both halves, each by what the other one chose"
	case evaluation.VerdictNone:
	}
	a, b := f.Halves[0].Held.direction(), f.Halves[1].Held.direction()
	if a+b > 0 {
		return "no difference that holds: better beyond chance on one half of the queries only"
	}
	return "no difference beyond chance on queries that did not choose it"
}
