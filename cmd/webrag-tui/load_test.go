package main

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/store"
)

// recordedStore is a store that remembers what was asked of it.
type recordedStore struct {
	store.Store
	calls []string
}

func (s *recordedStore) Load(ctx context.Context, progress func(done, total int)) error {
	s.calls = append(s.calls, "load")
	return s.Store.(store.Preloader).Load(ctx, progress)
}

func (s *recordedStore) Read(ctx context.Context) (store.View, error) {
	s.calls = append(s.calls, "read")
	return s.Store.Read(ctx)
}

// The time of a query must not contain that of loading the corpus, which a later
// query does not take.
func TestACorpusIsLoadedBeforeItsFirstQuery(t *testing.T) {
	corpus, _ := smallCorpus(t)
	a := newApp(process{now: time.Now})
	a.flags["corpus.path"] = corpus
	q, err := a.newAsker(t.Context(), "page", queryFlags{})
	if err != nil {
		t.Fatal(err)
	}
	defer q.close()
	recorded := &recordedStore{Store: q.deps.Store}
	q.deps.Store = recorded
	if _, err := q.result(t.Context(), "  "); err != nil || slices.Contains(recorded.calls, "load") {
		t.Errorf("a blank query loads (%v): %v", err, recorded.calls)
	}
	recorded.calls = nil
	for range 2 {
		if _, err := q.result(t.Context(), "page"); err != nil {
			t.Fatal(err)
		}
	}
	loads := len(slices.DeleteFunc(slices.Clone(recorded.calls), func(call string) bool { return call != "load" }))
	if loads != 1 || recorded.calls[0] != "load" {
		t.Errorf("the calls are %v", recorded.calls)
	}
}
