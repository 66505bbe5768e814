package ui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// costly reports that ranking by parameters asks a model that takes money or
// seconds. That is done for the query on the screen, not for twenty beside it.
func costly(p param.Params) bool {
	return p.Reranker == param.RerankerLLM || p.Reranker == param.RerankerHTTP
}

// withoutCost are the parameters with what is costly left out, for gathering.
func withoutCost(p param.Params) param.Params {
	if costly(p) {
		p.Reranker = param.RerankerNone
	}
	return p
}

// needsAsking reports that the corpus can say more about a watched query than is
// known. Of the one on the screen that is asked already.
func (m *Model) needsAsking(e *watchEntry) bool {
	if m.corpus == nil || e.Query == m.session.Query() || m.loading || e.now.known && (e.base != nil || costly(e.baseOf)) {
		return false
	}
	now := watchAsked{m.session.Params(), m.session.Baseline().Params}
	return e.asked == nil || *e.asked != now
}

// watchDue says that the parameters have rested for long enough to gather what
// the watch list lacks.
type watchDue struct{ pause int }

func (msg watchDue) arrive(m *Model) tea.Cmd {
	if msg.pause != m.watch.pause {
		return nil
	}
	return m.gatherWatched()
}

// gatherWatched asks for the first watched query that is not known. One is asked
// at a time: the query on the screen is not to wait for them.
func (m *Model) gatherWatched() tea.Cmd {
	w := &m.watch
	if w.busy || m.corpus == nil {
		return nil
	}
	for _, entry := range w.entries {
		if !m.needsAsking(entry) {
			continue
		}
		ctx, gen := w.asking.begin(m.ctx)
		w.busy = true
		query, ev, e := entry.Query, entry.evidence, m.corpus.Engine
		asked := watchAsked{m.session.Params(), m.session.Baseline().Params}
		return func() tea.Msg {
			msg := watchGathered{gen: gen, query: query, asked: asked}
			msg.evidence, msg.base, msg.err = gatherBoth(ctx, e, query, ev, asked)
			return msg
		}
	}
	return nil
}

// gatherBoth makes evidence that reaches as far as the parameters, starting from
// ev if that is not nil. base is the result of the baseline where that evidence
// does not cover it, too.
func gatherBoth(ctx context.Context, e session.Engine, query string, ev session.Evidence, asked watchAsked) (_ session.Evidence, base *retrieval.Result, err error) {
	q, live, other := retrieval.Query{Text: query}, withoutCost(asked.live), withoutCost(asked.base)
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

// watchGathered brings the evidence of a watched query.
type watchGathered struct {
	gen      int
	query    string
	asked    watchAsked
	evidence session.Evidence
	base     *retrieval.Result
	err      error
}

func (msg watchGathered) arrive(m *Model) tea.Cmd {
	w := &m.watch
	if msg.gen != w.asking.gen {
		return nil
	}
	w.busy = false
	e := w.find(msg.query)
	switch {
	case errors.Is(msg.err, context.Canceled):
		return nil
	case session.IsOutage(msg.err):
		// The next answer of the query on the screen says that the server is back.
		if e != nil {
			e.failed = "no connection"
			e.now = e.judge(m.session.Params())
		}
		return nil
	case e == nil:
		return m.gatherWatched()
	}
	e.asked, e.failed = &msg.asked, ""
	if msg.err != nil {
		e.failed = oneLine(msg.err.Error())
	} else {
		e.evidence = msg.evidence
		e.base, e.baseOf = msg.base, msg.asked.base
	}
	// What has come may already be too little again: judging says so.
	m.judgeAll()
	return m.gatherWatched()
}
