package transfer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/webrag/webrag-tui/store"
)

// DifferenceError says where a copy differs from its source.
type DifferenceError struct {
	// Of is what differs: a document's address, or the name of a sum.
	Of string
	// What differs, and the two sides in words.
	What, Source, Copy string
}

func (e *DifferenceError) Error() string {
	return fmt.Sprintf("%s: %s differs: %s in the source, %s in the copy", e.Of, e.What, e.Source, e.Copy)
}

// Verify reads both corpora and compares them: every document that from shows
// with all its chunks, texts, vectors and links, and every edge between them,
// whatever its origin. It returns a DifferenceError for the first that to has not,
// or has otherwise. What to has beside them is not looked at.
//
// Left out is what belongs to one visit to a page: indexed_at, fetched_at,
// status_code, published_time, modified_time and the ingestion. A store that holds
// an equal page keeps its own, so that a page that was indexed on both sides has
// two visits and is one page.
//
// Edges of links are made by each store from its own pages. They are compared but
// for those that lead to a page with an address that another page of to has,
// which was not copied: there the link may lead to that one. Of a database of
// another program, which knows links between pages and not sections, they are not
// compared.
func Verify(ctx context.Context, from, to store.Store, o Options) (err error) {
	a, err := from.Read(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	b, err := to.Read(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	if x, y := a.Meta(), b.Meta(); x.EmbedderID != y.EmbedderID || x.Dimensions != y.Dimensions || x.Tokenizer != y.Tokenizer {
		return &DifferenceError{
			Of: "the corpus", What: "what it was made with",
			Source: fmt.Sprintf("%s, %d dimensions, %s", x.EmbedderID, x.Dimensions, x.Tokenizer),
			Copy:   fmt.Sprintf("%s, %d dimensions, %s", y.EmbedderID, y.Dimensions, y.Tokenizer),
		}
	}
	total, err := a.Stats(ctx, store.Scope{})
	if err != nil {
		return err
	}
	c := copier{from: from, source: a, report: &Report{}}
	copied := make(map[string][]string)
	done := 0
	err = eachDocument(ctx, a, func(d store.Document) error {
		want, err := c.bundle(ctx, d)
		if err != nil {
			return err
		}
		docs, err := b.Documents(ctx, store.Scope{DocumentIDs: []string{want.Document.ID}}, store.Page{})
		if err != nil {
			return err
		}
		if len(docs) != 1 {
			return &DifferenceError{Of: d.SourceURL, What: "the page", Source: "there", Copy: "missing"}
		}
		got, err := read(ctx, b, docs[0])
		if err != nil {
			return err
		}
		if err := compare(&want, &got); err != nil {
			return err
		}
		copied[want.Document.ID] = addressKeys(&want.Document)
		done++
		o.progress(done, total.Documents)
		return nil
	})
	if err != nil || c.lacks(store.CapEdges) {
		return err
	}
	return verifyEdges(ctx, from.Info(), a, b, copied)
}

// compare returns the first difference of two bundles.
func compare(want, got *store.Bundle) error {
	of := want.Document.SourceURL
	x, y := want.Document, got.Document
	for _, d := range []*store.Document{&x, &y} {
		// These are the target's own.
		d.Changed, d.TokenCount, d.ParentCount = 0, 0, 0
		// And these of the visit that it keeps.
		d.IndexedAt, d.FetchedAt, d.StatusCode, d.PublishedTime, d.ModifiedTime = time.Time{}, time.Time{}, 0, "", ""
		d.CurrentIngestionID = ""
	}
	if field, s, t := firstDifference(x, y); field != "" {
		return &DifferenceError{Of: of, What: field, Source: s, Copy: t}
	}
	if len(want.Chunks) != len(got.Chunks) {
		return &DifferenceError{Of: of, What: "the number of chunks", Source: fmt.Sprint(len(want.Chunks)), Copy: fmt.Sprint(len(got.Chunks))}
	}
	byID := make(map[string]store.Chunk, len(got.Chunks))
	for _, c := range got.Chunks {
		byID[c.ID] = c
	}
	for _, c := range want.Chunks {
		other, ok := byID[c.ID]
		if !ok {
			return &DifferenceError{Of: of, What: "chunk " + c.ID, Source: "there", Copy: "missing"}
		}
		if !sameVector(c.Embedding, other.Embedding) {
			return &DifferenceError{Of: of, What: "the vector of chunk " + c.ID, Source: vectorWords(c.Embedding), Copy: vectorWords(other.Embedding)}
		}
		c.Embedding, other.Embedding = nil, nil
		// The document's, which were compared or are of its visit.
		c.Depth, c.Title, c.SourceURL, c.FetchedAt, c.IngestionID = other.Depth, other.Title, other.SourceURL, other.FetchedAt, other.IngestionID
		if field, s, t := firstDifference(c, other); field != "" {
			return &DifferenceError{Of: of, What: field + " of chunk " + c.ID, Source: s, Copy: t}
		}
	}
	if !slices.Equal(want.Links, got.Links) {
		return &DifferenceError{Of: of, What: "the links", Source: fmt.Sprint(len(want.Links)), Copy: fmt.Sprint(len(got.Links))}
	}
	if !slices.Equal(want.Edges, got.Edges) {
		return &DifferenceError{Of: of, What: "the edges of its structure", Source: fmt.Sprint(len(want.Edges)), Copy: fmt.Sprint(len(got.Edges))}
	}
	return nil
}

// halfPrecision bounds what a component loses in a database that keeps vectors in
// 16 bits: half a step below 1.
const halfPrecision = 1.0 / 2048

func sameVector(a, b []float32) bool {
	return len(a) == len(b) && !slices.ContainsFunc(indices(a), func(i int) bool {
		return math.Abs(float64(a[i])-float64(b[i])) > halfPrecision
	})
}

func indices(v []float32) []int {
	list := make([]int, len(v))
	for i := range list {
		list[i] = i
	}
	return list
}

func vectorWords(v []float32) string {
	if v == nil {
		return "none"
	}
	return fmt.Sprintf("%d dimensions", len(v))
}

// firstDifference returns the first field of two structs that differs, by the name
// that its column has. Lists and
// maps that are empty are like none, times are compared as instants to the
// microsecond that databases keep.
func firstDifference[T any](a, b T) (field, source, other string) {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range x.NumField() {
		p, q := x.Field(i), y.Field(i)
		if same(p, q) {
			continue
		}
		return columnName(x.Type().Field(i).Name), short(p), short(q)
	}
	return "", "", ""
}

// columnName is the name that a field of a document or a chunk has in a database
// and in JSON: SectionHeading is section_heading, HTMLText html_text, URLAliases
// url_aliases.
func columnName(field string) string {
	switch field {
	case "Level", "Index":
		field = "Chunk" + field
	}
	var name strings.Builder
	letters := []rune(field)
	for i, r := range letters {
		// A word begins where its first letter follows a small one, or has one after
		// it at the end of an abbreviation.
		if i > 0 && unicode.IsUpper(r) && (!unicode.IsUpper(letters[i-1]) || i+1 < len(letters) && !unicode.IsUpper(letters[i+1])) {
			name.WriteByte('_')
		}
		name.WriteRune(unicode.ToLower(r))
	}
	return name.String()
}

func same(p, q reflect.Value) bool {
	if t, ok := p.Interface().(interface{ UnixMicro() int64 }); ok {
		u, _ := q.Interface().(interface{ UnixMicro() int64 })
		return t.UnixMicro() == u.UnixMicro()
	}
	if k := p.Kind(); (k == reflect.Slice || k == reflect.Map) && p.Len() == 0 && q.Len() == 0 {
		return true
	}
	return reflect.DeepEqual(p.Interface(), q.Interface())
}

// short prints a value for a sentence.
func short(v reflect.Value) string {
	const most = 60
	s := fmt.Sprintf("%v", v.Interface())
	if v.Kind() == reflect.String {
		s = fmt.Sprintf("%q", s)
	}
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
