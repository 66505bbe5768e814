package postgres_test

import (
	"path/filepath"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres"
	"github.com/webrag/webrag-tui/store/postgres/internal/webragtest"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
	"github.com/webrag/webrag-tui/store/sqlite"
	"github.com/webrag/webrag-tui/store/transfer"
)

// A database of each vintage becomes a corpus of one's own, in a file and in a
// database, with keyword terms and the links of its pages; it stays as it was.
func TestAForeignDatabaseIsCopied(t *testing.T) {
	t.Parallel()
	for _, vintage := range webragtest.Vintages() {
		t.Run(string(vintage), func(t *testing.T) {
			t.Parallel()
			dsn := pgtest.Database(t)
			webragtest.Load(t, dsn, vintage)
			before := webragtest.State(t, dsn)
			from := open(t, dsn, postgres.Options{})
			file, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "copy.db"), sqlite.Options{Create: true})
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			for _, to := range []store.Store{file, open(t, pgtest.Database(t), postgres.Options{Create: true})} {
				report, err := transfer.Copy(t.Context(), from, to, transfer.Options{})
				if err != nil || report.Documents != 7 {
					t.Fatalf("%+v, %v", report, err)
				}
				if err := transfer.Verify(t.Context(), from, to, transfer.Options{}); err != nil {
					t.Error(err)
				}
				v, err := to.Read(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				found, err := v.Search(t.Context(), store.Search{Terms: store.Terms("kites"), KeywordRows: 5})
				if err != nil || len(found.Keyword) == 0 {
					t.Errorf("%d rows for a word, %v", len(found.Keyword), err)
				}
				edges, err := v.Edges(t.Context(), store.EdgeQuery{Relations: []store.Relation{store.References}})
				if links := vintage != webragtest.Plain; err != nil || links != (len(edges) > 0) {
					t.Errorf("%d edges of links, %v", len(edges), err)
				}
				_ = v.Close()
			}
			if webragtest.State(t, dsn) != before {
				t.Error("the database was written")
			}
		})
	}
}

// An index of words that somebody made in a database of another program finds
// passages there and holds no terms of ours: the copy makes them.
func TestACopyOfAForeignIndexHasTerms(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	webragtest.Load(t, dsn, webragtest.Links)
	pgtest.Exec(t, dsn, `CREATE INDEX ON chunks USING gin (to_tsvector('english', chunk_text))`)
	from := open(t, dsn, postgres.Options{})
	if why, missing := from.Info().Missing[store.CapKeyword]; missing {
		t.Fatalf("the index is not seen: %s", why)
	}
	to, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "copy.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	if _, err := transfer.Copy(t.Context(), from, to, transfer.Options{}); err != nil {
		t.Fatal(err)
	}
	v, err := to.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	found, err := v.Search(t.Context(), store.Search{Terms: store.Terms("kites"), KeywordRows: 5})
	if err != nil || len(found.Keyword) == 0 {
		t.Errorf("%d rows for a word, %v", len(found.Keyword), err)
	}
}
