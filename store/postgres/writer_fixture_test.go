package postgres

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
	"github.com/webrag/webrag-tui/store/storetest"
)

// leaf makes a page of one section with passages, whose vectors are near the
// first axis of dims.
func leaf(url string, dims int, texts ...string) store.Bundle {
	b := store.Bundle{Document: store.Document{
		ID: storetest.ID(url), SourceURL: url, Title: "Page " + url, CurrentIngestionID: storetest.ID("ingestion " + url),
		FetchedAt: time.Date(2026, 4, 3, 2, 1, 0, 123456789, time.UTC),
	}}
	parent := store.Chunk{
		ID: storetest.ID(url + " section"), DocumentID: b.Document.ID, Level: store.Parent,
		ChunkText: strings.Join(texts, " "), CharEnd: 10, TokenEnd: 5,
	}
	b.Chunks = append(b.Chunks, parent)
	for i, text := range texts {
		v := make([]float32, dims)
		angle := float64(i+1) / 10
		v[0], v[1] = float32(math.Cos(angle)), float32(math.Sin(angle))
		b.Chunks = append(b.Chunks, store.Chunk{
			ID: storetest.ID(url + text), DocumentID: b.Document.ID, ParentID: parent.ID, Level: store.Child, Index: i,
			ChunkText: text, Terms: strings.Join(store.Terms(text), " "), EmbedHash: storetest.ID(text), Embedding: v, CharEnd: 1, TokenEnd: 1,
		})
	}
	return b
}

// writing opens a corpus and its writer.
func writing(t *testing.T, dsn string, opts Options) (*Store, *Writer) {
	t.Helper()
	opts.Create = true
	s := open(t, dsn, opts)
	w, err := s.Write(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return s, w.(*Writer)
}

func setDims(t *testing.T, w *Writer, dims int) {
	t.Helper()
	if err := w.SetMeta(t.Context(), store.Meta{EmbedderID: fmt.Sprint("e/", dims), Dimensions: dims}); err != nil {
		t.Fatal(err)
	}
}

func mustPut(t *testing.T, w *Writer, b store.Bundle, want bool) {
	t.Helper()
	if changed, err := w.Put(t.Context(), b); err != nil || changed != want {
		t.Fatalf("Put %s = %v, %v, want %v", b.Document.SourceURL, changed, err, want)
	}
}

// contents is everything that a corpus has, but for its change counter.
func contents(t *testing.T, dsn string) string {
	t.Helper()
	var all []string
	for _, table := range []string{"documents", "chunks", "chunk_terms", "term_stats", "links", "addresses", "chunk_edges"} {
		all = append(all, pgtest.Value[string](t, dsn, `SELECT coalesce(string_agg(t::text, E'\n' ORDER BY t::text), '') FROM `+table+` t`))
	}
	return strings.Join(all, "\n\n")
}

// blocked waits until a statement waits for a lock of the database.
func blocked(t *testing.T, dsn string) {
	t.Helper()
	conn := pgtest.Connect(t, dsn)
	for ctx := t.Context(); ; {
		var n int
		err := conn.QueryRow(ctx, `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&n)
		if err != nil {
			t.Error(err)
			return
		}
		if n > 0 {
			return
		}
	}
}

func exec(t *testing.T, dsn string, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		pgtest.Exec(t, dsn, statement)
	}
}

// inRole returns the address for a new role that may use the tables and no more.
func inRole(t *testing.T, dsn string, grants ...string) string {
	t.Helper()
	role := "webrag_role_" + strings.ReplaceAll(storetest.ID(t.Name()+time.Now().String()), "-", "")
	exec(t, dsn, `CREATE ROLE `+role)
	t.Cleanup(func() {
		// The test's context has ended.
		conn := pgtest.Connect(t, dsn)
		_, err := conn.Exec(context.Background(), `DROP OWNED BY `+role+`; DROP ROLE `+role)
		if err != nil {
			t.Error(err)
		}
	})
	for _, grant := range grants {
		exec(t, dsn, strings.ReplaceAll(grant, "ROLE", role))
	}
	separator := "?"
	if strings.Contains(dsn, "?") {
		separator = "&"
	}
	return dsn + separator + "options=-c%20role%3D" + role
}
