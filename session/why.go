package session

import (
	"context"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
)

// reasons finds out why something is, or is not, among the results.
type reasons struct {
	works  *works
	tuning *tuning
	answer *answer
}

// WhyNot finds out why a text is not among the results of the present query, ranked by p.
// The report is in what the work brings.
func (r *reasons) WhyNot(t whynot.Target, p param.Params) []Work { return r.ask(KindWhy, t, p) }

// Admit finds out what lets the nearest section in that the present result leaves out. The
// report is in what the work brings.
func (r *reasons) Admit() []Work {
	if r.answer.result == nil || len(r.answer.result.NearMisses) == 0 {
		return nil
	}
	return r.ask(KindAdmit, whynot.Target{ChunkID: r.answer.result.NearMisses[0].ChunkID}, r.tuning.params)
}

// StopWhy gives up finding out why a text is not among the results.
func (r *reasons) StopWhy() { r.works.end(KindWhy) }

func (r *reasons) ask(k Kind, t whynot.Target, p param.Params) []Work {
	if r.works.engine == nil {
		return nil
	}
	e, query := r.works.engine, r.answer.query
	asked := Done{Query: query, Params: p, Asked: []string{AskedWhy, t.ChunkID, t.SourceURL, t.Quote}}
	return []Work{r.works.begin(k, 0, r.works.replayable(asked, func(ctx context.Context, d *Done) {
		d.Report, d.Err = e.WhyNot(ctx, retrieval.Query{Text: query}, p, t)
	}))}
}
