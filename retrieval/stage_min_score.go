package retrieval

import (
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

var minScoreStage = StageSpec{
	Name: param.StageMinScore, Title: "min score", Phase: PhaseChoose, modes: inChunkMode,
	About: "Sections below the min score are dropped.",
	on:    func(p *param.Params) bool { return p.MinScore > 0 },
	apply: applyMinScore,
	notices: func(r *ranking) {
		if !r.pending && r.onForeignScale() {
			r.note(phrase.NoticeForeignScale, param.Called(param.FieldMinScore), r.answer.by, r.answer.scale)
		}
	},
}

// applyMinScore drops what scores too low, after reranking. The scores of a
// reranker on a scale of its own are not compared, nor those of candidates that
// it did not score.
func applyMinScore(r *ranking, s *Stage) {
	s.show(&r.p, param.FieldMinScore)
	if r.onForeignScale() {
		if s != nil {
			s.note("the scores are on a scale of their own (" + r.scale + "): nothing was compared")
		}
		return
	}
	r.keep(param.StageMinScore, func(_ int, c *candidate) (bool, Drop) {
		return c.score >= r.p.MinScore || r.answered() && !c.reranked,
			Drop{Reason: phrase.ReasonBelowMinScore, Value: c.score, Threshold: r.p.MinScore}
	})
}

// answered reports whether a reranker gave scores.
func (r *ranking) answered() bool {
	return r.answer != nil && r.answer.err.isNone() && len(r.answer.scores) > 0
}

// onForeignScale reports whether the scores are a reranker's that do not lie
// between 0 and 1.
func (r *ranking) onForeignScale() bool { return r.answered() && r.answer.scale != ScaleUnit }
