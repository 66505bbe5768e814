package postgres

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/record"
)

// hostileWords are terms of passages, among them what has a meaning in a query or
// in the text of a vector, and what no store.Terms makes.
func hostileWords() []string {
	return []string{
		"a", "b", "c", "tree", "max_depth", "日本", "本語", "e\u0301t", "\u0301", "ǆ", "0", "_",
		strings.Repeat("\U00010428", 64), strings.Repeat("x", 1024),
		"it's", `\`, `'`, `"`, ":", "a:1A", "a:*", "!", "&", "|", "<->", "(", ")", "🙂", "A", "b'", strings.Repeat("y", 2046), strings.Repeat("z", 2047),
	}
}

// plainWords are so few that phrases of them occur.
func plainWords() []string { return []string{"a", "b", "c"} }

func drawText(rt *rapid.T, label string) string {
	from := hostileWords()
	if rapid.Bool().Draw(rt, label+" is plain") {
		from = plainWords()
	}
	words := rapid.SliceOfN(rapid.SampledFrom(from), 0, 6).Draw(rt, label)
	if rapid.IntRange(0, 9).Draw(rt, label+" is long") == 0 && len(words) > 0 {
		// More of it than a vector has places for.
		words = append(words, slices.Repeat(words[:1], rapid.SampledFrom([]int{253, 255, 256, 300}).Draw(rt, "times"))...)
		words = append(words, "b", "c")
	}
	return strings.Join(words, " ")
}

func drawPage(rt *rapid.T) *wordPage {
	p := &wordPage{owner: rapid.SampledFrom([]string{"", "ann", "bob"}).Draw(rt, "owner")}
	for i := range rapid.IntRange(0, 5).Draw(rt, "children") {
		p.texts = append(p.texts, drawText(rt, fmt.Sprint("text ", i)))
		if rapid.Bool().Draw(rt, fmt.Sprint("named ", i)) {
			for len(p.names) <= i {
				p.names = append(p.names, [2]string{})
			}
			p.names[i] = [2]string{drawText(rt, fmt.Sprint("heading ", i)), drawText(rt, fmt.Sprint("title ", i))}
		}
	}
	return p
}

func drawSearch(rt *rapid.T) store.Search {
	words := rapid.SampledFrom(append(hostileWords(), "zebra", "", "a b", "\x00", "\xff"))
	spec := store.Search{
		KeywordRows: 1000,
		Terms:       rapid.SliceOfN(words, 0, 4).Draw(rt, "terms"),
		Match:       rapid.SampledFrom([]store.Match{store.MatchAuto, store.MatchAnd, store.MatchOr, store.MatchWebsearch, ""}).Draw(rt, "match"),
	}
	weight := rapid.SampledFrom([]float64{0, 0, 1, 2.5})
	spec.Fields = store.FieldWeights{Heading: weight.Draw(rt, "heading"), Title: weight.Draw(rt, "title")}
	if spec.Match == store.MatchWebsearch {
		plain := rapid.SampledFrom(plainWords())
		spec.Terms = rapid.SliceOfN(plain, 0, 1).Draw(rt, "plain terms")
		spec.Phrases = rapid.SliceOfN(rapid.SliceOfN(plain, 1, 3), 0, 2).Draw(rt, "phrases")
		for _, run := range rapid.SliceOfN(rapid.SliceOfN(plain, 1, 2), 0, 2).Draw(rt, "excluded") {
			spec.Excluded = append(spec.Excluded, strings.Join(run, " "))
		}
	}
	return spec
}

// A search gives what the definitions say, whatever is written and asked, and the
// counts that it goes by are those of the pages.
func TestKeywordSearchIsWhatItIsDefinedToBe(t *testing.T) {
	c := newWordCorpus(t)
	rapid.Check(t, func(rt *rapid.T) {
		for range rapid.IntRange(1, 4).Draw(rt, "changes") {
			name := rapid.SampledFrom([]string{"p", "q", "r"}).Draw(rt, "page")
			_, exists := c.pages[name]
			var err error
			switch rapid.IntRange(0, 5).Draw(rt, "change") {
			case 0:
				err = c.put(name, nil)
			case 1:
				if exists {
					err = c.hide(name, !c.pages[name].deleted)
				}
			default:
				err = c.put(name, drawPage(rt))
			}
			if err != nil {
				rt.Fatal(err)
			}
		}
		stats, err := c.stats()
		if want := c.wantStats(); err != nil || !maps.Equal(stats, want) {
			rt.Fatalf("term_stats are %v, %v, want %v", stats, err, want)
		}
		for range 3 {
			spec := drawSearch(rt)
			owner := rapid.SampledFrom([]string{"", "ann", "bob", "carol"}).Draw(rt, "owner")
			if rapid.Bool().Draw(rt, "scoped") {
				spec.Scope.DocumentIDs = []string{wordID("p"), wordID("r")}
			}
			got, err := c.search(owner, spec)
			if err != nil {
				rt.Fatal(err)
			}
			if want := c.want(owner, spec); differs(got, want) != "" || got.KeywordSampled {
				rt.Fatalf("%s differs for %q and %+v:\n%+v, want\n%+v", differs(got, want), owner, spec, got, want)
			}
		}
	})
}

// What a vector has no place for is counted, and its phrases are found, by the
// terms themselves; so is everything where ts_rank would not tell counts apart.
func TestCutChildrenAreReadByTheirTerms(t *testing.T) {
	c := newWordCorpus(t)
	long := strings.Repeat("a ", 300) + "b"
	endless := strings.Repeat("x ", record.MaxPosition) + "b b c"
	names := [][2]string{{"a b", "b"}, {"b", "a"}, {"a", "b"}, {"b", "b c"}}
	if err := c.put("p", &wordPage{texts: []string{long, "a b", "b a", endless, "b c", "c"}, names: names}); err != nil {
		t.Fatal(err)
	}
	rows, err := c.conn.Query(t.Context(), "SELECT cut FROM chunk_terms ORDER BY length")
	if err != nil {
		t.Fatal(err)
	}
	if cut, err := pgx.CollectRows(rows, pgx.RowTo[bool]); err != nil || !slices.Equal(cut, []bool{false, false, false, false, true, true}) {
		t.Fatalf("cut are %v, %v", cut, err)
	}
	usable := c.store.keywords.scale.Load()
	for _, scale := range []*rankScale{usable, {0.5, 0.5}} {
		c.store.keywords.scale.Store(scale)
		for _, spec := range []store.Search{
			{Terms: []string{"a", "b"}},
			{Terms: []string{"a", "b"}, Match: store.MatchAnd},
			{Terms: []string{"b"}, Match: store.MatchWebsearch, Phrases: [][]string{{"a", "b"}}},
			{Terms: []string{"b"}, Match: store.MatchWebsearch, Excluded: []string{"a b"}},
			{Terms: []string{"b"}, Match: store.MatchWebsearch, Phrases: [][]string{{"b", "b", "c"}}},
			{Match: store.MatchWebsearch, Phrases: [][]string{{"b", "c"}}},
		} {
			for _, fields := range []store.FieldWeights{{}, {Heading: 1}, {Title: 2}, {Heading: 1, Title: 2}} {
				spec.KeywordRows, spec.Fields = 10, fields
				got, err := c.search("", spec)
				if err != nil {
					t.Fatal(err)
				}
				if want := c.want("", spec); len(want.Keyword) == 0 || differs(got, want) != "" {
					t.Errorf("%s differs for %+v:\n%+v, want\n%+v", differs(got, want), spec, got, want)
				}
			}
		}
	}
}

// A term with too many matches is ranked by a sample of them, and every row of it
// is what it would be without.
func TestACommonTermIsSampled(t *testing.T) {
	c := newWordCorpus(t)
	for _, name := range []string{"p", "q"} {
		p := &wordPage{texts: slices.Repeat([]string{"a", "a a b", "a c", "b"}, 5)}
		if err := c.put(name, p); err != nil {
			t.Fatal(err)
		}
	}
	c.store.keywords.limits = keywordLimits{matches: 10, sampled: 8, ranked: 4}
	scope := store.Scope{DocumentIDs: []string{wordID("p")}}
	for name, x := range map[string]struct {
		spec    store.Search
		sampled bool
		matches int
		rows    int
	}{
		"a common term":               {store.Search{Terms: []string{"a"}, Fields: store.FieldWeights{Heading: 1, Title: 1}}, true, 30, 4},
		"a common term of bodies":     {store.Search{Terms: []string{"a"}}, true, 8, 4},
		"in a scope":                  {store.Search{Terms: []string{"a"}, Scope: scope}, true, 8, 4},
		"the rarest of common ones":   {store.Search{Terms: []string{"a", "b"}}, true, 8, 4},
		"beside a rare one":           {store.Search{Terms: []string{"a", "c"}}, false, 10, 4},
		"all of common terms":         {store.Search{Terms: []string{"a", "b"}, Match: store.MatchAnd}, true, 8, 4},
		"all, where few are in scope": {store.Search{Terms: []string{"a", "b"}, Match: store.MatchAnd, Scope: scope}, false, 5, 4},
		"any is never sampled":        {store.Search{Terms: []string{"a", "b"}, Match: store.MatchOr}, false, 40, 4},
		"few rows":                    {store.Search{Terms: []string{"c"}, KeywordRows: 2}, false, 10, 2},
		"no rows":                     {store.Search{Terms: []string{"c"}, KeywordRows: -1}, false, 0, 0},
	} {
		spec := x.spec
		if spec.KeywordRows == 0 {
			spec.KeywordRows = 1000
		}
		got, err := c.search("", spec)
		if err != nil {
			t.Fatal(err)
		}
		if got.KeywordSampled != x.sampled || got.KeywordMatches != x.matches || len(got.Keyword) != x.rows || got.KeywordReturned != x.rows {
			t.Errorf("%s: sampled %v, %d matches, %d rows, want %v, %d, %d", name, got.KeywordSampled, got.KeywordMatches, len(got.Keyword), x.sampled, x.matches, x.rows)
		}
		if !x.sampled {
			want := c.want("", spec)
			want.Keyword = want.Keyword[:x.rows]
			for i, row := range got.Keyword {
				if row.ID != want.Keyword[i].ID {
					t.Errorf("%s: row %d is %+v, want %+v", name, i, row, want.Keyword[i])
				}
			}
		}
	}
}

// The guard stands before what is returned: a chunk that is not of its document's
// owner or ingestion is not, and the next best takes its place.
func TestTheGuardOfKeywordRows(t *testing.T) {
	c := newWordCorpus(t)
	if err := c.put("p", &wordPage{texts: []string{"a a a a", "a a a b", "a a b b", "a b b b"}}); err != nil {
		t.Fatal(err)
	}
	spec := store.Search{Terms: []string{"a"}, KeywordRows: 2}
	for _, statement := range []string{
		"UPDATE chunks SET owner = 'bob' WHERE id = $1",
		"UPDATE chunks SET owner = NULL, ingestion_id = 'old' WHERE id = $1",
	} {
		if _, err := c.conn.Exec(t.Context(), statement, childOf("p", 0)); err != nil {
			t.Fatal(err)
		}
		got, err := c.search("", spec)
		if err != nil || len(got.Keyword) != 2 || got.Keyword[0].ID != childOf("p", 1) || got.Keyword[1].ID != childOf("p", 2) || got.KeywordMatches != 3 {
			t.Errorf("after %s: %v, %+v", statement, err, got)
		}
	}
}

func TestTermRow(t *testing.T) {
	t.Parallel()
	row, _, ok := record.TermRow(&store.Chunk{ID: "c", DocumentID: "d", ParentID: "p", Terms: "max_depth max depth max"})
	if !ok || len(row) != len(record.TermColumns()) || row[3] != 4 || row[4] != false {
		t.Fatalf("the row is %v, %v", row, ok)
	}
	if got, want := fmt.Sprint(row[5]), "'max_depth':1 'max':2,4 'depth':3"; got != want {
		t.Errorf("the vector is %s, want %s", got, want)
	}
	row, _, ok = record.TermRow(&store.Chunk{ID: "c", Terms: "max depth", HeadingTerms: "tree depth", TitleTerms: "tree"})
	if got, want := fmt.Sprint(row[5]), "'max':1 'depth':2,5B 'tree':4B,7A"; !ok || got != want || row[3] != 2 || row[6] != "tree depth" || row[7] != "tree" {
		t.Errorf("the row is %v, %v, want the vector %s", row, ok, want)
	}
	if row, _, ok := record.TermRow(&store.Chunk{ID: "c", TitleTerms: "tree"}); !ok || row[3] != 0 || fmt.Sprint(row[5]) != "'tree':1A" {
		t.Errorf("of a title alone the row is %v, %v", row, ok)
	}
	if row, _, ok := record.TermRow(&store.Chunk{ID: "c"}); ok {
		t.Errorf("a chunk without terms has the row %v", row)
	}
	// More lexemes than a vector has room for.
	var many []string
	for i := range 20_000 {
		many = append(many, fmt.Sprintf("%0100d", i))
	}
	vector, cut := record.TermVector(&store.Chunk{Terms: strings.Join(many, " ")})
	if !cut || len(vector.Lexemes) >= 10_000 || len(vector.Lexemes) < 9000 {
		t.Errorf("%d lexemes, cut: %v", len(vector.Lexemes), cut)
	}
}
