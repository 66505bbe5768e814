package storetest

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/webrag/webrag-tui/store"
)

func deletionTests() []test {
	return []test{
		{"nothing reads what is deleted, and restoring brings it back", softDeletion},
		{"a deleted page that is put comes back", softDeletedPut},
		{"a deleted page that is deleted for good", softDeletedDelete},
		{"an open store notices", softDeletionNoticed},
		{"deleted pages do not keep the embedder", softDeletedSwitch},
	}
}

func (c *corpus) softDelete(ids ...string) {
	c.Helper()
	c.write(func(w store.Writer) {
		c.Helper()
		if n, err := w.SoftDelete(c.ctx, ids...); err != nil || n != len(ids) {
			c.Fatalf("SoftDelete = %d, %v, want %d", n, err, len(ids))
		}
	})
	c.setDeleted(time.Now(), ids...)
}

func (c *corpus) restore(ids ...string) {
	c.Helper()
	c.write(func(w store.Writer) {
		c.Helper()
		if n, err := w.Restore(c.ctx, ids...); err != nil || n != len(ids) {
			c.Fatalf("Restore = %d, %v, want %d", n, err, len(ids))
		}
	})
	c.setDeleted(time.Time{}, ids...)
}

func (c *corpus) setDeleted(when time.Time, ids ...string) {
	for _, id := range ids {
		b := c.want[id]
		b.Document.DeletedAt = when
		c.want[id] = b
	}
}

// checkDeleted compares the listing of what is deleted.
func (c *corpus) checkDeleted(want ...string) {
	c.Helper()
	c.read(func(v store.View) {
		c.Helper()
		docs, err := v.Deleted(c.ctx)
		var got []string
		for _, d := range docs {
			got = append(got, d.ID)
			if d.DeletedAt.IsZero() || time.Since(d.DeletedAt).Abs() > time.Hour {
				c.Errorf("%s was deleted at %v", d.SourceURL, d.DeletedAt)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if err != nil || !slices.Equal(got, want) {
			c.Errorf("Deleted = %v, %v, want %v", got, err, want)
		}
		if h, err := v.Hidden(c.ctx); err != nil || h != (store.Hidden{Deleted: len(want)}) {
			c.Errorf("Hidden = %+v, %v, want %d deleted", h, err, len(want))
		}
		c.checkSample(v)
	})
}

func softDeletion(c *corpus) {
	r := rand.New(rand.NewPCG(70, 71))
	pages := described(r, randomPages(r, 8, 4))
	p, q := parentsOf(pages[0]), parentsOf(pages[1])
	pages[0].Links = []store.Link{link(pages[0], 0, pages[1].Document.SourceURL, "", "next")}
	pages[1].Links = []store.Link{link(pages[1], 1, pages[0].Document.SourceURL, "", "back")}
	c.fill(4, pages...)
	c.importEdges([]store.Edge{edge(p[0], q[1], store.Elaborates, 0.5)})
	var all []store.Edge
	c.read(func(v store.View) { all, _ = v.Edges(c.ctx, store.EdgeQuery{}) })
	if len(all) != 3 {
		c.Fatalf("%d edges, want 3", len(all))
	}
	one, two := pages[0].Document.ID, pages[5].Document.ID
	version := c.version()
	c.softDelete(one, two)
	if got := c.version(); got != version+1 {
		c.Errorf("one deletion moved the version from %d to %d", version, got)
	}
	c.checkScope(store.Scope{}, "")
	c.checkScope(store.Scope{DocumentIDs: []string{one, two}}, "")
	c.checkEdges(store.EdgeQuery{})
	c.checkEdges(store.EdgeQuery{Dangling: true}, all...)
	c.checkDeleted(one, two)
	c.read(func(v store.View) {
		got, err := v.Chunks(c.ctx, chunkIDs(pages[0].Chunks), allFields)
		if err != nil || len(got) != 0 {
			c.Errorf("chunks of a deleted page: %v, %v", got, err)
		}
		if got, err := v.Children(c.ctx, p, 0); err != nil || len(got) != 0 {
			c.Errorf("children of a deleted page: %v, %v", got, err)
		}
	})
	version = c.version()
	c.write(func(w store.Writer) {
		if n, err := w.SoftDelete(c.ctx, one, ID("nothing"), "not an id"); n != 0 || err != nil {
			c.Errorf("deleting again = %d, %v", n, err)
		}
		if n, err := w.Restore(c.ctx, pages[2].Document.ID, ID("nothing")); n != 0 || err != nil {
			c.Errorf("restoring what is there = %d, %v", n, err)
		}
		if missing, err := w.PutEdges(c.ctx, []store.Edge{edge(p[0], q[0], store.CausedBy, 1)}); err != nil || len(missing) != 1 {
			c.Errorf("an edge of a deleted page: %v, %v", missing, err)
		}
		d, ok, err := w.Document(c.ctx, one)
		if err != nil || !ok || d.DeletedAt.IsZero() {
			c.Errorf("the writer reads %+v, %v, %v", d, ok, err)
		}
	})
	if got := c.version(); got != version {
		c.Errorf("doing nothing moved the version from %d to %d", version, got)
	}
	c.restore(one)
	c.checkStored(pages[0])
	c.checkScope(store.Scope{}, "")
	c.checkEdges(store.EdgeQuery{}, all...)
	c.checkDeleted(two)
	c.restore(two)
	c.checkStored(pages[5])
	c.checkScope(store.Scope{}, "")
	c.checkDeleted()
	for _, b := range pages {
		c.write(func(w store.Writer) { c.put(w, b, false) })
	}
}

func softDeletedPut(c *corpus) {
	r := rand.New(rand.NewPCG(72, 73))
	pages := randomPages(r, 4, 4)
	c.fill(4, pages...)
	for _, b := range []store.Bundle{
		pages[1],
		withDocument(pages[1], func(d *store.Document) { d.Title = "New" }),
		withChunk(pages[1], 1, func(ch *store.Chunk) { ch.ChunkText, ch.Terms = "gradient zebra", "gradient zebra" }),
		{Document: pages[1].Document},
		pages[1],
	} {
		c.softDelete(pages[1].Document.ID)
		c.checkScope(store.Scope{}, "")
		c.write(func(w store.Writer) {
			c.put(w, b, true)
			c.put(w, b, false)
		})
		c.checkScope(store.Scope{}, "")
		c.checkDeleted()
	}
	c.checkStored(pages[1])
	// A page that is put as deleted is.
	gone := withDocument(pages[1], func(d *store.Document) { d.DeletedAt = time.Now().UTC().Truncate(time.Microsecond) })
	c.write(func(w store.Writer) {
		c.put(w, gone, true)
		c.put(w, gone, false)
	})
	c.checkScope(store.Scope{}, "")
	c.checkDeleted(gone.Document.ID)
	c.restore(gone.Document.ID)
	c.checkScope(store.Scope{}, "")
}

func softDeletedDelete(c *corpus) {
	r := rand.New(rand.NewPCG(74, 75))
	pages := randomPages(r, 4, 4)
	c.fill(4, pages...)
	c.softDelete(pages[1].Document.ID)
	c.remove(pages[1].Document.ID)
	c.checkScope(store.Scope{}, "")
	c.checkDeleted()
	c.write(func(w store.Writer) { c.put(w, pages[1], true) })
	c.checkScope(store.Scope{}, "")
}

// softDeletionNoticed: a store that has everything in memory reads what changed.
func softDeletionNoticed(c *corpus) {
	r := rand.New(rand.NewPCG(76, 77))
	pages := randomPages(r, 12, 4)
	for i := range pages {
		if i%3 == 0 {
			pages[i] = ownedBy(pages[i], "alice")
		}
	}
	c.fill(4, pages...)
	other, alice := c.as(""), c.as("alice")
	look := func() {
		c.Helper()
		other.checkScope(store.Scope{}, "")
		alice.checkScope(store.Scope{}, "alice")
	}
	look()
	for _, i := range []int{0, 1} {
		c.softDelete(pages[i].Document.ID)
		look()
		c.restore(pages[i].Document.ID)
		look()
	}
	if n := func() (n int) {
		alice.write(func(w store.Writer) { n, _ = w.SoftDelete(c.ctx, pages[1].Document.ID, pages[3].Document.ID) })
		return n
	}(); n != 1 {
		c.Errorf("alice deletes %d documents, want her own", n)
	}
	c.setDeleted(time.Now(), pages[3].Document.ID)
	look()
	alice.checkDeleted(pages[3].Document.ID)
	c.as("bob").checkDeleted()
	c.checkDeleted(pages[3].Document.ID)
}

func softDeletedSwitch(c *corpus) {
	a, b := page("https://example.org/a", []passage{{"one", unit(1, 0)}}), page("https://example.org/b", []passage{{"two", unit(0, 1)}})
	for _, x := range []*store.Bundle{&a, &b} {
		x.Document.DerivedHash = ID("derived " + x.Document.SourceURL)
	}
	c.fill(2, a, b)
	c.softDelete(b.Document.ID)
	next := store.Meta{EmbedderID: "next", Dimensions: 3}
	a = withChunk(a, 1, func(ch *store.Chunk) { ch.Embedding = unit(1, 2, 3) })
	c.write(func(w store.Writer) {
		if err := w.StageVectors(c.ctx, next.EmbedderID, map[string][]float32{a.Chunks[1].ID: a.Chunks[1].Embedding}); err != nil {
			c.Fatal(err)
		}
		if err := w.SwitchEmbedder(c.ctx, next); err != nil {
			c.Fatalf("SwitchEmbedder: %v", err)
		}
	})
	c.want[a.Document.ID] = a
	c.checkNearest(unit(1, 0, 0), 5, store.Scope{})
	c.restore(b.Document.ID)
	c.want[b.Document.ID] = withChunk(c.want[b.Document.ID], 1, func(ch *store.Chunk) { ch.Embedding = nil })
	c.checkNearest(unit(1, 0, 0), 5, store.Scope{})
	c.checkKeyword([]string{"two"}, store.MatchAuto, store.Scope{})
	// Indexing it again is a change, though its text is the same.
	b = withChunk(b, 1, func(ch *store.Chunk) { ch.Embedding = unit(3, 2, 1) })
	c.write(func(w store.Writer) { c.put(w, b, true) })
	c.checkNearest(unit(1, 0, 0), 5, store.Scope{})
}
