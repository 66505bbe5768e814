package whynot

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// passes says whether parameters do what is wanted of them.
type passes func(param.Params) bool

// suggest finds the smallest changes that let the target in.
func (pr *prober) suggest(present *retrieval.Result, drop *DroppedBy, path *GraphPath) []Suggestion {
	var found []Suggestion
	for _, a := range pr.singles(drop) {
		found = pr.verify(present, drop, found, a)
	}
	if len(found) == 0 {
		found = pr.pairs(present, drop, pr.unblock(path))
	}
	order(found)
	if len(found) > 0 && len(found[0].Changes) > 1 {
		found = found[:min(len(found), pairsMost)]
	}
	pr.notices = append(pr.notices, pr.effort.notices(len(found) > 0)...)
	return found
}

// order puts pairs that do without an arm last, and before them what pushes
// something out; what moves something comes after what moves nothing. Among those
// that are alike in that, what touches the fewest others comes first, then what
// changes least itself.
func order(list []Suggestion) {
	slices.SortStableFunc(list, func(a, b Suggestion) int {
		return cmp.Or(
			cmp.Compare(a.armsLost(), b.armsLost()),
			cmp.Compare(min(1, len(a.Leaves)), min(1, len(b.Leaves))), cmp.Compare(min(1, a.Moved), min(1, b.Moved)),
			cmp.Compare(a.Collateral()+a.Moved, b.Collateral()+b.Moved), cmp.Compare(a.Size, b.Size))
	})
}

// armsLost counts the arms that a pair of changes switches off. It is 0 for single
// changes: they are listed like those of any other parameter.
func (s *Suggestion) armsLost() int {
	if len(s.Changes) < 2 {
		return 0
	}
	lost := 0
	for _, c := range s.Changes {
		if c.LeavesArmOut() {
			lost++
		}
	}
	return lost
}

// singles finds for each parameter that can matter the smallest change that lets
// the target in. Each may cost its share: what one leaves goes to the next.
func (pr *prober) singles(drop *DroppedBy) []Adjustment {
	specs := pr.thatMatter(&pr.base, drop)
	end := pr.effort.spent + int(singleShare*mostEffort)
	var found []Adjustment
	for i := range specs {
		field := specs[i].Field
		pr.effort.share(end, len(specs)-i)
		a, ok := pr.smallest(&specs[i], pr.base, drop, pr.admits)
		if ok {
			found = append(found, a)
		}
		pr.effort.note(field, ok)
	}
	pr.effort.unlimited()
	return found
}

// thatMatter are the parameters that can matter.
func (pr *prober) thatMatter(p *param.Params, drop *DroppedBy) []param.Spec {
	return slices.DeleteFunc(param.Specs(), func(s param.Spec) bool { return !pr.matters(&s, p, drop) })
}

// matters reports whether a parameter can change what becomes of a candidate that
// is dropped as drop says: its stage comes before that drop, or what is searched
// depends on it.
func (pr *prober) matters(s *param.Spec, p *param.Params, drop *DroppedBy) bool {
	at := math.MaxInt
	if drop != nil {
		at = retrieval.StageIndex(drop.Stage)
	}
	if p.KeywordWeight > 0 { // the other arm may bring what similarity does not
		at = max(at, retrieval.StageIndex(param.StageLimit))
	}
	if p.Unit == param.UnitParent { // another passage may bring its section
		at = max(at, retrieval.StageIndex(param.StageParents))
	}
	if p.MaxHops > 0 { // edges may lead to what was dropped before
		at = max(at, retrieval.StageIndex(param.StageGraph))
	}
	stage, can := s.Decides(p)
	switch {
	case !can:
		return false
	case s.Field == param.FieldMode: // to give up searching is no answer to why a search missed something
		return drop != nil && drop.Stage == param.StageOverflow
	case s.Stage == param.StageVector:
		ev, ok := pr.gathered[wayOf(*p)]
		return ok && !ev.IsExact()
	default:
		return at >= retrieval.StageIndex(stage)
	}
}

// verify ranks with the changes and appends the suggestion if they let the target
// in.
func (pr *prober) verify(present *retrieval.Result, drop *DroppedBy, list []Suggestion, changes ...Adjustment) []Suggestion {
	p := pr.base
	s := Suggestion{Changes: changes}
	for _, a := range changes {
		s.Size += sizeOf(&p, a.Change)
		if err := p.Set(a.Field, a.To); err != nil {
			return list // a value that is not accepted lets nothing in
		}
	}
	result, ok := pr.rank(p, true)
	at := pr.sought.find(&result)
	if !ok || at == nil {
		return list
	}
	c := retrieval.Compare(*present, result, 0)
	s.Rank, s.Items, s.Floor = at.Rank, len(result.Items), result.Floor
	s.Item, s.ItemName = at.SectionID(), retrieval.NearestHeading(at.SectionHeading, at.HeadingPath)
	s.Leaves, s.Moved = c.Left, len(c.Moved)
	s.Via = pr.sought.via(at, result.Mode)
	if rows := p.ArmRows(); drop != nil && drop.Stage == param.StageLimit && rows != pr.base.ArmRows() {
		s.Rows = rows
	}
	for _, e := range c.Entered {
		if e.ChunkID != at.ChunkID {
			s.Enters = append(s.Enters, e)
		}
	}
	return append(list, s)
}

// sizeOf is the part of its parameter's range that a change of p takes; 1 for a word.
func sizeOf(p *param.Params, c param.Change) float64 {
	s, _ := param.SpecOf(c.Field)
	changed := *p
	if err := s.Set(&changed, c.To); err != nil || !s.Ordered() {
		return 1
	}
	return param.Size(&s, param.PresentNumber(&s, p), param.PresentNumber(&s, &changed))
}

const (
	// firstSteps is how many changes that bring the target further are tried
	// together with a second one.
	firstSteps = 8
	// pairsMost is how many pairs of changes are suggested.
	pairsMost = 3
)

// pairs finds two changes that let the target in together: one that brings it
// past the stage that drops it, or opens part of the way that edges lead, and one
// that does the rest. Of numbers only some values are tried.
func (pr *prober) pairs(present *retrieval.Result, drop *DroppedBy, unblock []Adjustment) []Suggestion {
	end := max(pr.effort.spent, mostEffort) // what singles did not need is left for pairs
	firsts := pr.firsts(drop, unblock, pr.effort.spent+(end-pr.effort.spent)/4)
	var found []Suggestion
	seen := map[string]bool{}
	for i, first := range firsts {
		p := pr.base
		if err := p.Set(first.Field, first.To); err != nil {
			continue
		}
		pr.effort.share(end, len(firsts)-i)
		next, ok := pr.dropWith(p)
		if !ok {
			pr.effort.pairs = true
			continue
		}
		for _, second := range pr.partners(p, next, pr.effort.limit, pr.admits) {
			if second.Field == first.Field || seen[pairKey(first, second)] {
				continue
			}
			seen[pairKey(first, second)] = true
			found = pr.verify(present, drop, found, first, second)
		}
	}
	pr.effort.unlimited()
	return found
}

// firsts are the changes that a second one is tried with, the smallest first.
func (pr *prober) firsts(drop *DroppedBy, unblock []Adjustment, end int) []Adjustment {
	before := pr.progressOf(drop)
	further := pr.partners(pr.base, drop, end, func(p param.Params) bool {
		next, ok := pr.dropWith(p)
		return ok && pr.progressOf(next) > before
	})
	slices.SortStableFunc(further, func(a, b Adjustment) int {
		return cmp.Compare(sizeOf(&pr.base, a.Change), sizeOf(&pr.base, b.Change))
	})
	return append(unblock, further[:min(len(further), firstSteps)]...)
}

// partners finds for each parameter that can matter a small change of p that
// passes.
func (pr *prober) partners(p param.Params, drop *DroppedBy, end int, pass passes) []Adjustment {
	specs := pr.thatMatter(&p, drop)
	pr.effort.hasty = true
	defer func() { pr.effort.hasty = false }()
	var found []Adjustment
	for i := range specs {
		pr.effort.share(end, len(specs)-i)
		if a, ok := pr.smallest(&specs[i], p, drop, pass); ok {
			found = append(found, a)
		}
		pr.effort.pairs = pr.effort.pairs || pr.effort.isOver()
	}
	pr.effort.unlimited()
	return found
}

func pairKey(a, b Adjustment) string {
	fields := []string{a.Field, b.Field}
	slices.Sort(fields)
	return strings.Join(fields, " ")
}

// dropWith is what drops the target with other parameters, nil if nothing does;
// false if that cannot be ranked.
func (pr *prober) dropWith(p param.Params) (*DroppedBy, bool) {
	result, ok := pr.rank(p, true)
	if !ok || pr.sought.find(&result) != nil {
		return nil, ok
	}
	return pr.lastDrop(&result), true
}

// progressOf is how far the target came: the place of the stage that drops it.
func (pr *prober) progressOf(drop *DroppedBy) int {
	if drop == nil {
		return math.MaxInt
	}
	return retrieval.StageIndex(drop.Stage)
}
