package whynot

import (
	"errors"
	"iter"
	"math"
	"slices"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// Breakpoints are what moving one parameter along its track would change of a ranking, the
// others staying as they are.
type Breakpoints struct {
	Field string
	// Points are where the ranking changes, in the order of the track.
	Points []Breakpoint
	// Unknown are the parts of the track that the evidence does not reach; there,
	// breakpoints are not known.
	Unknown []Stretch
	// Complete reports that all of the track was looked at. Otherwise it was
	// stopped, and what is nearest to the present value is known.
	Complete bool
	// Rankings is how many were made.
	Rankings int

	spec *param.Spec // nil until it is needed
}

// Next is the breakpoint that comes next from a value, up the track or down, and the
// value at which the ranking is another one; false when there is none.
func (t *Breakpoints) Next(value string, up bool) (next Breakpoint, at string, ok bool) {
	for i := range t.Points {
		b := &t.Points[i]
		at, sign := b.Above, 1
		if !up {
			b = &t.Points[len(t.Points)-1-i]
			at, sign = b.Below, -1
		}
		if sign*t.order(at, value) > 0 {
			return *b, at, true
		}
	}
	return Breakpoint{}, "", false
}

// order orders two values as the track does. Of what has no order, a value that
// the track has not stands before all others.
func (t *Breakpoints) order(a, b string) int {
	if t.spec == nil {
		spec, _ := param.SpecOf(t.Field)
		t.spec = &spec
	}
	if t.spec.Ordered() {
		return t.spec.Order(a, b)
	}
	values := t.spec.Positions()
	return slices.Index(values, a) - slices.Index(values, b)
}

// Stretch is a part of a track, between values as [param.Params.Set] reads them.
type Stretch struct{ From, To, Why string }

// FindBreakpoints finds the values of a field at which the items or their order
// change, from the present value outwards in both directions. It fetches nothing,
// but ranks some hundred times: stop, which may be nil, is asked before each ranking
// and ends it.
//
// Whole numbers are looked at one by one where there are at most a thousand, words
// and switches one by one. Other numbers are looked at in the steps of
// [param.Spec.Positions]: where the rankings at two neighbouring steps differ, the
// breakpoints between them are found to three decimals, or to one whole number. A
// change that is undone within one step is overlooked.
func FindBreakpoints(ev retrieval.Evidence, p param.Params, field string, stop func() bool) Breakpoints {
	return breakpoints(&ev, p, field, 0, stop)
}

// CoarseBreakpoints is [FindBreakpoints] without looking between steps, and at no
// more steps than most: enough to draw a track with.
func CoarseBreakpoints(ev retrieval.Evidence, p param.Params, field string, most int, stop func() bool) Breakpoints {
	return breakpoints(&ev, p, field, max(1, most), stop)
}

// breakpoints looks at no more steps than most, where that is not 0.
func breakpoints(ev *retrieval.Evidence, p param.Params, field string, most int, stop func() bool) Breakpoints {
	s, ok := param.SpecOf(field)
	if !ok {
		return Breakpoints{Field: field, Complete: true}
	}
	t := newBreakpointSearch(ev, p, &s, stop)
	if most > 0 {
		t.middle = func(string, string) (string, bool) { return "", false }
		if s.Ordered() {
			t.thin(most)
		}
	}
	t.same = func(a, b retrieval.Order) bool {
		return slices.Equal(a.Listed, b.Listed) && slices.Equal(a.Ranked, b.Ranked)
	}
	found := Breakpoints{Field: field, spec: &s}
	for c := range t.crossings() {
		for c := range t.narrow(c) {
			below, above := c.from, c.to
			if c.side == 0 {
				below, above = above, below
			}
			b := Breakpoint{Below: below.at, Above: above.at}
			b.compare(ev, below.is.Ranked, above.is.Ranked)
			found.Points = append(found.Points, b)
		}
	}
	slices.SortStableFunc(found.Points, func(a, b Breakpoint) int { return found.order(a.Above, b.Above) })
	found.Unknown, found.Complete, found.Rankings = t.unknown(), t.err == nil, t.rankings
	return found
}

// breakpointSearch looks along a parameter's track: it has the order of a ranking at
// each of the values that were looked at.
type breakpointSearch struct {
	axis[string, retrieval.Order]
	p    param.Params
	spec *param.Spec
	// values are those to look at, in the order of the track, with the present one
	// at at.
	values []string
	at     int
	// done are the sides, down and up, that are not looked at any further.
	done [2]bool
	// beyond is why the evidence does not reach values that were looked at.
	beyond   map[string]string
	rankings int
}

var errStopped = errors.New("stopped")

func newBreakpointSearch(ev *retrieval.Evidence, p param.Params, s *param.Spec, stop func() bool) *breakpointSearch {
	t := &breakpointSearch{p: p, spec: s, beyond: map[string]string{}}
	t.middle = t.between
	var scratch retrieval.Scratch
	t.look = func(value string) (o retrieval.Order, known bool, err error) {
		if stop != nil && stop() {
			return o, false, errStopped
		}
		t.rankings++
		p := t.p
		if err := s.Set(&p, value); err != nil {
			o.Beyond = err.Error()
		} else {
			o = scratch.Order(ev, p)
		}
		if o.Beyond != "" {
			t.beyond[value] = o.Beyond
		}
		return o, o.Beyond == "", nil
	}
	t.values = s.Positions()
	if s.Kind == param.KindInt && s.High-s.Low <= param.MostRows {
		high := s.High
		if s.CountsRows {
			high = max(s.Low, min(high, float64(s.MostCounted(&p, ev.Chunks()+1))))
		}
		var whole []float64
		for v := s.Low; v <= high; v++ {
			whole = append(whole, v)
		}
		t.values = s.Numbers(whole)
	}
	t.addPresent()
	return t
}

// addPresent finds the place of the present value, which need be on no step.
func (t *breakpointSearch) addPresent() {
	present := t.spec.Get(&t.p)
	at, on := t.spec.Find(t.values, present)
	if t.at = at; !on {
		t.values = slices.Insert(t.values, at, present)
	}
}

// thin leaves out values: the steps of a track at even distances on it, its ends
// and the present value stay.
func (t *breakpointSearch) thin(most int) {
	s, present := t.spec, t.values[t.at]
	places := make([]string, 0, most+2)
	for i := range most + 1 {
		places = append(places, s.At(float64(i)/float64(most)))
	}
	if special, end := s.Special(); end != 0 {
		places = append(places, special)
	}
	t.values = slices.DeleteFunc(s.Positions(), func(v string) bool { return v != present && !slices.Contains(places, v) })
	t.addPresent()
}

// crossings looks at the values from the present one outwards, on sides that are not
// done.
func (t *breakpointSearch) crossings() iter.Seq[crossing[string, retrieval.Order]] {
	present, ok := t.see(t.values[t.at])
	return t.outwards(present, func(yield func(int, string) bool) {
		for by := 1; ok && by < len(t.values); by++ {
			for side, i := range [2]int{t.at - by, t.at + by} {
				if !t.done[side] && i >= 0 && i < len(t.values) && !yield(side, t.values[i]) {
					return
				}
			}
		}
	})
}

// unknown are the parts of the track that the evidence does not reach.
func (t *breakpointSearch) unknown() (list []Stretch) {
	for i, value := range t.values {
		why, n := t.beyond[value], len(list)
		switch {
		case why == "":
		case n > 0 && list[n-1].Why == why && list[n-1].To == t.values[i-1]:
			list[n-1].To = value
		default:
			list = append(list, Stretch{value, value, why})
		}
	}
	return list
}

// between is a value halfway between two others, as finely as breakpoints are
// looked for.
func (t *breakpointSearch) between(a, b string) (string, bool) {
	if !t.spec.Ordered() {
		return "", false
	}
	low, high := t.spec.Position(a), t.spec.Position(b)
	if low > high {
		low, high = high, low
	}
	if math.IsInf(low, 0) || math.IsInf(high, 0) {
		return "", false
	}
	perOne := t.spec.PerOne()
	first, last := math.Floor(low*perOne+nearlyNothing)+1, math.Ceil(high*perOne-nearlyNothing)-1
	if first > last {
		return "", false
	}
	return param.NumberOf(t.spec, math.Floor((first+last)/2)/perOne), true
}

// nearlyNothing is less than any difference of two values counted in thousandths.
const nearlyNothing = 1e-9
