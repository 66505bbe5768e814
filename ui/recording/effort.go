package recording

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/kept"
	"github.com/webrag/webrag-tui/session"
)

// mostEffort bounds how many bytes of texts one answer of a replay goes through, and how many
// are kept completed: as much as a recording can have. A file may name one text a thousand
// times.
const mostEffort = MostBytes

// effort is what one answer of a replay may still go through, in bytes.
type effort struct {
	r    *Recording
	left int
}

func newEffort(r *Recording) effort { return effort{r, r.whole.most} }

// spend reports whether so many bytes may be gone through.
func (e *effort) spend(bytes int) bool {
	if bytes > e.left {
		return false
	}
	e.left -= bytes
	e.r.whole.gone.Add(int64(bytes))
	return true
}

// complete is evidence with its texts, which is made once as long as it is kept. ok is false
// where that is beyond the effort.
func (e *effort) complete(g *gathered) (own session.Gathered, ok bool) {
	if own, ok := e.r.whole.find(g); ok {
		return own, true
	}
	if !e.spend(g.size) {
		return session.Gathered{}, false
	}
	own = e.r.complete(g)
	e.r.whole.keep(g, own)
	return own, true
}

// complete is evidence with its texts. It was checked, so that nothing fails.
func (r *Recording) complete(g *gathered) session.Gathered {
	k := kept.Evidence{
		Found: *r.found[g.Found].kept, Completion: g.Completion,
		Texts: make(map[string]kept.Text, len(g.Texts)), Words: make(map[string]kept.Words, len(g.Words)),
	}
	for id, n := range g.Texts {
		k.Texts[id] = r.texts[n]
	}
	for id, n := range g.Words {
		k.Words[id] = r.words[n]
	}
	ev, err := retrieval.WithCompletion(r.found[g.Found].ev, &k)
	if err != nil {
		panic(fmt.Sprintf("evidence that was checked: %v", err))
	}
	return session.Gathered{Evidence: ev, Took: g.Took}
}

// completed are evidences that were completed last. Several goroutines use them.
type completed struct {
	// most is how many bytes one answer may go through, and how many are kept.
	most int

	mu sync.Mutex
	of map[*gathered]session.Gathered
	// order has the oldest first, size is the sum of theirs.
	order []*gathered
	size  int
	// gone counts the bytes that were gone through.
	gone atomic.Int64
}

func (c *completed) find(g *gathered) (session.Gathered, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	own, ok := c.of[g]
	return own, ok
}

func (c *completed) keep(g *gathered, own session.Gathered) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.of[g]; ok {
		return
	}
	c.of[g] = own
	c.order = append(c.order, g)
	for c.size += g.size; c.size > c.most && len(c.order) > 1; c.order = c.order[1:] {
		c.size -= c.order[0].size
		delete(c.of, c.order[0])
	}
}
