package indexing_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/indexing/source"
)

// Other words about a page are written, and are no other ingestion: its chunks
// stay as they are.
func TestMetadataAloneIsWritten(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	page := markdown("trees.md", trees)
	b.mustRun(page)
	before := b.read()
	for _, change := range []func(d *source.NormalizedDocument){
		func(d *source.NormalizedDocument) { d.Metadata = map[string]string{"module": "trees"} },
		func(d *source.NormalizedDocument) { d.Tags = []string{"a"} },
		func(d *source.NormalizedDocument) { d.SourceType = "upload" },
		func(d *source.NormalizedDocument) { d.Filename = "trees.md" },
		func(d *source.NormalizedDocument) { d.Metadata = nil },
	} {
		change(&page)
		if report := b.mustRun(page); report.Updated != 1 || report.Embedded != 0 {
			t.Fatalf("%+v", report)
		}
		if report := b.mustRun(page); report.Unchanged != 1 {
			t.Fatalf("again: %+v", report)
		}
	}
	after := b.read()
	got, was := after.documents[page.URL], before.documents[page.URL]
	if got.Metadata != nil || !slices.Equal(got.Tags, []string{"a"}) || got.SourceType != "upload" || got.Filename != "trees.md" {
		t.Errorf("stored %+v", got)
	}
	if got.CurrentIngestionID != was.CurrentIngestionID || got.CurrentIngestionID == "" {
		t.Errorf("the ingestion was %q and is %q", was.CurrentIngestionID, got.CurrentIngestionID)
	}
	if !sameStoredChunks(before, after, page.URL) {
		t.Error("the chunks are others")
	}

	page.Markdown += "\nOne more line.\n"
	b.mustRun(page)
	after = b.read()
	got = after.documents[page.URL]
	if got.CurrentIngestionID == was.CurrentIngestionID {
		t.Error("another text is the same ingestion")
	}
	for _, c := range slices.Concat(after.parents[page.URL], after.children[page.URL]) {
		if c.IngestionID != got.CurrentIngestionID {
			t.Errorf("chunk %s is of the ingestion %s", c.ID, c.IngestionID)
		}
	}
}

func sameStoredChunks(a, b stored, url string) bool {
	ids := func(s stored) map[string]string {
		out := map[string]string{}
		for _, c := range slices.Concat(s.parents[url], s.children[url]) {
			out[c.ID] = c.IngestionID + c.ChunkText + c.FetchedAt.Format(time.RFC3339)
		}
		return out
	}
	return maps.Equal(ids(a), ids(b))
}
