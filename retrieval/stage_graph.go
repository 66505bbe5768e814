package retrieval

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

var graphStage = StageSpec{
	Name: param.StageGraph, Phase: PhaseChoose, modes: inChunkMode,
	About:   "Edges lead from what was found to more sections.",
	on:      func(p *param.Params) bool { return p.MaxHops > 0 },
	apply:   applyGraph,
	explain: explainGraph,
	notices: noticeGraph,
}

// noticeGraph tells how far edges led.
func noticeGraph(r *ranking) {
	if r.pending {
		return
	}
	g := &r.ev.graph
	switch {
	case g.missing != "":
		r.note(phrase.NoticeGraphMissing, g.missing)
	case !g.err.isNone():
		r.note(phrase.NoticeGraphFailed, g.err)
	case len(g.edges) == 0 && len(r.walk.reached) == 0 && len(r.list) > 0:
		r.note(phrase.NoticeNoEdges)
	}
	if outside := count(r.list, func(c *candidate) bool { return r.ev.rows[c.row].outside }); outside > 0 {
		r.note(phrase.NoticeOutsideScope, outside, param.As(param.FieldGraphFilterScope, string(param.FilterAll)))
	}
}

// walk is what following edges found.
type walk struct {
	// nodes are by row; what no edge reached has no steps.
	nodes []node
	steps []step
	// reached are the nodes that are no seeds, in the order of being found.
	reached []int32
	used    int
	// filtered counts edges that a setting left out, cutNodes the nodes that the
	// bound of the frontier did.
	filtered, cutNodes int
}

// node is a row in the graph.
type node struct {
	// term is what edges give to it.
	term float64
	// first and last are its steps, as their indices + 1.
	first, last int32
	hop         int8
	// visited says that it is a seed or was reached, inFrontier that its edges are
	// walked now.
	visited, inFrontier bool
}

// walking is the memory of a walk.
type walking struct {
	nodes          []node
	steps          []step
	reached, seeds []int32
	next, edges    []int32
	walked         []bool
	paths          []step
}

// step is an edge that was walked.
type step struct {
	edge     int32 // in the evidence's edges
	from     int32 // row
	reversed bool
	hop      int32
	decay    float64
	term     float64
	// next is the next one that leads to the same node, as its index + 1.
	next int32
}

// oasisDecay is the weight of hops beyond the list in oasis' code.
const oasisDecay = 0.5

// mostPaths is how many paths an item lists.
const mostPaths = 3

// applyGraph follows edges from the candidates, which are the seeds, and blends
// what edges give with what the search gave. Nodes are sections: a chunk stands
// for its own.
func applyGraph(r *ranking, s *Stage) {
	m := &r.walking
	m.nodes = zeroed(m.nodes, len(r.ev.rows))
	r.walk = walk{nodes: m.nodes, steps: m.steps[:0], reached: m.reached[:0]}
	seeds := m.seeds[:0]
	for i := range r.list {
		seeds = append(seeds, r.ev.nodeOf(r.list[i].row))
	}
	n := len(seeds)
	m.seeds = seeds
	r.follow(seeds)
	m.steps, m.reached = r.walk.steps, r.walk.reached
	for i := range r.list {
		c := &r.list[i]
		_, c.score = r.blend(c.row, c.score)
	}
	for _, at := range r.walk.reached {
		r.list = append(r.list, candidate{row: at, child: noRow, hop: r.walk.nodes[at].hop, score: r.walk.nodes[at].term})
	}
	slices.SortFunc(r.list, func(a, b candidate) int { return r.less(&a, &b) })
	r.scale = scaleGraph
	if s != nil {
		r.traceGraph(s, n)
	}
}

// follow walks breadth first, edge by edge: in documented scoring the heaviest
// first, as oasis does by id. An edge is walked once, so that no walk goes
// straight back.
func (r *ranking) follow(seeds []int32) {
	w := &r.walk
	frontier := r.walk.frontier(seeds)
	for _, at := range frontier {
		w.nodes[at].visited = true
	}
	used := zeroed(r.walking.walked, len(r.ev.graph.edges))
	r.walking.walked = used
	for hop := 1; hop <= r.hops() && len(frontier) > 0; hop++ {
		if !r.expanded(frontier) {
			return
		}
		decay, ok := r.p.HopDecay.At(hop)
		if !ok {
			decay = oasisDecay
		}
		next := r.walking.next[:0]
		for _, at := range r.edgesAt(frontier) {
			if used[at] {
				continue
			}
			e := &r.ev.graph.edges[at]
			st := step{edge: at, from: e.source, hop: int32(hop), decay: decay}
			to := e.target
			switch {
			case w.nodes[e.source].inFrontier:
			case r.p.Bidirectional && w.nodes[e.target].inFrontier:
				st.from, st.reversed, to = e.target, true, e.source
			default:
				continue
			}
			used[at] = true
			n := &w.nodes[to]
			if !r.p.Relations.Has(e.relation) || e.weight < r.p.MinTraversalScore || r.p.GraphFilterScope == param.FilterAll && r.ev.rows[to].outside {
				w.filtered++
				continue
			}
			if r.p.GraphScoring == param.ScoringOasis && n.visited {
				continue
			}
			w.used++
			st.term = float64(r.p.GraphWeight*decay) * e.weight
			w.step(n, st)
			if !n.visited {
				n.visited, n.hop = true, int8(hop)
				w.reached = append(w.reached, to)
				next = append(next, to)
			}
		}
		for _, at := range frontier {
			w.nodes[at].inFrontier = false
		}
		r.walking.next = next
		frontier = r.nextFrontier(next)
	}
}

// step adds a step that leads to a node.
func (w *walk) step(n *node, st step) {
	w.steps = append(w.steps, st)
	at := int32(len(w.steps))
	if n.first == 0 {
		n.first = at
	} else {
		w.steps[n.last-1].next = at
	}
	n.last, n.term = at, max(n.term, st.term)
}

// frontier marks nodes as those whose edges are walked next, and lists each of them once.
func (w *walk) frontier(nodes []int32) []int32 {
	once := nodes[:0]
	for _, at := range nodes {
		if n := &w.nodes[at]; !n.inFrontier {
			n.inFrontier = true
			once = append(once, at)
		}
	}
	return once
}

// edgesAt are the edges read at the nodes of a frontier, in the order in which
// they are tried: by weight and id, or as oasis does it by id.
func (r *ranking) edgesAt(frontier []int32) []int32 {
	g := &r.ev.graph
	order := r.walking.edges[:0]
	for _, node := range frontier {
		at := g.at[node]
		order = append(order, at.out...)
		if r.p.Bidirectional {
			order = append(order, at.in...)
		}
	}
	r.walking.edges = order
	byWeight := r.p.GraphScoring == param.ScoringDocumented
	slices.SortFunc(order, func(a, b int32) int {
		x, y := &g.edges[a], &g.edges[b]
		if byWeight && x.weight != y.weight {
			return cmp.Compare(y.weight, x.weight)
		}
		return strings.Compare(x.id, y.id)
	})
	return order
}

// hops is how far the walk goes: in documented scoring the list of decays bounds
// it, too.
func (r *ranking) hops() int {
	if r.p.GraphScoring == param.ScoringOasis {
		return r.p.MaxHops
	}
	return min(r.p.MaxHops, r.p.HopDecay.Len()-1)
}

// expanded reports whether the edges of all nodes are known, and asks for the
// others.
func (r *ranking) expanded(frontier []int32) bool {
	if r.ev.graph.missing != "" || !r.ev.graph.err.isNone() {
		return false
	}
	var unknown []int32
	for _, n := range frontier {
		if _, read := r.ev.graph.at[n]; !read {
			unknown = append(unknown, n)
		}
	}
	if len(unknown) == 0 {
		return true
	}
	if !r.pending {
		r.pending = true
		slices.Sort(unknown)
		for _, n := range unknown {
			r.needs.Edges = append(r.needs.Edges, r.ev.rows[n].id)
		}
	}
	return false
}

// nextFrontier are the nodes to expand at the next hop: the best of those that
// this one found. The others stay results.
func (r *ranking) nextFrontier(next []int32) []int32 {
	if most := r.p.MaxFrontier; most > 0 && len(next) > most {
		slices.SortFunc(next, func(a, b int32) int {
			x := candidate{row: a, score: r.walk.nodes[a].term}
			y := candidate{row: b, score: r.walk.nodes[b].term}
			return r.less(&x, &y)
		})
		r.walk.cutNodes += len(next) - most
		next = next[:most]
	}
	return r.walk.frontier(next)
}

// blend is a seed's score, weighed, and what it is with the best edge that reaches
// it, which documented scoring adds.
func (r *ranking) blend(row int32, score float64) (weighed, blended float64) {
	weighed = float64(r.p.VectorWeight * score)
	if r.p.GraphScoring == param.ScoringDocumented {
		if n := &r.walk.nodes[r.ev.nodeOf(row)]; n.first != 0 {
			return weighed, float64(weighed) + float64(n.term)
		}
	}
	return weighed, weighed
}

// pathsTo are the best paths to a candidate, as shown.
func (r *ranking) pathsTo(c *candidate) []GraphPath {
	steps := r.walking.paths[:0]
	for at := r.walk.nodes[r.ev.nodeOf(c.row)].first; at != 0; at = r.walk.steps[at-1].next {
		steps = append(steps, r.walk.steps[at-1])
	}
	if len(steps) == 0 {
		return nil
	}
	r.walking.paths = steps
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(b.term, a.term) })
	steps = steps[:min(mostPaths, len(steps))]
	to := r.ev.nodeOf(c.row)
	paths := make([]GraphPath, len(steps))
	for i, st := range steps {
		e := &r.ev.graph.edges[st.edge]
		paths[i] = GraphPath{
			FromChunkID: r.ev.rows[st.from].id, FromHeading: r.nameFrom(st.from, to), Relation: string(e.relation), Description: e.description,
			Weight: e.weight, Reversed: st.reversed, Hop: int(st.hop), Decay: st.decay, Term: st.term,
		}
	}
	return paths
}

// nameFrom names a section as seen from another. Long sections are cut into parts
// of the same name, which tell nothing apart.
func (r *ranking) nameFrom(from, to int32) string {
	name := r.ev.namesOf(from).own()
	a, b := &r.ev.rows[from], &r.ev.rows[to]
	switch {
	case name == "" || a.document != b.document || name != r.ev.namesOf(to).own():
		return name
	case a.index < b.index:
		return name + ", an earlier part"
	default:
		return name + ", a later part"
	}
}

func (r *ranking) traceGraph(s *Stage, seeds int) {
	s.show(&r.p, param.FieldMaxHops, param.FieldVectorWeight, param.FieldGraphWeight, param.FieldHopDecay, param.FieldBidirectional, param.FieldRelations, param.FieldGraphScoring)
	w := &r.walk
	s.Added, s.Duration = len(w.reached), r.ev.timing.edges
	s.Notes = []string{fmt.Sprintf("%d seeds, %d edges known, %d walked, %d left out by settings; %d sections found", seeds, len(r.ev.graph.edges), w.used, w.filtered, len(w.reached))}
	if w.cutNodes > 0 {
		s.note(fmt.Sprintf("%d sections were not followed further: "+param.FieldMaxFrontier+" is %d", w.cutNodes, r.p.MaxFrontier))
	}
	if r.ev.graph.capped > 0 {
		s.note(fmt.Sprintf("%d sections have %d edges of one kind or more; the heaviest were read", r.ev.graph.capped, EdgesPerNode))
	}
	if r.needs.Edges != nil {
		s.note(notePending)
	}
}

// explainGraph weighs the seed score and adds the best edge. Further paths stand
// beside it.
func explainGraph(r *ranking, c *candidate, found *Explanation) *Explanation {
	paths := r.pathsTo(c)
	notes := make([]*Explanation, 0, len(paths))
	for i := 1; i < len(paths); i++ {
		notes = append(notes, r.beside(paths[i].Term, "another path: "+pathLabel(&paths[i]), scaleGraph))
	}
	var term *Explanation
	if len(paths) > 0 && (c.child == noRow || r.p.GraphScoring == param.ScoringDocumented) {
		p := &paths[0]
		term = r.node(Explanation{
			Op: OpProduct, Value: p.Term, Label: pathLabel(p),
			Formula: phrase.Number(r.p.GraphWeight) + " × " + phrase.Number(p.Decay) + " × " + phrase.Number(p.Weight), Scale: scaleGraph, Fields: param.FieldGraphWeight + "," + param.FieldHopDecay,
		}, append([]*Explanation{
			r.leaf(r.p.GraphWeight, "graph weight", ""), r.leaf(p.Decay, "decay of hop "+strconv.Itoa(p.Hop), ""),
			r.leaf(p.Weight, "weight of the edge", ""),
		}, notes...)...)
	}
	if c.child == noRow {
		return term
	}
	weighed, blended := r.blend(c.row, found.Value)
	seed := r.node(Explanation{
		Op: OpProduct, Value: weighed, Label: "as a seed", Formula: phrase.Number(r.p.VectorWeight) + " × " + brief(found.Value), Scale: scaleGraph, Fields: param.FieldVectorWeight,
	}, r.leaf(r.p.VectorWeight, "vector weight", ""), found)
	if term == nil {
		return seed
	}
	return r.node(Explanation{
		Op: OpSum, Value: blended, Label: "seed and edge", Formula: brief(weighed) + " + " + brief(term.Value), Scale: scaleGraph,
	}, seed, term)
}

func pathLabel(p *GraphPath) string {
	way := " from "
	if p.Reversed {
		way = " back from "
	}
	return p.Relation + way + strconv.Quote(cmp.Or(p.FromHeading, p.FromChunkID))
}
