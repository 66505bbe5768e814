package store_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/store"
)

func TestLinkEdge(t *testing.T) {
	t.Parallel()
	source := store.Chunk{ID: "s", DocumentID: "d1", Title: "Source"}
	parents := []store.Chunk{
		{ID: "p0", DocumentID: "d2", Title: "The page"},
		{ID: "p1", DocumentID: "d2", Title: "The page", SectionHeading: "First  part", Anchor: "first", Anchors: []string{"first", "term-a"}},
		{ID: "p2", DocumentID: "d2", Title: "The page", SectionHeading: "First part", Anchor: "term-a"}, // goes on with what began in p1
		{ID: "p3", DocumentID: "d2", Title: "The page", SectionHeading: "Last", Anchor: "last", Anchors: []string{"über", "first"}},
		{ID: "p4", DocumentID: "d2", Title: "The page", SectionHeading: "Old", Anchor: "old"},
		source,
	}
	long := strings.Repeat("wörd ", 60)
	for name, c := range map[string]struct {
		link        store.Link
		target      string
		description string
	}{
		"no anchor":              {store.Link{Text: "here"}, "p0", `links to "The page" from "here"`},
		"a heading":              {store.Link{Anchor: "first", Text: "here"}, "p1", `links to "First part" from "here"`},
		"inside":                 {store.Link{Anchor: "term-a", Text: " a\nterm "}, "p1", `links to "First part" from "a term"`},
		"inside, other script":   {store.Link{Anchor: "über", Text: "x"}, "p3", `links to "Last" from "x"`},
		"begins with it only":    {store.Link{Anchor: "old", Text: "x"}, "p4", `links to "Old" from "x"`},
		"unknown: the first":     {store.Link{Anchor: "nowhere", Text: "x"}, "p0", `links to "The page" from "x"`},
		"case matters":           {store.Link{Anchor: "First", Text: "x"}, "p0", `links to "The page" from "x"`},
		"an image has no text":   {store.Link{Anchor: "last"}, "p3", `links to "Last"`},
		"a paragraph of text":    {store.Link{Anchor: "last", Text: long}, "p3", `links to "Last" from "` + strings.TrimSpace(long[:len("wörd ")*24-1]) + `…"`},
		"text that is not UTF-8": {store.Link{Anchor: "last", Text: "a\xffb"}, "p3", "links to \"Last\" from \"a\uFFFDb\""},
	} {
		e, ok := store.LinkEdge(c.link, source, parents)
		want := store.Edge{
			ID: store.EdgeID("s", c.target, store.References), DocumentID: "d1", SourceID: "s",
			TargetDocumentID: "d2", TargetID: c.target, Relation: store.References, Weight: 1,
			Description: c.description, Origin: store.OriginLink,
		}
		if !ok || e != want {
			t.Errorf("%s: %+v, %v, want %+v", name, e, ok, want)
		}
	}
	titled := []store.Chunk{
		{ID: "front", DocumentID: "d2", Title: "Trees"},
		{ID: "title", DocumentID: "d2", Title: "Trees", SectionHeading: "Trees", Anchor: "trees", Anchors: []string{"trees"}},
	}
	for _, l := range []store.Link{{}, {Anchor: "nowhere"}} {
		if e, ok := store.LinkEdge(l, source, titled); !ok || e.TargetID != "title" {
			t.Errorf("%+v leads before the title: %+v, %v", l, e, ok)
		}
	}
	titled[0].SectionHeading = "News"
	if e, ok := store.LinkEdge(store.Link{}, source, titled); !ok || e.TargetID != "front" {
		t.Errorf("a page that begins with a heading: %+v, %v", e, ok)
	}
	if e, ok := store.LinkEdge(store.Link{Anchor: "x"}, source, nil); ok {
		t.Errorf("a page without sections: %+v", e)
	}
	if e, ok := store.LinkEdge(store.Link{}, parents[0], parents); ok {
		t.Errorf("a link to its own section: %+v", e)
	}
	if e, _ := store.LinkEdge(store.Link{}, source, []store.Chunk{{ID: "bare"}}); e.Description != "links to this page" {
		t.Errorf("a page without title: %q", e.Description)
	}
}

// A page finds for any number of links what a scan finds for each.
func TestLinkPage(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		anchor := rapid.SampledFrom([]string{"", "a", "b", "c", "d", "e"})
		parents := make([]store.Chunk, rapid.IntRange(0, 6).Draw(t, "parents"))
		for i := range parents {
			parents[i] = store.Chunk{
				ID: string(rune('0' + i)), DocumentID: "d", Title: anchor.Draw(t, "title"), SectionHeading: anchor.Draw(t, "heading"),
				Anchor: anchor.Draw(t, "anchor"), Anchors: rapid.SliceOfN(anchor, 0, 3).Draw(t, "anchors"),
			}
		}
		page := store.LinkPage{Parents: parents}
		for _, a := range rapid.SliceOf(anchor).Draw(t, "links") {
			l, source := store.Link{Anchor: a, Text: "x"}, store.Chunk{ID: "0", DocumentID: "d"}
			got, ok := page.Edge(l, source)
			want, wanted := store.LinkEdge(l, source, parents)
			if got != want || ok != wanted {
				t.Fatalf("the link to %q: %+v, %v, want %+v, %v", a, got, ok, want, wanted)
			}
		}
	})
}
