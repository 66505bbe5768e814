package retrieval

import (
	"fmt"
	"math"
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

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
	scaleTimesDepth = " × depth"
	scaleTimesAge   = " × age"
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

// explain takes the score of a candidate apart, from the last stage to the first.
func (r *ranking) explain(c *candidate) *Explanation {
	if r.res.Mode == param.ModeFullContext {
		return r.leaf(c.score, "full context: everything is returned", scaleFlat)
	}
	e := r.explainFound(c)
	if r.p.MaxHops > 0 {
		e = r.explainGraph(c, e)
	}
	value := c.blended
	if r.p.DepthDecayRate > 0 {
		value = float64(value * depthMultiplier(r.p, r.ev.rows[c.row].depth))
		e = r.explainDepth(c, e, value)
	}
	if r.p.RecencyHalfLife > 0 {
		age := r.ageMultiplier(c.row)
		value = float64(value * age)
		e = r.node(Explanation{
			Op: OpProduct, Value: value, Label: "score × age", Formula: brief(e.Value) + " × " + brief(age), Scale: e.Scale + scaleTimesAge,
		}, e, r.node(Explanation{
			Op: OpLeaf, Value: age, Label: "age of " + strconv.FormatFloat(r.ageInDays(c.row), 'f', 1, 64) + " days",
			Formula: "2^(−age / " + phrase.Number(r.p.RecencyHalfLife) + ")", Scale: scaleMultiplier, Fields: param.FieldRecencyHalfLife,
		}))
	}
	if c.reranked {
		before := *e
		before.Op, before.Label = OpNote, "before the reranking: "+e.Label
		e = r.node(Explanation{Op: OpLeaf, Value: c.score, Label: "reranked by " + r.answer.by, Scale: r.answer.scale, Fields: param.FieldReranker}, r.node(before, e.Children...))
	}
	return e
}

// explainLifted is the tree of what never became a candidate.
func (r *ranking) explainLifted(c *candidate, matches []Match) *Explanation {
	e := r.leaf(c.fused, "cosine, rank "+strconv.Itoa(matches[0].Rank), scaleCosine)
	if r.p.DepthDecayRate > 0 {
		e = r.explainDepth(c, e, c.score)
	}
	return e
}

// explainDepth multiplies by the depth.
func (r *ranking) explainDepth(c *candidate, e *Explanation, value float64) *Explanation {
	links := int(r.ev.rows[c.row].depth)
	multiplier := depthMultiplier(r.p, r.ev.rows[c.row].depth)
	depth, rate := strconv.Itoa(links), phrase.Number(r.p.DepthDecayRate)
	formula := "1 − " + depth + "×" + rate
	linear := r.leaf(1, "no decay", scaleMultiplier)
	if links != 0 {
		// Taking away is adding the negative, which changes no bit.
		off := float64(links) * -r.p.DepthDecayRate
		linear = r.node(Explanation{Op: OpSum, Value: 1 + float64(off), Label: "linear decay", Formula: formula}, linear,
			r.node(Explanation{Op: OpProduct, Value: off, Label: "decay"},
				r.leaf(float64(links), "links from the seed page", ""), r.leaf(-r.p.DepthDecayRate, "for each", "")))
	}
	clamp := r.node(Explanation{
		Op: OpClamp, Value: multiplier, Label: "depth " + depth,
		Formula: "max(" + formula + ", " + phrase.Number(r.p.DepthFloor) + ")", Scale: scaleMultiplier, Fields: param.FieldDepthDecayRate + "," + param.FieldDepthFloor,
	}, r.leaf(r.p.DepthFloor, "depth floor", scaleMultiplier), linear)
	label := "score × depth"
	if !r.fusing.on && r.p.MaxHops == 0 {
		label = "similarity × depth"
	}
	return r.node(Explanation{
		Op: OpProduct, Value: value, Label: label,
		Formula: brief(e.Value) + " × " + brief(multiplier), Scale: e.Scale + scaleTimesDepth,
	}, e, clamp)
}

// explainGraph weighs the seed score and adds the best edge. Further paths stand
// beside it.
func (r *ranking) explainGraph(c *candidate, found *Explanation) *Explanation {
	paths := r.pathsTo(c)
	notes := make([]*Explanation, 0, len(paths))
	for i := 1; i < len(paths); i++ {
		notes = append(notes, r.beside(paths[i].Term, "another path: "+pathLabel(&paths[i]), scaleGraph))
	}
	var term *Explanation
	if len(paths) > 0 && (c.child == noRow || r.p.GraphScoring == param.ScoringDocumented) {
		p := &paths[0]
		term = r.node(Explanation{
			Op: OpProduct, Value: p.Term, Label: pathLabel(p),
			Formula: phrase.Number(r.p.GraphWeight) + " × " + phrase.Number(p.Decay) + " × " + phrase.Number(p.Weight), Scale: scaleGraph, Fields: param.FieldGraphWeight + "," + param.FieldHopDecay,
		}, append([]*Explanation{
			r.leaf(r.p.GraphWeight, "graph weight", ""), r.leaf(p.Decay, "decay of hop "+strconv.Itoa(p.Hop), ""),
			r.leaf(p.Weight, "weight of the edge", ""),
		}, notes...)...)
	}
	if c.child == noRow {
		return term
	}
	weighed := float64(r.p.VectorWeight * c.fused)
	seed := r.node(Explanation{
		Op: OpProduct, Value: weighed, Label: "as a seed", Formula: phrase.Number(r.p.VectorWeight) + " × " + brief(c.fused), Scale: scaleGraph, Fields: param.FieldVectorWeight,
	}, r.leaf(r.p.VectorWeight, "vector weight", ""), found)
	if term == nil {
		return seed
	}
	return r.node(Explanation{
		Op: OpSum, Value: c.blended, Label: "seed and edge", Formula: brief(weighed) + " + " + brief(term.Value), Scale: scaleGraph,
	}, seed, term)
}

// brief is a computed number in a formula: its value stands beside it in full.
func brief(f float64) string { return strconv.FormatFloat(f, 'g', 6, 64) }

func pathLabel(p *GraphPath) string {
	from := p.FromHeading
	if from == "" {
		from = p.FromChunkID
	}
	way := "from "
	if p.Reversed {
		way = "back from "
	}
	return p.Relation + " " + way + strconv.Quote(from)
}

// explainFound is the score with which the search found a candidate: of a section
// that of its best child. It is nil for what an edge found.
func (r *ranking) explainFound(c *candidate) *Explanation {
	if c.child == noRow {
		return nil
	}
	best := r.explainChild(c.ownVector, c.ownKeyword, c.fused)
	matches := r.matches[c.from:c.to]
	if c.joined || len(matches) <= 1 && r.p.Unit == param.UnitChunk {
		return best
	}
	label := "best of "
	if !r.fusing.on {
		label = "cosine, best of "
	}
	children := make([]*Explanation, 0, len(matches))
	children = append(children, best)
	own := r.ev.rows[c.child].id
	for i := range matches {
		m := &matches[i]
		if m.ChunkID == own {
			continue
		}
		children = append(children, r.leaf(r.scoreOf(m), childLabel(m), r.foundScale()))
	}
	return r.node(Explanation{Op: OpMax, Value: c.fused, Label: label + strconv.Itoa(len(matches)), Scale: r.foundScale()}, children...)
}

// scoreOf is the score of a match before it became a section.
func (r *ranking) scoreOf(m *Match) float64 {
	if !r.fusing.on {
		return m.Similarity
	}
	return r.fuse(&candidate{vector: int32(m.Rank), keyword: int32(m.KeywordRank)})
}

func childLabel(m *Match) string {
	switch {
	case m.KeywordRank == 0:
		return "child, rank " + strconv.Itoa(m.Rank)
	case m.Rank == 0:
		return "child, keyword rank " + strconv.Itoa(m.KeywordRank)
	default:
		return fmt.Sprintf("child, ranks %d and %d", m.Rank, m.KeywordRank)
	}
}

func (r *ranking) foundScale() string {
	if r.fusing.on {
		return r.fusedScale()
	}
	return scaleCosine
}

// explainChild takes the score of a child apart: a cosine, or what the arms give.
func (r *ranking) explainChild(vector, keyword int32, value float64) *Explanation {
	if !r.fusing.on {
		return r.leaf(value, "child, rank "+strconv.Itoa(int(vector)), scaleCosine)
	}
	shares := make([]*Explanation, 0, 2)
	if vector > 0 {
		shares = append(shares, r.explainVector(vector))
	}
	if keyword > 0 {
		shares = append(shares, r.explainKeyword(keyword))
	}
	sum := shares[0].Value
	if len(shares) == 2 {
		sum = float64(sum) + float64(shares[1].Value)
	}
	total := r.node(Explanation{Op: OpSum, Value: sum, Label: "sum of the arms", Scale: r.fusedScale()}, shares...)
	if r.p.Fusion != param.FusionRRF || r.p.RRFScale != param.RRFNormalized {
		return total
	}
	total.Scale = scaleRawRRF
	return r.node(Explanation{
		Op: OpProduct, Value: value, Label: "reciprocal rank fusion",
		Formula: brief(sum) + " × " + strconv.Itoa(r.p.RRFK+1), Scale: scaleRRF, Fields: param.FieldRRFScale,
	}, total, r.leaf(float64(r.p.RRFK+1), "k + 1", ""))
}

func (r *ranking) explainVector(rank int32) *Explanation {
	cosine := r.nearestAt(rank).score
	c := candidate{vector: rank}
	label := "vector, rank " + strconv.Itoa(int(rank))
	if r.p.Fusion == param.FusionConvex {
		return r.node(Explanation{Op: OpProduct, Value: r.vectorShare(&c), Label: label, Scale: scaleConvex, Fields: param.FieldKeywordWeight},
			r.leaf(r.fusing.vector, "weight", ""),
			r.node(Explanation{Op: OpLeaf, Value: r.evenCosine(cosine), Label: "similarity as shown", Formula: "cosine " + brief(cosine) + ", " + string(r.res.Floor.Scale), Fields: param.FieldFloorScale}))
	}
	return r.explainRank(label, r.fusing.vector, rank, r.vectorShare(&c), r.beside(cosine, "cosine, not in the score", scaleCosine))
}

func (r *ranking) explainKeyword(rank int32) *Explanation {
	w := r.wordsAt(rank)
	c := candidate{keyword: rank}
	label := "keyword, rank " + strconv.Itoa(int(rank))
	if r.p.Fusion == param.FusionConvex {
		even := r.leaf(r.evenBM25(w.score), "normalised BM25", "")
		if r.fusing.bestBM25 > 0 {
			even = r.node(Explanation{Op: OpQuotient, Value: r.evenBM25(w.score), Label: "normalised BM25", Formula: "s / best"},
				r.explainWords(w, OpSum), r.leaf(r.fusing.bestBM25, "best BM25 of this query", scaleBM25))
		}
		return r.node(Explanation{Op: OpProduct, Value: r.keywordShare(&c), Label: label, Scale: scaleConvex, Fields: param.FieldKeywordWeight},
			r.leaf(r.fusing.keyword, "weight", ""), even)
	}
	return r.explainRank(label, r.fusing.keyword, rank, r.keywordShare(&c), r.explainWords(w, OpNote))
}

// explainRank is weight / (k + rank).
func (r *ranking) explainRank(label string, weight float64, rank int32, value float64, aside *Explanation) *Explanation {
	return r.node(Explanation{
		Op: OpQuotient, Value: value, Label: label,
		Formula: brief(weight) + " / (" + strconv.Itoa(r.p.RRFK) + " + " + strconv.Itoa(int(rank)) + ")", Scale: scaleRawRRF, Fields: param.FieldKeywordWeight + "," + param.FieldRRFK,
	}, r.leaf(weight, "weight", ""), r.leaf(float64(r.p.RRFK+int(rank)), "k + rank", ""), aside)
}

// explainWords is a BM25 score with a line for each word that it comes from.
func (r *ranking) explainWords(w *keywordRow, op Op) *Explanation {
	label := "BM25"
	if op == OpNote {
		label = "BM25, not in the score"
	}
	shares := r.ev.keyword.shares(w)
	lines := make([]*Explanation, 0, len(shares))
	for i := range shares {
		if shares[i].TF.Sum() == 0 && op == OpNote {
			continue
		}
		lines = append(lines, r.node(Explanation{
			Op: OpLeaf, Value: shares[i].Share, Label: strconv.Quote(shares[i].Term),
			Formula: shares[i].counts(w.length.wide()) + fmt.Sprintf(", in %d of %d chunks", shares[i].DF, r.ev.keyword.children),
			Scale:   scaleBM25,
		}))
	}
	return r.node(Explanation{Op: op, Value: w.score, Label: label, Scale: scaleBM25}, lines...)
}

// shares are what each term adds to a row's score.
func (k *keywordArm) shares(w *keywordRow) []WordShare {
	shares := make([]WordShare, len(k.terms))
	for i := range k.terms {
		var tf store.FieldCounts
		if i < len(w.counts) {
			tf = w.counts[i].wide()
		}
		shares[i] = WordShare{
			Term: k.terms[i].Term, TF: tf, DF: k.terms[i].DF, Weight: k.terms[i].Weight, Added: i >= k.own,
			Share: store.BM25F(k.terms[i], tf, w.length.wide(), k.children, k.meanLength, k.fields),
		}
	}
	return shares
}

// counts say in words where a term occurs in a chunk: "2× in 120 terms, 1× in the
// headings, weight 2".
func (s *WordShare) counts(length store.FieldCounts) string {
	text := fmt.Sprintf("%d× in %d terms", s.TF.Body, length.Body)
	if s.TF.Heading > 0 {
		text += fmt.Sprintf(", %d× in the headings", s.TF.Heading)
	}
	if s.TF.Title > 0 {
		text += fmt.Sprintf(", %d× in the title", s.TF.Title)
	}
	if s.Weight != 1 {
		text += ", weight " + phrase.Number(math.Round(s.Weight*100)/100)
	}
	if s.Added {
		text += ", added by feedback"
	}
	return text
}
