package view

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
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
		n, err := namesFor(dir+c.text, mostNames)
		if err != nil || n.of != dir && c.text != "docs/" || !slices.Equal(n.found, c.found) || n.odd != c.odd || n.cut > 0 {
			t.Errorf("%q: %+v, %v", c.text, n, err)
		}
	}
	if n, err := namesFor(dir+"none/x", mostNames); err == nil || n.said(err) != "there is no such folder" {
		t.Error("a folder that is not there has names")
	}
	if n, err := namesFor("postgres://me@host/d", mostNames); n.found != nil || n.said(err) != "an address is taken as it is typed" {
		t.Errorf("an address is completed: %+v, %v", n, err)
	}
	t.Setenv("HOME", dir)
	if got := InHome("~/docs"); got != dir+"/docs" {
		t.Errorf("at home: %q", got)
	}
	if n, err := namesFor("~/my", mostNames); !slices.Equal(n.found, []string{"my.db"}) {
		t.Errorf("at home: %+v, %v", n, err)
	}
	if got := commonStart([]string{"docs/", "docs.md", "doz"}); got != "do" {
		t.Errorf("they begin with %q", got)
	}
}

// Where more names are in a folder than are looked at, that is said.
func TestNamesOfALargeFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"f1", "f2", "f3"} {
		if err := os.Symlink("nowhere", filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for begun, want := range map[string]string{"/f": "of the first 2 names there", "/x": "none of the first 2 names there begins so"} {
		n, err := namesFor(dir+begun, 2)
		if said := n.said(err); said != want {
			t.Errorf("%s: %q, said %q", begun, n.found, said)
		}
	}
	if n, err := namesFor(dir+"/f", 3); n.said(err) != "" || len(n.found) != 3 {
		t.Errorf("of all names it is said %q", n.said(err))
	}
}

// Tab steps through the names, also where what was typed is written in other letters.
func TestTabStepsThroughNames(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"Docs", "DOCTOR", "dist"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	p := NewPrompt("Open", "", dir+"/do", func(string) error { return nil }, nil)
	p.CompletePaths(stepping{})
	tab := func() string {
		v := p.Handle(tea.KeyPressMsg{Code: tea.KeyTab})
		if cmd := v.Then(); cmd != nil {
			cmd().(Arrival).Apply()
		}
		return strings.TrimPrefix(p.Input.Value(), dir+"/")
	}
	for i, want := range []string{"do", "DOCTOR/", "Docs/", "DOCTOR/"} {
		if got := tab(); got != want {
			t.Errorf("tab %d makes %q, not %q", i+1, got, want)
		}
	}
	p.Handle(tea.KeyPressMsg{Code: 'x', Text: "x"})
	if got := tab(); got != "DOCTOR/x" {
		t.Errorf("after a letter tab makes %q", got)
	}
}

// stepping is a shell that runs nothing by itself.
type stepping struct{ Shell }

func (stepping) Context() context.Context { return context.Background() }
