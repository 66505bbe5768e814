package ui

import (
	"context"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/webrag/webrag-tui/store"
)

// Links of the fake corpus: the section "decay" leads to others, to itself, to a
// page outside, and to what only looks like an address.
func (f *fakeCorpus) Links(_ context.Context, id string) ([]SectionLink, error) {
	if f.down != nil {
		return nil, f.down
	}
	if id != "decay" {
		return nil, nil
	}
	named := func(i int) *SectionName {
		it := &guideItems()[i]
		return &SectionName{ChunkID: it.ChunkID, SourceURL: it.SourceURL, Title: it.Title, Headings: it.HeadingPath}
	}
	return []SectionLink{
		{Text: "similarity", URL: guideURL + "scores", Target: named(2)},
		{Text: "how far to go", URL: guideURL + "crawling#far", Target: &SectionName{ChunkID: "far", SourceURL: guideURL + "crawling", Title: "Crawling", Headings: []string{"How far to go"}}},
		{Text: "the paper", URL: "https://paper.example/a b?x=1#Σ"},
		{Text: hostile, URL: "javascript:alert('" + hostile + "')"},
	}, nil
}

func (f *fakeCorpus) SectionByURL(ctx context.Context, url string) (store.Chunk, error) {
	page, _, _ := strings.Cut(url, "#")
	if page == guideURL+"crawling" {
		return f.Section(ctx, "far")
	}
	for _, it := range guideItems() {
		if it.SourceURL == page {
			return f.SectionAt(ctx, page, it.CharStart)
		}
	}
	return store.Chunk{}, &NoSectionError{URL: page}
}

func TestOpeningScreens(t *testing.T) {
	for _, c := range []struct {
		name string
		w, h int
		keys string
	}{
		{"links", 120, 40, "enter F"},
		{"links in 80 columns", 80, 24, "enter F"},
		{"links in 50 columns", 50, 15, "enter F"},
		{"a link that leads out", 120, 40, "enter F 'paper' enter"},
		{"a link that was followed", 120, 40, "enter F 'far' enter"},
		{"a link that was followed in 50 columns", 50, 15, "enter F 'far' enter"},
		{"outline", 120, 40, "enter O"},
		{"outline in 80 columns", 80, 24, "enter O"},
		{"outline in 50 columns", 50, 15, "enter O"},
		{"the next section's match", 120, 40, "enter n n n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			golden.RequireEqual(t, drive(t, 1, c.w, c.h, asking("decay"), c.keys).screen())
		})
	}
}

func (d *driver) at() string {
	if it := d.m.results.selected(); it != nil {
		return it.ChunkID
	}
	return ""
}

func TestLinksAreFollowed(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), "enter")
	d.press("F 'how far' enter")
	if d.at() != "far" || d.m.focus != panePreview || d.m.opened.cites() {
		t.Fatalf("at %q in %v", d.at(), d.m.focus)
	}
	d.mustShow("The crawler follows links to a depth.", "opened")
	d.mustNotShow("opened span")
	// A section that the query found is read in its own row.
	d.press("[ F 'similarity' enter")
	if want := guideItems()[2].ChunkID; d.at() != want || d.m.opened != nil {
		t.Fatalf("at %q, want %q", d.at(), want)
	}
	d.press("F")
	d.mustShow("this section has no links")
	d.press("backspace F 'paper' enter")
	d.mustShow("Outside the corpus: paper.example/a b?x=1#Σ", "no web address")
	d.press("u")
	d.mustShow("copied the address")
	d.press("F 'red' enter")
	d.mustShow("no web address")
	if strings.Contains(d.m.View().Content, "\x1b[31mred") || strings.Contains(d.m.View().Content, "\x1b]52") {
		t.Fatal("a link's text reaches the terminal")
	}
}

func TestTheTrailLeadsBackAndForward(t *testing.T) {
	d := drive(t, 1, 120, 24, asking("decay"), "")
	d.press("]")
	d.mustShow("you have not gone back from anywhere")
	d.press("[")
	d.mustShow("this is where you began reading")
	d.press("G k k")
	row, top := d.at(), d.m.results.top
	d.press("g enter j j")
	line := d.m.preview.top
	if d.at() != "decay" || line == 0 {
		t.Fatalf("at %q, line %d", d.at(), line)
	}
	d.press("F 'far' enter")
	if d.at() != "far" {
		t.Fatalf("at %q", d.at())
	}
	d.press("alt+left")
	if d.at() != "decay" || d.m.preview.top != line || d.m.focus != panePreview {
		t.Fatalf("back at %q, line %d, want %d", d.at(), d.m.preview.top, line)
	}
	d.press("alt+right")
	if d.at() != "far" {
		t.Fatalf("forward at %q", d.at())
	}
	d.press("[ [")
	if d.at() != "decay" || d.m.focus != paneResults {
		t.Fatalf("back at %q in %v", d.at(), d.m.focus)
	}
	// Closing an opened section goes back to the row that was left for it.
	d.press("G k k enter : 'open an address' enter 'https://guide.example/docs/crawling' enter")
	if d.at() != "far" {
		t.Fatalf("at %q", d.at())
	}
	d.press("esc esc")
	if d.at() != row || d.m.results.top != top || d.m.opened != nil {
		t.Fatalf("closed at %q (%d), want %q (%d)", d.at(), d.m.results.top, row, top)
	}
}

// A place of another result can be gone back to as well.
func TestTheTrailOutlivesTheQuery(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), "enter / ctrl+u 'none' enter")
	d.mustShow("none")
	d.press("[")
	if d.at() != "decay" || d.m.opened == nil {
		t.Fatalf("at %q", d.at())
	}
	d.mustShow("Depth decay")
}

func TestAddressesAreOpened(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), ": 'open an address' enter enter")
	d.mustShow("type the address of a page")
	d.press("'https://nowhere.example/x' enter")
	d.mustShow("no page https://nowhere.example/x in this corpus")
}

func TestTheOutlineLeadsToHeadings(t *testing.T) {
	d := drive(t, 1, 100, 16, asking("decay"), "enter O")
	d.mustShow("Outline of Ranking", "Depth decay", "When it matters", "here  rank 1")
	d.press("'matters' enter")
	if d.at() != "decay" {
		t.Fatalf("at %q", d.at())
	}
	if top := d.m.preview.page.rendering.PlainLines(d.m.preview.top, d.m.preview.top+2); !strings.Contains(strings.Join(top, "\n"), "When it matters") {
		t.Fatalf("the first lines are %q", top)
	}
	d.press("O")
	if c := d.m.dialogs[0].(*chooser); !strings.Contains(c.all[c.at].title, "When it matters") {
		t.Fatalf("the outline stands on %q", c.all[c.at].title)
	}
}

func TestHeadingsOfMarkdown(t *testing.T) {
	text := "# Tïtle #\n\ntext\n```sh\n# no heading\n```\n   ### *Three* `x`\n    # code\n#none\n####### seven\n##\n"
	got := headingsIn(text)
	want := []outlineEntry{{level: 1, text: "Tïtle", at: 0}, {level: 3, text: "Three x", at: 39}, {level: 2, at: 89}}
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %+v, want %+v", got[i], want[i])
		}
	}
}

func TestSectionsWithoutHeadingsAreInTheOutline(t *testing.T) {
	got := outlineOf([]store.Chunk{
		{ID: "a", Title: "The page"},
		{ID: "b", HeadingPath: []string{"Top", "Sub"}},
		{ID: "c", HeadingPath: []string{"Top", "Sub"}},
	}, map[string]string{"a": "banner", "b": "intro\n## Sub\n", "c": "more"})
	want := []outlineEntry{
		{section: "a", level: 1, text: "The page"},
		{section: "b", level: 1, text: "Sub, continued"},
		{section: "b", level: 2, text: "Sub", at: 6},
		{section: "c", level: 2, text: "Sub, continued"},
	}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	}
}

// Matches go on in the next section, and round the list.
func TestMatchesGoOnInTheNextSection(t *testing.T) {
	d := drive(t, 1, 150, 42, asking("decay"), "enter")
	rows := d.m.matchedRows()
	total := 0
	for _, r := range rows {
		total += len(d.m.results.rows[r].item.Matches)
	}
	d.m.results.goTo(rows[0])
	d.settle()
	start, seen := d.m.results.cursor, map[string]int{}
	for range total {
		at, all := d.m.matchInAll()
		if all != total || at == 0 {
			t.Fatalf("match %d of %d, want %d in all", at, all, total)
		}
		seen[d.at()]++
		d.press("n")
	}
	if len(seen) != len(rows) || d.m.results.cursor != start {
		t.Fatalf("%d sections of %d were seen: %v", len(seen), len(rows), seen)
	}
	d.mustShow("from the top: the first section")
	for d.m.preview.focus > 0 {
		d.press("N")
	}
	d.press("N")
	d.mustShow("from the end: the last section")
	if d.m.results.cursor != rows[len(rows)-1] || d.m.preview.focus != d.m.preview.steps()-1 {
		t.Fatal("not at the last match of the last section")
	}
}

func TestFindingGoesRound(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), "enter f 'DEPTH' enter")
	n := d.m.preview.steps()
	if n < 2 {
		t.Fatalf("found %d", n)
	}
	d.mustShow("found 1/")
	d.press(strings.Repeat("n ", n))
	d.mustShow("from the top", "found 1/")
	d.press("N")
	d.mustShow("from the end")
	// What is looked for is looked for in other forms and sections, too.
	d.press("m")
	d.mustShow("found 1/", "markdown source")
}
