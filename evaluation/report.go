package evaluation

import (
	"maps"
	"slices"
	"strings"
)

// Answer is what came back for one judged query.
type Answer struct {
	// ID names the query, Tags are the groups that it belongs to.
	ID   string
	Tags []string
	// Judged is the ranking with its judgments; a query that was not asked has no grades.
	Judged
	// Missing says that the query was not asked, or that its ranking is not there.
	Missing bool
}

// Options say how a report is made. The zero value is that of most evaluations.
type Options struct {
	// Measures are computed in this order.
	//
	// Defaults to [DefaultMeasures].
	Measures []Measure

	// Tags are the groups that queries belong to, by query id.
	Tags map[string][]string

	// AnsweredOnly takes means over the queries that were answered, as trec_eval does, and not over
	// all that are judged with 0 for a missing one, as it does with -c: of two rankings
	// the one that answers only what is easy would look better.
	AnsweredOnly bool

	// AnswerableOnly leaves out the queries for which nothing is relevant. They count 0 for
	// any ranking.
	AnswerableOnly bool
}

// Report says how good the rankings of many queries are.
type Report struct {
	Measures []Measure
	// Queries are the queries that means are taken over, by id.
	Queries []QueryScores
	// Set is the summary of all queries, Tags has one for each tag, by name.
	Set  Summary
	Tags []Summary
	// Missing are the ids of queries without a ranking, Unanswerable of those for which
	// nothing was judged to be relevant; both in order, and whether they count or not. Unjudged
	// is how many queries have a ranking and no judgments: they never count.
	Missing, Unanswerable []string
	Unjudged              int
}

// QueryScores are the measures of one query.
type QueryScores struct {
	ID   string
	Tags []string
	// Scores has a value for each measure of the report, and Judged the value of its
	// [Measure.Judged].
	Scores, Judged []float64
	// Returned is how many results there were.
	Returned int
}

// Summary are the means over some queries.
type Summary struct {
	// Tag is what they have in common, empty for all of the set.
	Tag string
	// Queries is their number, and Returned that of those with any result.
	Queries, Returned int
	// Scores has for each measure of the report the mean with its 95 % bootstrap interval.
	Scores []Interval
	// Judged has for each measure the mean of its [Measure.Judged], over the queries that
	// returned something: the share of nothing says nothing about how much is judged. It
	// is 0 if there are none. Judged@k as a measure of the report is taken so, too.
	Judged []float64
}

// Evaluate measures a run by judgments, which are grades by query id and document id: every query
// that has judgments counts, see [Options]. A document that is twice in a ranking is a
// [TwiceError].
func Evaluate(judgments map[string]map[string]int, run Run, o Options) (*Report, error) {
	answers := make([]Answer, 0, len(judgments))
	for _, id := range slices.Sorted(maps.Keys(judgments)) {
		ranking, ok := run[id]
		if err := checkTwice(id, ranking); err != nil {
			return nil, err
		}
		answers = append(answers, Answer{
			ID: id, Tags: o.Tags[id], Missing: !ok,
			Judged: Judged{Grades: Grades(ranking, judgments[id]), Pool: NewPool(slices.Collect(maps.Values(judgments[id])))},
		})
	}
	r := Measured(answers, o)
	for id := range run {
		if _, ok := judgments[id]; !ok {
			r.Unjudged++
		}
	}
	return r, nil
}

// Measured measures answers whose grades are known already, each query once. Their own
// tags count, not those of the options.
func Measured(answers []Answer, o Options) *Report {
	r := &Report{Measures: o.Measures}
	if len(r.Measures) == 0 {
		r.Measures = DefaultMeasures()
	}
	for i := range answers {
		a := &answers[i]
		unanswerable := a.Pool.Relevant(defaultRel) == 0
		if a.Missing {
			r.Missing = append(r.Missing, a.ID)
		}
		if unanswerable {
			r.Unanswerable = append(r.Unanswerable, a.ID)
		}
		if !(a.Missing && o.AnsweredOnly) && !(unanswerable && o.AnswerableOnly) {
			r.Queries = append(r.Queries, r.measure(a))
		}
	}
	slices.Sort(r.Missing)
	slices.Sort(r.Unanswerable)
	slices.SortFunc(r.Queries, func(a, b QueryScores) int { return strings.Compare(a.ID, b.ID) })
	r.summarise()
	return r
}

func (r *Report) measure(a *Answer) QueryScores {
	q := QueryScores{ID: a.ID, Tags: a.Tags, Returned: len(a.Grades)}
	for _, m := range r.Measures {
		q.Scores = append(q.Scores, m.Of(a.Judged))
		q.Judged = append(q.Judged, m.Judged().Of(a.Judged))
	}
	return q
}

func (r *Report) summarise() {
	all := make([]int, len(r.Queries))
	byTag := map[string][]int{}
	for i := range r.Queries {
		all[i] = i
		for _, tag := range r.Queries[i].Tags {
			if of := byTag[tag]; len(of) == 0 || of[len(of)-1] != i { // a tag may be given twice
				byTag[tag] = append(of, i)
			}
		}
	}
	r.Set = r.summary("", all)
	for _, tag := range slices.Sorted(maps.Keys(byTag)) {
		r.Tags = append(r.Tags, r.summary(tag, byTag[tag]))
	}
}

// intervalSeed makes the intervals of equal reports equal.
const intervalSeed = 1

func (r *Report) summary(tag string, queries []int) Summary {
	s := Summary{Tag: tag, Queries: len(queries)}
	for _, q := range queries {
		s.Returned += min(1, r.Queries[q].Returned)
	}
	for i, m := range r.Measures {
		var scores []float64
		judged := 0.0
		for _, q := range queries {
			one := &r.Queries[q]
			judged += one.Judged[i]
			if one.Returned > 0 || m.kind != judgedRate {
				scores = append(scores, one.Scores[i])
			}
		}
		s.Scores = append(s.Scores, Bootstrap(scores, intervalSeed))
		s.Judged = append(s.Judged, over(judged, s.Returned))
	}
	return s
}

// Coverage says whether enough of what was returned was judged for a measure to be believed.
type Coverage string

// The coverages. An unjudged result counts as bad, so that a ranking which brings
// new things looks worse than it may be.
const (
	// Covered: measures can be believed.
	Covered Coverage = "covered"
	// CoverageSparse: on some side less than [LeastJudged] of the results are judged.
	CoverageSparse Coverage = "sparse"
	// CoverageUneven: the sides are further apart than [MostUneven].
	CoverageUneven Coverage = "uneven"
)

// What is needed for [Covered].
const (
	LeastJudged = .8
	MostUneven  = .1
)

// CoverageOf judges the judged rates of one ranking, or of all that are compared, as
// [Summary] has them. Both bounds are still covered.
func CoverageOf(rates ...float64) Coverage {
	const rounding = 1e-9
	switch {
	case len(rates) == 0:
		return Covered
	case slices.Min(rates) < LeastJudged-rounding:
		return CoverageSparse
	case slices.Max(rates)-slices.Min(rates) > MostUneven+rounding:
		return CoverageUneven
	default:
		return Covered
	}
}
