package reader

import (
	"testing"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
)

func TestNothingIsPaintedWithoutACosine(t *testing.T) {
	it := &retrieval.Item{ChunkText: "decay of depth", CharStart: 10, CharEnd: 24, Matches: []retrieval.Match{{ChunkID: "a", CharStart: 10, CharEnd: 24}}}
	if marks := paintedWords(&session.Cosines{Exact: true, Children: map[string]session.Cosine{}}, "decay", it); len(marks) != 0 {
		t.Errorf("painted are %v", marks)
	}
	// Words without spaces overlap: what is painted already is left out.
	known := &session.Cosines{Exact: true, Children: map[string]session.Cosine{"a": {Query: []embedder.WordShare{{Start: 0, End: 5, Share: .4}}, Text: []embedder.WordShare{
		{Start: 10, End: 12, Share: .2}, {Start: 11, End: 12, Share: .2}, {Start: 11, End: 13, Share: .2}, {Start: 15, End: 17, Share: .01}, {Start: 18, End: 23, Share: -.1},
	}}}}
	marks := paintedWords(known, "decay", it)
	if len(marks) != 2 || marks[0].End != 2 || marks[1].Start != 2 || marks[1].End != 3 {
		t.Errorf("marks are %+v", marks)
	}
}
