package sqlite

import (
	"errors"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
)

// A corpus that takes more memory than it may is refused before it is loaded, with what
// to do; what needs no memory goes on, and so does doctor, which warns of it.
func TestTooLargeForMemory(t *testing.T) {
	t.Parallel()
	s := newTest(t, testPage("a", 1, 3))
	_ = s.Close()
	small := openTest(t, s.path, Options{Memory: 1})
	v := readTest(t, small)
	_, err := v.Search(t.Context(), store.Search{Vector: testVector(1), VectorRows: 1})
	if !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "WEBRAG_MEMORY") || !strings.Contains(err.Error(), "postgres://") {
		t.Errorf("a search: %v", err)
	}
	if err := small.Load(t.Context(), nil); !errors.Is(err, ErrTooLarge) {
		t.Errorf("loading: %v", err)
	}
	if docs, err := v.Documents(t.Context(), store.Scope{}, store.Page{}); err != nil || len(docs) != 1 {
		t.Errorf("%d documents, %v", len(docs), err)
	}
	if c := examined(t, small, "vectors"); c.State != store.CheckWarning || c.Fix == "" || !strings.Contains(c.Found, "3 of 3 passages") {
		t.Errorf("doctor says %+v", c)
	}
	putTest(t, small, testPage("b", 1, 3))
	for _, memory := range []int64{-1, 0, 1 << 30} {
		if err := openTest(t, s.path, Options{Memory: memory}).Load(t.Context(), nil); err != nil {
			t.Errorf("with %d bytes: %v", memory, err)
		}
	}
	// What documents say of themselves does not matter where the file is smaller.
	execTest(t, s.path, `UPDATE documents SET child_count = 1 << 60, parent_count = 1 << 60`)
	if err := openTest(t, s.path, Options{Memory: 1 << 20}).Load(t.Context(), nil); err != nil {
		t.Errorf("of many children, in few bytes: %v", err)
	}
}

// What is told before a corpus is loaded is what it takes then, within a factor of two.
func TestMemoryIsEstimated(t *testing.T) {
	docs := []*document{{children: 100_000, parents: 20_000}}
	if got := memoryFor(docs, 384); got < 100_000*384 || got > 2*100_000*(384+8+200) {
		t.Errorf("100,000 passages of 384 dimensions take %d bytes", got)
	}
}
