package postgres

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/webragtest"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// examined opens a database and returns what its checks found, by name.
func examined(t *testing.T, dsn string) map[string]store.Check {
	t.Helper()
	s, err := Open(t.Context(), dsn, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	checks, err := s.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]store.Check{}
	for _, c := range checks {
		if _, twice := byName[c.Name]; twice {
			t.Errorf("there are two checks %q", c.Name)
		}
		byName[c.Name] = c
	}
	return byName
}

// holds compares a check with what it should be; found and fix are parts of it.
func holds(t *testing.T, c store.Check, state store.CheckState, found, fix string) {
	t.Helper()
	if c.State != state || !strings.Contains(c.Found, found) || !strings.Contains(c.Fix, fix) || fix == "" && c.Fix != "" {
		t.Errorf("%+v, want %s, %q, %q", c, state, found, fix)
	}
}

func TestCheckOfATable(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	webragtest.Load(t, dsn, webragtest.Links)
	pgtest.Exec(t, dsn, `ALTER TABLE chunks SET (autovacuum_enabled = false)`)
	before := webragtest.State(t, dsn)
	checks := examined(t, dsn)
	holds(t, checks["statistics"], store.CheckWarning, "never analysed", "ANALYZE")
	holds(t, checks["dead rows"], store.CheckFine, "never vacuumed", "")
	holds(t, checks["rights"], store.CheckFine, "read-only", "")
	holds(t, checks["vector index"], store.CheckFine, "chunks_embedding_hnsw_idx, hnsw over vector", "")
	if after := webragtest.State(t, dsn); after != before {
		t.Error("looking at the database changed it")
	}

	pgtest.Exec(t, dsn, `ANALYZE chunks`)
	for range 3 {
		pgtest.Exec(t, dsn, `UPDATE chunks SET title = title; SELECT pg_stat_force_next_flush()`)
	}
	checks = examined(t, dsn)
	holds(t, checks["statistics"], store.CheckFine, "rows", "")
	holds(t, checks["dead rows"], store.CheckWarning, "take the places", "VACUUM (INDEX_CLEANUP ON, ANALYZE)")

	// A column without an index, of which many rows would be compared.
	pgtest.Exec(t, dsn, `DROP INDEX chunks_embedding_hnsw_idx`)
	holds(t, examined(t, dsn)["vector index"], store.CheckFine, "few enough to compare all", "")
}

func TestCheckOfSettings(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	webragtest.Load(t, dsn, webragtest.Plain)
	name := pgtest.Value[string](t, dsn, `SELECT current_database()`)
	pgtest.Exec(t, dsn, fmt.Sprintf(`ALTER DATABASE %s SET random_page_cost = 4`, name))
	holds(t, examined(t, dsn)["planner"], store.CheckWarning, "random_page_cost 4", "SET random_page_cost = 1.1")
	pgtest.Exec(t, dsn, fmt.Sprintf(`ALTER DATABASE %s SET random_page_cost = 1.5`, name))
	holds(t, examined(t, dsn)["planner"], store.CheckFine, "random_page_cost 1.5", "")
}

func TestCheckOfRights(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	s, err := Open(t.Context(), dsn, Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	role := "reader_" + pgtest.Value[string](t, dsn, `SELECT current_database()`)
	pgtest.Exec(t, dsn, fmt.Sprintf(`CREATE ROLE %s LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO %s`, role, role))
	t.Cleanup(func() {
		pgtest.Exec(t, dsn, fmt.Sprintf(`DROP OWNED BY %s; DROP ROLE %s`, role, role))
	})
	holds(t, examined(t, dsn)["rights"], store.CheckFine, "may read and write", "")
	other := dsn + " user=" + role // the last one counts
	if u, err := url.Parse(dsn); err == nil && u.Scheme != "" {
		u.User = url.User(role)
		other = u.String()
	}
	holds(t, examined(t, other)["rights"], store.CheckFine, "read-only", "")
}

// A check that ends with the context is an error, and no finding.
func TestCheckIsCancelled(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	webragtest.Load(t, dsn, webragtest.Plain)
	s, err := Open(t.Context(), dsn, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if checks, err := s.Check(ctx); err == nil {
		t.Errorf("%v", checks)
	}
}

// A passage without words is in no index and lacks nothing.
func TestCheckOfWhatIsIndexed(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	_, w := writing(t, dsn, Options{})
	setDims(t, w, 3)
	b := leaf("https://example.org/a", 3, "a tree", "a forest", "—")
	figure := &b.Chunks[3]
	figure.Terms, figure.EmbedHash, figure.Embedding = "", "", nil
	mustPut(t, w, b, true)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	checks := examined(t, dsn)
	holds(t, checks["vectors"], store.CheckFine, "2 passages, each with a vector", "")
	holds(t, checks["keyword index"], store.CheckFine, "every passage", "")

	pgtest.Exec(t, dsn, `DELETE FROM chunk_terms WHERE id = $1`, b.Chunks[1].ID)
	pgtest.Exec(t, dsn, `UPDATE chunks SET embedding = NULL WHERE id = $1`, b.Chunks[2].ID)
	checks = examined(t, dsn)
	holds(t, checks["vectors"], store.CheckWarning, "1 of 2 passages have no vector", "--reembed")
	holds(t, checks["keyword index"], store.CheckBroken, "1 passages are not in it", "webrag-tui copy")
}
