package postgres

import (
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/webragtest"
)

// passages returns all children of a database with the terms of their texts, and
// those of their headings and titles unless an index of texts finds them.
func passages(t *testing.T, v *View) []wordChild {
	t.Helper()
	parents, err := v.Parents(t.Context(), store.Scope{}, 0, store.Page{})
	if err != nil {
		t.Fatal(err)
	}
	children, err := v.Children(t.Context(), chunkIDs(parents), store.FieldText)
	if err != nil || len(children) == 0 {
		t.Fatalf("%d children, %v", len(children), err)
	}
	var terms store.Analyzer
	var out []wordChild
	for _, c := range children {
		c.Terms = strings.Join(terms.Terms(c.ChunkText), " ")
		if v.layout.unindexed {
			terms.Name(&c)
		}
		out = append(out, wordChild{c.ID, c.ParentID, c.DocumentID, [3]string{c.Terms, c.HeadingTerms, c.TitleTerms}})
	}
	return out
}

func foreignSearches(document string) []store.Search {
	one := store.Scope{DocumentIDs: []string{document}}
	run := store.Terms("asks for the address")
	return []store.Search{
		{Terms: []string{"the"}},
		{Terms: store.Terms("database address install")},
		{Terms: store.Terms("page zebra archive"), Scope: one},
		{Terms: store.Terms("the installer asks"), Match: store.MatchAnd},
		{Terms: store.Terms("kite search folder"), Match: store.MatchOr},
		{Terms: run, Match: store.MatchWebsearch, Phrases: [][]string{run}},
		{Terms: store.Terms("install"), Match: store.MatchWebsearch, Excluded: store.Terms("kite")},
		{Terms: []string{}, Match: store.MatchWebsearch, Phrases: [][]string{run}, Scope: one},
		{Terms: []string{"it's", "\x00", "'"}},
		{Terms: store.Terms("kite install"), Fields: store.FieldWeights{Heading: 2, Title: .5}},
		{Terms: store.Terms("kite page"), Fields: store.FieldWeights{Title: 1}, TermWeights: []float64{2, .5}, Match: store.MatchAnd},
	}
}

func TestWordsWithoutAnIndex(t *testing.T) {
	t.Parallel()
	s := open(t, vintage(t, webragtest.Plain), Options{})
	v := view(t, s)
	all := passages(t, v)
	if _, err := v.Search(t.Context(), store.Search{Terms: []string{"page"}, KeywordRows: 10}); err == nil || !strings.Contains(err.Error(), s.Info().Missing[store.CapKeyword]) {
		t.Errorf("a search that was not allowed to read texts gives %v", err)
	}
	hits := 0
	for _, spec := range foreignSearches(all[0].document) {
		spec.KeywordRows, spec.Unindexed = 1000, true
		got, err := v.Search(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		want := wantKeywords(all, spec)
		hits += len(want.Keyword)
		if differs(got, want) != "" || !got.KeywordUnindexed || got.KeywordSampled {
			t.Errorf("%s differs for %+v:\n%+v, want\n%+v", differs(got, want), spec, got, want)
		}
		for _, child := range all[:20] {
			checkForeignPlace(t, v, spec, child, want)
		}
	}
	if hits < 15 {
		t.Errorf("the searches found %d rows: too few to show anything", hits)
	}
}

// checkForeignPlace compares the place of a child with the rows of a search.
func checkForeignPlace(t *testing.T, v *View, spec store.Search, child wordChild, want store.Found) {
	t.Helper()
	p, err := v.Place(t.Context(), spec, child.id)
	if err != nil {
		t.Fatal(err)
	}
	rank := 0
	for i, row := range want.Keyword {
		if row.ID == child.id {
			rank = i + 1
		}
	}
	if p.KeywordRank != rank || rank > 0 && !p.HasKeyword || p.KeywordAtLeast || p.Keyword.Length != child.lengths() {
		t.Errorf("%+v is placed at %d (%+v), want %d", child, p.KeywordRank, p, rank)
	}
}

// Of a large corpus only so many texts are read, in scope, and numbers are of what
// was read.
func TestWordsOfTooManyTexts(t *testing.T) {
	t.Parallel()
	s := open(t, vintage(t, webragtest.Plain), Options{})
	v := view(t, s)
	all := passages(t, v)
	s.keywords.limits.read = 10
	spec := store.Search{Terms: store.Terms("kite database page install"), KeywordRows: 1000, Unindexed: true}
	got, err := v.Search(t.Context(), spec)
	if err != nil || !got.KeywordSampled || !got.KeywordUnindexed || got.KeywordRows > 10 || got.KeywordRows == 0 {
		t.Errorf("of %d texts, %v: %+v", len(all), err, got)
	}
	// A scope smaller than the bound is read as a whole.
	count := map[string]int{}
	for _, child := range all {
		count[child.document]++
	}
	small := ""
	for document, n := range count {
		if n <= 10 {
			small = document
		}
	}
	spec.Scope.DocumentIDs = []string{small}
	var within []wordChild
	for _, child := range all {
		if child.document == small {
			within = append(within, child)
		}
	}
	got, err = v.Search(t.Context(), spec)
	if want := wantKeywords(within, spec); err != nil || !got.KeywordSampled || differs(got, want) != "" {
		t.Errorf("%s of a scope differs, %v: %+v, want %+v", differs(got, want), err, got, want)
	}
}

// A failing keyword search leaves the other arm and the view as they are.
func TestWordsThatFailBesideVectors(t *testing.T) {
	t.Parallel()
	v := view(t, open(t, vintage(t, webragtest.Plain), Options{}))
	vector := make([]float32, webragtest.Dims)
	vector[0] = 1
	spec := store.Search{Vector: vector, VectorRows: 3, Terms: []string{"page"}, KeywordRows: 3}
	got, err := v.Search(t.Context(), spec)
	if err != nil || got.KeywordErr == nil || len(got.Vector) != 3 || got.Keyword != nil {
		t.Errorf("%v: %+v", err, got)
	}
	spec.Unindexed = true
	if got, err = v.Search(t.Context(), spec); err != nil || got.KeywordErr != nil || len(got.Vector) != 3 {
		t.Errorf("%v: %+v", err, got)
	}
}
