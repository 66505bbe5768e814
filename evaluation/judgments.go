package evaluation

import (
	"math"
	"slices"
)

// Unjudged is the grade of a result that nobody judged. In measures it counts as a grade of 0, but
// for Judged@k. Every other negative grade is the same to them, as in trec_eval.
const Unjudged = -1

// Judged is the ranking of one query as its judgments see it, which is all that a measure is made
// of.
type Judged struct {
	// Grades are those of the results from rank 1 on, [Unjudged] for what was not judged.
	Grades []int
	// Pool is all that was judged, returned or not; nil is nothing.
	Pool *Pool
}

// Pool is what was judged for a query, made ready once for any number of rankings. It does
// not change, and several goroutines may use it.
type Pool struct {
	grades []int // those above 0, the best first
	// linear and exponential are the DCG of the ideal ranking by its depth, from 0 to the
	// number of grades.
	linear, exponential []float64
}

// NewPool prepares the grades of all that was judged for a query, in any order.
func NewPool(grades []int) *Pool {
	p := &Pool{linear: []float64{0}, exponential: []float64{0}}
	for _, g := range grades {
		if g > 0 {
			p.grades = append(p.grades, g)
		}
	}
	slices.SortFunc(p.grades, func(a, b int) int { return b - a })
	for i, g := range p.grades {
		p.linear = append(p.linear, p.linear[i]+gain(g, false)/discount(i))
		p.exponential = append(p.exponential, p.exponential[i]+gain(g, true)/discount(i))
	}
	return p
}

// Relevant counts the documents with a grade of at least level, which is positive.
func (p *Pool) Relevant(level int) int {
	if p == nil {
		return 0
	}
	n, _ := slices.BinarySearchFunc(p.grades, level, func(grade, level int) int {
		if grade >= level {
			return -1
		}
		return 1
	})
	return n
}

// ideal is the DCG of the best ranking there is, at depth k, or 0 for its whole.
func (p *Pool) ideal(exponential bool, k int) float64 {
	if p == nil {
		return 0
	}
	by := p.linear
	if exponential {
		by = p.exponential
	}
	if k == 0 || k >= len(by) {
		k = len(by) - 1
	}
	return by[k]
}

// gain is what a result with a positive grade brings. Files have none above 127, and higher
// ones count as that.
func gain(grade int, exponential bool) float64 {
	grade = min(grade, mostGrade)
	if exponential {
		return math.Ldexp(1, grade) - 1
	}
	return float64(grade)
}

// discounts are the logarithms that a gain is divided by, for ranks that are ever cut at.
var discounts = func() (list [MostDepth]float64) {
	for i := range list {
		list[i] = math.Log2(float64(i + 2))
	}
	return list
}()

// discount is log2(rank + 1) for the place i from 0.
func discount(i int) float64 {
	if i < len(discounts) {
		return discounts[i]
	}
	return math.Log2(float64(i + 2))
}
