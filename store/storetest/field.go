package storetest

import (
	"math/rand/v2"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/store"
)

// named gives pages titles and their sections headings, with some of the words of
// randomPages; some have none, and some passages nothing else.
func named(r *rand.Rand, pages []store.Bundle) []store.Bundle {
	var terms store.Analyzer
	some := func() string {
		words := make([]string, 1+r.IntN(4))
		for i := range words {
			words[i] = pick(r, "gradient", "boosting", "trees", "max_depth", "Guide", "Limits of", "steps")
		}
		return strings.Join(words, " ")
	}
	for i := range pages {
		pages[i] = withDocument(pages[i], func(d *store.Document) { d.Title = pick(r, "", some(), some()) })
		path := map[string][]string{}
		for j := range pages[i].Chunks {
			c := &pages[i].Chunks[j]
			if c.Level == store.Parent {
				path[c.ID] = [][]string{nil, {some()}, {some(), some()}}[r.IntN(3)]
				c.HeadingPath = path[c.ID]
				continue
			}
			c.HeadingPath = path[c.ParentID]
			terms.Name(c)
			if r.IntN(12) == 0 {
				c.ChunkText, c.Terms = "-", ""
			}
		}
	}
	return pages
}

// fieldSearches are searches of several fields with weights of their own.
func fieldSearches() []store.Search {
	both := store.FieldWeights{Heading: 2, Title: .5}
	return []store.Search{
		{Terms: []string{"gradient"}, Fields: both},
		{Terms: []string{"guid", "limit"}, Fields: both},
		{Terms: []string{"guid", "tree", "step"}, Fields: store.FieldWeights{Title: 3}, TermWeights: []float64{.5, 1, 3}},
		{Terms: []string{"guid", "tree", "max_depth"}, Fields: store.FieldWeights{Heading: 1}, Match: store.MatchOr},
		{Terms: []string{"guid", "tree"}, Fields: both, Match: store.MatchAnd},
		{Terms: []string{"tree", "gradient", "zebra", "guid"}, TermWeights: []float64{2, 1, 1, 1}},
		{Terms: []string{"gradient", "boost"}, Phrases: [][]string{{"gradient", "boost"}}, Fields: both, Match: store.MatchWebsearch},
		{Terms: []string{"guid"}, Excluded: []string{"tree", "max_depth max"}, Fields: both, Match: store.MatchWebsearch},
		{Terms: []string{"tree"}, Excluded: []string{"guid"}, Fields: store.FieldWeights{Heading: 1}, Match: store.MatchWebsearch},
	}
}

func keywordFields(c *corpus) {
	r := rand.New(rand.NewPCG(200, 201))
	pages := described(r, named(r, randomPages(r, 30, 4)))
	c.fill(4, pages...)
	hits := 0
	for _, spec := range fieldSearches() {
		for _, scope := range append(c.someScopes(r, pages)[:3], store.Scope{}) {
			spec.Scope, spec.KeywordRows = scope, 1000
			found := c.search(spec)
			c.compareKeywords(found, c.want.match(spec, ""))
			hits += len(found.Keyword)
		}
	}
	if hits < 200 {
		c.Errorf("the searches found %d rows: too few to show anything", hits)
	}
	c.read(func(v store.View) {
		for _, b := range pages {
			for _, want := range b.Chunks {
				got, err := v.Chunks(c.ctx, []string{want.ID}, store.FieldTerms)
				if err != nil || len(got) != 1 || got[0].Terms != want.Terms || got[0].HeadingTerms != want.HeadingTerms || got[0].TitleTerms != want.TitleTerms {
					c.Fatalf("the terms of %+v are read as %+v, %v", want, got, err)
				}
			}
		}
	})
}

func keywordUnsearched(c *corpus) {
	b := page("https://example.org/a", []passage{{"tree", unit(1, 0)}, {"leaf", unit(0, 1)}}, []passage{{"-", nil}})
	b.Chunks[1].HeadingTerms, b.Chunks[2].HeadingTerms, b.Chunks[2].TitleTerms = "root", "tree root", "leaf crown"
	b.Chunks[4].TitleTerms = "crown"
	c.fill(2, b)
	for _, fields := range []store.FieldWeights{{}, {Heading: 1}, {Title: 1}, {Heading: 1, Title: 1}} {
		for _, term := range []string{"tree", "leaf", "root", "crown"} {
			for _, match := range []store.Match{store.MatchAuto, store.MatchOr, store.MatchAnd, store.MatchWebsearch} {
				spec := store.Search{Terms: []string{term}, Fields: fields, Match: match, KeywordRows: 10}
				c.compareKeywords(c.search(spec), c.want.match(spec, ""))
			}
		}
	}
	if got := c.search(store.Search{Terms: []string{"crown"}, KeywordRows: 10}); len(got.Keyword) != 0 || got.Terms[0].DF != 2 {
		c.Errorf("titles are found though they are not searched: %+v", got)
	}
}

// keywordRenamed changes what children are called, and nothing else.
func keywordRenamed(c *corpus) {
	b := page("https://example.org/a", []passage{{"tree", unit(1, 0)}, {"leaf", unit(0, 1)}})
	b.Document.DerivedHash = ""
	for i := range b.Chunks[1:] {
		b.Chunks[1+i].HeadingTerms, b.Chunks[1+i].TitleTerms = "old heading", "old title"
	}
	c.fill(2, b)
	again := func(change func(c *store.Chunk), wantChanged bool) {
		b = withChunk(b, 1, change)
		c.write(func(w store.Writer) { c.put(w, b, wantChanged) })
		for _, term := range []string{"old", "new", "head", "heading", "titl", "title", "tree", "leaf"} {
			spec := store.Search{Terms: []string{term}, Fields: store.FieldWeights{Heading: 1, Title: 1}, KeywordRows: 10}
			c.compareKeywords(c.search(spec), c.want.match(spec, ""))
		}
	}
	again(func(*store.Chunk) {}, false)
	again(func(x *store.Chunk) { x.HeadingTerms = "new heading" }, true)
	again(func(x *store.Chunk) { x.TitleTerms = "" }, true)
	again(func(*store.Chunk) {}, false)
	again(func(x *store.Chunk) { x.HeadingTerms, x.Terms = "", "" }, true)
}

func placeFields(c *corpus) {
	r := rand.New(rand.NewPCG(202, 203))
	pages := named(r, randomPages(r, 12, 4))
	c.fill(4, pages...)
	var all []store.Chunk
	for _, b := range pages {
		all = append(all, b.Chunks...)
	}
	for _, spec := range fieldSearches() {
		c.checkPlaces(spec, "", all)
	}
}

// keywordWrites searches after each of many writes of all kinds, through a store that
// stays open and through one that has just been opened.
func keywordWrites(c *corpus) {
	r := rand.New(rand.NewPCG(204, 205))
	names := strings.Fields("a b c d e f g h")
	c.fill(4)
	for round := range 60 {
		name := pick(r, names...)
		id := ID("https://example.org/" + name)
		b, exists := c.want[id]
		switch deleted := exists && !b.Document.DeletedAt.IsZero(); {
		case !exists, r.IntN(3) > 0:
			made := named(r, randomPages(r, 1, 4))[0]
			b = moved(made, "https://example.org/"+name, round)
			if r.IntN(4) == 0 {
				b.Document.DeletedAt = time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
			}
			c.write(func(w store.Writer) {
				if _, err := w.Put(c.ctx, b); err != nil {
					c.Fatalf("Put: %v", err)
				}
			})
			c.want[id] = b
		case deleted:
			c.restore(id)
		case r.IntN(2) == 0:
			c.softDelete(id)
		default:
			c.remove(id)
		}
		spec := fieldSearches()[r.IntN(len(fieldSearches()))]
		spec.KeywordRows = 1000
		c.compareKeywords(c.search(spec), c.want.match(spec, ""))
		if round%10 == 9 {
			c.as("").compareKeywords(c.as("").search(spec), c.want.match(spec, ""))
			for _, b := range c.want {
				c.checkPlaces(spec, "", b.Chunks)
			}
		}
	}
}

// moved returns a page at another address. Its chunks keep their ids from round to
// round, so that a write changes what is in some, adds some and removes some.
func moved(b store.Bundle, url string, round int) store.Bundle {
	b = withDocument(b, func(d *store.Document) {
		d.ID, d.URL, d.SourceURL, d.CurrentIngestionID = ID(url), url, url, ID(url+string(rune('a'+round)))
	})
	ids := map[string]string{}
	for i := range b.Chunks {
		c := &b.Chunks[i]
		ids[c.ID] = ID(url + string(rune('a'+i)))
		c.ID, c.DocumentID = ids[c.ID], b.Document.ID
		c.ParentID = ids[c.ParentID]
	}
	return b
}
