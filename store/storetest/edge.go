package storetest

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/store"
)

func edgeTests() []test {
	return []test{
		{"the edges of a structure are replaced with their document", edgeStructure},
		{"edges that are out of range are refused", edgeRanges},
		{"directions, relations and caps", edgeQueries},
		{"a whole frontier at once", edgeFrontier},
		{"all edges, page by page", edgeListing},
		{"edges by their origin", edgeOrigins},
		{"imported edges", edgeImports},
		{"imported edges outlive their ends", edgeSurvives},
		{"scopes hold at both ends", edgeScopes},
		{"no edge leads to what belongs to others", edgeOwners},
	}
}

// threeSections is a page of three sections, the first of two passages.
func threeSections(url string) store.Bundle {
	return page(url, []passage{{"one ", nil}, {"two ", nil}}, []passage{{"three ", nil}}, []passage{{"four", nil}})
}

// parentsOf returns the ids of a page's sections.
func parentsOf(b store.Bundle) (ids []string) {
	for _, c := range b.Chunks {
		if c.Level == store.Parent {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// edge is one as a caller gives it.
func edge(source, target string, r store.Relation, weight float64) store.Edge {
	return store.Edge{SourceID: source, TargetID: target, Relation: r, Weight: weight, Description: "because"}
}

// stored is e as the store returns it.
func stored(e store.Edge, o store.Origin, source, target store.Bundle) store.Edge {
	e.ID, e.Origin = store.EdgeID(e.SourceID, e.TargetID, e.Relation), o
	e.DocumentID, e.TargetDocumentID = source.Document.ID, target.Document.ID
	return e
}

func byWeight(a, b store.Edge) int {
	return cmp.Or(cmp.Compare(b.Weight, a.Weight), strings.Compare(a.ID, b.ID))
}

func bySource(a, b store.Edge) int {
	return cmp.Or(strings.Compare(a.SourceID, b.SourceID), strings.Compare(string(a.Relation), string(b.Relation)), strings.Compare(a.ID, b.ID))
}

// after returns the edges of a list that a listing has after one of them.
func after(e store.Edge, edges []store.Edge) []store.Edge {
	return slices.DeleteFunc(slices.Clone(edges), func(o store.Edge) bool { return bySource(o, e) <= 0 })
}

// checkEdges compares the answer to a query with edges in any order.
func (c *corpus) checkEdges(q store.EdgeQuery, want ...store.Edge) {
	c.Helper()
	want = slices.Clone(want)
	if q.Nodes != nil && !q.Dangling {
		slices.SortFunc(want, byWeight)
	} else {
		slices.SortFunc(want, bySource)
	}
	c.read(func(v store.View) {
		c.Helper()
		got, err := v.Edges(c.ctx, q)
		if err != nil || !slices.Equal(got, want) {
			c.Errorf("Edges(%+v) = %v\n%+v, want\n%+v", q, err, got, want)
		}
	})
}

// import puts edges and expects the given ones back.
func (c *corpus) importEdges(edges []store.Edge, missing ...store.Edge) {
	c.Helper()
	c.write(func(w store.Writer) {
		c.Helper()
		got, err := w.PutEdges(c.ctx, edges)
		if err != nil || !slices.Equal(got, missing) {
			c.Errorf("PutEdges = %+v, %v, want %+v", got, err, missing)
		}
	})
}

func edgeStructure(c *corpus) {
	b := threeSections("https://example.org/a")
	p := parentsOf(b)
	b.Edges = []store.Edge{edge(p[0], p[1], store.Sequence, 0.5), edge(p[1], p[2], store.Sequence, 0.5), edge(p[2], p[0], store.PartOf, 0.8)}
	want := func(b store.Bundle) (out []store.Edge) {
		for _, e := range b.Edges {
			out = append(out, stored(e, store.OriginStructure, b, b))
		}
		return out
	}
	c.fill(2, b, threeSections("https://example.org/other"))
	c.checkEdges(store.EdgeQuery{}, want(b)...)
	version := c.version()
	c.write(func(w store.Writer) { c.put(w, b, false) })
	if got := c.version(); got != version {
		c.Errorf("an unchanged page moved the version from %d to %d", version, got)
	}
	again := b
	for _, edges := range [][]store.Edge{
		b.Edges[:1],
		{edge(p[0], p[1], store.Sequence, 0.6), edge(p[0], p[1], store.Sequence, 0.1)},
		nil,
		b.Edges,
	} {
		again.Edges = edges
		c.write(func(w store.Writer) {
			c.put(w, again, true)
			c.put(w, again, false)
		})
		if len(edges) == 2 {
			edges = edges[:1] // the first of equals
		}
		again.Edges = edges
		c.checkEdges(store.EdgeQuery{}, want(again)...)
	}
	shorter := page("https://example.org/a", []passage{{"one ", nil}})
	c.write(func(w store.Writer) { c.put(w, shorter, true) })
	c.checkEdges(store.EdgeQuery{})
	c.checkEdges(store.EdgeQuery{Dangling: true})
	c.write(func(w store.Writer) { c.put(w, b, true) })
	c.remove(b.Document.ID)
	c.checkEdges(store.EdgeQuery{})
	c.checkEdges(store.EdgeQuery{Dangling: true})
}

func edgeRanges(c *corpus) {
	a, b := threeSections("https://example.org/a"), threeSections("https://example.org/b")
	p, other := parentsOf(a), parentsOf(b)
	c.fill(2, a, b)
	version := c.version()
	good := edge(p[0], p[1], store.Sequence, 0.5)
	change := func(do func(e *store.Edge)) store.Edge {
		e := good
		do(&e)
		return e
	}
	bad := map[string]store.Edge{
		"no relation":         change(func(e *store.Edge) { e.Relation = "" }),
		"an unknown relation": change(func(e *store.Edge) { e.Relation = "likes" }),
		"no weight":           change(func(e *store.Edge) { e.Weight = 0 }),
		"a negative weight":   change(func(e *store.Edge) { e.Weight = -0.1 }),
		"too much weight":     change(func(e *store.Edge) { e.Weight = 1.000001 }),
		"no number":           change(func(e *store.Edge) { e.Weight = math.NaN() }),
		"its own target":      change(func(e *store.Edge) { e.TargetID = e.SourceID }),
		"an unknown origin":   change(func(e *store.Edge) { e.Origin = "rumour" }),
	}
	c.write(func(w store.Writer) {
		for name, e := range bad {
			if _, err := w.PutEdges(c.ctx, []store.Edge{good, e}); err == nil || !strings.Contains(err.Error(), e.SourceID) {
				c.Errorf("an edge with %s is imported: %v", name, err)
			}
		}
		bad["an end elsewhere"] = change(func(e *store.Edge) { e.TargetID = other[0] })
		bad["a child's end"] = change(func(e *store.Edge) { e.TargetID = a.Chunks[1].ID })
		bad["no end"] = change(func(e *store.Edge) { e.TargetID = "" })
		bad["the origin of a link"] = change(func(e *store.Edge) { e.Origin = store.OriginLink })
		for name, e := range bad {
			again := a
			again.Edges = []store.Edge{good, e}
			if changed, err := w.Put(c.ctx, again); err == nil || changed {
				c.Errorf("a page with an edge with %s is written", name)
			}
		}
		if missing, err := w.PutEdges(c.ctx, nil); err != nil || len(missing) != 0 {
			c.Errorf("no edges: %v, %v", missing, err)
		}
	})
	if got := c.version(); got != version {
		c.Errorf("the version went from %d to %d", version, got)
	}
	c.checkEdges(store.EdgeQuery{})
}

func edgeQueries(c *corpus) {
	a, b := threeSections("https://example.org/a"), threeSections("https://example.org/b")
	p, q := parentsOf(a), parentsOf(b)
	c.fill(2, a, b)
	edges := []store.Edge{
		edge(p[0], p[1], store.Sequence, 0.5), edge(p[0], q[0], store.References, 1), edge(p[0], q[1], store.References, 0.3),
		edge(p[0], q[2], store.References, 0.3), edge(q[1], p[0], store.Contradicts, 0.9), edge(q[2], p[0], store.Contradicts, 0.2),
		edge(q[0], q[1], store.SimilarTo, 0.7),
	}
	c.importEdges(edges)
	ends := []store.Bundle{a, a, a, b, a, b, a, b, b, a, b, a, b, b}
	for i, e := range edges {
		edges[i] = stored(e, store.OriginImport, ends[2*i], ends[2*i+1])
	}
	at := []string{p[0]}
	c.checkEdges(store.EdgeQuery{}, edges...)
	c.checkEdges(store.EdgeQuery{Nodes: at, Direction: store.Outgoing}, edges[:4]...)
	c.checkEdges(store.EdgeQuery{Nodes: at, Direction: store.Incoming}, edges[4:6]...)
	for _, direction := range []store.Direction{store.Both, ""} {
		c.checkEdges(store.EdgeQuery{Nodes: at, Direction: direction}, edges[:6]...)
	}
	c.checkEdges(store.EdgeQuery{Nodes: []string{a.Chunks[2].ID, p[0], a.Chunks[1].ID}}, edges[:6]...) // two children and their parent
	c.checkEdges(store.EdgeQuery{Nodes: []string{}})
	c.checkEdges(store.EdgeQuery{Nodes: []string{ID("nothing"), "", "not an id", a.Document.ID}})
	c.checkEdges(store.EdgeQuery{Nodes: at, Relations: []store.Relation{store.References, store.Contradicts}}, edges[1], edges[2], edges[3], edges[4], edges[5])
	c.checkEdges(store.EdgeQuery{Nodes: at, Relations: []store.Relation{}})
	c.checkEdges(store.EdgeQuery{Nodes: at, Relations: []store.Relation{store.CausedBy}})
	// Each direction and each relation has its own places.
	c.checkEdges(store.EdgeQuery{Nodes: at, PerNode: 1}, edges[1], edges[0], edges[4])
	tied := []store.Edge{edges[2], edges[3]}
	slices.SortFunc(tied, byWeight)
	c.checkEdges(store.EdgeQuery{Nodes: at, PerNode: 2}, edges[1], edges[0], tied[0], edges[4], edges[5])
	c.checkEdges(store.EdgeQuery{Nodes: at, PerNode: 2, Direction: store.Outgoing}, edges[1], edges[0], tied[0])
	c.checkEdges(store.EdgeQuery{Nodes: at, PerNode: 1, Relations: []store.Relation{store.Sequence}}, edges[0])
	// Once, though both its ends are asked for.
	c.checkEdges(store.EdgeQuery{Nodes: []string{q[0], q[1]}, Relations: []store.Relation{store.SimilarTo}}, edges[6])
	c.checkEdges(store.EdgeQuery{Relations: []store.Relation{store.SimilarTo}}, edges[6])
}

// edgeFrontier asks at a hundred nodes, each with more edges than it may have.
func edgeFrontier(c *corpus) {
	r := rand.New(rand.NewPCG(50, 51))
	pages := randomPages(r, 50, 2)
	c.fill(2, pages...)
	var nodes []string
	home := make(map[string]store.Bundle)
	for _, b := range pages {
		for _, id := range parentsOf(b) {
			nodes = append(nodes, id)
			home[id] = b
		}
	}
	outgoing := make(map[string][]store.Edge)
	var all []store.Edge
	for _, source := range nodes {
		for range 8 {
			target := nodes[r.IntN(len(nodes))]
			if target == source || slices.ContainsFunc(outgoing[source], func(e store.Edge) bool { return e.TargetID == target }) {
				continue
			}
			e := stored(edge(source, target, store.Elaborates, float64(1+r.IntN(5))/5), store.OriginImport, home[source], home[target])
			outgoing[source] = append(outgoing[source], e)
			all = append(all, e)
		}
	}
	c.importEdges(all)
	var want []store.Edge
	for _, source := range nodes {
		slices.SortFunc(outgoing[source], byWeight)
		want = append(want, outgoing[source][:min(3, len(outgoing[source]))]...)
	}
	c.checkEdges(store.EdgeQuery{Nodes: nodes, Direction: store.Outgoing, PerNode: 3}, want...)
	c.checkEdges(store.EdgeQuery{Nodes: nodes, Direction: store.Outgoing}, all...)
	c.checkEdges(store.EdgeQuery{Nodes: nodes}, all...)
}

func edgeListing(c *corpus) {
	a := threeSections("https://example.org/a")
	p := parentsOf(a)
	c.fill(2, a)
	var edges []store.Edge
	for i, r := range store.Relations() {
		e := edge(p[i%3], p[(i+1)%3], r, 0.5)
		edges = append(edges, stored(e, store.OriginImport, a, a))
	}
	c.importEdges(edges)
	slices.SortFunc(edges, bySource)
	var want []string
	for _, e := range edges {
		want = append(want, e.ID)
	}
	c.read(func(v store.View) {
		for _, size := range []int{0, 1, 3, 100} {
			c.compareIDs("edges", want, size, func(p store.Page) (ids []string, err error) {
				got, err := v.Edges(c.ctx, store.EdgeQuery{Page: p})
				for _, e := range got {
					ids = append(ids, e.ID)
				}
				return ids, err
			})
		}
	})
	c.checkCursor(edges)
	for _, bad := range []store.Edge{{ID: "x", SourceID: p[0]}, {ID: p[0]}, {Relation: store.Sequence}} {
		c.read(func(v store.View) {
			if got, err := v.Edges(c.ctx, store.EdgeQuery{After: bad}); err == nil {
				c.Errorf("edges after %+v: %+v", bad, got)
			}
		})
	}
	// One that is gone has its place nevertheless.
	for _, e := range []store.Edge{{ID: ID("0"), SourceID: p[0], Relation: store.PartOf}, {ID: ID("1"), SourceID: ID("elsewhere"), Relation: "zzz"}} {
		c.checkEdges(store.EdgeQuery{After: e}, after(e, edges)...)
	}
	c.checkEdges(store.EdgeQuery{After: edges[2], Relations: []store.Relation{edges[1].Relation, edges[5].Relation}}, edges[5])
	c.checkEdges(store.EdgeQuery{After: edges[2], Page: store.Page{Offset: 1, Limit: 2}}, edges[4:6]...)
	c.checkEdges(store.EdgeQuery{After: edges[len(edges)-1]})
}

// checkCursor goes through all edges, each page after the last edge of the one
// before.
func (c *corpus) checkCursor(want []store.Edge) {
	c.Helper()
	c.read(func(v store.View) {
		c.Helper()
		for _, size := range []int{1, 3, len(want), len(want) + 1} {
			var got []store.Edge
			q := store.EdgeQuery{Page: store.Page{Limit: size}}
			for {
				page, err := v.Edges(c.ctx, q)
				if err != nil {
					c.Fatal(err)
				}
				if got = append(got, page...); len(page) < size || len(got) > len(want) {
					break
				}
				q.After = page[size-1]
			}
			if !slices.Equal(got, want) {
				c.Errorf("edges in pages of %d after one another: %+v, want %+v", size, got, want)
			}
		}
	})
}

// edgeOrigins asks for edges by where they come from.
func edgeOrigins(c *corpus) {
	a, b := threeSections("https://example.org/a"), threeSections("https://example.org/b")
	p, q := parentsOf(a), parentsOf(b)
	a.Edges = []store.Edge{edge(p[0], p[1], store.Sequence, 0.5)}
	a.Links = []store.Link{{ChunkID: p[0], TargetURL: "https://example.org/b"}}
	c.fill(2, a, b)
	imported := edge(p[0], q[1], store.SimilarTo, 0.25)
	c.importEdges([]store.Edge{imported})
	var link store.Edge
	c.read(func(v store.View) {
		got, err := v.Edges(c.ctx, store.EdgeQuery{Origins: []store.Origin{store.OriginLink}})
		if err != nil || len(got) != 1 || got[0].Origin != store.OriginLink || got[0].SourceID != p[0] {
			c.Fatalf("edges of links: %+v, %v", got, err)
		}
		link = got[0]
	})
	structure := stored(a.Edges[0], store.OriginStructure, a, a)
	imported = stored(imported, store.OriginImport, a, b)
	for _, nodes := range [][]string{nil, {p[0]}} {
		c.checkEdges(store.EdgeQuery{Nodes: nodes}, structure, link, imported)
		c.checkEdges(store.EdgeQuery{Nodes: nodes, Origins: []store.Origin{store.OriginStructure}}, structure)
		c.checkEdges(store.EdgeQuery{Nodes: nodes, Origins: []store.Origin{store.OriginImport, store.OriginLink}}, link, imported)
		c.checkEdges(store.EdgeQuery{Nodes: nodes, Origins: []store.Origin{}})
		// What is not asked for takes no place.
		c.checkEdges(store.EdgeQuery{Nodes: nodes, PerNode: 1, Origins: []store.Origin{store.OriginImport}, Relations: []store.Relation{store.SimilarTo}}, imported)
	}
	listed := []store.Edge{structure, link, imported}
	slices.SortFunc(listed, bySource)
	c.checkEdges(store.EdgeQuery{After: listed[0], Origins: []store.Origin{listed[2].Origin}}, listed[2])
}

func edgeImports(c *corpus) {
	a, b := threeSections("https://example.org/a"), threeSections("https://example.org/b")
	p, q := parentsOf(a), parentsOf(b)
	a.Edges = []store.Edge{edge(p[0], p[1], store.Sequence, 0.5)}
	c.fill(2, a, b)
	structure := stored(a.Edges[0], store.OriginStructure, a, a)
	first := edge(p[0], q[0], store.Elaborates, 0.25)
	c.importEdges([]store.Edge{
		first,
		edge(p[0], ID("nothing"), store.Elaborates, 0.25),
		edge("not an id", q[0], store.Elaborates, 0.25),
		edge(a.Chunks[1].ID, a.Chunks[2].ID, store.Elaborates, 0.25), // both of one section
	}, edge(p[0], ID("nothing"), store.Elaborates, 0.25), edge("not an id", q[0], store.Elaborates, 0.25),
		edge(a.Chunks[1].ID, a.Chunks[2].ID, store.Elaborates, 0.25))
	c.checkEdges(store.EdgeQuery{}, structure, stored(first, store.OriginImport, a, b))
	// The same again, with other ids, weight, description and origin.
	second := first
	second.ID, second.DocumentID, second.TargetDocumentID = ID("x"), ID("y"), ID("z")
	second.Weight, second.Description, second.Origin = 0.75, "", store.OriginStructure
	c.importEdges([]store.Edge{second})
	c.checkEdges(store.EdgeQuery{}, structure, stored(second, store.OriginStructure, a, b))
	// A child stands for its parent; of equals the heaviest counts.
	c.importEdges([]store.Edge{
		edge(a.Chunks[1].ID, q[0], store.Elaborates, 0.5),
		edge(p[0], b.Chunks[2].ID, store.Elaborates, 1),
		edge(a.Chunks[2].ID, b.Chunks[1].ID, store.Elaborates, 0.7),
	})
	heaviest := stored(edge(p[0], q[0], store.Elaborates, 1), store.OriginImport, a, b)
	c.checkEdges(store.EdgeQuery{}, structure, heaviest)
	// An import over an edge of the structure stays when the page is put again.
	over := edge(p[0], p[1], store.Sequence, 0.1)
	c.importEdges([]store.Edge{over})
	c.checkEdges(store.EdgeQuery{}, stored(over, store.OriginImport, a, a), heaviest)
	c.write(func(w store.Writer) {
		c.put(w, a, false)
		a = withDocument(a, func(d *store.Document) { d.Title = "Changed" })
		c.put(w, a, true)
		c.put(w, a, false)
	})
	c.checkEdges(store.EdgeQuery{}, stored(over, store.OriginImport, a, a), heaviest)
}

func edgeSurvives(c *corpus) {
	a, b := threeSections("https://example.org/a"), threeSections("https://example.org/b")
	p, q := parentsOf(a), parentsOf(b)
	c.fill(2, a, b)
	last, first := edge(p[2], q[0], store.Elaborates, 0.5), edge(q[1], p[0], store.CausedBy, 0.5)
	c.importEdges([]store.Edge{last, first})
	last, first = stored(last, store.OriginImport, a, b), stored(first, store.OriginImport, b, a)
	shorter := page("https://example.org/a", []passage{{"one ", nil}, {"two ", nil}})
	c.write(func(w store.Writer) { c.put(w, shorter, true) })
	c.checkEdges(store.EdgeQuery{}, first)
	c.checkEdges(store.EdgeQuery{Nodes: []string{q[0]}})
	c.checkEdges(store.EdgeQuery{Dangling: true}, last)
	c.checkEdges(store.EdgeQuery{Dangling: true, Nodes: []string{p[2]}}, last)
	c.checkEdges(store.EdgeQuery{Dangling: true, Nodes: []string{q[0]}, Relations: []store.Relation{store.Elaborates}}, last)
	c.checkEdges(store.EdgeQuery{Dangling: true, Nodes: []string{q[1]}})
	c.checkEdges(store.EdgeQuery{Dangling: true, Relations: []store.Relation{store.CausedBy}})
	c.write(func(w store.Writer) { c.put(w, a, true) })
	c.checkEdges(store.EdgeQuery{}, first, last)
	c.checkEdges(store.EdgeQuery{Dangling: true})
	// With a document go the edges from it and to it.
	c.remove(a.Document.ID)
	c.checkEdges(store.EdgeQuery{})
	c.checkEdges(store.EdgeQuery{Dangling: true})
	c.write(func(w store.Writer) { c.put(w, a, true) })
	c.checkEdges(store.EdgeQuery{})
}

func edgeScopes(c *corpus) {
	a, b := threeSections("https://example.org/a"), threeSections("https://example.org/b")
	for i := range a.Chunks {
		a.Chunks[i].SectionHeading = fmt.Sprint("H", i)
	}
	p, q := parentsOf(a), parentsOf(b)
	c.fill(2, a, b)
	within, across := edge(p[0], p[1], store.Sequence, 0.5), edge(p[0], q[0], store.References, 0.5)
	c.importEdges([]store.Edge{within, across})
	within, across = stored(within, store.OriginImport, a, a), stored(across, store.OriginImport, a, b)
	for _, nodes := range [][]string{nil, {p[0]}, {p[1], q[0]}} {
		c.checkEdges(store.EdgeQuery{Nodes: nodes}, within, across)
		c.checkEdges(store.EdgeQuery{Nodes: nodes, Scope: store.Scope{DocumentIDs: []string{a.Document.ID}}}, within)
		c.checkEdges(store.EdgeQuery{Nodes: nodes, Scope: store.Scope{DocumentIDs: []string{b.Document.ID}}})
		c.checkEdges(store.EdgeQuery{Nodes: nodes, Scope: store.Scope{DocumentIDs: []string{}}}, within, across)
		c.checkEdges(store.EdgeQuery{Nodes: nodes, Scope: store.Scope{Headings: []string{"h0", "h3"}}}, within)
		c.checkEdges(store.EdgeQuery{Nodes: nodes, Scope: store.Scope{Headings: []string{"H0"}}})
	}
	// What is out of scope takes no place.
	c.checkEdges(store.EdgeQuery{Nodes: []string{p[0]}, PerNode: 1, Scope: store.Scope{DocumentIDs: []string{a.Document.ID}}}, within)
}

func edgeOwners(c *corpus) {
	a, b := threeSections("https://example.org/a"), threeSections("https://example.org/b")
	mine, yours := ownedBy(a, "alice"), ownedBy(b, "bob")
	c.fill(2, a, mine, yours)
	p, m, y := parentsOf(a), parentsOf(mine), parentsOf(yours)
	own := edge(m[0], m[1], store.Sequence, 0.1)
	all := []store.Edge{own, edge(m[0], y[0], store.References, 1), edge(y[0], m[0], store.References, 1), edge(m[0], p[0], store.References, 0.9), edge(p[0], y[0], store.References, 0.8)}
	c.importEdges(all)
	ends := []store.Bundle{mine, mine, mine, yours, yours, mine, mine, a, a, yours}
	for i, e := range all {
		all[i] = stored(e, store.OriginImport, ends[2*i], ends[2*i+1])
	}
	c.checkEdges(store.EdgeQuery{}, all...)
	every := slices.Concat(p, m, y)
	for owner, want := range map[string][]store.Edge{"alice": all[:1], "bob": nil, "carol": nil} {
		who := c.as(owner)
		for _, nodes := range [][]string{nil, every} {
			who.checkEdges(store.EdgeQuery{Nodes: nodes}, want...)
			who.checkEdges(store.EdgeQuery{Nodes: nodes, PerNode: 1}, want...)
			who.checkEdges(store.EdgeQuery{Nodes: nodes, Dangling: true})
		}
		// Nor can one be made.
		if owner == "bob" {
			foreign := []store.Edge{edge(y[0], m[0], store.Elaborates, 1), edge(m[0], y[0], store.Elaborates, 1), edge(y[0], p[0], store.Elaborates, 1)}
			who.importEdges(foreign, foreign...)
		}
	}
	c.checkEdges(store.EdgeQuery{}, all...)
	// A page that is gone leaves a dangling edge only to those who saw both ends.
	shorter := ownedBy(page("https://example.org/b"), "bob")
	c.write(func(w store.Writer) { c.put(w, shorter, true) })
	c.as("alice").checkEdges(store.EdgeQuery{Dangling: true})
	dangling := []store.Edge{all[1], all[2], all[4]}
	c.checkEdges(store.EdgeQuery{Dangling: true}, dangling...)
	for i := range dangling {
		c.checkEdges(store.EdgeQuery{Dangling: true, After: dangling[i]}, after(dangling[i], dangling)...)
	}
	c.checkEdges(store.EdgeQuery{Dangling: true, Origins: []store.Origin{store.OriginImport}}, dangling...)
	c.checkEdges(store.EdgeQuery{Dangling: true, Origins: []store.Origin{store.OriginLink}})
}
