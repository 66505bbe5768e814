package postgres

import (
	"context"

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
	return nil, errNotYet
}
