package sqlite

import (
	"testing"

	"github.com/webrag/webrag-tui/store"
)

// All matches are counted, in scope, however few are returned.
func TestMatchesAreCounted(t *testing.T) {
	t.Parallel()
	b := testPage("alpha", 1, 50)
	s := newTest(t, b, testPage("beta", 2, 15), testPage("gamma", 1, 3))
	v := readTest(t, s)
	alone := store.Scope{DocumentIDs: []string{b.Document.ID}}
	for _, c := range []struct {
		spec    store.Search
		matches int
	}{
		{store.Search{Terms: []string{"gen1"}}, 53},
		{store.Search{Terms: []string{"gen1", "gen1"}}, 53},
		{store.Search{Terms: []string{"gen1", "gen2"}}, 68},
		{store.Search{Terms: []string{"gen1", "gen2"}, Match: store.MatchOr}, 68},
		{store.Search{Terms: []string{"gen1"}, Scope: alone}, 50},
		{store.Search{Terms: []string{"gen1", "gen2"}, Scope: alone}, 50},
		{store.Search{Terms: []string{"gen1", "alpha"}, Match: store.MatchAnd}, 50},
		{store.Search{Terms: []string{"gen1"}, Match: store.MatchWebsearch, Excluded: []string{"child7"}}, 52},
		{store.Search{Terms: []string{"gen1"}, Match: store.MatchWebsearch, Phrases: [][]string{{"alpha", "child7"}}}, 1},
	} {
		c.spec.KeywordRows = 5
		found, err := v.Search(t.Context(), c.spec)
		if err != nil || found.KeywordMatches != c.matches || found.KeywordSampled || len(found.Keyword) != min(5, c.matches) {
			t.Errorf("%+v: %d rows of %d, sampled %v, %v, want %d", c.spec, len(found.Keyword), found.KeywordMatches, found.KeywordSampled, err, c.matches)
		}
	}
}

// A place is exact, however many match.
func TestPlaceAmongManyMatches(t *testing.T) {
	t.Parallel()
	b := testPage("alpha", 1, 50)
	// One child says it more often than all others.
	b.Chunks[61].Terms = "gen1 gen1 gen1"
	s := newTest(t, b, testPage("beta", 2, 5))
	spec := store.Search{Terms: []string{"gen1"}, KeywordRows: 100}
	found, err := readTest(t, s).Search(t.Context(), spec)
	if err != nil || len(found.Keyword) != 50 || found.Keyword[0].ID != b.Chunks[61].ID {
		t.Fatalf("%d rows, %v, want 50", len(found.Keyword), err)
	}
	for i, row := range found.Keyword {
		spec.KeywordRows = 1
		p, err := readTest(t, s).Place(t.Context(), spec, row.ID)
		if err != nil || p.KeywordRank != 1+i || p.KeywordAtLeast || p.Keyword.Score != row.Score {
			t.Errorf("row %d is placed %+v, %v", i, p, err)
		}
	}
}

// The best rows of others do not take the places of those that may be seen.
func TestHiddenRowsTakeNoPlaces(t *testing.T) {
	t.Parallel()
	s := newTest(t)
	bob := openTest(t, s.path, Options{Owner: "bob"})
	putTest(t, bob, ownedTest(testPage("hidden", 1, 30), "bob"))
	putTest(t, s, testPage("nobody's", 1, 20))
	alice := openTest(t, s.path, Options{Owner: "alice"})
	putTest(t, alice, ownedTest(testPage("alpha", 1, 10), "alice"))
	found, err := readTest(t, alice).Search(t.Context(), store.Search{Terms: []string{"gen1"}, KeywordRows: 8})
	if err != nil || len(found.Keyword) != 8 || found.KeywordMatches != 10 || found.KeywordRows != 10 || found.Terms[0].DF != 10 {
		t.Errorf("%d of %d rows, %+v, %v", len(found.Keyword), found.KeywordRows, found.Terms, err)
	}
}
