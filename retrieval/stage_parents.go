package retrieval

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

var parentsStage = StageSpec{
	Name: param.StageParents, Title: "sections", Phase: PhaseChoose, modes: inChunkMode,
	About:   "Passages lead to their sections; the best passage gives the score.",
	apply:   applyParents,
	explain: explainBest,
	brief:   noBrief,
}

// applyParents turns children into what is returned: their sections, or
// themselves. A section has the score of its best child: an average would punish
// a section for holding more than the answer. Since the children are in order of
// (score, id), the first one of each section is its best.
func applyParents(r *ranking, s *Stage) {
	if r.found == nil {
		r.takeNearest()
	}
	if r.p.Unit == param.UnitChunk {
		r.keepChildren()
		s.show(&r.p, param.FieldUnit)
		s.note("the chunks themselves are returned")
		return
	}
	r.list, r.matches = r.gather(r.found)
	// They come in the order of their best children, whose ids are others.
	slices.SortFunc(r.list, func(a, b candidate) int { return r.less(&a, &b) })
	r.orphans = count(r.found, func(c *candidate) bool { return r.ev.sectionOf(c.row) == noRow })
	if s != nil {
		r.traceParents(s)
	}
}

// takeNearest makes candidates of the vector arm alone.
func (r *ranking) takeNearest() {
	r.found = emptied(r.foundIn, len(r.nearest))[:len(r.nearest)]
	r.foundIn = r.found
	for i := range r.nearest {
		n := &r.nearest[i]
		r.found[i] = candidate{row: n.row, child: n.row, vector: int32(i + 1), fused: n.score, score: n.score}
	}
}

// keepChildren makes each child found a candidate, with itself as its match.
func (r *ranking) keepChildren() {
	r.list = r.found
	if !r.bare {
		r.matches = make([]Match, len(r.list))
	}
	for i := range r.list {
		c := &r.list[i]
		if !r.bare {
			r.matches[i] = r.matchOf(c)
		}
		c.from, c.to = int32(i), int32(i+1)
		c.ownVector, c.ownKeyword = c.vector, c.keyword
	}
}

func (r *ranking) traceParents(s *Stage) {
	s.show(&r.p, param.FieldUnit, param.FieldMissingParent)
	first := make([]bool, len(r.ev.rows))
	for i := range r.found {
		child := &r.ev.rows[r.found[i].row]
		unit := r.unitOf(r.found[i].row)
		switch {
		case unit == noRow:
			s.Dropped = append(s.Dropped, Drop{ID: child.id, Reason: phrase.ReasonNoParent, Rank: i + 1})
		case first[unit]:
			s.Merged = append(s.Merged, Merge{From: child.id, Into: r.ev.rows[unit].id})
		default:
			first[unit] = true
		}
	}
	s.Notes = []string{"the best passage of each section gives its score"}
	if r.orphans > 0 {
		s.Notes = append(s.Notes, strconv.Itoa(r.orphans)+" without a section")
	}
}

// matchOf is a child as a match.
func (r *ranking) matchOf(c *candidate) Match {
	child := &r.ev.rows[c.child]
	m := Match{ChunkID: child.id, CharStart: int(child.charStart), CharEnd: int(child.charEnd)}
	if c.vector > 0 {
		m.Similarity, m.Rank = r.nearestAt(c.vector).score, int(c.vector)
	}
	if c.keyword > 0 {
		m.BM25, m.KeywordRank = r.wordsAt(c.keyword).score, int(c.keyword)
	}
	return m
}

// nearestAt and wordsAt are rows of the arms by rank.
func (r *ranking) nearestAt(rank int32) *armRow {
	if len(r.nearest) >= int(rank) {
		return &r.nearest[rank-1]
	}
	return &r.ev.nearest[rank-1]
}

func (r *ranking) wordsAt(rank int32) *keywordRow { return &r.ev.keyword.rows[rank-1] }

// gather groups children by section, in order of each section's best child. The
// matches of a section are a run of the second result, which is nil where no items are
// made. A child without a section
// is one of its own, or is left out.
func (r *ranking) gather(children []candidate) ([]candidate, []Match) {
	sections := emptied(r.listIn, len(children))
	if r.listIn = sections; len(children) == 0 {
		return sections, nil
	}
	at := r.rows(r.ev) // index in sections + 1
	for i := range children {
		c := &children[i]
		u := r.unitOf(c.row)
		if u == noRow {
			continue
		}
		if at[u] == 0 {
			sec := *c
			sec.row, sec.from, sec.to = u, 0, 0
			sec.ownVector, sec.ownKeyword = c.vector, c.keyword
			sections = append(sections, sec)
			at[u] = int32(len(sections))
		}
		sec := &sections[at[u]-1]
		sec.vector, sec.keyword = firstRank(sec.vector, c.vector), firstRank(sec.keyword, c.keyword)
		sec.to++ // a count, until the runs are laid out
	}
	var next int32
	for i := range sections {
		n := sections[i].to
		sections[i].from, sections[i].to = next, next
		next += n
	}
	if r.bare {
		return sections, nil
	}
	matches := make([]Match, next)
	for i := range children {
		if u := r.unitOf(children[i].row); u != noRow {
			sec := &sections[at[u]-1]
			matches[sec.to] = r.matchOf(&children[i])
			sec.to++
		}
	}
	return sections, matches
}

// unitOf is what is returned for a child where sections are: its section, and for
// one without, itself or, where those are left out, noRow.
func (r *ranking) unitOf(row int32) int32 {
	if section := r.ev.sectionOf(row); section != noRow || r.p.MissingParent == param.MissingParentDrop {
		return section
	}
	return row
}

// noticeOrphans tells of children without a section. It is said with what else the
// search found, before what later stages have to tell.
func (r *ranking) noticeOrphans() {
	switch {
	case r.orphans == 0:
	case r.p.MissingParent == param.MissingParentDrop:
		r.note(phrase.NoticeOrphansDropped, r.orphans)
	default:
		r.note(phrase.NoticeNoParents, r.orphans)
	}
}

// firstRank is the lower of two ranks, of which 0 is none.
func firstRank(a, b int32) int32 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// explainBest says which children a section's score is the best of. e is that of
// the best, nil for what an edge found.
func explainBest(r *ranking, c *candidate, e *Explanation) *Explanation {
	matches := r.matches[c.from:c.to]
	if c.child == noRow || c.joined || len(matches) <= 1 && r.p.Unit == param.UnitChunk {
		return e
	}
	label := "best of "
	if !r.fusing.on {
		label = "cosine, best of "
	}
	children := make([]*Explanation, 0, len(matches))
	children = append(children, e)
	own := r.ev.rows[c.child].id
	for i := range matches {
		if m := &matches[i]; m.ChunkID != own {
			children = append(children, r.leaf(r.scoreOf(m), childLabel(m), r.foundScale()))
		}
	}
	return r.node(Explanation{Op: OpMax, Value: c.fused, Label: label + strconv.Itoa(len(matches)), Scale: r.foundScale()}, children...)
}

// scoreOf is the score of a match before it became a section.
func (r *ranking) scoreOf(m *Match) float64 {
	if !r.fusing.on {
		return m.Similarity
	}
	_, _, _, score := r.fuse(int32(m.Rank), int32(m.KeywordRank))
	return score
}

func childLabel(m *Match) string {
	switch {
	case m.KeywordRank == 0:
		return "passage, rank " + strconv.Itoa(m.Rank)
	case m.Rank == 0:
		return "passage, keyword rank " + strconv.Itoa(m.KeywordRank)
	default:
		return fmt.Sprintf("passage, ranks %d and %d", m.Rank, m.KeywordRank)
	}
}

func (r *ranking) foundScale() string {
	if r.fusing.on {
		return r.fusedScale()
	}
	return scaleCosine
}
