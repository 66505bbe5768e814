package transfer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

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
// with all its chunks, texts, vectors, links and edges. It returns a
// DifferenceError for the first that to has not, or has otherwise. What to has
// beside them is not looked at.
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
	done := 0
	return eachDocument(ctx, a, func(d store.Document) error {
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
		done++
		o.progress(done, total.Documents)
		return nil
	})
}

// compare returns the first difference of two bundles.
func compare(want, got *store.Bundle) error {
	of := want.Document.SourceURL
	x, y := want.Document, got.Document
	// These are the target's own.
	for _, d := range []*store.Document{&x, &y} {
		d.Changed, d.TokenCount, d.ParentCount = 0, 0, 0
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
		// The document's, which were compared.
		c.Depth, c.Title, c.SourceURL, c.FetchedAt = other.Depth, other.Title, other.SourceURL, other.FetchedAt
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

// firstDifference returns the first field of two structs that differs. Lists and
// maps that are empty are like none, times are compared as instants to the
// microsecond that databases keep.
func firstDifference[T any](a, b T) (field, source, other string) {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range x.NumField() {
		p, q := x.Field(i), y.Field(i)
		if same(p, q) {
			continue
		}
		return strings.ToLower(x.Type().Field(i).Name), short(p), short(q)
	}
	return "", "", ""
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
