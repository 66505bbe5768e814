package evaluation

import (
	"cmp"
	"math"
	"slices"

	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// Paired compares two rankings, a and b, of the same queries by one measure.
type Paired struct {
	Measure Measure
	// Queries are those that both have, by id. Unpaired are how many only one has, which count
	// in nothing below.
	Queries  []PairedQuery
	Unpaired int
	// Difference is the mean of a − b with its 95 % bootstrap interval.
	Difference Interval
	// Wins, Ties and Losses count queries for which a is better, as good and worse.
	Wins, Ties, Losses int
	Tests
	// Adjusted is the p by which [Paired.Verdict] goes: that of the randomisation, or what
	// [AdjustHolm] made of it.
	Adjusted float64
	// AdjustedStudent is the p of the t test, or what [AdjustHolm] made of it: it stands beside
	// the other, and decides nothing.
	AdjustedStudent float64
	// JudgedA and JudgedB are the judged rates of both.
	JudgedA, JudgedB float64
}

// PairedQuery are the scores of one query.
type PairedQuery struct {
	ID         string
	Tags       []string
	A, B       float64
	Difference float64 // A − B
}

// Compare pairs the queries of two reports and compares them by the measure at an index, which is
// the same one in both.
func Compare(a, b *Report, measure int) *Paired {
	p := &Paired{Measure: a.Measures[measure], JudgedA: a.Set.Judged[measure], JudgedB: b.Set.Judged[measure]}
	other := make(map[string]*QueryScores, len(b.Queries))
	for i := range b.Queries {
		other[b.Queries[i].ID] = &b.Queries[i]
	}
	var differences []float64
	for i := range a.Queries {
		qa := &a.Queries[i]
		qb, ok := other[qa.ID]
		if !ok {
			continue
		}
		q := PairedQuery{ID: qa.ID, Tags: qa.Tags, A: qa.Scores[measure], B: qb.Scores[measure]}
		q.Difference = q.A - q.B
		p.Queries = append(p.Queries, q)
		differences = append(differences, q.Difference)
		switch {
		case math.Abs(q.Difference) <= rounding:
			p.Ties++
		case q.Difference > 0:
			p.Wins++
		default:
			p.Losses++
		}
	}
	p.Unpaired = len(a.Queries) + len(b.Queries) - 2*len(p.Queries)
	p.Difference = Bootstrap(differences, intervalSeed)
	p.Tests = Test(differences, intervalSeed)
	p.Adjusted, p.AdjustedStudent = p.Randomisation, p.StudentP
	return p
}

// AdjustHolm sets what [Paired.Verdict] goes by for several comparisons that are looked at
// together: the best of many is good by chance more often than one.
func AdjustHolm(all []*Paired) {
	flips, students := make([]float64, len(all)), make([]float64, len(all))
	for i, p := range all {
		flips[i], students[i] = p.Randomisation, p.StudentP
	}
	flips, students = Holm(flips), Holm(students)
	for i, p := range all {
		p.Adjusted, p.AdjustedStudent = flips[i], students[i]
	}
}

// Verdict says whether a difference is real.
type Verdict string

// The verdicts, of which the first that holds counts.
const (
	// VerdictFew: there are fewer than [LeastQueries], and only the numbers stand.
	VerdictFew Verdict = "too_few_queries"
	// VerdictUnjudged: too little was judged, or of one side less than of the other, see
	// [CoverageOf].
	VerdictUnjudged Verdict = "too_little_judged"
	// VerdictNone: chance makes such a difference often enough.
	VerdictNone Verdict = "no_difference"
	// VerdictBetter and VerdictWorse: a is, and chance makes that of it in fewer than one of
	// twenty cases.
	VerdictBetter Verdict = "better"
	VerdictWorse  Verdict = "worse"
)

// Words are a verdict as reports have it.
func (v Verdict) Words() phrase.Words {
	return map[Verdict]phrase.Words{
		VerdictFew: phrase.VerdictOfFew, VerdictUnjudged: phrase.VerdictOfUnjudged, VerdictNone: phrase.VerdictOfChance,
		VerdictBetter: phrase.VerdictBetter, VerdictWorse: phrase.VerdictWorse,
	}[v]
}

// What a verdict needs.
const (
	LeastQueries = 20
	// MostChance is the p from which on a difference is not called real.
	MostChance = .05
)

// Verdict is the one place that decides whether a is better than b.
func (p *Paired) Verdict() Verdict {
	switch {
	case len(p.Queries) < LeastQueries:
		return VerdictFew
	case CoverageOf(p.JudgedA, p.JudgedB) != Covered:
		return VerdictUnjudged
	case !(p.Adjusted < MostChance):
		return VerdictNone
	case p.Difference.Mean > 0:
		return VerdictBetter
	default:
		return VerdictWorse
	}
}

// Holm adjusts the p of several tests so that the chance of being wrong in any of them stays
// what it is for one: the smallest times their number, the next times one less, and so
// on, none below the one before and none above 1. They stay in their order.
//
// Holm, A Simple Sequentially Rejective Multiple Test Procedure (1979).
func Holm(ps []float64) []float64 {
	order := make([]int, len(ps))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(ps[i], ps[j]) })
	adjusted, least := make([]float64, len(ps)), 0.0
	for done, i := range order {
		least = max(least, min(1, ps[i]*float64(len(ps)-done)))
		adjusted[i] = least
	}
	return adjusted
}
