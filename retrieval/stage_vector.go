package retrieval

import (
	"slices"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/param"
)

var embedStage = StageSpec{
	Name: param.StageEmbed, Phase: PhasePrepare, modes: inChunkMode | inFullContext,
	About: "The query becomes a vector.",
	apply: traceEmbed,
	brief: func(s *Stage) string { return strings.Replace(s.Notes[0], "dimensions", "dims", 1) },
}

// traceEmbed records the embedding, which Gather did.
func traceEmbed(r *ranking, s *Stage) {
	if s == nil {
		return
	}
	s.Duration = r.ev.timing.embed
	s.Notes = []string{strconv.Itoa(r.ev.dimensions) + " dimensions"}
	if !r.ev.embedErr.isNone() {
		s.Notes = []string{"failed: " + r.ev.embedErr.said}
	}
}

var vectorStage = StageSpec{
	Name: param.StageVector, Phase: PhaseFind, modes: inChunkMode | inFullContext,
	About:   "The passages nearest to the query's vector, by cosine.",
	apply:   applyVector,
	explain: explainCosine,
	brief: func(s *Stage) string {
		if slices.Contains(s.Notes, noteNotUsed) {
			return "not used"
		}
		return ""
	},
}

// noteNotUsed marks the vector arm where it adds no candidates: it only finds what
// to mark.
const noteNotUsed = "not used in full context"

// applyVector takes the rows of the vector arm, which Gather found.
func applyVector(r *ranking, s *Stage) {
	full := r.res.Mode == param.ModeFullContext
	if !full {
		r.nearest = r.ev.nearest
	}
	if s == nil {
		return
	}
	s.Duration = r.ev.timing.search + r.ev.timing.rows
	s.show(&r.p, param.FieldSearch, param.FieldSearchPolicy, param.FieldHNSWEfSearch, param.FieldReach)
	s.Added = len(r.nearest)
	c := &r.ev.coverage
	// An index does not say how many vectors it compared.
	how := " of " + strconv.Itoa(c.scanned) + " compared, exact"
	if !c.exact {
		how = ", approximate, ef_search " + strconv.Itoa(c.usedEf)
	}
	s.Notes = []string{strconv.Itoa(c.rows) + " rows asked, " + strconv.Itoa(c.returned) + " returned" + how}
	if c.missed > 0 {
		s.Notes = append(s.Notes, strconv.Itoa(c.missed)+" near misses of the index beside them")
	}
	s.Notes = append(s.Notes, c.asked...)
	if full {
		s.Notes = append(s.Notes, noteNotUsed)
	}
}

// explainCosine is the cosine of a child where it alone is its score.
func explainCosine(r *ranking, c *candidate, _ *Explanation) *Explanation {
	if c.child == noRow || r.fusing.on {
		return nil
	}
	return r.leaf(c.fused, "passage, rank "+strconv.Itoa(int(c.ownVector)), scaleCosine)
}
