package sqlite

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/store"
)

// content is all that a view shows, in a form that can be compared.
type content struct {
	Documents []store.Document
	Chunks    []store.Chunk
	Stats     store.Stats
	Found     store.Found
}

func contentOf(t testing.TB, v *View) content {
	t.Helper()
	ctx := context.Background()
	var c content
	var err error
	const fields = store.FieldText | store.FieldHTML | store.FieldTerms | store.FieldEmbedding
	if c.Documents, err = v.Documents(ctx, store.Scope{}, store.Page{}); err != nil {
		t.Fatal(err)
	}
	if c.Chunks, err = v.Parents(ctx, store.Scope{}, fields, store.Page{}); err != nil {
		t.Fatal(err)
	}
	ids := make([]string, len(c.Chunks))
	for i := range c.Chunks {
		ids[i] = c.Chunks[i].ID
	}
	children, err := v.Children(ctx, ids, fields)
	if err != nil {
		t.Fatal(err)
	}
	c.Chunks = append(c.Chunks, children...)
	if c.Stats, err = v.Stats(ctx, store.Scope{}); err != nil {
		t.Fatal(err)
	}
	c.Found, err = v.Search(ctx, store.Search{
		Vector: testVector(5), VectorRows: 1000, Terms: []string{"gen1", "gen2", "child0", "a"}, KeywordRows: 1000,
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// After any sequence of writes, a store that was open all the time shows what
// one shows that is opened now, and both what was written.
func TestMemoryFollowsTheFile(t *testing.T) {
	t.Parallel()
	names := []string{"a", "b", "c", "d"}
	s := newTest(t)
	w := writerTest(t, s)
	// fresh forgets what it has in memory before each look.
	fresh := openTest(t, s.path, Options{})
	checks := 0
	rapid.Check(t, func(rt *rapid.T) {
		// One corpus for all: making one takes longer than the rest.
		for _, name := range names {
			if _, err := w.Delete(context.Background(), testPage(name, 0, 0).Document.ID); err != nil {
				rt.Fatal(err)
			}
		}
		model := make(map[string]store.Bundle)
		hidden := make(map[string]store.Bundle)
		for range rapid.IntRange(1, 8).Draw(rt, "steps") {
			name := rapid.SampledFrom(names).Draw(rt, "page")
			switch rapid.IntRange(0, 6).Draw(rt, "step") {
			case 0:
				id := testPage(name, 0, 0).Document.ID
				n, err := w.Delete(context.Background(), id)
				_, had := model[id]
				_, was := hidden[id]
				if err != nil || (n == 1) != (had || was) {
					rt.Fatalf("Delete = %d, %v, want %v", n, err, had || was)
				}
				delete(model, id)
				delete(hidden, id)
			case 1:
				v := readTest(t, s)
				_ = contentOf(t, v)
				_ = v.Close()
			case 2:
				id := testPage(name, 0, 0).Document.ID
				from, to, change := model, hidden, w.SoftDelete
				if rapid.Bool().Draw(rt, "restore") {
					from, to, change = hidden, model, w.Restore
				}
				b, ok := from[id]
				n, err := change(context.Background(), id)
				if err != nil || (n == 1) != ok {
					rt.Fatalf("changed %d, %v, want %v", n, err, ok)
				}
				if ok {
					to[id] = b
					delete(from, id)
				}
			default:
				b := testPage(name, rapid.IntRange(0, 3).Draw(rt, "generation"), rapid.IntRange(0, 4).Draw(rt, "children"))
				old, had := model[b.Document.ID]
				// Without chunks, generations differ in their ingestion only.
				same := had && (reflect.DeepEqual(old, b) || len(old.Chunks)+len(b.Chunks) == 0)
				changed, err := w.Put(context.Background(), b)
				if err != nil || changed == same {
					rt.Fatalf("Put = %v, %v, want %v", changed, err, !same)
				}
				if changed {
					model[b.Document.ID] = b
					delete(hidden, b.Document.ID)
				}
			}
		}
		v := readTest(t, s)
		defer v.Close()
		got := contentOf(t, v)
		fresh.current.Store(nil)
		fv := readTest(t, fresh)
		defer fv.Close()
		if want := contentOf(t, fv); !reflect.DeepEqual(got, want) {
			rt.Fatalf("the open store shows\n%+v\na fresh one\n%+v", got, want)
		}
		chunks := 0
		for _, b := range model {
			chunks += len(b.Chunks)
			for _, c := range b.Chunks {
				i := slices.IndexFunc(got.Chunks, func(o store.Chunk) bool { return o.ID == c.ID })
				if i < 0 || !reflect.DeepEqual(got.Chunks[i], c) {
					rt.Fatalf("chunk %d is not %+v", i, c)
				}
			}
		}
		if len(got.Documents) != len(model) || len(got.Chunks) != chunks || len(got.Found.Vector) != chunks/2 {
			rt.Fatalf("%d documents, %d chunks, %d vectors, want %d, %d, %d",
				len(got.Documents), len(got.Chunks), len(got.Found.Vector), len(model), chunks, chunks/2)
		}
		if checks++; checks%10 == 0 {
			checkFile(t, s.path)
		}
	})
}

// Replacing a large page again and again does not pile up its old vectors.
func TestCompaction(t *testing.T) {
	t.Parallel()
	s := newTest(t, testPage("small", 1, 2), testPage("large", 0, 300))
	old := readTest(t, s)
	before := contentOf(t, old)
	for generation := 1; generation <= 5; generation++ {
		putTest(t, s, testPage("large", generation, 300))
		v := readTest(t, s)
		generationOf(t, v, "large", 300)
		generationOf(t, v, "small", 2)
		if dead := v.snapshot.vectors.size - v.snapshot.live; dead > blockRows+300 {
			t.Fatalf("generation %d: %d dead vectors beside %d", generation, dead, v.snapshot.live)
		}
		_ = v.Close()
	}
	// A view that was open meanwhile is not disturbed.
	if after := contentOf(t, old); !reflect.DeepEqual(before, after) {
		t.Error("an old view shows something else after compaction")
	}
}

// Searches beside a writer see a page before or after a change, never between.
func TestSearchesWhileWriting(t *testing.T) {
	t.Parallel()
	s := newTest(t, testPage("shared", 0, 3), testPage("other", 0, 2))
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			last, n := 0, 0
			for {
				v, err := s.Read(context.Background())
				if err != nil {
					t.Error(err)
					return
				}
				got := generationOf(t, v.(*View), "shared", 3)
				_ = v.Close()
				if got < last {
					t.Errorf("generation %d after %d", got, last)
				}
				last = got
				n++
				select {
				case <-done:
					if n > 1 {
						return
					}
				default:
				}
			}
		})
	}
	w := writerTest(t, s)
	for generation := 1; generation <= 25; generation++ {
		if _, err := w.Put(t.Context(), testPage("shared", generation, 3)); err != nil {
			t.Fatal(err)
		}
	}
	close(done)
	readers.Wait()
}

// A view may load what an older version held, after a newer one was loaded.
func TestOldViewLoadsItsOwnVersion(t *testing.T) {
	t.Parallel()
	s := newTest(t, testPage("shared", 1, 3))
	old := readTest(t, s)
	putTest(t, s, testPage("shared", 2, 3))
	if got := generationOf(t, readTest(t, s), "shared", 3); got != 2 {
		t.Errorf("a new view shows generation %d", got)
	}
	if got := generationOf(t, old, "shared", 3); got != 1 {
		t.Errorf("the old view shows generation %d", got)
	}
	if v := s.current.Load().version; v <= old.Version() {
		t.Errorf("the old view's version %d took the place of the newest", v)
	}
	if got := generationOf(t, readTest(t, s), "shared", 3); got != 2 {
		t.Errorf("after the old view was used, a new one shows generation %d", got)
	}
}

func TestCancelledQueryLeavesTheConnectionUsable(t *testing.T) {
	t.Parallel()
	v := readTest(t, newTest(t, testPage("a", 1, 3)))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	var n int
	err := v.conn.QueryRowContext(ctx, `WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c`).Scan(&n)
	if err = fail(ctx, "search", v.store.path, err); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("an endless query ended with %v", err)
	}
	if got := generationOf(t, v, "a", 3); got != 1 {
		t.Errorf("afterwards the view shows generation %d", got)
	}
}

func TestCancelledScan(t *testing.T) {
	t.Parallel()
	s := newTest(t, testPage("a", 1, 3))
	v := readTest(t, s)
	sn, err := v.loaded(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	// The same page 5,000 times is more than is scanned between two looks.
	spans := slices.Repeat(sn.scanned(sn.in(store.Scope{})), 5000)
	if _, n, err := sn.nearest(ctx, testVector(1), 1, spans, sn.floats(v.conn)); !errors.Is(err, context.Canceled) {
		t.Errorf("scanned %d rows, %v, want context.Canceled", n, err)
	}
}

// A Put that is interrupted leaves the old page or the new one, and a writer
// that works.
func TestInterruptedPut(t *testing.T) {
	t.Parallel()
	s := newTest(t, testPage("a", 0, 60))
	w := writerTest(t, s)
	written := 0
	for generation := 1; generation <= 20; generation++ {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(generation)*500*time.Microsecond)
		changed, err := w.Put(ctx, testPage("a", generation, 60))
		cancel()
		if err == nil && changed {
			written = generation
		} else if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("generation %d: changed %v, %v", generation, changed, err)
		}
		v := readTest(t, s)
		if got := generationOf(t, v, "a", 60); got != written {
			t.Fatalf("generation %d is shown, %d was written", got, written)
		}
		_ = v.Close()
	}
	if changed, err := w.Put(t.Context(), testPage("a", 99, 60)); err != nil || !changed {
		t.Errorf("after the interrupts: changed %v, %v", changed, err)
	}
	_ = w.Close()
	checkFile(t, s.path)
}

func TestCancelledLoad(t *testing.T) {
	t.Parallel()
	s := newTest(t, testPage("a", 1, 3))
	ctx, cancel := context.WithCancel(t.Context())
	if err := s.Load(ctx, func(int, int) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("Load: %v, want context.Canceled", err)
	}
	var calls []string
	if err := s.Load(t.Context(), func(done, total int) { calls = append(calls, fmt.Sprint(done, "/", total)) }); err != nil {
		t.Fatal(err)
	}
	if want := []string{"0/3", "3/3"}; !slices.Equal(calls, want) {
		t.Errorf("progress %v, want %v", calls, want)
	}
}
