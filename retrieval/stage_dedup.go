package retrieval

import (
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/wordset"
)

var dedupStage = StageSpec{
	Name: param.StageDedup, Phase: PhaseChoose, modes: inChunkMode,
	About: "Sections that repeat a better one are dropped.",
	on:    func(p *param.Params) bool { return p.DedupThreshold > 0 },
	apply: applyDedup,
	notices: func(r *ranking) {
		if n := len(r.dropsOf(param.StageDedup)); n > 0 && !r.pending && r.p.TopK > 0 && len(r.list) < r.p.TopK {
			r.note(phrase.NoticeDedupUnderfills, n, len(r.list), r.p.TopK)
		}
	},
}

// applyDedup drops what nearly repeats a better candidate. What it drops is not
// made up for: fewer may come back.
func applyDedup(r *ranking, s *Stage) {
	s.show(&r.p, param.FieldDedupThreshold)
	sets, ok := r.wordSets()
	if !ok {
		s.note(notePending)
		return
	}
	of, values := r.alike.Similar(&r.ev.words, sets, r.p.DedupThreshold)
	all := len(r.list)
	for i := range of { // the better ones by their rows, since they move up
		if of[i] >= 0 {
			of[i] = r.list[of[i]].row
		}
	}
	r.keep(param.StageDedup, func(i int, _ *candidate) (bool, Drop) {
		if of[i] < 0 {
			return true, Drop{}
		}
		return false, Drop{Reason: phrase.ReasonDuplicate, Value: values[i], Threshold: r.p.DedupThreshold, Of: r.ev.rows[of[i]].id}
	})
	if s != nil {
		s.note(strconv.Itoa(all-len(r.list)) + " nearly repeat a better one")
	}
}

// wordSets are the words of the candidates, false when some are not known: then
// they are asked for.
func (r *ranking) wordSets() ([]wordset.Set, bool) {
	sets := emptied(r.sets, len(r.list))[:len(r.list)]
	r.sets = sets
	var missing []string
	for i := range r.list {
		id := r.ev.rows[r.list[i].row].id
		set, ok := r.ev.words.Of(id)
		if sets[i] = set; !ok {
			missing = append(missing, id)
		}
	}
	if missing == nil {
		return sets, true
	}
	if !r.pending {
		r.pending, r.needs.Words = true, missing
	}
	return nil, false
}
