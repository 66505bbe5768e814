package session

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
)

// Judge ranks all watched queries by the present parameters, and sees to it that what is
// missing for that is gathered. Commands of the session that change the parameters, the
// result or the baseline do it by themselves.
func (s *Session) Judge() []Work {
	s.judgeAll()
	if s.gathering {
		return nil
	}
	s.end(KindWatchRest)
	if !slices.ContainsFunc(s.watched, s.needsAsking) {
		return nil
	}
	return []Work{s.begin(KindWatchRest, Pause, func(context.Context) Done { return Done{} })}
}

func (s *Session) judgeAll() {
	base := s.Baseline().Params
	for _, w := range s.watched {
		if w.Query == s.query && s.evidence != nil {
			// It is the present one: what is known there is known here.
			w.evidence, w.Failed = s.evidence, ""
			if s.base != nil {
				w.base, w.baseOf = s.base, s.baseOf.Params
			}
		}
		if w.base == nil || w.baseOf != base {
			w.baseOf = base
			w.base, _ = w.ranked(base)
		}
		w.Now = w.judge(s.params)
	}
	if len(s.watched) > 0 {
		s.changed |= WatchChanged
	}
}

// needsAsking reports that the corpus can say more about a watched query than is known.
// Of the present one it is asked already.
func (s *Session) needsAsking(w *Watched) bool {
	if s.engine == nil || s.loading || w.Query == s.query || w.Now.Known && (w.base != nil || w.baseOf.Waits()) {
		return false
	}
	now := watchAsked{s.params, s.Baseline().Params}
	return w.asked == nil || *w.asked != now
}

// gatherWatched asks for the first watched query that is not known. One is asked at a
// time: the present query is not to wait for them.
func (s *Session) gatherWatched() []Work {
	if s.gathering {
		return nil
	}
	for _, w := range s.watched {
		if !s.needsAsking(w) {
			continue
		}
		s.gathering = true
		e, query, ev := s.engine, w.Query, w.evidence
		asked := watchAsked{s.params, s.Baseline().Params}
		return []Work{s.begin(KindWatch, 0, func(ctx context.Context) Done {
			d := Done{Query: query, Params: asked.live, Base: asked.base}
			d.Evidence, d.Result, d.Err = gatherBoth(ctx, e, query, ev, asked)
			return d
		})}
	}
	return nil
}

// gatherBoth makes evidence that reaches as far as the parameters, starting from ev if
// that is not nil. base is the result of the baseline where that evidence does not cover
// it, too.
func gatherBoth(ctx context.Context, e Engine, query string, ev Evidence, asked watchAsked) (_ Evidence, base *retrieval.Result, err error) {
	q, live, other := retrieval.Query{Text: query}, asked.live.WithoutWaits(), asked.base.WithoutWaits()
	covered := false
	if ev != nil {
		covered, _ = ev.Covers(live)
	}
	if covered {
		ev, err = e.Complete(ctx, ev, live)
	} else {
		ev, err = e.Gather(ctx, q, live)
	}
	if err != nil || live == other {
		return ev, nil, err
	}
	if ok, _ := ev.Covers(other); ok {
		ev, err = e.Complete(ctx, ev, other)
		return ev, nil, err
	}
	old, err := e.Gather(ctx, q, other)
	if err != nil {
		return nil, nil, err
	}
	if r, needs := old.Rank(asked.base, retrieval.Options{}); needs.Rerank == nil {
		base = &r
	}
	return ev, base, nil
}

// applyWatched takes the evidence of a watched query, and asks for the next.
func (s *Session) applyWatched(d Done) []Work {
	s.gathering = false
	w := s.WatchedQuery(d.Query)
	switch {
	case errors.Is(d.Err, context.Canceled):
		return nil
	case IsOutage(d.Err):
		// The next answer of the present query says that the server is back.
		if w != nil {
			w.Failed = "no connection"
			w.Now = w.judge(s.params)
			s.changed |= WatchChanged
		}
		return nil
	case w == nil:
		return s.gatherWatched()
	}
	w.asked, w.Failed = &watchAsked{d.Params, d.Base}, ""
	if d.Err != nil {
		w.Failed = strings.TrimSpace(offset.Line(d.Err.Error()))
	} else {
		w.evidence = d.Evidence
		w.base, w.baseOf = d.Result, d.Base
	}
	// What has come may already be too little again: judging says so.
	s.judgeAll()
	return s.gatherWatched()
}
