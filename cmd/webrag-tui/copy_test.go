package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A second name of a file, a hard link, is the same corpus; a copy of it, or a
// database, is another.
func TestAHardLinkIsTheSameCorpus(t *testing.T) {
	dir := t.TempDir()
	one, two, other := filepath.Join(dir, "a.db"), filepath.Join(dir, "b.db"), filepath.Join(dir, "c.db")
	for _, name := range []string{one, other} {
		if err := os.WriteFile(name, []byte("same bytes"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(one, two); err != nil {
		t.Fatal(err)
	}
	if !isSameFile(placeOf(one), placeOf(two)) {
		t.Error("a hard link is another corpus")
	}
	for _, name := range []string{other, filepath.Join(dir, "none.db"), "postgres://app@db.example.com/a.db"} {
		if isSameFile(placeOf(one), placeOf(name)) || isSameFile(placeOf(name), placeOf(one)) {
			t.Errorf("%s is the same corpus as %s", name, one)
		}
	}
}
