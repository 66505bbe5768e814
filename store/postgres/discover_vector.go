package postgres

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
)

// sampledVectors is how many rows are asked for their dimensions where the column
// declares none.
const sampledVectors = 1000

// readVectors finds out about chunks.embedding and its index.
func (l *layout) readVectors(ctx context.Context, tx pgx.Tx, s catalog.Server, chunks *catalog.Table) error {
	column := chunks.Column("embedding")
	if column == nil {
		l.vector.index.why = "the table " + chunks.Label() + " has no column embedding"
		if s.Vector == "" {
			l.vector.index.why += ", and the database not the extension vector"
		}
		return nil
	}
	if !column.IsVector() {
		l.vector.index.why = fmt.Sprintf("the column embedding of %s is no vector of pgvector but of type %s",
			chunks.Label(), catalog.Printable(column.Type))
		return nil
	}
	if !s.VectorVisible {
		return fmt.Errorf("the extension vector is in the schema %s, which the search path does not reach; add it to the address: search_path=%s,%s",
			catalog.Printable(s.VectorSchema), catalog.Printable(l.schema), catalog.Printable(catalog.Quote(s.VectorSchema)))
	}
	l.vector.kind, l.vector.dims = column.Type, column.Dims
	if column.Dims == 0 {
		if err := l.askDimensions(ctx, tx); err != nil {
			return err
		}
	}
	indexes, err := catalog.Indexes(ctx, tx, chunks.OID)
	if err != nil {
		return err
	}
	x := nearestChunks(chunks, column, l.vector.dims, indexes)
	if why := catalog.TooOld(s.Vector); why != "" && x.Name != "" {
		x = catalog.Nearest{Why: why, Expression: "embedding", QueryType: column.Type}
	}
	l.vector.index = vectorIndex{
		name: x.Name, why: x.Why, method: x.Method,
		expression: x.Expression, queryType: x.QueryType, predicate: x.Predicate,
	}
	return nil
}

// nearestChunks chooses the index by which searches find the nearest children.
// What none is chosen for, [Writer.Finish] builds one for.
func nearestChunks(chunks *catalog.Table, column *catalog.Column, dims int, indexes []catalog.Index) catalog.Nearest {
	return catalog.FindNearest(chunks, column, dims, indexes, "chunk_level = 'child'", "embedding IS NOT NULL")
}

// askDimensions looks at vectors whose column does not say how long they are.
func (l *layout) askDimensions(ctx context.Context, tx pgx.Tx) error {
	rows, err := tx.Query(ctx, `
		SELECT DISTINCT vector_dims(s.embedding) FROM
			(SELECT embedding FROM `+l.table("chunks")+` WHERE embedding IS NOT NULL LIMIT `+strconv.Itoa(sampledVectors)+`) s
		ORDER BY 1`)
	if err != nil {
		return err
	}
	dims, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil {
		return err
	}
	switch len(dims) {
	case 0:
	case 1:
		l.vector.dims = dims[0]
	default:
		l.warnings = append(l.warnings, fmt.Sprintf("the vectors have different dimensions (%s), so they are of several models and nothing can be found by meaning; embed all of them with one model, and declare its dimensions: ALTER TABLE %s ALTER COLUMN embedding TYPE %s(N)",
			joinInts(dims), catalog.Printable(l.table("chunks")), l.vector.kind))
	}
	return nil
}

func joinInts(numbers []int) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ", ")
}
