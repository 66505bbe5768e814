package storetest

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/webrag/webrag-tui/store"
)

func ownerTests() []test {
	return []test{
		{"every read is guarded", ownerReads},
		{"whether there are owners", hasOwners},
		{"every write is guarded", ownerWrites},
		{"a document that changes hands", ownerChanges},
	}
}

// owners are who opens the corpus: nobody in particular, who sees everything, and
// three of whom the last owns nothing.
func owners() []string { return []string{"", "alice", "bob", "carol"} }

// as returns the corpus as another owner opens it.
func (c *corpus) as(owner string) *corpus {
	c.Helper()
	return &corpus{T: c.T, ctx: c.ctx, open: c.open, store: c.open(c.T, owner), want: c.want}
}

// fillOwned puts pages of everybody, of alice and of bob, among them the same
// page three times.
func (c *corpus) fillOwned(r *rand.Rand) []store.Bundle {
	c.Helper()
	pages := randomPages(r, 18, 4)
	for i := range pages {
		if owner := owners()[i%3]; owner != "" { // the rest is nobody's
			pages[i] = ownedBy(pages[i], owner)
		}
	}
	pages = append(pages, ownedBy(pages[0], "alice"), ownedBy(pages[0], "bob"))
	c.fill(4)
	for _, owner := range owners() {
		c.as(owner).write(func(w store.Writer) {
			for _, b := range pages {
				if b.Document.Owner == owner {
					c.put(w, b, true)
				}
			}
		})
	}
	return pages
}

func ownerReads(c *corpus) {
	r := rand.New(rand.NewPCG(28, 29))
	pages := c.fillOwned(r)
	var all, parents, docs []string
	for _, b := range pages {
		all = append(all, chunkIDs(b.Chunks)...)
		parents = append(parents, b.Chunks[0].ID)
		docs = append(docs, b.Document.ID)
	}
	for _, owner := range owners() {
		c := c.as(owner)
		may := func(id string) bool {
			return slices.ContainsFunc(c.want.in(store.Scope{}, owner), func(b store.Bundle) bool { return b.Document.ID == id })
		}
		c.read(c.checkSample)
		for _, scope := range []store.Scope{{}, {DocumentIDs: docs}, {DocumentIDs: docs[1:2]}, {ExcludeDocumentIDs: docs[:3]}, {SourceURLs: []string{pages[0].Document.SourceURL}}} {
			q, terms := randomUnit(r, 4), store.Terms("gradient boosting trees")
			found := c.search(store.Search{Scope: scope, Vector: q, VectorRows: 1000, Terms: terms, KeywordRows: 1000})
			c.compareVectors(found, c.want.nearest(q, scope, owner), 1000)
			c.compareKeywords(found, c.want.keyword(terms, false, scope, owner))
			and := c.search(store.Search{Scope: scope, Terms: terms, KeywordRows: 1000, Match: store.MatchAnd})
			c.compareKeywords(and, c.want.keyword(terms, true, scope, owner))
			c.read(func(v store.View) {
				st, err := v.Stats(c.ctx, scope)
				if want := len(c.want.in(scope, owner)); err != nil || st.Documents != want {
					c.Errorf("%q counts %d documents, %v, want %d", owner, st.Documents, err, want)
				}
				list, err := v.Documents(c.ctx, scope, store.Page{})
				for _, d := range list {
					if !may(d.ID) {
						c.Errorf("%q lists a document of %q, %v", owner, d.Owner, err)
					}
				}
				chunks, err := v.Parents(c.ctx, scope, allFields, store.Page{})
				for _, ch := range chunks {
					if !may(ch.DocumentID) {
						c.Errorf("%q lists a parent of %q, %v", owner, ch.Owner, err)
					}
				}
			})
		}
		// Knowing an id must not help.
		c.read(func(v store.View) {
			chunks, err := v.Chunks(c.ctx, all, allFields)
			if err != nil {
				c.Fatal(err)
			}
			below, err := v.Children(c.ctx, parents, allFields)
			if err != nil {
				c.Fatal(err)
			}
			for _, ch := range append(chunks, below...) {
				if !may(ch.DocumentID) {
					c.Errorf("%q reads a chunk of %q by its id", owner, ch.Owner)
				}
			}
			want := 0
			for _, b := range c.want.in(store.Scope{}, owner) {
				want += len(b.Chunks)
			}
			if len(chunks) != want {
				c.Errorf("%q reads %d chunks, want %d", owner, len(chunks), want)
			}
		})
	}
}

func ownerWrites(c *corpus) {
	r := rand.New(rand.NewPCG(30, 31))
	pages := c.fillOwned(r)
	for _, owner := range []string{"bob", "carol"} {
		c := c.as(owner)
		c.write(func(w store.Writer) {
			for _, b := range pages {
				if b.Document.Owner != "alice" {
					continue
				}
				if _, ok, err := w.Document(c.ctx, b.Document.ID); ok || err != nil {
					c.Errorf("%q reads alice's document: %v, %v", owner, ok, err)
				}
				for _, change := range []func(context.Context, ...string) (int, error){w.Delete, w.SoftDelete, w.Restore} {
					if n, err := change(c.ctx, b.Document.ID); n != 0 || err != nil {
						c.Errorf("%q deletes or restores alice's document: %d, %v", owner, n, err)
					}
				}
				b.Document.Title = "Taken"
				if changed, err := w.Put(c.ctx, b); changed || err == nil {
					c.Errorf("%q writes alice's document", owner)
				}
				// Nor by claiming it, or by giving it to nobody.
				if changed, err := w.Put(c.ctx, withDocument(b, func(d *store.Document) { d.Owner = "" })); changed || err == nil {
					c.Errorf("%q gives alice's document away", owner)
				}
				if changed, err := w.Put(c.ctx, withDocument(b, func(d *store.Document) { d.Owner = owner })); changed || err == nil {
					c.Errorf("%q takes alice's document", owner)
				}
				if known, err := w.Known(c.ctx, []string{b.Chunks[1].EmbedHash}); err != nil || len(known) != 0 {
					c.Errorf("%q knows alice's vectors: %v, %v", owner, known, err)
				}
			}
		})
	}
	alice := c.as("alice")
	for _, b := range pages {
		if b.Document.Owner == "alice" {
			alice.checkStored(b)
		}
	}
}

// hasOwners: Info tells whether asking for one's own can find anything.
func hasOwners(c *corpus) {
	look := func(want bool) {
		c.Helper()
		for _, owner := range []string{"", "carol"} {
			who := c.as(owner)
			if got := who.store.Info().HasOwners; got != want {
				c.Errorf("opened for %q, HasOwners = %v, want %v", owner, got, want)
			}
		}
		c.read(func(store.View) {})
		if got := c.store.Info().HasOwners; got != want {
			c.Errorf("after a read, HasOwners = %v, want %v", got, want)
		}
	}
	look(false)
	b := page("https://example.org/a", []passage{{"zebra", unit(1, 0)}})
	c.fill(2, b)
	look(false)
	owned := ownedBy(b, "alice")
	c.write(func(w store.Writer) { c.put(w, owned, true) })
	look(true)
	c.remove(owned.Document.ID)
	look(false)
}

func ownerChanges(c *corpus) {
	b := page("https://example.org/a", []passage{{"zebra", unit(1, 0)}})
	c.fill(2, b)
	look := func(owner string) {
		c.Helper()
		for _, who := range []string{"", "alice", "bob"} {
			n := 0
			if who == "" || who == owner {
				n = 1
			}
			found := c.as(who).search(store.Search{Vector: unit(1, 0), VectorRows: 1, Terms: []string{"zebra"}, KeywordRows: 1})
			if len(found.Vector) != n || len(found.Keyword) != n || found.KeywordRows != n || found.Terms[0].DF != n {
				c.Errorf("the page is %q's, %q finds %+v, want %d", owner, who, found, n)
			}
		}
	}
	look("")
	for _, owner := range []string{"alice", "bob", ""} {
		c.write(func(w store.Writer) {
			c.put(w, withDocument(b, func(d *store.Document) { d.Owner = owner }), true)
		})
		look(owner)
	}
}
