package retrieval

import (
	"fmt"
	"slices"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

var topKStage = StageSpec{
	Name: param.StageTopK, Title: "top k", Phase: PhaseChoose, modes: inChunkMode,
	About: "The first k sections are kept.",
	on:    func(p *param.Params) bool { return p.TopK > 0 },
	apply: applyTopK,
}

// applyTopK keeps the first candidates. With a graph some places can be kept for
// what edges found.
func applyTopK(r *ranking, s *Stage) {
	s.show(&r.p, param.FieldTopK)
	if r.p.MaxHops > 0 && r.p.GraphTopK > 0 {
		r.choosePools(s)
	} else {
		r.cutAt(r.p.TopK)
	}
}

func (r *ranking) cutAt(k int) {
	for i := k; i < len(r.list); i++ {
		r.drop(param.StageTopK, &r.list[i], Drop{Reason: phrase.ReasonBeyondTopK, Value: float64(i + 1), Threshold: float64(k), Rank: i + 1})
	}
	r.list = r.list[:min(k, len(r.list))]
}

// choosePools takes the best seeds and the best of what edges found. In
// documented scoring free places go to the other pool and the outcome is in order
// of score. In oasis' code a reranker cuts to top k first, nothing is filled up,
// and what edges found stands after the seeds.
func (r *ranking) choosePools(s *Stage) {
	k, forGraph := r.p.TopK, min(r.p.GraphTopK, r.p.TopK)
	oasis := r.p.GraphScoring == param.ScoringOasis
	if oasis && r.p.Reranker != param.RerankerNone {
		r.cutAt(k)
	}
	var seeds, found []int
	for i := range r.list {
		if r.list[i].wasFound() {
			seeds = append(seeds, i)
		} else {
			found = append(found, i)
		}
	}
	seedPlaces, foundPlaces := min(k-forGraph, len(seeds)), min(forGraph, len(found))
	if !oasis {
		// What one pool leaves free the other fills.
		seedPlaces = min(len(seeds), k-foundPlaces)
		foundPlaces = min(len(found), k-seedPlaces)
	}
	chosen := make([]bool, len(r.list))
	for _, i := range seeds[:seedPlaces] {
		chosen[i] = true
	}
	for _, i := range found[:foundPlaces] {
		chosen[i] = true
	}
	for i := range r.list {
		if !chosen[i] {
			pool := seedPlaces
			if !r.list[i].wasFound() {
				pool = foundPlaces
			}
			r.drop(param.StageTopK, &r.list[i], Drop{Reason: phrase.ReasonPoolFull, Value: float64(i + 1), Threshold: float64(pool), Rank: i + 1})
		}
	}
	order := slices.Concat(seeds[:seedPlaces], found[:foundPlaces])
	if !oasis {
		slices.Sort(order)
	}
	kept := make([]candidate, len(order))
	for n, i := range order {
		kept[n] = r.list[i]
	}
	r.list = kept
	if s != nil {
		s.show(&r.p, param.FieldGraphTopK)
		s.Notes = []string{fmt.Sprintf("%d of %d seeds, %d of %d found by edges", seedPlaces, len(seeds), foundPlaces, len(found))}
	}
}

// wasFound reports whether a search found the candidate, and not an edge.
func (c *candidate) wasFound() bool { return c.child != noRow }
