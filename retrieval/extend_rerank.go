package retrieval

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// rerankAnswer is what a reranker said about chunks, or why it said nothing.
type rerankAnswer struct {
	by    reason
	scale string
	// scores are by chunk id; a chunk without one was not scored.
	scores  map[string]float64
	asked   map[string]bool
	invalid int
	notes   []string
	err     reason
}

// textsToScore are the markdown texts of chunks, in their order. One that is gone
// is blank.
func textsToScore(ctx context.Context, view store.View, ids []string) ([]string, error) {
	chunks, err := view.Chunks(ctx, ids, store.FieldText)
	if err != nil {
		return nil, err
	}
	at := make(map[string]string, len(chunks))
	for i := range chunks {
		at[chunks[i].ID] = chunks[i].ChunkText
	}
	return each(ids, func(id *string) string { return at[*id] }), nil
}

// score asks the scorer of a reranker. Only the caller's own end is an error.
func (ev *Evidence) score(ctx context.Context, d *Deps, need *RerankNeed, docs []string) error {
	answer := rerankAnswer{by: ours(string(need.By)), scores: map[string]float64{}, asked: map[string]bool{}}
	for _, id := range need.Chunks {
		answer.asked[id] = true
	}
	scorer := d.Scorers[need.By]
	listwise := false
	if scorer == nil {
		answer.err = ours(fmt.Sprintf("no reranker %q is configured", need.By))
	} else {
		// What a reranker is called may have the server that it is asked at.
		answer.by = reason{scorer.ID(), string(need.By)}
		answer.scale, listwise = scorer.Scale(), scorer.Listwise()
		scores, err := scorer.Score(ctx, ev.query.Text, docs)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			answer.err = reasonOf(err)
		} else if err = answer.take(need.Chunks, scores); err != nil {
			answer.err = ours(err.Error())
		}
		if err != nil {
			d.log().WarnContext(ctx, "rerank", "by", answer.by.said, "error", err)
		}
	}
	known := make(map[string]rerankAnswer, len(ev.answers)+1)
	maps.Copy(known, ev.answers)
	if !listwise {
		// Scores that stand alone are of use whatever list they are in.
		if old, ok := known[string(need.By)]; ok && old.err.isNone() && answer.err.isNone() {
			maps.Copy(answer.scores, old.scores)
			maps.Copy(answer.asked, old.asked)
		}
		known[string(need.By)] = answer
	} else {
		known[answerKey(need.By, need.Chunks)] = answer
	}
	ev.answers = known
	return nil
}

// take checks and takes over scores.
func (a *rerankAnswer) take(ids []string, s Scores) error {
	if len(s.Values) != len(ids) || len(s.Scored) != len(ids) {
		return fmt.Errorf("the reranker returned %d scores for %d texts", len(s.Values), len(ids))
	}
	for i, id := range ids {
		if !s.Scored[i] {
			continue
		}
		if math.IsNaN(s.Values[i]) || math.IsInf(s.Values[i], 0) {
			return fmt.Errorf("the reranker's score of text %d is not a number", i)
		}
		a.scores[id] = s.Values[i]
	}
	a.invalid, a.notes = s.Invalid, s.Notes
	return nil
}

// answerKey is where the answer to a list stands: the reranker and the list in
// its order.
func answerKey(by param.RerankerKind, ids []string) string {
	sum := sha256.Sum256([]byte(strings.Join(ids, "\x00")))
	return string(by) + "/" + hex.EncodeToString(sum[:])
}
