package view

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A path is completed to the names of its folder that it begins, and to no name that would
// write more to the terminal than itself.
func TestNamesForAPath(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"docs/guide", "dist", ".git", "Über"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"docs.md", "d\x1b]0;title\a", "d\u202eevil", "my.db"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("docs", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	dir += "/"
	for _, c := range []struct {
		text  string
		found []string
		odd   int
	}{
		{"do", []string{"docs.md", "docs/"}, 0},
		{"d", []string{"dist/", "docs.md", "docs/"}, 2},
		{"DIST", []string{"dist/"}, 0},
		{"", []string{"dist/", "docs.md", "docs/", "link/", "my.db", "Über/"}, 2},
		{".", []string{".git/"}, 0},
		{"docs/", []string{"guide/"}, 0},
		{"zz", nil, 0},
	} {
		of, found, odd, err := namesFor(dir + c.text)
		if err != nil || of != dir && c.text != "docs/" || !slices.Equal(found, c.found) || odd != c.odd {
			t.Errorf("%q: %q, %q, %d, %v", c.text, of, found, odd, err)
		}
	}
	if _, _, _, err := namesFor(dir + "none/x"); err == nil {
		t.Error("a folder that is not there has names")
	}
	if _, found, _, err := namesFor("postgres://me@host/d"); found != nil || err != nil {
		t.Errorf("an address is completed: %q, %v", found, err)
	}
	t.Setenv("HOME", dir)
	if got := InHome("~/docs"); got != dir+"/docs" {
		t.Errorf("at home: %q", got)
	}
	if _, found, _, err := namesFor("~/my"); !slices.Equal(found, []string{"my.db"}) {
		t.Errorf("at home: %q, %v", found, err)
	}
	if got := commonStart([]string{"docs/", "docs.md", "doz"}); got != "do" {
		t.Errorf("they begin with %q", got)
	}
}
