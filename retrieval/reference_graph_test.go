package retrieval_test

import (
	"cmp"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// refEdge is an edge as the walk sees it.
type refEdge struct {
	store.Edge
	used bool
}

// node is the section of a chunk, or the chunk that has none.
func (r *naive) node(id string) string {
	if parent := r.l.chunk(r.l.chunk(id).ParentID); parent != nil && r.l.visible(parent) {
		return parent.ID
	}
	return id
}

// walk follows edges from the seeds and adds what they give.
func (r *naive) walk(seeds []refItem) []refItem {
	documented := r.p.GraphScoring == param.ScoringDocumented
	edges := r.edges(documented)
	decay := func(hop int) float64 {
		if w, ok := r.p.HopDecay.At(hop); ok {
			return w
		}
		return .5
	}
	hops := r.p.MaxHops
	if documented {
		hops = min(hops, r.p.HopDecay.Len()-1)
	}
	visited, frontier, term := map[string]bool{}, map[string]bool{}, map[string]float64{}
	for _, s := range seeds {
		visited[r.node(s.id)], frontier[r.node(s.id)] = true, true
	}
	for hop := 1; hop <= hops; hop++ {
		var next []string
		for i := range edges {
			e := &edges[i]
			var to string
			switch {
			case e.used:
				continue
			case frontier[e.SourceID]:
				to = e.TargetID
			case r.p.Bidirectional && frontier[e.TargetID]:
				to = e.SourceID
			default:
				continue
			}
			e.used = true
			t := r.p.GraphWeight * decay(hop) * e.Weight
			if !documented && (visited[to] || slices.Contains(next, to)) {
				continue
			}
			if old, ok := term[to]; !ok || t > old {
				term[to] = t
			}
			if !visited[to] && !slices.Contains(next, to) {
				next = append(next, to)
			}
		}
		for _, n := range next {
			visited[n] = true
		}
		found := make([]refItem, 0, len(next))
		for _, n := range next {
			found = append(found, refItem{id: n, score: term[n]})
		}
		r.sort(found)
		if r.p.MaxFrontier > 0 {
			found = found[:min(len(found), r.p.MaxFrontier)]
		}
		frontier = map[string]bool{}
		for _, it := range found {
			frontier[it.id] = true
		}
	}
	return r.blend(seeds, term, documented)
}

// edges are those that may be followed, in the order in which they are tried.
func (r *naive) edges(documented bool) []refEdge {
	var list []refEdge
	for _, e := range r.l.edges {
		a, b := r.l.chunk(e.SourceID), r.l.chunk(e.TargetID)
		if !r.l.visible(a) || !r.l.visible(b) || !r.p.Relations.Has(e.Relation) || e.Weight < r.p.MinTraversalScore {
			continue
		}
		if r.p.GraphFilterScope == param.FilterAll && (!r.l.in(a, r.scope) || !r.l.in(b, r.scope)) {
			continue
		}
		list = append(list, refEdge{Edge: e})
	}
	slices.SortFunc(list, func(a, b refEdge) int {
		if documented && a.Weight != b.Weight {
			return cmp.Compare(b.Weight, a.Weight)
		}
		return strings.Compare(a.ID, b.ID)
	})
	return list
}

func (r *naive) blend(seeds []refItem, term map[string]float64, documented bool) []refItem {
	var items []refItem
	isSeed := map[string]bool{}
	for _, s := range seeds {
		isSeed[r.node(s.id)] = true
		s.score *= r.p.VectorWeight
		if documented {
			s.score += term[r.node(s.id)]
		}
		items = append(items, s)
	}
	for id, t := range term {
		if !isSeed[id] {
			items = append(items, refItem{id: id, score: t})
		}
	}
	r.sort(items)
	return items
}

// top keeps the best, some places of which may be kept for what edges found.
func (r *naive) top(items []refItem) []refItem {
	k, n := r.p.TopK, r.p.GraphTopK
	if k == 0 {
		return items
	}
	if n == 0 || r.p.MaxHops == 0 {
		return items[:min(len(items), k)]
	}
	if r.p.GraphScoring == param.ScoringOasis && r.p.Reranker != param.RerankerNone {
		items = items[:min(len(items), k)]
	}
	var seeds, graph []refItem
	for _, it := range items {
		if it.seed {
			seeds = append(seeds, it)
		} else {
			graph = append(graph, it)
		}
	}
	n = min(n, k)
	a, b := min(len(seeds), k-n), min(len(graph), n)
	if r.p.GraphScoring == param.ScoringOasis {
		return slices.Concat(seeds[:a], graph[:b])
	}
	a = min(len(seeds), k-b)
	b = min(len(graph), k-a)
	items = slices.Concat(seeds[:a], graph[:b])
	r.sort(items)
	return items
}
