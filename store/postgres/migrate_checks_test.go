package postgres

import (
	"context"
	"errors"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// A corpus of version 3 loses the look-ups that its writer does not need, and nothing
// else. A migration that was given up or whose server process was ended in the midst of
// it has changed nothing.
func TestCorporaOfVersion3(t *testing.T) {
	t.Parallel()
	const keys = `SELECT count(*)::int FROM pg_constraint WHERE conname IN ('chunks_document_id_parent_id_fkey', 'chunk_terms_document_id_id_fkey')`
	for name, c := range map[string]struct {
		opts MigrateOptions
		end  func(t *testing.T, dsn string, cancel func())
	}{
		"given up": {MigrateOptions{}, func(_ *testing.T, _ string, cancel func()) { cancel() }},
		"with policies, and ended": {MigrateOptions{RowSecurity: true}, func(t *testing.T, dsn string, _ func()) {
			exec(t, dsn, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dsn := pgtest.EmptyDatabase(t)
			mustMigrate(t, dsn, c.opts, 0)
			_, w := writing(t, dsn, Options{})
			setDims(t, w, 3)
			for n := range 6 {
				mustPut(t, w, named(n, []string{"", "ann"}[n%2]), true)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			want := stateOf(t, dsn)
			exec(t, dsn, toVersion3)

			reader := pgtest.Connect(t, dsn)
			if _, err := reader.Exec(t.Context(), `BEGIN; SELECT count(*) FROM term_stats`); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan error, 1)
			go func() {
				_, err := Migrate(ctx, dsn, MigrateOptions{})
				ended <- err
			}()
			blocked(t, dsn)
			c.end(t, dsn, cancel)
			if err := soon(t, "the migration ends", ended); err == nil {
				t.Error("the migration succeeds")
			}
			if err := reader.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			if n := pgtest.Value[int](t, dsn, keys); n != 2 {
				t.Errorf("%d of 2 look-ups are left", n)
			}
			if _, err := Open(t.Context(), dsn, Options{}); err == nil || errors.Is(err, store.ErrNewerSchema) {
				t.Errorf("Open: %v, want that it is of an older version", err)
			}

			mustMigrate(t, dsn, MigrateOptions{}, 3)
			if n := pgtest.Value[int](t, dsn, keys); n != 0 {
				t.Errorf("%d look-ups are left", n)
			}
			stateOf(t, dsn).check(t, dsn, want)
			exec(t, dsn, `DELETE FROM documents WHERE source_url = 'https://example.org/002'`)
			if n := pgtest.Value[int](t, dsn, `SELECT count(*)::int FROM chunk_terms t WHERE NOT EXISTS (SELECT FROM chunks c WHERE c.document_id = t.document_id AND c.id = t.id)`); n != 0 {
				t.Errorf("%d rows of words are left of a document that is gone", n)
			}
		})
	}
}
