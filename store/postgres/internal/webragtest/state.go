package webragtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
)

// catalogState are queries for one text each, which differ when anything in the
// catalog does that only a command changes. What the server counts by itself, such
// as pages and rows, is left out.
var catalogState = []string{
	`SELECT coalesce(string_agg(concat_ws('|', c.oid, n.nspname, c.relname, c.relkind, c.relowner, c.relfilenode,
		c.relnatts, c.reloptions, c.relacl, c.relrowsecurity), E'\n' ORDER BY c.oid), '')
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relpersistence <> 't' AND n.nspname NOT LIKE 'pg\_%'`,
	`SELECT coalesce(string_agg(concat_ws('|', attrelid, attname, atttypid, atttypmod, attnotnull, attisdropped), E'\n' ORDER BY attrelid, attnum), '')
		FROM pg_attribute WHERE attrelid >= 16384`,
	`SELECT coalesce(string_agg(i::text, E'\n' ORDER BY indexrelid), '') FROM pg_index i WHERE indexrelid >= 16384`,
	`SELECT coalesce(string_agg(concat_ws('|', oid, conname, contype, conrelid), E'\n' ORDER BY oid), '') FROM pg_constraint WHERE oid >= 16384`,
	`SELECT coalesce(string_agg(concat_ws('|', oid, nspname, nspowner, nspacl), E'\n' ORDER BY oid), '') FROM pg_namespace WHERE nspname NOT LIKE 'pg\_%temp%'`,
	`SELECT coalesce(string_agg(concat_ws('|', extname, extversion), E'\n' ORDER BY extname), '') FROM pg_extension`,
	`SELECT coalesce(string_agg(concat_ws('|', oid, proname), E'\n' ORDER BY oid), '') FROM pg_proc WHERE oid >= 16384`,
	`SELECT coalesce(string_agg(concat_ws('|', setdatabase, setrole, setconfig), E'\n' ORDER BY setrole), '') FROM pg_db_role_setting
		WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))`,
}

// State is a hash of all that is in a database: its catalog, and all rows of its
// tables together with the transactions that wrote them and the places where they
// lie, so that writing a row as it was shows as well.
func State(t testing.TB, dsn string) string {
	t.Helper()
	hash := sha256.New()
	on(t, dsn, func(ctx context.Context, conn *pgx.Conn) error {
		for _, query := range catalogState {
			var text string
			if err := conn.QueryRow(ctx, query).Scan(&text); err != nil {
				return fmt.Errorf("%.60s: %w", query, err)
			}
			fmt.Fprintf(hash, "%d\n%s\n", len(text), text)
		}
		rows, err := conn.Query(ctx, `SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
			WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`)
		if err != nil {
			return err
		}
		tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		for _, table := range tables {
			var text string
			err := conn.QueryRow(ctx, `SELECT coalesce(string_agg(md5(concat_ws('|', ctid, xmin, xmax, r::text)), '' ORDER BY ctid), '') FROM `+table+` r`).Scan(&text)
			if err != nil {
				return fmt.Errorf("%s: %w", table, err)
			}
			fmt.Fprintf(hash, "%s %s\n", table, text)
		}
		return nil
	})
	return hex.EncodeToString(hash.Sum(nil))
}
