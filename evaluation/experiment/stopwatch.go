package experiment

import (
	"context"
	"time"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// stopwatch times the rankings of a question.
type stopwatch struct {
	now      func() time.Time // nil times nothing
	question *Question
	// alone is how long it takes to gather as far as some settings reach.
	alone map[reach]time.Duration
}

// reach is what of a setting decides what is gathered.
type reach struct {
	way      retrieval.SearchWay
	rows     int
	keywords bool
	mode     param.Mode
}

// start begins to time the ranking by a setting, for which what is shared has been gathered
// then. done is how long it took, with how long that setting gathers by itself.
func (w *stopwatch) start(ctx context.Context, d *retrieval.Deps, p param.Params) (done func() time.Duration, err error) {
	if w.now == nil {
		return func() time.Duration { return 0 }, nil
	}
	r := reach{retrieval.WayOf(p), p.ArmRows(), p.KeywordWeight > 0, p.Mode}
	gathering, known := w.alone[r]
	if !known {
		query := w.question.template
		query.Text = w.question.Text
		since := w.now()
		if _, err := retrieval.Gather(ctx, *d, query, p); err != nil {
			return nil, w.question.failed(err)
		}
		gathering = w.now().Sub(since)
		w.alone[r] = gathering
	}
	if _, err := w.question.covering(ctx, d, p); err != nil {
		return nil, err
	}
	since := w.now()
	return func() time.Duration { return gathering + w.now().Sub(since) }, nil
}
