package retrieval

import (
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

var dedupStage = StageSpec{
	Name: param.StageDedup, Phase: PhaseChoose, modes: inChunkMode,
	About: "Sections that repeat a better one fall.",
	on:    func(p *param.Params) bool { return p.DedupThreshold > 0 },
	apply: applyDedup,
}

// applyDedup drops what nearly repeats a better candidate. What it drops is not
// made up for: fewer may come back.
func applyDedup(r *ranking, s *Stage) {
	if s != nil {
		s.show(&r.p, param.FieldDedupThreshold)
	}
	sets, ok := r.wordSets()
	if !ok {
		if s != nil {
			s.Notes = []string{notePending}
		}
		return
	}
	of, values := similar(sets, len(r.ev.words.words), r.p.DedupThreshold)
	kept := make([]candidate, 0, len(r.list))
	for i := range r.list {
		c := &r.list[i]
		if of[i] < 0 {
			kept = append(kept, *c)
			continue
		}
		r.drop(param.StageDedup, c, Drop{
			Reason: phrase.ReasonDuplicate, Value: values[i], Threshold: r.p.DedupThreshold, Rank: i + 1,
			Of: r.ev.rows[r.list[of[i]].row].id,
		})
	}
	if s != nil {
		s.Notes = []string{strconv.Itoa(len(r.list)-len(kept)) + " nearly repeat a better one"}
	}
	r.list = kept
}

// wordSets are the words of the candidates, false when some are not known: then
// they are asked for.
func (r *ranking) wordSets() ([]wordSet, bool) {
	sets := make([]wordSet, len(r.list))
	missing := false
	for i := range r.list {
		set, ok := r.ev.words.sets[r.ev.rows[r.list[i].row].id]
		sets[i], missing = set, missing || !ok
	}
	if !missing {
		return sets, true
	}
	if !r.pending {
		r.pending = true
		for i := range r.list {
			id := r.ev.rows[r.list[i].row].id
			if _, ok := r.ev.words.sets[id]; !ok {
				r.needs.Words = append(r.needs.Words, id)
			}
		}
	}
	return nil, false
}
