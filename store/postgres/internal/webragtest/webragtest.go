// Package webragtest gives tests databases as a WebRAG indexer makes them, in each
// of the shapes that its versions left behind.
//
// [Load] fills a database that has the extension vector:
//
//	dsn := pgtest.Database(t)
//	webragtest.Load(t, dsn, webragtest.Links)
//
// All vintages hold the same pages ([Pages], seven of them), cut as that indexer
// cuts: what stands before a page's first section is in no chunk, paragraphs of a
// parent are joined anew by one blank line so that the offsets of what follows may
// be wrong, each heading is a child of its own. Vectors have [Dims] dimensions and
// are equal for equal texts of a page; one child has none. [State] tells whether
// anything was written.
package webragtest

import (
	"context"
	"embed"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Dims are the dimensions of the vectors.
const Dims = 4

// NoVector is the text of the child whose embedding is NULL.
const NoVector = "Nobody has seen it since, although we asked everywhere."

// Vintage is a shape of the database.
type Vintage string

// The vintages.
const (
	// Plain has the tables documents and chunks.
	Plain Vintage = "plain"
	// Links has link_candidates, too.
	Links Vintage = "links"
	// Images has both, and columns for images in the middle of chunks.
	Images Vintage = "images"
	// Upgraded was Plain when its pages were indexed; the columns for images were
	// added at the end of chunks and are NULL where nothing was indexed again.
	Upgraded Vintage = "upgraded"
)

// Vintages are all of them.
func Vintages() []Vintage { return []Vintage{Plain, Links, Images, Upgraded} }

// parts are the files that make a vintage, in their order.
func (v Vintage) parts() []string {
	switch v {
	case Links:
		return []string{"schemas/plain.sql", "schemas/links.sql", "corpus/pages.sql", "corpus/links.sql"}
	case Images:
		return []string{"schemas/images.sql", "schemas/links.sql", "corpus/pages.sql", "corpus/links.sql", "corpus/images.sql"}
	case Upgraded:
		return []string{"schemas/plain.sql", "corpus/pages.sql", "schemas/links.sql", "schemas/upgraded.sql", "corpus/links.sql", "corpus/images.sql"}
	default:
		return []string{"schemas/plain.sql", "corpus/pages.sql"}
	}
}

//go:embed schemas corpus pages
var files embed.FS

// SQL is the statements that make a vintage, tables and rows.
func SQL(v Vintage) string { return join(v, func(string) bool { return true }) }

// Schema is the statements that make the tables of a vintage, without rows.
func Schema(v Vintage) string {
	return join(v, func(part string) bool { return strings.HasPrefix(part, "schemas/") })
}

func join(v Vintage, wanted func(part string) bool) string {
	var all strings.Builder
	for _, part := range v.parts() {
		if wanted(part) {
			all.WriteString(read(part))
		}
	}
	return all.String()
}

// read returns an embedded file, which is there or the package is broken.
func read(name string) string {
	raw, err := fs.ReadFile(files, name)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// Load makes the tables of a vintage and fills them, in the first schema of the
// DSN's search path.
func Load(t testing.TB, dsn string, v Vintage) {
	t.Helper()
	on(t, dsn, func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, SQL(v))
		return err
	})
}

// patience bounds a connection to a server that should answer at once.
const patience = time.Minute

func on(t testing.TB, dsn string, do func(ctx context.Context, conn *pgx.Conn) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if err := do(ctx, conn); err != nil {
		t.Fatal(err)
	}
}
