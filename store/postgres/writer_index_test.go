package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

const indexState = `SELECT coalesce((SELECT format('%s %s', i.indisvalid, pg_get_indexdef(i.indexrelid))
	FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relname = 'chunks_embedding_hnsw_idx'), 'none')`

func TestTheIndexIsBuiltWhenWritingEnds(t *testing.T) {
	for _, c := range []struct {
		name, kind string
		dims       int
		want       string
	}{
		{"vector", "", 3, "(embedding vector_cosine_ops)"},
		{"halfvec", kindHalf, 3, "(embedding halfvec_cosine_ops)"},
		{"many dimensions", "", 3072, "(((embedding)::halfvec(3072)) halfvec_cosine_ops)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dsn := pgtest.Database(t)
			mustMigrate(t, dsn, MigrateOptions{VectorType: c.kind}, 0)
			s, w := writing(t, dsn, Options{})
			setDims(t, w, c.dims)
			b := leaf("https://example.org/a", c.dims, "one", "two", "three")
			mustPut(t, w, b, true)
			if got := pgtest.Value[string](t, dsn, indexState); got != "none" {
				t.Errorf("before the end: %s", got)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			got := pgtest.Value[string](t, dsn, indexState)
			if !strings.HasPrefix(got, "t ") || !strings.Contains(got, "USING hnsw "+c.want) || !strings.Contains(got, "'child'") {
				t.Errorf("after the end: %s, want %s", got, c.want)
			}
			again, err := s.Write(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			mustPut(t, again.(*Writer), b, false)
			known, err := again.Known(t.Context(), []string{b.Chunks[1].EmbedHash})
			if err != nil || len(known) != 1 {
				t.Errorf("%d known, %v", len(known), err)
			}
			if err := again.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAnInvalidIndexIsBuiltAgain(t *testing.T) {
	dsn := pgtest.Database(t)
	s, w := writing(t, dsn, Options{})
	setDims(t, w, 3)
	mustPut(t, w, leaf("https://example.org/a", 3, "one"), true)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	exec(t, dsn, `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'chunks_embedding_hnsw_idx'::regclass`)
	again, err := s.Write(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var calls int
	if err := again.(store.Finisher).Finish(t.Context(), func(int, int) { calls++ }); err != nil {
		t.Fatal(err)
	}
	if got := pgtest.Value[string](t, dsn, indexState); !strings.HasPrefix(got, "t ") {
		t.Errorf("the index: %s", got)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

// An index that searches refuse, as it leaves rows out, does not stand for the one
// that they want, whatever its name.
func TestAnIndexOfSomeRowsIsNotEnough(t *testing.T) {
	for _, name := range []string{"some_idx", vectorsIndex} {
		t.Run(name, func(t *testing.T) {
			dsn := pgtest.Database(t)
			s, w := writing(t, dsn, Options{})
			setDims(t, w, 3)
			mustPut(t, w, leaf("https://example.org/a", 3, "one", "two"), true)
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			exec(t, dsn, `DROP INDEX `+vectorsIndex, `CREATE INDEX `+name+` ON chunks USING hnsw (embedding vector_cosine_ops) WHERE owner IS NULL`)
			again, err := s.Write(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if err := again.Close(); err != nil {
				t.Fatal(err)
			}
			if got := pgtest.Value[string](t, dsn, indexState); !strings.HasPrefix(got, "t ") || strings.Contains(got, "owner") {
				t.Errorf("the index: %s", got)
			}
			if found := open(t, dsn, Options{}).layout.Load().vector.index; found.name != vectorsIndex {
				t.Errorf("searches have %+v", found)
			}
		})
	}
}

func TestVectorsBecomeHalfVectors(t *testing.T) {
	dsn := pgtest.Database(t)
	s, w := writing(t, dsn, Options{})
	setDims(t, w, 3)
	b := leaf("https://example.org/a", 3, "one", "two")
	mustPut(t, w, b, true)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	// An index of another type's values is not in the way.
	exec(t, dsn, `CREATE INDEX mine ON chunks USING hnsw (embedding vector_l2_ops)`, `CREATE INDEX kept ON chunks USING hnsw ((embedding::halfvec(3)) halfvec_cosine_ops)`)
	_, err := Migrate(t.Context(), dsn, MigrateOptions{VectorType: kindHalf})
	if err == nil || !strings.Contains(err.Error(), `DROP INDEX "public"."mine"`) || strings.Contains(err.Error(), "kept") {
		t.Fatalf("with another index: %v", err)
	}
	exec(t, dsn, `DROP INDEX mine`, `DROP INDEX kept`)
	want := Migration{From: len(steps()), To: len(steps()), FromVectors: kindVector, ToVectors: kindHalf, Rewritten: true, Indexed: true}
	if done := mustMigrate(t, dsn, MigrateOptions{VectorType: kindHalf}, len(steps())); done != want {
		t.Errorf("done %+v, want %+v", done, want)
	}
	if got := pgtest.Value[string](t, dsn, indexState); !strings.Contains(got, "halfvec_cosine_ops") {
		t.Errorf("the index after migrating: %s", got)
	}
	// One that was interrupted before the index was built goes on there.
	exec(t, dsn, `DROP INDEX `+vectorsIndex)
	want.FromVectors, want.ToVectors, want.Rewritten = "", "", false
	if done := mustMigrate(t, dsn, MigrateOptions{VectorType: kindHalf}, len(steps())); done != want {
		t.Errorf("going on, done %+v, want %+v", done, want)
	}
	again, err := s.Write(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	mustPut(t, again.(*Writer), b, false)
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if got := pgtest.Value[string](t, dsn, indexState); !strings.Contains(got, "halfvec_cosine_ops") {
		t.Errorf("the index: %s", got)
	}
}

// A page that changes a little makes no new entries in the index of vectors for
// what stays.
func TestWhatStaysIsNotIndexedAgain(t *testing.T) {
	dsn := pgtest.Database(t)
	s, first := writing(t, dsn, Options{})
	setDims(t, first, 64)
	texts := []string{"changes"}
	for i := range 60 {
		texts = append(texts, fmt.Sprint("passage ", i))
	}
	b := leaf("https://example.org/a", 64, texts...)
	mustPut(t, first, b, true)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	w, err := s.Write(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// One change finds room on the pages whatever else goes on; before the next one
	// the server has to clear away what is old, and a snapshot of somebody else's
	// may keep it from that. So one is held here, and one change is made.
	reader := pgtest.Connect(t, dsn)
	if _, err := reader.Exec(t.Context(), `BEGIN ISOLATION LEVEL REPEATABLE READ`); err != nil {
		t.Fatal(err)
	}
	if _, err := reader.Exec(t.Context(), `SELECT count(*) FROM chunks`); err != nil {
		t.Fatal(err)
	}
	b.Document.CurrentIngestionID = "another ingestion"
	b.Chunks[1].ChunkText = "changed"
	mustPut(t, w.(*Writer), b, true)
	if _, err := w.(*Writer).conn.Exec(t.Context(), `SELECT pg_stat_force_next_flush()`); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var all, inPlace int
	err = pgtest.Connect(t, dsn).QueryRow(t.Context(), `
		SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'chunks'`).Scan(&all, &inPlace)
	if err != nil || all < len(b.Chunks) || inPlace < all*9/10 {
		t.Errorf("%d of %d new versions of rows are on their pages, %v", inPlace, all, err)
	}
}

func TestDimensionsThatCannotBeIndexed(t *testing.T) {
	dsn := pgtest.Database(t)
	_, w := writing(t, dsn, Options{})
	for _, dims := range []int{-1, 4001} {
		if err := w.SetMeta(t.Context(), store.Meta{EmbedderID: "e", Dimensions: dims}); err == nil || !strings.Contains(err.Error(), "dimensions") {
			t.Errorf("%d dimensions: %v", dims, err)
		}
	}
	if got := w.Meta().Dimensions; got != 0 {
		t.Errorf("the meta has %d dimensions", got)
	}
	var mismatch *store.MismatchError
	if _, err := w.Put(t.Context(), leaf("https://example.org/a", 3, "one")); !errors.As(err, &mismatch) {
		t.Errorf("Put without a dimension: %v", err)
	}
}

func TestMemoryForAnIndex(t *testing.T) {
	for _, c := range []struct {
		rows, dims int
		want       int64
	}{
		{0, 384, minBuildMemory},
		// 100,000 vectors of 384 dimensions made an index of 195 MB.
		{100_000, 384, 218_460_000},
		{100_000_000, 1536, maxBuildMemory},
	} {
		if got := buildMemory(c.rows, c.dims); got != c.want {
			t.Errorf("%d x %d: %d bytes, want %d", c.rows, c.dims, got, c.want)
		}
	}
}

func TestRowSecurityShowsOneOwner(t *testing.T) {
	dsn := pgtest.Database(t)
	mustMigrate(t, dsn, MigrateOptions{RowSecurity: true}, 0)
	_, w := writing(t, dsn, Options{})
	setDims(t, w, 3)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	role := inRole(t, dsn, `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ROLE`)
	owned := func(owner string) store.Bundle {
		b := leaf("https://example.org/"+owner, 3, "one "+owner, "two")
		b.Document.Owner = owner
		return b
	}
	for _, owner := range []string{"alice", "b'ob; --"} {
		_, w := writing(t, role, Options{Owner: owner})
		b := owned(owner)
		mustPut(t, w, b, true)
		mustPut(t, w, b, false)
		b.Chunks = b.Chunks[:2]
		mustPut(t, w, b, true)
		if _, err := w.Put(t.Context(), owned("carol")); err == nil {
			t.Errorf("%s wrote carol's document", owner)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got := pgtest.Value[string](t, dsn, indexState); got != "none" {
		t.Errorf("a role that does not own the tables built %s", got)
	}
	ownerBuilds(t, dsn)
	for owner, want := range map[string]int{"": 0, "alice": 1, "b'ob; --": 1, "carol": 0} {
		s := open(t, role, Options{Owner: owner})
		v, err := s.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		docs, err := v.Documents(t.Context(), store.Scope{}, store.Page{})
		if err != nil || len(docs) != want {
			t.Errorf("%q sees %d documents, %v, want %d", owner, len(docs), err, want)
		}
		// The policies hold for both arms, of which each has a transaction.
		found, err := v.Search(t.Context(), store.Search{Vector: []float32{1, 0, 0}, VectorRows: 9, Terms: store.Terms("one two"), KeywordRows: 9})
		if err != nil || found.KeywordErr != nil || len(found.Vector) != want || len(found.Keyword) != want ||
			!strings.HasPrefix(found.KeywordRun, "beside") {
			t.Errorf("%q finds %+v, %v", owner, found, err)
		}
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, table := range []string{"documents", "chunks", "chunk_terms", "term_stats", "addresses"} {
		if n := pgtest.Value[int](t, role, `SELECT count(*)::int FROM `+table); n != 0 {
			t.Errorf("without an owner, %s shows %d rows", table, n)
		}
		if n := pgtest.Value[int](t, dsn, `SELECT count(*)::int FROM `+table); n == 0 {
			t.Errorf("%s is empty", table)
		}
	}
}

// ownerBuilds expects the owner of the tables, whom policies hide rows from, too,
// to build the index of all rows: opened for one owner, and for none.
func ownerBuilds(t *testing.T, dsn string) {
	t.Helper()
	role := inRole(t, dsn, `GRANT CREATE ON SCHEMA public TO ROLE`)
	name := pgtest.Value[string](t, role, `SELECT current_user::text`)
	for _, table := range ownTables() {
		exec(t, dsn, `ALTER TABLE `+table+` OWNER TO `+name)
	}
	t.Cleanup(func() {
		// Else they would go with the role, while the database is asked about.
		conn := pgtest.Connect(t, dsn)
		if _, err := conn.Exec(context.Background(), `REASSIGN OWNED BY `+name+` TO current_user`); err != nil {
			t.Error(err)
		}
	})
	for _, owner := range []string{"alice", ""} {
		exec(t, dsn, `DROP INDEX IF EXISTS `+vectorsIndex)
		_, w := writing(t, role, Options{Owner: owner})
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got := pgtest.Value[string](t, dsn, indexState); !strings.HasPrefix(got, "t ") {
			t.Errorf("for %q the index is %s", owner, got)
		}
	}
}
