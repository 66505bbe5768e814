package indexing_test

import (
	"context"
	"errors"
	"testing"

	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/store"
)

// finishing is a store whose writer has something left to do at the end.
type finishing struct {
	store.Store
	err      error
	finished int
}

func (f *finishing) Write(ctx context.Context) (store.Writer, error) {
	w, err := f.Store.Write(ctx)
	return &finisher{w, f}, err
}

type finisher struct {
	store.Writer
	of *finishing
}

func (f *finisher) Finish(_ context.Context, progress func(done, total int)) error {
	f.of.finished++
	progress(3, 7)
	return f.of.err
}

// What the store keeps for the end of a run is done in it, with progress.
func TestRunLetsTheStoreFinish(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	st := &finishing{Store: b.store}
	o := b.o
	var last indexing.Progress
	o.Progress = func(p indexing.Progress) { last = p }
	if _, err := indexing.Run(t.Context(), st, all(manyPages(2)), o); err != nil {
		t.Fatal(err)
	}
	if st.finished != 1 || last.Stage != indexing.StageFinish || last.PagesDone != 3 || last.PagesTotal != 7 {
		t.Errorf("finished %d times, the last progress is %+v", st.finished, last)
	}
	st.err = errors.New("the disk is full")
	if _, err := indexing.Run(t.Context(), st, all(manyPages(2)), o); !errors.Is(err, st.err) {
		t.Errorf("%v, want the store's error", err)
	}
}
