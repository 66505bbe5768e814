package retrieval

import (
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

var floorStage = StageSpec{
	Name: param.StageFloor, Phase: PhaseFind, modes: inChunkMode,
	About: "Passages whose cosine is not above the floor are dropped.",
	on:    func(p *param.Params) bool { return p.SimilarityFloor > -1 },
	apply: applyFloor,
}

// applyFloor keeps the rows of the vector arm above the floor. They are in order
// of similarity, so the floor cuts off their tail. The keyword arm has no floor:
// its scores have no bound.
func applyFloor(r *ranking, s *Stage) {
	kept := 0
	for kept < len(r.nearest) && r.res.Floor.Passes(r.nearest[kept].score) {
		kept++
	}
	r.belowFloor = r.nearest[kept:]
	r.nearest = r.nearest[:kept]
	if s == nil {
		return
	}
	s.Params = map[string]string{param.FieldSimilarityFloor: r.res.Floor.String()} // on both scales
	s.Dropped = make([]Drop, len(r.belowFloor))
	for i := range r.belowFloor {
		s.Dropped[i] = r.floorDrop(i)
	}
}

// floorDrop is the drop of the i-th child below the floor.
func (r *ranking) floorDrop(i int) Drop {
	c := &r.belowFloor[i]
	return Drop{
		ID: r.ev.rows[c.row].id, Reason: phrase.ReasonBelowFloor, Value: c.score, Threshold: r.res.Floor.Raw,
		Arm: param.StageVector, Rank: len(r.ev.nearest) - len(r.belowFloor) + i + 1,
	}
}
