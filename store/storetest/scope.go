package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/store"
)

func scopeTests() []test {
	return []test{
		{"every condition", scopeConditions},
		{"nil and empty lists", scopeEmptyLists},
		{"headings are conditions on sections", scopeHeadings},
		{"times are exclusive bounds", scopeTimes},
		{"random corpora, random scopes", scopeRandom},
	}
}

// described gives pages all that scopes ask for, drawn from few values, so that
// random scopes hold some and not others.
func described(r *rand.Rand, pages []store.Bundle) []store.Bundle {
	out := make([]store.Bundle, len(pages))
	for i, b := range pages {
		b = withDocument(b, func(d *store.Document) {
			d.Depth = r.IntN(4)
			d.FetchedAt = someTime(r.IntN(5))
			d.SourceType = pick(r, "web", "upload", "text", "")
			for _, tag := range []string{"a", "b", "C"} {
				if r.IntN(3) == 0 {
					d.Tags = append(d.Tags, tag)
				}
			}
			if r.IntN(3) > 0 {
				d.Metadata = map[string]string{store.MetaModule: pick(r, "1", "2", ""), "q\"uote": pick(r, "ü", "x")}
			}
			if r.IntN(4) == 0 {
				d.URLAliases = []string{"https://alias.example.org/" + fmt.Sprint(i%3)}
			}
		})
		var heading string
		var path []string
		for j := range b.Chunks {
			if b.Chunks[j].Level == store.Parent {
				heading = pick(r, "", "Trees", "trees", "Über \"Bäume\"", "Other")
				path = nil
				for range r.IntN(3) {
					path = append(path, pick(r, "Top", "TREES", "a,b", "back\\slash", ""))
				}
			}
			b.Chunks[j].SectionHeading, b.Chunks[j].HeadingPath = heading, path
			if b.Chunks[j].Level == store.Child && r.IntN(4) == 0 {
				// Deeper headings stand over some children only; their parent decides.
				b.Chunks[j].SectionHeading = pick(r, "Deeper", "Trees")
			}
		}
		out[i] = b
	}
	return out
}

func pick(r *rand.Rand, values ...string) string { return values[r.IntN(len(values))] }

// someTime returns one of few instants; the 0th is none.
func someTime(n int) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Date(2026, time.March, n, 12, 0, 0, 1000*n, time.UTC)
}

// randomScope draws a few conditions.
func randomScope(r *rand.Rand, pages []store.Bundle) store.Scope {
	var s store.Scope
	some := func(values ...string) []string {
		var out []string
		for _, v := range values {
			if r.IntN(2) == 0 {
				out = append(out, v)
			}
		}
		if out == nil && r.IntN(3) == 0 {
			return []string{}
		}
		return out
	}
	ids := func() (out []string) {
		for _, b := range pages {
			if r.IntN(3) > 0 {
				out = append(out, b.Document.ID)
			}
		}
		return out
	}
	for range 1 + r.IntN(3) {
		switch r.IntN(10) {
		case 0:
			s.SourceURLs = some(pages[0].Document.SourceURL, pages[len(pages)-1].Document.URL, "https://alias.example.org/0", "https://alias.example.org/1")
		case 1:
			s.DocumentIDs = ids()
		case 2:
			s.ExcludeDocumentIDs = ids()[:1]
		case 3:
			s.Tags = some("a", "C", "none")
		case 4:
			s.Meta = append(s.Meta, store.MetaFilter{Key: store.MetaModule, Values: some("1", "")})
		case 5:
			s.Meta = append(s.Meta, store.MetaFilter{Key: pick(r, "q\"uote", "absent", "x' OR 1=1 --"), Values: []string{"ü", "x"}})
		case 6:
			s.SourceTypes = some("web", "text")
		case 7:
			s.Headings = some("trees", "ÜBER \"BÄUME\"", "A,B", "Back\\Slash", "Deeper", "top")
		case 8:
			s.CreatedAfter, s.CreatedBefore = someTime(r.IntN(3)), someTime(r.IntN(5))
		case 9:
			depth := r.IntN(4) - 1
			s.MaxDepth = &depth
		}
	}
	return s
}

// checkScope compares every read in a scope with the oracle.
func (c *corpus) checkScope(scope store.Scope, owner string) {
	c.Helper()
	want := c.want.in(scope, owner)
	q, terms := unit(1, 2, 3, 4), store.Terms("gradient trees depth")
	found := c.search(store.Search{Scope: scope, Vector: q, VectorRows: 20, Terms: terms, KeywordRows: 1000})
	c.compareVectors(found, c.want.nearest(q, scope, owner), 20)
	c.compareKeywords(found, c.want.keyword(terms, false, scope, owner))
	c.read(func(v store.View) {
		c.Helper()
		var sum store.Stats
		var docs, parents []string
		for _, b := range want {
			sum.Documents++
			docs = append(docs, b.Document.ID)
			for _, ch := range b.Chunks {
				if ch.Level == store.Parent {
					sum.Parents++
					sum.Tokens += ch.Tokens()
					parents = append(parents, ch.ID)
				} else {
					sum.Children++
				}
			}
		}
		if got, err := v.Stats(c.ctx, scope); err != nil || got != sum {
			c.Errorf("Stats = %+v, %v, want %+v", got, err, sum)
		}
		c.compareIDs("documents", docs, 3, func(p store.Page) (ids []string, err error) {
			got, err := v.Documents(c.ctx, scope, p)
			for _, d := range got {
				ids = append(ids, d.ID)
			}
			return ids, err
		})
		c.compareIDs("parents", parents, 3, func(p store.Page) ([]string, error) {
			got, err := v.Parents(c.ctx, scope, 0, p)
			return chunkIDs(got), err
		})
	})
	if c.Failed() {
		c.Fatalf("in scope %+v for %q", scope, owner)
	}
}

func scopeRandom(c *corpus) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(40, seed))
		c := newBundleTest(c.T, c.open)
		pages := described(r, randomPages(r, 9, 4))
		c.fill(4)
		for i := range pages {
			if owner := owners()[r.IntN(3)]; owner != "" {
				pages[i] = ownedBy(pages[i], owner)
			}
			// One corpus for all: what a former one left is overwritten or hidden.
			pages[i] = renamed(pages[i], fmt.Sprint(seed))
		}
		c.write(func(w store.Writer) {
			for _, b := range pages {
				c.put(w, b, true)
			}
		})
		for range 25 {
			c.checkScope(randomScope(r, pages), "")
		}
		for _, owner := range owners() {
			who := c.as(owner)
			for range 6 {
				who.checkScope(randomScope(r, pages), owner)
			}
		}
		c.write(func(w store.Writer) {
			for _, b := range pages {
				if n, err := w.Delete(c.ctx, b.Document.ID); n != 1 || err != nil {
					c.Fatalf("Delete = %d, %v", n, err)
				}
			}
		})
	}
}

// renamed returns b with other ids, as a page of another corpus.
func renamed(b store.Bundle, name string) store.Bundle {
	owner := b.Document.Owner
	b = ownedBy(b, name)
	return withDocument(b, func(d *store.Document) { d.Owner = owner })
}

func scopeConditions(c *corpus) {
	r := rand.New(rand.NewPCG(41, 42))
	pages := described(r, randomPages(r, 25, 4))
	c.fill(4, pages...)
	zero, two := 0, 2
	for _, scope := range []store.Scope{
		{Tags: []string{"a"}},
		{Tags: []string{"a", "b"}},
		{Tags: []string{"A"}},
		{Meta: []store.MetaFilter{{Key: store.MetaModule, Values: []string{"1"}}}},
		{Meta: []store.MetaFilter{{Key: store.MetaModule, Values: []string{"1", "2"}}}},
		{Meta: []store.MetaFilter{{Key: store.MetaModule, Values: []string{""}}}},
		{Meta: []store.MetaFilter{{Key: store.MetaModule, Values: []string{"1"}}, {Key: "q\"uote", Values: []string{"ü"}}}},
		{Meta: []store.MetaFilter{{Key: store.MetaModule, Values: []string{"1"}}, {Key: store.MetaModule, Values: []string{"2"}}}},
		{Meta: []store.MetaFilter{{Key: "absent", Values: []string{""}}}},
		{Meta: []store.MetaFilter{{Key: "", Values: []string{"1"}}}},
		{SourceTypes: []string{"web"}},
		{SourceTypes: []string{"web", "upload", "text"}},
		{SourceTypes: []string{""}},
		{MaxDepth: &zero},
		{MaxDepth: &two},
		{Headings: []string{"TREES"}},
		{CreatedAfter: someTime(2)},
		{CreatedBefore: someTime(3)},
		{CreatedAfter: someTime(1), CreatedBefore: someTime(4), Tags: []string{"b"}, MaxDepth: &two, Headings: []string{"Trees"}},
	} {
		c.checkScope(scope, "")
	}
}

// scopeEmptyLists: a form that sends an empty list asks for everything.
func scopeEmptyLists(c *corpus) {
	r := rand.New(rand.NewPCG(43, 44))
	c.fill(4, described(r, randomPages(r, 5, 4))...)
	for name, s := range map[string]struct {
		scope store.Scope
		all   bool
	}{
		"nothing":            {store.Scope{}, true},
		"no addresses":       {store.Scope{SourceURLs: []string{}}, true},
		"no documents":       {store.Scope{DocumentIDs: []string{}}, true},
		"none left out":      {store.Scope{ExcludeDocumentIDs: []string{}}, true},
		"no tags":            {store.Scope{Tags: []string{}}, true},
		"no metadata":        {store.Scope{Meta: []store.MetaFilter{}}, true},
		"no metadata values": {store.Scope{Meta: []store.MetaFilter{{Key: store.MetaModule}}}, true},
		"no source types":    {store.Scope{SourceTypes: []string{}}, true},
		"no headings":        {store.Scope{Headings: []string{}}, true},
	} {
		c.checkScope(s.scope, "")
		if got := len(c.want.in(s.scope, "")) == 5; got != s.all {
			c.Errorf("%s: the oracle has everything = %v", name, got)
		}
	}
}

func scopeHeadings(c *corpus) {
	b := page("https://example.org/a",
		[]passage{{"one two ", unit(1, 0, 0, 0)}, {"three ", unit(1, 1, 0, 0)}}, []passage{{"four ", nil}}, []passage{{"gradient six ", unit(0, 1, 0, 0)}})
	headings := []string{"Install", "Use", ""}
	at := -1
	for i := range b.Chunks {
		if b.Chunks[i].Level == store.Parent {
			at++
		}
		b.Chunks[i].SectionHeading = headings[at]
		b.Chunks[i].HeadingPath = []string{"Guide", strings.ToUpper(headings[at])}
	}
	c.fill(4, b, page("https://example.org/b", []passage{{"gradient", unit(0, 0, 1, 0)}}))
	for _, h := range [][]string{{"install"}, {"INSTALL", "use"}, {"guide"}, {"nothing"}, {""}, {"Use", ""}} {
		c.checkScope(store.Scope{Headings: h}, "")
	}
	c.read(func(v store.View) {
		got, err := v.Stats(c.ctx, store.Scope{Headings: []string{"install"}})
		if want := (store.Stats{Documents: 1, Parents: 1, Children: 2, Tokens: 3}); err != nil || got != want {
			c.Errorf("Stats below one heading = %+v, %v, want %+v", got, err, want)
		}
	})
}

func scopeTimes(c *corpus) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	b := withDocument(page("https://example.org/a", []passage{{"a", unit(1, 0, 0, 0)}}), func(d *store.Document) { d.FetchedAt = at })
	never := withDocument(page("https://example.org/b", []passage{{"b", unit(0, 1, 0, 0)}}), func(d *store.Document) { d.FetchedAt = time.Time{} })
	c.fill(4, b, never)
	local := time.FixedZone("elsewhere", 3*3600)
	for _, bound := range []time.Time{at, at.Add(time.Microsecond), at.Add(-time.Microsecond), at.In(local), at.AddDate(-100, 0, 0), at.AddDate(100, 0, 0)} {
		c.checkScope(store.Scope{CreatedAfter: bound}, "")
		c.checkScope(store.Scope{CreatedBefore: bound}, "")
	}
	c.read(func(v store.View) {
		docs, err := v.Documents(c.ctx, store.Scope{CreatedAfter: at.Add(-time.Microsecond), CreatedBefore: at.Add(time.Microsecond)}, store.Page{})
		if err != nil || len(docs) != 1 || !slices.ContainsFunc(docs, func(d store.Document) bool { return d.ID == b.Document.ID }) {
			c.Errorf("around the time: %v, %v", docs, err)
		}
	})
}
