package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
	"github.com/webrag/webrag-tui/store/postgres/internal/db"
)

// Migration is what a migration did.
type Migration struct {
	// From and To are the versions of the schema, 0 for none.
	From, To int
	// FromVectors and ToVectors are the types of the vectors where they changed,
	// empty where they did not.
	FromVectors, ToVectors string
	// Rewritten says that there were vectors to change, in a column that has its
	// dimension, and Indexed that their index was built anew.
	Rewritten, Indexed bool
	// RowSecurity and Distributed say that these options were applied now.
	RowSecurity, Distributed bool
}

// note records what the options do to what was found.
func (m *Migration) note(o MigrateOptions, found database) {
	if o.VectorType != "" && o.VectorType != found.vectorType {
		m.FromVectors, m.ToVectors = found.vectorType, o.VectorType
		m.Rewritten = found.dims > 0
	}
	m.RowSecurity = o.RowSecurity && !found.secured
	m.Distributed = o.Distributed && !found.distributed
}

// indexAgain builds the index that went with the vectors of another type. A writer
// who is there already builds it when it ends.
func indexAgain(ctx context.Context, d *db.DB, opts MigrateOptions) (done bool, err error) {
	s := &Store{db: d, opts: Options{Conn: opts.Conn, Log: opts.Conn.Log}}
	found, err := discover(ctx, d)
	if err != nil {
		return false, err
	}
	s.layout.Store(found)
	w, err := s.Write(ctx)
	if errors.Is(err, store.ErrLocked) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if f, ok := w.(store.Finisher); ok {
		err = f.Finish(ctx, opts.Progress)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return false, err
	}
	found, err = discover(ctx, d)
	return err == nil && found.vector.index.name != "", err
}

// inTheWay are the indexes other than ours that only take vectors of the type that
// the column has now, with which its type cannot be changed.
func inTheWay(ctx context.Context, conn reader, schema string) ([]string, error) {
	rows, err := conn.Query(ctx, `
		SELECT x.relname::text FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
		JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attname = 'embedding' AND NOT a.attisdropped
		WHERE i.indrelid = to_regclass($1) AND x.relname <> $2 AND a.attnum = ANY (i.indkey::int2[])
			AND EXISTS (SELECT 1 FROM pg_opclass o WHERE o.oid = ANY (i.indclass::oid[]) AND o.opcintype = a.atttypid)
		ORDER BY 1`, pgx.Identifier{schema, "chunks"}.Sanitize(), vectorsIndex)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// cannotChange says which indexes keep vectors from changing their type.
func cannotChange(found database) error {
	drops := make([]string, len(found.inTheWay))
	for i, name := range found.inTheWay {
		drops[i] = "DROP INDEX " + catalog.Quote(found.schema, name)
	}
	return fmt.Errorf("the vectors cannot become another type while other indexes than the program's own are on them (%s); drop them first: %s; then migrate again, and make those anew that you need",
		catalog.Printable(strings.Join(found.inTheWay, ", ")), catalog.Printable(strings.Join(drops, "; ")))
}
