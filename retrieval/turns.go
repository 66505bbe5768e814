package retrieval

import (
	"math"
	"slices"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// Track is what moving one parameter along its track would do to a ranking, the
// others staying as they are.
type Track struct {
	Field string
	// Turns are where the ranking changes, in the order of the track.
	Turns []Turn
	// Asks are the parts of the track that the evidence does not reach; there,
	// turns are not known.
	Asks []Stretch
	// Complete reports that all of the track was looked at. Otherwise it was
	// stopped, and what is nearest to the present value is known.
	Complete bool
	// Rankings is how many were made.
	Rankings int

	// spec and points order the values.
	spec   *param.Spec
	points []string
}

// Next is the turn that comes next from a value, up the track or down, and the
// value at which the ranking is another one; false when there is none.
func (t *Track) Next(value string, up bool) (turn Turn, at string, ok bool) {
	if up {
		for i := range t.Turns {
			if t.order(t.Turns[i].Above, value) > 0 {
				return t.Turns[i], t.Turns[i].Above, true
			}
		}
		return Turn{}, "", false
	}
	for i := len(t.Turns) - 1; i >= 0; i-- {
		if t.order(t.Turns[i].Below, value) < 0 {
			return t.Turns[i], t.Turns[i].Below, true
		}
	}
	return Turn{}, "", false
}

// RestoredTrack is a track that was written down and read again: its exported
// fields as they are, with the order of its field's values.
func RestoredTrack(t Track) Track {
	spec, _ := param.SpecOf(t.Field)
	t.spec, t.points = &spec, nil
	if spec.Kind != "" {
		t.points = spec.Positions()
	}
	return t
}

// order orders two values as the track does. Of what has no order, a value that
// the track has not stands before all others.
func (t *Track) order(a, b string) int {
	if t.spec.Ordered() {
		return t.spec.Order(a, b)
	}
	return slices.Index(t.points, a) - slices.Index(t.points, b)
}

// Stretch is a part of a track, between values as [Params.Set] reads them.
type Stretch struct{ From, To, Why string }

// Turns finds the values of a field at which the items or their order change,
// from the present value outwards in both directions. It asks nobody and does not
// wait, but ranks some hundred times: stop, which may be nil, is asked before each
// ranking and ends it.
//
// Whole numbers are looked at one by one where there are at most a thousand, words
// and switches one by one. Other numbers are looked at in the steps of
// [Spec.Positions]: where the rankings at two neighbouring steps differ, the turns
// between them are found to three decimals, or to one whole number. A change that
// is undone within one step is overlooked.
func Turns(ev Evidence, p param.Params, field string, stop func() bool) Track {
	s, ok := param.SpecOf(field)
	if !ok {
		return Track{Field: field, Complete: true}
	}
	return turns(newScan(&ev, p, &s, stop))
}

// Sketch is [Turns] without looking between steps, and at no more steps than most:
// enough to draw a track with.
func Sketch(ev Evidence, p param.Params, field string, most int, stop func() bool) Track {
	s, ok := param.SpecOf(field)
	if !ok {
		return Track{Field: field, Complete: true}
	}
	sc := newScan(&ev, p, &s, stop)
	sc.coarse = true
	if s.Ordered() {
		sc.thin(max(1, most))
	}
	return turns(sc)
}

// turns are all changes of a scan.
func turns(sc *scan) Track {
	sc.same = func(a, b *sample) bool { return slices.Equal(a.listed, b.listed) && slices.Equal(a.ranked, b.ranked) }
	sc.found = func(below, above *sample) bool {
		sc.track.Turns = append(sc.track.Turns, sc.turn(below, above))
		return false
	}
	sc.run()
	t := &sc.track
	t.points = sc.points
	slices.SortStableFunc(t.Turns, func(a, b Turn) int { return t.order(a.Above, b.Above) })
	slices.SortStableFunc(t.Asks, func(a, b Stretch) int { return t.order(a.From, b.From) })
	return *t
}

// sample is the ranking at one value of the parameter: rows of the evidence as
// they are listed, and by rank.
type sample struct {
	value          string
	listed, ranked []int32
	// asks is why the evidence does not reach that far.
	asks string
}

// scan looks along a parameter's track.
type scan struct {
	ev   *Evidence
	p    param.Params
	spec *param.Spec
	stop func() bool
	// same says what counts as no change, found takes a change and says whether
	// the direction in which it was found is done with.
	same  func(a, b *sample) bool
	found func(below, above *sample) bool

	points  []string
	at      int // the present value among the points
	coarse  bool
	stopped bool
	track   Track
}

func newScan(ev *Evidence, p param.Params, s *param.Spec, stop func() bool) *scan {
	sc := &scan{ev: ev, p: p, spec: s, stop: stop, track: Track{Field: s.Field, Complete: true, spec: s}}
	sc.points, sc.at = sc.grid()
	sc.track.points = sc.points
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
	sc.points = slices.DeleteFunc(all, func(v string) bool { return v != present && !slices.Contains(places, v) })
	sc.at = slices.Index(sc.points, present)
}

// grid are the values to look at, and the present one's place among them.
func (sc *scan) grid() (points []string, at int) {
	s, present := sc.spec, sc.spec.Get(&sc.p)
	points = s.Positions()
	if s.Kind == param.KindInt && s.High-s.Low <= param.MostRows {
		high := s.High
		if param.CountsRows(s.Field) {
			high = max(s.Low, min(high, float64(len(sc.ev.rows)+1)))
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
	present, ok := sc.look(sc.points[sc.at])
	if !ok {
		return
	}
	last := [2]*sample{present, present}
	done := [2]bool{}
	if present.asks != "" {
		sc.ask(sc.at, present.asks)
	}
	for by := 1; by < len(sc.points) && !sc.stopped && !(done[0] && done[1]); by++ {
		for side, i := range [2]int{sc.at - by, sc.at + by} {
			if done[side] || i < 0 || i >= len(sc.points) {
				continue
			}
			next, ok := sc.look(sc.points[i])
			if !ok {
				return
			}
			if next.asks != "" {
				sc.ask(i, next.asks)
			} else if last[side].asks == "" {
				done[side] = sc.divide(last[side], next)
			}
			last[side] = next
		}
	}
}

// ask notes that the evidence does not reach a point.
func (sc *scan) ask(i int, why string) {
	for n := range sc.track.Asks {
		switch a := &sc.track.Asks[n]; {
		case a.Why != why:
		case i > 0 && a.To == sc.points[i-1]:
			a.To = sc.points[i]
			return
		case i+1 < len(sc.points) && a.From == sc.points[i+1]:
			a.From = sc.points[i]
			return
		}
	}
	sc.track.Asks = append(sc.track.Asks, Stretch{sc.points[i], sc.points[i], why})
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
	if middle.asks != "" { // between two that are known, hence no boundary of what is
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
		return &sample{value: value, asks: err.Error()}, true
	}
	found := rankRows(sc.ev, p)
	found.value = value
	return &found, true
}

// rankRows is Rank without anything but the order.
func rankRows(ev *Evidence, p param.Params) sample {
	r := &ranking{ev: ev, p: p}
	r.settle()
	var found sample
	if _, found.asks = ev.Covers(p); found.asks != "" || r.nothingToRank() {
		return found
	}
	r.measure()
	r.pass()
	if r.pending {
		found.asks = "edges, words or scores have to be fetched"
	}
	found.listed = make([]int32, len(r.list))
	found.ranked = make([]int32, len(r.list))
	for i := range r.list {
		found.listed[i] = r.list[i].row
		found.ranked[r.list[i].rank-1] = r.list[i].row
	}
	return found
}
