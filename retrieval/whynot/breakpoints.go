package whynot

import (
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
	Points []Breakpoint `json:"Turns"` // as recordings have it
	// Unknown are the parts of the track that the evidence does not reach; there,
	// breakpoints are not known.
	Unknown []Stretch `json:"Asks"`
	// Complete reports that all of the track was looked at. Otherwise it was
	// stopped, and what is nearest to the present value is known.
	Complete bool
	// Rankings is how many were made.
	Rankings int

	// spec and values order the values.
	spec   *param.Spec
	values []string
}

// Next is the turn that comes next from a value, up the track or down, and the
// value at which the ranking is another one; false when there is none.
func (t *Breakpoints) Next(value string, up bool) (turn Breakpoint, at string, ok bool) {
	if up {
		for i := range t.Points {
			if t.order(t.Points[i].Above, value) > 0 {
				return t.Points[i], t.Points[i].Above, true
			}
		}
		return Breakpoint{}, "", false
	}
	for i := len(t.Points) - 1; i >= 0; i-- {
		if t.order(t.Points[i].Below, value) < 0 {
			return t.Points[i], t.Points[i].Below, true
		}
	}
	return Breakpoint{}, "", false
}

// RestoredBreakpoints were written down and read again: exported fields as they
// are, with the order of its field's values.
func RestoredBreakpoints(t Breakpoints) Breakpoints {
	spec, _ := param.SpecOf(t.Field)
	t.spec, t.values = &spec, nil
	if spec.Kind != "" {
		t.values = spec.Positions()
	}
	return t
}

// order orders two values as the track does. Of what has no order, a value that
// the track has not stands before all others.
func (t *Breakpoints) order(a, b string) int {
	if t.spec.Ordered() {
		return t.spec.Order(a, b)
	}
	return slices.Index(t.values, a) - slices.Index(t.values, b)
}

// Stretch is a part of a track, between values as [param.Params.Set] reads them.
type Stretch struct{ From, To, Why string }

// FindBreakpoints finds the values of a field at which the items or their order change,
// from the present value outwards in both directions. It asks nobody and does not
// wait, but ranks some hundred times: stop, which may be nil, is asked before each
// ranking and ends it.
//
// Whole numbers are looked at one by one where there are at most a thousand, words
// and switches one by one. Other numbers are looked at in the steps of
// [param.Spec.Positions]: where the rankings at two neighbouring steps differ, the turns
// between them are found to three decimals, or to one whole number. A change that
// is undone within one step is overlooked.
func FindBreakpoints(ev retrieval.Evidence, p param.Params, field string, stop func() bool) Breakpoints {
	s, ok := param.SpecOf(field)
	if !ok {
		return Breakpoints{Field: field, Complete: true}
	}
	return turns(newScan(&ev, p, &s, stop))
}

// CoarseBreakpoints is [FindBreakpoints] without looking between steps, and at no more steps than most:
// enough to draw a track with.
func CoarseBreakpoints(ev retrieval.Evidence, p param.Params, field string, most int, stop func() bool) Breakpoints {
	s, ok := param.SpecOf(field)
	if !ok {
		return Breakpoints{Field: field, Complete: true}
	}
	sc := newScan(&ev, p, &s, stop)
	sc.coarse = true
	if s.Ordered() {
		sc.thin(max(1, most))
	}
	return turns(sc)
}

// turns are all changes of a scan.
func turns(sc *scan) Breakpoints {
	sc.same = func(a, b *sample) bool { return slices.Equal(a.Listed, b.Listed) && slices.Equal(a.Ranked, b.Ranked) }
	sc.found = func(below, above *sample) bool {
		sc.track.Points = append(sc.track.Points, sc.turn(below, above))
		return false
	}
	sc.run()
	t := &sc.track
	t.values = sc.values
	slices.SortStableFunc(t.Points, func(a, b Breakpoint) int { return t.order(a.Above, b.Above) })
	slices.SortStableFunc(t.Unknown, func(a, b Stretch) int { return t.order(a.From, b.From) })
	return *t
}

// sample is the ranking at one value of the parameter.
type sample struct {
	value string
	retrieval.Order
}

// scan looks along a parameter's track.
type scan struct {
	ev   *retrieval.Evidence
	p    param.Params
	spec *param.Spec
	stop func() bool
	// same says what counts as no change, found takes a change and says whether
	// the direction in which it was found is done with.
	same  func(a, b *sample) bool
	found func(below, above *sample) bool

	values  []string
	at      int // the present value among the points
	coarse  bool
	stopped bool
	track   Breakpoints
}

func newScan(ev *retrieval.Evidence, p param.Params, s *param.Spec, stop func() bool) *scan {
	sc := &scan{ev: ev, p: p, spec: s, stop: stop, track: Breakpoints{Field: s.Field, Complete: true, spec: s}}
	sc.values, sc.at = sc.grid()
	sc.track.values = sc.values
	return sc
}

// thin leaves out points: the steps of a track at even distances on it, its ends
// and the present value stay.
func (sc *scan) thin(most int) {
	s, all := sc.spec, sc.spec.Positions()
	places := make([]string, 0, most+2)
	for i := range most + 1 {
		places = append(places, s.At(float64(i)/float64(most)))
	}
	if special, end := s.Special(); end != 0 {
		places = append(places, special)
	}
	present := s.Get(&sc.p)
	if at, on := s.Find(all, present); !on {
		all = slices.Insert(all, at, present)
	}
	sc.values = slices.DeleteFunc(all, func(v string) bool { return v != present && !slices.Contains(places, v) })
	sc.at = slices.Index(sc.values, present)
}

// grid are the values to look at, and the present one's place among them.
func (sc *scan) grid() (points []string, at int) {
	s, present := sc.spec, sc.spec.Get(&sc.p)
	points = s.Positions()
	if s.Kind == param.KindInt && s.High-s.Low <= param.MostRows {
		high := s.High
		if s.CountsRows {
			high = max(s.Low, min(high, float64(sc.ev.Chunks()+1)))
		}
		var whole []float64
		for v := s.Low; v <= high; v++ {
			whole = append(whole, v)
		}
		points = s.Numbers(whole)
	}
	at, on := s.Find(points, present)
	if !on {
		points = slices.Insert(points, at, present)
	}
	return points, at
}

// run looks at the points from the present one outwards.
func (sc *scan) run() {
	present, ok := sc.look(sc.values[sc.at])
	if !ok {
		return
	}
	last := [2]*sample{present, present}
	done := [2]bool{}
	if present.Beyond != "" {
		sc.ask(sc.at, present.Beyond)
	}
	for by := 1; by < len(sc.values) && !sc.stopped && !(done[0] && done[1]); by++ {
		for side, i := range [2]int{sc.at - by, sc.at + by} {
			if done[side] || i < 0 || i >= len(sc.values) {
				continue
			}
			next, ok := sc.look(sc.values[i])
			if !ok {
				return
			}
			if next.Beyond != "" {
				sc.ask(i, next.Beyond)
			} else if last[side].Beyond == "" {
				done[side] = sc.divide(last[side], next)
			}
			last[side] = next
		}
	}
}

// ask notes that the evidence does not reach a point.
func (sc *scan) ask(i int, why string) {
	for n := range sc.track.Unknown {
		switch a := &sc.track.Unknown[n]; {
		case a.Why != why:
		case i > 0 && a.To == sc.values[i-1]:
			a.To = sc.values[i]
			return
		case i+1 < len(sc.values) && a.From == sc.values[i+1]:
			a.From = sc.values[i]
			return
		}
	}
	sc.track.Unknown = append(sc.track.Unknown, Stretch{sc.values[i], sc.values[i], why})
}

// divide finds the changes between two values that were looked at, the one
// nearest to from first. It reports whether that was enough.
func (sc *scan) divide(from, to *sample) (enough bool) {
	if sc.same(from, to) {
		return false
	}
	value, ok := sc.middle(from.value, to.value)
	if !ok || sc.coarse {
		if sc.track.order(from.value, to.value) > 0 {
			from, to = to, from
		}
		return sc.found(from, to)
	}
	middle, ok := sc.look(value)
	if !ok {
		return true
	}
	if middle.Beyond != "" { // between two that are known, hence no boundary of what is
		return sc.found(from, to)
	}
	return sc.divide(from, middle) || sc.divide(middle, to)
}

// middle is a value between two others, false when they are as near as it
// matters.
func (sc *scan) middle(a, b string) (string, bool) {
	if !sc.spec.Ordered() {
		return "", false
	}
	low, high := sc.spec.Position(a), sc.spec.Position(b)
	if low > high {
		low, high = high, low
	}
	if math.IsInf(low, 0) || math.IsInf(high, 0) {
		return "", false
	}
	perOne := sc.spec.PerOne()
	first, last := math.Floor(low*perOne+nearlyNothing)+1, math.Ceil(high*perOne-nearlyNothing)-1
	if first > last {
		return "", false
	}
	return param.NumberOf(sc.spec, math.Floor((first+last)/2)/perOne), true
}

// nearlyNothing is less than any difference of two values counted in thousandths.
const nearlyNothing = 1e-9

// look ranks with a value; false when there is no time for it.
func (sc *scan) look(value string) (*sample, bool) {
	if sc.stop != nil && sc.stop() {
		sc.stopped, sc.track.Complete = true, false
		return nil, false
	}
	sc.track.Rankings++
	p := sc.p
	if err := sc.spec.Set(&p, value); err != nil {
		return &sample{value: value, Order: retrieval.Order{Beyond: err.Error()}}, true
	}
	return &sample{value: value, Order: sc.ev.Order(p)}, true
}
