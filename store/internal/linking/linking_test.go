package linking

import (
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/store"
)

func TestKeysAreOnceEachByRank(t *testing.T) {
	d := store.Document{
		SourceURL: "https://a.example/new", URL: "https://a.example/old/",
		URLAliases: []string{"http://a.example/old", "", "https://a.example/older", "https://a.example/new#top"},
	}
	var want []string
	for _, address := range []string{d.SourceURL, d.URL, "https://a.example/older"} {
		want = append(want, store.PageKey(address))
	}
	if got := Keys(&d); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
