package whynot

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

// positions are the target's exact places in the arms.
func (pr *prober) positions(present *retrieval.Result, ev *retrieval.Evidence) (vector, keyword *ArmPosition) {
	p, rows := &pr.base, pr.base.ArmRows()
	isCut := present.Mode == param.ModeChunk // full context returns everything
	v := &pr.sought.vector
	vector = &ArmPosition{
		ChunkID: v.Chunk.ID, Section: v.Chunk.ParentID, Name: retrieval.NearestHeading(v.Chunk.SectionHeading, v.Chunk.HeadingPath), Used: present.Mode == param.ModeChunk && p.KeywordWeight < 1,
		Found: v.HasVector && v.VectorRank > 0, Rank: v.VectorRank, Score: v.Similarity,
	}
	if !vector.Found {
		vector.Reason = pr.unfound()
	} else if isCut {
		if !present.Floor.Off {
			vector.Cuts = append(vector.Cuts, Cut{param.StageFloor, v.Similarity, present.Floor.Raw, present.Floor.Passes(v.Similarity)})
		}
		vector.Cuts = append(vector.Cuts, Cut{param.StageLimit, float64(v.VectorRank), float64(rows), v.VectorRank <= rows})
		vector.Missed = v.VectorRank <= rows && !ev.IsExact() && !ev.Returned(v.Chunk.ID)
	}
	k := &pr.sought.keyword
	if len(k.Terms) == 0 {
		return vector, nil
	}
	keyword = &ArmPosition{
		ChunkID: k.Chunk.ID, Section: k.Chunk.ParentID, Name: retrieval.NearestHeading(k.Chunk.SectionHeading, k.Chunk.HeadingPath), Used: present.Mode == param.ModeChunk && p.KeywordWeight > 0,
		Found: k.HasKeyword, Rank: k.KeywordRank, AtLeast: k.KeywordAtLeast, Score: k.Keyword.Score,
	}
	if k.HasKeyword && isCut {
		keyword.Cuts = []Cut{{param.StageLimit, float64(k.KeywordRank), float64(rows), k.KeywordRank <= rows}}
	} else if !k.HasKeyword {
		keyword.Reason = phrase.ReasonKeywordNoMatch
	}
	words := wordsByTerm(ev.Query().Text)
	for i, t := range k.Terms[:min(pr.own, len(k.Terms))] {
		if i < len(k.Keyword.TF) && k.Keyword.TF[i].Sum() > 0 {
			keyword.Has = append(keyword.Has, t.Term)
		} else {
			keyword.Lacks = append(keyword.Lacks, t.Term)
			keyword.LacksWords = append(keyword.LacksWords, cmp.Or(words[t.Term], t.Term))
		}
	}
	return vector, keyword
}

// wordsByTerm are the words of a query by the terms made of them, the first for
// each.
func wordsByTerm(query string) map[string]string {
	words := map[string]string{}
	note := func(word string) {
		if terms := store.Terms(word); len(terms) > 0 && words[terms[0]] == "" {
			words[terms[0]] = strings.ToLower(word)
		}
	}
	for _, word := range strings.FieldsFunc(query, func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M, unicode.N) && r != '_'
	}) {
		note(word)
		for part := range strings.SplitSeq(word, "_") {
			note(part)
		}
	}
	return words
}

// lastDrop is the last drop of any chunk of the target: where the one that came
// furthest ended. A stage that never saw the target dropped it all the same, if
// it is the search that did not return it.
func (pr *prober) lastDrop(r *retrieval.Result) *DroppedBy {
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
	if last != nil || r.Mode == param.ModeFullContext {
		return last
	}
	return pr.unseen(r)
}

// unseen is why the search did not return the target.
func (pr *prober) unseen(r *retrieval.Result) *DroppedBy {
	v := &pr.sought.vector
	drop := retrieval.Drop{ID: v.Chunk.ID, Value: v.Similarity, Rank: v.VectorRank, Arm: param.StageVector}
	stage, rows := param.StageVector, pr.base.ArmRows()
	switch {
	case !v.HasVector || v.VectorRank == 0:
		drop.Reason = pr.unfound()
	case !r.Floor.Passes(v.Similarity):
		stage, drop.Reason, drop.Threshold = param.StageFloor, phrase.ReasonBelowFloor, r.Floor.Raw
	case v.VectorRank <= rows:
		drop.Reason, drop.Value, drop.Threshold = phrase.ReasonANNMissed, float64(v.VectorRank), float64(rows)
	default:
		stage, drop.Reason, drop.Value, drop.Threshold = param.StageLimit, phrase.ReasonBeyondLimit, float64(v.VectorRank), float64(rows)
	}
	return &DroppedBy{Stage: stage, Drop: drop}
}

// unfound is why the target has no place among the vectors: for want of its own,
// or of one of the query.
func (pr *prober) unfound() string {
	if pr.blind && pr.sought.vector.HasVector {
		return phrase.ReasonNoQueryVector
	}
	return phrase.ReasonNoEmbedding
}
