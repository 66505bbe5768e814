package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// putEdges writes edges in one statement; conflict says what happens to one that
// is there already.
func putEdges(ctx context.Context, tx pgx.Tx, l *layout, edges []store.Edge, conflict string) error {
	if len(edges) == 0 {
		return nil
	}
	n := len(edges)
	documents, ids, sources := make([]string, n), make([]string, n), make([]string, n)
	targetDocuments, targets, relations := make([]string, n), make([]string, n), make([]string, n)
	weights, descriptions, origins := make([]float64, n), make([]string, n), make([]string, n)
	for i := range edges {
		e := &edges[i]
		documents[i], ids[i], sources[i] = e.DocumentID, e.ID, e.SourceID
		targetDocuments[i], targets[i], relations[i] = e.TargetDocumentID, e.TargetID, string(e.Relation)
		weights[i], descriptions[i], origins[i] = e.Weight, e.Description, string(e.Origin)
	}
	_, err := tx.Exec(ctx, `
		INSERT INTO `+l.table("chunk_edges")+` (document_id, id, source_id, target_document_id, target_id, relation, weight, description, origin)
		SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::float8[], $8::text[], $9::text[])
		`+conflict, documents, ids, sources, targetDocuments, targets, relations, weights, descriptions, origins)
	return err
}

// PutEdges adds edges, or overwrites those with the same source, target and
// relation, in one transaction.
func (w *Writer) PutEdges(ctx context.Context, edges []store.Edge) (missing []store.Edge, err error) {
	for i := range edges {
		e := edges[i]
		if e.Origin == "" {
			e.Origin = store.OriginImport
		}
		if err := store.CheckEdge(&e); err != nil {
			return nil, fmt.Errorf("put edges into corpus %s: edge %d (%s to %s): %w", w.store.db.Location(), i, e.SourceID, e.TargetID, err)
		}
	}
	ends := make([]string, 0, 2*len(edges))
	for i := range edges {
		ends = append(ends, edges[i].SourceID, edges[i].TargetID)
	}
	var next int64
	err = w.inTransaction(ctx, func(tx pgx.Tx) error {
		next = 0
		reader := View{store: w.store, layout: w.layout}
		nodes, err := reader.sections(ctx, tx, ends)
		if err != nil {
			return err
		}
		var known []store.Edge
		if known, missing = store.ResolveEdges(edges, nodes); len(known) == 0 {
			return nil
		}
		if next, err = w.count(ctx, tx, 1); err != nil {
			return err
		}
		return putEdges(ctx, tx, w.layout, known, `ON CONFLICT (document_id, id) DO UPDATE SET weight = excluded.weight,
			description = excluded.description, origin = excluded.origin, target_document_id = excluded.target_document_id`)
	})
	if err != nil {
		return nil, w.fail(ctx, "put edges into", err)
	}
	if next > 0 {
		w.meta.Changed = next
	}
	return missing, nil
}
