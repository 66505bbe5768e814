package retrieval

import "strconv"

// ScaleUnit is the scale of rerankers whose scores lie between 0 and 1. Only
// these are compared with the least score.
const ScaleUnit = "0 to 1"

// The scales that scores stand on.
const (
	scaleCosine     = "cosine, −1 to 1"
	scaleRRF        = "normalized RRF, 0 to 1, made of ranks"
	scaleRawRRF     = "RRF, at most 1/(k+1), made of ranks"
	scaleConvex     = "convex combination of scores, 0 to 1"
	scaleGraph      = "seed score and edges, 0 to 1"
	scaleMultiplier = "multiplier, 0 to 1"
	scaleBM25       = "BM25, no upper bound"
	scaleFlat       = "1 for everything, not comparable"
	scaleUnscored   = "not scored by the reranker, on its old scale"
)

// Recompute works the value out again from the leaves. It equals Value bit for
// bit: the tree has the operations of the ranking, in its order.
func (e *Explanation) Recompute() float64 {
	if e.Op == OpLeaf || e.Op == OpNote {
		return e.Value
	}
	value, first := 0.0, true
	for _, child := range e.Children {
		if child.Op == OpNote {
			continue
		}
		next := child.Recompute()
		if first {
			value, first = next, false
			continue
		}
		switch e.Op {
		case OpSum:
			value = float64(value) + float64(next)
		case OpProduct:
			value = float64(value * next)
		case OpQuotient:
			value = float64(value) / float64(next)
		case OpMax, OpClamp:
			value = max(value, next)
		case OpLeaf, OpNote:
		}
	}
	return value
}

// node makes a node of a tree. Nodes are made in blocks: a result has thousands.
func (r *ranking) node(e Explanation, children ...*Explanation) *Explanation {
	const block = 128
	if len(r.nodes) == cap(r.nodes) {
		r.nodes = make([]Explanation, 0, block)
	}
	if len(children) > 0 {
		e.Children = children
	}
	r.nodes = append(r.nodes, e)
	return &r.nodes[len(r.nodes)-1]
}

func (r *ranking) leaf(value float64, label, scale string) *Explanation {
	return r.node(Explanation{Op: OpLeaf, Value: value, Label: label, Scale: scale})
}

// beside is a number that has no part in the arithmetic.
func (r *ranking) beside(value float64, label, scale string) *Explanation {
	return r.node(Explanation{Op: OpNote, Value: value, Label: label, Scale: scale})
}

// explain takes the score of a candidate apart: what each stage made of it, up to
// the stage that dropped it, empty when none did.
func (r *ranking) explain(c *candidate, until string) *Explanation {
	var e *Explanation
	for _, s := range stageTable {
		if s.explain != nil && r.takesPart(s) {
			e = s.explain(r, c, e)
		}
		if s.Name == until {
			break
		}
	}
	return e
}

// brief is a computed number in a formula: its value stands beside it in full.
func brief(f float64) string { return strconv.FormatFloat(f, 'g', 6, 64) }

// notePending marks a stage that waits for something to be fetched.
const notePending = "pending: not everything was fetched yet"
