package sweep

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// Search is how settings are chosen to be tried.
type Search string

const (
	// Grid tries every combination.
	Grid Search = "grid"
	// Random tries combinations drawn at random, each at most once.
	Random Search = "random"
	// Coordinate moves one parameter at a time to its best value, the others staying, until
	// none moves any more: once by each half of the queries alone, so that what is held
	// out leads nowhere, and once by all. It can end beside a better setting that
	// takes two moves at once.
	Coordinate Search = "coordinate"
)

// DefaultMost is how many settings are tried where nothing else is said.
const DefaultMost = 2000

// mostRankings bounds a sweep, settings times queries, and with it the memory of its numbers.
const mostRankings = 10_000_000

// Plan is what a sweep tries.
type Plan struct {
	// Base are the parameters that stay where no axis has them. As they are they are
	// always tried, and all else is compared with them.
	Base param.Params
	// Axes have the values, see [ParseAxis]. Each parameter has one.
	Axes evaluation.Grid
	// Measure is what is to be high.
	//
	// Defaults to nDCG@10.
	Measure evaluation.Measure
	// Constraints say which settings may be chosen. All are tried.
	Constraints []Constraint
	// Search is how settings are chosen.
	//
	// Defaults to [Grid], or to [Random] where there are more combinations than Most.
	Search Search
	// Most is the most settings that are tried beside Base.
	//
	// Defaults to [DefaultMost].
	Most int
	// Seed decides which queries are in which half, and what is drawn at random. The same
	// seed gives the same finding.
	Seed uint64
}

// countQueries is such as "1 query" and "20 queries".
func countQueries(n int) string {
	if n == 1 {
		return "1 query"
	}
	return strconv.Itoa(n) + " queries"
}

// Setting is a combination.
type Setting struct {
	// Values has one for each axis.
	Values []string
	Params param.Params
}

// key tells settings of one plan from each other.
func key(values []string) string { return strings.Join(values, "\x1f") }

// complete fills in what is left open and says what cannot be.
func (p *Plan) complete(queries int) error {
	if p.Measure.String() == "" {
		p.Measure = evaluation.MustMeasure("nDCG@10")
	}
	if p.Most == 0 {
		p.Most = DefaultMost
	}
	if len(p.Axes) == 0 {
		return errors.New("a sweep needs a parameter to move: --over " + param.FieldTopK + "=3..20")
	}
	for i, a := range p.Axes {
		if slices.ContainsFunc(p.Axes[:i], func(b evaluation.Axis) bool { return b.Field == a.Field }) {
			return fmt.Errorf("%s is swept twice; give all of its values at once, as in %s=A,B", a.Field, a.Field)
		}
		if len(a.Values) == 0 {
			return fmt.Errorf("%s has no values to try", a.Field)
		}
	}
	n := p.Combinations()
	if p.Search == "" {
		p.Search = Grid
		if n > float64(p.Most) {
			p.Search = Random
		}
	}
	switch {
	case p.Search != Grid && p.Search != Random && p.Search != Coordinate:
		return fmt.Errorf("%q is no way to search: %s, %s or %s", p.Search, Grid, Random, Coordinate)
	case p.Most < 1:
		return fmt.Errorf("a sweep tries at least 1 setting, and %d were allowed", p.Most)
	case p.Search == Grid && n > float64(p.Most):
		return fmt.Errorf("a grid of %s combinations is more than the %d that may be tried: allow more (--tries), take fewer values, or search otherwise (%s, %s)",
			countCombinations(n), p.Most, Random, Coordinate)
	case float64(queries)*min(n, float64(p.Most)) > mostRankings:
		return fmt.Errorf("%s settings for %s are more than %d rankings; take fewer values, or fewer --tries",
			phrase.Number(min(n, float64(p.Most))), countQueries(queries), mostRankings)
	}
	if p.Base.Waits() {
		return errors.New("the parameters wait on a server for each ranking, and a sweep makes many; switch that off: --set " + param.FieldReranker + "=" + string(param.RerankerNone))
	}
	_, err := p.setting(p.start())
	return err
}

// IsTimed reports that rankings are timed: a constraint bounds how long they take.
func (p *Plan) IsTimed() bool {
	return slices.ContainsFunc(p.Constraints, func(c Constraint) bool { return c.Quantity == Latency })
}

// Combinations is how many the axes have.
func (p *Plan) Combinations() float64 {
	n := 1.0
	for _, a := range p.Axes {
		n *= float64(len(a.Values))
	}
	return n
}

// start are the values of Base.
func (p *Plan) start() []string {
	values := make([]string, len(p.Axes))
	for i, a := range p.Axes {
		values[i] = p.Base.Get(a.Field)
	}
	return values
}

// setting is Base with values.
func (p *Plan) setting(values []string) (Setting, error) {
	s := Setting{values, p.Base}
	for i, a := range p.Axes {
		if err := s.Params.Set(a.Field, values[i]); err != nil {
			return s, fmt.Errorf("sweep: %w", err)
		}
	}
	return s, nil
}

// mostNumbered is up to how many combinations are numbered: a float holds each number exactly.
const mostNumbered = 1 << 53

// at are the values of a combination, by its number: the last axis varies fastest.
func (p *Plan) at(number int) []string {
	values := make([]string, len(p.Axes))
	for i := len(p.Axes) - 1; i >= 0; i-- {
		list := p.Axes[i].Values
		values[i] = list[number%len(list)]
		number /= len(list)
	}
	return values
}

// drawn are the settings of a grid or of a random search, Base first.
func (p *Plan) drawn() ([]Setting, error) {
	var combinations [][]string
	switch n := p.Combinations(); {
	case n <= float64(p.Most):
		for i := range int(n) {
			combinations = append(combinations, p.at(i))
		}
	case n <= mostNumbered:
		for _, number := range p.draw(int64(n)) {
			combinations = append(combinations, p.at(number))
		}
	default:
		combinations = p.drawEach()
	}
	list := make([]Setting, 0, len(combinations)+1)
	base := p.start()
	for i := -1; i < len(combinations); i++ {
		values := base
		if i >= 0 {
			if values = combinations[i]; key(values) == key(base) {
				continue
			}
		}
		s, err := p.setting(values)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// draw draws Most numbers below n, which is more, in ascending order (Floyd's way of sampling:
// Bentley and Floyd, A Sample of Brilliance, 1987).
func (p *Plan) draw(n int64) []int {
	rng := rand.New(rand.NewPCG(p.Seed, 2))
	taken := make(map[int64]bool, p.Most)
	numbers := make([]int, 0, p.Most)
	for top := n - int64(p.Most); top < n; top++ {
		number := rng.Int64N(top + 1)
		if taken[number] {
			number = top
		}
		taken[number] = true
		numbers = append(numbers, int(number))
	}
	slices.Sort(numbers)
	return numbers
}

// drawEach draws Most combinations where there are too many to be numbered: a value of each
// axis by itself. Of so many hardly any is drawn twice; those are drawn again.
func (p *Plan) drawEach() [][]string {
	rng := rand.New(rand.NewPCG(p.Seed, 3))
	taken := make(map[string]bool, p.Most)
	list := make([][]string, 0, p.Most)
	for len(list) < p.Most {
		values := make([]string, len(p.Axes))
		for i := range p.Axes {
			values[i] = p.Axes[i].Values[rng.IntN(len(p.Axes[i].Values))]
		}
		if !taken[key(values)] {
			taken[key(values)] = true
			list = append(list, values)
		}
	}
	return list
}

// countCombinations is such as "66" and "10^32", of which nobody counts the digits.
func countCombinations(n float64) string {
	if n < 1e9 {
		return phrase.Number(n)
	}
	return fmt.Sprintf("10^%.0f", math.Floor(math.Log10(n)))
}
