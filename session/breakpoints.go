package session

import (
	"context"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
)

// tracks are what is known of the values at which the ranking changes. A track is right
// whatever its own parameter's value is, as long as all others stay.
type tracks struct {
	works  *works
	tuning *tuning
	answer *answer

	// exact is the parameter whose track is looked along between its steps, too, empty
	// for none; coarse are those that are looked along roughly, after it.
	exact  string
	coarse []string
	known  map[string]track
	// sought is the parameter whose track is being looked along.
	sought string
}

// track is what is known of one track, and what it was made for.
type track struct {
	whynot.Breakpoints
	evidence EvidenceID
	others   param.Params
	exact    bool
}

// The bounds of looking along tracks, in candidates ranked: a ranking of a thousand takes
// about a millisecond.
const (
	// mostExact bounds the exact track, mostCoarse each of the others.
	mostExact  = 3_000_000
	mostCoarse = 60_000
	// coarseValues is at how many values the others are looked at.
	coarseValues = 24
)

// LookAlong says of which parameters' tracks somebody wants to know where the ranking
// changes: exactly of one, and then roughly of others. None is asked for with "" and nil.
// Each new ranking is looked into anew, once it has rested; now looks at once.
func (t *tracks) LookAlong(exact string, coarse []string, now bool) []Work {
	t.exact, t.coarse = exact, coarse
	work := t.look()
	if now && len(work) > 0 {
		work[0].Delay = 0
	}
	return work
}

// look looks along the tracks of a new ranking, once it has rested.
func (t *tracks) look() []Work {
	t.works.end(KindBreakpoints)
	if !t.answer.IsCurrent() {
		return nil
	}
	work := t.next()
	if len(work) > 0 {
		work[0].Delay = Pause
	}
	return work
}

// next looks along the next track that is not known: the exact one first.
func (t *tracks) next() []Work {
	if _, ok := t.ExactBreakpoints(t.exact); t.exact != "" && !ok {
		return t.find(t.exact, true)
	}
	for _, field := range t.coarse {
		if spec, ok := param.SpecOf(field); !ok || spec.Kind != param.KindInt && spec.Kind != param.KindFloat {
			continue
		}
		if k, ok := t.known[field]; !ok || !t.isPresent(&k, field) {
			return t.find(field, false)
		}
	}
	return nil
}

func (t *tracks) find(field string, exact bool) []Work {
	ev, p, most := t.answer.evidence, t.tuning.params, mostCoarse
	if exact {
		most = mostExact
	}
	t.sought = field
	rankings := max(4, most/(t.answer.candidates()+50))
	return []Work{t.works.begin(KindBreakpoints, 0, func(ctx context.Context) Done {
		left := rankings
		stop := func() bool {
			left--
			return left < 0 || ctx.Err() != nil
		}
		d := Done{Params: p, Exact: exact}
		if exact {
			d.Breakpoints = ev.Breakpoints(p, field, stop)
		} else {
			d.Breakpoints = ev.CoarseBreakpoints(p, field, coarseValues, stop)
		}
		return d
	})}
}

// takeTrack takes what was found along a track, and looks along the next.
func (t *tracks) takeTrack(d Done) []Work {
	if t.known == nil {
		t.known = map[string]track{}
	}
	t.known[t.sought] = track{d.Breakpoints, t.answer.id, othersOf(d.Params, t.sought), d.Exact}
	t.works.tell(BreakpointsChanged)
	return t.next()
}

// forget forgets the tracks of an answer.
func (t *tracks) forget() {
	t.works.end(KindBreakpoints)
	t.known = nil
}

// othersOf are parameters with one of them at the beginning of its track.
func othersOf(p param.Params, field string) param.Params {
	others := p
	if spec, ok := param.SpecOf(field); ok {
		if err := others.Set(field, spec.Positions()[0]); err != nil {
			return p // a track of one value at most
		}
	}
	return others
}

func (t *tracks) isPresent(k *track, field string) bool {
	return k.evidence == t.answer.id && k.others == othersOf(t.tuning.params, field)
}

// Breakpoints is what was last known of where the ranking changes along a parameter's
// track: it may be of other parameters until that of the present ones is found.
func (t *tracks) Breakpoints(field string) (b whynot.Breakpoints, ok bool) {
	k, ok := t.known[field]
	return k.Breakpoints, ok && t.answer.evidence != nil
}

// ExactBreakpoints is what is known now, between the steps of the track, too.
func (t *tracks) ExactBreakpoints(field string) (b whynot.Breakpoints, ok bool) {
	k, ok := t.known[field]
	return k.Breakpoints, ok && k.exact && t.isPresent(&k, field)
}
