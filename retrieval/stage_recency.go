package retrieval

import (
	"math"
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// recencyStage halves a score with each half-life of its page's age. A page without
// a time, or from the future, keeps its score.
var recencyStage = weighing(StageSpec{
	Name: param.StageRecency, Phase: PhaseChoose, modes: inChunkMode,
	About: "What is old loses some of its score.",
	on:    func(p *param.Params) bool { return p.RecencyHalfLife > 0 },
	weigh: &multiplier{
		weight: ageWeight, explain: explainAge, fields: []string{param.FieldRecencyHalfLife}, scale: " × age",
		label: func(*param.Params) string { return "score × age" },
	},
})

const hoursInDay = 24

// ageWeight is 2^(−age/half-life).
func ageWeight(r *ranking, row int32) float64 {
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

func explainAge(r *ranking, row int32) *Explanation {
	return r.node(Explanation{
		Op: OpLeaf, Value: ageWeight(r, row), Label: "age of " + strconv.FormatFloat(r.ageInDays(row), 'f', 1, 64) + " days",
		Formula: "2^(−age / " + phrase.Number(r.p.RecencyHalfLife) + ")", Scale: scaleMultiplier,
	})
}
