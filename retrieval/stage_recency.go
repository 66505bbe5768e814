package retrieval

import (
	"math"
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

var recencyStage = StageSpec{
	Name: param.StageRecency, Phase: PhaseChoose, modes: inChunkMode,
	About:   "What is old loses some of its score.",
	on:      func(p *param.Params) bool { return p.RecencyHalfLife > 0 },
	apply:   applyRecency,
	explain: explainRecency,
}

// applyRecency halves a score with each half-life of its page's age. A page
// without a time, or from the future, keeps its score.
func applyRecency(r *ranking, s *Stage) {
	r.reweigh(s, scaleTimesAge, r.ageWeight)
	s.show(&r.p, param.FieldRecencyHalfLife)
}

const hoursInDay = 24

// ageWeight is 2^(−age/half-life).
func (r *ranking) ageWeight(row int32) float64 {
	days := r.ageInDays(row)
	if days <= 0 {
		return 1
	}
	return math.Exp2(-days / r.p.RecencyHalfLife)
}

// ageInDays is how old a row's page was when the evidence was gathered, 0 when
// that is not known.
func (r *ranking) ageInDays(row int32) float64 {
	fetched := r.ev.documents[r.ev.rows[row].document].fetchedAt
	if fetched.IsZero() {
		return 0
	}
	return max(0, r.ev.now.Sub(fetched).Hours()/hoursInDay)
}

func explainRecency(r *ranking, c *candidate, e *Explanation) *Explanation {
	return r.reweighed(e, r.node(Explanation{
		Op: OpLeaf, Value: r.ageWeight(c.row), Label: "age of " + strconv.FormatFloat(r.ageInDays(c.row), 'f', 1, 64) + " days",
		Formula: "2^(−age / " + phrase.Number(r.p.RecencyHalfLife) + ")", Scale: scaleMultiplier, Fields: param.FieldRecencyHalfLife,
	}), "score × age", scaleTimesAge)
}
