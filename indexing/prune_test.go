package indexing_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
)

func TestPrune(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	page := func(name string) source.NormalizedDocument {
		p := markdown(name, "# "+name+"\n\ntext\n")
		p.URLAliases, p.Root = []string{"file:docs/" + name}, "docs"
		return p
	}
	other := page("other.md")
	other.Root = "a folder of the same name"
	alone := page("alone.md")
	alone.Root = ""
	b.mustRun(page("a.md"), page("b.md"), page("c.md"), page("sub/d.md"), markdown("elsewhere.md", "# E\n"), other, alone)
	changed := page("c.md") // given by itself, it stays one of its folder
	changed.Root, changed.Markdown = "", "# c.md\n\nanother text\n"
	b.mustRun(changed)
	b.o.Prune = []source.Root{{Path: "./docs", Address: "file:docs/", Mark: "docs"}}
	var refused *indexing.PruneError
	if report, err := b.run(other); !errors.As(err, &refused) || report.Deleted != 0 || !strings.Contains(err.Error(), "./docs") {
		t.Fatalf("without a page of the folder %d were deleted: %v", report.Deleted, err)
	}
	report, err := indexing.Run(t.Context(), b.store, func(yield func(source.NormalizedDocument, error) bool) {
		_ = yield(page("a.md"), nil) &&
			yield(source.NormalizedDocument{}, &source.PageError{Path: "docs/b.md", URL: "file:docs/b.md", Err: source.ErrTooLarge}) &&
			yield(source.NormalizedDocument{}, &source.PageError{Path: "docs/sub", URL: "file:docs/sub/", Err: errors.New("permission denied")})
	}, b.o)
	if err != nil || report.Deleted != 1 {
		t.Fatalf("report %+v, %v", report, err)
	}
	s := b.read()
	for name, want := range map[string]bool{"a.md": true, "b.md": true, "c.md": false, "sub/d.md": true, "elsewhere.md": true, "other.md": true, "alone.md": true} {
		if _, ok := s.documents["https://example.org/"+name]; ok != want {
			t.Errorf("%s is there: %v", name, ok)
		}
	}
}

// A corpus that is open for everybody holds the same folder of several people.
func TestPruneKeepsOtherOwners(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	page := func(name, owner string) source.NormalizedDocument {
		p := markdown(name, "# "+name+"\n\ntext\n")
		p.URLAliases, p.Root, p.Owner = []string{"file:docs/" + name}, "docs", owner
		return p
	}
	b.mustRun(page("a.md", "alice"), page("b.md", "alice"), page("a.md", "bob"), page("b.md", "bob"), page("a.md", ""), page("b.md", ""))
	b.o.Prune = []source.Root{{Path: "./docs", Address: "file:docs/", Mark: "docs"}}
	if report, err := b.run(page("a.md", "bob")); err != nil || report.Deleted != 1 {
		t.Fatalf("report %+v, %v; want bob's other page deleted", report, err)
	}
	if report, err := b.run(page("a.md", "")); err != nil || report.Deleted != 1 {
		t.Errorf("report %+v, %v; want nobody's other page deleted", report, err)
	}
}

// TestPruneKeepsOtherFolders indexes folders of one name, and one folder under two
// addresses.
func TestPruneKeepsOtherFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder := func(name string, pages map[string]string) string {
		t.Helper()
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(at, 0o755); err != nil {
			t.Fatal(err)
		}
		for page, text := range pages {
			if err := os.WriteFile(filepath.Join(at, page), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return at
	}
	s1 := folder("s1/html", map[string]string{"a.md": "# A\n\nfirst\n", "same.md": "# Same\n\none\n"})
	s2 := folder("s2/html", map[string]string{"b.md": "# B\n\nsecond\n", "same.md": "# Same\n\ntwo\n"})
	b := newBundle(t)
	index := func(path, baseURL string) indexing.Report {
		t.Helper()
		set, err := source.Scan(t.Context(), []string{path}, source.Options{BaseURL: baseURL})
		if err != nil {
			t.Fatal(err)
		}
		b.o.Prune = set.Roots()
		report, err := indexing.Run(t.Context(), b.store, set.All(t.Context()), b.o)
		if err != nil || report.Deleted != 0 {
			t.Fatalf("%s under %q: %+v, %v", path, baseURL, report, err)
		}
		return report
	}
	index(s1, "")
	want := []indexing.Replacement{{Path: filepath.ToSlash(filepath.Join(s2, "same.md")), SourceURL: "file:html/same.md"}}
	if report := index(s2, ""); !slices.Equal(report.Replaced, want) {
		t.Errorf("replaced %v, want %v", report.Replaced, want)
	}
	index(s1, "https://example.org/d")
	index(s1, "https://example.org")
	version := b.read().version
	copied := folder("copy/html", map[string]string{"a.md": "# A\n\nfirst\n"})
	if report := index(copied, ""); report.Unchanged != 1 || b.read().version != version {
		t.Errorf("another copy of the folder wrote %+v", report)
	}
	if n := len(b.read().documents); n != 7 {
		t.Errorf("%d documents", n)
	}
}
