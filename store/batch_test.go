package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/store"
)

// Batches are all documents in their order, none of them too large unless one
// document is, and none with a document twice.
func TestBatchesAreBounded(t *testing.T) {
	const most = 32 << 20
	text := strings.Repeat("x", 8<<20)
	rapid.Check(t, func(rt *rapid.T) {
		all := make([]store.Bundle, rapid.IntRange(0, 200).Draw(rt, "documents"))
		for i := range all {
			all[i].Document.ID = fmt.Sprint(rapid.IntRange(0, 300).Draw(rt, "id"))
			all[i].Document.Title = fmt.Sprint(i)
			if rapid.IntRange(0, 9).Draw(rt, "large") == 0 {
				all[i].Chunks = []store.Chunk{{ChunkText: text}, {ChunkText: text[:rapid.IntRange(0, len(text)).Draw(rt, "bytes")]}}
			}
		}
		var got []string
		for batch := range store.Batches(all) {
			size, ids := 0, map[string]bool{}
			for _, b := range batch {
				for _, c := range b.Chunks {
					size += len(c.ChunkText)
				}
				ids[b.Document.ID] = true
				got = append(got, b.Document.Title)
			}
			if len(batch) == 0 || len(batch) > 64 || size > most || len(ids) < len(batch) {
				rt.Fatalf("a batch of %d documents, %d of them different, and %d bytes", len(batch), len(ids), size)
			}
		}
		want := make([]string, len(all))
		for i := range want {
			want[i] = fmt.Sprint(i)
		}
		if !slices.Equal(got, want) {
			rt.Fatalf("the batches hold %v", got)
		}
	})
}

// oneByOne is a writer that has no faster way.
type oneByOne struct {
	store.Writer
	put []string
}

func (w *oneByOne) Put(_ context.Context, b store.Bundle) (bool, error) {
	if b.Document.ID == "" {
		return false, errors.New("it has no id")
	}
	w.put = append(w.put, b.Document.ID)
	return len(w.put)%2 == 1, nil
}

func TestDocumentsArePutOneByOne(t *testing.T) {
	var w oneByOne
	changed, err := store.PutAll(t.Context(), &w, []store.Bundle{{Document: store.Document{ID: "a"}}, {Document: store.Document{ID: "b"}}, {}, {Document: store.Document{ID: "c"}}})
	if err == nil || !slices.Equal(changed, []bool{true, false}) || !slices.Equal(w.put, []string{"a", "b"}) {
		t.Errorf("put %v, changed %v, %v", w.put, changed, err)
	}
}
