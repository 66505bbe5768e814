package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

func mustMigrate(t *testing.T, dsn string, opts MigrateOptions, wantFrom int) Migration {
	t.Helper()
	done, err := Migrate(t.Context(), dsn, opts)
	if err != nil || done.From != wantFrom || done.To != len(steps()) {
		t.Fatalf("Migrate = %+v, %v, want %d, %d", done, err, wantFrom, len(steps()))
	}
	return done
}

func TestMigratingAgainChangesNothing(t *testing.T) {
	dsn := pgtest.EmptyDatabase(t)
	catalog := `SELECT string_agg(c.oid || ' ' || c.relname, ' ' ORDER BY c.oid) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public'`
	mustMigrate(t, dsn, MigrateOptions{}, 0)
	before := pgtest.Value[string](t, dsn, catalog)
	mustMigrate(t, dsn, MigrateOptions{}, len(steps()))
	if after := pgtest.Value[string](t, dsn, catalog); after != before {
		t.Errorf("the catalog went from %s to %s", before, after)
	}
}

func TestMigrationsAtOnce(t *testing.T) {
	dsn := pgtest.EmptyDatabase(t)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if _, err := Migrate(context.WithoutCancel(t.Context()), dsn, MigrateOptions{}); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if n := pgtest.Value[int](t, dsn, `SELECT schema_version FROM corpus_meta`); n != len(steps()) {
		t.Errorf("the schema has version %d", n)
	}
}

func TestAnInterruptedMigrationLeavesNothing(t *testing.T) {
	dsn := pgtest.EmptyDatabase(t)
	// In the way of an index in the middle of the first step.
	exec(t, dsn, `CREATE TABLE other (i int)`, `CREATE INDEX documents_order_idx ON other (i)`)
	if _, err := Migrate(t.Context(), dsn, MigrateOptions{}); err == nil {
		t.Fatal("no error")
	}
	if n := pgtest.Value[int](t, dsn, `SELECT count(*)::int FROM pg_class WHERE relname = ANY ($1)`, ownTables()); n != 0 {
		t.Errorf("%d tables are left", n)
	}
	exec(t, dsn, `DROP TABLE other`)
	mustMigrate(t, dsn, MigrateOptions{}, 0)
}

func TestWhatIsNotMigrated(t *testing.T) {
	for name, c := range map[string]struct {
		statements []string
		want       error
		says       string
	}{
		"another program's tables": {[]string{`CREATE TABLE documents (id int)`}, store.ErrNotCorpus, "documents"},
		"another corpus_meta":      {[]string{`CREATE TABLE corpus_meta (name text)`}, store.ErrNotCorpus, "corpus_meta"},
		"a newer schema":           {[]string{`CREATE TABLE corpus_meta (id int, schema_version int, vector_type text)`, `INSERT INTO corpus_meta VALUES (1, 999, 'vector')`}, store.ErrNewerSchema, "999"},
		"an empty corpus_meta":     {[]string{`CREATE TABLE corpus_meta (id int, schema_version int, vector_type text)`}, store.ErrNotCorpus, "empty"},
	} {
		t.Run(name, func(t *testing.T) {
			dsn := pgtest.EmptyDatabase(t)
			exec(t, dsn, c.statements...)
			_, err := Migrate(t.Context(), dsn, MigrateOptions{})
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("Migrate: %v, want %v and %q", err, c.want, c.says)
			}
			if _, err := Open(t.Context(), dsn, Options{Create: true}); !errors.Is(err, c.want) {
				t.Errorf("Open: %v, want %v", err, c.want)
			}
		})
	}
}

func TestMissingPermissionsAreSaid(t *testing.T) {
	none := pgtest.EmptyDatabase(t)
	dsn := inRole(t, none)
	if _, err := Migrate(t.Context(), dsn, MigrateOptions{}); err == nil || !strings.Contains(err.Error(), "CREATE EXTENSION") {
		t.Errorf("without the extension: %v", err)
	}
	exec(t, none, `CREATE EXTENSION vector`)
	if _, err := Migrate(t.Context(), dsn, MigrateOptions{}); err == nil || !strings.Contains(err.Error(), "GRANT CREATE") {
		t.Errorf("without CREATE: %v", err)
	}
	if err := addExtension(t.Context(), nil, database{}); err == nil || !strings.Contains(err.Error(), "install") {
		t.Errorf("not on the server: %v", err)
	}
	// Whoever may only write rows opens what is up to date.
	mustMigrate(t, none, MigrateOptions{}, 0)
	exec(t, none, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO PUBLIC`)
	mustMigrate(t, dsn, MigrateOptions{}, len(steps()))
}

func TestAPlanIsWhatAMigrationDoes(t *testing.T) {
	dsn := pgtest.EmptyDatabase(t)
	opts := MigrateOptions{VectorType: kindHalf, RowSecurity: true}
	plan, err := Plan(t.Context(), dsn, opts)
	if err != nil {
		t.Fatal(err)
	}
	if n := pgtest.Value[int](t, dsn, `SELECT count(*)::int FROM pg_class WHERE relname = 'documents'`); n != 0 {
		t.Fatal("planning made tables")
	}
	exec(t, dsn, plan...)
	describe := `SELECT string_agg(format('%s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), c.relrowsecurity), ' ' ORDER BY 1)
		FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public'`
	other := pgtest.EmptyDatabase(t)
	mustMigrate(t, other, opts, 0)
	if a, b := pgtest.Value[string](t, dsn, strings.ReplaceAll(describe, "ORDER BY 1", "ORDER BY c.relname, a.attnum")), pgtest.Value[string](t, other, strings.ReplaceAll(describe, "ORDER BY 1", "ORDER BY c.relname, a.attnum")); a != b {
		t.Errorf("the plan makes\n%s\nthe migration\n%s", a, b)
	}
	for _, dsn := range []string{dsn, other} {
		if again, err := Plan(t.Context(), dsn, opts); err != nil || len(again) != 0 {
			t.Errorf("nothing is left to do: %v, %v", again, err)
		}
	}
}

func TestOptionsThatDoNotFit(t *testing.T) {
	for _, c := range []struct {
		opts MigrateOptions
		says string
	}{
		{MigrateOptions{VectorType: "sparsevec"}, "sparsevec"},
		{MigrateOptions{Distributed: true, RowSecurity: true}, "row security"},
		{MigrateOptions{Distributed: true}, "citus"},
	} {
		if _, err := c.opts.statements(database{name: "d"}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want %q", c.opts, err, c.says)
		}
	}
}

// Every table is spread by document or copied to each server, after those that it
// refers to, and none twice.
func TestDistributionCoversTheSchema(t *testing.T) {
	got, err := MigrateOptions{Distributed: true}.statements(database{version: 1, vectorType: kindVector, citus: "13.0"})
	if err != nil || !slices.Equal(got, Distribution()) {
		t.Fatalf("%v, %v", got, err)
	}
	for _, table := range ownTables() {
		n := 0
		for _, statement := range got {
			if strings.Contains(statement, "'"+table+"'") && !strings.Contains(statement, "=> '"+table+"'") {
				n++
			}
		}
		if table != "documents" && n != 1 {
			t.Errorf("table %s is in %d statements", table, n)
		}
	}
	documents := slices.IndexFunc(got, func(s string) bool { return strings.Contains(s, "create_distributed_table('documents', 'id')") })
	for i, statement := range got {
		if strings.Contains(statement, "colocate_with => 'documents'") && (i < documents || !strings.Contains(statement, "'document_id'")) {
			t.Errorf("statement %d: %s", i, statement)
		}
	}
	// What Citus asks of the schema: the document is in every key of what is spread.
	for _, key := range []string{"UNIQUE", "now()"} {
		if strings.Contains(firstSchema, key) {
			t.Errorf("the schema has %s", key)
		}
	}
}

func TestADistributedCorpus(t *testing.T) {
	dsn := citus(t)
	mustMigrate(t, dsn, MigrateOptions{Distributed: true}, 0)
	_, w := writing(t, dsn, Options{})
	setDims(t, w, 3)
	b := leaf("https://example.org/a", 3, "one", "two")
	mustPut(t, w, b, true)
	mustPut(t, w, b, false)
	b.Chunks = b.Chunks[:2]
	mustPut(t, w, b, true)
	if n, err := w.Delete(t.Context(), b.Document.ID); n != 1 || err != nil {
		t.Errorf("Delete = %d, %v", n, err)
	}
}

func TestTablesDoNotChangeUnderAWriter(t *testing.T) {
	dsn := pgtest.Database(t)
	_, w := writing(t, dsn, Options{})
	if _, err := Migrate(t.Context(), dsn, MigrateOptions{VectorType: kindHalf}); !errors.Is(err, store.ErrLocked) {
		t.Errorf("Migrate: %v, want ErrLocked", err)
	}
	mustMigrate(t, dsn, MigrateOptions{}, len(steps()))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	mustMigrate(t, dsn, MigrateOptions{VectorType: kindHalf}, len(steps()))
}
