package storetest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/store"
)

func linkTests() []test {
	return []test{
		{"a link finds its page, whichever comes first", linkOrder},
		{"addresses and fragments", linkTargets},
		{"a page that changes its sections keeps its links", linkSections},
		{"the same address twice", linkSharedAddress},
		{"links stay with their owner", linkOwners},
		{"random pages, random links", linkRandom},
	}
}

// link is a link from the i-th section of a page.
func link(b store.Bundle, section int, url, anchor, text string) store.Link {
	return store.Link{ChunkID: parentsOf(b)[section], TargetURL: url, Anchor: anchor, Text: text}
}

// linkEdges are the edges that the links of all pages make, found naively.
func (o oracle) linkEdges() []store.Edge {
	var out []store.Edge
	seen := make(map[string]bool)
	for _, b := range o {
		for _, l := range b.Links {
			target, ok := o.linked(l, b.Document.Owner)
			if !ok {
				continue
			}
			var parents []store.Chunk
			for _, c := range target.Chunks {
				if c.Level == store.Parent {
					parents = append(parents, c)
				}
			}
			e, ok := store.LinkEdge(l, store.Chunk{ID: l.ChunkID, DocumentID: b.Document.ID}, parents)
			if ok && !seen[e.ID] {
				seen[e.ID] = true
				out = append(out, e)
			}
		}
	}
	return out
}

// linked returns the page that a link leads to.
func (o oracle) linked(l store.Link, owner string) (store.Bundle, bool) {
	type candidate struct {
		b    store.Bundle
		rank int
	}
	var all []candidate
	for _, b := range o {
		d := b.Document
		addresses := append([]string{d.SourceURL, d.URL}, d.URLAliases...)
		rank := slices.IndexFunc(addresses, func(a string) bool { return a != "" && store.PageKey(a) == store.PageKey(l.TargetURL) })
		if rank >= 0 && d.Owner == owner {
			all = append(all, candidate{b, rank})
		}
	}
	if len(all) == 0 {
		return store.Bundle{}, false
	}
	slices.SortFunc(all, func(a, b candidate) int {
		x, y := a.b.Document, b.b.Document
		live := 0
		if x.DeletedAt.IsZero() != y.DeletedAt.IsZero() {
			live = 1
			if x.DeletedAt.IsZero() {
				live = -1
			}
		}
		return cmp.Or(live, min(1, a.rank)-min(1, b.rank), strings.Compare(x.ID, y.ID))
	})
	return all[0].b, true
}

// checkLinks compares all edges with those of the oracle that can be seen.
func (c *corpus) checkLinks() {
	c.Helper()
	var want []store.Edge
	for _, e := range c.want.linkEdges() {
		if c.want[e.DocumentID].Document.DeletedAt.IsZero() && c.want[e.TargetDocumentID].Document.DeletedAt.IsZero() {
			want = append(want, e)
		}
	}
	c.checkEdges(store.EdgeQuery{}, want...)
}

func linkOrder(c *corpus) {
	const from, to = "https://example.org/from", "https://example.org/to"
	a, b := threeSections(from), threeSections(to)
	b.Chunks[3].SectionHeading, b.Chunks[3].Anchor = "The goal", "goal"
	a.Links = []store.Link{link(a, 0, to, "", "there"), link(a, 1, to, "goal", "its goal"), link(a, 1, "https://example.org/never", "", "nowhere"), link(a, 2, "mailto:x@example.org", "", "write")}
	p, q := parentsOf(a), parentsOf(b)
	one := store.Edge{SourceID: p[0], TargetID: q[0], Relation: store.References, Weight: 1, Description: `links to "Title of ` + to + `" from "there"`}
	two := store.Edge{SourceID: p[1], TargetID: q[1], Relation: store.References, Weight: 1, Description: `links to "The goal" from "its goal"`}
	want := []store.Edge{stored(one, store.OriginLink, a, b), stored(two, store.OriginLink, a, b)}
	c.fill(2)
	for _, order := range [][]store.Bundle{{a, b}, {b, a}} {
		c.write(func(w store.Writer) { c.put(w, order[0], true) })
		c.checkEdges(store.EdgeQuery{})
		c.write(func(w store.Writer) { c.put(w, order[1], true) })
		c.checkEdges(store.EdgeQuery{}, want...)
		c.checkLinks()
		version := c.version()
		c.write(func(w store.Writer) {
			c.put(w, a, false)
			c.put(w, b, false)
		})
		if got := c.version(); got != version {
			c.Errorf("unchanged pages moved the version from %d to %d", version, got)
		}
		c.remove(order[0].Document.ID)
		c.checkEdges(store.EdgeQuery{})
		c.remove(order[1].Document.ID)
		c.checkEdges(store.EdgeQuery{Dangling: true})
	}
	// A writer that knows nothing of what the former one wrote.
	c.write(func(w store.Writer) { c.put(w, b, true) })
	c.write(func(w store.Writer) { c.put(w, a, true) })
	c.checkEdges(store.EdgeQuery{}, want...)
	c.write(func(w store.Writer) {
		c.put(w, withDocument(b, func(d *store.Document) { d.Title = "Another title" }), true)
	})
	c.checkLinks()
}

func linkTargets(c *corpus) {
	a := threeSections("https://example.org/docs/from.html")
	b := withDocument(threeSections("https://example.org/docs/to/index.html"), func(d *store.Document) {
		d.URL = "https://example.org/docs/moved"
		d.URLAliases = []string{"http://old.example.org/to", "https://example.org/a b?x=1"}
		d.Title = ""
	})
	b.Chunks[0].Anchors = []string{"top", "über uns"}
	b.Chunks[3].Anchor, b.Chunks[3].Anchors = "goal", []string{"goal", "term"}
	b.Chunks[5].Anchor, b.Chunks[5].Anchors = "end", []string{"goal"} // not the first to have it
	for i, l := range []struct{ url, anchor string }{
		{"https://EXAMPLE.org:443/docs/to/", "goal"},
		{"http://example.org/docs/to", "term"},
		{"https://example.org/docs/moved/", "end"},
		{"https://old.example.org/to", "über uns"},
		{"https://example.org/a%20b?x=1", "nothing like it"},
		{"https://example.org/a%20b?x=2", ""},
		{"https://example.org/docs/from.html", ""}, // to the page itself
		{"https://example.org/docs/from.html", "x"},
	} {
		a.Links = append(a.Links, link(a, i%3, l.url, l.anchor, fmt.Sprint("link ", i)))
	}
	c.fill(2, b, a)
	c.checkLinks()
	p, q := parentsOf(a), parentsOf(b)
	var got []string
	c.read(func(v store.View) {
		edges, err := v.Edges(c.ctx, store.EdgeQuery{})
		if err != nil {
			c.Fatal(err)
		}
		for _, e := range edges {
			source, target := slices.Index(p, e.SourceID), slices.Index(append(slices.Clone(q), p...), e.TargetID)
			got = append(got, fmt.Sprint(source, " to ", target))
		}
	})
	slices.Sort(got)
	// The sections of b are 0 to 2, those of a 3 to 5. Link 3 says nothing new of
	// 0 to 0, and link 6 leads from the first section to itself.
	if want := []string{"0 to 0", "0 to 1", "1 to 0", "1 to 1", "1 to 3", "2 to 2"}; !slices.Equal(got, want) {
		c.Errorf("the links lead %q, want %q", got, want)
	}
}

func linkSections(c *corpus) {
	const url = "https://example.org/to"
	a := threeSections("https://example.org/from")
	a.Links = []store.Link{link(a, 0, url, "b", "x"), link(a, 1, url, "c", "y"), link(a, 1, url, "b", "z")}
	c.fill(2, a)
	anchored := func(anchors string, sections ...[]passage) store.Bundle {
		b := page(url, sections...)
		at := 0
		for i := range b.Chunks {
			if b.Chunks[i].Level == store.Parent && at < len(anchors) {
				b.Chunks[i].Anchor = anchors[at : at+1]
				at++
			}
		}
		return b
	}
	one, two, three := []passage{{"one ", nil}}, []passage{{"two ", nil}}, []passage{{"three ", nil}}
	for _, b := range []store.Bundle{
		anchored("abc", one, two, three),
		anchored("bc", one, two),
		anchored("cb", one, two),
		anchored("", one, two),
		anchored("", one),
		anchored(""),
		anchored("abc", one, two, three),
	} {
		c.write(func(w store.Writer) {
			c.put(w, b, true)
			c.put(w, b, false)
		})
		c.checkLinks()
		c.checkEdges(store.EdgeQuery{Dangling: true})
	}
	// The linking page loses a link, and its sections.
	fewer := a
	fewer.Links = a.Links[2:]
	c.write(func(w store.Writer) { c.put(w, fewer, true) })
	c.checkLinks()
	c.write(func(w store.Writer) { c.put(w, page(a.Document.SourceURL, one), true) })
	c.checkLinks()
	c.checkEdges(store.EdgeQuery{Dangling: true})
}

func linkSharedAddress(c *corpus) {
	a := threeSections("https://example.org/from")
	a.Links = []store.Link{link(a, 0, "https://example.org/old", "", "x"), link(a, 1, "https://example.org/new", "", "y")}
	old := threeSections("https://example.org/old")
	moved := withDocument(threeSections("https://example.org/new"), func(d *store.Document) { d.URLAliases = []string{"https://example.org/old/"} })
	c.fill(2, a, moved)
	c.checkLinks()
	c.write(func(w store.Writer) { c.put(w, old, true) })
	c.checkLinks()
	c.softDelete(old.Document.ID)
	c.checkLinks()
	c.restore(old.Document.ID)
	c.checkLinks()
	c.softDelete(old.Document.ID)
	c.write(func(w store.Writer) { c.put(w, old, true) })
	c.checkLinks()
	c.remove(old.Document.ID)
	c.checkLinks()
	c.write(func(w store.Writer) {
		c.put(w, withDocument(moved, func(d *store.Document) { d.URLAliases = nil }), true)
	})
	c.checkLinks()
}

func linkOwners(c *corpus) {
	a, b := threeSections("https://example.org/from"), threeSections("https://example.org/to")
	a.Links = []store.Link{link(a, 0, b.Document.SourceURL, "", "x")}
	c.fill(2)
	for _, owner := range []string{"", "alice", "bob"} {
		from, to := a, b
		if owner != "" {
			from, to = ownedBy(a, owner), ownedBy(b, owner)
			from.Links = []store.Link{link(from, 0, b.Document.SourceURL, "", "x")}
		}
		c.write(func(w store.Writer) {
			c.put(w, from, true)
			if owner != "bob" { // whose link has nowhere to lead
				c.put(w, to, true)
			}
		})
	}
	c.checkLinks()
	if n := len(c.want.linkEdges()); n != 2 {
		c.Fatalf("the oracle has %d edges, want 2", n)
	}
	// A page that changes hands takes its links along.
	c.write(func(w store.Writer) {
		c.put(w, withDocument(ownedBy(b, "alice"), func(d *store.Document) { d.Owner = "bob" }), true)
	})
	c.checkLinks()
}

// linkRandom writes, deletes and restores pages that link to each other, and
// compares all edges with the oracle's after each step.
func linkRandom(c *corpus) {
	c.fill(2)
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(60, seed))
		urls := []string{"https://example.org/a", "https://example.org/b/", "https://example.org/c/index.html", "https://example.org/d", "https://example.org/e"}
		draw := func() store.Bundle {
			url := urls[r.IntN(4)]
			var sections [][]passage
			for i := range 1 + r.IntN(3) {
				sections = append(sections, []passage{{fmt.Sprint("section ", i, " "), nil}})
			}
			b := withDocument(page(url, sections...), func(d *store.Document) {
				if r.IntN(3) == 0 {
					d.URLAliases = []string{urls[r.IntN(5)]}
				}
				d.Title = pick(r, "", "T", "U")
				d.Owner = pick(r, "", "", "", "alice")
			})
			for i := range b.Chunks {
				if b.Chunks[i].Level == store.Parent && r.IntN(2) == 0 {
					b.Chunks[i].Anchor, b.Chunks[i].Anchors = pick(r, "x", "y", "z"), []string{pick(r, "", "x", "w")}
				}
			}
			for i := range r.IntN(6) {
				b.Links = append(b.Links, link(b, r.IntN(len(sections)), urls[r.IntN(5)], pick(r, "", "w", "x", "y"), fmt.Sprint("text ", i)))
			}
			return b
		}
		for range 25 {
			switch b := draw(); r.IntN(6) {
			case 0:
				if _, ok := c.want[b.Document.ID]; ok {
					c.remove(b.Document.ID)
				}
			case 1:
				if old, ok := c.want[b.Document.ID]; ok && old.Document.DeletedAt.IsZero() {
					c.softDelete(b.Document.ID)
				}
			case 2:
				if old, ok := c.want[b.Document.ID]; ok && !old.Document.DeletedAt.IsZero() {
					c.restore(b.Document.ID)
				}
			default:
				pages := []store.Bundle{b}
				for range r.IntN(4) {
					pages = append(pages, draw())
				}
				c.write(func(w store.Writer) { c.putAll(w, pages...) })
			}
			c.checkLinks()
			if c.Failed() {
				c.FailNow()
			}
		}
	}
}
