package retrieval

import (
	"strconv"
)

// stageFloor keeps the children above the floor. The rows are in order of
// similarity, so the floor cuts off their tail.
func stageFloor(r *ranking, s *Stage) {
	kept := 0
	for kept < len(r.children) && r.res.Floor.passes(r.children[kept].similarity) {
		kept++
	}
	r.belowFloor = r.children[kept:]
	r.children = r.children[:kept]
	if s == nil {
		return
	}
	s.Params = map[string]string{"similarity_floor": r.res.Floor.String()}
	s.Dropped = make([]Drop, len(r.belowFloor))
	for i := range r.belowFloor {
		s.Dropped[i] = r.floorDrop(i)
	}
}

// floorDrop is the drop of the i-th child below the floor.
func (r *ranking) floorDrop(i int) Drop {
	c := &r.belowFloor[i]
	return Drop{
		ID: c.id, Reason: ReasonBelowFloor, Value: c.similarity, Threshold: r.res.Floor.Raw,
		Rank: len(r.ev.children) - len(r.belowFloor) + i + 1,
	}
}

// stageLimit keeps the nearest children up to the limit.
func stageLimit(r *ranking, s *Stage) {
	kept := min(r.p.TopKChildrenLimit, len(r.children))
	r.beyondLimit = r.children[kept:]
	r.children = r.children[:kept]
	if s == nil {
		return
	}
	s.Params = map[string]string{"top_k_children_limit": strconv.Itoa(r.p.TopKChildrenLimit)}
	s.Dropped = make([]Drop, len(r.beyondLimit))
	for i := range r.beyondLimit {
		s.Dropped[i] = r.limitDrop(i)
	}
}

// limitDrop is the drop of the i-th child beyond the limit: its rank against the
// limit.
func (r *ranking) limitDrop(i int) Drop {
	rank := r.p.TopKChildrenLimit + i + 1
	return Drop{
		ID: r.beyondLimit[i].id, Reason: ReasonBeyondLimit,
		Value: float64(rank), Threshold: float64(r.p.TopKChildrenLimit), Rank: rank,
	}
}

// stageParents turns children into their sections. A section's similarity is
// that of its best child: an average would punish a section for holding more
// than the answer. Since the children are in order of (similarity, id), the
// first one of each section is its best.
func stageParents(r *ranking, s *Stage) {
	r.sections, r.matches = r.gather(r.children)
	for i := range r.children {
		if r.children[i].parent == noParent {
			r.orphans++
		}
	}
	if s != nil {
		r.traceParents(s)
	}
	r.children = nil
}

func (r *ranking) traceParents(s *Stage) {
	first := make([]bool, len(r.ev.parents))
	for i := range r.children {
		c := &r.children[i]
		switch {
		case c.parent == noParent:
			s.Dropped = append(s.Dropped, Drop{ID: c.id, Reason: ReasonNoParent, Rank: i + 1})
		case first[c.parent]:
			s.Merged = append(s.Merged, Merge{From: c.id, Into: r.ev.parents[c.parent].id})
		default:
			first[c.parent] = true
		}
	}
	s.Notes = []string{"the best child of each section gives its similarity"}
}

// gather groups children by section, in order of each section's best child. The
// matches of a section are a run of the second result.
func (r *ranking) gather(children []childRow) ([]section, []Match) {
	if len(children) == 0 {
		return nil, nil
	}
	at := make([]int32, len(r.ev.parents)) // index in sections + 1
	sections := make([]section, 0, min(len(children), len(r.ev.parents)))
	for i := range children {
		c := &children[i]
		if c.parent == noParent {
			continue
		}
		if at[c.parent] == 0 {
			sections = append(sections, section{parent: c.parent, best: c.similarity})
			at[c.parent] = int32(len(sections))
		}
		sections[at[c.parent]-1].to++ // a count, until the runs are laid out
	}
	var next int32
	for i := range sections {
		n := sections[i].to
		sections[i].from, sections[i].to = next, next
		next += n
	}
	matches := make([]Match, next)
	for i := range children {
		c := &children[i]
		if c.parent == noParent {
			continue
		}
		sec := &sections[at[c.parent]-1]
		matches[sec.to] = Match{
			ChunkID: c.id, CharStart: int(c.charStart), CharEnd: int(c.charEnd),
			Similarity: c.similarity, Rank: i + 1,
		}
		sec.to++
	}
	return sections, matches
}
