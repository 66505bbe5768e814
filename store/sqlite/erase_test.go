package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"testing"

	"github.com/webrag/webrag-tui/store"
)

// What is removed is not in the file any more: neither the texts of documents nor
// their words in the keyword index, nor the texts of pages that changed.
func TestRemovedTextIsNotLeftInTheFile(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does everything: the full run has this test")
	}
	t.Parallel()
	const pages = 60
	name := func(i int) string { return fmt.Sprintf("secretword%02dend", i) }
	var all []store.Bundle
	for i := range pages {
		all = append(all, testPage(name(i), 1, 1+i%7))
	}
	s := newTest(t, all[:pages/2]...)
	putTest(t, s, all[pages/2:]...)
	inFile := func(text string) (found int) {
		t.Helper()
		for _, path := range []string{s.path, s.path + "-wal"} {
			b, err := os.ReadFile(path)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			found += bytes.Count(b, []byte(text))
		}
		return found
	}
	old := func(i int) string { return fmt.Sprintf("%s child%d gen1", name(i), i%7) }
	for i := range pages {
		if inFile(name(i)) == 0 || inFile(old(i)) == 0 {
			t.Fatalf("%s is not in the file at all", name(i))
		}
	}
	for i := 0; i < pages; i += 3 {
		putTest(t, s, testPage(name(i), 2, 9)) // the page changed
		if n := inFile(old(i)); n > 0 {
			t.Errorf("a text of %s is still there %d times after the page changed", name(i), n)
		}
	}
	for i := range pages {
		if i%3 == 2 {
			continue
		}
		w := writerTest(t, s)
		if n, err := w.Delete(t.Context(), testID("https://example.org/"+name(i))); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if n := inFile(name(i)); n > 0 {
			t.Errorf("%s is still there %d times after it was removed", name(i), n)
		}
	}
	for i := range pages {
		if i%3 == 2 != (inFile(name(i)) > 0) {
			t.Errorf("%s: %d", name(i), inFile(name(i)))
		}
	}
}
