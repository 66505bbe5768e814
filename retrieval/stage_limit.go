package retrieval

import (
	"slices"
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

var limitStage = StageSpec{
	Name: param.StageLimit, Phase: PhaseFind, modes: inChunkMode,
	About: "Each search hands on so many rows.",
	apply: applyLimit,
}

// applyLimit keeps the first rows of each arm up to the limit. Near misses of an
// approximate search are beyond every limit: the system under study does not see
// them.
func applyLimit(r *ranking, s *Stage) {
	limit := r.p.ArmRows()
	if r.ev.coverage.missed > 0 {
		r.beyondLimit = slices.DeleteFunc(slices.Clone(r.nearest), func(n armRow) bool { return !n.missed })
		r.nearest = slices.DeleteFunc(slices.Clone(r.nearest), func(n armRow) bool { return n.missed })
	}
	kept := min(limit, len(r.nearest))
	if r.beyondLimit == nil {
		r.beyondLimit = r.nearest[kept:]
	} else {
		r.beyondLimit = append(r.beyondLimit, r.nearest[kept:]...)
	}
	r.nearest = r.nearest[:kept]
	kept = min(limit, len(r.words))
	r.beyondWords = r.words[kept:]
	r.words = r.words[:kept]
	if s == nil {
		return
	}
	s.Params = map[string]string{"rows per arm": strconv.Itoa(limit)}
	s.Dropped = make([]Drop, 0, len(r.beyondLimit)+len(r.beyondWords))
	for i := range r.beyondLimit {
		s.Dropped = append(s.Dropped, r.limitDrop(i))
	}
	for i := range r.beyondWords {
		s.Dropped = append(s.Dropped, Drop{
			ID: r.ev.rows[r.beyondWords[i].row].id, Reason: phrase.ReasonBeyondLimit,
			Value: float64(limit + i + 1), Threshold: float64(limit), Rank: limit + i + 1, Arm: param.StageKeyword,
		})
	}
}

// limitDrop is the drop of the i-th child beyond the limit: its rank against the
// limit.
func (r *ranking) limitDrop(i int) Drop {
	limit := r.p.ArmRows()
	c := &r.beyondLimit[i]
	if c.missed {
		return Drop{ID: r.ev.rows[c.row].id, Reason: phrase.ReasonANNMissed, Value: c.score, Rank: i + 1, Arm: param.StageVector}
	}
	rank := limit + i + 1
	if r.ev.coverage.missed > 0 {
		rank -= count(r.beyondLimit[:i], func(n *armRow) bool { return n.missed })
	}
	return Drop{
		ID: r.ev.rows[c.row].id, Reason: phrase.ReasonBeyondLimit,
		Value: float64(rank), Threshold: float64(limit), Rank: rank, Arm: param.StageVector,
	}
}
