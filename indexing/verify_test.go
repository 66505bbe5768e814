package indexing_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/store"
)

// A stored page holds what was indexed; whatever of it changes is found.
func TestVerify(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.mustRun(markdown("trees.md", trees+strings.Repeat("\n\n## Again\n\nThe same text.\n", 5)))
	s := b.read()
	const url = "https://example.org/trees.md"
	v, err := b.store.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	found, err := v.Links(t.Context(), s.documents[url].ID)
	if err != nil || len(found) == 0 {
		t.Fatal(found, err)
	}
	if known, err := indexing.Verify(s.documents[url], s.parents[url], s.children[url], found); err != nil || !known {
		t.Fatalf("as it was indexed: %v, %v", known, err)
	}
	rapid.Check(t, func(t *rapid.T) {
		d, links := s.documents[url], slices.Clone(found)
		parents, children := slices.Clone(s.parents[url]), slices.Clone(s.children[url])
		which := rapid.SampledFrom([][]store.Chunk{parents, children}).Draw(t, "level")
		c := &which[rapid.IntRange(0, len(which)-1).Draw(t, "chunk")]
		more := rapid.SampledFrom([]int{-1, 1, 1000}).Draw(t, "more")
		switch what := rapid.IntRange(0, 11).Draw(t, "what"); what {
		case 0:
			c.ChunkText += "x"
		case 1:
			c.ChunkText = "x" + c.ChunkText[1:]
		case 2:
			c.CharStart += more
		case 3:
			c.CharEnd += more
		case 4:
			c.TokenStart += more
		case 5:
			c.Index += more
		case 6:
			c.Depth += more
		case 7:
			c.HTMLText += "x"
		case 8:
			c.SectionHeading += "x"
		case 9:
			children[0].ParentID = parents[len(parents)-1].ID
		case 10:
			d.Title += "x"
		case 11:
			links = append(links, store.Link{ChunkID: parents[0].ID, TargetURL: "https://example.org/"})
		}
		if known, err := indexing.Verify(d, parents, children, links); err == nil || !known {
			t.Fatalf("a change is not found: %+v", *c)
		}
	})
	// Of what another version made, what it cannot know is left alone.
	d := s.documents[url]
	d.PipelineFingerprint = "pipeline=1;"
	parents := slices.Clone(s.parents[url])
	parents[0].CharStart = 7
	if known, err := indexing.Verify(d, parents, s.children[url], found); err != nil || known {
		t.Errorf("another version: %v, %v", known, err)
	}
	if _, err := indexing.Verify(d, parents[1:], s.children[url], found); err == nil || !strings.Contains(fmt.Sprint(err), "has no section") {
		t.Errorf("a section is gone: %v", err)
	}
}
