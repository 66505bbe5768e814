package flat_test

import (
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/flat"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

func TestCheckOfARowTable(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	pgtest.Exec(t, dsn, `
		CREATE SCHEMA apart;
		CREATE TABLE apart.notes (id int PRIMARY KEY, text text, source text, embedding vector(2));
		INSERT INTO apart.notes VALUES (1, 'a', 'p', '[1,0]'), (2, '', 'p', '[0,1]'), (3, 'c', NULL, NULL);
		CREATE INDEX by_cosine ON apart.notes USING hnsw (embedding vector_cosine_ops);
		UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'apart.by_cosine'::regclass;
		CREATE VIEW shown AS SELECT * FROM apart.notes`)
	examine := func(table, mapping string) map[string]store.Check {
		t.Helper()
		m, err := flat.ParseMap(mapping)
		if err != nil {
			t.Fatal(err)
		}
		s, err := flat.Open(t.Context(), dsn, flat.Options{Table: table, Map: m})
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
			byName[c.Name] = c
		}
		return byName
	}
	checks := examine("apart.notes", "")
	for name, want := range map[string][3]string{
		"server":       {"fine", "PostgreSQL", ""},
		"rights":       {"fine", "read-only", ""},
		"vectors":      {"warning", "1 of 3 rows have no vector", "embed them"},
		"texts":        {"warning", "1 of 3 rows have no text", "--map text="},
		"sources":      {"warning", "1 of 3 rows have no source", "--map source="},
		"dimensions":   {"fine", "vector(2)", ""},
		"vector index": {"broken", "by_cosine is invalid", `REINDEX INDEX CONCURRENTLY "apart"."by_cosine"`},
		"statistics":   {"fine", "3 rows", ""}, // making an index counted them
		"dead rows":    {"fine", "never vacuumed", ""},
		"planner":      {"fine", "random_page_cost", ""},
		"connections":  {"fine", "in use", ""},
	} {
		c := checks[name]
		if name == "planner" {
			c.State, c.Fix = store.CheckFine, "" // the server's settings are its own
		}
		if string(c.State) != want[0] || !strings.Contains(c.Found, want[1]) || !strings.Contains(c.Fix, want[2]) || want[2] == "" && c.Fix != "" {
			t.Errorf("%s: %+v, want %q", name, c, want)
		}
	}
	for name, c := range examine("shown", "id=id") {
		if c.State == store.CheckUnknown || name == "statistics" || name == "dead rows" {
			t.Errorf("of a view: %+v", c)
		}
	}
}
