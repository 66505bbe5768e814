package flat

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
	"github.com/webrag/webrag-tui/store/sqlite"
	"github.com/webrag/webrag-tui/store/transfer"
)

// words are two hundred different texts of few words, on ten pages.
func words(t *testing.T) string {
	t.Helper()
	vocabulary := strings.Fields("tree forest boosting rows depth function value shallow error sample")
	var texts, pages []string
	for i := range 200 {
		var text []string
		for j := range 3 + i%7 {
			text = append(text, vocabulary[(i*i+j*(i%5+1)*7)%len(vocabulary)])
		}
		texts = append(texts, fmt.Sprintf("%s %d.", strings.Join(text, " "), i))
		pages = append(pages, fmt.Sprintf("https://example.org/%d", i%10))
	}
	dsn := made(t, "CREATE TABLE items (id int PRIMARY KEY, content text, url text, heading text, title text, embedding vector(2))")
	pgtest.Exec(t, dsn, `INSERT INTO items SELECT n, content, url, CASE n % 3 WHEN 0 THEN 'Trees and forests' END,
		CASE n % 10 WHEN 1 THEN 'The guide of trees' WHEN 2 THEN 'Samples' END, array[sin(n), cos(n)]::vector FROM unnest($1::text[], $2::text[]) WITH ORDINALITY r (content, url, n)`, texts, pages)
	return dsn
}

// Words are counted and scored as in a corpus of the same passages, whose index has
// them.
func TestWordsAsInACorpus(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := open(t, words(t), "items", "heading=heading,title=title")
	corpus, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "corpus.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = corpus.Close() })
	if _, err := transfer.Copy(ctx, s, corpus, transfer.Options{}); err != nil {
		t.Fatal(err)
	}
	mine := view(t, s)
	other, err := corpus.Read(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close() })
	page := store.Scope{SourceURLs: []string{"https://example.org/0", "https://example.org/7"}}
	for i, spec := range []store.Search{
		{Terms: []string{"tree", "forest"}},
		{Terms: []string{"tree", "absent", "tree"}, Match: store.MatchOr},
		{Terms: []string{"sampl", "error"}, Match: store.MatchAnd, Scope: page},
		{Terms: []string{"boost", "row"}, Phrases: [][]string{{"boost", "row"}}, Excluded: []string{"tree"}, Match: store.MatchWebsearch},
		{Terms: []string{}, Phrases: [][]string{{"tree", "depth"}}, Match: store.MatchWebsearch},
		{Terms: []string{"tree"}, Scope: page},
		{Terms: []string{"tree", "guid"}, Fields: store.FieldWeights{Heading: 2, Title: .5}},
		{Terms: []string{"forest", "guid"}, Fields: store.FieldWeights{Title: 1}, TermWeights: []float64{3, 1}, Match: store.MatchAnd},
		{Terms: []string{"absent"}},
		{Terms: []string{"'; DROP TABLE items; --", "tree"}, Match: store.MatchOr},
	} {
		spec.KeywordRows, spec.Unindexed = 500, true
		got, err := mine.Search(ctx, spec)
		if err != nil {
			t.Fatal(err)
		}
		want, err := other.Search(ctx, spec)
		if err != nil {
			t.Fatal(err)
		}
		if !got.KeywordUnindexed || got.KeywordRows != want.KeywordRows || got.AvgLength != want.AvgLength || got.KeywordMatches != want.KeywordMatches || !reflect.DeepEqual(got.Terms, want.Terms) {
			t.Errorf("%d: %d rows of %v terms, %d match, %+v; want %d, %v, %d, %+v", i,
				got.KeywordRows, got.AvgLength, got.KeywordMatches, got.Terms, want.KeywordRows, want.AvgLength, want.KeywordMatches, want.Terms)
		}
		if g, w := scored(t, mine, got.Keyword), scored(t, other, want.Keyword); !reflect.DeepEqual(g, w) {
			t.Errorf("%d: found\n%v\nwant\n%v", i, g, w)
		}
		for at, row := range got.Keyword {
			p, err := mine.Place(ctx, spec, row.ID)
			if err != nil || !p.HasKeyword || p.KeywordRank != at+1 || !reflect.DeepEqual(p.Keyword, row) {
				t.Fatalf("%d: row %d is placed %+v, %v", i, at, p, err)
			}
			if at == 10 {
				break
			}
		}
	}
}

// scored are rows by their texts.
func scored(t *testing.T, v store.View, rows []store.KeywordRow) map[string]string {
	t.Helper()
	ids := make([]string, len(rows))
	by := map[string]store.KeywordRow{}
	for i := range rows {
		ids[i], by[rows[i].ID] = rows[i].ID, rows[i]
	}
	chunks, err := v.Chunks(t.Context(), ids, store.FieldText)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for i := range chunks {
		row := by[chunks[i].ID]
		out[chunks[i].ChunkText] = fmt.Sprint(row.Score, row.TF, row.Length)
	}
	return out
}

// Words are only read if it is asked for, and no more texts than the bound.
func TestWordsWithinBounds(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := open(t, words(t), "items", "")
	v := view(t, s)
	spec := store.Search{Terms: []string{"tree"}, KeywordRows: 10}
	if _, err := v.Search(ctx, spec); err == nil || !strings.Contains(err.Error(), "no index of words") {
		t.Errorf("unasked: %v", err)
	}
	spec.Vector, spec.VectorRows = unit(1, 0), 3
	found, err := v.Search(ctx, spec)
	if err != nil || len(found.Vector) != 3 || found.KeywordErr == nil || len(found.Keyword) != 0 {
		t.Errorf("beside vectors: %+v, %v", found, err)
	}
	spec.Unindexed = true
	found, err = v.Search(ctx, spec)
	if err != nil || len(found.Vector) != 3 || found.KeywordErr != nil || len(found.Keyword) != 10 || found.KeywordSampled {
		t.Errorf("asked for: %+v, %v", found, err)
	}
	s.mostRead = 30
	found, err = v.Search(ctx, spec)
	if err != nil || !found.KeywordSampled || found.KeywordRows != 30 {
		t.Errorf("of more texts than are read: %+v, %v", found, err)
	}
	spec.Scope = store.Scope{SourceURLs: []string{"https://example.org/0"}}
	found, err = v.Search(ctx, spec)
	if err != nil || !found.KeywordSampled || found.KeywordRows != 20 {
		t.Errorf("in scope: %+v, %v", found, err)
	}
	p, err := v.Place(ctx, spec, found.Keyword[0].ID)
	if err != nil || !p.KeywordAtLeast || p.KeywordRank != 1 {
		t.Errorf("placed %+v, %v", p, err)
	}
}
