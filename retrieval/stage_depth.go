package retrieval

import (
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

var depthStage = weighing(StageSpec{
	Name: param.StageDepth, Phase: PhaseChoose, modes: inChunkMode,
	About: "What is far from the start page loses some of its score.",
	on:    func(p *param.Params) bool { return p.DepthDecayRate > 0 },
	weigh: &multiplier{
		weight:  func(r *ranking, row int32) float64 { _, _, weight := r.decay(row); return weight },
		explain: explainDepth, fields: []string{param.FieldDepthDecayRate, param.FieldDepthFloor}, scale: " × depth",
		label: func(p *param.Params) string {
			if p.KeywordWeight == 0 && p.MaxHops == 0 {
				return "similarity × depth"
			}
			return "score × depth"
		},
	},
})

// decay is what the distance of a row's page from the seed page takes off, as a
// negative number, what is left of 1 then, and the weight: max(1 − depth × rate, floor).
func (r *ranking) decay(row int32) (off, left, weight float64) {
	off = float64(float64(r.ev.rows[row].depth) * -r.p.DepthDecayRate)
	left = 1 + off
	return off, left, max(left, r.p.DepthFloor)
}

// explainDepth takes the weight of a row apart. All items of one depth share that: few
// depths stand for thousands of items.
func explainDepth(r *ranking, row int32) *Explanation {
	links := int(r.ev.rows[row].depth)
	if known := r.depths[links]; known != nil {
		return known
	}
	off, left, weight := r.decay(row)
	depth, rate := strconv.Itoa(links), phrase.Number(r.p.DepthDecayRate)
	formula := "1 − " + depth + "×" + rate
	linear := r.leaf(1, "no decay", scaleMultiplier)
	if links != 0 {
		linear = r.node(Explanation{Op: OpSum, Value: left, Label: "linear decay", Formula: formula}, linear,
			r.node(Explanation{Op: OpProduct, Value: off, Label: "decay"},
				r.leaf(float64(links), "links from the seed page", ""), r.leaf(-r.p.DepthDecayRate, "for each", "")))
	}
	e := r.node(Explanation{
		Op: OpClamp, Value: weight, Label: "depth " + depth,
		Formula: "max(" + formula + ", " + phrase.Number(r.p.DepthFloor) + ")", Scale: scaleMultiplier,
	}, r.leaf(r.p.DepthFloor, "depth floor", scaleMultiplier), linear)
	if r.depths == nil {
		r.depths = map[int]*Explanation{}
	}
	r.depths[links] = e
	return e
}
