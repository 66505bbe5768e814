package whynot

import (
	"cmp"
	"slices"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// RankBreakpoint is the nearest value of a parameter, in one direction, at which the
// rank of an item changes: the next of its steps where the change lasts until there.
type RankBreakpoint struct {
	Change param.Change
	// From is the item's rank as it is, To that with the change; 0 is not among
	// the results.
	From, To int
	// Size is the part of the parameter's track that the change takes, from 0 to
	// 1; 1 for a word.
	Size float64
	// Floor is where similarities are cut with the change, if it moves that and the floor is
	// set on the scale of the corpus; else zero.
	Floor param.Floor
}

// RankBreakpoints are the nearest changes of one parameter that change the rank of an
// item, given by its chunk id: of numbers at most one up the track and one down,
// of words each that does; the smallest part of a track first. What the evidence
// does not reach is left out. Like [FindBreakpoints] it ranks, some thousand times in the
// worst case, until stop says otherwise.
func RankBreakpoints(ev retrieval.Evidence, p param.Params, chunkID string, stop func() bool) []RankBreakpoint {
	at, known := ev.NumberOf(chunkID)
	if !known {
		return nil
	}
	var list []RankBreakpoint
	specs := param.Specs()
	for i := range specs {
		if !specs[i].IdleIn(&p) {
			list = append(list, rankBreakpoints(&ev, p, &specs[i], at, stop)...)
		}
	}
	slices.SortStableFunc(list, func(a, b RankBreakpoint) int { return cmp.Compare(a.Size, b.Size) })
	return list
}

// rankBreakpoints are those of one parameter.
func rankBreakpoints(ev *retrieval.Evidence, p param.Params, s *param.Spec, chunk int32, stop func() bool) (list []RankBreakpoint) {
	t := newBreakpointSearch(ev, p, s, stop)
	rank := func(o retrieval.Order) int { return 1 + slices.Index(o.Ranked, chunk) }
	t.same = func(a, b retrieval.Order) bool { return rank(a) == rank(b) }
	present := t.values[t.at]
	add := func(from, to retrieval.Order, at string) {
		change := param.Change{Field: s.Field, From: present, To: at}
		list = append(list, RankBreakpoint{Change: change, From: rank(from), To: rank(to), Size: min(1, sizeOf(&p, change)), Floor: floorWith(ev, p, change)})
	}
	if !s.Ordered() {
		was, _ := t.see(present)
		for _, value := range t.values {
			if is, ok := t.see(value); ok && was.known && is.known && !t.same(was.is, is.is) {
				add(was.is, is.is, value)
			}
		}
		return list
	}
	for step := range t.crossings() {
		for c := range t.narrow(step) {
			// As [Ask] does, move on to the step: the number at which something begins
			// is not one to remember.
			to, was := c.to, rank(c.from.is)
			if s.Kind == param.KindFloat && effectOf(was, rank(step.to.is)) == effectOf(was, rank(to.is)) {
				to = step.to
			}
			add(c.from.is, to.is, to.at)
			t.done[c.side] = true
			break
		}
	}
	return list
}

// floorWith is the Floor of a [RankBreakpoint].
func floorWith(ev *retrieval.Evidence, p param.Params, c param.Change) param.Floor {
	if !c.MovesFloor() || p.Set(c.Field, c.To) != nil {
		return param.Floor{}
	}
	if r, _ := retrieval.Rank(*ev, p, retrieval.Options{}); r.Floor.Scale == param.FloorCalibrated {
		return r.Floor
	}
	return param.Floor{}
}

// effectOf is what becomes of an item: better is 1, worse -1, out -2, 0 nothing.
func effectOf(was, is int) int {
	switch {
	case was == is:
		return 0
	case is == 0:
		return -2
	case was == 0 || is < was:
		return 1
	default:
		return -1
	}
}
