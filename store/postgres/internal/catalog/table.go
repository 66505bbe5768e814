package catalog

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
)

// Table is a table, or a view that can be read like one.
type Table struct {
	OID          uint32
	Schema, Name string
	// Rows is the server's estimate, -1 for never counted.
	Rows int64
	// MayRead and MayWrite are the privileges of the role that asked: MayWrite is
	// all of INSERT, UPDATE and DELETE.
	MayRead, MayWrite bool
	// OnPath says that the search path reaches the table.
	OnPath  bool
	Columns []Column
	// Primary are the columns of the primary key in its order, nil without one.
	Primary []string
}

// Column is a column of a table.
type Column struct {
	Name string
	// Type is the name of the type without modifiers and schema: "text", "_text"
	// for text[], "vector".
	Type string
	// Dims are the declared dimensions of a column of vectors, 0 for undeclared.
	Dims    int
	NotNull bool
}

// Is reports whether the column is of one of the types.
func (c *Column) Is(types ...string) bool { return slices.Contains(types, c.Type) }

// IsVector reports whether the column holds vectors that are searched by cosine.
func (c *Column) IsVector() bool { return c.Is("vector", "halfvec") }

// Quoted is the table's name as it stands in a statement.
func (t *Table) Quoted() string { return Quote(t.Schema, t.Name) }

// Label is the table's name as it stands in a sentence.
func (t *Table) Label() string { return Printable(t.Schema + "." + t.Name) }

// Column returns a column, or nil.
func (t *Table) Column(name string) *Column {
	i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return &t.Columns[i]
}

// Has reports whether the table has all of the columns.
func (t *Table) Has(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return t.Column(name) == nil })
}

// Names are the names of all columns.
func (t *Table) Names() map[string]bool {
	names := make(map[string]bool, len(t.Columns))
	for i := range t.Columns {
		names[t.Columns[i].Name] = true
	}
	return names
}

// tableColumns are what Scan of a table reads.
const tableColumns = `
	SELECT c.oid, n.nspname, c.relname, c.reltuples::bigint, pg_table_is_visible(c.oid),
		has_table_privilege(c.oid, 'SELECT'),
		has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE'),
		ARRAY(SELECT a.attname::text FROM pg_index i, unnest(i.indkey::int2[]) WITH ORDINALITY k (num, place), pg_attribute a
			WHERE i.indrelid = c.oid AND i.indisprimary AND a.attrelid = c.oid AND a.attnum = k.num ORDER BY k.place)
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace`

// OnPath returns the tables of these names in the schemas of the search path, in
// its order: more than one of a name if several schemas have it.
func OnPath(ctx context.Context, q Querier, names ...string) ([]Table, error) {
	return readTables(ctx, q, tableColumns+`
		JOIN unnest(current_schemas(false)) WITH ORDINALITY p (name, place) ON p.name = n.nspname
		WHERE c.relname = ANY($1) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
		ORDER BY p.place, c.relname`, names)
}

// WithVectors returns the tables of the database that have a column of vectors and
// may be read, those on the search path first, at most limit.
func WithVectors(ctx context.Context, q Querier, limit int) ([]Table, error) {
	return readTables(ctx, q, tableColumns+`
		WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND has_table_privilege(c.oid, 'SELECT')
			AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\_t%'
			AND has_schema_privilege(n.oid, 'USAGE')
			AND EXISTS (SELECT 1 FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
				WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND t.typname IN ('vector', 'halfvec'))
		ORDER BY pg_table_is_visible(c.oid) DESC, n.nspname, c.relname
		LIMIT $1`, limit)
}

func readTables(ctx context.Context, q Querier, sql string, args ...any) ([]Table, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	tables, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (t Table, err error) {
		err = row.Scan(&t.OID, &t.Schema, &t.Name, &t.Rows, &t.OnPath, &t.MayRead, &t.MayWrite, &t.Primary)
		return t, err
	})
	if err != nil || len(tables) == 0 {
		return nil, err
	}
	return tables, readColumns(ctx, q, tables)
}

// readColumns fills the columns of tables.
func readColumns(ctx context.Context, q Querier, tables []Table) error {
	at := make(map[uint32]*Table, len(tables))
	oids := make([]uint32, len(tables))
	for i := range tables {
		oids[i] = tables[i].OID
		at[oids[i]] = &tables[i]
	}
	rows, err := q.Query(ctx, `
		SELECT a.attrelid, a.attname, t.typname, a.attnotnull,
			CASE WHEN t.typname IN ('vector', 'halfvec') THEN greatest(a.atttypmod, 0) ELSE 0 END
		FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
		WHERE a.attrelid = ANY($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
		ORDER BY a.attrelid, a.attnum`, oids)
	if err != nil {
		return err
	}
	var oid uint32
	var c Column
	_, err = pgx.ForEachRow(rows, []any{&oid, &c.Name, &c.Type, &c.NotNull, &c.Dims}, func() error {
		at[oid].Columns = append(at[oid].Columns, c)
		return nil
	})
	return err
}
