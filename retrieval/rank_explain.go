package retrieval

import "strconv"

// The scales that scores stand on.
const (
	scaleCosine     = "cosine, −1 to 1"
	scaleMultiplier = "multiplier, 0 to 1"
	scaleScore      = "cosine × depth, −1 to 1"
	scaleFlat       = "1 for everything, not comparable"
)

// Recompute works the value out again from the leaves. It equals Value bit for
// bit: the tree has the operations of the ranking, in its order.
func (e *Explanation) Recompute() float64 {
	if e.Op == OpLeaf || len(e.Children) == 0 {
		return e.Value
	}
	value := e.Children[0].Recompute()
	for _, child := range e.Children[1:] {
		next := child.Recompute()
		switch e.Op {
		case OpSum:
			value = float64(value) + float64(next)
		case OpProduct:
			value = float64(value * next)
		case OpMax, OpClamp:
			value = max(value, next)
		case OpLeaf:
		}
	}
	return value
}

// explain takes the score of a section apart.
func (r *ranking) explain(sec *section, it *Item) *Explanation {
	if r.res.Mode == ModeFullContext {
		return &Explanation{Op: OpLeaf, Value: sec.score, Label: "full context: everything is returned", Scale: scaleFlat}
	}
	// One allocation holds the nodes of the tree, another the links.
	const inner = 9
	nodes := make([]Explanation, inner+len(it.Matches))
	links := make([]*Explanation, inner-1+len(it.Matches))
	next := 0
	node := func(e Explanation, children ...*Explanation) *Explanation {
		e.Children = links[:len(children):len(children)]
		links = links[copy(e.Children, children):]
		if len(children) == 0 {
			e.Children = nil
		}
		nodes[next] = e
		next++
		return &nodes[next-1]
	}
	leaf := func(value float64, label, scale string) *Explanation {
		return node(Explanation{Op: OpLeaf, Value: value, Label: label, Scale: scale})
	}

	best := node(Explanation{Op: OpMax, Value: sec.best, Label: "cosine, best of " + strconv.Itoa(len(it.Matches)), Scale: scaleCosine})
	best.Children = links[:len(it.Matches):len(it.Matches)]
	links = links[len(it.Matches):]
	for i := range it.Matches {
		best.Children[i] = leaf(it.Matches[i].Similarity, "child, rank "+strconv.Itoa(it.Matches[i].Rank), scaleCosine)
	}

	depth, rate := strconv.Itoa(it.Depth), number(r.p.DepthDecayRate)
	formula := "1 − " + depth + "×" + rate
	linear := leaf(1, "no decay", scaleMultiplier)
	if it.Depth != 0 && r.p.DepthDecayRate != 0 {
		// Taking away is adding the negative, which changes no bit.
		off := float64(it.Depth) * -r.p.DepthDecayRate
		linear = node(Explanation{Op: OpSum, Value: 1 + float64(off), Label: "linear decay", Formula: formula}, linear,
			node(Explanation{Op: OpProduct, Value: off, Label: "decay"},
				leaf(float64(it.Depth), "links from the seed page", ""), leaf(-r.p.DepthDecayRate, "for each", "")))
	}
	clamp := node(Explanation{
		Op: OpClamp, Value: sec.multiplier, Label: "depth " + depth,
		Formula: "max(" + formula + ", " + number(r.p.DepthFloor) + ")", Scale: scaleMultiplier,
	}, leaf(r.p.DepthFloor, "depth floor", scaleMultiplier), linear)
	return node(Explanation{
		Op: OpProduct, Value: sec.score, Label: "similarity × depth",
		Formula: number(sec.best) + " × " + number(sec.multiplier), Scale: scaleScore,
	}, best, clamp)
}
