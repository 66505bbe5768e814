package retrieval

import (
	"slices"
	"strconv"
)

// reweigh multiplies each score by the weight of its row and orders the candidates
// by the outcome. The scale of the scores is called after what multiplies them.
func (r *ranking) reweigh(s *Stage, scale string, weight func(row int32) float64) {
	for i := range r.list {
		c := &r.list[i]
		c.score = weighed(c.score, weight(c.row))
	}
	moved := r.reorder()
	r.scale += scale
	if s != nil {
		s.Notes = []string{strconv.Itoa(moved) + " moved"}
	}
}

// weighed is a score after [ranking.reweigh]. The conversion rounds it on every
// machine alike.
func weighed(score, weight float64) float64 { return float64(score * weight) }

// reweighed explains what [ranking.reweigh] made of a score.
func (r *ranking) reweighed(e, weight *Explanation, label, scale string) *Explanation {
	return r.node(Explanation{
		Op: OpProduct, Value: weighed(e.Value, weight.Value), Label: label,
		Formula: brief(e.Value) + " × " + brief(weight.Value), Scale: e.Scale + scale,
	}, e, weight)
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
