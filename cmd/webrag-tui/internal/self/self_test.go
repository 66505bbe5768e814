package self

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestBuildIsNamedByItsFile(t *testing.T) {
	t.Parallel()
	if first, second := Build(), Build(); first == "" || second != first {
		t.Errorf("this program is %q and %q", first, second)
	}
	path := filepath.Join(t.TempDir(), "program")
	name := func(content string, at time.Time) string {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		return build(path)
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	first := name("one", at)
	if name("one", at) != first {
		t.Error("the same file has two names")
	}
	for _, other := range []string{name("two", at), name("one", at.Add(time.Second)), name("ones", at)} {
		if other == first || other == "" {
			t.Errorf("another file is named %q, too", other)
		}
	}
}
