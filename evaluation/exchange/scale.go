package exchange

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Scale says which grade a rating of another program stands for. It is a list of
// steps, of which the first that holds the rating counts, so that one at the end of two
// steps has the grade of the first.
//
// As text, which people read and edit, a scale is a list of steps with commas between:
//
//	0..0.5=0,0.5..1=3
//	1=1,2=1,3=1,4=1,5=0,-1=0
type Scale []Step

// Step gives ratings from From to To, both included, a grade.
type Step struct {
	From, To float64
	Grade    int // from -127 to 127, as in qrels
}

// CranfieldBinary takes the codes of Cranfield's judgments for relevant or not. They
// are no grades: 1 is a complete answer and 4 of minimum interest, and 5 or, in other
// copies, -1 of none. Taken as they are, they would reward what is of no interest most.
func CranfieldBinary() Scale {
	return Scale{{1, 4, 1}, {5, 5, 0}, {-1, -1, 0}}
}

// ProposeScale makes a scale of the ratings that a file has, for somebody to look at
// and change: their scale is taken to be the smallest of 0 to 1, 3, 4, 5, 10 and 100
// that holds them, and cut into equal parts around the grades from 0 to top (from 1 to
// 127). Ratings that are in none, such as negative ones, have no step: they mean
// something that only people know.
//
// Whole ratings from 0 to 10 become 0..1=0,2..5=1,6..8=2,9..10=3, as round(3·r/10),
// halves down.
func ProposeScale(queries []QueryRatings, top int) Scale {
	most, whole, top := 0.0, true, min(max(top, 1), worst)
	for _, q := range queries {
		for _, r := range q.Ratings {
			most, whole = max(most, r.Value), whole && r.Value == math.Trunc(r.Value)
		}
	}
	for _, known := range []float64{1, 3, 4, 5, 10, 100} {
		if most <= known {
			most = known
			break
		}
	}
	var s Scale
	from := 0.0
	for grade := range top + 1 {
		to := (float64(grade) + .5) / float64(top) * most
		switch {
		case grade == top:
			to = most
		case whole:
			to = math.Floor(to)
		default:
			to = math.Round(to*1000) / 1000
		}
		if to < from {
			continue // fewer ratings than grades
		}
		s = append(s, Step{from, to, grade})
		if from = to; whole {
			from++
		}
	}
	return s
}

// ParseScale reads the text form. Its errors name the step.
func ParseScale(text string) (Scale, error) {
	var s Scale
	for one := range strings.SplitSeq(text, ",") {
		step, err := parseStep(one)
		if err != nil {
			return nil, fmt.Errorf("scale: %.60q: %w", one, err)
		}
		s = append(s, step)
	}
	return s, nil
}

func parseStep(text string) (Step, error) {
	ratings, grade, ok := strings.Cut(text, "=")
	if !ok {
		return Step{}, errors.New("a step is RATING=GRADE or FROM..TO=GRADE, such as 0.5..1=3")
	}
	from, to, ok := strings.Cut(ratings, "..")
	if !ok {
		to = from
	}
	var s Step
	var err error
	if s.From, err = parseRating(from); err != nil {
		return Step{}, err
	}
	if s.To, err = parseRating(to); err != nil {
		return Step{}, err
	}
	if s.From > s.To {
		return Step{}, errors.New("it ends before it begins: turn its ratings round")
	}
	s.Grade, err = gradeOf([]byte(strings.TrimSpace(grade)))
	return s, err
}

// parseRating reads a finite number.
func parseRating(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("the rating %.60q is no finite number: put one in its place", text)
	}
	return v + 0, nil // -0 is 0
}

// String is the form that [ParseScale] reads.
func (s Scale) String() string {
	steps := make([]string, len(s))
	for i, step := range s {
		steps[i] = ratingText(step.From)
		if step.To != step.From {
			steps[i] += ".." + ratingText(step.To)
		}
		steps[i] += "=" + strconv.Itoa(step.Grade)
	}
	return strings.Join(steps, ",")
}

func ratingText(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Grade is the grade of a rating; ok is false if no step holds it.
func (s Scale) Grade(rating float64) (grade int, ok bool) {
	for _, step := range s {
		if step.From <= rating && rating <= step.To {
			return step.Grade, true
		}
	}
	return 0, false
}

// OffScaleError says that ratings are on no step of a scale.
type OffScaleError struct {
	Scale Scale
	// Counts are how often each of the ratings occurs.
	Counts map[float64]int
}

// Error names at most five of the ratings, the most frequent first.
func (e *OffScaleError) Error() string {
	ratings := slices.SortedFunc(maps.Keys(e.Counts), func(a, b float64) int {
		return cmp.Or(cmp.Compare(e.Counts[b], e.Counts[a]), cmp.Compare(a, b))
	})
	total := 0
	for _, n := range e.Counts {
		total += n
	}
	var named []string
	for _, r := range ratings[:min(5, len(ratings))] {
		named = append(named, fmt.Sprintf("%s (%d)", ratingText(r), e.Counts[r]))
	}
	if len(ratings) > len(named) {
		named = append(named, fmt.Sprintf("and %d more", len(ratings)-len(named)))
	}
	return fmt.Sprintf("%d of the ratings are on no step of the scale %s: %s; add steps for them, such as %s=0",
		total, e.Scale, strings.Join(named, ", "), ratingText(ratings[0]))
}

// Qrels are the grades of ratings by the text of the query, not its id, and document
// id. The error is an *[OffScaleError] if a rating is on no step: none of them is used
// then.
func (s Scale) Qrels(queries []QueryRatings) (map[string]map[string]int, error) {
	qrels, off := map[string]map[string]int{}, map[float64]int{}
	for _, q := range queries {
		if qrels[q.Query] == nil && len(q.Ratings) > 0 {
			qrels[q.Query] = make(map[string]int, len(q.Ratings))
		}
		for _, r := range q.Ratings {
			grade, ok := s.Grade(r.Value)
			if !ok {
				off[r.Value]++
				continue
			}
			qrels[q.Query][r.Document] = grade
		}
	}
	return qrels, s.offScale(off, &qrels)
}

// Regrade gives qrels whose numbers are codes or ratings their grades. Its error is
// that of [Scale.Qrels].
func (s Scale) Regrade(codes map[string]map[string]int) (map[string]map[string]int, error) {
	qrels, off := make(map[string]map[string]int, len(codes)), map[float64]int{}
	for query, of := range codes {
		qrels[query] = make(map[string]int, len(of))
		for document, code := range of {
			grade, ok := s.Grade(float64(code))
			if !ok {
				off[float64(code)]++
				continue
			}
			qrels[query][document] = grade
		}
	}
	return qrels, s.offScale(off, &qrels)
}

// offScale is the error about ratings that are on no step, if there are any; there are
// no qrels then.
func (s Scale) offScale(counts map[float64]int, qrels *map[string]map[string]int) error {
	if len(counts) == 0 {
		return nil
	}
	*qrels = nil
	return &OffScaleError{s, counts}
}
