package retrieval

import (
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

var depthStage = StageSpec{
	Name: param.StageDepth, Phase: PhaseChoose, modes: inChunkMode,
	About:   "What is far from the start page loses some of its score.",
	on:      func(p *param.Params) bool { return p.DepthDecayRate > 0 },
	apply:   applyDepth,
	explain: explainDepth,
}

// applyDepth weights each score by the distance of its page from the seed page
// and orders the candidates by the outcome. It drops nothing, but through the
// budget it can decide what is dropped.
func applyDepth(r *ranking, s *Stage) {
	r.reweigh(s, scaleTimesDepth, r.depthWeight)
	s.show(&r.p, param.FieldDepthDecayRate, param.FieldDepthFloor)
}

// depthWeight is what the distance of a row's page leaves of its score:
// max(1 − depth × rate, floor).
func (r *ranking) depthWeight(row int32) float64 {
	_, _, weight := r.decay(row)
	return weight
}

// decay is what the distance of a row's page takes off, as a negative number, what
// is left of 1 then, and the weight: that, but not less than the floor.
func (r *ranking) decay(row int32) (off, left, weight float64) {
	off = float64(float64(r.ev.rows[row].depth) * -r.p.DepthDecayRate)
	left = 1 + off
	return off, left, max(left, r.p.DepthFloor)
}

func explainDepth(r *ranking, c *candidate, e *Explanation) *Explanation {
	links := int(r.ev.rows[c.row].depth)
	off, left, weight := r.decay(c.row)
	depth, rate := strconv.Itoa(links), phrase.Number(r.p.DepthDecayRate)
	formula := "1 − " + depth + "×" + rate
	linear := r.leaf(1, "no decay", scaleMultiplier)
	if links != 0 {
		linear = r.node(Explanation{Op: OpSum, Value: left, Label: "linear decay", Formula: formula}, linear,
			r.node(Explanation{Op: OpProduct, Value: off, Label: "decay"},
				r.leaf(float64(links), "links from the seed page", ""), r.leaf(-r.p.DepthDecayRate, "for each", "")))
	}
	clamp := r.node(Explanation{
		Op: OpClamp, Value: weight, Label: "depth " + depth,
		Formula: "max(" + formula + ", " + phrase.Number(r.p.DepthFloor) + ")", Scale: scaleMultiplier, Fields: param.FieldDepthDecayRate + "," + param.FieldDepthFloor,
	}, r.leaf(r.p.DepthFloor, "depth floor", scaleMultiplier), linear)
	label := "score × depth"
	if !r.fusing.on && r.p.MaxHops == 0 {
		label = "similarity × depth"
	}
	return r.reweighed(e, clamp, label, scaleTimesDepth)
}
