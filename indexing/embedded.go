package indexing

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// Embedded is the text that was embedded for a child: more than the child's own,
// and less where that only leads elsewhere.
type Embedded struct {
	ChunkID string
	// Text is empty for a child without words.
	Text  string
	Parts []EmbeddedPart
	// Agrees reports that this is the text that was indexed, by its hash. It is not
	// where another program made the corpus, or where what is embedded has changed
	// since.
	Agrees bool
	// Vector is what is stored, nil for nothing.
	Vector []float32
}

// EmbeddedPart is a run of an embedded text that comes from one place.
type EmbeddedPart struct {
	From EmbeddedFrom
	// Start and End are code points of the text; the parts follow each other.
	Start, End int
	// At is where the page's markdown has this run, in code points; of EmbeddedBody
	// alone.
	At int
}

// EmbeddedFrom says where a part of an embedded text comes from.
type EmbeddedFrom int

// The origins. A repeated part is the first line of the code block, or the head of
// the table, that the child goes on with.
const (
	EmbeddedTitle EmbeddedFrom = iota
	EmbeddedHeadings
	EmbeddedRepeated
	EmbeddedBody
)

// Page is the run of the page's markdown, in code points, from which the code
// points [start, end) of the text come; false for words of the other parts.
func (e *Embedded) Page(start, end int) (from, to int, ok bool) {
	first, last := e.part(start), e.part(end-1)
	if first == nil || last == nil || first.From != EmbeddedBody || last.From != EmbeddedBody {
		return 0, 0, false
	}
	return first.At + start - first.Start, last.At + end - last.Start, true
}

// From is the origin of a code point.
func (e *Embedded) From(at int) EmbeddedFrom {
	if p := e.part(at); p != nil {
		return p.From
	}
	return EmbeddedBody
}

func (e *Embedded) part(at int) *EmbeddedPart {
	i := sort.Search(len(e.Parts), func(i int) bool { return e.Parts[i].End > at })
	if i == len(e.Parts) || at < e.Parts[i].Start {
		return nil
	}
	return &e.Parts[i]
}

// EmbeddedTexts makes the texts to embed of some children of a stored document
// again, in the order of the page, with their vectors. A document that is gone has
// none.
func EmbeddedTexts(ctx context.Context, v store.View, documentID string, ids map[string]bool) ([]Embedded, error) {
	p, children, err := storedPage(ctx, v, documentID, store.FieldEmbedding)
	if err != nil {
		return nil, fmt.Errorf("read what was embedded: %w", err)
	}
	var out []Embedded
	for i := range children {
		if c := &children[i]; ids[c.ID] {
			out = append(out, p.embedded(c))
		}
	}
	return out, nil
}

// storedPage is the page of a stored document with its children, in order; nil
// where there is none.
func storedPage(ctx context.Context, v store.View, documentID string, fields store.Fields) (*page, []store.Chunk, error) {
	parents, err := v.Parents(ctx, store.Scope{DocumentIDs: []string{documentID}}, store.FieldText, store.Page{})
	if err != nil || len(parents) == 0 {
		return nil, nil, err
	}
	var text strings.Builder
	ids := make([]string, len(parents))
	for i := range parents {
		text.WriteString(parents[i].ChunkText) // parents come in order and partition the text
		ids[i] = parents[i].ID
	}
	children, err := v.Children(ctx, ids, fields)
	if err != nil {
		return nil, nil, err
	}
	p := &page{text: text.String(), index: offset.NewIndex(text.String())}
	p.scan()
	return p, children, nil
}

// embedTextOf is what is embedded for a stored child of the page.
func (p *page) embedTextOf(c *store.Chunk) string {
	from, to := p.index.Byte(c.CharStart), p.index.Byte(c.CharEnd)
	_, header := p.cont(from, to)
	return embedText(c.Title, p.embedPath(c.HeadingPath, c.Flags, from, to), header, p.embedBody(from, to))
}

// embedded is the text of a stored child with the origin of each of its parts.
func (p *page) embedded(c *store.Chunk) Embedded {
	e := Embedded{ChunkID: c.ID, Text: p.embedTextOf(c), Vector: c.Embedding}
	e.Agrees = c.EmbedHash != "" && hashText(e.Text) == c.EmbedHash
	if e.Text == "" {
		return e
	}
	from, to := p.index.Byte(c.CharStart), p.index.Byte(c.CharEnd)
	body := p.embedBody(from, to)
	blank := len(body) - len(strings.TrimLeftFunc(body, unicode.IsSpace))
	body = strings.TrimSpace(body)
	_, header := p.cont(from, to)
	names := len(e.Text) - len(header) - len(body)

	at, point := 0, 0
	add := func(kind EmbeddedFrom, size, page int) {
		if size == 0 {
			return
		}
		n := utf8.RuneCountInString(e.Text[at : at+size])
		e.Parts = append(e.Parts, EmbeddedPart{From: kind, Start: point, End: point + n, At: page})
		at, point = at+size, point+n
	}
	add(EmbeddedTitle, min(len(c.Title), names), 0)
	add(EmbeddedHeadings, names-at, 0)
	add(EmbeddedRepeated, len(header), 0)
	for _, kept := range besides(from, to, p.quiet) {
		size := kept.to - kept.from
		cut := min(blank, size)
		blank -= cut
		add(EmbeddedBody, min(size-cut, len(e.Text)-at), p.index.Point(kept.from+cut))
	}
	return e
}

// besides are the runs of [from, to) outside of the holes: what [without] joins.
func besides(from, to int, holes []hole) []hole {
	var kept []hole
	i := sort.Search(len(holes), func(i int) bool { return holes[i].to > from })
	for at := from; at < to; i++ {
		end := to
		if i < len(holes) {
			end = min(to, holes[i].from)
		}
		if end > at {
			kept = append(kept, hole{at, end})
		}
		if i == len(holes) {
			break
		}
		at = holes[i].to
	}
	return kept
}
