package retrieval

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// mostReranked is how many candidates a reranker is asked about; the others stay
// below them.
const mostReranked = 100

var rerankStage = StageSpec{
	Name: param.StageRerank, Phase: PhaseChoose, modes: inChunkMode,
	About:   "A model scores the best sections anew.",
	on:      func(p *param.Params) bool { return p.Reranker != param.RerankerNone },
	apply:   applyRerank,
	explain: explainRerank,
	notices: noticeRerank,
}

// noticeRerank tells of scores that are missing.
func noticeRerank(r *ranking) {
	if r.answer == nil || r.pending {
		return
	}
	unscored := count(r.list, func(c *candidate) bool { return !c.reranked })
	switch {
	case !r.answer.err.isNone():
		r.note(phrase.NoticeRerankFailed, r.answer.err)
	case len(r.answer.asked) > 0 && len(r.answer.scores) == 0:
		r.note(phrase.NoticeRerankSilent, r.answer.by)
	case r.reranked > mostReranked:
		r.note(phrase.NoticeRerankCut, r.answer.by, mostReranked, r.reranked)
	case unscored > 0:
		r.note(phrase.NoticeRerankPartial, r.answer.by, unscored)
	}
}

// applyRerank gives the candidates the scores of a reranker and orders them by
// these. A reranker that said nothing leaves everything as it is.
func applyRerank(r *ranking, s *Stage) {
	s.show(&r.p, param.FieldReranker)
	if r.p.Reranker == param.RerankerScore {
		s.show(&r.p, param.FieldRerankMinScore)
		// The order is by score already.
		r.keep(param.StageRerank, func(_ int, c *candidate) (bool, Drop) {
			return c.score >= r.p.RerankMinScore, Drop{Reason: phrase.ReasonRerankedOut, Value: c.score, Threshold: r.p.RerankMinScore}
		})
		return
	}
	answer := r.findAnswer()
	if answer == nil {
		s.note(notePending)
		return
	}
	r.answer, r.reranked = answer, len(r.list)
	if !answer.err.isNone() {
		s.note("failed: " + answer.err.said)
		return
	}
	if len(answer.scores) == 0 {
		s.note("no scores came back")
		return
	}
	unscored := r.takeScores(answer)
	if s != nil {
		s.Duration = r.ev.timing.rerank
		s.show(&r.p, param.FieldUnscored)
		s.Notes = append([]string{fmt.Sprintf("%s scored %d of %d, %s", answer.by.said, len(r.list)-unscored, len(r.list), answer.scale)}, answer.notes...)
		if answer.invalid > 0 {
			s.note(strconv.Itoa(answer.invalid) + " scores were for no candidate")
		}
	}
}

// findAnswer is what the reranker said about the candidates, nil when it was not
// asked yet: then it is asked for.
func (r *ranking) findAnswer() *rerankAnswer {
	ids := each(r.list[:min(mostReranked, len(r.list))], func(c *candidate) string { return r.ev.rows[c.row].id })
	if len(ids) == 0 {
		return &rerankAnswer{by: ours(string(r.p.Reranker))}
	}
	if a, ok := r.ev.answers[answerKey(r.p.Reranker, ids)]; ok {
		return &a
	}
	missing := ids
	if a, ok := r.ev.answers[string(r.p.Reranker)]; ok {
		if missing = slices.DeleteFunc(ids, func(id string) bool { return a.asked[id] }); len(missing) == 0 {
			return &a
		}
	}
	if !r.pending {
		r.pending = true
		r.needs.Rerank = &RerankNeed{By: r.p.Reranker, Chunks: missing}
	}
	return nil
}

// takeScores orders the candidates by the reranker's scores. Those without one
// come below all others in their old order, or keep a score that stands on
// another scale.
func (r *ranking) takeScores(answer *rerankAnswer) (unscored int) {
	for i := range r.list {
		c := &r.list[i]
		c.before = int32(i + 1)
		if score, ok := answer.scores[r.ev.rows[c.row].id]; ok {
			c.score, c.reranked = score, true
		} else {
			unscored++
		}
	}
	keep := r.p.Unscored == param.UnscoredKeep
	slices.SortStableFunc(r.list, func(a, b candidate) int {
		switch {
		case a.reranked != b.reranked && !keep && a.reranked:
			return -1
		case a.reranked != b.reranked && !keep:
			return 1
		case keep || a.reranked:
			return cmp.Compare(b.score, a.score)
		default:
			return 0 // by old rank
		}
	})
	r.scale = answer.scale
	return unscored
}

// explainRerank puts the reranker's score above what it took the place of.
func explainRerank(r *ranking, c *candidate, e *Explanation) *Explanation {
	if !c.reranked {
		return e
	}
	before := *e
	before.Op, before.Label = OpNote, "before the reranking: "+e.Label
	return r.node(Explanation{Op: OpLeaf, Value: c.score, Label: "reranked by " + r.answer.by.said, Scale: r.answer.scale, Fields: param.FieldReranker}, r.node(before, e.Children...))
}
