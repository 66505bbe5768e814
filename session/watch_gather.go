package session

import (
	"context"
	"errors"
	"slices"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
)

// Judge ranks all watched queries by the present parameters, and sees to it that what is
// missing for that is gathered. Commands of the session that change the parameters, the
// result or the baseline do it by themselves.
func (l *watchList) Judge() []Work {
	l.judgeAll()
	if l.gathering {
		return nil
	}
	l.works.end(KindWatchRest)
	if !slices.ContainsFunc(l.watched, l.needsAsking) {
		return nil
	}
	return []Work{l.works.begin(KindWatchRest, Pause, func(context.Context) Done { return Done{} })}
}

func (l *watchList) judgeAll() {
	base := l.baseline.Baseline().Params
	for _, w := range l.watched {
		if w.Query == l.answer.query && l.answer.evidence != nil {
			// It is the present one: what is known there is known here.
			w.evidence, w.Failed = l.answer.evidence, ""
			if l.baseline.base != nil {
				w.base, w.baseOf = l.baseline.base, l.baseline.baseOf.Params
			}
		}
		if w.base == nil || w.baseOf != base {
			w.baseOf = base
			w.base, _ = w.ranked(base, &l.answer.scratch)
		}
		w.Now = w.judge(l.tuning.params, &l.answer.scratch)
	}
	if len(l.watched) > 0 {
		l.works.tell(WatchChanged)
	}
}

// needsAsking reports that the corpus can say more about a watched query than is known.
// Of the present one it is asked already.
func (l *watchList) needsAsking(w *Watched) bool {
	if l.works.engine == nil || l.opened.loading || w.Query == l.answer.query || w.Now.Known && (w.base != nil || w.baseOf.Waits()) {
		return false
	}
	now := watchAsked{l.tuning.params, l.baseline.Baseline().Params}
	return w.asked == nil || *w.asked != now
}

// gatherWatched asks for the first watched query that is not known. One is asked at a
// time: the present query is not to wait for them.
func (l *watchList) gatherWatched() []Work {
	if l.gathering {
		return nil
	}
	for _, w := range l.watched {
		if !l.needsAsking(w) {
			continue
		}
		l.gathering = true
		e, query, ev := l.works.engine, w.Query, w.evidence
		asked := watchAsked{l.tuning.params, l.baseline.Baseline().Params}
		return []Work{l.works.begin(KindWatch, 0, func(ctx context.Context) Done {
			d := Done{Query: query, Params: asked.live, Base: asked.base, Evidence: ev}
			d.gatherBoth(ctx, e)
			return d
		})}
	}
	return nil
}

// gatherBoth makes evidence that reaches as far as the parameters, starting from Evidence
// if that is not nil. Result is that of the baseline where that evidence does not cover
// it, too.
func (d *Done) gatherBoth(ctx context.Context, e Engine) {
	q, live, other := retrieval.Query{Text: d.Query}, d.Params.WithoutWaits(), d.Base.WithoutWaits()
	covered := false
	if d.Evidence != nil {
		covered, _ = d.Evidence.Covers(live)
	}
	if covered {
		d.Evidence, d.Err = e.Complete(ctx, d.Evidence, live)
	} else {
		d.Evidence, d.Err = e.Gather(ctx, q, live)
	}
	if d.Err != nil || live == other {
		return
	}
	if ok, _ := d.Evidence.Covers(other); ok {
		d.Evidence, d.Err = e.Complete(ctx, d.Evidence, other)
		return
	}
	if d.BaseEvidence, d.Err = e.Gather(ctx, q, other); d.Err != nil {
		return
	}
	if r, needs := d.BaseEvidence.Rank(d.Base, retrieval.Options{}); needs.Rerank == nil {
		d.Result = &r
	}
}

// takeWatched takes the evidence of a watched query, and asks for the next.
func (l *watchList) takeWatched(d Done) []Work {
	l.gathering = false
	w := l.WatchedQuery(d.Query)
	switch {
	case errors.Is(d.Err, context.Canceled):
		return nil
	case IsOutage(d.Err):
		// The next answer of the present query says that the server is back.
		if w != nil {
			w.Failed = "no connection"
			w.Now = w.judge(l.tuning.params, &l.answer.scratch)
			l.works.tell(WatchChanged)
		}
		return nil
	case w == nil:
		return l.gatherWatched()
	}
	w.asked, w.Failed = &watchAsked{d.Params, d.Base}, ""
	if d.Err != nil {
		w.Failed = offset.Trimmed(d.Err.Error())
	} else {
		w.evidence = d.Evidence
		w.base, w.baseOf = d.Result, d.Base
	}
	// What has come may already be too little again: judging says so.
	l.judgeAll()
	return l.gatherWatched()
}
