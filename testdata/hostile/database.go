package hostile

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// DatabaseText is what of Text a PostgreSQL server takes: text without NUL.
var DatabaseText = strings.ReplaceAll(Text, "\x00", "")

// FillDatabase makes the columns of a schema's tables hostile that hold text, lists of
// it, or JSON, as far as a corpus can be read then. It returns how many those are.
func FillDatabase(ctx context.Context, conn *pgx.Conn, schema string) (int, error) {
	rows, err := conn.Query(ctx, `SELECT table_name, column_name, udt_name FROM information_schema.columns
		JOIN information_schema.tables USING (table_schema, table_name)
		WHERE table_schema = $1 AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'
			AND udt_name IN ('text', 'varchar', '_text', 'jsonb') ORDER BY 1, ordinal_position`, schema)
	if err != nil {
		return 0, fmt.Errorf("list columns: %w", err)
	}
	columns, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c [3]string, err error) {
		return c, row.Scan(&c[0], &c[1], &c[2])
	})
	if err != nil {
		return 0, fmt.Errorf("list columns: %w", err)
	}
	filled := 0
	for _, c := range columns {
		if isKept(c[1]) {
			continue
		}
		column := pgx.Identifier{c[1]}.Sanitize()
		value := `coalesce(` + column + `, '') || $1::text`
		switch c[2] {
		case "_text":
			value = `coalesce(` + column + `, '{}') || $1::text`
		case "jsonb":
			value = `CASE jsonb_typeof(coalesce(` + column + `, '{}')) WHEN 'array' THEN ` + column + ` || to_jsonb($1::text)
				WHEN 'object' THEN coalesce(` + column + `, '{}') || jsonb_build_object('key' || $1::text, $1::text)
					|| coalesce((SELECT jsonb_object_agg(k, to_jsonb((v #>> '{}') || $1::text)) FROM jsonb_each(` + column + `) AS x (k, v) WHERE jsonb_typeof(v) = 'string'), '{}') ELSE ` + column + ` END`
		}
		if _, err := conn.Exec(ctx, "UPDATE "+pgx.Identifier{schema, c[0]}.Sanitize()+" SET "+column+" = "+value, DatabaseText); err != nil {
			return filled, fmt.Errorf("fill %s.%s: %w", c[0], c[1], err)
		}
		filled++
	}
	return filled, nil
}
