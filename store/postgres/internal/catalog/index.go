package catalog

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Index is an index of a table, as far as its first column goes.
type Index struct {
	Name string
	// Method is the access method: "btree", "gin", "hnsw", "ivfflat".
	Method string
	// Class is the operator class of the first column: "vector_cosine_ops".
	Class string
	// Valid is false while it is being built, and after that failed.
	Valid bool
	// Expression is what the first column indexes, as it stands in a statement:
	// `embedding`, `(embedding::halfvec(384))`.
	Expression string
	// Predicate is the condition of a partial index, empty for a whole one.
	Predicate string
}

// Indexes returns the indexes of a table by name.
func Indexes(ctx context.Context, q Querier, table uint32) ([]Index, error) {
	rows, err := q.Query(ctx, `
		SELECT c.relname, m.amname, o.opcname, i.indisvalid AND i.indisready,
			pg_get_indexdef(i.indexrelid, 1, true), coalesce(pg_get_expr(i.indpred, i.indrelid), '')
		FROM pg_index i
		JOIN pg_class c ON c.oid = i.indexrelid
		JOIN pg_am m ON m.oid = c.relam
		JOIN pg_opclass o ON o.oid = i.indclass[0]
		WHERE i.indrelid = $1
		ORDER BY c.relname`, table)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (x Index, err error) {
		err = row.Scan(&x.Name, &x.Method, &x.Class, &x.Valid, &x.Expression, &x.Predicate)
		return x, err
	})
}
