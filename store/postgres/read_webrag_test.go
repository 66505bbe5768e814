package postgres

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/webragtest"
)

// What a vintage holds, read in every way: the ways agree, and what it lacks is
// empty.
func TestReadingEachVintage(t *testing.T) {
	t.Parallel()
	for _, vt := range webragtest.Vintages() {
		t.Run(string(vt), func(t *testing.T) {
			t.Parallel()
			v := view(t, open(t, vintage(t, vt), Options{}))
			docs, err := v.Documents(t.Context(), store.Scope{}, store.Page{})
			if err != nil || len(docs) != len(webragtest.Pages()) {
				t.Fatalf("%d documents, %v", len(docs), err)
			}
			if !slices.IsSortedFunc(docs, func(a, b store.Document) int { return a.Depth - b.Depth }) {
				t.Error("documents are not by depth")
			}
			var sum store.Stats
			for _, d := range docs {
				if d.SourceType != "" || d.Owner != "" || d.Tags != nil || d.Metadata != nil || !d.DeletedAt.IsZero() || d.FetchedAt.IsZero() || d.ContentHash == "" {
					t.Errorf("a document is %+v", d)
				}
				own := store.Scope{SourceURLs: []string{d.SourceURL}}
				parents, err := v.Parents(t.Context(), own, store.FieldText, store.Page{})
				if err != nil || len(parents) != d.ParentCount || len(parents) == 0 {
					t.Errorf("%s has %d sections, %v, and says %d", d.SourceURL, len(parents), err, d.ParentCount)
				}
				children, err := v.Children(t.Context(), chunkIDs(parents), store.FieldText|store.FieldHTML|store.FieldTerms|store.FieldEmbedding)
				if err != nil || len(children) == 0 {
					t.Errorf("%s has %d passages, %v", d.SourceURL, len(children), err)
				}
				stats, err := v.Stats(t.Context(), own)
				if want := (store.Stats{Documents: 1, Parents: len(parents), Children: len(children), Tokens: d.TokenCount}); err != nil || stats != want {
					t.Errorf("the statistics of %s are %+v, %v, want %+v", d.SourceURL, stats, err, want)
				}
				for _, c := range children {
					if (c.ChunkText == webragtest.NoVector) != (c.Embedding == nil) || c.Embedding != nil && len(c.Embedding) != webragtest.Dims ||
						!slices.Equal(c.HeadingPath, plainHeading(c.SectionHeading)) || c.Owner != "" || c.Terms != "" || c.SourceURL != d.SourceURL || c.Depth != d.Depth {
						t.Errorf("a passage is %+v", c)
					}
				}
				sum.Documents++
				sum.Parents += len(parents)
				sum.Children += len(children)
				sum.Tokens += d.TokenCount
			}
			if got, err := v.Stats(t.Context(), store.Scope{}); err != nil || got != sum {
				t.Errorf("Stats = %+v, %v, want %+v", got, err, sum)
			}
			if got, err := v.Deleted(t.Context()); err != nil || len(got) != 0 {
				t.Errorf("Deleted = %v, %v", got, err)
			}
			if got, err := v.Hidden(t.Context()); err != nil || got != (store.Hidden{}) {
				t.Errorf("Hidden = %+v, %v", got, err)
			}
		})
	}
}

// Whatever a scope asks for that WebRAG does not keep is in no document; and what
// it keeps is held against it.
func TestScopesOfAForeignDatabase(t *testing.T) {
	t.Parallel()
	v := view(t, open(t, vintage(t, webragtest.Plain), Options{}))
	two := 1
	for _, c := range []struct {
		scope     store.Scope
		documents int
	}{
		{store.Scope{Tags: []string{"a", ""}}, 0},
		{store.Scope{Meta: []store.MetaFilter{{Key: store.MetaModule, Values: []string{"", "1"}}}}, 0},
		{store.Scope{SourceTypes: []string{"web"}}, 0},
		{store.Scope{SourceURLs: []string{"https://docs.example.com/guide"}}, 1},
		{store.Scope{SourceURLs: []string{"https://docs.example.com/guide/", "https://docs.example.com/guide/shell"}}, 2},
		{store.Scope{MaxDepth: &two}, 4},
		{store.Scope{Headings: []string{"install kite"}}, 1},
		{store.Scope{Headings: []string{"## Install Kite"}}, 1},
		{store.Scope{Headings: []string{"nstall Kite"}}, 0},
	} {
		got, err := v.Stats(t.Context(), c.scope)
		if err != nil || got.Documents != c.documents {
			t.Errorf("Stats(%+v) = %+v, %v, want %d documents", c.scope, got, err, c.documents)
		}
		parents, err := v.Parents(t.Context(), c.scope, 0, store.Page{})
		if err != nil || len(parents) != got.Parents {
			t.Errorf("%d sections in %+v, %v, want %d", len(parents), c.scope, err, got.Parents)
		}
		n, err := v.scopeCount(t.Context(), v.reading.Tx(), c.scope, 1000)
		if err != nil || n != got.Children {
			t.Errorf("scopeCount(%+v) = %d, %v, want %d", c.scope, n, err, got.Children)
		}
	}
}

func TestImagesOfAForeignDatabase(t *testing.T) {
	t.Parallel()
	v := view(t, open(t, vintage(t, webragtest.Images), Options{}))
	got, err := v.Chunks(t.Context(), []string{"02bf0cdd-e3dc-4494-84ad-66329d498bbf"}, store.FieldText)
	want := []store.ImageRef{{URL: "https://docs.example.com/img/screen.png", Alt: "The screen with three panes"}}
	if err != nil || len(got) != 1 || !got[0].Flags.Has(store.HasImage) || !reflect.DeepEqual(got[0].ImageRefs, want) {
		t.Errorf("the chunk with an image is %+v, %v", got, err)
	}
	for text, want := range map[string][]store.ImageRef{
		"": nil, "null": nil, "{}": nil, "[": nil, `"x"`: nil, "[1, []]": nil,
		`[{}]`: {{}},
		`[{"url":"u"}, 7, {"url":"v","alt":"","title":"t","caption":"c"}, {"url":"w","title":"t"}]`: {{URL: "u"}, {URL: "v", Alt: "c"}, {URL: "w", Alt: "t"}},
	} {
		if got := parseImages(text); !reflect.DeepEqual(got, want) {
			t.Errorf("the images of %s are %+v, want %+v", text, got, want)
		}
	}
}

func TestLinksOfAForeignDatabase(t *testing.T) {
	t.Parallel()
	const guide, pictures = "566bf9d7-c55a-45f8-91a6-e55e9b9b1325", "aed09b82-4ca8-4fc2-bfb6-37dd5bae2d26"
	v := view(t, open(t, vintage(t, webragtest.Links), Options{}))
	got, err := v.Links(t.Context(), guide)
	want := []store.Link{
		{TargetURL: "https://docs.example.com/guide/windows", Text: "Kite on Windows"},
		{TargetURL: "https://docs.example.com/guide/shell", Text: "Kite in a shell"},
		{TargetURL: "https://docs.example.com/guide/pictures"},
		{TargetURL: "https://docs.example.com/guide/missing"},
		{TargetURL: "https://elsewhere.example/kites?a=1&b=2", Text: "Other kites"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Links = %+v, %v, want %+v", got, err, want)
	}
	got, err = v.Links(t.Context(), pictures)
	if err != nil || !reflect.DeepEqual(got, []store.Link{{TargetURL: "https://docs.example.com/guide/", Anchor: "install-kite"}}) {
		t.Errorf("Links = %+v, %v", got, err)
	}
	plain := view(t, open(t, vintage(t, webragtest.Plain), Options{}))
	if got, err := plain.Links(t.Context(), guide); err != nil || len(got) != 0 {
		t.Errorf("Links = %+v, %v", got, err)
	}
}

func TestFindingInAForeignDatabase(t *testing.T) {
	t.Parallel()
	v := view(t, open(t, vintage(t, webragtest.Upgraded), Options{}))
	docs, err := v.Documents(t.Context(), store.Scope{}, store.Page{})
	if err != nil {
		t.Fatal(err)
	}
	find := func(q store.FindQuery) []store.Chunk {
		t.Helper()
		got, n, err := v.Find(t.Context(), q)
		if err != nil || n != len(got) {
			t.Fatalf("Find(%+v) = %v, %d, %v", q, chunkIDs(got), n, err)
		}
		return got
	}
	for _, d := range docs {
		parents, err := v.Parents(t.Context(), store.Scope{DocumentIDs: []string{d.ID}}, store.FieldText, store.Page{})
		if err != nil {
			t.Fatal(err)
		}
		for _, url := range []string{d.SourceURL, d.SourceURL + "#nothing", d.URL + "/index.html"} {
			if got := find(store.FindQuery{SourceURL: url}); !slices.Equal(chunkIDs(got), chunkIDs(parents)) {
				t.Errorf("at %s are %v, want %v", url, chunkIDs(got), chunkIDs(parents))
			}
		}
		for _, p := range parents {
			got := find(store.FindQuery{Quote: p.ChunkText, Level: store.Parent})
			if !slices.Contains(chunkIDs(got), p.ID) {
				t.Errorf("the text of section %s is found in %v", p.ID, chunkIDs(got))
			}
			if got := find(store.FindQuery{ChunkID: p.ID}); len(got) != 1 || got[0].ID != p.ID {
				t.Errorf("section %s is %v", p.ID, got)
			}
		}
	}
	if got := find(store.FindQuery{SourceURL: "https://docs.example.com/Guide"}); len(got) != 0 {
		t.Errorf("an address of nothing is at %v", chunkIDs(got))
	}
}

// Values that an indexer never writes do no harm where they are.
func TestUnexpectedValues(t *testing.T) {
	t.Parallel()
	dsn := vintage(t, webragtest.Images,
		`ALTER TABLE documents ALTER url DROP NOT NULL, ALTER content_hash DROP NOT NULL, ALTER fetched_at DROP NOT NULL, ALTER indexed_at DROP NOT NULL, ALTER depth DROP NOT NULL`,
		`UPDATE documents SET url = NULL, title = NULL, content_hash = NULL, fetched_at = NULL, status_code = NULL, depth = NULL, language = ''`,
		`UPDATE documents SET fetched_at = 'infinity', indexed_at = '-infinity' WHERE source_url LIKE '%shell'`,
		`DO $$ DECLARE name text; BEGIN
			FOR name IN SELECT attname FROM pg_attribute WHERE attrelid = 'chunks'::regclass AND attnum > 0 AND attnotnull AND attname NOT IN ('id', 'document_id', 'chunk_level') LOOP
				EXECUTE format('ALTER TABLE chunks ALTER %I DROP NOT NULL; UPDATE chunks SET %I = NULL', name, name);
			END LOOP; END $$`,
		`UPDATE chunks SET image_refs_json = 'no JSON', section_heading = NULL, title = NULL`,
		`ALTER TABLE chunks DROP CONSTRAINT chunks_parent_id_fkey`,
		`UPDATE chunks SET parent_id = NULL WHERE chunk_level = 'child' AND source_url IS NULL AND ascii(id::text) % 2 = 0`,
		`UPDATE chunks SET parent_id = document_id WHERE chunk_level = 'child' AND ascii(id::text) % 3 = 0`)
	v := view(t, open(t, dsn, Options{}))
	all := store.FieldText | store.FieldHTML | store.FieldTerms | store.FieldEmbedding
	docs, err := v.Documents(t.Context(), store.Scope{}, store.Page{})
	if err != nil || len(docs) != len(webragtest.Pages()) {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	parents, err := v.Parents(t.Context(), store.Scope{}, all, store.Page{})
	if err != nil || len(parents) == 0 {
		t.Fatalf("%d sections, %v", len(parents), err)
	}
	children, err := v.Children(t.Context(), chunkIDs(parents), all)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := v.Chunks(t.Context(), chunkIDs(children), all); err != nil || len(got) != len(children) {
		t.Errorf("%d chunks, %v, want %d", len(got), err, len(children))
	}
	depth := 0
	for _, scope := range []store.Scope{{MaxDepth: &depth}, {Headings: []string{"x"}}, {SourceURLs: []string{""}}} {
		if _, err := v.Stats(t.Context(), scope); err != nil {
			t.Errorf("Stats(%+v): %v", scope, err)
		}
		if _, err := v.Within(t.Context(), scope, chunkIDs(children)); err != nil {
			t.Errorf("Within(%+v): %v", scope, err)
		}
	}
	for _, q := range []store.FindQuery{{Quote: "kite"}, {Quote: "Ü"}, {SourceURL: docs[0].SourceURL + "#x", Level: store.Child}} {
		if _, _, err := v.Find(t.Context(), q); err != nil {
			t.Errorf("Find(%+v): %v", q, err)
		}
	}
}

// Addresses are in byte order in listings, whatever order their column has.
func TestListingsOfAnotherLanguage(t *testing.T) {
	t.Parallel()
	dsn := vintage(t, webragtest.Plain,
		`ALTER TABLE documents ALTER source_url TYPE text COLLATE "en-x-icu"`, `ALTER TABLE chunks ALTER source_url TYPE text COLLATE "en-x-icu"`,
		`UPDATE documents SET depth = 0`, `UPDATE chunks SET depth = 0`,
		`UPDATE documents SET source_url = replace(source_url, 'guide/s', 'Guide/S')`, `UPDATE chunks SET source_url = replace(source_url, 'guide/s', 'Guide/S')`)
	v := view(t, open(t, dsn, Options{}))
	docs, err := v.Documents(t.Context(), store.Scope{}, store.Page{})
	if err != nil || !slices.IsSortedFunc(docs, func(a, b store.Document) int { return compareText(a.SourceURL, b.SourceURL) }) {
		t.Errorf("documents are %v, %v", docs, err)
	}
	parents, err := v.Parents(t.Context(), store.Scope{}, 0, store.Page{})
	if err != nil || !slices.IsSortedFunc(parents, func(a, b store.Chunk) int { return compareText(a.SourceURL, b.SourceURL) }) {
		t.Errorf("sections are %v, %v", parents, err)
	}
}

func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// plainHeading is the heading path that a section_heading makes.
func plainHeading(heading string) []string {
	plain := strings.TrimSpace(strings.TrimLeft(heading, "# "))
	if plain == "" {
		return nil
	}
	return []string{plain}
}
