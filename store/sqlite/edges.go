package sqlite

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/links"
)

// Edges returns the edges at the given nodes, capped per node, each once, by
// (weight descending, id); or a page of all edges by (source, relation, id).
func (v *View) Edges(ctx context.Context, q store.EdgeQuery) ([]store.Edge, error) {
	if err := q.CheckAfter(); err != nil {
		return nil, fail(ctx, "read edges of", v.store.path, err)
	}
	sn, err := v.loaded(ctx, nil)
	if err != nil {
		return nil, err
	}
	r := edgeReader{view: v, snapshot: sn, scope: newMatcher(q.Scope), query: q}
	if q.Relations != nil {
		r.relations = make(map[store.Relation]bool, len(q.Relations))
		for _, relation := range q.Relations {
			r.relations[relation] = true
		}
	}
	var edges []store.Edge
	switch {
	case q.Dangling:
		edges, err = r.dangling(ctx)
	case q.Nodes == nil:
		edges, err = r.all(ctx)
	default:
		edges, err = r.at(ctx)
	}
	return edges, fail(ctx, "read edges of", v.store.path, err)
}

// edgeReader answers one query.
type edgeReader struct {
	view      *View
	snapshot  *snapshot
	scope     matcher
	relations map[store.Relation]bool
	query     store.EdgeQuery
}

// wants reports whether an edge is asked for. One that no writer would have written,
// such as of an unknown relation, is not there: see examineEdges.
func (r *edgeReader) wants(e *store.Edge) bool {
	return store.CheckEdge(e) == nil && (r.relations == nil || r.relations[e.Relation]) && (r.query.Origins == nil || slices.Contains(r.query.Origins, e.Origin))
}

// listed is the end of a statement that lists edges; its arguments are those of
// cursor.
const listed = ` WHERE (e.source_id, e.relation, e.id) > (?, ?, ?) ORDER BY e.source_id, e.relation, e.id`

// cursor is where a listing begins: for one from the beginning, before every id.
func (r *edgeReader) cursor() []any {
	return []any{r.query.After.SourceID, string(r.query.After.Relation), r.query.After.ID}
}

// end returns where a node is in memory, if it may be seen.
func (r *edgeReader) end(id string) (ref, bool) {
	u, ok := store.ParseID(id)
	if !ok {
		return ref{}, false
	}
	d, row, ok := r.snapshot.chunkByID(u)
	return ref{d, row}, ok
}

// shows reports whether both ends of an edge may be seen and are in scope. The
// documents are those that the ends are in, whatever the row says.
func (r *edgeReader) shows(e *store.Edge) bool {
	source, ok := r.end(e.SourceID)
	if !ok || !r.scope.admits(source.doc, source.row) {
		return false
	}
	target, ok := r.end(e.TargetID)
	if !ok || !r.scope.admits(target.doc, target.row) {
		return false
	}
	e.DocumentID, e.TargetDocumentID = source.doc.id.String(), target.doc.id.String()
	return true
}

// nodes returns the ids of the sections that the query names, once each. Those
// that may not be seen have no edges.
func (r *edgeReader) nodes() []string {
	seen := make(map[uuid.UUID]bool, len(r.query.Nodes))
	var nodes []string
	for _, id := range r.query.Nodes {
		at, ok := r.end(id)
		if !ok {
			continue
		}
		parent := at.doc.part.Rows[at.doc.part.ParentOf(at.row)].ID
		if !seen[parent] {
			seen[parent] = true
			nodes = append(nodes, parent.String())
		}
	}
	return nodes
}

// at reads the edges at nodes: one statement for each direction, so that a whole
// frontier costs no more round trips than one node.
func (r *edgeReader) at(ctx context.Context) ([]store.Edge, error) {
	nodes := r.nodes()
	if len(nodes) == 0 {
		return nil, nil
	}
	var out []store.Edge
	seen := make(map[string]bool)
	for _, side := range []struct {
		not    store.Direction
		column string
	}{{store.Incoming, "source_id"}, {store.Outgoing, "target_id"}} {
		if r.query.Direction == side.not {
			continue
		}
		edges, err := r.side(ctx, side.column, nodes)
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			if !seen[e.ID] {
				seen[e.ID] = true
				out = append(out, e)
			}
		}
	}
	slices.SortFunc(out, store.CompareEdges)
	return out, nil
}

// side reads the edges that have one of nodes in a column, at most PerNode of
// each relation for each.
func (r *edgeReader) side(ctx context.Context, column string, nodes []string) ([]store.Edge, error) {
	rows, err := r.view.conn.QueryContext(ctx, links.SelectEdge+`, n.key
		FROM json_each(?) n CROSS JOIN chunk_edges e ON e.`+column+` = n.value`, links.JSON(nodes))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	byNode := make([][]store.Edge, len(nodes))
	for rows.Next() {
		var node int
		e, err := links.ScanEdge(rows, &node)
		if err != nil {
			return nil, err
		}
		// The cap comes last: an edge that may not be seen takes no place.
		if r.wants(&e) && r.shows(&e) {
			byNode[node] = append(byNode[node], e)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	var out []store.Edge
	for _, edges := range byNode {
		out = append(out, store.HeaviestEdges(edges, r.query.PerNode)...)
	}
	return out, nil
}

// all reads a page of all edges.
func (r *edgeReader) all(ctx context.Context) ([]store.Edge, error) {
	rows, err := r.view.conn.QueryContext(ctx, links.SelectEdge+` FROM chunk_edges e`+listed, r.cursor()...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	p := newPager(r.query.Page)
	for !p.isFull() && rows.Next() {
		e, err := links.ScanEdge(rows)
		if err != nil {
			return nil, err
		}
		if r.wants(&e) && r.shows(&e) {
			p.add(e)
		}
	}
	return p.edges, rows.Err()
}

// dangling reads a page of the edges with an end that is gone or hidden. What
// leads to another owner's is not for this one to know, nor that it exists.
func (r *edgeReader) dangling(ctx context.Context) ([]store.Edge, error) {
	nodes := stringSet(append(r.nodes(), r.query.Nodes...))
	rows, err := r.view.conn.QueryContext(ctx, links.SelectEdge+`, ?1 = '' OR (d.owner = ?1
			AND coalesce(s.owner, ?1) = ?1 AND coalesce(sd.owner, ?1) = ?1 AND (s.id IS NULL OR s.owner IS NOT NULL AND sd.owner IS NOT NULL)
			AND coalesce(t.owner, ?1) = ?1 AND coalesce(td.owner, ?1) = ?1 AND (t.id IS NULL OR t.owner IS NOT NULL AND td.owner IS NOT NULL)
			AND (g.id IS NULL OR g.owner IS ?1))
		FROM chunk_edges e JOIN documents d ON d.id = e.document_id
		LEFT JOIN chunks s ON s.id = e.source_id LEFT JOIN documents sd ON sd.id = s.document_id
		LEFT JOIN chunks t ON t.id = e.target_id LEFT JOIN documents td ON td.id = t.document_id
		LEFT JOIN documents g ON g.id = e.target_document_id`+listed, append([]any{r.view.store.owner}, r.cursor()...)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	p := newPager(r.query.Page)
	for !p.isFull() && rows.Next() {
		var own bool
		e, err := links.ScanEdge(rows, &own)
		if err != nil {
			return nil, err
		}
		_, source := r.end(e.SourceID)
		_, target := r.end(e.TargetID)
		if own && !(source && target) && r.wants(&e) && (r.query.Nodes == nil || nodes[e.SourceID] || nodes[e.TargetID]) {
			p.add(e)
		}
	}
	return p.edges, rows.Err()
}

// pager keeps a page of the edges that are added.
type pager struct {
	skip, limit int // no limit is -1
	edges       []store.Edge
}

func newPager(page store.Page) pager {
	p := pager{skip: max(0, page.Offset), limit: -1}
	if page.Limit > 0 {
		p.limit = page.Limit
	}
	return p
}

func (p *pager) isFull() bool { return len(p.edges) == p.limit }

func (p *pager) add(e store.Edge) {
	if p.skip > 0 {
		p.skip--
		return
	}
	p.edges = append(p.edges, e)
}
