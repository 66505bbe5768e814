package retrieval

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// stageMinScore drops what scores too low, after reranking. The scores of a
// reranker on a scale of its own are not compared, nor those of candidates that
// it did not score.
func stageMinScore(r *ranking, s *Stage) {
	if s != nil {
		s.Params = r.p.Values(param.FieldMinScore)
	}
	if r.onForeignScale() {
		if s != nil {
			s.Notes = []string{"the scores are on a scale of their own (" + r.scale + "): nothing was compared"}
		}
		return
	}
	kept := make([]candidate, 0, len(r.list))
	for i := range r.list {
		c := &r.list[i]
		if c.score >= r.p.MinScore || r.answered() && !c.reranked {
			kept = append(kept, *c)
			continue
		}
		r.drop(param.StageMinScore, c, Drop{Reason: ReasonBelowMinScore, Value: c.score, Threshold: r.p.MinScore, Rank: i + 1})
	}
	r.list = kept
	if s != nil {
		s.Dropped = r.dropsOf(param.StageMinScore)
	}
}

// answered reports whether a reranker gave scores.
func (r *ranking) answered() bool {
	return r.answer != nil && r.answer.err == "" && len(r.answer.scores) > 0
}

// onForeignScale reports whether the scores are a reranker's that do not lie
// between 0 and 1.
func (r *ranking) onForeignScale() bool { return r.answered() && r.answer.scale != ScaleUnit }

// stageTopK keeps the first candidates. With a graph some places can be kept for
// what edges found.
func stageTopK(r *ranking, s *Stage) {
	if s != nil {
		s.Params = r.p.Values(param.FieldTopK)
	}
	if r.p.MaxHops > 0 && r.p.GraphTopK > 0 {
		r.choosePools(s)
	} else {
		r.cutAt(r.p.TopK)
	}
	if s != nil {
		s.Dropped = r.dropsOf(param.StageTopK)
	}
}

func (r *ranking) cutAt(k int) {
	for i := k; i < len(r.list); i++ {
		r.drop(param.StageTopK, &r.list[i], Drop{Reason: ReasonBeyondTopK, Value: float64(i + 1), Threshold: float64(k), Rank: i + 1})
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
		if r.isSeed(&r.list[i]) {
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
			if !r.isSeed(&r.list[i]) {
				pool = foundPlaces
			}
			r.drop(param.StageTopK, &r.list[i], Drop{Reason: ReasonPoolFull, Value: float64(i + 1), Threshold: float64(pool), Rank: i + 1})
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
		s.Params[param.FieldGraphTopK] = strconv.Itoa(r.p.GraphTopK)
		s.Notes = []string{fmt.Sprintf("%d of %d seeds, %d of %d found by edges", seedPlaces, len(seeds), foundPlaces, len(found))}
	}
}

// isSeed reports which pool a candidate is in.
func (r *ranking) isSeed(c *candidate) bool { return c.child != noRow }

// stageMerge joins children that follow one another in their section. The best
// of a run gives it its score and its place.
func stageMerge(r *ranking, s *Stage) {
	at := make(map[int32]int, len(r.list))
	for i := range r.list {
		if r.ev.rows[r.list[i].row].isChild {
			at[r.list[i].row] = i
		}
	}
	next := r.followers(at)
	taken := make([]bool, len(r.list))
	kept := make([]candidate, 0, len(r.list))
	for i := range r.list {
		if taken[i] {
			continue
		}
		run := r.runAround(r.list[i].row, next)
		c := r.list[i]
		if len(run) > 1 {
			c.joined = true
			if r.runs == nil {
				r.runs = map[int32][]int32{}
			}
			r.runs[c.row] = run
			c.from = int32(len(r.matches))
			for _, row := range run {
				member := &r.list[at[row]]
				taken[at[row]] = true
				r.matches = append(r.matches, r.matchOf(member))
				c.vector, c.keyword = firstRank(c.vector, member.vector), firstRank(c.keyword, member.keyword)
				if s != nil && row != c.row {
					s.Merged = append(s.Merged, Merge{From: r.ev.rows[row].id, Into: r.ev.rows[c.row].id})
				}
			}
			c.to = int32(len(r.matches))
		}
		taken[i] = true
		kept = append(kept, c)
	}
	r.list = kept
}

// followers maps each candidate to the one that follows it in its section.
func (r *ranking) followers(at map[int32]int) map[int32]int32 {
	type place struct{ parent, index int32 }
	by := make(map[place]int32, len(at))
	for row := range at {
		c := &r.ev.rows[row]
		if c.parent != noRow {
			by[place{c.parent, c.index}] = row
		}
	}
	next := make(map[int32]int32, len(at))
	for row := range at {
		c := &r.ev.rows[row]
		if follower, ok := by[place{c.parent, c.index + 1}]; ok && c.parent != noRow {
			next[row] = follower
		}
	}
	return next
}

// runAround is the run of followers that row is in, in reading order.
func (r *ranking) runAround(row int32, next map[int32]int32) []int32 {
	before := make(map[int32]int32, len(next))
	for a, b := range next {
		before[b] = a
	}
	first := row
	for {
		p, ok := before[first]
		if !ok {
			break
		}
		first = p
	}
	run := []int32{first}
	for {
		n, ok := next[run[len(run)-1]]
		if !ok {
			return run
		}
		run = append(run, n)
	}
}
