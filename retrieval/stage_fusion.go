package retrieval

import (
	"fmt"
	"slices"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// fusing is how the arms of one query are fused.
type fusing struct {
	on bool
	// vector and keyword are the weights used; single says that one arm is alone.
	vector, keyword float64
	single          bool
	// bestBM25 is the highest score of the keyword arm, for fusing scores.
	bestBM25 float64
}

// stageFusion makes one list of both arms. A child that both found is one
// candidate; what an arm did not find adds nothing.
func stageFusion(r *ranking, s *Stage) {
	r.settleWeights()
	at := make(map[int32]int32, len(r.nearest)+len(r.words))
	r.found = make([]candidate, 0, len(r.nearest)+len(r.words))
	for i := range r.nearest {
		at[r.nearest[i].row] = int32(len(r.found))
		r.found = append(r.found, candidate{row: r.nearest[i].row, child: r.nearest[i].row, vector: int32(i + 1)})
	}
	for i := range r.words {
		n, both := at[r.words[i].row]
		if !both {
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
		c.fused = r.fuse(c)
		c.score = c.fused
	}
	slices.SortFunc(r.found, func(a, b candidate) int { return r.less(&a, &b) })
	r.scale = r.fusedScale()
	if s != nil {
		r.traceFusion(s)
	}
}

// settleWeights decides what the arms weigh: as set, or all for the one that is
// alone.
func (r *ranking) settleWeights() {
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

// fuse is the fused score of a candidate.
func (r *ranking) fuse(c *candidate) float64 {
	var sum float64
	switch v, k := r.vectorShare(c), r.keywordShare(c); {
	case c.vector > 0 && c.keyword > 0:
		sum = float64(v) + float64(k)
	case c.vector > 0:
		sum = v
	default:
		sum = k
	}
	if r.p.Fusion == param.FusionRRF && r.p.RRFScale == param.RRFNormalized {
		return sum * float64(r.p.RRFK+1)
	}
	return sum
}

// vectorShare is what the vector arm adds, before the scale: of ranks
// weight/(k+rank), of scores weight × normalised cosine.
func (r *ranking) vectorShare(c *candidate) float64 {
	if c.vector == 0 {
		return 0
	}
	if r.p.Fusion == param.FusionConvex {
		return r.fusing.vector * r.evenCosine(r.nearest[c.vector-1].score)
	}
	return r.fusing.vector / float64(r.p.RRFK+int(c.vector))
}

func (r *ranking) keywordShare(c *candidate) float64 {
	if c.keyword == 0 {
		return 0
	}
	if r.p.Fusion == param.FusionConvex {
		return r.fusing.keyword * r.evenBM25(r.words[c.keyword-1].score)
	}
	return r.fusing.keyword / float64(r.p.RRFK+int(c.keyword))
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
	fields := []string{param.FieldKeywordWeight, param.FieldFusion, param.FieldSingleArm}
	if r.p.Fusion == param.FusionRRF {
		fields = append(fields, param.FieldRRFK, param.FieldRRFScale)
	}
	s.Params = r.p.Values(fields...)
	s.Notes = append(s.Notes, fmt.Sprintf("%d rows of the vector arm × %s, %d of the keyword arm × %s, %d in both",
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
