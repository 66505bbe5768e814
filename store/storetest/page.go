package storetest

import (
	"math"
	"math/rand/v2"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
)

// ID returns the id that the pages of this package derive from a name.
func ID(name string) string { return uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String() }

// passage is a child: its text and its vector, nil for none.
type passage struct {
	text   string
	vector []float32
}

// page makes a document of sections, each of which is a list of passages.
func page(url string, sections ...[]passage) store.Bundle {
	b := store.Bundle{Document: store.Document{
		ID: ID(url), URL: url, SourceURL: url, Title: "Title of " + url, DocType: "markdown", SourceType: "web",
		FetchedAt: time.Date(2026, 5, 4, 3, 2, 1, 678901000, time.UTC), CurrentIngestionID: ID("first ingestion of " + url),
	}}
	chars, tokens := 0, 0
	for i, passages := range sections {
		parent := store.Chunk{Level: store.Parent, Index: i, CharStart: chars, TokenStart: tokens}
		parent.ID = ID(url + " parent " + string(rune('a'+i)))
		var children []store.Chunk
		for j, p := range passages {
			child := store.Chunk{
				ID:    ID(url + " child " + string(rune('a'+i)) + string(rune('a'+j))),
				Level: store.Child, ParentID: parent.ID, Index: j, ChunkText: p.text, Embedding: p.vector,
				Terms: strings.Join(store.Terms(p.text), " "), CharStart: chars, TokenStart: tokens,
			}
			if p.vector != nil {
				child.EmbedHash = ID(p.text)
			}
			chars += utf8.RuneCountInString(p.text)
			tokens += len(strings.Fields(p.text))
			child.CharEnd, child.TokenEnd = chars, tokens
			parent.ChunkText += p.text
			children = append(children, child)
		}
		parent.CharEnd, parent.TokenEnd = chars, tokens
		b.Chunks = append(append(b.Chunks, parent), children...)
		b.Document.ParentCount++
	}
	b.Document.TokenCount = tokens
	for i := range b.Chunks {
		b.Chunks[i].DocumentID = b.Document.ID
	}
	return withDocument(b, func(*store.Document) {})
}

// withDocument returns b with a changed document, which its chunks repeat.
func withDocument(b store.Bundle, change func(d *store.Document)) store.Bundle {
	change(&b.Document)
	b.Chunks = append([]store.Chunk(nil), b.Chunks...)
	for i := range b.Chunks {
		c, d := &b.Chunks[i], &b.Document
		c.Depth, c.Title, c.Owner, c.SourceURL = d.Depth, d.Title, d.Owner, d.SourceURL
		c.FetchedAt, c.IngestionID = d.FetchedAt, d.CurrentIngestionID
	}
	return b
}

// withChunk returns b with a changed chunk.
func withChunk(b store.Bundle, i int, change func(c *store.Chunk)) store.Bundle {
	b.Chunks = append([]store.Chunk(nil), b.Chunks...)
	change(&b.Chunks[i])
	return b
}

// ownedBy returns b as a document of an owner, with ids of its own.
func ownedBy(b store.Bundle, owner string) store.Bundle {
	b = withDocument(b, func(d *store.Document) {
		d.Owner = owner
		d.ID = ID(d.ID + owner)
	})
	for i := range b.Chunks {
		c := &b.Chunks[i]
		c.ID, c.DocumentID = ID(c.ID+owner), b.Document.ID
		if c.ParentID != "" {
			c.ParentID = ID(c.ParentID + owner)
		}
		if c.EmbedHash != "" {
			c.EmbedHash = ID(c.EmbedHash + owner)
		}
	}
	return b
}

// unit scales v to length 1.
func unit(v ...float32) []float32 {
	var s float64
	for _, x := range v {
		s += float64(x) * float64(x)
	}
	u := make([]float32, len(v))
	for i, x := range v {
		u[i] = float32(float64(x) / math.Sqrt(s))
	}
	return u
}

// randomUnit returns a unit vector that depends on r only.
func randomUnit(r *rand.Rand, dims int) []float32 {
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return unit(v...)
}

// randomPages returns n pages of two sections of three passages. One passage of
// each page has no vector.
func randomPages(r *rand.Rand, n, dims int) []store.Bundle {
	words := strings.Fields("gradient boosting builds trees in stages; max_depth limits each tree, learning_rate shrinks steps")
	pages := make([]store.Bundle, n)
	for i := range pages {
		sections := make([][]passage, 2)
		for j := range sections {
			for k := range 3 {
				var text strings.Builder
				for range 3 + r.IntN(9) {
					text.WriteString(words[r.IntN(len(words))] + " ")
				}
				p := passage{text: text.String(), vector: randomUnit(r, dims)}
				if j == 1 && k == 2 {
					p.vector = nil
				}
				sections[j] = append(sections[j], p)
			}
		}
		pages[i] = withDocument(page("https://example.org/"+ID(string(rune('a' + i)))[:8], sections...), func(d *store.Document) {
			d.Depth = r.IntN(3)
		})
	}
	return pages
}
