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
func rankBreakpoints(ev *retrieval.Evidence, p param.Params, s *param.Spec, at int32, stop func() bool) []RankBreakpoint {
	sc := newScan(ev, p, s, stop)
	rank := func(a *sample) int { return 1 + slices.Index(a.Ranked, at) }
	present := s.Get(&p)
	var list []RankBreakpoint
	add := func(was, is *sample) {
		list = append(list, RankBreakpoint{
			Change: param.Change{Field: s.Field, From: present, To: is.value},
			From:   rank(was), To: rank(is), Size: min(1, sizeOf(s, &p, is.value)),
		})
	}
	if !s.Ordered() {
		was, ok := sc.look(present)
		for _, value := range sc.values {
			is, ok2 := sc.look(value)
			if !ok || !ok2 {
				break
			}
			if was.Beyond == "" && is.Beyond == "" && rank(was) != rank(is) {
				add(was, is)
			}
		}
		return list
	}
	sc.same = func(a, b *sample) bool { return rank(a) == rank(b) }
	sc.found = func(below, above *sample) bool {
		was, is := below, above
		if sc.track.order(above.value, present) <= 0 {
			was, is = above, below
		}
		add(was, sc.stepped(is, func(s *sample) bool { return turnOf(rank(was), rank(s)) == turnOf(rank(was), rank(is)) }))
		return true
	}
	sc.run()
	return list
}

// stepped moves a sample beyond the present value on to a step of the parameter,
// as [Ask] does: the number at which something begins is not one to remember.
// It stays where it is if the step is not alike.
func (sc *scan) stepped(from *sample, alike func(*sample) bool) *sample {
	up := sc.track.order(from.value, sc.values[sc.at])
	if sc.spec.Kind != param.KindFloat || up == 0 {
		return from
	}
	for i := sc.at + up; i >= 0 && i < len(sc.values); i += up {
		if sc.track.order(sc.values[i], from.value)*up < 0 {
			continue
		}
		if to, ok := sc.look(sc.values[i]); ok && to.Beyond == "" && alike(to) {
			return to
		}
		break
	}
	return from
}

// turnOf is what becomes of an item: better is 1, worse -1, out -2, 0 nothing.
func turnOf(was, is int) int {
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
