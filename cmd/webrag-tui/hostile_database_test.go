package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store/postgres/pgtest"
	"github.com/webrag/webrag-tui/testdata/hostile"
)

// What a database holds is as little obeyed as what a file holds.
func TestHostileDatabaseInAllCommands(t *testing.T) {
	notBeside(t)
	c := hostileCorpus(t)
	c.corpus = pgtest.EmptyDatabase(t)
	if code, _, stderr := commandLine(t, nil, "index", "--owner", "me", "--tag", "draft", "--meta", "module=billing", filepath.Join(c.dir, "pages"), "--corpus", c.corpus); code != exitFine {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	conn, err := pgx.Connect(t.Context(), c.corpus)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if n, err := hostile.FillDatabase(t.Context(), conn, "public"); err != nil || n < 30 {
		t.Fatalf("%d columns are filled: %v", n, err)
	}
	// Names are text, too.
	name := pgx.Identifier{"evil" + hostile.DatabaseText[:30]}.Sanitize()
	for _, s := range []string{
		"ALTER INDEX chunk_edges_source_idx RENAME TO " + name, "CREATE TABLE " + pgx.Identifier{"table" + hostile.DatabaseText[:30]}.Sanitize() + " (" + name + " text)",
		"ALTER INDEX IF EXISTS chunks_embedding_hnsw_idx RENAME TO " + pgx.Identifier{"hnsw" + hostile.DatabaseText[:30]}.Sanitize(),
	} {
		if _, err := conn.Exec(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	mustShow(t, c, 10)
	all := leaves(newRootWithHelp(t), "")
	all = slices.DeleteFunc(all, func(path string) bool { return strings.HasPrefix(path, "config") || strings.HasPrefix(path, "profile") })
	tryAll(t, c, "a database", all)
	// Edges of such a relation are left out.
	if _, err := conn.Exec(t.Context(), "UPDATE chunk_edges SET relation = relation || $1::text, origin = origin || $1::text", hostile.DatabaseText); err != nil {
		t.Fatal(err)
	}
	tryAll(t, c, "edges of a database", []string{"edges list", "docs show", "doctor", "query"})
}
