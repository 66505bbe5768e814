package postgres

import (
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/webragtest"
)

func TestWordConfig(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]string{
		"to_tsvector('english'::regconfig, chunk_text)":                           "english",
		"to_tsvector('public.own'::regconfig, COALESCE(chunk_text, ''::text))":    "public.own",
		"to_tsvector('english'::regconfig, title)":                                "",
		"to_tsvector('english'::regconfig, ((title || ' '::text) || chunk_text))": "",
		"to_tsvector(chunk_text)":                                                 "",
		"ts":                                                                      "",
	} {
		if got := wordConfig(expression); got != want {
			t.Errorf("%s is made with %q, want %q", expression, got, want)
		}
	}
}

// An index of words that somebody added finds what reading all texts finds.
func TestWordsByAForeignIndex(t *testing.T) {
	t.Parallel()
	for name, statement := range map[string]string{
		"an expression": "CREATE INDEX words ON chunks USING gin (to_tsvector('english', chunk_text)) WHERE chunk_level = 'child'",
		"a column": `ALTER TABLE chunks ADD COLUMN "the words" tsvector GENERATED ALWAYS AS (to_tsvector('english', coalesce(chunk_text, ''))) STORED;
			CREATE INDEX words ON chunks USING gin ("the words")`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, vintage(t, webragtest.Links, statement), Options{})
			if why, missing := s.Info().Missing[store.CapKeyword]; missing || s.Info().Unindexed {
				t.Fatalf("keyword search is missing: %s", why)
			}
			v := view(t, s)
			all := passages(t, v)
			hits := 0
			for _, spec := range foreignSearches(all[0].document) {
				spec.KeywordRows = 1000
				got, err := v.Search(t.Context(), spec)
				if err != nil || got.KeywordUnindexed || got.KeywordSampled {
					t.Fatalf("%v: %+v", err, got)
				}
				want := wantKeywords(all, spec)
				hits += len(want.Keyword)
				if rowIDs(got.Keyword) == nil && len(want.Keyword) == 0 {
					continue
				}
				if !slices.Equal(rowIDs(got.Keyword), rowIDs(want.Keyword)) || got.KeywordMatches != len(want.Keyword) {
					t.Errorf("%+v finds\n%+v, want\n%+v", spec, got.Keyword, want.Keyword)
				}
				for i, term := range got.Terms {
					if term.DF != want.Terms[i].DF {
						t.Errorf("%+v, want %+v", term, want.Terms[i])
					}
				}
				checkForeignPlace(t, v, spec, all[1], got)
			}
			if hits < 15 {
				t.Errorf("the searches found %d rows: too few to show anything", hits)
			}
			// Too many matches are sampled.
			s.keywords.limits.matches, s.keywords.limits.sampled = 2, 3
			got, err := v.Search(t.Context(), store.Search{Terms: store.Terms("kite"), KeywordRows: 10})
			if err != nil || !got.KeywordSampled || len(got.Keyword) != 3 {
				t.Errorf("%v: %+v", err, got)
			}
		})
	}
}

// rowIDs returns the ids of rows in the order of ids: how rows score depends on the
// mean length, of which an index knows nothing.
func rowIDs(rows []store.KeywordRow) []string {
	var out []string
	for _, row := range rows {
		out = append(out, row.ID)
	}
	slices.Sort(out)
	return out
}

// What the catalog does not tell how it was made is not searched.
func TestWordsOfAnUnknownIndex(t *testing.T) {
	t.Parallel()
	for name, statement := range map[string]string{
		"filled by a program": "ALTER TABLE chunks ADD COLUMN ts tsvector; CREATE INDEX words ON chunks USING gin (ts)",
		"of titles":           "CREATE INDEX words ON chunks USING gin (to_tsvector('english', title))",
		"of some rows":        "CREATE INDEX words ON chunks USING gin (to_tsvector('english', chunk_text)) WHERE chunk_index > 1",
		"of another kind":     "CREATE INDEX words ON chunks USING gist (to_tsvector('english', chunk_text))",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, vintage(t, webragtest.Links, statement), Options{})
			if info := s.Info(); info.Missing[store.CapKeyword] == "" || !info.Unindexed {
				t.Errorf("info is %+v", info)
			}
		})
	}
}
