package whynot

import "iter"

// axis is a line of values with the outcome of a ranking at each: whether a text is
// let in, say, or the order of everything. It finds where the outcome changes, in
// as few rankings as it takes. All that this package looks for along a parameter is
// looked for with it.
type axis[V, O any] struct {
	// look ranks with a value; an outcome that is not known is compared with none.
	// It fails when there is no time for it.
	look func(V) (is O, known bool, err error)
	// same says what counts as no change.
	same func(a, b O) bool
	// middle is a value between two others, false when they are as near as it
	// matters.
	middle func(a, b V) (V, bool)
	// err is why looking ended early.
	err error
}

// seen is a value that was looked at.
type seen[V, O any] struct {
	at    V
	is    O
	known bool
}

// crossing is a change of the outcome on the way from one value to another, away
// from the present value: down the axis on side 0, up on side 1.
type crossing[V, O any] struct {
	side     int
	from, to seen[V, O]
}

// passing is the axis of a condition.
func passing[V any](try func(V) bool, middle func(a, b V) (V, bool)) *axis[V, bool] {
	return &axis[V, bool]{
		look:   func(at V) (bool, bool, error) { return try(at), true, nil },
		same:   func(a, b bool) bool { return a == b },
		middle: middle,
	}
}

func (x *axis[V, O]) see(at V) (s seen[V, O], ok bool) {
	if x.err == nil {
		s.at = at
		s.is, s.known, x.err = x.look(at)
	}
	return s, x.err == nil
}

// outwards looks at steps, each on a side of the present value and on its side the
// nearest first, and yields the crossings between one and the next.
func (x *axis[V, O]) outwards(present seen[V, O], steps iter.Seq2[int, V]) iter.Seq[crossing[V, O]] {
	return func(yield func(crossing[V, O]) bool) {
		last := [2]seen[V, O]{present, present}
		for side, at := range steps {
			next, ok := x.see(at)
			if !ok {
				return
			}
			c := crossing[V, O]{side, last[side], next}
			if c.from.known && c.to.known && !x.same(c.from.is, c.to.is) && !yield(c) {
				return
			}
			last[side] = next
		}
	}
}

// narrow bisects a crossing and yields those that it is made of between neighbours,
// the nearest to the present value first. A change that is undone again between two
// values with the same outcome is not found.
func (x *axis[V, O]) narrow(c crossing[V, O]) iter.Seq[crossing[V, O]] {
	return func(yield func(crossing[V, O]) bool) { x.bisect(c, yield) }
}

// bisect reports whether to go on.
func (x *axis[V, O]) bisect(c crossing[V, O], yield func(crossing[V, O]) bool) bool {
	if x.same(c.from.is, c.to.is) {
		return true
	}
	at, ok := x.middle(c.from.at, c.to.at)
	if !ok {
		return yield(c)
	}
	middle, ok := x.see(at)
	switch {
	case !ok:
		return false
	case !middle.known: // it cannot be ranked: the change is between its two neighbours
		return yield(c)
	}
	return x.bisect(crossing[V, O]{c.side, c.from, middle}, yield) && x.bisect(crossing[V, O]{c.side, middle, c.to}, yield)
}

// nearest is the first crossing that one is made of; its end as far as looking came.
func (x *axis[V, O]) nearest(c crossing[V, O]) crossing[V, O] {
	for c = range x.narrow(c) {
		break
	}
	return c
}
