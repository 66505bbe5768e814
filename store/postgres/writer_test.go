package postgres

import (
	"context"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// citus returns a database of the Citus server that the environment names.
func citus(t *testing.T) string {
	t.Helper()
	dsn := os.Getenv(pgtest.EnvCitusDSN)
	if dsn == "" {
		t.Skip("no Citus server is named in " + pgtest.EnvCitusDSN)
	}
	return dsn
}

// A crash at any place of a replacement leaves the old document, and the writer
// goes on.
func TestACrashLeavesTheOldDocument(t *testing.T) {
	const die = `CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
		PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(0); RETURN NULL; END$$`
	for name, trigger := range map[string]string{
		"after the deletion": `CREATE TRIGGER die AFTER DELETE ON chunks FOR EACH STATEMENT EXECUTE FUNCTION die()`,
		"after the copy":     `CREATE TRIGGER die AFTER INSERT ON chunks FOR EACH STATEMENT EXECUTE FUNCTION die()`,
		"at the commit":      `CREATE CONSTRAINT TRIGGER die AFTER INSERT OR UPDATE ON documents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION die()`,
	} {
		t.Run(name, func(t *testing.T) {
			dsn := pgtest.Database(t)
			s, w := writing(t, dsn, Options{})
			setDims(t, w, 3)
			mustPut(t, w, leaf("https://example.org/a", 3, "one", "two"), true)
			before := contents(t, dsn)
			exec(t, dsn, die, trigger)
			next := leaf("https://example.org/a", 3, "one", "three")
			if changed, err := w.Put(t.Context(), next); changed || !errors.Is(err, store.ErrUnavailable) {
				t.Fatalf("Put = %v, %v, want ErrUnavailable", changed, err)
			}
			if after := contents(t, dsn); after != before {
				t.Errorf("the corpus went from\n%s\nto\n%s", before, after)
			}
			exec(t, dsn, `DROP FUNCTION die() CASCADE`)
			mustPut(t, w, next, true)
			mustPut(t, w, next, false)
			// It has taken the lock again.
			if _, err := s.Write(t.Context()); !errors.Is(err, store.ErrLocked) {
				t.Errorf("a second writer: %v, want ErrLocked", err)
			}
		})
	}
}

func TestACancelledPutLeavesTheWriterUsable(t *testing.T) {
	dsn := pgtest.Database(t)
	s, w := writing(t, dsn, Options{})
	setDims(t, w, 3)
	b := leaf("https://example.org/a", 3, "one", "two")
	mustPut(t, w, b, true)
	before := contents(t, dsn)
	next := leaf("https://example.org/a", 3, "one", "three")

	other := pgtest.Connect(t, dsn)
	tx, err := other.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), `LOCK TABLE chunk_terms IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	go func() {
		blocked(t, dsn)
		cancel(enough)
	}()
	if changed, err := w.Put(ctx, next); changed || !errors.Is(err, enough) {
		t.Errorf("Put = %v, %v, want the cause of the cancellation", changed, err)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := contents(t, dsn); after != before {
		t.Errorf("the corpus went from\n%s\nto\n%s", before, after)
	}
	mustPut(t, w, next, true)
	// It still is the one writer.
	if _, err := s.Write(t.Context()); !errors.Is(err, store.ErrLocked) {
		t.Errorf("a second writer: %v, want ErrLocked", err)
	}
}

func TestTheHolderOfTheLockIsNamed(t *testing.T) {
	dsn := pgtest.Database(t)
	s, w := writing(t, dsn, Options{})
	_, err := s.Write(t.Context())
	if !errors.Is(err, store.ErrLocked) || !strings.Contains(err.Error(), "webrag-tui") {
		t.Errorf("a second writer: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := s.Write(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

func TestADocumentThatSomebodyElseWritesIsBusy(t *testing.T) {
	dsn := pgtest.Database(t)
	_, w := writing(t, dsn, Options{})
	setDims(t, w, 3)
	b := leaf("https://example.org/a", 3, "one")
	other := pgtest.Connect(t, dsn)
	tx, err := other.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	hold := func(schema string) {
		if _, err := tx.Exec(t.Context(), `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, documentLock+schema+" "+b.Document.ID); err != nil {
			t.Fatal(err)
		}
	}
	// The same document of another corpus in the database is another one.
	hold(`"elsewhere"`)
	mustPut(t, w, b, true)
	b.Document.Title = "changed"
	hold(w.layout.schema)
	if _, err := w.Put(t.Context(), b); !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "busy") {
		t.Errorf("Put: %v, want busy", err)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	mustPut(t, w, b, true)
}

// hostile are texts that would do harm if they ever became part of a statement.
func hostile() []string {
	return []string{
		`'; DROP TABLE documents; --`, `$1`, `$$; DELETE FROM chunks; $$`, `\'; SELECT 1; --`, `"quoted"`, `%s %d`, "new\nline\ttab", "\x01\x1b[31m",
		`{"a":1}`, `{NULL,"x"}`, `NULL`, "\\x00", "😀\u202e",
	}
}

func TestHostileTextsComeBack(t *testing.T) {
	dsn := pgtest.Database(t)
	_, w := writing(t, dsn, Options{})
	setDims(t, w, 3)
	for _, text := range hostile() {
		b := leaf("https://example.org/"+text, 3, text, "one")
		d := &b.Document
		d.Owner, d.Title, d.DerivedHash = text, text, ""
		d.Metadata, d.Tags, d.URLAliases = map[string]string{text: text}, []string{text, ""}, []string{text}
		b.Chunks[0].HeadingPath, b.Chunks[0].Anchors = []string{text}, []string{text}
		b.Chunks[1].ImageRefs = []store.ImageRef{{URL: text, Alt: text}}
		b.Chunks[1].EmbedHash = text
		b.Links = []store.Link{{ChunkID: b.Chunks[0].ID, TargetURL: text, Anchor: text, Text: text}}
		mustPut(t, w, b, true)
		mustPut(t, w, b, false)
		got, ok, err := w.Document(t.Context(), d.ID)
		if err != nil || !ok || got.SourceURL != d.SourceURL || got.Owner != text || !reflect.DeepEqual(got.Metadata, d.Metadata) || !reflect.DeepEqual(got.Tags, d.Tags) {
			t.Errorf("%q comes back as %+v, %v, %v", text, got, ok, err)
		}
		if known, err := w.Known(t.Context(), []string{text, "\x00", "\xff"}); err != nil || len(known) != 1 {
			t.Errorf("%q: %d known, %v", text, len(known), err)
		}
		if n, err := w.Delete(t.Context(), text, d.ID); n != 1 || err != nil {
			t.Errorf("%q: Delete = %d, %v", text, n, err)
		}
	}
}

func TestTextsThatTheServerCannotKeepAreRefused(t *testing.T) {
	dsn := pgtest.Database(t)
	_, w := writing(t, dsn, Options{})
	setDims(t, w, 3)
	before := contents(t, dsn)
	for _, bad := range []string{"a\x00b", "a\xffb", "\xed\xa0\x80"} {
		for name, spoil := range map[string]func(b *store.Bundle){
			"source URL": func(b *store.Bundle) { b.Document.SourceURL += bad },
			"title":      func(b *store.Bundle) { b.Document.Title = bad },
			"owner":      func(b *store.Bundle) { b.Document.Owner = bad },
			"metadata":   func(b *store.Bundle) { b.Document.Metadata = map[string]string{bad: "x"} },
			"tag":        func(b *store.Bundle) { b.Document.Tags = []string{"x", bad} },
			"chunk 1":    func(b *store.Bundle) { b.Chunks[1].ChunkText = bad },
			"terms":      func(b *store.Bundle) { b.Chunks[1].Terms = bad },
			"heading":    func(b *store.Bundle) { b.Chunks[0].HeadingPath = []string{bad} },
			"image":      func(b *store.Bundle) { b.Chunks[0].ImageRefs = []store.ImageRef{{Alt: bad}} },
			"link 0":     func(b *store.Bundle) { b.Links = []store.Link{{ChunkID: b.Chunks[0].ID, TargetURL: bad}} },
		} {
			b := leaf("https://example.org/a", 3, "one")
			spoil(&b)
			if changed, err := w.Put(t.Context(), b); changed || err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "PostgreSQL cannot keep") {
				t.Errorf("a %s of %q: %v, %v", name, bad, changed, err)
			}
		}
		if err := w.SetMeta(t.Context(), store.Meta{EmbedderID: "e/3", Dimensions: 3, Fingerprint: bad}); err == nil {
			t.Errorf("a fingerprint %q was taken", bad)
		}
	}
	if after := contents(t, dsn); after != before {
		t.Errorf("something was written: %s", after)
	}
	if _, err := Open(t.Context(), dsn, Options{Owner: "a\x00"}); err == nil || !strings.Contains(err.Error(), "owner") {
		t.Errorf("for an owner with a NUL: %v", err)
	}
}

// Only chunks that differ are written: others keep their place in the table.
func TestChunksThatAreEqualAreNotWritten(t *testing.T) {
	dsn := pgtest.Database(t)
	_, w := writing(t, dsn, Options{})
	setDims(t, w, 3)
	b := leaf("https://example.org/a", 3, "one", "two", "three")
	mustPut(t, w, b, true)
	places := func() string {
		return pgtest.Value[string](t, dsn, `SELECT string_agg(chunk_text || ' ' || ctid::text, ', ' ORDER BY chunk_text) FROM chunks WHERE chunk_text IN ('one', 'two')`)
	}
	before := places()
	next := leaf("https://example.org/a", 3, "one", "two", "four")
	mustPut(t, w, next, true)
	if after := places(); after != before {
		t.Errorf("rows went from %s to %s", before, after)
	}
	if n := pgtest.Value[int](t, dsn, `SELECT count(*)::int FROM chunks WHERE ingestion_id IS DISTINCT FROM $1`, next.Document.CurrentIngestionID); n != 0 {
		t.Errorf("%d chunks of another ingestion", n)
	}
}

func TestSumsOfADocument(t *testing.T) {
	dsn := pgtest.Database(t)
	_, w := writing(t, dsn, Options{})
	setDims(t, w, 3)
	b := leaf("https://example.org/a", 3, "gradient boosting trees", "of the", "boosting")
	b.Chunks[2].HeadingTerms, b.Chunks[2].TitleTerms = "boost", "tree guid"
	mustPut(t, w, b, true)
	got := pgtest.Value[string](t, dsn, `SELECT concat_ws(' ', token_count, parent_count, child_count, term_rows, term_length, heading_length, title_length) FROM documents`)
	if got != "5 1 3 3 4 1 2" {
		t.Errorf("tokens, parents, children, children with terms, and these in bodies, headings, titles: %s", got)
	}
	if got := pgtest.Value[string](t, dsn, `SELECT string_agg(term || ' ' || df, ', ' ORDER BY term) FROM term_stats`); got != "boost 3, gradient 1, guid 1, tree 2" {
		t.Errorf("counts of terms: %s", got)
	}
	if n, err := w.SoftDelete(t.Context(), b.Document.ID); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if n := pgtest.Value[int](t, dsn, `SELECT count(*)::int FROM term_stats WHERE df > 0`); n != 0 {
		t.Errorf("%d terms of a hidden document are counted", n)
	}
}

func TestTimesAreKeptToTheMicrosecond(t *testing.T) {
	dsn := pgtest.Database(t)
	_, w := writing(t, dsn, Options{})
	b := leaf("https://example.org/a", 3)
	mustPut(t, w, b, true)
	d, _, err := w.Document(t.Context(), b.Document.ID)
	if err != nil || d.FetchedAt.Nanosecond() != 123456000 || d.FetchedAt.Location().String() != "UTC" || !d.IndexedAt.IsZero() {
		t.Errorf("fetched %v, indexed %v, %v", d.FetchedAt, d.IndexedAt, err)
	}
}
