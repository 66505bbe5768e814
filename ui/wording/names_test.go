package wording

import (
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
)

// Two rows of a list never look alike where anything is known that tells them apart: the address
// of the page, the headings above, that there is no heading, the first words.
func TestNamesOfAListDiffer(t *testing.T) {
	t.Parallel()
	of := func(id, page, title, text string, path ...string) *retrieval.Item {
		return &retrieval.Item{ChunkID: id, SourceURL: "file:docs/" + page, Title: title, ChunkText: text, HeadingPath: path}
	}
	all := []*retrieval.Item{
		of("a", "git.html", "git(1)", "", "Main commands"), of("b", "index.html", "git(1)", "", "Main commands"),
		of("c", "fill.html", "Fill", "Next: Up:"), of("d", "fill.html", "Fill", "", "Fill"),
		of("e", "log.html", "log", "", "First", "More"), of("f", "log.html", "log", "", "Second", "More"), of("e", "log.html", "log", "", "First", "More"),
		of("g", "cut.html", "Cut", "One thing", "Cut"), of("h", "cut.html", "Cut", "Another", "Cut"),
		of("i", "trees.html", "Trees — a site", "", "Trees"), of("j", "other.html", "Trees (other)", "", "Trees"),
		of("k", "alone.html", "Alone", "", "Alone"),
	}
	names := NamesOf(all, session.TitleSuffixes{" — a site"})
	for i, want := range []string{
		"git(1) (git.html) › Main commands", "git(1) (index.html) › Main commands", "Fill › (without heading)", "Fill",
		"log › First › More", "log › Second › More", "log › First › More", "Cut › “One thing”", "Cut › “Another”", "Trees", "Trees (other)", "Alone",
	} {
		if got := names.Of(all[i]); got != want {
			t.Errorf("%s is called %q, want %q", all[i].ChunkID, got, want)
		}
	}
	below := Telling(all[2:4], nil)
	if below[0] != Headless || below[1] != "Fill" {
		t.Errorf("below their page they are called %q", below)
	}
}

// A page is not said twice where one of both would be cut for it: a number before the heading
// makes it no other one.
func TestPagesAreNotSaidTwice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		path string
		w    int
		want string
	}{
		{"Linear Least Squares › 25.4 Linear Least Squares 1/4", 52, "Linear Least Squares › 25.4 Linear Least Squares 1/4"},
		{"Linear Least Squares › 25.4 Linear Least Squares 1/4", 40, "25.4 Linear Least Squares 1/4"},
		{"Linear Least Squares › 25.4 Linear Least Squares 1/4", 20, "25.4 Linear Lea… 1/4"},
		{"Steps › Steps › “Next thing” 2/3", 26, "Steps › “Next thing” 2/3"},
		{"Steps › Other steps 2/3", 20, "Steps › Other s… 2/3"},
	} {
		if got := CutPath(c.path, c.w); got != c.want {
			t.Errorf("%q in %d cells is %q, want %q", c.path, c.w, got, c.want)
		}
	}
}

// Sections that are listed by their names alone say which of them has no heading.
func TestListedSectionsDiffer(t *testing.T) {
	t.Parallel()
	got := SectionTrails([]session.SectionName{
		{SourceURL: "a", Title: "Steps"}, {SourceURL: "a", Title: "Steps", Headings: []string{"Steps"}}, {SourceURL: "b", Title: "Steps"},
	}, nil)
	if want := []string{"Steps › (without heading)", "Steps", "Steps"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
