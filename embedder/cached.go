package embedder

import (
	"container/list"
	"context"
	"crypto/sha256"
	"slices"
	"sync"
)

// NewCached returns an embedder that remembers the vectors of the last texts that
// EmbedOne was given, at most size of them, and asks e for the others. Several
// callers that want the same vector at the same time wait for one request; it goes
// on as long as one of them waits. Failures are not remembered. EmbedMany and Info
// are those of e.
//
// It is for queries to a server: the same question is asked again and again while
// parameters are tuned, and each time costs a wait.
func NewCached(e Embedder, size int) Embedder {
	return &cached{Embedder: e, size: size, entries: map[cacheKey]*list.Element{}, flights: map[cacheKey]*flight{}}
}

type cached struct {
	Embedder
	size int

	mu sync.Mutex
	// recent has the entries, the one used last in front.
	recent  list.List
	entries map[cacheKey]*list.Element
	flights map[cacheKey]*flight
}

// cacheKey is all that a vector depends on. Texts may be long, so their hash
// stands for them.
type cacheKey struct {
	id   string
	role Role
	text [sha256.Size]byte
}

type cacheEntry struct {
	key    cacheKey
	vector []float32
}

// flight is a request under way. Its result is set before done is closed.
type flight struct {
	done    chan struct{}
	cancel  context.CancelFunc
	waiters int
	vector  []float32
	err     error
}

// EmbedOne returns a vector of its own, which the caller may change.
func (c *cached) EmbedOne(ctx context.Context, text string, role Role) ([]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	key := cacheKey{id: c.Info().ID, role: role, text: sha256.Sum256([]byte(text))}
	vector, f := c.join(ctx, key, text)
	if f == nil {
		return vector, nil
	}
	select {
	case <-f.done:
		return slices.Clone(f.vector), f.err
	case <-ctx.Done():
		c.leave(key, f)
		return nil, ctx.Err()
	}
}

// join returns a remembered vector, or the flight that is going to have it.
func (c *cached) join(ctx context.Context, key cacheKey, text string) ([]float32, *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.entries[key]; ok {
		c.recent.MoveToFront(at)
		entry, _ := at.Value.(cacheEntry)
		return slices.Clone(entry.vector), nil
	}
	if f, ok := c.flights[key]; ok {
		f.waiters++
		return nil, f
	}
	// The caller's end must not be that of the others who come to wait.
	detached, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &flight{done: make(chan struct{}), cancel: cancel, waiters: 1}
	c.flights[key] = f
	go c.fly(detached, key, f, text)
	return nil, f
}

func (c *cached) fly(ctx context.Context, key cacheKey, f *flight, text string) {
	defer f.cancel()
	f.vector, f.err = c.Embedder.EmbedOne(ctx, text, key.role)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.flights[key] == f {
		delete(c.flights, key)
		if f.err == nil {
			c.keep(key, f.vector)
		}
	}
	close(f.done)
}

func (c *cached) keep(key cacheKey, vector []float32) {
	c.entries[key] = c.recent.PushFront(cacheEntry{key: key, vector: vector})
	for c.recent.Len() > c.size {
		entry, _ := c.recent.Remove(c.recent.Back()).(cacheEntry)
		delete(c.entries, entry.key)
	}
}

// leave ends a flight that nobody waits for any more. Whoever asks for the same
// afterwards starts another one: this one is bound to fail.
func (c *cached) leave(key cacheKey, f *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f.waiters--
	if f.waiters == 0 && c.flights[key] == f {
		delete(c.flights, key)
		f.cancel()
	}
}
