package storetest

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/store"
)

func keywordTests() []test {
	return []test{
		{"modes", keywordModes},
		{"scopes", keywordScopes},
		{"any input is text", rawInput},
		{"limits are prefixes", keywordLimits},
		{"shares add up to the score", keywordShares},
		{"replaced and deleted texts are not found", keywordAfterWrites},
		{"phrases and exclusions", websearch},
		{"a page of runs", websearchRuns},
		{"both arms at once", bothArms},
		{"headings and titles", keywordFields},
		{"a field of weight 0 is not searched", keywordUnsearched},
		{"names that change", keywordRenamed},
		{"any sequence of writes", keywordWrites},
	}
}

func keywordModes(c *corpus) {
	r := rand.New(rand.NewPCG(6, 7))
	c.fill(4, randomPages(r, 30, 4)...)
	for _, query := range []string{
		"boosting", "max_depth", "gradient boosting trees", "gradient gradient trees", "no such words here",
		"learning_rate zebra", "zebra", "stages; each, tree!",
	} {
		terms := store.Terms(query)
		c.checkKeyword(terms, store.MatchAuto, store.Scope{})
		c.checkKeyword(terms, store.MatchOr, store.Scope{})
		c.checkKeyword(terms, store.MatchAnd, store.Scope{})
	}
}

func keywordScopes(c *corpus) {
	r := rand.New(rand.NewPCG(8, 9))
	pages := randomPages(r, 25, 4)
	c.fill(4, pages...)
	for _, scope := range c.someScopes(r, pages) {
		c.checkKeyword(store.Terms("gradient trees depth"), store.MatchAuto, scope)
		c.checkKeyword(store.Terms("gradient trees"), store.MatchAnd, scope)
	}
}

// checkKeyword compares a keyword search with the oracle.
func (c *corpus) checkKeyword(terms []string, match store.Match, scope store.Scope) {
	c.Helper()
	found := c.search(store.Search{Scope: scope, Terms: terms, KeywordRows: 1000, Match: match})
	if terms == nil {
		if found.Keyword != nil || found.Terms != nil {
			c.Fatalf("a search without terms found %+v", found)
		}
		return
	}
	c.compareKeywords(found, c.want.keyword(terms, match == store.MatchAnd, scope, ""))
}

func (c *corpus) compareKeywords(found, want store.Found) {
	c.Helper()
	if found.KeywordRows != want.KeywordRows || !sameLengths(found.AvgLength, want.AvgLength) || found.Fields != want.Fields {
		c.Fatalf("%d rows of mean length %v by %v, want %d of %v by %v", found.KeywordRows, found.AvgLength, found.Fields, want.KeywordRows, want.AvgLength, want.Fields)
	}
	if len(found.Terms) != len(want.Terms) {
		c.Fatalf("%d terms, want %d", len(found.Terms), len(want.Terms))
	}
	for i, got := range found.Terms {
		if got.Term != want.Terms[i].Term || got.DF != want.Terms[i].DF || got.Weight != want.Terms[i].Weight {
			c.Fatalf("term %d is %+v, want %+v", i, got, want.Terms[i])
		}
	}
	if found.KeywordErr != nil || found.KeywordMatches != len(want.Keyword) {
		c.Fatalf("%d matches, %v, want %d", found.KeywordMatches, found.KeywordErr, len(want.Keyword))
	}
	if len(found.Keyword) != len(want.Keyword) || found.KeywordReturned != len(want.Keyword) {
		c.Fatalf("%d rows, KeywordReturned = %d, want %d", len(found.Keyword), found.KeywordReturned, len(want.Keyword))
	}
	for i, got := range found.Keyword {
		w := want.Keyword[i]
		if math.Abs(got.Score-w.Score) > 1e-9 {
			c.Fatalf("row %d scores %v, want %v", i, got.Score, w.Score)
		}
		if got.ID != w.ID && got.Score != w.Score {
			continue // sums in another order can differ in the last bit
		}
		if got.ID != w.ID || got.ParentID != w.ParentID || got.DocumentID != w.DocumentID || got.Length != w.Length || !slices.Equal(got.TF, w.TF) {
			c.Fatalf("row %d is %+v, want %+v", i, got, w)
		}
	}
}

func sameLengths(a, b store.FieldLengths) bool {
	return max(math.Abs(a.Body-b.Body), math.Abs(a.Heading-b.Heading), math.Abs(a.Title-b.Title)) <= 1e-9
}

// rawInput asks what would be an error, or an operator, in the query languages
// of databases.
func rawInput(c *corpus) {
	c.fill(2, page("https://example.org/a",
		[]passage{{`what's this? use "max_depth" AND near`, unit(1, 0)}, {"a NOT b, x.y end. C:path", unit(0, 1)}}))
	raw := []string{
		"what's this?", "What is max_depth?", `"`, `""`, `"unbalanced`, "AND", "OR", "NOT", "NEAR", "near(a b)", "NEAR(tree leaf, 5)",
		"a AND", "a,b", "it's", "x.y", "end.", "C:path", "max-depth", "-tree", "^tree", "tree*", "terms:tree", "{a b}", "()", "(a",
		"", " ", "\x00", "a\x00b", "\xff", "';DROP TABLE chunks;--", "?", "?1", ":x", "@x", "$1", "%", "_", "\\", "日本語", "🙂", "e\u0301",
	}
	for _, text := range raw {
		// The words themselves, and what a careless caller would hand over.
		for _, terms := range [][]string{store.Terms(text), {text}} {
			for _, match := range []store.Match{store.MatchAuto, store.MatchAnd, store.MatchOr, ""} {
				c.checkKeyword(terms, match, store.Scope{})
				c.checkKeyword(append(slices.Clone(terms), "max_depth"), match, store.Scope{})
			}
			for _, spec := range []store.Search{
				{Terms: terms},
				{Terms: terms, Phrases: [][]string{terms}},
				{Terms: []string{"max_depth"}, Phrases: [][]string{{text, "max_depth"}}},
				{Terms: []string{"max_depth"}, Excluded: []string{text}},
				{Terms: []string{"max_depth"}, Excluded: terms},
				{Phrases: [][]string{terms}, Terms: []string{}},
			} {
				c.checkWebsearch(spec)
			}
		}
	}
	many := make([]string, 600)
	for i := range many {
		many[i] = "w" + ID(string(rune(i)))[:6]
	}
	c.checkKeyword(append(many, "max_depth"), store.MatchOr, store.Scope{})
	c.checkKeyword(append(many, "max_depth"), store.MatchAuto, store.Scope{})
	c.checkKeyword(append(many, "max_depth"), store.MatchAnd, store.Scope{})
}

// checkWebsearch compares a web search with the oracle.
func (c *corpus) checkWebsearch(spec store.Search) {
	c.Helper()
	spec.Match, spec.KeywordRows = store.MatchWebsearch, 1000
	if spec.Terms == nil {
		spec.Terms = []string{}
	}
	found, want := c.search(spec), c.want.match(spec, "")
	if len(found.Keyword) != len(want.Keyword) {
		c.Fatalf("%d rows, want %d: %+v", len(found.Keyword), len(want.Keyword), spec)
	}
	c.compareKeywords(found, want)
}

func websearch(c *corpus) {
	r := rand.New(rand.NewPCG(80, 81))
	pages := randomPages(r, 30, 4)
	c.fill(4, pages...)
	for _, text := range []string{
		"trees", `"gradient boosting"`, `"boosting gradient"`, `"each tree"`, `tree "max_depth limits"`, "trees -depth", `gradient -"learning_rate shrinks"`,
		`"stages max_depth" -tree -zebra`, `"gradient boosting builds"`, `gradient zebra`, `"zebra tree"`, "-tree", `"tree tree"`, `-max_depth steps`, `"depth" -max_depth`,
	} {
		for _, scope := range append(c.someScopes(r, pages)[:4], store.Scope{}) {
			terms, phrases, excluded := store.Websearch(text)
			c.checkWebsearch(store.Search{Terms: terms, Phrases: phrases, Excluded: excluded, Scope: scope})
		}
	}
}

// websearchRuns holds phrases to the terms exactly: no part of one, no run across
// the end.
func websearchRuns(c *corpus) {
	var passages []passage
	for _, text := range []string{"a1 b1 c1", "a1 c1 b1", "xa1 b1", "a1 b1x c1", "b1 c1 a1 b1", "a1 b1", "b1 a1", "a1 a1 b1 b1", "a1 b", "a1_b1"} {
		passages = append(passages, passage{text, nil})
	}
	c.fill(2, page("https://example.org/a", passages))
	for _, run := range []string{"a1 b1", "b1 c1", "a1 b1 c1", "b1 a1", "a1 a1", "b1 b1", "c1 a1 b1", "a1_b1 a1 b1", "b1"} {
		words := strings.Fields(run)
		c.checkWebsearch(store.Search{Terms: words, Phrases: [][]string{words}})
		c.checkWebsearch(store.Search{Terms: []string{"a1"}, Phrases: [][]string{words}})
		c.checkWebsearch(store.Search{Terms: []string{"a1"}, Excluded: []string{run}})
		c.checkWebsearch(store.Search{Terms: words, Excluded: words[:1]})
		c.checkWebsearch(store.Search{Terms: []string{"a1", "b1"}, Phrases: [][]string{{"a1", "b1"}}, Excluded: []string{run, "zebra"}})
	}
	// Other matches have no phrases and exclude nothing.
	got := c.search(store.Search{Terms: []string{"a1"}, Phrases: [][]string{{"b1", "c1"}}, Excluded: []string{"a1"}, KeywordRows: 100})
	c.compareKeywords(got, c.want.keyword([]string{"a1"}, false, store.Scope{}, ""))
}

func keywordLimits(c *corpus) {
	r := rand.New(rand.NewPCG(10, 11))
	c.fill(4, randomPages(r, 30, 4)...)
	terms := store.Terms("gradient boosting")
	all := c.search(store.Search{Terms: terms, KeywordRows: 1000}).Keyword
	for _, k := range []int{0, 1, 5, len(all), len(all) + 1} {
		got := c.search(store.Search{Terms: terms, KeywordRows: k}).Keyword
		if !slices.EqualFunc(got, all[:min(k, len(all))], func(a, b store.KeywordRow) bool { return a.ID == b.ID }) {
			c.Errorf("a limit of %d does not return the first %d rows", k, k)
		}
	}
}

func keywordShares(c *corpus) {
	r := rand.New(rand.NewPCG(12, 13))
	c.fill(4, randomPages(r, 10, 4)...)
	found := c.search(store.Search{Terms: store.Terms("gradient boosting gradient zebra"), KeywordRows: 100})
	for _, row := range found.Keyword {
		var sum float64
		for _, s := range found.Shares(row) {
			sum += s
		}
		if sum != row.Score {
			c.Errorf("the shares of %s add up to %v, its score is %v", row.ID, sum, row.Score)
		}
	}
}

func keywordAfterWrites(c *corpus) {
	const url = "https://example.org/a"
	c.fill(2, page(url, []passage{{"old zebra", unit(1, 0)}, {"stays", unit(0, 1)}}), page("https://example.org/b", []passage{{"zebra too", nil}}))
	c.checkKeyword([]string{"zebra"}, store.MatchAuto, store.Scope{})
	c.write(func(w store.Writer) {
		c.put(w, page(url, []passage{{"new giraffe", unit(1, 0)}, {"stays", unit(0, 1)}}), true)
	})
	for _, t := range []string{"old", "zebra", "giraff", "stay"} {
		c.checkKeyword([]string{t}, store.MatchAuto, store.Scope{})
	}
	c.remove(ID(url))
	for _, t := range []string{"zebra", "giraff", "stay"} {
		c.checkKeyword([]string{t}, store.MatchAuto, store.Scope{})
	}
}

// remove deletes documents in the store and in the oracle.
func (c *corpus) remove(ids ...string) {
	c.Helper()
	c.write(func(w store.Writer) {
		n, err := w.Delete(c.ctx, ids...)
		if err != nil || n != len(ids) {
			c.Fatalf("Delete = %d, %v, want %d", n, err, len(ids))
		}
	})
	for _, id := range ids {
		delete(c.want, id)
	}
}

func bothArms(c *corpus) {
	r := rand.New(rand.NewPCG(14, 15))
	c.fill(4, randomPages(r, 10, 4)...)
	q, terms := randomUnit(r, 4), store.Terms("boosting trees")
	found := c.search(store.Search{Vector: q, VectorRows: 7, Terms: terms, KeywordRows: 1000})
	c.compareVectors(found, c.want.nearest(q, store.Scope{}, ""), 7)
	c.compareKeywords(found, c.want.keyword(terms, false, store.Scope{}, ""))
}
