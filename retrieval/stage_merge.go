package retrieval

import "github.com/webrag/webrag-tui/retrieval/param"

var mergeStage = StageSpec{
	Name: param.StageMerge, Phase: PhaseChoose, modes: inChunkMode,
	About: "Passages that touch become one.",
	on:    func(p *param.Params) bool { return p.MergeAdjacent && p.Unit == param.UnitChunk },
	apply: applyMerge,
}

// applyMerge joins children that follow one another in their section. The best
// of a run gives it its score and its place.
func applyMerge(r *ranking, s *Stage) {
	type position struct{ section, index int32 }
	at := make(map[position]int, len(r.list)) // in the list
	for i := range r.list {
		if c := &r.ev.rows[r.list[i].row]; c.isChild && c.parent != noRow {
			at[position{c.parent, c.index}] = i
		}
	}
	taken := make([]bool, len(r.list))
	kept := make([]candidate, 0, len(r.list))
	for i := range r.list {
		if taken[i] {
			continue
		}
		c := r.list[i]
		section, first := r.ev.rows[c.row].parent, r.ev.rows[c.row].index
		last := first
		for has(at, position{section, first - 1}) {
			first--
		}
		for has(at, position{section, last + 1}) {
			last++
		}
		if first < last {
			c.joined = true
			c.from = int32(len(r.matches))
			run := make([]int32, 0, last-first+1)
			for index := first; index <= last; index++ {
				n := at[position{section, index}]
				member := &r.list[n]
				taken[n] = true
				run = append(run, member.row)
				r.matches = append(r.matches, r.matchOf(member))
				c.vector, c.keyword = firstRank(c.vector, member.vector), firstRank(c.keyword, member.keyword)
				if s != nil && member.row != c.row {
					s.Merged = append(s.Merged, Merge{From: r.ev.rows[member.row].id, Into: r.ev.rows[c.row].id})
				}
			}
			c.to = int32(len(r.matches))
			if r.runs == nil {
				r.runs = map[int32][]int32{}
			}
			r.runs[c.row] = run
		}
		kept = append(kept, c)
	}
	r.list = kept
}

func has[K comparable, V any](m map[K]V, key K) bool {
	_, ok := m[key]
	return ok
}
