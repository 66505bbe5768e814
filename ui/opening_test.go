package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/corpus"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Links of the fake corpus: the section "decay" leads to others, to itself, to a
// page outside, and to what only looks like an address.
func (f *fakeCorpus) Links(_ context.Context, id string) ([]session.SectionLink, error) {
	if f.down != nil {
		return nil, f.down
	}
	if id != "decay" {
		return nil, nil
	}
	named := func(i int) *session.SectionName {
		it := &guideItems()[i]
		return &session.SectionName{ChunkID: it.ChunkID, SourceURL: it.SourceURL, Title: it.Title, Headings: it.HeadingPath}
	}
	return []session.SectionLink{
		{Text: "similarity", URL: guideURL + "scores", Target: named(2)},
		{Text: "how far to go", URL: guideURL + "crawling#far", Target: &session.SectionName{ChunkID: "far", SourceURL: guideURL + "crawling", Title: "Crawling", Headings: []string{"How far to go"}}},
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
	return store.Chunk{}, &session.NoSectionError{URL: page}
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
	if it := d.selected(); it != nil {
		return it.ChunkID
	}
	return ""
}

// mark is which of how many marks of the text the reader stands on, as the title above it
// says; 0 for none.
func (d *driver) mark() (at, of int) {
	_, note := d.reader().Title()
	if _, counted, ok := strings.Cut(note, " "); ok {
		_, _ = fmt.Sscanf(strings.Replace(counted, "–", "0", 1), "%d/%d", &at, &of)
	}
	return at, of
}

// marks is how many marks the text has.
func (d *driver) marks() int {
	_, of := d.mark()
	return of
}

func TestLinksAreFollowed(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), "enter")
	d.press("F 'how far' enter")
	if d.at() != "far" || d.focus() != panePreview || d.cites() {
		t.Fatalf("at %q in %v", d.at(), d.focus())
	}
	d.mustShow("The crawler follows links to a depth.", "opened")
	d.mustNotShow("opened span")
	// A section that the query found is read in its own row.
	d.press("[ F 'similarity' enter")
	if want := guideItems()[2].ChunkID; d.at() != want || d.opened() {
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
	if strings.Contains(d.frame().Content, "\x1b[31mred") || strings.Contains(d.frame().Content, "\x1b]52") {
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
	row, top := d.at(), d.list().Top()
	d.press("g enter")
	begun := d.reader().Place()
	d.press("j j")
	line := d.reader().Place()
	if d.at() != "decay" || line.LooksLike(begun) {
		t.Fatalf("at %q, %+v", d.at(), line)
	}
	d.press("F 'far' enter")
	if d.at() != "far" {
		t.Fatalf("at %q", d.at())
	}
	d.press("alt+left")
	if d.at() != "decay" || d.reader().Place() != line || d.focus() != panePreview {
		t.Fatalf("back at %q, %+v, want %+v", d.at(), d.reader().Place(), line)
	}
	d.press("alt+right")
	if d.at() != "far" {
		t.Fatalf("forward at %q", d.at())
	}
	d.press("[ [")
	if d.at() != "decay" || d.focus() != paneResults {
		t.Fatalf("back at %q in %v", d.at(), d.focus())
	}
	// Closing an opened section goes back to the row that was left for it.
	d.press("G k k enter : 'open an address' enter 'https://guide.example/docs/crawling' enter")
	if d.at() != "far" {
		t.Fatalf("at %q", d.at())
	}
	d.press("esc esc")
	if d.at() != row || d.list().Top() != top || d.opened() {
		t.Fatalf("closed at %q (%d), want %q (%d)", d.at(), d.list().Top(), row, top)
	}
}

// A place of another result can be gone back to as well.
func TestTheTrailOutlivesTheQuery(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), "enter / ctrl+u 'none' enter")
	d.mustShow("none")
	d.press("[")
	if d.at() != "decay" || !d.opened() {
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
	pane, _ := d.place().Slot(panePreview)
	if top := d.reader().Draw(pane.Body.Dx(), pane.Body.Dy(), true); !strings.Contains(ansi.Strip(strings.Join(top[:5], "\n")), "When it matters") {
		t.Fatalf("the first lines are %q", top)
	}
	d.press("O")
	if c := d.top().(*view.Chooser); !strings.Contains(c.All[c.At].Title, "When it matters") {
		t.Fatalf("the outline stands on %q", c.All[c.At].Title)
	}
}

// Matches go on in the next section, and round the list.
func TestMatchesGoOnInTheNextSection(t *testing.T) {
	d := drive(t, 1, 150, 42, asking("decay"), "enter")
	matched := slices.Collect(d.list().Matched())
	total := 0
	for _, it := range matched {
		total += len(it.Matches)
	}
	d.list().Select(matched[0].ChunkID)
	d.settle()
	start, seen := d.at(), map[string]int{}
	for range total {
		at, all := 0, 0
		_, note := d.reader().Title()
		if _, counted, ok := strings.Cut(note, " · "); ok {
			_, _ = fmt.Sscanf(counted, "%d/%d in all", &at, &all)
		}
		if all != total || at == 0 {
			t.Fatalf("match %d of %d, want %d in all", at, all, total)
		}
		seen[d.at()]++
		d.press("n")
	}
	if len(seen) != len(matched) || d.at() != start {
		t.Fatalf("%d sections of %d were seen: %v", len(seen), len(matched), seen)
	}
	d.mustShow("from the top: the first section")
	for at, _ := d.mark(); at > 1; at, _ = d.mark() {
		d.press("N")
	}
	d.press("N")
	d.mustShow("from the end: the last section")
	if at, of := d.mark(); d.at() != matched[len(matched)-1].ChunkID || at != of {
		t.Fatal("not at the last match of the last section")
	}
	// Backwards, a section begins with its last match.
	d.list().Select(matched[1].ChunkID)
	d.settle()
	d.press("N")
	if at, of := d.mark(); d.at() != "decay" || of < 2 || at != of {
		t.Fatalf("at match %d of %d of %q", at, of, d.at())
	}
	// A section that the query did not find is passed over.
	d.press("F 'far' enter")
	if got := len(slices.Collect(d.list().Matched())); got != len(matched) {
		t.Fatalf("%d sections have matches, want %d", got, len(matched))
	}
}

func TestFindingGoesRound(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), "enter f 'DEPTH' enter")
	n := d.marks()
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

// A lower list has other rows: what was found in the higher one is found again.
func TestFindingSurvivesAnotherHeight(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), "f 'e' enter G")
	d.send(tea.WindowSizeMsg{Width: 120, Height: 14})
	d.press("N")
	_, of := d.finder().Found()
	if of < 2 {
		t.Fatalf("%d rows are found", of)
	}
	for range of {
		if it := d.selected(); it == nil || d.onLine() < 0 || widget.FoldIndex(wording.PathOf(it, d.suffixes()), "e") < 0 {
			t.Errorf("%+v is found", it)
		}
		d.press("n")
	}
}

func TestTheCommandLineOfAView(t *testing.T) {
	d := drive(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) {
		o.Query, o.Place, o.Preset = "de'cay", "/x.db", "webrag"
		o.Command = func(place, start string, p param.Params) []string {
			return []string{"webrag-tui", "explore", place, start, p.Get("similarity_floor")}
		}
	}, "")
	first := "webrag-tui explore /x.db webrag 0.3"
	for _, c := range []struct{ keys, want string }{
		{"", first + " 'de'\\''cay'"},
		{"j", first + " --span https://guide.example/docs/ranking:3000-3000 'de'\\''cay'"},
		{"g enter F 'far' enter", first + " --span https://guide.example/docs/crawling:100-100 'de'\\''cay'"},
		{": 'open a span' enter 'https://guide.example/docs/ranking:1230-1280' enter", first + " --span https://guide.example/docs/ranking:1230-1280 'de'\\''cay'"},
		{"/ 'x' ctrl+u enter", first + " --span https://guide.example/docs/ranking:1230-1280"},
		{"esc esc esc esc", first + " --fresh"},
	} {
		d.press(c.keys)
		if got := d.commandLine(); got != c.want {
			t.Errorf("after %q: got %s, want %s", c.keys, got, c.want)
		}
	}
}

// A place without characters opens its section beside the results, and cites
// nothing.
func TestASpanWithoutCharactersIsAPlace(t *testing.T) {
	for seed := range uint64(6) {
		d := drive(t, seed, 120, 40, func(o *Options, _ *fakeCorpus) {
			o.Query, o.Span = "decay", &citations.PageSpan{URL: guideURL + "ranking", Start: 3000, End: 3000}
		}, "")
		if it := d.selected(); it == nil || it.CharStart != 3000 {
			t.Fatalf("seed %d: at %q", seed, d.at())
		}
		d.mustNotShow("citation", "opened span")
	}
}

// Links of a real corpus lead to the section of their anchor, and addresses to the
// page that has them, however they are written.
// A span that is closed leaves nothing of it on the screen, in no form, where no query was
// asked that would show something in its place.
func TestAClosedSpanLeavesNothing(t *testing.T) {
	for _, keys := range []string{"", "m m"} {
		d := drive(t, 1, 120, 40, nil, "esc")
		d.push(d.openSpan(citations.PageSpan{URL: guideURL + "scores", Start: 320, End: 350}))
		d.settle()
		d.mustShow("citation 1/1")
		d.selected().HTMLText = "<p>Never compare them</p>"
		d.press(keys + " esc esc")
		d.mustNotShow("citation")
		if d.opened() {
			t.Errorf("after %q the span is still open", keys)
		}
	}
}

func TestLinksOfTheGuide(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", "what an offset counts", "enter")
	r := d.session().Corpus().Reader
	for _, url := range []string{"file:guide/citations.md", "file:guide/./citations.md#no-such-anchor"} {
		c, err := r.SectionByURL(t.Context(), url)
		if err != nil || c.SourceURL != "file:guide/citations.md" || c.ChunkText == "" {
			t.Fatalf("%s: %q, %v", url, c.SourceURL, err)
		}
	}
	if c, err := r.SectionByURL(t.Context(), "file:guide/scores.html#floor"); err != nil || c.Anchor != "floor" {
		t.Fatalf("at %q, %v", c.Anchor, err)
	}
	var none *session.NoSectionError
	if _, err := r.SectionByURL(t.Context(), "https://nowhere.example/"); !errors.As(err, &none) {
		t.Fatal(err)
	}
	d.press(": 'open an address' enter 'file:guide/index.md' enter O")
	d.mustShow("Outline of", "here")
	d.press("esc")
	inside := 0
	for at := 0; at < 20 && inside == 0; at++ {
		links, err := r.Links(t.Context(), d.at())
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range links {
			if l.Target != nil {
				inside++
			}
		}
		if inside == 0 {
			d.press("O down enter")
		}
	}
	if inside == 0 {
		t.Fatal("no section of the first page links into the guide")
	}
	before := d.at()
	d.press("F")
	d.mustShow("in the corpus", "✓")
	d.press("enter")
	if d.at() == before || d.focus() != panePreview {
		t.Fatalf("still at %q", d.at())
	}
	d.press("[")
	if d.at() != before {
		t.Fatalf("back at %q, want %q", d.at(), before)
	}
}

// A section that was opened from the pages of the corpus leads back to them.
func TestTheTrailLeadsBackToTheCorpus(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", "how does depth decay change the ranking", "esc 3 enter")
	if d.context() != corpus.Page {
		t.Fatalf("in %v", d.context())
	}
	d.press("G enter")
	read := d.at()
	if d.view() != viewExplore || d.focus() != panePreview {
		t.Fatalf("in view %v", d.view())
	}
	d.press("[")
	if d.view() != viewCorpus || d.context() != corpus.Page {
		t.Fatalf("back in %v", d.context())
	}
	d.press("]")
	if d.view() != viewExplore || d.at() != read {
		t.Fatalf("forward at %q, want %q", d.at(), read)
	}
}
