package retrieval

import (
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

var surfaceStage = StageSpec{
	Name: param.StageSurface, Title: "form", Phase: PhasePresent, modes: inChunkMode | inFullContext,
	About: "Sections that markdown would spoil are sent as HTML.",
	apply: applySurface,
	brief: func(s *Stage) string {
		sent, _, _ := strings.Cut(s.Notes[0], ",")
		return sent
	},
}

// applySurface says in which form each section is handed on. The choice itself
// was made when the budget asked for it.
func applySurface(r *ranking, s *Stage) {
	s.show(&r.p, param.FieldSurfacePolicy)
	if s != nil {
		html := count(r.list, func(c *candidate) bool { return c.html })
		s.note(strconv.Itoa(html) + " html, " + strconv.Itoa(len(r.list)-html) + " markdown")
	}
}

// htmlKey is an HTML text of a section: children may repeat it.
type htmlKey struct {
	parent int32
	html   string
}

// prefersHTML selects the HTML for what loses structure in markdown and has HTML. Steps
// and images never prefer it. Joined chunks have none, and the same HTML is not
// sent twice for children of one section.
func (r *ranking) prefersHTML(c *candidate) bool {
	chunk := &r.ev.rows[c.row]
	if r.p.SurfacePolicy != param.SurfaceAuto || !chunk.flags.Has(store.HTMLPreferred) || c.joined {
		return false
	}
	has := chunk.htmlTokens > 0
	if t, known := r.ev.texts[chunk.id]; known && !t.gone {
		has = t.html != "" && !r.sentHTML[htmlKey{chunk.parent, t.html}]
	}
	return has
}

// markSent remembers the HTML of a child that is returned.
func (r *ranking) markSent(c *candidate) {
	chunk := &r.ev.rows[c.row]
	if !c.html || !chunk.isChild || chunk.parent == noRow {
		return
	}
	if t, known := r.ev.texts[chunk.id]; known {
		if r.sentHTML == nil {
			r.sentHTML = map[htmlKey]bool{}
		}
		r.sentHTML[htmlKey{chunk.parent, t.html}] = true
	}
}
