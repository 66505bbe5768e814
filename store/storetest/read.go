package storetest

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"time"

	"github.com/webrag/webrag-tui/store"
)

func readTests() []test {
	return []test{
		{"every field comes back", roundTrip},
		{"absent values come back absent", roundTripEmpty},
		{"offsets beyond the BMP come back unchanged", beyondBMP},
		{"fields that were not asked for are empty", fieldSelection},
		{"ids that do not exist are left out", missingIDs},
		{"listings are ordered, and pages join up", listings},
		{"scopes match any address of a document", scopeAddresses},
		{"statistics", statistics},
		{"a view keeps its version", viewKeepsVersion},
		{"a cancelled request is an error, the next one is not", cancelled},
	}
}

const allFields = store.FieldText | store.FieldHTML | store.FieldTerms | store.FieldEmbedding

// rich is a page with every field set.
func rich() store.Bundle {
	b := page("https://example.org/rich", []passage{{"Gradient boosting. ", unit(1, 2)}, {"A table.", unit(2, 1)}}, []passage{{"More.", nil}})
	b = withDocument(b, func(d *store.Document) {
		d.URL = "https://example.org/rich?from=here"
		d.URLAliases = []string{"https://example.org/other", "http://example.org/rich"}
		d.Title, d.Description, d.Language = "Rich \"page\"\n<b>", "What it\tsays", "en"
		d.StatusCode, d.PublishedTime, d.ModifiedTime = 203, "2026-01-02", "yesterday"
		d.DocType, d.SourceType, d.Filename, d.DocPath = "html", "upload", "rich.html", "a/b/rich.html"
		d.ContentHash, d.DerivedHash, d.PipelineFingerprint = "c0ffee", "d00d", "pipeline-1"
		d.Metadata = map[string]string{"module": "1", "": "empty key", "q\"uote": "ü"}
		d.Tags = []string{"b", "a", ""}
		d.IndexedAt = time.Date(2026, 5, 4, 3, 2, 2, 0, time.UTC)
		d.CurrentIngestionID = ID("ingestion")
		d.Depth = 3
	})
	for i := range b.Chunks {
		c := &b.Chunks[i]
		c.SectionHeading, c.HeadingPath, c.Anchor = "Boosting \"x\"", []string{"Top", "Boosting \"x\"", ""}, "boosting"
		c.Flags = store.Flags(1<<i) | store.HasImage
		c.HTMLTokens, c.HTMLText = 12+i, "<p>\x01&amp;</p>"
		c.Cont = i%2 == 0
		c.ImageRefs = []store.ImageRef{{URL: "https://example.org/i.png", Alt: "An \"image\""}, {}}
		c.Anchors = []string{"term-a", "über uns"}
		if c.Level == store.Child && c.Embedding != nil {
			c.EmbedHash = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
		}
	}
	b.Chunks[1].HTMLText, b.Chunks[1].HTMLTokens, b.Chunks[1].HTMLOmittedReason = "", 0, "low_alignment"
	b.Chunks[2].EmbedHash = "Not hexadecimal"
	b.Links = []store.Link{
		{ChunkID: b.Chunks[0].ID, TargetURL: "https://example.org/b", Anchor: "x", Text: "see b"},
		{ChunkID: b.Chunks[3].ID, TargetURL: "https://example.org/b"},
	}
	return b
}

func roundTrip(c *corpus) {
	b := rich()
	c.fill(2, b)
	c.checkStored(b)
}

// checkStored compares a stored page with what was put, field by field.
func (c *corpus) checkStored(b store.Bundle) {
	c.Helper()
	c.read(func(v store.View) {
		c.Helper()
		docs, err := v.Documents(c.ctx, store.Scope{DocumentIDs: []string{b.Document.ID}}, store.Page{})
		if err != nil || len(docs) != 1 {
			c.Fatalf("Documents = %v, %v", docs, err)
		}
		if docs[0].Changed <= 0 || docs[0].Changed > v.Version() {
			c.Errorf("the document changed at %d, the corpus is at %d", docs[0].Changed, v.Version())
		}
		want := b.Document
		want.Changed = docs[0].Changed
		if !reflect.DeepEqual(docs[0], want) {
			c.Errorf("the document is\n%+v, want\n%+v", docs[0], want)
		}
		ids := make([]string, len(b.Chunks))
		for i := range b.Chunks {
			ids[i] = b.Chunks[i].ID
		}
		chunks, err := v.Chunks(c.ctx, ids, allFields)
		if err != nil || len(chunks) != len(ids) {
			c.Fatalf("%d chunks, %v, want %d", len(chunks), err, len(ids))
		}
		for _, got := range chunks {
			want := b.Chunks[slices.Index(ids, got.ID)]
			if !reflect.DeepEqual(got, want) {
				c.Errorf("the chunk is\n%+v, want\n%+v", got, want)
			}
		}
	})
	c.write(func(w store.Writer) {
		c.Helper()
		d, ok, err := w.Document(c.ctx, b.Document.ID)
		if err != nil || !ok || d.SourceURL != b.Document.SourceURL {
			c.Errorf("the writer reads %+v, %v, %v", d, ok, err)
		}
	})
}

func roundTripEmpty(c *corpus) {
	b := store.Bundle{Document: store.Document{ID: ID("bare"), SourceURL: "x", CurrentIngestionID: ID("bare ingestion")}}
	c.fill(2, b)
	c.checkStored(b)
	parent := store.Chunk{ID: ID("bare parent"), DocumentID: b.Document.ID, Level: store.Parent, SourceURL: "x"}
	child := store.Chunk{ID: ID("bare child"), DocumentID: b.Document.ID, Level: store.Child, ParentID: parent.ID, SourceURL: "x"}
	parent.IngestionID, child.IngestionID = b.Document.CurrentIngestionID, b.Document.CurrentIngestionID
	b.Chunks = []store.Chunk{parent, child}
	b.Document.ParentCount = 1
	c.write(func(w store.Writer) { c.put(w, b, true) })
	c.checkStored(b)
}

func beyondBMP(c *corpus) {
	b := page("https://example.org/🙂", []passage{{"🙂🏔 𝒳 ", unit(1, 2)}, {"日本語🗻", unit(2, 1)}})
	if end := b.Chunks[2].CharEnd; end != 9 {
		c.Fatalf("the test page is %d code points long, want 9", end)
	}
	c.fill(2, b)
	c.checkStored(b)
}

func fieldSelection(c *corpus) {
	b := rich()
	c.fill(2, b)
	c.read(func(v store.View) {
		for fields := range allFields + 1 {
			chunks, err := v.Chunks(c.ctx, []string{b.Chunks[2].ID}, fields)
			if err != nil || len(chunks) != 1 {
				c.Fatalf("Chunks = %v, %v", chunks, err)
			}
			want := b.Chunks[2]
			if fields&store.FieldText == 0 {
				want.ChunkText, want.ImageRefs, want.Anchors = "", nil, nil
			}
			if fields&store.FieldHTML == 0 {
				want.HTMLText = ""
			}
			if fields&store.FieldTerms == 0 {
				want.Terms = ""
			}
			if fields&store.FieldEmbedding == 0 {
				want.Embedding = nil
			}
			if !reflect.DeepEqual(chunks[0], want) {
				c.Errorf("with fields %b the chunk is\n%+v, want\n%+v", fields, chunks[0], want)
			}
		}
	})
}

func missingIDs(c *corpus) {
	b := rich()
	c.fill(2, b)
	c.read(func(v store.View) {
		ids := []string{ID("nothing"), b.Chunks[0].ID, "", "not an id", b.Chunks[0].ID, b.Document.ID}
		if got, err := v.Chunks(c.ctx, ids, allFields); err != nil || len(got) != 1 {
			c.Errorf("%d chunks, %v, want 1", len(got), err)
		}
		if got, err := v.Children(c.ctx, []string{ID("nothing"), b.Chunks[3].ID, "", b.Chunks[1].ID}, 0); err != nil || len(got) != 1 {
			c.Errorf("%d children, %v, want 1", len(got), err)
		}
		if got, err := v.Chunks(c.ctx, nil, allFields); err != nil || len(got) != 0 {
			c.Errorf("no ids give %v, %v", got, err)
		}
	})
	c.write(func(w store.Writer) {
		if _, ok, err := w.Document(c.ctx, ID("nothing")); ok || err != nil {
			c.Errorf("Document = %v, %v", ok, err)
		}
		if n, err := w.Delete(c.ctx, ID("nothing"), "not an id"); n != 0 || err != nil {
			c.Errorf("Delete = %v, %v", n, err)
		}
	})
}

func listings(c *corpus) {
	r := rand.New(rand.NewPCG(16, 17))
	pages := randomPages(r, 20, 2)
	c.fill(2, pages...)
	for _, scope := range append(c.someScopes(r, pages), store.Scope{}) {
		var docs, parents, children []string
		for _, b := range c.want.in(scope, "") {
			docs = append(docs, b.Document.ID)
			for _, ch := range b.Chunks {
				if ch.Level == store.Parent {
					parents = append(parents, ch.ID)
				} else {
					children = append(children, ch.ID)
				}
			}
		}
		c.read(func(v store.View) {
			for _, size := range []int{0, 1, 7, 1000} {
				c.compareIDs("documents", docs, size, func(p store.Page) (ids []string, err error) {
					got, err := v.Documents(c.ctx, scope, p)
					for _, d := range got {
						ids = append(ids, d.ID)
					}
					return ids, err
				})
				c.compareIDs("parents", parents, size, func(p store.Page) ([]string, error) {
					got, err := v.Parents(c.ctx, scope, store.FieldText, p)
					return chunkIDs(got), err
				})
			}
			got, err := v.Children(c.ctx, parents, 0)
			if err != nil || !slices.Equal(chunkIDs(got), children) {
				c.Errorf("children %v, %v, want %v", chunkIDs(got), err, children)
			}
		})
	}
	c.read(c.checkSample)
}

func chunkIDs(chunks []store.Chunk) (ids []string) {
	for _, c := range chunks {
		ids = append(ids, c.ID)
	}
	return ids
}

// compareIDs reads a listing page by page.
func (c *corpus) compareIDs(what string, want []string, size int, list func(store.Page) ([]string, error)) {
	c.Helper()
	var got []string
	for {
		ids, err := list(store.Page{Offset: len(got), Limit: size})
		if err != nil {
			c.Fatalf("list %s: %v", what, err)
		}
		got = append(got, ids...)
		if len(ids) == 0 || size == 0 {
			break
		}
	}
	if !slices.Equal(got, want) {
		c.Errorf("%s in pages of %d: %v, want %v", what, size, got, want)
	}
}

func scopeAddresses(c *corpus) {
	b := rich()
	c.fill(2, b, page("https://example.org/b", []passage{{"b", unit(1, 0)}}))
	for _, u := range append([]string{b.Document.SourceURL, b.Document.URL}, b.Document.URLAliases...) {
		c.checkNearest(unit(1, 0), 10, store.Scope{SourceURLs: []string{u}})
		c.read(func(v store.View) {
			if st, err := v.Stats(c.ctx, store.Scope{SourceURLs: []string{u}}); err != nil || st.Documents != 1 {
				c.Errorf("scope %s holds %d documents, %v, want 1", u, st.Documents, err)
			}
		})
	}
}

func statistics(c *corpus) {
	r := rand.New(rand.NewPCG(18, 19))
	pages := randomPages(r, 12, 2)
	c.fill(2, pages...)
	for _, scope := range append(c.someScopes(r, pages), store.Scope{}) {
		var want store.Stats
		for _, b := range c.want.in(scope, "") {
			want.Documents++
			for _, ch := range b.Chunks {
				if ch.Level == store.Parent {
					want.Parents++
					want.Tokens += ch.Tokens()
				} else {
					want.Children++
				}
			}
		}
		c.read(func(v store.View) {
			if st, err := v.Stats(c.ctx, scope); err != nil || st != want {
				c.Errorf("Stats(%+v) = %+v, %v, want %+v", scope, st, err, want)
			}
		})
	}
}

func viewKeepsVersion(c *corpus) {
	const url = "https://example.org/a"
	old := page(url, []passage{{"old text", unit(1, 0)}})
	c.fill(2, old)
	c.read(func(v store.View) {
		version := v.Version()
		c.write(func(w store.Writer) {
			c.put(w, page(url, []passage{{"new words", unit(0, 1)}, {"and more", unit(1, 1)}}), true)
			c.put(w, page("https://example.org/b", []passage{{"another", unit(0, 1)}}), true)
		})
		if v.Version() != version {
			c.Errorf("the version of an open view went from %d to %d", version, v.Version())
		}
		found, err := v.Search(c.ctx, store.Search{Vector: unit(1, 0), VectorRows: 9, Terms: []string{"old", "new"}, KeywordRows: 9})
		if err != nil || len(found.Vector) != 1 || len(found.Keyword) != 1 {
			c.Errorf("an open view finds %+v, %v", found, err)
		}
		chunks, err := v.Chunks(c.ctx, []string{old.Chunks[1].ID}, allFields)
		if err != nil || len(chunks) != 1 || chunks[0].ChunkText != "old text" {
			c.Errorf("an open view reads %+v, %v", chunks, err)
		}
		docs, err := v.Documents(c.ctx, store.Scope{}, store.Page{})
		if err != nil || len(docs) != 1 {
			c.Errorf("an open view lists %+v, %v", docs, err)
		}
		c.read(func(next store.View) {
			if next.Version() <= version {
				c.Errorf("after writing, the version went from %d to %d", version, next.Version())
			}
		})
	})
	c.checkNearest(unit(1, 0), 10, store.Scope{})
	c.checkKeyword([]string{"old", "new", "word", "text"}, store.MatchAuto, store.Scope{})
}

func cancelled(c *corpus) {
	r := rand.New(rand.NewPCG(20, 21))
	pages := randomPages(r, 5, 2)
	c.fill(2, pages...)
	ctx, cancel := context.WithCancel(c.ctx)
	cancel()
	if v, err := c.store.Read(ctx); !errors.Is(err, context.Canceled) {
		c.Errorf("Read: %v, %v, want context.Canceled", v, err)
	}
	c.read(func(v store.View) {
		_, err := v.Search(ctx, store.Search{Terms: []string{"tree"}, KeywordRows: 5})
		if !errors.Is(err, context.Canceled) {
			c.Errorf("Search: %v, want context.Canceled", err)
		}
		if found, err := v.Search(c.ctx, store.Search{Terms: []string{"tree"}, KeywordRows: 5}); err != nil || len(found.Keyword) == 0 {
			c.Errorf("the next search of the view: %+v, %v", found, err)
		}
	})
	c.write(func(w store.Writer) {
		if _, err := w.Put(ctx, page("https://example.org/new", []passage{{"tree", nil}})); !errors.Is(err, context.Canceled) {
			c.Errorf("Put: %v, want context.Canceled", err)
		}
		c.put(w, page("https://example.org/newer", []passage{{"tree", nil}}), true)
	})
	c.checkKeyword([]string{"tree"}, store.MatchAuto, store.Scope{})
}

func loading(c *corpus) {
	warm, ok := c.store.(store.Preloader)
	if !ok {
		c.Fatal("the store does not load anything")
	}
	r := rand.New(rand.NewPCG(22, 23))
	c.fill(8, randomPages(r, 10, 8)...)
	var done, total int
	for range 2 {
		err := warm.Load(c.ctx, func(d, t int) {
			if d < done || d > t {
				c.Errorf("progress %d of %d after %d", d, t, done)
			}
			done, total = d, t
		})
		if err != nil || done != 50 || total != 50 {
			c.Fatalf("Load: %v, %d of %d vectors, want 50", err, done, total)
		}
	}
	c.checkNearest(randomUnit(r, 8), 20, store.Scope{})
}
