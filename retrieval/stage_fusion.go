package retrieval

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

var fusionStage = StageSpec{
	Name: param.StageFusion, Phase: PhaseFind, modes: inChunkMode,
	About:   "The ranks of both searches become one score.",
	on:      func(p *param.Params) bool { return p.KeywordWeight > 0 },
	apply:   applyFusion,
	explain: explainFusion,
	brief:   noBrief,
	notices: noticeFusion,
}

// noticeFusion tells of arms that say little together.
func noticeFusion(r *ranking) {
	switch f := &r.fusing; {
	case f.single && len(r.nearest) == 0:
		r.note(phrase.NoticeSingleArmWords, phrase.Number(f.keyword))
	case f.single:
		r.note(phrase.NoticeSingleArm, phrase.Number(f.vector), r.nearest[0].score)
	case r.ev.lexical && r.p.Fusion == param.FusionRRF && len(r.nearest) > 0 && len(r.words) > 0:
		r.note(phrase.NoticeBothLexical, param.As(param.FieldFusion, string(param.FusionConvex)))
	}
}

// fusing is how the arms of one query are fused.
type fusing struct {
	on bool
	// vector and keyword are the weights used; single says that one arm is alone.
	vector, keyword float64
	single          bool
	// bestBM25 is the highest score of the keyword arm, for fusing scores.
	bestBM25 float64
}

// applyFusion makes one list of both arms. A child that both found is one
// candidate; what an arm did not find adds nothing.
func applyFusion(r *ranking, s *Stage) {
	r.setWeights()
	at := r.rows(r.ev) // index in found + 1
	r.found = emptied(r.foundIn, len(r.nearest)+len(r.words))
	r.foundIn = r.found
	for i := range r.nearest {
		at[r.nearest[i].row] = int32(len(r.found) + 1)
		r.found = append(r.found, candidate{row: r.nearest[i].row, child: r.nearest[i].row, vector: int32(i + 1)})
	}
	for i := range r.words {
		n := at[r.words[i].row] - 1
		if n < 0 {
			n = int32(len(r.found))
			r.found = append(r.found, candidate{row: r.words[i].row, child: r.words[i].row})
		} else if s != nil {
			id := r.ev.rows[r.words[i].row].id
			s.Merged = append(s.Merged, Merge{From: id, Into: id})
		}
		r.found[n].keyword = int32(i + 1)
	}
	for i := range r.found {
		c := &r.found[i]
		_, _, _, c.fused = r.fuse(c.vector, c.keyword)
		c.score = c.fused
	}
	slices.SortFunc(r.found, func(a, b candidate) int { return r.less(&a, &b) })
	r.scale = r.fusedScale()
	if s != nil {
		r.traceFusion(s)
	}
}

// setWeights decides what the arms weigh: as set, or all for the one that is
// alone.
func (r *ranking) setWeights() {
	f := &r.fusing
	f.on = true
	f.vector, f.keyword = 1-r.p.KeywordWeight, r.p.KeywordWeight
	f.single = (len(r.nearest) == 0) != (len(r.words) == 0)
	if f.single && r.p.SingleArm == param.SingleArmRenormalize {
		f.vector, f.keyword = 0, 0
		if len(r.nearest) > 0 {
			f.vector = 1
		} else {
			f.keyword = 1
		}
	}
	if len(r.ev.keyword.rows) > 0 {
		f.bestBM25 = r.ev.keyword.rows[0].score
	}
}

// fuse is the fused score of what stands at these ranks of the arms, 0 for not in
// one, and before it what each arm gives and the sum of both.
func (r *ranking) fuse(vector, keyword int32) (byVector, byKeyword, sum, score float64) {
	byVector, byKeyword = r.vectorContribution(vector), r.keywordContribution(keyword)
	sum = float64(byVector) + float64(byKeyword)
	if r.scaledRRF() {
		return byVector, byKeyword, sum, sum * float64(r.p.RRFK+1)
	}
	return byVector, byKeyword, sum, sum
}

// scaledRRF says that fused ranks are brought to 0..1.
func (r *ranking) scaledRRF() bool {
	return r.p.Fusion == param.FusionRRF && r.p.RRFScale == param.RRFNormalized
}

// vectorContribution is what the vector arm adds, before the scale: of ranks
// weight/(k+rank), of scores weight × normalised cosine.
func (r *ranking) vectorContribution(rank int32) float64 {
	switch {
	case rank == 0:
		return 0
	case r.p.Fusion == param.FusionConvex:
		return r.fusing.vector * r.evenCosine(r.nearest[rank-1].score)
	}
	return r.fusing.vector / float64(r.p.RRFK+int(rank))
}

func (r *ranking) keywordContribution(rank int32) float64 {
	switch {
	case rank == 0:
		return 0
	case r.p.Fusion == param.FusionConvex:
		return r.fusing.keyword * r.evenBM25(r.words[rank-1].score)
	}
	return r.fusing.keyword / float64(r.p.RRFK+int(rank))
}

// evenCosine brings a cosine to 0..1 by the scale that the floor is read on: the
// corpus's own, or what is above 0. It depends on no other row, so that limits do
// not move it; normalising by the least and the best of this query's rows would
// give the best cosine 1 even where nothing is near.
func (r *ranking) evenCosine(s float64) float64 {
	if r.res.Floor.Scale == param.FloorCalibrated {
		s = param.Calibrated(r.ev.calibration, s)
	}
	return min(1, max(0, s))
}

// evenBM25 brings a BM25 score, which is never below 0, to 0..1: s / best.
func (r *ranking) evenBM25(s float64) float64 {
	if r.fusing.bestBM25 <= 0 {
		return 0
	}
	return s / r.fusing.bestBM25
}

func (r *ranking) fusedScale() string {
	switch {
	case r.p.Fusion == param.FusionConvex:
		return scaleConvex
	case r.p.RRFScale == param.RRFNormalized:
		return scaleRRF
	default:
		return scaleRawRRF
	}
}

func (r *ranking) traceFusion(s *Stage) {
	f := &r.fusing
	s.show(&r.p, param.FieldKeywordWeight, param.FieldFusion, param.FieldSingleArm)
	if r.p.Fusion == param.FusionRRF {
		s.show(&r.p, param.FieldRRFK, param.FieldRRFScale)
	}
	s.Notes = append(s.Notes, fmt.Sprintf("%d rows of the vector search × %s, %d of the keyword search × %s, %d in both",
		len(r.nearest), phrase.Number(f.vector), len(r.words), phrase.Number(f.keyword), len(s.Merged)))
	s.Notes = append(s.Notes, r.fusionFormula())
}

// fusionFormula is the formula in use: places, constants and scales differ from
// system to system.
func (r *ranking) fusionFormula() string {
	switch {
	case r.p.Fusion == param.FusionConvex:
		return "Σ weight × score, similarity as shown, bm25 as s / best"
	case r.p.RRFScale == param.RRFNormalized:
		return fmt.Sprintf("Σ weight / (%d + rank), × %d", r.p.RRFK, r.p.RRFK+1)
	default:
		return fmt.Sprintf("Σ weight / (%d + rank)", r.p.RRFK)
	}
}

// explainFusion takes the fused score of a child apart: what the arms give.
func explainFusion(r *ranking, c *candidate, _ *Explanation) *Explanation {
	if c.child == noRow {
		return nil
	}
	byVector, byKeyword, sum, score := r.fuse(c.ownVector, c.ownKeyword)
	arms := make([]*Explanation, 0, 2)
	if c.ownVector > 0 {
		arms = append(arms, r.explainVector(c.ownVector, byVector))
	}
	if c.ownKeyword > 0 {
		arms = append(arms, r.explainKeyword(c.ownKeyword, byKeyword))
	}
	total := r.node(Explanation{Op: OpSum, Value: sum, Label: "sum of both searches", Scale: r.fusedScale()}, arms...)
	if !r.scaledRRF() {
		return total
	}
	total.Scale = scaleRawRRF
	return r.node(Explanation{
		Op: OpProduct, Value: score, Label: "reciprocal rank fusion",
		Formula: brief(sum) + " × " + strconv.Itoa(r.p.RRFK+1), Scale: scaleRRF, Fields: param.FieldRRFScale,
	}, total, r.leaf(float64(r.p.RRFK+1), "k + 1", ""))
}

func (r *ranking) explainVector(rank int32, share float64) *Explanation {
	cosine := r.nearestAt(rank).score
	label := "vector, rank " + strconv.Itoa(int(rank))
	if r.p.Fusion == param.FusionConvex {
		return r.node(Explanation{Op: OpProduct, Value: share, Label: label, Scale: scaleConvex, Fields: param.FieldKeywordWeight},
			r.leaf(r.fusing.vector, "weight", ""),
			r.node(Explanation{Op: OpLeaf, Value: r.evenCosine(cosine), Label: "similarity as shown", Formula: "cosine " + brief(cosine) + ", " + string(r.res.Floor.Scale), Fields: param.FieldFloorScale}))
	}
	return r.explainRank(label, r.fusing.vector, rank, share, r.beside(cosine, "cosine, not in the score", scaleCosine))
}

func (r *ranking) explainKeyword(rank int32, share float64) *Explanation {
	w := r.wordsAt(rank)
	label := "keyword, rank " + strconv.Itoa(int(rank))
	if r.p.Fusion == param.FusionConvex {
		even := r.leaf(r.evenBM25(w.score), "normalised BM25", "")
		if r.fusing.bestBM25 > 0 {
			even = r.node(Explanation{Op: OpQuotient, Value: r.evenBM25(w.score), Label: "normalised BM25", Formula: "s / best"},
				r.explainWords(w, OpSum), r.leaf(r.fusing.bestBM25, "best BM25 of this query", scaleBM25))
		}
		return r.node(Explanation{Op: OpProduct, Value: share, Label: label, Scale: scaleConvex, Fields: param.FieldKeywordWeight},
			r.leaf(r.fusing.keyword, "weight", ""), even)
	}
	return r.explainRank(label, r.fusing.keyword, rank, share, r.explainWords(w, OpNote))
}

// explainRank is weight / (k + rank).
func (r *ranking) explainRank(label string, weight float64, rank int32, value float64, aside *Explanation) *Explanation {
	return r.node(Explanation{
		Op: OpQuotient, Value: value, Label: label,
		Formula: brief(weight) + " / (" + strconv.Itoa(r.p.RRFK) + " + " + strconv.Itoa(int(rank)) + ")", Scale: scaleRawRRF, Fields: param.FieldKeywordWeight + "," + param.FieldRRFK,
	}, r.leaf(weight, "weight", ""), r.leaf(float64(r.p.RRFK+int(rank)), "k + rank", ""), aside)
}
