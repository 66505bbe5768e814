package file_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/file"
)

// tree makes files and links in a new folder: a text that begins with "-> " is
// what a link leads to, with OUT and IN for the folders outside and inside.
func tree(t *testing.T, files map[string]string) (folder string) {
	t.Helper()
	// The path of a temporary folder may go by a link.
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(base, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if len(text) > 3 && text[:3] == "-> " {
			target := os.Expand(text[3:], func(string) string { return filepath.ToSlash(base) })
			if err := os.Symlink(filepath.FromSlash(target), path); err != nil {
				t.Skip("links cannot be made here: ", err)
			}
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(base, "docs")
}

func TestAFolderKeepsToItself(t *testing.T) {
	t.Parallel()
	folder := tree(t, map[string]string{
		"secret/key": "key", "docs/a.md": "a", "docs/sub/b.md": "b",
		"docs/in": "-> sub/b.md", "docs/sub/up": "-> ../a.md", "docs/absolute": "-> $base/docs/a.md",
		"docs/round": "-> ../docs/a.md", "docs/twice": "-> in", "docs/folder": "-> sub",
		"docs/out": "-> ../secret/key", "docs/away": "-> $base/secret/key", "docs/chain": "-> out",
		"docs/outfolder": "-> ../secret", "docs/parent": "-> ..",
		"docs/loop": "-> loop", "docs/none": "-> missing",
	})
	d, err := file.OpenFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"a.md": "a.md", "in": "sub/b.md", "sub/up": "a.md", "absolute": "a.md", "round": "a.md", "twice": "sub/b.md",
		"folder": "sub",
	} {
		if got, err := d.Resolve(name); err != nil || got != want {
			t.Errorf("%s leads to %q, %v; want %q", name, got, err, want)
		}
	}
	for _, name := range []string{"out", "away", "chain", "outfolder", "parent"} {
		if got, err := d.Resolve(name); !errors.Is(err, file.ErrOutside) {
			t.Errorf("%s leads to %q, %v; want outside", name, got, err)
		}
		// Whoever does not ask is refused too.
		if f, err := d.Open(name); err == nil {
			raw, _ := io.ReadAll(f)
			t.Errorf("%s was opened: %q", name, raw)
		}
	}
	if _, err := d.Resolve("none"); !errors.Is(err, fs.ErrNotExist) || errors.Is(err, file.ErrOutside) {
		t.Errorf("none: %v", err)
	}
	if _, err := d.Resolve("loop"); err == nil || errors.Is(err, file.ErrOutside) {
		t.Errorf("loop: %v", err)
	}
	for _, name := range []string{"../secret/key", "/etc/hostname", "sub/../a.md", ""} {
		if _, err := d.Open(name); err == nil {
			t.Errorf("%q was opened", name)
		}
	}
}

// The folder itself may be a link: who names it means what it leads to.
func TestAFolderThatIsALink(t *testing.T) {
	t.Parallel()
	folder := tree(t, map[string]string{"real/a.md": "a", "real/in": "-> $base/docs/a.md", "docs": "-> real"})
	d, err := file.OpenFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := d.Resolve("in"); err != nil || got != "a.md" {
		t.Errorf("in leads to %q, %v", got, err)
	}
	if raw, err := fs.ReadFile(d, "a.md"); err != nil || string(raw) != "a" {
		t.Errorf("a.md: %q, %v", raw, err)
	}
	var names []string
	if err := fs.WalkDir(d, ".", func(name string, _ fs.DirEntry, err error) error {
		names = append(names, name)
		return err
	}); err != nil || !slices.Equal(names, []string{".", "a.md", "in"}) {
		t.Errorf("it has %q, %v", names, err)
	}
}
