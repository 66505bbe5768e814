package postgres

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// Edges returns the edges at the given nodes, capped per node, each once, by
// (weight descending, id); or a page of all edges by (source, relation, id).
//
// Edges are read first and what stands at their ends after, in statements of
// their own: the ends are in different documents, which a database of several
// servers keeps apart.
func (v *View) Edges(ctx context.Context, q store.EdgeQuery) (edges []store.Edge, err error) {
	if err := q.CheckAfter(); err != nil {
		return nil, fmt.Errorf("read edges of corpus %s: %w", v.store.db.Location(), err)
	}
	err = v.do(ctx, "read edges of", func(tx pgx.Tx) error {
		r := edgeReader{view: v, tx: tx, query: q}
		switch {
		case v.layout.linkCandidates && !v.layout.edges:
			edges, err = r.candidates(ctx)
		case !v.layout.edges:
			edges, err = nil, nil
		case q.Dangling:
			edges, err = r.list(ctx, r.isDangling)
		case q.Nodes == nil:
			edges, err = r.list(ctx, r.shows)
		default:
			edges, err = r.at(ctx)
		}
		return err
	})
	return edges, err
}

// edgeReader answers one query.
type edgeReader struct {
	view  *View
	tx    pgx.Tx
	query store.EdgeQuery
	// nodes are the sections of a listing's Nodes, and these themselves.
	nodes map[string]bool
}

// edgeColumns are read by scanEdge.
const edgeColumns = `e.id::text, e.document_id::text, e.source_id::text, e.target_document_id::text, e.target_id::text, e.relation,
	e.weight, coalesce(e.description, ''), e.origin`

func scanEdge(row pgx.CollectableRow) (e store.Edge, err error) {
	err = row.Scan(&e.ID, &e.DocumentID, &e.SourceID, &e.TargetDocumentID, &e.TargetID, &e.Relation, &e.Weight, &e.Description, &e.Origin)
	return e, err
}

// wanted is the condition on e of the relations and origins wanted.
func (r *edgeReader) wanted(p *params) string {
	var conditions []string
	if r.query.Relations != nil {
		conditions = append(conditions, "e.relation = ANY("+p.add(words(r.query.Relations))+"::text[])")
	}
	if r.query.Origins != nil {
		conditions = append(conditions, "e.origin = ANY("+p.add(words(r.query.Origins))+"::text[])")
	}
	return all(conditions)
}

// words are values as the server takes them.
func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

// at reads the edges at nodes: those of both directions in one round trip, so
// that a whole frontier costs no more than one node.
func (r *edgeReader) at(ctx context.Context) ([]store.Edge, error) {
	nodes, err := r.sections(ctx, r.query.Nodes)
	if err != nil || len(nodes) == 0 {
		return nil, err
	}
	ids := make([]uuid.UUID, 0, len(nodes))
	seen := make(map[string]bool)
	for _, n := range nodes {
		if id, ok := parseID(n.ID); ok && !seen[n.ID] {
			seen[n.ID] = true
			ids = append(ids, id)
		}
	}
	sides, err := r.sides(ctx, ids)
	if err != nil {
		return nil, err
	}
	ends, err := r.ends(ctx, slices.Concat(sides[0], sides[1]))
	if err != nil {
		return nil, err
	}
	var out []store.Edge
	taken := make(map[string]bool)
	for side, edges := range sides {
		byNode := make(map[string][]store.Edge)
		for _, e := range edges {
			node := e.SourceID
			if side == 1 {
				node = e.TargetID
			}
			// The cap comes last: an edge that may not be seen takes no place.
			if r.shows(&e, ends) {
				byNode[node] = append(byNode[node], e)
			}
		}
		for _, edges := range byNode {
			for _, e := range store.HeaviestEdges(edges, r.query.PerNode) {
				if !taken[e.ID] {
					taken[e.ID] = true
					out = append(out, e)
				}
			}
		}
	}
	slices.SortFunc(out, store.CompareEdges)
	return out, nil
}

// sides reads the edges that have one of nodes as their source, and as their
// target, as far as the query wants them.
func (r *edgeReader) sides(ctx context.Context, nodes []uuid.UUID) (sides [2][]store.Edge, err error) {
	var batch pgx.Batch
	for side, not := range []store.Direction{store.Incoming, store.Outgoing} {
		if r.query.Direction == not {
			continue
		}
		var p params
		column := []string{"e.source_id", "e.target_id"}[side]
		statement := "SELECT " + edgeColumns + " FROM " + r.view.layout.table("chunk_edges") + " e WHERE " +
			column + " = ANY(" + p.add(nodes) + "::uuid[]) AND " + r.wanted(&p)
		batch.Queue(statement, p...).Query(func(rows pgx.Rows) error {
			sides[side], err = pgx.CollectRows(rows, scanEdge)
			return err
		})
	}
	return sides, r.tx.SendBatch(ctx, &batch).Close()
}

// end is what stands at the end of an edge.
type end struct {
	document string
	// owner and documentOwner are whose the chunk and its document are.
	owner, documentOwner string
	// visible says that the store's owner may see it, inScope that it is in the
	// query's scope too.
	visible, inScope bool
}

// standing is what was found out about the ends of some edges: the chunks by id,
// and whose the documents are that the edges name.
type standing struct {
	chunks map[string]end
	owners map[string]string
}

// ends looks at the ends of edges.
func (r *edgeReader) ends(ctx context.Context, edges []store.Edge) (standing, error) {
	s := standing{chunks: make(map[string]end), owners: make(map[string]string)}
	chunks, documents := make(map[string]bool), make(map[string]bool)
	for i := range edges {
		chunks[edges[i].SourceID], chunks[edges[i].TargetID] = true, true
		documents[edges[i].DocumentID], documents[edges[i].TargetDocumentID] = true, true
	}
	if len(edges) == 0 {
		return s, nil
	}
	v := r.view
	var p params
	ids := p.add(uuids(chunks)) + "::uuid[]"
	in := p.add(uuids(documents)) + "::uuid[]"
	visible := all(v.visibleChunk(&p))
	scoped := all(v.scopedChunk(&p, r.query.Scope))
	var batch pgx.Batch
	batch.Queue("SELECT c.id::text, c.document_id::text, coalesce(c.owner, ''), coalesce(d.owner, ''), coalesce("+visible+", false), coalesce("+scoped+", false)"+
		" FROM "+v.layout.chunksFrom()+" WHERE c.document_id = ANY("+in+") AND c.id = ANY("+ids+")", p...).Query(func(rows pgx.Rows) error {
		var id string
		var e end
		_, err := pgx.ForEachRow(rows, []any{&id, &e.document, &e.owner, &e.documentOwner, &e.visible, &e.inScope}, func() error {
			s.chunks[id] = e
			return nil
		})
		return err
	})
	batch.Queue("SELECT d.id::text, coalesce(d.owner, '') FROM "+v.layout.table("documents")+" d WHERE d.id = ANY($1::uuid[])", uuids(documents)).Query(func(rows pgx.Rows) error {
		var id, owner string
		_, err := pgx.ForEachRow(rows, []any{&id, &owner}, func() error {
			s.owners[id] = owner
			return nil
		})
		return err
	})
	return s, r.tx.SendBatch(ctx, &batch).Close()
}

// uuids returns those of a set that are ids.
func uuids(set map[string]bool) []uuid.UUID {
	ids := make([]string, 0, len(set))
	for id := range set {
		ids = append(ids, id)
	}
	return parseIDs(ids)
}

// shows reports whether both ends of an edge may be seen and are in scope. The
// documents are those that the ends are in, whatever the row says. One that no writer
// would have written, such as of an unknown relation, is not there: see checker.edges.
func (r *edgeReader) shows(e *store.Edge, s standing) bool {
	source, target := s.chunks[e.SourceID], s.chunks[e.TargetID]
	if store.CheckEdge(e) != nil || !source.visible || !source.inScope || !target.visible || !target.inScope {
		return false
	}
	e.DocumentID, e.TargetDocumentID = source.document, target.document
	return true
}

// isDangling reports whether an end of an edge is gone or hidden. What leads to
// another owner's is not for this one to know, nor that it exists.
func (r *edgeReader) isDangling(e *store.Edge, s standing) bool {
	source, hasSource := s.chunks[e.SourceID]
	target, hasTarget := s.chunks[e.TargetID]
	if store.CheckEdge(e) != nil || source.visible && target.visible || r.nodes != nil && !r.nodes[e.SourceID] && !r.nodes[e.TargetID] {
		return false
	}
	owner := r.view.store.opts.Owner
	if owner == "" {
		return true
	}
	isOwn := func(c end, exists bool) bool { return !exists || c.owner == owner && c.documentOwner == owner }
	of, exists := s.owners[e.TargetDocumentID]
	return s.owners[e.DocumentID] == owner && isOwn(source, hasSource) && isOwn(target, hasTarget) && (!exists || of == owner)
}

// edgesAtOnce is how many edges a listing reads before it looks at their ends.
const edgesAtOnce = 2000

// list reads a page of the edges that keep says yes to, by (source, relation,
// id).
func (r *edgeReader) list(ctx context.Context, keep func(e *store.Edge, s standing) bool) ([]store.Edge, error) {
	if r.query.Nodes != nil {
		nodes, err := r.sections(ctx, r.query.Nodes)
		if err != nil {
			return nil, err
		}
		r.nodes = make(map[string]bool)
		for _, id := range r.query.Nodes {
			r.nodes[id] = true
			r.nodes[nodes[id].ID] = true
		}
	}
	var out []store.Edge
	skip, last := max(0, r.query.Page.Offset), r.query.After
	for {
		edges, err := r.after(ctx, last)
		if err != nil || len(edges) == 0 {
			return out, err
		}
		last = edges[len(edges)-1]
		ends, err := r.ends(ctx, edges)
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			switch {
			case !keep(&e, ends):
			case skip > 0:
				skip--
			default:
				out = append(out, e)
				if len(out) == r.query.Page.Limit {
					return out, nil
				}
			}
		}
	}
}

// after reads the edges that come after one in a listing, or the first.
func (r *edgeReader) after(ctx context.Context, last store.Edge) ([]store.Edge, error) {
	var p params
	conditions := []string{r.wanted(&p)}
	if last.ID != "" {
		conditions = append(conditions, `(e.source_id, e.relation COLLATE "C", e.id) > (`+
			p.add(last.SourceID)+"::uuid, "+p.add(string(last.Relation))+"::text, "+p.add(last.ID)+"::uuid)")
	}
	rows, err := r.tx.Query(ctx, "SELECT "+edgeColumns+" FROM "+r.view.layout.table("chunk_edges")+" e WHERE "+all(conditions)+
		` ORDER BY e.source_id, e.relation COLLATE "C", e.id LIMIT `+p.add(edgesAtOnce), p...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanEdge)
}

// sections returns the sections of chunks, by the ids given, as far as the view
// shows them.
func (r *edgeReader) sections(ctx context.Context, ids []string) (map[string]store.Node, error) {
	return r.view.sections(ctx, r.tx, ids)
}

func (v *View) sections(ctx context.Context, tx pgx.Tx, ids []string) (map[string]store.Node, error) {
	var p params
	conditions := append(v.visibleChunk(&p), "c.id = ANY("+p.add(parseIDs(ids))+"::uuid[])")
	rows, err := tx.Query(ctx, "SELECT c.id::text, coalesce(c.parent_id, c.id)::text, c.document_id::text FROM "+v.layout.chunksFrom()+" WHERE "+all(conditions), p...)
	if err != nil {
		return nil, err
	}
	nodes := make(map[string]store.Node)
	var id string
	var n store.Node
	_, err = pgx.ForEachRow(rows, []any{&id, &n.ID, &n.DocumentID}, func() error {
		nodes[id] = n
		return nil
	})
	return nodes, err
}
