package retrieval

import (
	"cmp"
	"context"
	"slices"

	"github.com/webrag/webrag-tui/store"
)

// edgesPerNode bounds the edges read at one node in each direction: a table of
// contents links to everything.
const edgesPerNode = 100

// graphRows are the edges read so far.
type graphRows struct {
	// edges are by weight descending, then id.
	edges []edgeRow
	// expanded says of a row that its edges were read; capped counts the nodes
	// that may have more.
	expanded map[int32]bool
	capped   int
	// missing says why there are no edges at all, err why they could not be read.
	missing, err string
}

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
	x := ev.index()
	for _, id := range nodes {
		if at, ok := x.rows[id]; ok {
			g.expanded[at] = true
		}
	}
	ev.graph = g
	if why, missing := d.Store.Info().Missing[store.CapEdges]; missing {
		ev.graph.missing = why
		return nil
	}
	found, err := view.Edges(ctx, store.EdgeQuery{Nodes: nodes, Direction: store.Both, PerNode: edgesPerNode})
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		d.log().WarnContext(ctx, "read edges", "error", err)
		ev.graph.err = err.Error()
		return nil
	}
	if err := ev.readEnds(ctx, view, x, found); err != nil {
		return err
	}
	ev.graph.add(x, found)
	ev.graph.capped += countCapped(nodes, found)
	return nil
}

// readEnds adds rows for the ends of edges that are not known yet, and notes
// which of them the query's scope leaves out.
func (ev *Evidence) readEnds(ctx context.Context, view store.View, x rowIndex, found []store.Edge) error {
	var ids []string
	asked := map[string]bool{}
	for i := range found {
		for _, id := range []string{found[i].SourceID, found[i].TargetID} {
			if _, known := x.rows[id]; !known && !asked[id] {
				asked[id] = true
				ids = append(ids, id)
			}
		}
	}
	if len(ids) == 0 {
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

// countCapped counts the nodes at which as many edges were found as were asked
// for.
func countCapped(nodes []string, found []store.Edge) int {
	out, in := map[string]int{}, map[string]int{}
	for i := range found {
		out[found[i].SourceID]++
		in[found[i].TargetID]++
	}
	capped := 0
	for _, id := range nodes {
		if out[id] >= edgesPerNode || in[id] >= edgesPerNode {
			capped++
		}
	}
	return capped
}

func (g *graphRows) clone() graphRows {
	c := *g
	c.edges = slices.Clone(g.edges)
	c.expanded = make(map[int32]bool, len(g.expanded)+8)
	for at := range g.expanded {
		c.expanded[at] = true
	}
	return c
}

// add takes over the edges whose ends are known, each once.
func (g *graphRows) add(x rowIndex, found []store.Edge) {
	known := make(map[string]bool, len(g.edges)+len(found))
	for i := range g.edges {
		known[g.edges[i].id] = true
	}
	for i := range found {
		e := &found[i]
		source, ok1 := x.rows[e.SourceID]
		target, ok2 := x.rows[e.TargetID]
		if !ok1 || !ok2 || known[e.ID] {
			continue
		}
		known[e.ID] = true
		g.edges = append(g.edges, edgeRow{
			id: e.ID, source: source, target: target,
			relation: e.Relation, weight: e.Weight, description: e.Description,
		})
	}
	slices.SortFunc(g.edges, func(a, b edgeRow) int {
		if c := cmp.Compare(b.weight, a.weight); c != 0 {
			return c
		}
		return cmp.Compare(a.id, b.id)
	})
}
