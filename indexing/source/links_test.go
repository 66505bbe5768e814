package source_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/indexing/source"
)

// link makes a link below a folder, or skips where the system has none.
func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Skip("links cannot be made here: ", err)
	}
}

func TestLinksThatLeadOutOfAFolderAreLeftOut(t *testing.T) {
	t.Parallel()
	root := write(t, map[string]string{"a.md": "# A\n", "sub/b.md": "# B\n", "../secret.md": "# Secret\n", ".hidden/c.md": "# C\n"})
	link(t, filepath.Join("..", "secret.md"), filepath.Join(root, "out.md"))
	link(t, filepath.Join("..", "..", "secret.md"), filepath.Join(root, "sub", "out.md"))
	link(t, filepath.Join(root, "sub", "b.md"), filepath.Join(root, "in.md"))
	link(t, "missing.md", filepath.Join(root, "none.md"))
	link(t, os.TempDir(), filepath.Join(root, ".cache"))
	set := scan(t, source.Options{}, root)
	want := []string{filepath.ToSlash(root) + "/out.md", filepath.ToSlash(root) + "/sub/out.md"}
	if got := set.Outside(); !slices.Equal(got, want) {
		t.Errorf("outside are %q, want %q", got, want)
	}
	pages, failed := collect(t, set)
	for _, address := range []string{"file:docs/a.md", "file:docs/sub/b.md", "file:docs/in.md"} {
		if pages[address].Markdown == "" {
			t.Errorf("%s is missing", address)
		}
	}
	if len(pages) != 3 || len(failed) != 1 || !strings.HasSuffix(failed[0].Path, "none.md") {
		t.Errorf("pages %v, failed %v", pages, failed)
	}
}

// What was a page when it was found may be a link by the time it is read.
func TestAPageThatBecomesALinkIsNotRead(t *testing.T) {
	t.Parallel()
	root := write(t, map[string]string{"a.md": "# A\n", "sub/b.md": "# B\n", "../secret/b.md": "# Secret\n"})
	set := scan(t, source.Options{}, root)
	if err := os.Remove(filepath.Join(root, "a.md")); err != nil {
		t.Fatal(err)
	}
	link(t, filepath.Join("..", "secret", "b.md"), filepath.Join(root, "a.md"))
	if err := os.Rename(filepath.Join(root, "sub"), filepath.Join(root, "was")); err != nil {
		t.Fatal(err)
	}
	link(t, filepath.Join("..", "secret"), filepath.Join(root, "sub"))
	pages, failed := collect(t, set)
	if len(pages) != 0 || len(failed) != 2 {
		t.Errorf("pages %v, failed %v", pages, failed)
	}
}

func TestAFileWithoutLinesEnds(t *testing.T) {
	t.Parallel()
	line := `{"url":"https://example.org/a","markdown":"# A"}` + "\n"
	root := write(t, map[string]string{"a.jsonl": line + strings.Repeat("x", 64) + "\n" + line, "b.jsonl": line})
	if err := os.Truncate(filepath.Join(root, "b.jsonl"), 1<<40); err != nil {
		t.Fatal(err)
	}
	set := scan(t, source.Options{MaxBytes: 1 << 10}, root)
	pages, failed := collect(t, set)
	if len(pages) != 1 || len(failed) != 2 || !strings.HasSuffix(failed[1].Path, "b.jsonl:2") || !strings.Contains(failed[1].Error(), "no JSONL") {
		t.Errorf("pages %v, failed %v", pages, failed)
	}
	if set.Len() != 0 {
		t.Errorf("Len is %d of a file without an end", set.Len())
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	set, err := source.Scan(ended, []string{filepath.Join(root, "a.jsonl")}, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range set.All(ended) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	}
}
