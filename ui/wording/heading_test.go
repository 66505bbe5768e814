package wording

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

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
		{"git-reset(1) › EXAMPLES ¶2", 24, "git-reset… › EXAMPLES ¶2"},
		{"git-reset(1) › EXAMPLES", 23, "git-reset(1) › EXAMPLES"},
		{"git-reset(1) › EXAMPLES", 20, "git-rese… › EXAMPLES"},
		{"gitfaq › Rewriting a shared history", 20, "gitfaq › Rewriting …"},
		{"A long title › A long heading", 21, "A long t… › A long h…"},
		{"git › a › b › EXAMPLES", 20, "git › … › EXAMPLES"},
		{"git-reset(1) › EXAMPLES", 15, "git-r… › EXAMP…"},
		{"git-reset(1) › EXAMPLES 1/3", 16, "git… › EXAM… 1/3"},
		{"git-reset(1) › EXAMPLES", 12, "EXAMPLES"},
		{"gitworkflows(7) › MANAGING BRANCHES › Topic branches", 40, "gitworkflows(7) › … › Topic branches"},
		{"git › First › Second › EXAMPLES", 27, "git › … › Second › EXAMPLES"},
		{"Only a long title", 8, "Only a …"},
		{"Only a long title 2/3", 12, "Only a … 2/3"},
		{"git-reset(1) › EXAMPLES 2/3", 24, "git-rese… › EXAMPLES 2/3"},
	} {
		if got := CutPath(c.path, c.w); got != c.want {
			t.Errorf("%q in %d is %q, want %q", c.path, c.w, got, c.want)
		}
	}
}

// The page is said once: before a section of another name, and in place of one that has none.
func TestPagesAreSaidOnce(t *testing.T) {
	t.Parallel()
	of := func(heading string) *retrieval.Item {
		return &retrieval.Item{Title: "Merges — The Site", SectionHeading: heading, Part: 1, Parts: 3}
	}
	for _, c := range []struct{ page, heading, want string }{
		{"Merges", "Undoing one", "Merges › Undoing one 1/3"},
		{"Merges", "Merges", "Merges 1/3"},
		{"Merges — The Site", "Merges", "Merges 1/3"},
		{"Merges", "", "Merges 1/3"},
		{"Merges (a.html)", "Merges — The Site", "Merges (a.html) 1/3"},
		{"", "Merges", "Merges 1/3"},
	} {
		if got := Path(c.page, of(c.heading)); got != c.want {
			t.Errorf("%q on %q is %q, want %q", c.heading, c.page, got, c.want)
		}
	}
}

// A path that is cut never has more cells than there are, begins as its page does where there
// is room for both, and ends with its part.
func TestCutPathsFit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		path := strings.Join(rapid.SliceOfN(rapid.StringMatching(`[a-zä漢][a-zä漢 ]{0,14}[a-z]`), 1, 5).Draw(t, "names"), TrailSign)
		part := rapid.SampledFrom([]string{"", " 2/3", " ¶4", " 2/3 ¶14"}).Draw(t, "part")
		w := rapid.IntRange(1, 80).Draw(t, "width")
		got := CutPath(path+part, w)
		if n := ansi.StringWidth(got); n > w {
			t.Fatalf("%q has %d cells of %d", got, n, w)
		}
		if w > 2*ansi.StringWidth(part) && !strings.HasSuffix(got, part) {
			t.Fatalf("%q does not end with %q", got, part)
		}
		if first, _, of := strings.Cut(path, TrailSign); of && w >= 30 && !strings.HasPrefix(got, first[:1]) {
			t.Fatalf("%q does not begin as %q does", got, first)
		}
	})
}

// Names are as short as they tell sections apart: two of different pages have these, two of
// one page what stands above them.
func TestTelling(t *testing.T) {
	t.Parallel()
	of := func(page string, part int, path ...string) *retrieval.Item {
		return &retrieval.Item{SourceURL: page, Title: page, HeadingPath: path, Part: part, Parts: 2 * min(part, 1)}
	}
	passage := func(index int) *retrieval.Item {
		return &retrieval.Item{SourceURL: "log", ParentID: "section", ChunkIndex: index, HeadingPath: []string{"OPTIONS"}}
	}
	for _, c := range []struct {
		items []*retrieval.Item
		want  []string
	}{
		{[]*retrieval.Item{of("log", 0, "NAME"), of("diff", 0, "OPTIONS")}, []string{"NAME", "OPTIONS"}},
		{[]*retrieval.Item{of("log", 0, "OPTIONS"), of("diff", 0, "OPTIONS")}, []string{"log › OPTIONS", "diff › OPTIONS"}},
		{[]*retrieval.Item{of("log", 1, "OPTIONS"), of("log", 2, "OPTIONS")}, []string{"OPTIONS 1/2", "OPTIONS 2/2"}},
		{[]*retrieval.Item{passage(0), passage(3), passage(-1)}, []string{"OPTIONS ¶1", "OPTIONS ¶4", "OPTIONS"}},
		{[]*retrieval.Item{of("log", 0, "Chapter 1", "More"), of("log", 0, "Chapter 2", "More")}, []string{"Chapter 1 › More", "Chapter 2 › More"}},
	} {
		if got := Telling(c.items, nil); !slices.Equal(got, c.want) {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// No heading says what a part of a section is about: its first words do, where its text is
// there, also on a page without any heading.
func TestPartsAreNamedByWords(t *testing.T) {
	t.Parallel()
	page := "postconf(5)"
	of := func(text string, parts int, path ...string) *retrieval.Item {
		return &retrieval.Item{Title: page, HeadingPath: path, ChunkText: text, Part: min(parts, 2), Parts: parts}
	}
	matching := of("Zürich\n\n**rate_limit**\n\nThe most", 9)
	matching.CharStart, matching.Matches = 10, []retrieval.Match{{CharStart: 18, CharEnd: 32}, {CharStart: 10, CharEnd: 16}}
	for _, c := range []struct {
		it   *retrieval.Item
		want string
	}{
		{of("**queue_limit (default: 0)**\n\nIt is", 9, "Parameters"), "postconf(5) › Parameters › “queue_limit (default: 0) It is” 2/9"},
		{of("The most\x1b[31m", 9), "postconf(5) › “The most\u241b[31m” 2/9"},
		{of("", 9, "Parameters"), "postconf(5) › Parameters 2/9"},
		{matching, "postconf(5) › “rate_limit” 2/9"},
		{of("## Parameters\n\nThey are", 0, "Parameters"), "postconf(5) › Parameters"},
	} {
		if got := PathOf(c.it, nil); got != c.want {
			t.Errorf("%q is %q, want %q", c.it.ChunkText, got, c.want)
		}
	}
	path := PathOf(of("**queue_limit (default: 0)**", 9, "Parameters"), nil)
	for w, want := range map[int]string{
		54: "postconf(5) › Parameters › “queue_limit (default:… 2/9", 40: "postconf(5) › … › “queue_limit (def… 2/9",
		36: "postconf(5) › Parameters 2/9", 26: "postconf… › Parameters 2/9",
	} {
		if got := CutPath(path, w); got != want {
			t.Errorf("in %d cells %q, want %q", w, got, want)
		}
	}
	first, second := of("**queue_limit**", 9, "Parameters"), of("**rate_limit**", 9, "Parameters")
	if got, want := Telling([]*retrieval.Item{first, second}, nil), []string{"“queue_limit” 2/9", "“rate_limit” 2/9"}; !slices.Equal(got, want) {
		t.Errorf("below their page they are %q, want %q", got, want)
	}
	if got, want := Brief(first), "“queue_limit” 2/9"; got != want {
		t.Errorf("in brief %q, want %q", got, want)
	}
	listed := &session.SectionName{Title: page, Headings: []string{"Parameters"}, Part: 2, Parts: 9, Opening: session.Opening(first.ChunkText)}
	if got, want := SectionTrail(listed, nil), "postconf(5) › Parameters › “queue_limit” 2/9"; got != want || ListedTrail(first, nil) != want {
		t.Errorf("listed as %q and %q, want %q", got, ListedTrail(first, nil), want)
	}
	listed.Opening = ""
	if got, want := SectionTrail(listed, nil), "postconf(5) › Parameters 2/9"; got != want {
		t.Errorf("without its text it is listed as %q, want %q", got, want)
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

// Parts of one section that come or go together are told apart by their numbers.
func TestPhrasesNameParts(t *testing.T) {
	summary := &session.CorpusSummary{Parts: map[string]session.SectionPart{"a": {Part: 1, Of: 2}, "b": {Part: 2, Of: 2}}}
	p := phrase.Passes.With(phrase.NamedOf("a", "git › OPTIONS"), phrase.NamedOf("b", "git › OPTIONS"))
	if got, want := InParts(p, summary).String(), "git › OPTIONS 1/2 passes git › OPTIONS 2/2"; got != want || InParts(p, nil).String() == want {
		t.Errorf("got %q, want %q", got, want)
	}
}
