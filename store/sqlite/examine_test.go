package sqlite

import (
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
)

// examined is the check of a name.
func examined(t *testing.T, s *Store, name string) store.Check {
	t.Helper()
	checks, err := s.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("there is no check %q in %v", name, checks)
	return store.Check{}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	s := newTest(t, testPage("one", 1, 3))
	for name, found := range map[string]string{
		"file": "it is whole", "keyword index": "in step with all passages (3)", "vectors": "3 of 3 passages have one, of 8 dimensions",
	} {
		if c := examined(t, s, name); c.State != store.CheckFine || !strings.Contains(c.Found, found) || c.Fix != "" {
			t.Errorf("%+v", c)
		}
	}
	execTest(t, s.path, `DELETE FROM term_blocks`)
	if c := examined(t, s, "keyword index"); c.State != store.CheckBroken || !strings.Contains(c.Found, "out of step with the passages (3)") || c.Fix == "" {
		t.Errorf("%+v", c)
	}
}

// Edges that no writer would have written are counted, and left out.
func TestCheckOfEdges(t *testing.T) {
	t.Parallel()
	a, b := testPage("one", 1, 1), testPage("two", 1, 1)
	s := newTest(t, a, b)
	w := writerTest(t, s)
	first, second := a.Chunks[0].ID, b.Chunks[0].ID
	if _, err := w.PutEdges(t.Context(), []store.Edge{
		{SourceID: first, TargetID: second, Relation: store.References, Weight: 0.5},
		{SourceID: second, TargetID: first, Relation: store.References, Weight: 0.5},
	}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	checks, err := s.Check(t.Context())
	if err != nil || slices.ContainsFunc(checks, func(c store.Check) bool { return c.Name == "edges" }) {
		t.Errorf("of good edges: %v, %v", checks, err)
	}
	for _, set := range []string{"relation = 'likes'", "weight = 9e999", "weight = 0", "origin = 'rumour'", "target_id = source_id"} {
		execTest(t, s.path, `CREATE TABLE kept AS SELECT * FROM chunk_edges`)
		execTest(t, s.path, `PRAGMA ignore_check_constraints = 1; UPDATE chunk_edges SET `+set+` WHERE source_id = '`+first+`'`)
		if c := examined(t, s, "edges"); c.State != store.CheckWarning || !strings.Contains(c.Found, "1 edge is left out") || c.Fix == "" {
			t.Errorf("%s: %+v", set, c)
		}
		v, err := s.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, err := v.Edges(t.Context(), store.EdgeQuery{})
		if closed := v.Close(); closed != nil || err != nil || len(got) != 1 || got[0].SourceID != second {
			t.Errorf("%s: %v, %v", set, got, err)
		}
		execTest(t, s.path, `DELETE FROM chunk_edges; INSERT INTO chunk_edges SELECT * FROM kept; DROP TABLE kept`)
	}
}
