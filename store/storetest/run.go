package storetest

import (
	"context"
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/store"
)

// Open opens one corpus for an owner, for reading and writing. It fails the test
// if it cannot, and closes the store when the test ends.
type Open func(t *testing.T, owner string) store.Store

// Backend states what a store can do: more than that is as much a failure as
// less, so that nothing is left out of the tests unnoticed.
type Backend struct {
	// Missing are the capabilities that Info reports as missing, for a corpus that
	// this program made and wrote.
	Missing []store.Capability
	// Loads says that the store is a store.Preloader, Indexed that its views are
	// store.IndexHealth, Checks that it is a store.Checker.
	Loads, Indexed, Checks bool
}

// Run tests a backend. create makes a fresh, empty corpus and returns how to
// open it; every test has its own.
func Run(t *testing.T, backend Backend, create func(t *testing.T) Open) {
	reading := readTests()
	if backend.Loads {
		reading = append(reading, test{"loading twice", loading})
	}
	for _, group := range []struct {
		name  string
		tests []test
	}{
		{"vector search", vectorTests()},
		{"keyword search", keywordTests()},
		{"capabilities", []test{{"are those that it states", backend.holds}}},
		{"reading", reading},
		{"writing", writeTests()},
		{"owners", ownerTests()},
		{"scopes", scopeTests()},
		{"edges", edgeTests()},
		{"links", linkTests()},
		{"places", placeTests()},
		{"finding", findTests()},
		{"soft deletion", deletionTests()},
		{"embedders", embedderTests()},
	} {
		t.Run(group.name, func(t *testing.T) {
			t.Parallel()
			for _, c := range group.tests {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					c.run(newBundleTest(t, create(t)))
				})
			}
		})
	}
}

type test struct {
	name string
	run  func(*corpus)
}

// corpus is one corpus under test, beside the oracle of what it must hold.
type corpus struct {
	*testing.T
	ctx   context.Context
	open  Open
	store store.Store
	want  oracle
}

func newBundleTest(t *testing.T, open Open) *corpus {
	t.Helper()
	return &corpus{T: t, ctx: t.Context(), open: open, store: open(t, ""), want: oracle{}}
}

// write opens the writer, runs do and closes it.
func (c *corpus) write(do func(w store.Writer)) {
	c.Helper()
	w, err := c.store.Write(c.ctx)
	if err != nil {
		c.Fatalf("Write: %v", err)
	}
	do(w)
	if err := w.Close(); err != nil {
		c.Fatalf("close the writer: %v", err)
	}
}

// fill sets the embedder and puts pages, in the store and in the oracle.
func (c *corpus) fill(dims int, pages ...store.Bundle) {
	c.Helper()
	c.write(func(w store.Writer) {
		c.setMeta(w, store.Meta{EmbedderID: "test-embedder", Dimensions: dims, Tokenizer: "words"})
		for i, changed := range c.putAll(w, pages...) {
			if !changed {
				c.Errorf("%s is reported not to be a change", pages[i].Document.SourceURL)
			}
		}
	})
}

// putAll writes pages, at once if the store can.
func (c *corpus) putAll(w store.Writer, pages ...store.Bundle) []bool {
	c.Helper()
	changed, err := store.PutAll(c.ctx, w, pages)
	if err != nil || len(changed) != len(pages) {
		c.Fatalf("putting %d pages: %d are stored, %v", len(pages), len(changed), err)
	}
	for _, b := range pages {
		c.want[b.Document.ID] = b
	}
	return changed
}

func (c *corpus) setMeta(w store.Writer, m store.Meta) {
	c.Helper()
	if err := w.SetMeta(c.ctx, m); err != nil {
		c.Fatalf("SetMeta: %v", err)
	}
}

// put writes a page and expects it to be a change or not.
func (c *corpus) put(w store.Writer, b store.Bundle, wantChanged bool) {
	c.Helper()
	changed, err := w.Put(c.ctx, b)
	if err != nil {
		c.Fatalf("Put %s: %v", b.Document.SourceURL, err)
	}
	if changed != wantChanged {
		c.Errorf("Put %s reports changed = %v, want %v", b.Document.SourceURL, changed, wantChanged)
	}
	c.want[b.Document.ID] = b
}

// read opens a view for the duration of do.
func (c *corpus) read(do func(v store.View)) {
	c.Helper()
	v, err := c.store.Read(c.ctx)
	if err != nil {
		c.Fatalf("Read: %v", err)
	}
	do(v)
	if err := v.Close(); err != nil {
		c.Fatalf("close the view: %v", err)
	}
}

// search asks the newest version.
func (c *corpus) search(spec store.Search) store.Found {
	c.Helper()
	var found store.Found
	c.read(func(v store.View) {
		c.Helper()
		var err error
		if found, err = v.Search(c.ctx, spec); err != nil {
			c.Fatalf("Search: %v", err)
		}
	})
	return found
}

// holds compares what a store says and does with what was stated.
func (b *Backend) holds(c *corpus) {
	c.fill(2, page("https://example.org/a", []passage{{"tree", unit(1, 2)}}))
	c.read(func(v store.View) {
		if _, ok := v.(store.IndexHealth); ok != b.Indexed {
			c.Errorf("the view can be asked about an index: %v, want %v", ok, b.Indexed)
		}
	})
	if _, ok := c.store.(store.Preloader); ok != b.Loads {
		c.Errorf("the store loads: %v, want %v", ok, b.Loads)
	}
	if _, ok := c.store.(store.Checker); ok != b.Checks {
		c.Errorf("the store can be examined: %v, want %v", ok, b.Checks)
	}
	info := c.store.Info()
	if info.Foreign || info.ReadOnly || info.Unindexed {
		c.Errorf("%+v: it is not as one that this program made", info)
	}
	for capability, why := range info.Missing {
		if !slices.Contains(b.Missing, capability) {
			c.Errorf("%s is missing: %s", capability, why)
		}
	}
	for _, capability := range b.Missing {
		if info.Missing[capability] == "" {
			c.Errorf("%s is not missing, or without a reason", capability)
		}
	}
}
