package retrieval

import (
	"math"
	"slices"
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// stageDepth weights each score by the distance of its page from the seed page
// and orders the candidates by the outcome. It drops nothing, but through the
// budget it can decide what is dropped.
func stageDepth(r *ranking, s *Stage) {
	for i := range r.list {
		c := &r.list[i]
		c.score = float64(c.score * depthMultiplier(r.p, r.ev.rows[c.row].depth))
	}
	moved := r.reorder()
	r.scale += scaleTimesDepth
	if s != nil {
		s.Params = r.p.Values(param.FieldDepthDecayRate, param.FieldDepthFloor)
		s.Notes = []string{strconv.Itoa(moved) + " moved"}
	}
}

// depthMultiplier is max(1 - depth × rate, floor).
func depthMultiplier(p param.Params, depth int32) float64 {
	return max(1-float64(float64(depth)*p.DepthDecayRate), p.DepthFloor)
}

// stageRecency halves a score with each half-life of its page's age. A page
// without a time, or from the future, keeps its score.
func stageRecency(r *ranking, s *Stage) {
	for i := range r.list {
		c := &r.list[i]
		c.score = float64(c.score * r.ageMultiplier(c.row))
	}
	moved := r.reorder()
	r.scale += scaleTimesAge
	if s != nil {
		s.Params = r.p.Values(param.FieldRecencyHalfLife)
		s.Notes = []string{strconv.Itoa(moved) + " moved"}
	}
}

const hoursInDay = 24

// ageMultiplier is 2^(−age/half-life).
func (r *ranking) ageMultiplier(row int32) float64 {
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

// reorder sorts by score and returns how many changed their place.
func (r *ranking) reorder() (moved int) {
	for i := range r.list {
		r.list[i].rank = int32(i + 1)
	}
	slices.SortFunc(r.list, func(a, b candidate) int { return r.less(&a, &b) })
	for i := range r.list {
		if r.list[i].rank != int32(i+1) {
			moved++
		}
		r.list[i].rank = int32(i + 1)
	}
	return moved
}
