package embedder

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"
)

// countingEmbedder gives each text a vector and counts how often it was asked. With
// a gate a request waits for it, or for its context.
type countingEmbedder struct {
	mu    sync.Mutex
	id    string
	asked map[string]int
	err   error
	gate  chan struct{}
	// linger, if any, keeps a request that was ended from coming back.
	linger chan struct{}
	ended  int // requests that their context ended
}

func (e *countingEmbedder) Info() Info {
	e.mu.Lock()
	defer e.mu.Unlock()
	return Info{ID: e.id, Dims: 4}
}

func (e *countingEmbedder) EmbedOne(ctx context.Context, text string, role Role) ([]float32, error) {
	e.mu.Lock()
	if e.asked == nil {
		e.asked = map[string]int{}
	}
	e.asked[fmt.Sprintf("%s/%d/%s", e.id, role, text)]++
	err := e.err
	e.mu.Unlock()
	if e.gate != nil {
		select {
		case <-e.gate:
		case <-ctx.Done():
			e.mu.Lock()
			e.ended++
			e.mu.Unlock()
			if e.linger != nil {
				<-e.linger
			}
			return nil, ctx.Err()
		}
	}
	if err != nil {
		return nil, err
	}
	return vectorOf(text), nil
}

func (e *countingEmbedder) EmbedMany(ctx context.Context, texts []string, role Role) ([][]float32, error) {
	return nil, errors.New("many")
}

func (e *countingEmbedder) requests() (n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, times := range e.asked {
		n += times
	}
	return n
}

func TestCachedAsksOnce(t *testing.T) {
	e := &countingEmbedder{id: "a"}
	c := NewCached(e, 10)
	ask := func(text string, role Role) {
		t.Helper()
		v, err := c.EmbedOne(t.Context(), text, role)
		if err != nil || !slices.Equal(v, vectorOf(text)) {
			t.Fatalf("%q: %v, %v", text, v, err)
		}
		v[0] = 99 // what a caller does with its vector is no concern of the next
	}
	for range 3 {
		ask("one", RoleQuery)
		ask("One", RoleQuery)       // the exact text
		ask("one", RoleDocument)    // another role
		ask("one ", RoleQuery)      // a blank more
		ask("one\x00", RoleQuery)   // or anything
		ask("one\u200b", RoleQuery) // that cannot be seen
	}
	if n := e.requests(); n != 6 {
		t.Errorf("%d requests for 6 texts: %v", n, e.asked)
	}
	e.mu.Lock()
	e.id = "b"
	e.mu.Unlock()
	ask("one", RoleQuery)
	if n := e.requests(); n != 7 {
		t.Errorf("%d requests after the embedder changed", n)
	}
	if _, err := c.EmbedMany(t.Context(), []string{"x"}, RoleDocument); err == nil || err.Error() != "many" {
		t.Errorf("EmbedMany is not the embedder's: %v", err)
	}
}

func TestCachedForgetsWhatWasNotUsedLongest(t *testing.T) {
	e := &countingEmbedder{}
	c := NewCached(e, 2)
	for _, step := range []struct {
		text     string
		requests int
	}{
		{"a", 1}, {"b", 2}, {"a", 2}, {"c", 3}, // pushes b out
		{"a", 3}, {"c", 3}, {"b", 4}, {"a", 5}, {"b", 5},
	} {
		if _, err := c.EmbedOne(t.Context(), step.text, RoleQuery); err != nil {
			t.Fatal(err)
		}
		if n := e.requests(); n != step.requests {
			t.Fatalf("%d requests after %q, want %d", n, step.text, step.requests)
		}
	}
	none := NewCached(e, 0)
	for range 2 {
		if _, err := none.EmbedOne(t.Context(), "z", RoleQuery); err != nil {
			t.Fatal(err)
		}
	}
	if n := e.requests(); n != 7 {
		t.Errorf("a cache of nothing keeps something: %d requests", n)
	}
}

func TestCachedDoesNotKeepFailures(t *testing.T) {
	e := &countingEmbedder{err: ErrUnavailable}
	c := NewCached(e, 2)
	if _, err := c.EmbedOne(t.Context(), "a", RoleQuery); !errors.Is(err, ErrUnavailable) {
		t.Fatal(err)
	}
	e.mu.Lock()
	e.err = nil
	e.mu.Unlock()
	if v, err := c.EmbedOne(t.Context(), "a", RoleQuery); err != nil || v == nil {
		t.Errorf("%v, %v", v, err)
	}
}

func TestCachedAsksOnceForAllWhoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &countingEmbedder{gate: make(chan struct{})}
		c := NewCached(e, 2)
		first, leave := context.WithCancel(t.Context())
		left := make(chan error, 1)
		go func() {
			_, err := c.EmbedOne(first, "a", RoleQuery)
			left <- err
		}()
		synctest.Wait() // until it waits for its request
		var g sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			g.Go(func() { _, errs[i] = c.EmbedOne(t.Context(), "a", RoleQuery) })
		}
		synctest.Wait()
		// The first one, whose request it was, leaves: the others get their vector.
		leave()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("the one that left: %v", err)
		}
		close(e.gate)
		g.Wait()
		if err := errors.Join(errs...); err != nil || e.requests() != 1 {
			t.Errorf("%d requests, %v", e.requests(), err)
		}
	})
}

func TestCachedEndsARequestThatNobodyWaitsFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &countingEmbedder{gate: make(chan struct{}), linger: make(chan struct{})}
		c := NewCached(e, 2)
		ctx, leave := context.WithCancel(t.Context())
		left := make(chan error, 1)
		go func() {
			_, err := c.EmbedOne(ctx, "a", RoleQuery)
			left <- err
		}()
		synctest.Wait()
		leave()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		synctest.Wait()
		e.mu.Lock()
		ended := e.ended
		e.mu.Unlock()
		if ended != 1 {
			t.Errorf("%d requests ended with the last who waited", ended)
		}
		// The next caller does not inherit the end, though the request is not yet back.
		close(e.gate)
		if v, err := c.EmbedOne(t.Context(), "a", RoleQuery); err != nil || !slices.Equal(v, vectorOf("a")) {
			t.Errorf("%v, %v", v, err)
		}
		close(e.linger) // the first request ends, or the test would never
		synctest.Wait()
		if v, err := c.EmbedOne(t.Context(), "a", RoleQuery); err != nil || v == nil || e.requests() != 2 {
			t.Errorf("%v, %v after %d requests", v, err, e.requests())
		}
		if _, err := c.EmbedOne(ctx, "a", RoleQuery); !errors.Is(err, context.Canceled) {
			t.Errorf("a caller that had ended before: %v", err)
		}
	})
}

// Whatever is asked in whatever order, the answers are those of the embedder and
// no more is kept than allowed.
func TestCachedIsTransparent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(0, 4).Draw(t, "size")
		c := NewCached(&countingEmbedder{}, size).(*cached)
		for _, text := range rapid.SliceOf(rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"})).Draw(t, "texts") {
			v, err := c.EmbedOne(context.Background(), text, RoleQuery)
			if err != nil || !slices.Equal(v, vectorOf(text)) {
				t.Fatalf("%q: %v, %v", text, v, err)
			}
			if len(c.entries) > size || c.recent.Len() != len(c.entries) || len(c.flights) != 0 {
				t.Fatalf("%d entries, %d in order, %d under way", len(c.entries), c.recent.Len(), len(c.flights))
			}
		}
	})
}
