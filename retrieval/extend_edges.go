package retrieval

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/webrag/webrag-tui/store"
)

// EdgesPerNode bounds the edges of each relation read at one node in each
// direction: a table of contents links to everything.
const EdgesPerNode = 100

// graphRows are the edges read so far.
type graphRows struct {
	// edges are in no order; at lists those read at each node. A walk uses only these:
	// an edge that [EdgesPerNode] left out at one end may have been read at the other,
	// and must not count here, or a walk would depend on what else was expanded.
	edges []edgeRow
	at    map[int32]nodeEdges
	// capped counts the nodes that may have more.
	capped int
	// missing says why there are no edges at all, err why they could not be read.
	missing string
	err     reason
}

// nodeEdges are the edges that begin at a node and those that end there, as
// indices.
type nodeEdges struct{ out, in []int32 }

// edgeRow is an edge between two rows.
type edgeRow struct {
	id             string
	source, target int32
	relation       store.Relation
	weight         float64
	description    string
}

// readEdges reads the edges of nodes, both ways, and the numbers of what they
// lead to. A store without edges, or one whose edges cannot be read, ends the
// walk and is no error.
func (ev *Evidence) readEdges(ctx context.Context, d *Deps, view store.View, nodes []string) error {
	g := ev.graph.clone()
	x := indexOf(ev)
	for _, id := range nodes {
		if at, ok := x.rows[id]; ok {
			g.at[at] = nodeEdges{}
		}
	}
	ev.graph = g
	if why, missing := d.Store.Info().Missing[store.CapEdges]; missing {
		ev.graph.missing = why
		return nil
	}
	found, err := view.Edges(ctx, store.EdgeQuery{Nodes: nodes, Direction: store.Both, PerNode: EdgesPerNode})
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		d.log().WarnContext(ctx, "read edges", "error", err)
		ev.graph.err = reasonOf(err)
		return nil
	}
	if err := ev.readEnds(ctx, view, x, found); err != nil {
		return err
	}
	ev.graph.add(x, nodes, found)
	return nil
}

// readEnds adds rows for the ends of edges that are not known yet, and notes
// which of them the query's scope leaves out.
func (ev *Evidence) readEnds(ctx context.Context, view store.View, x rowIndex, found []store.Edge) error {
	ids := make([]string, 0, 2*len(found))
	for i := range found {
		ids = append(ids, found[i].SourceID, found[i].TargetID)
	}
	if ids = x.unknown(ids); len(ids) == 0 {
		return nil
	}
	chunks, err := view.Chunks(ctx, ids, 0)
	if err != nil {
		return err
	}
	before := len(ev.rows)
	ev.rows, ev.documents = slices.Clip(ev.rows), slices.Clip(ev.documents)
	ev.addSectionsFirst(x, chunks)
	if ev.query.Scope.IsZero() {
		return nil
	}
	within, err := view.Within(ctx, ev.query.Scope, ids)
	if err != nil {
		return err
	}
	for i := before; i < len(ev.rows); i++ {
		ev.rows[i].outside = !within[ev.rows[i].id]
	}
	return nil
}

func (g *graphRows) clone() graphRows {
	c := *g
	c.edges = slices.Clip(g.edges)
	c.at = make(map[int32]nodeEdges, len(g.at)+8)
	maps.Copy(c.at, g.at)
	return c
}

// add takes over the edges read at nodes whose ends are known. An edge in found may
// have been read at one of its ends only, and is added only there.
func (g *graphRows) add(x rowIndex, nodes []string, found []store.Edge) {
	known := make(map[string]int32, len(g.edges)+len(found))
	for i := range g.edges {
		known[g.edges[i].id] = int32(i)
	}
	asked := make(map[string]bool, len(nodes))
	for _, id := range nodes {
		asked[id] = true
	}
	slices.SortFunc(found, func(a, b store.Edge) int {
		if c := cmp.Compare(b.Weight, a.Weight); c != 0 {
			return c
		}
		return cmp.Compare(a.ID, b.ID)
	})
	type end struct {
		node     string
		relation store.Relation
		in       bool
	}
	taken := map[end]int{}
	full := map[string]bool{}
	room := func(node string, e *store.Edge, in bool) bool {
		if !asked[node] {
			return false
		}
		p := end{node, e.Relation, in}
		taken[p]++
		if taken[p] >= EdgesPerNode {
			full[node] = true
		}
		return taken[p] <= EdgesPerNode
	}
	for i := range found {
		e := &found[i]
		source, ok1 := x.rows[e.SourceID]
		target, ok2 := x.rows[e.TargetID]
		if !ok1 || !ok2 {
			continue
		}
		n, ok := known[e.ID]
		if !ok {
			n = int32(len(g.edges))
			known[e.ID] = n
			g.edges = append(g.edges, edgeRow{
				id: e.ID, source: source, target: target,
				relation: e.Relation, weight: e.Weight, description: e.Description,
			})
		}
		if room(e.SourceID, e, false) {
			lists := g.at[source]
			lists.out = append(slices.Clip(lists.out), n)
			g.at[source] = lists
		}
		if room(e.TargetID, e, true) {
			lists := g.at[target]
			lists.in = append(slices.Clip(lists.in), n)
			g.at[target] = lists
		}
	}
	g.capped += len(full)
}
