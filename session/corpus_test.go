package session

import (
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
)

// What should be known of a database is said when it is opened.
func TestNoticesOfACorpus(t *testing.T) {
	notices := noticesOf(store.Info{
		Foreign: true,
		Missing: map[store.Capability]string{store.CapOwners: "it knows no owners", store.CapKeyword: "there is no index of words"},
	})
	want := []string{
		"another program made this corpus: it is shown as that program sees it, and never written",
		"no keyword search: there is no index of words", "no owners: it knows no owners",
	}
	if !slices.EqualFunc(notices, want, func(n retrieval.Notice, text string) bool { return n.Code == "corpus" && n.Text == text }) {
		t.Errorf("got %+v", notices)
	}
	if n := noticesOf(store.Info{Missing: map[store.Capability]string{store.CapApprox: "no index"}}); len(n) != 0 {
		t.Errorf("a corpus of ours: %v", n)
	}
}

// A corpus that keeps no links has those of its texts.
func TestLinksInTexts(t *testing.T) {
	c := store.Chunk{ID: "c", SourceURL: "https://a.example/docs/x", ChunkText: "[one](../y#z) ![no](i.png) <https://b.example/q> [js](javascript:alert(1))"}
	got := linksIn(&c)
	want := []store.Link{
		{ChunkID: "c", TargetURL: "https://a.example/y", Anchor: "z", Text: "one"},
		{ChunkID: "c", TargetURL: "https://b.example/q"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}
