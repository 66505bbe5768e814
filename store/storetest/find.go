package storetest

import (
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/store"
)

func findTests() []test {
	return []test{
		{"by id", findID},
		{"by address", findURL},
		{"by quote", findQuote},
		{"a quote that spans chunks", findSpanning},
		{"questions that name nothing", findRefused},
	}
}

// checkFind compares what is found, in order, and that a limit is a prefix.
func (c *corpus) checkFind(q store.FindQuery, want ...string) {
	c.Helper()
	c.read(func(v store.View) {
		c.Helper()
		got, total, err := v.Find(c.ctx, q)
		if err != nil || total != len(want) || !slices.Equal(chunkIDs(got), want) {
			c.Errorf("Find(%+v) = %v, %d, %v, want %v", q, chunkIDs(got), total, err, want)
		}
		for _, ch := range got {
			if ch.ChunkText != "" || ch.Embedding != nil || ch.SourceURL == "" {
				c.Errorf("found %+v", ch)
			}
		}
		q.Limit = 1
		got, total, err = v.Find(c.ctx, q)
		if err != nil || total != len(want) || !slices.Equal(chunkIDs(got), want[:min(1, len(want))]) {
			c.Errorf("Find(%+v) = %v, %d, %v", q, chunkIDs(got), total, err)
		}
	})
}

func findID(c *corpus) {
	a, b := threeSections("https://example.org/a"), ownedBy(threeSections("https://example.org/b"), "bob")
	c.fill(2, a, b)
	parent, child := a.Chunks[0].ID, a.Chunks[1].ID
	c.checkFind(store.FindQuery{ChunkID: parent}, parent)
	c.checkFind(store.FindQuery{ChunkID: child}, child)
	c.checkFind(store.FindQuery{ChunkID: child, Level: store.Child}, child)
	c.checkFind(store.FindQuery{ChunkID: child, Level: store.Parent})
	c.checkFind(store.FindQuery{ChunkID: parent, Scope: store.Scope{DocumentIDs: []string{}}}, parent)
	for _, id := range []string{ID("nothing"), "not an id", a.Document.ID} {
		c.checkFind(store.FindQuery{ChunkID: id})
	}
	c.checkFind(store.FindQuery{ChunkID: b.Chunks[0].ID}, b.Chunks[0].ID)
	c.as("alice").checkFind(store.FindQuery{ChunkID: b.Chunks[0].ID})
	c.softDelete(a.Document.ID)
	c.checkFind(store.FindQuery{ChunkID: parent})
}

func findURL(c *corpus) {
	a := withDocument(threeSections("https://example.org/a/index.html"), func(d *store.Document) {
		d.URL, d.URLAliases = "https://example.org/a?from=x", []string{"https://old.example.org/a"}
	})
	a.Chunks[5].Anchor, a.Chunks[3].Anchors = "last", []string{"term"}
	a.Chunks[3].SectionHeading, a.Chunks[4].SectionHeading = "Middle", "Middle"
	b := ownedBy(a, "bob")
	c.fill(2, a, b, threeSections("https://example.org/other"))
	p := parentsOf(a)
	alone := store.Scope{DocumentIDs: []string{a.Document.ID}}
	for _, url := range []string{
		"https://example.org/a/index.html", "https://example.org/a?from=x", "https://old.example.org/a", // as they are
		"http://example.org/a/", "https://EXAMPLE.org/a", "https://old.example.org:443/a/", "https://example.org/a#", "https://example.org/a#nothing", // as links have it
	} {
		c.checkFind(store.FindQuery{SourceURL: url, Scope: alone}, p...)
		c.checkFind(store.FindQuery{SourceURL: url, Level: store.Parent, Scope: alone}, p...)
	}
	c.checkFind(store.FindQuery{SourceURL: "https://example.org/a/index.html#last", Scope: alone}, p[2], p[0], p[1])
	c.checkFind(store.FindQuery{SourceURL: "https://example.org/a#term", Scope: alone}, p[1], p[0], p[2])
	c.checkFind(store.FindQuery{SourceURL: "https://example.org/a", Level: store.Child, Scope: alone}, a.Chunks[1].ID, a.Chunks[2].ID, a.Chunks[4].ID, a.Chunks[6].ID)
	c.checkFind(store.FindQuery{SourceURL: "https://example.org/a", Scope: store.Scope{DocumentIDs: alone.DocumentIDs, Headings: []string{"middle"}}}, p[1])
	c.checkFind(store.FindQuery{SourceURL: "https://example.org/a", Scope: store.Scope{Tags: []string{"x"}}})
	for _, url := range []string{"https://example.org/A", "https://example.org/", "a", "#last"} {
		c.checkFind(store.FindQuery{SourceURL: url})
	}
	c.as("bob").checkFind(store.FindQuery{SourceURL: "https://example.org/a"}, parentsOf(b)...)
	c.as("alice").checkFind(store.FindQuery{SourceURL: "https://example.org/a"})
	both := slices.Concat(p, parentsOf(b))
	if strings.Compare(a.Document.ID, b.Document.ID) > 0 {
		both = slices.Concat(parentsOf(b), p)
	}
	c.checkFind(store.FindQuery{SourceURL: "https://example.org/a"}, both...)
}

func findQuote(c *corpus) {
	a := withDocument(page("https://example.org/a",
		[]passage{{"Gradient  boosting\nbuilds trees. ", nil}, {"The depth limits the ÜBERBAUM; it's 5 % (a_b). ", nil}},
		[]passage{{"Again: gradient boosting builds trees.", nil}}), func(d *store.Document) { d.Depth = 1 })
	b := page("https://example.org/b", []passage{{"日本語の文章です。 Gradient boosting", nil}})
	b.Chunks[0].SectionHeading, b.Chunks[1].SectionHeading = "B", "B"
	c.fill(2, a, b)
	p0, c0, c1, p1, c2 := a.Chunks[0].ID, a.Chunks[1].ID, a.Chunks[2].ID, a.Chunks[3].ID, a.Chunks[4].ID
	bp, bc := b.Chunks[0].ID, b.Chunks[1].ID
	for _, quote := range []string{"gradient boosting builds trees", " GRADIENT\tboosting builds   trees.", "dient boosting builds tre", "boosting builds", "builds"} {
		c.checkFind(store.FindQuery{Quote: quote}, c0, c2, p0, p1)
		c.checkFind(store.FindQuery{Quote: quote, Level: store.Child}, c0, c2)
		c.checkFind(store.FindQuery{Quote: quote, Level: store.Parent}, p0, p1)
		c.checkFind(store.FindQuery{Quote: quote, Scope: store.Scope{SourceURLs: []string{"https://example.org/b"}}})
	}
	c.checkFind(store.FindQuery{Quote: "überbaum; it's 5 % (A_B)."}, c1, p0)
	c.checkFind(store.FindQuery{Quote: "%"}, c1, p0)
	c.checkFind(store.FindQuery{Quote: "the"}, c1, p0)
	c.checkFind(store.FindQuery{Quote: "語の文"}, bc, bp)
	c.checkFind(store.FindQuery{Quote: "。 gradient boost"}, bc, bp)
	c.checkFind(store.FindQuery{Quote: "gradient boosting", Scope: store.Scope{Headings: []string{"b"}}}, bc, bp)
	c.checkFind(store.FindQuery{Quote: "gradient boosting"}, bc, c0, c2, bp, p0, p1)
	for _, quote := range []string{"gradient boost builds", "no such words in here", "gradientboosting", "trees.again", `x" OR "y`} {
		c.checkFind(store.FindQuery{Quote: quote})
	}
	c.softDelete(a.Document.ID)
	c.checkFind(store.FindQuery{Quote: "gradient boosting"}, bc, bp)
	c.as("alice").checkFind(store.FindQuery{Quote: "gradient boosting"})
}

func findSpanning(c *corpus) {
	b := page("https://example.org/a",
		[]passage{{"one two three ", nil}, {"four five six ", nil}, {"seven eight ", nil}}, []passage{{"nine ten eleven", nil}})
	// A gap between two passages is white space.
	last := &b.Chunks[len(b.Chunks)-1]
	last.CharStart, last.CharEnd = last.CharStart+1, last.CharEnd+1
	b.Chunks[4].CharStart, b.Chunks[4].CharEnd = last.CharStart, last.CharEnd
	c.fill(2, b, page("https://example.org/b", []passage{{"three or four", nil}}))
	p0, c0, c1, c2, p1, c3 := b.Chunks[0].ID, b.Chunks[1].ID, b.Chunks[2].ID, b.Chunks[3].ID, b.Chunks[4].ID, b.Chunks[5].ID
	c.checkFind(store.FindQuery{Quote: "two three four"}, p0, c0, c1)
	c.checkFind(store.FindQuery{Quote: "three four five six seven"}, p0, c0, c1, c2)
	c.checkFind(store.FindQuery{Quote: "eight nine"}, c2, c3, p0, p1)
	c.checkFind(store.FindQuery{Quote: "ee fo", Level: store.Child}, c0, c1)
	c.checkFind(store.FindQuery{Quote: "seven eight nine ten", Level: store.Parent}, p0, p1)
	c.checkFind(store.FindQuery{Quote: "three four"}, p0, c0, c1)
}

func findRefused(c *corpus) {
	c.fill(2, threeSections("https://example.org/a"))
	c.checkFind(store.FindQuery{Quote: " \n"})
	c.read(func(v store.View) {
		for _, q := range []store.FindQuery{{}, {ChunkID: "x", Quote: "y"}, {SourceURL: "x", Quote: "y"}, {ChunkID: "x", SourceURL: "y"}} {
			if got, n, err := v.Find(c.ctx, q); err == nil {
				c.Errorf("Find(%+v) = %v, %d", q, got, n)
			}
		}
	})
}
