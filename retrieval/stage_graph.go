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
	case len(g.edges) == 0 && len(r.walk.hops) == 0 && len(r.list) > 0:
		r.note(phrase.NoticeNoEdges)
	}
	if outside := count(r.list, func(c *candidate) bool { return r.ev.rows[c.row].outside }); outside > 0 {
		r.note(phrase.NoticeOutsideScope, outside, param.As(param.FieldGraphFilterScope, string(param.FilterAll)))
	}
}

// walk is what following edges found.
type walk struct {
	// term[row] is what edges give to a node, paths[row] the steps that led there,
	// the best first; both by row and empty for what no edge reached.
	term  map[int32]float64
	paths map[int32][]step
	// reached are the nodes that are no seeds, in the order of being found.
	reached []int32
	hops    map[int32]int8
	used    int
	// filtered counts edges that a setting left out, cutNodes the nodes that the
	// bound of the frontier did.
	filtered, cutNodes int
}

// step is an edge that was walked.
type step struct {
	edge     int32 // in the evidence's edges
	from     int32 // row
	reversed bool
	hop      int32
	decay    float64
	term     float64
}

// oasisDecay is the weight of hops beyond the list in oasis' code.
const oasisDecay = 0.5

// mostPaths is how many paths an item lists.
const mostPaths = 3

// applyGraph follows edges from the candidates, which are the seeds, and blends
// what edges give with what the search gave. Nodes are sections: a chunk stands
// for its own.
func applyGraph(r *ranking, s *Stage) {
	seeds := each(r.list, func(c *candidate) int32 { return r.ev.nodeOf(c.row) })
	r.walk = walk{term: map[int32]float64{}, paths: map[int32][]step{}, hops: map[int32]int8{}}
	r.follow(seeds)
	for i := range r.list {
		c := &r.list[i]
		_, c.score = r.blend(c.row, c.score)
	}
	for _, at := range r.walk.reached {
		r.list = append(r.list, candidate{row: at, child: noRow, hop: r.walk.hops[at], score: r.walk.term[at]})
	}
	slices.SortFunc(r.list, func(a, b candidate) int { return r.less(&a, &b) })
	r.scale = scaleGraph
	if s != nil {
		r.traceGraph(s, len(seeds))
	}
}

// follow walks breadth first, edge by edge: in documented scoring the heaviest
// first, as oasis does by id. An edge is walked once, so that no walk goes
// straight back.
func (r *ranking) follow(seeds []int32) {
	w := &r.walk
	visited := make(map[int32]bool, len(seeds)*4)
	frontier := make(map[int32]bool, len(seeds))
	for _, n := range seeds {
		visited[n], frontier[n] = true, true
	}
	used := make([]bool, len(r.ev.graph.edges))
	for hop := 1; hop <= r.hops() && len(frontier) > 0; hop++ {
		if !r.expanded(frontier) {
			return
		}
		decay, ok := r.p.HopDecay.At(hop)
		if !ok {
			decay = oasisDecay
		}
		var next []int32
		for _, at := range r.edgesAt(frontier) {
			if used[at] {
				continue
			}
			e := &r.ev.graph.edges[at]
			st := step{edge: at, from: e.source, hop: int32(hop), decay: decay}
			to := e.target
			switch {
			case frontier[e.source]:
			case r.p.Bidirectional && frontier[e.target]:
				st.from, st.reversed, to = e.target, true, e.source
			default:
				continue
			}
			used[at] = true
			if !r.p.Relations.Has(e.relation) || e.weight < r.p.MinTraversalScore || r.p.GraphFilterScope == param.FilterAll && r.ev.rows[to].outside {
				w.filtered++
				continue
			}
			if r.p.GraphScoring == param.ScoringOasis && visited[to] {
				continue
			}
			w.used++
			st.term = float64(r.p.GraphWeight*decay) * e.weight
			w.term[to] = max(w.term[to], st.term)
			w.paths[to] = append(w.paths[to], st)
			if !visited[to] {
				visited[to] = true
				w.hops[to] = int8(hop)
				w.reached = append(w.reached, to)
				next = append(next, to)
			}
		}
		frontier = r.nextFrontier(next)
	}
}

// edgesAt are the edges read at the nodes of a frontier, in the order in which
// they are tried: by weight and id, or as oasis does it by id.
func (r *ranking) edgesAt(frontier map[int32]bool) []int32 {
	g := &r.ev.graph
	var order []int32
	for node := range frontier {
		order = append(order, g.at[node].out...)
		if r.p.Bidirectional {
			order = append(order, g.at[node].in...)
		}
	}
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
func (r *ranking) expanded(frontier map[int32]bool) bool {
	if r.ev.graph.missing != "" || !r.ev.graph.err.isNone() {
		return false
	}
	var unknown []int32
	for n := range frontier {
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
func (r *ranking) nextFrontier(next []int32) map[int32]bool {
	if most := r.p.MaxFrontier; most > 0 && len(next) > most {
		slices.SortFunc(next, func(a, b int32) int {
			x := candidate{row: a, score: r.walk.term[a]}
			y := candidate{row: b, score: r.walk.term[b]}
			return r.less(&x, &y)
		})
		r.walk.cutNodes += len(next) - most
		next = next[:most]
	}
	frontier := make(map[int32]bool, len(next))
	for _, n := range next {
		frontier[n] = true
	}
	return frontier
}

// blend is a seed's score, weighed, and what it is with the best edge that reaches
// it, which documented scoring adds.
func (r *ranking) blend(row int32, score float64) (weighed, blended float64) {
	weighed = float64(r.p.VectorWeight * score)
	if r.p.GraphScoring == param.ScoringDocumented {
		if term, ok := r.walk.term[r.ev.nodeOf(row)]; ok {
			return weighed, float64(weighed) + float64(term)
		}
	}
	return weighed, weighed
}

// pathsTo are the best paths to a candidate, as shown.
func (r *ranking) pathsTo(c *candidate) []GraphPath {
	steps := r.walk.paths[r.ev.nodeOf(c.row)]
	if len(steps) == 0 {
		return nil
	}
	steps = slices.Clone(steps)
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
