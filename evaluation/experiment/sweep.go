package experiment

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// Numbers are what a sweep keeps of the ranking of one question by one setting.
type Numbers struct {
	// Scores has a value for each measure.
	Scores []float64
	// Returned is how many results there were, and Tokens the tokens of their markdown.
	Returned, Tokens int
	// Took is what the ranking would have taken by itself: gathering as far as the setting
	// reaches, which settings that reach as far share, and ranking. It is 0 where nothing was
	// timed.
	Took time.Duration
}

// SweepOptions say what a sweep ranks and keeps.
type SweepOptions struct {
	Measures []evaluation.Measure
	// Keep keeps what is gathered for the next sweep, as far as [mostKept] goes.
	Keep bool
	// Now is the clock by which rankings are timed; nil times none. With it every reach is
	// gathered once more for each question, by itself.
	Now func() time.Time
	// Skip leaves a question out; nil leaves out none.
	Skip func(question int) bool
	// Through is given what came of a question, by setting, as soon as all settings have
	// ranked it: in any order, of one question at a time. An error ends the sweep.
	Through func(question int, by []Numbers) error
}

// mostKept bounds what is kept between sweeps, in chunks: some hundred megabytes.
const mostKept = 200_000

// Sweep ranks every question by every setting and keeps numbers alone: it has one question's
// evidence for each core and forgets it then, so that memory does not grow with the set. A
// setting that reaches beyond what was gathered asks again. It uses all cores; the same
// input gives the same numbers.
func (x *Experiment) Sweep(ctx context.Context, d retrieval.Deps, settings []param.Params, o SweepOptions) error {
	order := farthestFirst(settings)
	var one sync.Mutex
	var kept atomic.Int64
	for _, q := range x.Questions {
		kept.Add(q.chunks())
	}
	return x.each(ctx, nil, func(ctx context.Context, question int) error {
		if o.Skip != nil && o.Skip(question) {
			return nil
		}
		q := x.Questions[question]
		kept.Add(-q.chunks())
		q.scratch = new(retrieval.Scratch)
		defer func() {
			q.scratch = nil
			if !o.Keep || kept.Add(q.chunks()) > mostKept {
				q.Forget()
			}
		}()
		by, scores := make([]Numbers, len(settings)), make([]float64, len(settings)*len(o.Measures))
		watch := stopwatch{now: o.Now, question: q, alone: map[reach]time.Duration{}}
		for _, s := range order {
			if err := ctx.Err(); err != nil {
				return err
			}
			done, err := watch.start(ctx, &d, settings[s])
			if err != nil {
				return err
			}
			j, tokens, err := q.brief(ctx, &d, settings[s])
			if err != nil {
				return err
			}
			took := done()
			from := s * len(o.Measures)
			by[s] = Numbers{Scores: scores[from : from+len(o.Measures) : from+len(o.Measures)], Returned: len(j.Grades), Tokens: tokens, Took: took}
			for i, m := range o.Measures {
				by[s].Scores[i] = m.Of(j)
			}
		}
		one.Lock()
		defer one.Unlock()
		return o.Through(question, by)
	})
}

// chunks counts those that are known.
func (q *Question) chunks() (n int64) {
	for _, ev := range q.evidence {
		n += int64(ev.Chunks())
	}
	return n
}

// brief is [Question.Judged] of [Question.Rank], with the tokens of the result, at a fraction of
// the cost: no items are made where the order of chunks says it all.
func (q *Question) brief(ctx context.Context, d *retrieval.Deps, p param.Params) (j evaluation.Judged, tokens int, err error) {
	ev, err := q.covering(ctx, d, p)
	if err != nil {
		return j, 0, err
	}
	q.order = q.order[:0]
	var order retrieval.Order
	joins := p.MergeAdjacent && p.Unit == param.UnitChunk
	if !joins {
		if q.scratch == nil {
			order = ev.Order(p)
		} else {
			order = q.scratch.Order(&ev.Evidence, p)
		}
	}
	if joins || order.Beyond != "" {
		r, err := q.Rank(ctx, d, p)
		if err != nil {
			return j, 0, err
		}
		for _, it := range r.ByRank() {
			q.order = append(q.order, it.ChunkID)
		}
		return q.Judged(&r), r.Tokens, nil
	}
	q.places = q.places[:0]
	for _, number := range order.Ranked {
		c := ev.chunk(number)
		q.places, q.order = append(q.places, c.Ranked), append(q.order, c.id)
		tokens += c.tokens
	}
	return q.judged(), tokens, nil
}

// chunk looks up the place of a chunk, once.
func (g *gathered) chunk(number int32) *chunk {
	if g.chunks == nil {
		g.chunks = make([]chunk, g.Chunks())
	}
	c := &g.chunks[number]
	if !c.known {
		of := g.Chunk(number)
		*c = chunk{judgment.Ranked{Page: of.SourceURL, Section: cmp.Or(of.ParentID, of.ID), Start: of.CharStart, End: of.CharEnd}, of.ID, of.Tokens(), true}
	}
	return c
}
