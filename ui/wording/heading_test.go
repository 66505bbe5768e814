package wording

import (
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/session"
)

// Both ends of a path say something: what stands between goes first, then the end of the
// longer one; where that leaves too little of a page, the section alone stands there.
func TestPathsAreCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		path string
		w    int
		want string
	}{
		{"git-reset(1) › EXAMPLES", 23, "git-reset(1) › EXAMPLES"},
		{"git-reset(1) › EXAMPLES", 20, "git-rese… › EXAMPLES"},
		{"gitfaq › Rewriting a shared history", 20, "gitfaq › Rewriting …"},
		{"A long title › A long heading", 21, "A long t… › A long h…"},
		{"git › a › b › EXAMPLES", 20, "git › … › EXAMPLES"},
		{"git-reset(1) › EXAMPLES", 12, "EXAMPLES"},
		{"Only a long title", 8, "Only a …"},
		{"Only a long title 2/3", 12, "Only a … 2/3"},
		{"git-reset(1) › EXAMPLES 2/3", 24, "git-rese… › EXAMPLES 2/3"},
	} {
		if got := CutPath(c.path, c.w); got != c.want {
			t.Errorf("%q in %d is %q, want %q", c.path, c.w, got, c.want)
		}
	}
}

// Names are as short as they tell sections apart: two of different pages have these, two of
// one page what stands above them.
func TestTelling(t *testing.T) {
	t.Parallel()
	of := func(page string, part int, path ...string) *retrieval.Item {
		return &retrieval.Item{SourceURL: page, Title: page, HeadingPath: path, Part: part, Parts: 2 * min(part, 1)}
	}
	for _, c := range []struct {
		items []*retrieval.Item
		want  []string
	}{
		{[]*retrieval.Item{of("log", 0, "NAME"), of("diff", 0, "OPTIONS")}, []string{"NAME", "OPTIONS"}},
		{[]*retrieval.Item{of("log", 0, "OPTIONS"), of("diff", 0, "OPTIONS")}, []string{"log › OPTIONS", "diff › OPTIONS"}},
		{[]*retrieval.Item{of("log", 1, "OPTIONS"), of("log", 2, "OPTIONS")}, []string{"OPTIONS 1/2", "OPTIONS 2/2"}},
		{[]*retrieval.Item{of("log", 0, "Chapter 1", "More"), of("log", 0, "Chapter 2", "More")}, []string{"Chapter 1 › More", "Chapter 2 › More"}},
	} {
		if got := Telling(c.items, nil); !slices.Equal(got, c.want) {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// A page is called without what the titles of many share, also where a section stands behind.
func TestCausesCallPagesAsListsDo(t *testing.T) {
	shared := session.TitleSuffixes{" — The Site"}
	p := phrase.Passes.With(phrase.Named("API — The Site › Sessions"), phrase.Named("Config — The Site"))
	if got, want := Cause(p, shared), "API › Sessions passes Config"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
