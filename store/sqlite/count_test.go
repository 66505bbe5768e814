package sqlite

import (
	"testing"

	"github.com/webrag/webrag-tui/store"
)

// The writer counts the children that a view shows: of documents that are neither deleted
// nor unfinished, and of its owner.
func TestCountChildren(t *testing.T) {
	t.Parallel()
	s := newTest(t, testPage("a", 1, 3), testPage("b", 1, 5), ownedTest(testPage("c", 1, 7), "alice"), testPage("d", 1, 2), testPage("e", 1, 9))
	execTest(t, s.path, `UPDATE documents SET current_ingestion_id = NULL WHERE source_url LIKE '%d%'`)
	w := writerTest(t, s)
	if _, err := w.SoftDelete(t.Context(), testPage("b", 1, 5).Document.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Delete(t.Context(), testPage("e", 1, 9).Document.ID); err != nil {
		t.Fatal(err)
	}
	check := func(s *Store, w *Writer) {
		t.Helper()
		stats, err := readTest(t, s).Stats(t.Context(), store.Scope{})
		if err != nil {
			t.Fatal(err)
		}
		if n, err := w.CountChildren(t.Context()); err != nil || n != stats.Children || n == 0 {
			t.Errorf("%d children, %v, a view shows %d", n, err, stats.Children)
		}
	}
	check(s, w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	hers := openTest(t, s.path, Options{Owner: "alice"})
	check(hers, writerTest(t, hers))
}
