package sqlite

import (
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
