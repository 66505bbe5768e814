package session

import (
	"context"
	"slices"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
)

// baseline is what the result is compared with.
type baseline struct {
	// base is the result of the baseline for the present query, nil while it is not
	// known; baseOf is what it was made by.
	base   *retrieval.Result
	baseOf Setting
	// baseAsked is set while the corpus is asked for it, baseFailed when it did not
	// answer.
	baseAsked, baseFailed bool
	// diff is how the result differs from base, and compared the two; unlike says
	// that they cannot be compared.
	diff     *retrieval.Comparison
	compared [2]*retrieval.Result
	unlike   bool
}

// OverlapDepth is the k of the overlap in [Session.Difference].
const OverlapDepth = 10

// Baseline is what the parameters are compared with: what was pinned, or what they
// started from.
func (s *Session) Baseline() Setting {
	if s.pinned != nil {
		return *s.pinned
	}
	return s.start
}

// BaselineResult is what the baseline gives for the present query, nil while that is not
// known.
func (s *Session) BaselineResult() *retrieval.Result { return s.base }

// Difference is how Result differs from that of the baseline, nil while that is not
// known or they are unlike, see [UnlikeUnits].
func (s *Session) Difference() *retrieval.Comparison { return s.diff }

// IsUnlike reports whether Result and that of the baseline are unlike.
func (s *Session) IsUnlike() bool { return s.unlike }

// IsPinned reports whether the baseline was pinned.
func (s *Session) IsPinned() bool { return s.pinned != nil }

// Pin makes the present parameters the baseline, or, where they are pinned already, lets
// them go: pinned says which.
func (s *Session) Pin() (work []Work, pinned bool) {
	s.changed |= BaselineChanged
	if s.pinned != nil && s.pinned.Params == s.params {
		s.pinned = nil
	} else {
		s.pinned = &Setting{"pinned " + s.Name(), s.params}
	}
	work = s.rankBaseline()
	return append(work, s.Judge()...), s.pinned != nil
}

// forgetBaseline forgets what the baseline gives.
func (s *Session) forgetBaseline() {
	s.end(KindBaseline)
	s.base, s.baseOf, s.baseAsked, s.baseFailed = nil, Setting{}, false, false
}

// rankBaseline makes the result that the present one is compared with: from the evidence
// if it reaches that far, else by asking the corpus. It is asked once for each.
func (s *Session) rankBaseline() []Work {
	b := s.Baseline()
	if s.evidence == nil || s.baseOf == b && (s.base != nil || s.baseAsked || s.baseFailed) {
		s.compare()
		return nil
	}
	s.forgetBaseline()
	s.baseOf = b
	if ok, _ := s.evidence.Covers(b.Params); ok {
		if r, needs := s.evidence.Rank(b.Params, retrieval.Options{}); !needs.IsProvisional() {
			s.base = &r
			s.compare()
			return nil
		}
	}
	s.compare()
	if s.engine == nil {
		return nil
	}
	s.baseAsked = true
	e, query := s.engine, s.query
	return []Work{s.begin(KindBaseline, Pause, func(ctx context.Context) Done {
		d := Done{Query: query, Params: b.Params}
		var ev Evidence
		if ev, d.Err = e.Gather(ctx, retrieval.Query{Text: query}, b.Params); d.Err == nil {
			r, _ := ev.Rank(b.Params, retrieval.Options{})
			d.Result = &r
		}
		return d
	})}
}

// applyBaseline takes the result of the baseline. Without one nothing is compared.
func (s *Session) applyBaseline(d Done) []Work {
	s.baseAsked = false
	if d.Err != nil {
		s.baseFailed = true
		return nil
	}
	s.base = d.Result
	s.compare()
	s.changed |= BaselineChanged
	return s.Judge()
}

// compare finds out how the result differs from that of the baseline.
func (s *Session) compare() {
	s.changed |= Compared
	s.unlike = s.base != nil && s.result != nil && UnlikeUnits(s.base, s.result)
	if s.base == nil || s.result == nil || s.unlike {
		s.diff, s.compared = nil, [2]*retrieval.Result{}
	} else if of := [2]*retrieval.Result{s.base, s.result}; of != s.compared {
		c := retrieval.Compare(*s.base, *s.result, OverlapDepth)
		s.diff, s.compared = &c, of
	}
}

// UnlikeUnits reports that one of the results lists sections and the other passages: then
// no item of one is in the other, whatever they say.
func UnlikeUnits(a, b *retrieval.Result) bool {
	if len(a.Items) == 0 || len(b.Items) == 0 {
		return false
	}
	section := func(it retrieval.Item) bool { return it.Level == store.Parent }
	return slices.ContainsFunc(a.Items, section) != slices.ContainsFunc(b.Items, section)
}
