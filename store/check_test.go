package store_test

import (
	"errors"
	"math"
	"testing"

	"github.com/webrag/webrag-tui/store"
)

func TestParseID(t *testing.T) {
	for s, want := range map[string]bool{
		"00000000-0000-5000-8000-00000000000a":          true,
		"00000000-0000-5000-8000-00000000000A":          false,
		"0000000000005000800000000000000a":              false,
		"{00000000-0000-5000-8000-00000000000a}":        false,
		"urn:uuid:00000000-0000-5000-8000-00000000000a": false,
		"00000000-0000-5000-8000-00000000000g":          false,
		"":                                              false,
	} {
		if id, ok := store.ParseID(s); ok != want || ok && id.String() != s {
			t.Errorf("ParseID(%q) = %v, %v, want %v", s, id, ok, want)
		}
	}
}

func TestCheckUnit(t *testing.T) {
	for _, c := range []struct {
		v  []float32
		ok bool
	}{
		{[]float32{0.6, 0.8}, true},
		{[]float32{0.6005, 0.8}, true}, // length 1.0003
		{[]float32{0.602, 0.8}, false}, // length 1.0012
		{[]float32{0, 0}, false},
		{nil, false},
		{[]float32{float32(math.NaN()), 1}, false},
		{[]float32{float32(math.Inf(1)), 0}, false},
		{[]float32{3e38, 3e38}, false},
	} {
		if err := store.CheckUnit(c.v); (err == nil) != c.ok {
			t.Errorf("%v: %v", c.v, err)
		}
	}
}

// The sums are the store's to make, and so is what follows from an edge's ends.
func TestCheckBundleFillsIn(t *testing.T) {
	const doc, one, two, child = "00000000-0000-5000-8000-000000000001", "00000000-0000-5000-8000-000000000002",
		"00000000-0000-5000-8000-000000000003", "00000000-0000-5000-8000-000000000004"
	edge := store.Edge{SourceID: one, TargetID: two, Relation: store.Sequence, Weight: 0.5}
	again := edge
	again.Weight = 1
	b := store.Bundle{
		Document: store.Document{ID: doc, SourceURL: "u", CurrentIngestionID: "i", TokenCount: 99, ParentCount: 99},
		Chunks: []store.Chunk{
			{ID: one, DocumentID: doc, Level: store.Parent, TokenStart: 0, TokenEnd: 10},
			{ID: child, DocumentID: doc, ParentID: one, Level: store.Child, TokenEnd: 10, Embedding: []float32{1, 0}},
			{ID: two, DocumentID: doc, Level: store.Parent, TokenStart: 10, TokenEnd: 17},
		},
		Edges: []store.Edge{edge, again},
	}
	if err := store.CheckBundle(&b, store.Meta{Dimensions: 2}, ""); err != nil {
		t.Fatal(err)
	}
	if d := b.Document; d.TokenCount != 17 || d.ParentCount != 2 {
		t.Errorf("%d tokens in %d parents, want 17 in 2", d.TokenCount, d.ParentCount)
	}
	want := edge
	want.ID, want.DocumentID, want.TargetDocumentID, want.Origin = store.EdgeID(one, two, store.Sequence), doc, doc, store.OriginStructure
	if len(b.Edges) != 1 || b.Edges[0] != want {
		t.Errorf("edges %+v, want %+v", b.Edges, want)
	}
	var mismatch *store.MismatchError
	if err := store.CheckBundle(&b, store.Meta{EmbedderID: "e", Dimensions: 3}, ""); !errors.As(err, &mismatch) || mismatch.WantDims != 2 {
		t.Errorf("another dimension: %v", err)
	}
	if err := store.CheckBundle(&b, store.Meta{Dimensions: 2}, "alice"); err == nil {
		t.Error("nobody's document was taken for alice's")
	}
}
