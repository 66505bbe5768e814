package links

import (
	"database/sql"

	"github.com/webrag/webrag-tui/store"
)

// EdgeColumns are the columns of chunk_edges.
const EdgeColumns = `id, document_id, source_id, target_document_id, target_id, relation, weight, description, origin`

// EdgeMarks are the marks of EdgeColumns in a statement.
const EdgeMarks = `?, ?, ?, ?, ?, ?, ?, ?, ?`

// EncodeEdge returns the values of EdgeColumns.
func EncodeEdge(e *store.Edge) []any {
	return []any{
		e.ID, e.DocumentID, e.SourceID, textOrNull(e.TargetDocumentID), e.TargetID, string(e.Relation), e.Weight,
		textOrNull(e.Description), textOrNull(string(e.Origin)),
	}
}

// SelectEdge reads the columns in the order of ScanEdge.
const SelectEdge = `SELECT e.id, e.document_id, e.source_id, coalesce(e.target_document_id, ''), e.target_id, e.relation,
	e.weight, coalesce(e.description, ''), coalesce(e.origin, '')`

// ScanEdge reads a row of SelectEdge, and what follows its columns into more.
func ScanEdge(rows *sql.Rows, more ...any) (store.Edge, error) {
	var e store.Edge
	err := rows.Scan(append([]any{
		&e.ID, &e.DocumentID, &e.SourceID, &e.TargetDocumentID, &e.TargetID, &e.Relation,
		&e.Weight, &e.Description, &e.Origin,
	}, more...)...)
	return e, err
}

// textOrNull returns NULL for the empty string, which stands for an absent value.
func textOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}
