package sqlite

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/store"
)

// The kernels agree with the exact sum for every length, also those that no
// unrolled loop divides.
func TestKernelsAgree(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	for n := 1; n < 300; n++ {
		a, b := make([]float32, n), make([]float32, n)
		for i := range a {
			a[i], b[i] = float32(r.NormFloat64()), float32(r.NormFloat64())
		}
		normalise(a)
		normalise(b)
		want := dotExact(a, b)
		for name, dot := range map[string]func(a, b []float32) float32{"plain": dotGo, "fast": kernel()} {
			if got := float64(dot(a, b)); math.Abs(got-want) > 1e-5 {
				t.Errorf("%s, %d dimensions: %v, want %v", name, n, got, want)
			}
		}
	}
}

func FuzzDecodeVector(f *testing.F) {
	f.Add([]byte{0, 0, 128, 63, 0, 0, 0, 0})
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, b []byte) {
		v := make([]float32, len(b)/4)
		err := decodeVector(v, b)
		if (err == nil) != (len(b)%4 == 0) {
			t.Fatalf("%d bytes: %v", len(b), err)
		}
		if err == nil && !slices.Equal(encodeVector(v), b) {
			t.Error("the bytes do not come back")
		}
	})
}

// The heap keeps what sorting everything would put first.
func TestTopRows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		limit := rapid.IntRange(1, 20).Draw(rt, "limit")
		similarities := rapid.SliceOfN(rapid.IntRange(0, 5), 0, 60).Draw(rt, "similarities")
		top := newTopRows(limit)
		var all []hit
		for i, s := range similarities {
			d := &document{part: &part{rows: []row{{id: uuid.NewSHA1(uuid.NameSpaceURL, []byte{byte(i)})}}}}
			h := hit{ref{d, 0}, float32(s)}
			all = append(all, h)
			if h.similarity >= top.floor {
				top.add(h)
			}
		}
		order := func(a, b hit) int {
			return cmp.Or(cmp.Compare(b.similarity, a.similarity), a.compareID(b.ref))
		}
		slices.SortFunc(all, order)
		slices.SortFunc(top.hits, order)
		if want := all[:min(limit, len(all))]; !slices.Equal(top.hits, want) {
			rt.Fatalf("kept %v, want %v", top.hits, want)
		}
	})
}

// An index finds what was added and lives, however often it was added to.
func TestIndex(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var x index
		type pair struct {
			key    uint64
			number int32
		}
		live := make(map[pair]bool)
		var numbers int32
		for range rapid.IntRange(1, 30).Draw(rt, "rounds") {
			var added []entry
			for range rapid.IntRange(0, 9).Draw(rt, "added") {
				key := rapid.Uint64Range(0, 20).Draw(rt, "key")
				added = append(added, entry{key, place{number: numbers}})
				live[pair{key, numbers}] = true
				numbers++
			}
			for p := range live {
				if p.number%5 == int32(len(added)) {
					delete(live, p)
				}
			}
			isLive := func(number int32) bool {
				for p := range live {
					if p.number == number {
						return true
					}
				}
				return false
			}
			x = x.with(added, isLive)
		}
		for key := range uint64(21) {
			found := make(map[int32]bool)
			x.find(key, func(p place) bool {
				found[p.number] = true
				return false
			})
			for p := range live {
				if p.key == key && !found[p.number] {
					rt.Fatalf("key %d: %d is not found", key, p.number)
				}
			}
			stop := 0
			x.find(key, func(place) bool { stop++; return true })
			if len(found) > 0 && stop != 1 {
				rt.Fatalf("find went on after true")
			}
		}
	})
}

// A scope is applied inside the search in every form that it takes: rows read
// without the index, a map, and a list where the row numbers are spread widely.
func TestRowFilterForms(t *testing.T) {
	t.Parallel()
	b := testPage("a", 1, 30)
	s := newTest(t, testPage("0", 1, 10), b, testPage("b", 1, 30))
	spec := store.Search{Terms: []string{"gen1", "child7"}, KeywordRows: 50, Scope: store.Scope{DocumentIDs: []string{b.Document.ID}}}
	want, err := readTest(t, s).Search(t.Context(), spec)
	if err != nil || len(want.Keyword) != 30 {
		t.Fatalf("%d rows, %v, want 30", len(want.Keyword), err)
	}
	for name, limits := range map[string]keywordLimits{
		"map":            {matches: 1000, sampled: 1000, ranked: 29, span: 1000},
		"list":           {matches: 1000, sampled: 1000, ranked: 29, span: 1},
		"sample by map":  {matches: 1, sampled: 29, ranked: 29, span: 1000},
		"sample by list": {matches: 1, sampled: 29, ranked: 29, span: 1},
	} {
		s.limits = limits
		spec, sampled := spec, limits.matches == 1
		if sampled {
			spec.Terms = spec.Terms[:1]
		}
		got, err := readTest(t, s).Search(t.Context(), spec)
		if err != nil || len(got.Keyword) != 29 || got.KeywordSampled != sampled {
			t.Fatalf("%s: %d rows, sampled %v, %v, want 29", name, len(got.Keyword), got.KeywordSampled, err)
		}
		for i, row := range got.Keyword {
			if row.DocumentID != b.Document.ID || i == 0 && !sampled && row.ID != want.Keyword[0].ID {
				t.Errorf("%s: row %d is %+v", name, i, row)
			}
		}
	}
}

// A single term with more matches than may be ranked is sampled, and the search
// says so.
func TestCommonTermIsSampled(t *testing.T) {
	t.Parallel()
	s := newTest(t, testPage("alpha", 1, 50), testPage("beta", 2, 5))
	s.limits = keywordLimits{matches: 20, sampled: 10, ranked: 8, span: 1000}
	v := readTest(t, s)
	for _, c := range []struct {
		terms   []string
		match   store.Match
		rows    int
		matches int
		sampled bool
	}{
		{[]string{"gen1"}, store.MatchAuto, 8, 50, true},
		{[]string{"gen1", "alpha"}, store.MatchAnd, 8, 10, true},
		{[]string{"gen1", "gen2"}, store.MatchAuto, 5, 5, false},
		{[]string{"gen1", "child3"}, store.MatchAuto, 2, 2, false},
		{[]string{"gen1", "gen2"}, store.MatchOr, 8, 55, false},
	} {
		found, err := v.Search(t.Context(), store.Search{Terms: c.terms, KeywordRows: 100, Match: c.match})
		if err != nil || len(found.Keyword) != c.rows || found.KeywordSampled != c.sampled || found.KeywordMatches != c.matches {
			t.Errorf("%v, %s: %d rows of %d, sampled %v, %v, want %d of %d, %v", c.terms, c.match,
				len(found.Keyword), found.KeywordMatches, found.KeywordSampled, err, c.rows, c.matches, c.sampled)
		}
	}
}

// What is ranked only in part is counted in full, in scope.
func TestMatchesAreCounted(t *testing.T) {
	t.Parallel()
	b := testPage("alpha", 1, 50)
	s := newTest(t, b, testPage("beta", 2, 15), testPage("gamma", 1, 3))
	s.limits = keywordLimits{matches: 80, sampled: 10, ranked: 8, span: 1000}
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

// Two common terms that rarely meet are no sample: all that match were counted.
func TestCommonTermsThatRarelyMeet(t *testing.T) {
	t.Parallel()
	s := newTest(t, testPage("alpha", 1, 30), testPage("beta", 2, 30), testPage("gen2", 1, 3))
	s.limits = keywordLimits{matches: 20, sampled: 10, ranked: 8, span: 1000}
	found, err := readTest(t, s).Search(t.Context(), store.Search{Terms: []string{"gen1", "gen2"}, KeywordRows: 100, Match: store.MatchAnd})
	if err != nil || len(found.Keyword) != 3 || found.KeywordSampled || found.KeywordMatches != 3 {
		t.Errorf("%d rows of %d, sampled %v, %v, want 3", len(found.Keyword), found.KeywordMatches, found.KeywordSampled, err)
	}
}

// Where there are more matches than a search ranks, a place is exact as long as
// they can be counted, and a lower bound beyond.
func TestPlaceAmongManyMatches(t *testing.T) {
	t.Parallel()
	b := testPage("alpha", 1, 50)
	// One child says it more often than all others.
	b.Chunks[61].Terms = "gen1 gen1 gen1"
	s := newTest(t, b, testPage("beta", 2, 5))
	rank := func(limits keywordLimits, match store.Match, chunk int) store.Placement {
		t.Helper()
		s.limits = limits
		p, err := readTest(t, s).Place(t.Context(), store.Search{Terms: []string{"gen1"}, Match: match}, b.Chunks[chunk].ID)
		if err != nil || !p.HasKeyword {
			t.Fatalf("%+v, %v", p, err)
		}
		return p
	}
	exact := make([]int, 0, 50)
	for i := 1; i < len(b.Chunks); i += 2 {
		p := rank(defaultKeywordLimits(), store.MatchAuto, i)
		exact = append(exact, p.KeywordRank)
		if few := rank(keywordLimits{matches: 60, sampled: 10, ranked: 8, span: 1000}, store.MatchAuto, i); few.KeywordRank != p.KeywordRank || few.KeywordAtLeast || p.KeywordAtLeast {
			t.Errorf("chunk %d is at %d (%v), want %d exactly", i, few.KeywordRank, few.KeywordAtLeast, p.KeywordRank)
		}
		for _, match := range []store.Match{store.MatchAuto, store.MatchOr} {
			bound := rank(keywordLimits{matches: 20, sampled: 10, ranked: 8, span: 1000}, match, i)
			if !bound.KeywordAtLeast || bound.KeywordRank > p.KeywordRank || bound.KeywordRank < 1 {
				t.Errorf("chunk %d is at least at %d (%v), and at %d", i, bound.KeywordRank, bound.KeywordAtLeast, p.KeywordRank)
			}
		}
	}
	if exact[30] != 1 {
		t.Errorf("the child that says it most is at %d", exact[30])
	}
	slices.Sort(exact)
	if first, last := exact[0], exact[49]; first != 1 || last != 50 || len(slices.Compact(exact)) != 50 {
		t.Errorf("the ranks are %v", exact)
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
	for name, limits := range map[string]keywordLimits{
		"ranked":  {matches: 100, sampled: 100, ranked: 8, span: 1000},
		"sampled": {matches: 1, sampled: 8, ranked: 8, span: 1000},
	} {
		alice.limits = limits
		found, err := readTest(t, alice).Search(t.Context(), store.Search{Terms: []string{"gen1"}, KeywordRows: 100})
		if err != nil || len(found.Keyword) != 8 || found.KeywordRows != 10 || found.Terms[0].DF != 10 {
			t.Errorf("%s: %d of %d rows, %+v, %v", name, len(found.Keyword), found.KeywordRows, found.Terms, err)
		}
	}
}
