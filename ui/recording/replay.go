package recording

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui"
)

// Recording is a session that was recorded. It is never changed.
type Recording struct {
	// Program is the version of the program that wrote it.
	Program string
	// Corpus is the name of the corpus, Preset and Params what the session started
	// from.
	Corpus string
	Preset string
	Params param.Params
	// Notices are those of the session's start.
	Notices []retrieval.Notice
	// Queries are those that were asked, each once, in their order.
	Queries []string
	// Truncated says that the last line is not whole: the program that wrote it
	// was ended.
	Truncated bool

	estimated, foreign bool
	answers            map[string]any
	queries            map[string]bool // with at least one ranking
	moves              []move
	sections           map[string]*retrieval.Item // items with texts
}

// NewCorpus is what the explorer is opened on.
func (r *Recording) NewCorpus() *session.Corpus {
	return &session.Corpus{
		Name: r.Corpus, Engine: player{r}, Reader: shelf{r}, Cosines: shelf{r},
		Estimated: r.estimated, Foreign: r.foreign,
	}
}

const (
	noQuery  = "this query was not asked in the recorded session"
	noParams = "these parameters were not shown in the recorded session"
	noMore   = "this was not looked at in the recorded session"
)

// find is a recorded answer.
func find[T any](r *Recording, why, call, query string, p *param.Params, args ...string) (value T, err error) {
	var changed map[string]string
	if p != nil {
		changed = differing(r.Params, *p)
	}
	v, ok := r.answers[key(call, query, changed, args)].(T)
	if !ok {
		return value, &ui.NotRecordedError{Why: why}
	}
	return v, nil
}

// player answers queries as they were answered.
type player struct{ r *Recording }

func (e player) Gather(ctx context.Context, q retrieval.Query, p param.Params) (session.Evidence, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !e.r.queries[q.Text] {
		return nil, &ui.NotRecordedError{Why: noQuery}
	}
	ev := kept{e.r, q.Text}
	if _, ok := ev.rank(p, true); !ok {
		return nil, &ui.NotRecordedError{Why: noParams}
	}
	return ev, nil
}

func (e player) Complete(_ context.Context, ev session.Evidence, _ param.Params) (session.Evidence, error) {
	return ev, nil
}

func (e player) WhyNot(_ context.Context, q retrieval.Query, p param.Params, t whynot.Target) (whynot.Report, error) {
	return find[whynot.Report](e.r, noMore, callWhy, q.Text, &p, targetArgs(t)...)
}

func (e player) MatchTerms(_ context.Context, q retrieval.Query, _ param.Params) (session.TermMatch, error) {
	return find[session.TermMatch](e.r, noMore, callTerms, q.Text, nil)
}

// kept is the evidence of a query: the rankings that were shown.
type kept struct {
	r     *Recording
	query string
}

// rank is a recorded ranking with its texts; bare is content with one that has
// neither trace nor explanations.
func (ev kept) rank(p param.Params, bare bool) (retrieval.Result, bool) {
	result, err := find[retrieval.Result](ev.r, noParams, callRank, ev.query, &p)
	if err != nil && bare {
		result, err = find[retrieval.Result](ev.r, noParams, callRanks, ev.query, &p)
	}
	if err != nil {
		return retrieval.Result{Mode: param.ModeChunk}, false
	}
	result.Items = slices.Clone(result.Items)
	result.NearMisses = slices.Clone(result.NearMisses)
	for i := range result.Items {
		it := &result.Items[i]
		if t, err := find[text](ev.r, noMore, callText, "", nil, textArgs(it)...); err == nil {
			it.ChunkText, it.HTMLText = t.Markdown, t.HTML
		}
	}
	return result, true
}

func (ev kept) Rank(p param.Params, o retrieval.Options) (retrieval.Result, retrieval.Needs) {
	result, _ := ev.rank(p, true)
	if !o.Trace {
		result.Trace = nil
	}
	return result, retrieval.Needs{}
}

func (ev kept) Covers(p param.Params) (ok bool, why string) {
	if _, ok := ev.rank(p, false); !ok {
		return false, "not recorded: " + noParams
	}
	return true, ""
}

func (ev kept) Ablations(p param.Params) []whynot.Ablation {
	toggles, err := find[[]whynot.Ablation](ev.r, noMore, callToggles, ev.query, &p)
	if err != nil {
		return nil
	}
	return toggles
}

func (ev kept) Breakpoints(p param.Params, field string, _ func() bool) whynot.Breakpoints {
	return ev.track(callTurns, p, field)
}

func (ev kept) CoarseBreakpoints(p param.Params, field string, _ int, _ func() bool) whynot.Breakpoints {
	return ev.track(callSketch, p, field)
}

func (ev kept) track(call string, p param.Params, field string) whynot.Breakpoints {
	track, err := find[whynot.Breakpoints](ev.r, noMore, call, ev.query, &p, field)
	if err != nil {
		return whynot.Breakpoints{Field: field}
	}
	return track
}

func (ev kept) RankBreakpoints(p param.Params, chunkID string, _ func() bool) []whynot.RankBreakpoint {
	turns, err := find[[]whynot.RankBreakpoint](ev.r, noMore, callRankTurns, ev.query, &p, chunkID)
	if err != nil {
		return nil
	}
	return turns
}

func (ev kept) Labels(ids []string) []retrieval.ChunkLabel {
	named := make([]retrieval.ChunkLabel, len(ids))
	for i, id := range ids {
		n, err := find[retrieval.ChunkLabel](ev.r, noMore, callNamed, "", nil, id)
		if err != nil {
			n = retrieval.ChunkLabel{ChunkID: id}
		}
		named[i] = n
	}
	return named
}

// shelf reads what was read.
type shelf struct{ r *Recording }

func (s shelf) Survey(context.Context) (session.Survey, error) {
	return find[session.Survey](s.r, noMore, callSurvey, "", nil)
}

// Section is one that was read, or the text of a result.
func (s shelf) Section(_ context.Context, id string) (store.Chunk, error) {
	c, err := find[store.Chunk](s.r, noMore, callSection, "", nil, id)
	if err == nil {
		return c, nil
	}
	it, ok := s.r.sections[id]
	if !ok {
		return store.Chunk{}, err
	}
	t, err := find[text](s.r, noMore, callText, "", nil, textArgs(it)...)
	if err != nil {
		return store.Chunk{}, err
	}
	return store.Chunk{
		ID: it.ChunkID, DocumentID: it.DocumentID, ParentID: it.ParentID, Level: it.Level, Index: it.ChunkIndex,
		SectionHeading: it.SectionHeading, HeadingPath: it.HeadingPath, Anchor: it.Anchor,
		CharStart: it.CharStart, CharEnd: it.CharEnd, TokenStart: it.TokenStart, TokenEnd: it.TokenEnd,
		Flags: it.Flags, HTMLTokens: it.HTMLTokens, Depth: it.Depth, Title: it.Title, SourceURL: it.SourceURL, FetchedAt: it.FetchedAt,
		ChunkText: t.Markdown, HTMLText: t.HTML,
	}, nil
}

func (s shelf) SectionAt(_ context.Context, url string, at int) (store.Chunk, error) {
	return find[store.Chunk](s.r, noMore, callAt, "", nil, url, fmt.Sprint(at))
}

func (s shelf) Sections(_ context.Context, limit int, known int64) (session.SectionList, error) {
	list, err := find[session.SectionList](s.r, noMore, callNames, "", nil, fmt.Sprint(limit))
	if err == nil && list.Version == known {
		return session.SectionList{Version: known}, nil
	}
	return list, err
}

func (s shelf) Pages(_ context.Context, from, n int) ([]session.PageEntry, error) {
	return find[[]session.PageEntry](s.r, noMore, callPages, "", nil, fmt.Sprint(from), fmt.Sprint(n))
}

func (s shelf) PageLinks(_ context.Context, ids []string) ([][]string, error) {
	links, err := find[[][]string](s.r, noMore, callLinks, "", nil, ids...)
	if err == nil && len(links) != len(ids) {
		return nil, &ui.NotRecordedError{Why: noMore}
	}
	return links, err
}

func (s shelf) Page(_ context.Context, id string) (*session.PageContent, error) {
	page, err := find[session.PageContent](s.r, noMore, callPage, "", nil, id)
	if err != nil {
		return nil, err
	}
	return &page, nil
}

func (s shelf) SectionTexts(_ context.Context, ids []string) ([]store.Chunk, error) {
	return find[[]store.Chunk](s.r, noMore, callTexts, "", nil, ids...)
}

func (s shelf) Links(_ context.Context, id string) ([]session.SectionLink, error) {
	return find[[]session.SectionLink](s.r, noMore, callInside, "", nil, id)
}

func (s shelf) SectionByURL(_ context.Context, url string) (store.Chunk, error) {
	return find[store.Chunk](s.r, noMore, callAddress, "", nil, url)
}

// Cost implements [ui.Cosiner]: nobody is asked.
func (s shelf) Cost(string) int { return 0 }

func (s shelf) Cosines(_ context.Context, query string, _ []float32, it *retrieval.Item) (session.Cosines, error) {
	return find[session.Cosines](s.r, noMore, callCosines, query, nil, cosineArgs(it)...)
}

// readable takes the stand-ins out of what was written.
func readable(toggles []whynot.Ablation) {
	for i := range toggles {
		if toggles[i].Comparison.TauB == noTau {
			toggles[i].Comparison.TauB = math.NaN()
		}
	}
}
