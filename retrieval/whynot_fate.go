package retrieval

import (
	"errors"
)

func ignoreUnranked(err error) error {
	if errors.Is(err, errUnranked) {
		return nil
	}
	return err
}

// standings are the target's exact places in the arms.
func (pr *prober) standings(present *Result, ev *Evidence) (vector, keyword *Standing) {
	p, rows := &pr.base, pr.base.ArmRows()
	v := &pr.sought.vector
	vector = &Standing{
		ChunkID: v.Chunk.ID, Used: present.Mode == ModeChunk && p.KeywordWeight < 1,
		Found: v.HasVector && v.VectorRank > 0, Rank: v.VectorRank, Score: v.Similarity,
	}
	if !vector.Found {
		vector.Reason = ReasonNoEmbedding
	} else {
		if !present.Floor.Off {
			vector.Cuts = append(vector.Cuts, Cut{StageFloor, v.Similarity, present.Floor.Raw, present.Floor.passes(v.Similarity)})
		}
		vector.Cuts = append(vector.Cuts, Cut{StageLimit, float64(v.VectorRank), float64(rows), v.VectorRank <= rows})
		vector.Missed = v.VectorRank <= rows && !ev.reach.exact && !ev.returned(v.Chunk.ID)
	}
	k := &pr.sought.keyword
	if len(k.Terms) == 0 {
		return vector, nil
	}
	keyword = &Standing{
		ChunkID: k.Chunk.ID, Used: present.Mode == ModeChunk && p.KeywordWeight > 0,
		Found: k.HasKeyword, Rank: k.KeywordRank, AtLeast: k.KeywordAtLeast, Score: k.Keyword.Score,
	}
	if k.HasKeyword {
		keyword.Cuts = []Cut{{StageLimit, float64(k.KeywordRank), float64(rows), k.KeywordRank <= rows}}
	} else {
		keyword.Reason = ReasonKeywordNoMatch
	}
	for i, t := range k.Terms {
		if i < len(k.Keyword.TF) && k.Keyword.TF[i] > 0 {
			keyword.Has = append(keyword.Has, t.Term)
		} else {
			keyword.Lacks = append(keyword.Lacks, t.Term)
		}
	}
	return vector, keyword
}

// fate is the last drop of any chunk of the target: where the one that came
// furthest ended. A stage that never saw the target dropped it all the same, if
// it is the search that did not return it.
func (pr *prober) fate(r *Result) *DroppedBy {
	var last *DroppedBy
	for _, s := range r.Trace.Stages {
		for _, d := range s.Dropped {
			if !pr.sought.ids[d.ID] {
				continue
			}
			if last == nil || last.Stage != s.Name || d.Rank < last.Rank {
				last = &DroppedBy{Stage: s.Name, Drop: d}
			}
		}
	}
	if last != nil || r.Mode == ModeFullContext {
		return last
	}
	return pr.unseen(r)
}

// unseen is why the search did not return the target.
func (pr *prober) unseen(r *Result) *DroppedBy {
	v := &pr.sought.vector
	drop := Drop{ID: v.Chunk.ID, Value: v.Similarity, Rank: v.VectorRank}
	rows := pr.base.ArmRows()
	switch {
	case !v.HasVector || v.VectorRank == 0:
		drop.Reason = ReasonNoEmbedding
		return &DroppedBy{StageVector, drop}
	case !r.Floor.passes(v.Similarity):
		drop.Reason, drop.Threshold = ReasonBelowFloor, r.Floor.Raw
		return &DroppedBy{StageFloor, drop}
	case v.VectorRank <= rows:
		drop.Reason, drop.Value, drop.Threshold = ReasonANNMissed, float64(v.VectorRank), float64(rows)
		return &DroppedBy{StageVector, drop}
	default:
		drop.Reason, drop.Value, drop.Threshold = ReasonBeyondLimit, float64(v.VectorRank), float64(rows)
		return &DroppedBy{StageLimit, drop}
	}
}

// returned reports whether the vector arm brought a child.
func (ev *Evidence) returned(id string) bool {
	for i := range ev.nearest {
		if n := &ev.nearest[i]; !n.missed && ev.rows[n.row].id == id {
			return true
		}
	}
	return false
}
