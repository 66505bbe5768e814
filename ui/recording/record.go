package recording

import (
	"context"
	"fmt"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// engine records what another engine answers.
type engine struct {
	session.Engine
	r *Recorder
}

func (e engine) Gather(ctx context.Context, q retrieval.Query, p param.Params) (session.Evidence, error) {
	ev, err := e.Engine.Gather(ctx, q, p)
	if err != nil {
		return nil, err
	}
	return evidence{ev, e.r, q.Text}, nil
}

func (e engine) Complete(ctx context.Context, ev session.Evidence, p param.Params) (session.Evidence, error) {
	own, ok := ev.(evidence)
	if !ok {
		return nil, fmt.Errorf("complete evidence that is not recorded: %T", ev)
	}
	more, err := e.Engine.Complete(ctx, own.Evidence, p)
	if err != nil {
		return nil, err
	}
	return evidence{more, own.r, own.query}, nil
}

func (e engine) WhyNot(ctx context.Context, q retrieval.Query, p param.Params, t whynot.Target) (whynot.Report, error) {
	report, err := e.Engine.WhyNot(ctx, q, p, t)
	if err == nil {
		e.r.answer(callWhy, q.Text, &p, targetArgs(t), report)
	}
	return report, err
}

func (e engine) MatchTerms(ctx context.Context, q retrieval.Query, p param.Params) (session.TermMatch, error) {
	match, err := e.Engine.MatchTerms(ctx, q, p)
	if err == nil {
		e.r.answer(callTerms, q.Text, nil, nil, match)
	}
	return match, err
}

// evidence records how it is ranked.
type evidence struct {
	session.Evidence
	r     *Recorder
	query string
}

func (ev evidence) Rank(p param.Params, o retrieval.Options) (retrieval.Result, retrieval.Needs) {
	result, needs := ev.Evidence.Rank(p, o)
	if ok, _ := ev.Covers(p); !ok || needs.IsProvisional() {
		return result, needs // it is not what the user gets to see
	}
	call := callRanks
	if o.Trace && o.Explain {
		call = callRank
	}
	ev.r.result(call, ev.query, p, &result)
	return result, needs
}

func (ev evidence) Ablations(p param.Params) []whynot.Ablation {
	toggles := ev.Evidence.Ablations(p)
	ev.r.answer(callToggles, ev.query, &p, nil, writable(toggles))
	return toggles
}

func (ev evidence) Breakpoints(p param.Params, field string, stop func() bool) whynot.Breakpoints {
	track := ev.Evidence.Breakpoints(p, field, stop)
	if track.Complete {
		ev.r.answer(callTurns, ev.query, &p, []string{field}, track)
	}
	return track
}

func (ev evidence) CoarseBreakpoints(p param.Params, field string, most int, stop func() bool) whynot.Breakpoints {
	track := ev.Evidence.CoarseBreakpoints(p, field, most, stop)
	if stop == nil || !stop() {
		ev.r.answer(callSketch, ev.query, &p, []string{field}, track)
	}
	return track
}

func (ev evidence) RankBreakpoints(p param.Params, chunkID string, stop func() bool) []whynot.RankBreakpoint {
	turns := ev.Evidence.RankBreakpoints(p, chunkID, stop)
	if stop == nil || !stop() {
		ev.r.answer(callRankTurns, ev.query, &p, []string{chunkID}, turns)
	}
	return turns
}

func (ev evidence) Labels(ids []string) []retrieval.ChunkLabel {
	named := ev.Evidence.Labels(ids)
	for i := range named {
		ev.r.answer(callNamed, "", nil, []string{named[i].ChunkID}, named[i])
	}
	return named
}

// reader records what is read.
type reader struct {
	session.Reader
	r *Recorder
}

// noted records a value that was read.
func noted[T any](r *Recorder, call string, args []string, value T, err error) (T, error) {
	if err == nil {
		r.answer(call, "", nil, args, value)
	}
	return value, err
}

func (x reader) Survey(ctx context.Context) (session.Survey, error) {
	v, err := x.Reader.Survey(ctx)
	return noted(x.r, callSurvey, nil, v, err)
}

func (x reader) Section(ctx context.Context, id string) (store.Chunk, error) {
	v, err := x.Reader.Section(ctx, id)
	return noted(x.r, callSection, []string{id}, v, err)
}

func (x reader) SectionAt(ctx context.Context, url string, at int) (store.Chunk, error) {
	v, err := x.Reader.SectionAt(ctx, url, at)
	return noted(x.r, callAt, []string{url, fmt.Sprint(at)}, v, err)
}

func (x reader) Sections(ctx context.Context, limit int, known int64) (session.SectionList, error) {
	v, err := x.Reader.Sections(ctx, limit, known)
	if err == nil && v.Version != known {
		x.r.answer(callNames, "", nil, []string{fmt.Sprint(limit)}, v)
	}
	return v, err
}

func (x reader) Pages(ctx context.Context, from, n int) ([]session.PageEntry, error) {
	v, err := x.Reader.Pages(ctx, from, n)
	return noted(x.r, callPages, []string{fmt.Sprint(from), fmt.Sprint(n)}, v, err)
}

func (x reader) PageLinks(ctx context.Context, ids []string) ([][]string, error) {
	v, err := x.Reader.PageLinks(ctx, ids)
	return noted(x.r, callLinks, ids, v, err)
}

func (x reader) Page(ctx context.Context, id string) (*session.PageContent, error) {
	v, err := x.Reader.Page(ctx, id)
	return noted(x.r, callPage, []string{id}, v, err)
}

func (x reader) SectionTexts(ctx context.Context, ids []string) ([]store.Chunk, error) {
	v, err := x.Reader.SectionTexts(ctx, ids)
	return noted(x.r, callTexts, ids, v, err)
}

func (x reader) Links(ctx context.Context, id string) ([]session.SectionLink, error) {
	v, err := x.Reader.Links(ctx, id)
	return noted(x.r, callInside, []string{id}, v, err)
}

func (x reader) SectionByURL(ctx context.Context, url string) (store.Chunk, error) {
	v, err := x.Reader.SectionByURL(ctx, url)
	return noted(x.r, callAddress, []string{url}, v, err)
}

// cosiner records cosines that were taken apart.
type cosiner struct {
	session.Cosiner
	r *Recorder
}

func (x cosiner) Cosines(ctx context.Context, query string, vector []float32, it *retrieval.Item) (session.Cosines, error) {
	v, err := x.Cosiner.Cosines(ctx, query, vector, it)
	if err == nil {
		x.r.answer(callCosines, query, nil, cosineArgs(it), v)
	}
	return v, err
}
