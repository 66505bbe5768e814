// Package catalog asks a PostgreSQL server what a database has: versions, tables
// with their columns, and indexes that a search can use. It reads only the
// server's own catalogs, except where an undeclared column of vectors leaves no
// other way than to ask its rows.
package catalog

import (
	"context"
	"strings"
	"unicode"

	"github.com/jackc/pgx/v5"
)

// Querier is what a transaction and a connection have in common.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Quote returns a name as it stands in a statement, its parts joined by dots.
func Quote(parts ...string) string { return pgx.Identifier(parts).Sanitize() }

// Printable returns a name of the catalog as it stands in a sentence: whoever made
// the database may have put anything into it.
func Printable(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(name, string(unicode.ReplacementChar)))
}
