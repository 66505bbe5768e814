package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
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

// writing calls do once something is written that has the words.
type writing struct {
	words string
	do    func()
	said  strings.Builder
}

func (w *writing) Write(b []byte) (int, error) {
	_, _ = w.said.Write(b)
	if w.do != nil && strings.Contains(w.said.String(), w.words) {
		do := w.do
		w.do = nil
		do()
	}
	return len(b), nil
}

// A copy is of one moment: what is indexed into the source meanwhile is not in it, and
// makes it no other copy than it should be.
func TestACopyOfACorpusThatChanges(t *testing.T) {
	dir := t.TempDir()
	source, pages := filepath.Join(dir, "source.db"), filepath.Join(dir, "pages")
	write := func(text string) {
		for i := range 30 {
			name := filepath.Join(pages, fmt.Sprintf("p%d.md", i))
			if err := errors.Join(os.MkdirAll(pages, 0o700), os.WriteFile(name, fmt.Appendf(nil, "# Page %d\n\n%s\n", i, text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		if a := damageAsk(t, source, []string{"index", pages}); a.code != exitFine {
			t.Fatalf("index: exit %d: %s", a.code, a.stderr)
		}
	}
	write("Before it is copied.")
	narration := &writing{words: "copied 3 of", do: func() { write("While it is copied.") }}
	began, ticks := time.Unix(1e9, 0), 0
	var out strings.Builder
	code := run(t.Context(), process{
		args: []string{"copy", "--from", source, "--to", filepath.Join(dir, "copy.db")}, in: strings.NewReader(""), out: &out, err: narration,
		now: func() time.Time { ticks++; return began.Add(time.Duration(ticks) * time.Hour) },
	})
	if code != exitFine || narration.do != nil || !strings.Contains(narration.said.String(), "is the same") {
		t.Errorf("exit %d: %s%s", code, out.String(), narration.said.String())
	}
	a := damageAsk(t, filepath.Join(dir, "copy.db"), []string{"query", "--text", "copied"})
	if a.code != exitFine || !strings.Contains(a.stdout, "Before it is copied.") || strings.Contains(a.stdout, "While it is copied.") {
		t.Errorf("the copy: exit %d: %s%s", a.code, a.stdout, a.stderr)
	}
}
