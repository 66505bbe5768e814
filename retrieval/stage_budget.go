package retrieval

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// stageBudget takes sections by score while they fit. The first one is taken
// even when it is larger than the budget: something oversize is better than
// nothing.
func stageBudget(r *ranking, s *Stage) {
	used, stopped := 0, false
	kept := r.list[:0]
	for i := range r.list {
		c := &r.list[i]
		r.price(c)
		with := used + int(c.cost)
		if stopped || with > r.p.ContextBudget && len(kept) > 0 {
			reason := ReasonOverBudget
			if stopped {
				reason = ReasonAfterBudgetStop
			}
			r.drop(param.StageBudget, c, Drop{Reason: reason, Value: float64(with), Threshold: float64(r.p.ContextBudget), Rank: i + 1})
			stopped = stopped || r.p.BudgetPolicy == param.BudgetStop
			continue
		}
		used = with
		c.used, c.rank = int32(used), int32(len(kept)+1)
		r.markSent(c)
		kept = append(kept, *c)
		// An oversize first section ends the walk like any other overflow.
		stopped = stopped || used > r.p.ContextBudget && r.p.BudgetPolicy == param.BudgetStop
	}
	r.list = kept
	if s != nil {
		r.traceBudget(s, param.StageBudget, used)
		s.Params[param.FieldBudgetPolicy] = string(r.p.BudgetPolicy)
	}
}

// price settles the surface of a candidate, and with it what the budget counts.
func (r *ranking) price(c *candidate) {
	c.html = r.prefersHTML(c)
	if r.p.BudgetCount == param.CountSurface && c.html {
		c.cost = r.ev.rows[c.row].htmlTokens
		return
	}
	c.cost = int32(r.tokens(c))
}

// tokens is a candidate's length in tokens of the markdown.
func (r *ranking) tokens(c *candidate) int {
	if !c.joined {
		return r.ev.rows[c.row].tokens()
	}
	sum := 0
	for _, row := range r.runs[c.row] {
		sum += r.ev.rows[row].tokens()
	}
	return sum
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

// traceBudget records the drops of a stage that counts tokens.
func (r *ranking) traceBudget(s *Stage, stage string, used int) {
	s.Params = map[string]string{
		param.FieldContextBudget: budgetText(r.p.ContextBudget),
		param.FieldBudgetCount:   string(r.p.BudgetCount),
	}
	s.Notes = []string{strconv.Itoa(used) + " of " + budgetText(r.p.ContextBudget) + " tokens used"}
	s.Dropped = r.dropsOf(stage)
}

// budgetText writes a budget.
func budgetText(tokens int) string {
	if tokens >= param.Unlimited {
		return "unlimited"
	}
	return strconv.Itoa(tokens)
}

// stageGrouping brings the sections of a page together: pages by their best
// section, the sections of a page in reading order. Ranks stay.
func stageGrouping(r *ranking, s *Stage) {
	pages := r.group()
	if s != nil {
		s.Params = r.p.Values(param.FieldGroupBySource)
		s.Notes = []string{strconv.Itoa(pages) + " pages"}
	}
}

// group sorts by (place of the page, place in the page) and returns the number of
// pages. Since the candidates come by score, a page's place is that of its first
// one.
func (r *ranking) group() int {
	urls := make(map[string]int, len(r.list))
	places := make([]int, len(r.ev.documents))
	for i := range r.list {
		doc := r.ev.rows[r.list[i].row].document
		url := r.ev.documents[doc].url
		if _, ok := urls[url]; !ok {
			urls[url] = len(urls)
		}
		places[doc] = urls[url]
	}
	slices.SortStableFunc(r.list, func(a, b candidate) int {
		x, y := &r.ev.rows[a.row], &r.ev.rows[b.row]
		if c := cmp.Compare(places[x.document], places[y.document]); c != 0 {
			return c
		}
		// Children count within their section, so that pages are in order of their
		// characters.
		if x.isChild || y.isChild {
			return cmp.Compare(x.charStart, y.charStart)
		}
		return cmp.Compare(x.index, y.index)
	})
	return len(urls)
}

// stageSurface says in which form each section is handed on. The choice itself
// was made when the budget asked for it.
func stageSurface(r *ranking, s *Stage) {
	html := 0
	for i := range r.list {
		if r.list[i].html {
			html++
		}
	}
	if s != nil {
		s.Params = r.p.Values(param.FieldSurfacePolicy)
		s.Notes = []string{strconv.Itoa(html) + " html, " + strconv.Itoa(len(r.list)-html) + " markdown"}
	}
}
