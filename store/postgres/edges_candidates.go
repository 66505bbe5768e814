package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// candidates answers from link_candidates, which knows pages and no sections: a
// page's link leads from its section that is asked about, or in a listing from
// its first, to the first section of the page that it leads to. There is nothing
// but references, and nothing dangles: a candidate whose page is not indexed is
// none yet.
func (r *edgeReader) candidates(ctx context.Context) ([]store.Edge, error) {
	if r.query.Dangling || r.query.Relations != nil && !slices.Contains(r.query.Relations, store.References) ||
		r.query.Origins != nil && !slices.Contains(r.query.Origins, store.OriginLink) {
		return nil, nil
	}
	if r.query.Nodes == nil {
		edges, err := r.candidatesOf(ctx, nil, nil)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(edges, store.CompareListed)
		edges = slices.DeleteFunc(edges, func(e store.Edge) bool { return store.CompareListed(e, r.query.After) <= 0 })
		from := min(max(0, r.query.Page.Offset), len(edges))
		to := len(edges)
		if n := r.query.Page.Limit; n > 0 {
			to = min(to, from+n)
		}
		return edges[from:to], nil
	}
	nodes, err := r.sections(ctx, r.query.Nodes)
	if err != nil || len(nodes) == 0 {
		return nil, err
	}
	documents := make(map[string]bool)
	at := make(map[string][]string) // the nodes of a document
	for _, n := range nodes {
		documents[n.DocumentID] = true
		if !slices.Contains(at[n.DocumentID], n.ID) {
			at[n.DocumentID] = append(at[n.DocumentID], n.ID)
		}
	}
	var out []store.Edge
	taken := make(map[string]bool)
	add := func(edges []store.Edge) {
		for _, e := range store.HeaviestEdges(edges, r.query.PerNode) {
			if !taken[e.ID] {
				taken[e.ID] = true
				out = append(out, e)
			}
		}
	}
	if r.query.Direction != store.Incoming {
		edges, err := r.candidatesOf(ctx, documents, nil)
		if err != nil {
			return nil, err
		}
		for document, nodes := range at {
			for _, node := range nodes {
				var own []store.Edge
				for _, e := range edges {
					if e.DocumentID == document {
						e.SourceID, e.ID = node, store.EdgeID(node, e.TargetID, e.Relation)
						own = append(own, e)
					}
				}
				add(own)
			}
		}
	}
	if r.query.Direction != store.Outgoing {
		edges, err := r.candidatesOf(ctx, nil, documents)
		if err != nil {
			return nil, err
		}
		for _, nodes := range at {
			for _, node := range nodes {
				add(slices.DeleteFunc(slices.Clone(edges), func(e store.Edge) bool { return e.TargetID != node }))
			}
		}
	}
	slices.SortFunc(out, store.CompareEdges)
	return out, nil
}

// candidatesOf reads the links between indexed pages in scope, as edges between
// their first sections; from and to, if not nil, are the documents that may be
// their sources and targets.
func (r *edgeReader) candidatesOf(ctx context.Context, from, to map[string]bool) ([]store.Edge, error) {
	v := r.view
	first := func(document string) string {
		return "(SELECT f.id FROM " + v.layout.table("chunks") + " f WHERE f.document_id = " + document +
			" AND f.chunk_level = 'parent' ORDER BY f.chunk_index, f.id LIMIT 1)"
	}
	var p params
	conditions := []string{"l.source_document_id <> t.id"}
	if from != nil {
		conditions = append(conditions, "l.source_document_id = ANY("+p.add(uuids(from))+"::uuid[])")
	}
	if to != nil {
		conditions = append(conditions, "t.id = ANY("+p.add(uuids(to))+"::uuid[])")
	}
	inScope := all(v.scopedChunk(&p, r.query.Scope))
	holds := func(chunk string) string {
		return "EXISTS (SELECT FROM " + v.layout.chunksFrom() + " WHERE c.id = " + chunk + " AND " + inScope + ")"
	}
	rows, err := r.tx.Query(ctx, "SELECT x.source_document, x.source::text, x.target_document, x.target::text, x.text, x.title FROM (SELECT l.source_document_id::text AS source_document, "+
		first("l.source_document_id")+" AS source, t.id::text AS target_document, "+first("t.id")+` AS target,
			coalesce(l.title, '') AS text, coalesce(t.title, '') AS title
		FROM `+v.layout.table("link_candidates")+" l JOIN "+v.layout.table("documents")+" t ON t.source_url = l.target_url WHERE "+all(conditions)+
		") x WHERE x.source IS NOT NULL AND x.target IS NOT NULL AND "+holds("x.source")+" AND "+holds("x.target"), p...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (store.Edge, error) {
		var source, target store.Chunk
		var l store.Link
		if err := row.Scan(&source.DocumentID, &source.ID, &target.DocumentID, &target.ID, &l.Text, &target.Title); err != nil {
			return store.Edge{}, err
		}
		e, _ := store.LinkEdge(l, source, []store.Chunk{target})
		return e, nil
	})
}
