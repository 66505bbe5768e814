package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// ErrUnknown is the error for a ranking that needs more than was gathered, where nobody may
// be asked.
var ErrUnknown = errors.New("this needs more than was gathered")

// Question is a query of a set with what was judged for it and with what the corpus
// answered. It is used by one goroutine at a time.
type Question struct {
	judgment.Query

	template retrieval.Query
	grader   *judgment.Grader // nil where nothing was judged
	// evidence was gathered for settings that do not cover each other, the latest last.
	evidence []*gathered
	places   []judgment.Ranked
	// order are the ids of what was ranked last, as places are where it stands.
	order []string
	// scratch is what rankings work in while many are made, else nil.
	scratch *retrieval.Scratch
}

// gathered is evidence with what [Question.brief] has looked up of its chunks, by their
// numbers.
type gathered struct {
	retrieval.Evidence
	chunks []chunk
}

// chunk is the place of a chunk; known says that it was looked up.
type chunk struct {
	judgment.Ranked
	id     string
	tokens int
	known  bool
}

// mostEvidence bounds what is kept of one query: each is some hundred rows.
const mostEvidence = 8

// extraRounds is how often evidence is extended beyond once for each hop, see
// [retrieval.Retrieve]; texts are not needed here.
const extraRounds = 5

// Rank ranks by p, and asks the corpus for what is missing for that. With nil for deps it
// asks nobody, and fails with [ErrUnknown]. The result has no texts.
func (q *Question) Rank(ctx context.Context, d *retrieval.Deps, p param.Params) (retrieval.Result, error) {
	ev, err := q.covering(ctx, d, p)
	if err != nil {
		return retrieval.Result{}, err
	}
	for round := 0; ; round++ {
		result, needs := retrieval.Rank(ev.Evidence, p, retrieval.Options{Scratch: q.scratch})
		needs.Texts = nil
		switch {
		case needs.IsZero() || round > p.MaxHops+extraRounds:
			return result, nil
		case d == nil:
			return retrieval.Result{}, ErrUnknown
		}
		more, err := retrieval.Extend(ctx, *d, ev.Evidence, needs)
		if err != nil {
			return retrieval.Result{}, q.failed(err)
		}
		*ev = gathered{Evidence: more}
	}
}

// covering is evidence that reaches as far as p.
func (q *Question) covering(ctx context.Context, d *retrieval.Deps, p param.Params) (*gathered, error) {
	for _, ev := range q.evidence {
		if ok, _ := ev.Covers(p); ok {
			return ev, nil
		}
	}
	if d == nil {
		return nil, ErrUnknown
	}
	query := q.template
	query.Text = q.Text
	ev, err := retrieval.Gather(ctx, *d, query, p)
	if err != nil {
		return nil, q.failed(err)
	}
	if len(q.evidence) == mostEvidence {
		q.evidence = slices.Delete(q.evidence, 0, 1)
	}
	q.evidence = append(q.evidence, &gathered{Evidence: ev})
	return q.evidence[len(q.evidence)-1], nil
}

func (q *Question) failed(err error) error { return fmt.Errorf("query %s: %w", q.ID, err) }

// Judged is a result of the query as its judgments see it. The grades are valid until
// the next call.
func (q *Question) Judged(r *retrieval.Result) evaluation.Judged {
	q.places = judgment.Ranking(q.places[:0], r)
	return q.judged()
}

// judged are the places as the judgments see them.
func (q *Question) judged() evaluation.Judged {
	if q.grader == nil {
		return evaluation.Judged{Grades: slices.Repeat([]int{evaluation.Unjudged}, len(q.places))}
	}
	return q.grader.Judged(q.places)
}

// Forget lets go of what was gathered.
func (q *Question) Forget() { q.evidence = nil }
