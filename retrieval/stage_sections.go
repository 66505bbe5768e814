package retrieval

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/webrag/webrag-tui/store"
)

// stageDepth weights each similarity by the distance of its page from the seed
// page and orders the sections by the outcome. It drops nothing, but through the
// budget it can decide what is dropped.
func stageDepth(r *ranking, s *Stage) {
	for i := range r.sections {
		sec := &r.sections[i]
		sec.multiplier = depthMultiplier(r.p, r.ev.parents[sec.parent].depth)
		sec.score = sec.best * sec.multiplier
		sec.rank = i + 1
	}
	slices.SortFunc(r.sections, func(a, b section) int { return byScore(&a, &b) })
	moved := 0
	for i := range r.sections {
		if r.sections[i].rank != i+1 {
			moved++
		}
		r.sections[i].rank = i + 1
	}
	if s != nil {
		s.Params = map[string]string{
			"depth_decay_rate": number(r.p.DepthDecayRate),
			"depth_floor":      number(r.p.DepthFloor),
		}
		s.Notes = []string{strconv.Itoa(moved) + " moved"}
	}
}

// byScore orders by score, and at equal scores by id, which is the order of the
// parents.
func byScore(a, b *section) int {
	if c := cmp.Compare(b.score, a.score); c != 0 {
		return c
	}
	return cmp.Compare(a.parent, b.parent)
}

// depthMultiplier is max(1 - depth × rate, floor).
func depthMultiplier(p Params, depth int32) float64 {
	return max(1-float64(float64(depth)*p.DepthDecayRate), p.DepthFloor)
}

// stageBudget takes sections by score while they fit. The first one is taken
// even when it is larger than the budget: something oversize is better than
// nothing.
func stageBudget(r *ranking, s *Stage) {
	used, stopped := 0, false
	kept := r.sections[:0]
	for i := range r.sections {
		sec := r.sections[i]
		r.price(&sec)
		with := used + sec.cost
		if stopped || with > r.p.ContextBudget && len(kept) > 0 {
			reason := ReasonOverBudget
			if stopped {
				reason = ReasonAfterBudgetStop
			}
			r.unfit = append(r.unfit, unfit{sec, Drop{
				ID: r.ev.parents[sec.parent].id, Reason: reason,
				Value: float64(with), Threshold: float64(r.p.ContextBudget), Rank: i + 1,
			}})
			stopped = stopped || r.p.BudgetPolicy == BudgetStop
			continue
		}
		used = with
		sec.used, sec.rank = used, len(kept)+1
		kept = append(kept, sec)
		// An oversize first section ends the walk like any other overflow.
		stopped = stopped || used > r.p.ContextBudget && r.p.BudgetPolicy == BudgetStop
	}
	r.sections = kept
	if s != nil {
		r.traceBudget(s, used)
		s.Params["budget_policy"] = string(r.p.BudgetPolicy)
	}
}

// price settles the surface of a section, and with it what the budget counts.
func (r *ranking) price(sec *section) {
	parent := &r.ev.parents[sec.parent]
	sec.surface = r.surfaceOf(parent)
	sec.cost = parent.tokens()
	if r.p.BudgetCount == CountSurface && sec.surface == SurfaceHTML {
		sec.cost = int(parent.htmlTokens)
	}
}

// surfaceOf prefers HTML for a section whose markdown loses structure and that
// has HTML. Steps and images never prefer it.
func (r *ranking) surfaceOf(parent *parentRow) Surface {
	if r.p.SurfacePolicy != SurfaceAuto || !parent.flags.Has(store.HTMLPreferred) {
		return SurfaceMarkdown
	}
	has := parent.htmlTokens > 0
	if t, known := r.ev.texts[parent.id]; known && !t.gone {
		has = t.html != ""
	}
	if has {
		return SurfaceHTML
	}
	return SurfaceMarkdown
}

func (r *ranking) traceBudget(s *Stage, used int) {
	s.Params = map[string]string{
		"context_budget": strconv.Itoa(r.p.ContextBudget),
		"budget_count":   string(r.p.BudgetCount),
	}
	s.Notes = []string{strconv.Itoa(used) + " of " + strconv.Itoa(r.p.ContextBudget) + " tokens used"}
	s.Dropped = make([]Drop, len(r.unfit))
	for i := range r.unfit {
		s.Dropped[i] = r.unfit[i].drop
	}
}

// stageGrouping brings the sections of a page together: pages by their best
// section, the sections of a page in reading order. Ranks stay.
func stageGrouping(r *ranking, s *Stage) {
	pages := 0
	if r.p.GroupBySource {
		pages = r.group()
	}
	if s != nil {
		s.Params = map[string]string{"group_by_source": strconv.FormatBool(r.p.GroupBySource)}
		if r.p.GroupBySource {
			s.Notes = []string{strconv.Itoa(pages) + " pages"}
		}
	}
}

// group sorts by (place of the page, index) and returns the number of pages.
// Since the sections come by score, a page's place is that of its first one.
func (r *ranking) group() int {
	urls := make(map[string]int, len(r.sections))
	places := make([]int, len(r.ev.documents))
	for i := range r.sections {
		doc := r.ev.parents[r.sections[i].parent].document
		url := r.ev.documents[doc].url
		if _, ok := urls[url]; !ok {
			urls[url] = len(urls)
		}
		places[doc] = urls[url]
	}
	slices.SortStableFunc(r.sections, func(a, b section) int {
		x, y := &r.ev.parents[a.parent], &r.ev.parents[b.parent]
		if c := cmp.Compare(places[x.document], places[y.document]); c != 0 {
			return c
		}
		return cmp.Compare(x.index, y.index)
	})
	return len(urls)
}

// stageSurface says in which form each section is handed on. The choice itself
// was made when the budget asked for it.
func stageSurface(r *ranking, s *Stage) {
	html := 0
	for i := range r.sections {
		if r.sections[i].surface == SurfaceHTML {
			html++
		}
	}
	if s != nil {
		s.Params = map[string]string{"surface_policy": string(r.p.SurfacePolicy)}
		s.Notes = []string{strconv.Itoa(html) + " html, " + strconv.Itoa(len(r.sections)-html) + " markdown"}
	}
}
