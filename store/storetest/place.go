package storetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"time"

	"github.com/webrag/webrag-tui/store"
)

func placeTests() []test {
	return []test{
		{"every chunk, in both arms", placeAll},
		{"exact ties are placed by id", placeTies},
		{"why a chunk is absent", placeAbsent},
		{"the condition that leaves it out", placeConditions},
		{"foreign chunks do not exist", placeOwners},
		{"random corpora, random scopes", placeRandom},
		{"queries that are refused", placeRefused},
		{"by headings and titles", placeFields},
	}
}

func (c *corpus) place(spec store.Search, id string) (p store.Placement) {
	c.Helper()
	c.read(func(v store.View) {
		c.Helper()
		var err error
		if p, err = v.Place(c.ctx, spec, id); err != nil {
			c.Fatalf("Place: %v", err)
		}
	})
	return p
}

// checkPlaces compares the place of each chunk of pages with the oracle.
func (c *corpus) checkPlaces(spec store.Search, owner string, chunks []store.Chunk) {
	c.Helper()
	var nearest []store.VectorRow
	if spec.Vector != nil {
		nearest = c.want.nearest(spec.Vector, spec.Scope, owner)
	}
	matches := c.want.match(spec, owner)
	c.read(func(v store.View) {
		c.Helper()
		for _, ch := range chunks {
			got, err := v.Place(c.ctx, spec, ch.ID)
			if err != nil {
				c.Fatalf("Place: %v", err)
			}
			c.checkPlace(got, spec, ch, owner, nearest, matches)
			if c.Failed() {
				c.Fatalf("chunk %+v\nis placed %+v\nby %+v for %q", ch, got, spec, owner)
			}
		}
	})
}

func (c *corpus) checkPlace(got store.Placement, spec store.Search, ch store.Chunk, owner string, nearest []store.VectorRow, matches store.Found) {
	c.Helper()
	if absence := c.want.absence(ch, spec.Scope, owner); got.Absence != absence || (got.Condition != "") != (absence == store.AbsentScope || absence == store.AbsentFilter) {
		c.Errorf("absent: %q because of %q, want %q", got.Absence, got.Condition, absence)
	}
	if got.Absence == store.AbsentUnknown {
		if got.Chunk.ID != "" || got.HasVector || got.HasKeyword || got.Similarity != 0 || got.Keyword.Length.Sum() != 0 {
			c.Errorf("an unknown chunk is told of")
		}
		return
	}
	bare := ch
	bare.HeadingTerms, bare.TitleTerms = "", ""
	bare.ChunkText, bare.HTMLText, bare.Terms, bare.ImageRefs, bare.Anchors, bare.Embedding = "", "", "", nil, nil, nil
	if !reflect.DeepEqual(got.Chunk, bare) {
		c.Errorf("the chunk is\n%+v, want\n%+v", got.Chunk, bare)
	}
	vectorRank := 1 + slices.IndexFunc(nearest, func(r store.VectorRow) bool { return r.ID == ch.ID })
	if got.HasVector != (ch.Embedding != nil) || got.VectorRank != vectorRank {
		c.Errorf("vector %v at rank %d, want %v at %d", got.HasVector, got.VectorRank, ch.Embedding != nil, vectorRank)
	}
	if ch.Embedding != nil && spec.Vector != nil {
		var s float64
		for i, x := range ch.Embedding {
			s += float64(x) * float64(spec.Vector[i])
		}
		if math.Abs(got.Similarity-s) > scoreTolerance {
			c.Errorf("similarity %v, want %v", got.Similarity, s)
		}
	}
	if spec.Terms == nil {
		return
	}
	if len(got.Terms) != len(matches.Terms) {
		c.Errorf("terms %+v, want %+v", got.Terms, matches.Terms)
	}
	row, isMatch := keywordRow(&matches, ch, spec)
	if !slices.Equal(got.Keyword.TF, row.TF) || got.Keyword.Length != row.Length || math.Abs(got.Keyword.Score-row.Score) > 1e-9 || got.Keyword.ID != ch.ID {
		c.Errorf("keyword row %+v, want %+v", got.Keyword, row)
	}
	rank := 1 + slices.IndexFunc(matches.Keyword, func(r store.KeywordRow) bool { return r.ID == ch.ID })
	if got.HasKeyword != isMatch || got.KeywordRank != rank || got.KeywordAtLeast {
		c.Errorf("keyword match %v at rank %d (at least: %v), want %v at %d", got.HasKeyword, got.KeywordRank, got.KeywordAtLeast, isMatch, rank)
	}
}

// absence says why a chunk cannot be found.
func (o oracle) absence(ch store.Chunk, scope store.Scope, owner string) store.Absence {
	b, ok := o[ch.DocumentID]
	switch d := b.Document; {
	case !ok || owner != "" && d.Owner != owner:
		return store.AbsentUnknown
	case !d.DeletedAt.IsZero():
		return store.AbsentDeleted
	case !inScope(d, store.Scope{SourceURLs: scope.SourceURLs, DocumentIDs: scope.DocumentIDs, ExcludeDocumentIDs: scope.ExcludeDocumentIDs}):
		return store.AbsentScope
	case !inScope(d, scope),
		len(scope.Headings) > 0 && !slices.Contains(chunkIDs(under(b.Chunks, scope.Headings)), ch.ID):
		return store.AbsentFilter
	}
	return store.AbsentNone
}

func placeAll(c *corpus) {
	r := rand.New(rand.NewPCG(90, 91))
	pages := described(r, randomPages(r, 12, 4))
	c.fill(4, pages...)
	var all []store.Chunk
	for _, b := range pages {
		all = append(all, b.Chunks...)
	}
	terms := store.Terms("gradient trees depth gradient")
	for _, spec := range []store.Search{
		{},
		{Vector: randomUnit(r, 4)},
		{Terms: terms},
		{Vector: randomUnit(r, 4), Terms: terms, Match: store.MatchOr},
		{Vector: randomUnit(r, 4), Terms: terms, Match: store.MatchAnd, VectorRows: 1, KeywordRows: 1},
		{Terms: terms, Match: store.MatchWebsearch, Phrases: [][]string{{"gradient", "boost"}}, Excluded: []string{"shrink"}},
		{Terms: []string{"what's this?", "zebra"}},
		{Vector: randomUnit(r, 4), Terms: terms, Scope: store.Scope{Headings: []string{"trees"}}},
	} {
		c.checkPlaces(spec, "", all)
	}
}

func placeTies(c *corpus) {
	var passages []passage
	for range 20 {
		passages = append(passages, passage{"same words", unit(1, 2, 3)})
	}
	b := page("https://example.org/a", passages, passages)
	c.fill(3, b)
	c.checkPlaces(store.Search{Vector: unit(1, 2, 3), Terms: []string{"word"}}, "", b.Chunks)
	c.checkPlaces(store.Search{Vector: unit(3, 1, -2), Terms: []string{"word"}}, "", b.Chunks)
}

func placeAbsent(c *corpus) {
	r := rand.New(rand.NewPCG(92, 93))
	pages := randomPages(r, 6, 4)
	c.fill(4, pages...)
	spec := store.Search{Vector: randomUnit(r, 4), Terms: store.Terms("gradient trees"), Scope: store.Scope{ExcludeDocumentIDs: []string{pages[2].Document.ID}}}
	for _, id := range []string{"", "not an id", ID("nothing"), pages[0].Document.ID} {
		if p := c.place(spec, id); p.Absence != store.AbsentUnknown || p.Chunk.ID != "" || len(p.Terms) != 2 {
			c.Errorf("chunk %q is placed %+v", id, p)
		}
	}
	c.softDelete(pages[1].Document.ID)
	for _, b := range pages {
		c.checkPlaces(spec, "", b.Chunks)
	}
	c.restore(pages[1].Document.ID)
	c.checkPlaces(spec, "", pages[1].Chunks)
	c.remove(pages[1].Document.ID)
	c.checkPlaces(spec, "", pages[1].Chunks)
}

func placeConditions(c *corpus) {
	b := withDocument(page("https://example.org/a", []passage{{"zebra", unit(1, 0)}}), func(d *store.Document) {
		d.Depth, d.Tags, d.Metadata = 2, []string{"t"}, map[string]string{"k": "v"}
	})
	b.Chunks[0].SectionHeading, b.Chunks[1].SectionHeading = "H", "H"
	c.fill(2, b)
	one := 1
	for _, x := range []struct {
		scope     store.Scope
		absence   store.Absence
		condition string
	}{
		{store.Scope{}, store.AbsentNone, ""},
		{store.Scope{SourceURLs: []string{"x"}, Tags: []string{"x"}}, store.AbsentScope, store.ConditionSourceURL},
		{store.Scope{DocumentIDs: []string{}}, store.AbsentNone, ""},
		{store.Scope{ExcludeDocumentIDs: []string{b.Document.ID}}, store.AbsentScope, store.ConditionExcluded},
		{store.Scope{Tags: []string{"x"}}, store.AbsentFilter, "tag"},
		{store.Scope{Meta: []store.MetaFilter{{Key: "k", Values: []string{"v"}}, {Key: "j", Values: []string{"v"}}}}, store.AbsentFilter, "metadata j"},
		{store.Scope{SourceTypes: []string{"upload"}}, store.AbsentFilter, store.ConditionSourceType},
		{store.Scope{CreatedAfter: b.Document.FetchedAt}, store.AbsentFilter, store.ConditionCreated},
		{store.Scope{CreatedBefore: b.Document.FetchedAt.Add(-time.Hour)}, store.AbsentFilter, store.ConditionCreated},
		{store.Scope{MaxDepth: &one}, store.AbsentFilter, store.ConditionMaxDepth},
		{store.Scope{Headings: []string{"x"}}, store.AbsentFilter, store.ConditionHeading},
	} {
		p := c.place(store.Search{Vector: unit(1, 0), Terms: []string{"zebra"}, Scope: x.scope}, b.Chunks[1].ID)
		if p.Absence != x.absence || p.Condition != x.condition {
			c.Errorf("in %+v: %q because of %q, want %q, %q", x.scope, p.Absence, p.Condition, x.absence, x.condition)
		}
		if p.Similarity != 1 || p.Keyword.Score <= 0 || (p.VectorRank == 1) != (x.absence == "") || (p.KeywordRank == 1) != (x.absence == "") {
			c.Errorf("in %+v: %+v", x.scope, p)
		}
	}
}

func placeOwners(c *corpus) {
	r := rand.New(rand.NewPCG(94, 95))
	pages := c.fillOwned(r)
	spec := store.Search{Vector: randomUnit(r, 4), Terms: store.Terms("gradient trees")}
	for _, owner := range owners() {
		for _, b := range pages {
			c.as(owner).checkPlaces(spec, owner, b.Chunks)
		}
	}
	// Nor does a deleted one of others exist.
	c.softDelete(pages[1].Document.ID, pages[2].Document.ID)
	for _, owner := range owners() {
		for _, b := range pages[:3] {
			c.as(owner).checkPlaces(spec, owner, b.Chunks)
		}
	}
}

func placeRandom(c *corpus) {
	r := rand.New(rand.NewPCG(96, 97))
	pages := described(r, randomPages(r, 10, 4))
	for i := range pages {
		if owner := owners()[r.IntN(3)]; owner != "" {
			pages[i] = ownedBy(pages[i], owner)
		}
	}
	c.fill(4, pages...)
	var all []store.Chunk
	for _, b := range pages {
		all = append(all, b.Chunks...)
	}
	for range 30 {
		owner := owners()[r.IntN(4)]
		spec := store.Search{Scope: randomScope(r, pages), Vector: randomUnit(r, 4), Terms: store.Terms(fmt.Sprint(pick(r, "gradient", "depth", "zebra"), " ", pick(r, "trees", "steps")))}
		spec.Match = store.Match(pick(r, string(store.MatchOr), string(store.MatchAnd)))
		c.as(owner).checkPlaces(spec, owner, all)
	}
}

func placeRefused(c *corpus) {
	b := page("https://example.org/a", []passage{{"trees", unit(1, 2)}})
	c.fill(2, b)
	c.read(func(v store.View) {
		for name, q := range noDirections() {
			if p, err := v.Place(c.ctx, store.Search{Vector: q}, b.Chunks[1].ID); err == nil {
				c.Errorf("by a query that is %s it is placed %+v", name, p)
			}
		}
		if p, err := v.Place(c.ctx, store.Search{Vector: unit(1, 2, 3)}, b.Chunks[1].ID); err == nil {
			c.Errorf("by a query of another dimension it is placed %+v", p)
		}
	})
}
