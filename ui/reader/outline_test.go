package reader

import (
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/rendering"
)

func TestSectionsWithoutHeadingsAreInTheOutline(t *testing.T) {
	got := outlineOf([]store.Chunk{
		{ID: "a", Title: "The page"},
		{ID: "b", HeadingPath: []string{"Top", "Sub"}},
		{ID: "c", HeadingPath: []string{"Top", "Sub"}},
	}, map[string]string{"a": "banner", "b": "intro\n## Sub\n", "c": "more"})
	want := []outlineEntry{
		{"a", rendering.Heading{Level: 1, Text: "The page"}},
		{"b", rendering.Heading{Level: 1, Text: "Sub, continued"}},
		{"b", rendering.Heading{Level: 2, Text: "Sub", At: 6}},
		{"c", rendering.Heading{Level: 2, Text: "Sub, continued"}},
	}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	}
}
