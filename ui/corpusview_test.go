package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/corpus"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

const corpusQuery = "how does depth decay change the ranking"

func TestCorpusScreens(t *testing.T) {
	for _, size := range []struct{ w, h int }{{200, 60}, {120, 40}, {80, 24}, {50, 15}} {
		for _, c := range []struct{ name, keys string }{
			{"tree", "3"},
			{"table", "3 r O"},
			{"page", "3 enter"},
			{"whole page", "3 m n"},
			{"traversal", "3 T tab"},
			{"traversal by address", "3 T"},
		} {
			t.Run(fmt.Sprintf("%s %dx%d", c.name, size.w, size.h), func(t *testing.T) {
				d := drive(t, 1, size.w, size.h, asking(corpusQuery), "esc "+c.keys)
				golden.RequireEqual(t, d.screen())
			})
		}
	}
}

// pagesOf is the view of the corpus.
func pagesOf(d *driver) *corpus.View { return d.views()[viewCorpus].View.(*corpus.View) }

// pageOn is the page under the cursor of the list.
func pageOn(d *driver) session.PageEntry {
	chunk, _ := d.panel(corpus.Pages).(view.Selector).Selected()
	all := pagesOf(d).Listed()
	at := slices.IndexFunc(all, func(e session.PageEntry) bool { return e.URL == chunk.URL })
	if at < 0 {
		return session.PageEntry{}
	}
	return all[at]
}

// rowOn is the row of the list that the cursor is on, -1 for none.
func rowOn(d *driver) int {
	return slices.IndexFunc(pagesOf(d).Listed(), func(e session.PageEntry) bool { return e.URL == pageOn(d).URL })
}

// sectionOn is the id of the section under the cursor of the page, empty for none.
func sectionOn(d *driver) string {
	chunk, _ := d.panel(corpus.Page).(view.Selector).Selected()
	return chunk.ID
}

// sectionsOn are the ids of the page's sections. It leaves the cursor on the last one.
func sectionsOn(d *driver) []string {
	var ids []string
	for d.press("g j"); !slices.Contains(ids, sectionOn(d)); d.press("j") {
		ids = append(ids, sectionOn(d))
	}
	return ids
}

// foundIn is which place of how many the pane of the page is on.
func foundIn(d *driver) (at, of int) { return d.panel(corpus.Page).(view.Finder).Found() }

func TestTheViewOpensOnThePageOfTheSelectedSection(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", corpusQuery, "esc")
	it := d.selected()
	d.press("3")
	if got := pageOn(d); got.ID != it.DocumentID {
		t.Fatalf("the cursor is on %+v, want %s", got, it.SourceURL)
	}
	if got := sectionOn(d); got != it.SectionID() {
		t.Errorf("the section is %s, want %s", got, it.SectionID())
	}
	// What was looked at stays when one comes back from elsewhere.
	d.press("g 1 3")
	if got := rowOn(d); got != 0 {
		t.Errorf("the cursor is on row %d", got)
	}
}

func TestThePagesAreATreeAndATable(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", corpusQuery, "esc 3")
	d.mustShow("by links", "▾ A guide to retrieval", "page                                 rank")
	d.mustNotShow("rank  depth") // titles go before it
	d.send(tea.WindowSizeMsg{Width: 200, Height: 40})
	d.settle()
	d.mustShow("rank  depth")
	d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	d.settle()
	d.press("r")
	d.mustShow("by title", "↑title", "tokens")
	for _, order := range []string{"by depth", "by tokens", "by date", "by address", "by title"} {
		d.press("O")
		d.mustShow(order)
		if order != "by tokens" {
			continue
		}
		least := pagesOf(d).Listed()[0].Tokens
		d.press("I")
		d.mustShow("↓tokens")
		if most := pagesOf(d).Listed()[0].Tokens; most <= least {
			t.Errorf("turned round, %d tokens come before %d", most, least)
		}
		d.press("I")
	}
	d.press("r O")
	d.mustShow("r shows the table")
}

func TestPagesFold(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", corpusQuery, "esc 3 g")
	all := len(pagesOf(d).Listed())
	d.press("space")
	if n := len(pagesOf(d).Listed()); n != 1 {
		t.Fatalf("%d rows are left", n)
	}
	d.mustShow("▸ A guide to retrieval")
	d.press("l")
	if n := len(pagesOf(d).Listed()); n != all {
		t.Fatalf("%d rows are there again", n)
	}
	d.press("j h")
	if n := len(pagesOf(d).Listed()); n >= all || rowOn(d) != 1 {
		t.Errorf("%d rows, cursor %d", n, rowOn(d))
	}
	d.press("h")
	if rowOn(d) != 0 {
		t.Errorf("h goes to row %d", rowOn(d))
	}
}

func TestSectionsOpenInTheExplorer(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", corpusQuery, "esc 3 enter")
	ranked := sectionOn(d)
	d.press("enter")
	if d.view() != viewExplore || d.focus() != panePreview || d.selected().SectionID() != ranked {
		t.Fatal("a section of the answer does not open where the answer has it")
	}
	d.press("3 esc g j enter")
	all := sectionsOn(d)
	at := slices.IndexFunc(all, func(id string) bool { return !d.list().Has(id) })
	if at < 0 {
		t.Fatal("the query found all sections of the page")
	}
	d.press("g j" + strings.Repeat(" j", at) + " enter")
	if d.view() != viewExplore || d.at() != all[at] {
		t.Fatal("a section that no query found does not open")
	}
	if marks := d.reader().Marks(d.reader().Item()); len(marks) > 0 {
		t.Errorf("it has marks: %v", marks)
	}
	d.press("esc esc")
	if d.opened() {
		t.Error("esc does not close it")
	}
}

func TestTheWholePageIsRead(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", corpusQuery, "esc 3 m")
	matches := d.panel(corpus.Page).(view.Finder).Stops()
	if matches == 0 {
		t.Fatal("nothing on the page matched")
	}
	d.mustShow("Depth decay", "section 3 of 4")
	d.press("g")
	d.mustShow("section 1 of 4", "Search returns passages")
	d.press("g n n")
	d.mustShow(fmt.Sprintf("match 2/%d", matches))
	d.press("f 'depth' enter")
	at, of := foundIn(d)
	if at != 1 || of < 5 {
		t.Fatalf("found %d of %d", at, of)
	}
	d.press("n N N")
	if at, _ := foundIn(d); at != of {
		t.Errorf("going back from the first goes to %d of %d", at, of)
	}
	d.press("esc m")
	d.mustShow("matched the query", "T table")
}

func TestFindingAmongPagesAndSections(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", corpusQuery, "esc 3 f 'full context' enter")
	if got := pageOn(d); !strings.HasPrefix(got.Title, "Full context") {
		t.Errorf("found %s", got.Title)
	}
	d.mustShow("found 1/")
	d.press("esc enter g f 'budget'")
	if at, of := foundIn(d); at != 1 || of == 0 {
		t.Errorf("found %d of %d sections", at, of)
	}
}

func TestPagesSayWhichQueriesReachThem(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", corpusQuery, "esc / up 'xx' enter 3")
	d.mustShow("queries of this session that reach it:", corpusQuery, "rank 1")
}

// The present query stands there with the rank that the page has by the present
// parameters, not with that which it had when the query was asked.
func TestThePresentQueryReachesPagesByThePresentRanking(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", corpusQuery, "esc")
	first := d.session().Result().Items[0].SourceURL
	for range 20 {
		if it := d.selected(); it != nil && it.SourceURL != first {
			break
		}
		d.press("down")
	}
	d.press("3")
	d.mustShow("queries of this session that reach it: 1 of 1")
	d.push(d.tune().SetValue("top_k", "1"))
	d.press("1 3")
	d.mustShow("queries of this session that reach it: 0 of 1")
}

func TestTheCorpusViewFails(t *testing.T) {
	broken := errors.New("the disk is gone\nwith details")
	var f *fakeCorpus
	d := drive(t, 1, 120, 40, func(o *Options, c *fakeCorpus) { o.Query, f, c.pagesErr = "decay", c, broken }, "3")
	d.mustShow("The pages could not be read", "the disk is gone", "enter tries again")
	d.mustNotShow("with details")
	f.pagesErr, f.pageErr = nil, broken
	d.press("enter")
	d.mustShow("Pages  7", "The page could not be read")
	f.pageErr, f.textsErr = nil, broken
	d.press("enter")
	d.mustShow("whole page", "sections to scale")
	d.press("m")
	d.mustShow("The page could not be read", "the disk is gone")
	f.textsErr = nil
	d.press("enter")
	d.mustShow("section 1 of")
}

func TestAnEmptyCorpusHasNoPages(t *testing.T) {
	d := drive(t, 1, 120, 40, func(_ *Options, f *fakeCorpus) { f.entries = []session.PageEntry{} }, "esc 3")
	d.mustShow("This corpus has no pages to show.")
	d.press("enter m T")
	d.mustShow("No query has been answered yet")
}

func TestForeignCorporaSayWhatTheyLack(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), "")
	d.session().Corpus().Missing = map[store.Capability]string{store.CapLinks: "it has no table of links"}
	d.press("3")
	d.mustShow("by address: no links", "no links: it has no table of links")
}

func TestPagesComeInBlocks(t *testing.T) {
	const atOnce, block = 4000, 500
	d := drive(t, 1, 120, 40, withPages(atOnce+3*block), "esc 3")
	listed := func() int { return len(pagesOf(d).Listed()) }
	if n := listed(); n != atOnce {
		t.Fatalf("%d pages are read at once", n)
	}
	d.mustShow(fmt.Sprintf("%d of %s", atOnce, wording.Count(atOnce+3*block)))
	d.press("G")
	if n := listed(); n != atOnce+block {
		t.Fatalf("%d pages are read at the end", n)
	}
	for range 4 {
		d.press("G")
	}
	if n := listed(); n != atOnce+3*block {
		t.Fatalf("%d pages are read at last", n)
	}
	d.mustNotShow(fmt.Sprintf("%d of", atOnce+3*block)) // all are
}

// withPages is a corpus of n pages, ten to a folder.
func withPages(n int) func(*Options, *fakeCorpus) {
	return func(_ *Options, f *fakeCorpus) {
		f.entries = []session.PageEntry{}
		for i := range n {
			url := fmt.Sprintf("%sfolder%04d/page%05d", guideURL, i/10, i)
			f.entries = append(f.entries, session.PageEntry{
				ID: url, URL: url, Title: fmt.Sprintf("Page %d of many", (i*7919)%n), Tokens: i % 977, Sections: 3,
				Keys: []string{store.PageKey(url)},
			})
		}
		f.stats.Documents = n
	}
}

func TestTheCorpusViewTakesTheMouse(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", corpusQuery, "esc 3")
	tree, _ := d.place().Slot(corpus.Pages)
	d.send(tea.MouseClickMsg{X: 5, Y: tree.Body.Min.Y + 4, Button: tea.MouseLeft})
	d.settle()
	if got := rowOn(d); got != 3 {
		t.Errorf("a click selects row %d", got)
	}
	d.send(tea.MouseWheelMsg{X: 5, Y: tree.Body.Min.Y + 3, Button: tea.MouseWheelDown})
	if got := rowOn(d); got != 4 {
		t.Errorf("the wheel goes to row %d", got)
	}
	d.settle()
	page, _ := d.place().Slot(corpus.Page)
	row := slices.IndexFunc(d.panel(corpus.Page).Draw(page.Body.Dx(), page.Body.Dy(), false), func(l string) bool { return strings.Contains(l, "whole page") }) + 2
	d.send(tea.MouseClickMsg{X: page.Body.Min.X + 5, Y: page.Body.Min.Y + row, Button: tea.MouseLeft})
	d.settle()
	if got := sectionOn(d); got != sectionsOn(d)[1] || d.focus() != corpus.Page {
		t.Errorf("a click selects section %s", got)
	}
}

func TestTheKeysOfTheCorpusView(t *testing.T) {
	opened := ""
	d := drive(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) {
		o.Query, o.OpenURL = "decay", func(url string) error { opened = url; return nil }
	}, "3 o")
	if opened != guideURL+"ranking" {
		t.Errorf("o opens %q", opened)
	}
	d.press("enter")
	if d.focus() != corpus.Page {
		t.Error("enter does not go to the page")
	}
	d.press("h")
	if d.focus() != corpus.Pages {
		t.Error("h does not go back to the pages")
	}
	d.press("T")
	d.mustShow("guide.example/docs → /scores [✓] → /ranking [✓] → /tuning [✓]", "tab shows titles")
	d.press("tab")
	d.mustShow("Scores and their scales [✓] → Ranking and depth [✓] → Tuning by hand [✓]", "tab shows addresses")
	d.press("T enter k k k")
	if sectionOn(d) != "" {
		t.Fatal("the cursor does not go above the sections")
	}
	d.press("enter")
	d.mustShow("Depth decay", "section 1 of 2")
	d.press("m h g o")
	d.mustShow("the page has no web address")
}

func TestTheWheelScrollsAPage(t *testing.T) {
	d := drive(t, 1, 120, 40, func(_ *Options, f *fakeCorpus) { f.longPage = 400_000 }, "esc 3")
	page, _ := d.place().Slot(corpus.Page)
	draw := func() []string { return d.panel(corpus.Page).Draw(page.Body.Dx(), page.Body.Dy(), false) }
	for _, whole := range []bool{false, true} {
		before := draw()[widget.WheelDown.Lines(0)]
		d.send(tea.MouseWheelMsg{X: page.Body.Min.X + 3, Y: page.Body.Min.Y + 3, Button: tea.MouseWheelDown})
		if got := draw()[0]; got != before {
			t.Errorf("whole %v: a turn of the wheel goes to line %q, want %q", whole, got, before)
		}
		d.press("m")
	}
}

// Whatever is pressed in the view of the corpus at whatever size, nothing panics,
// the screen fits, and esc leads back to the explorer.
func TestTheCorpusViewFits(t *testing.T) {
	keys := []string{
		"up", "down", "left", "right", "pgup", "pgdown", "home", "end", "enter", "esc", "tab", "shift+tab", "space",
		"ctrl+u", "ctrl+d", "n", "N", "f", "m", "r", "z", "<", ">", "O", "I", "S", "R", "T", "o", "1", "3", "l", "h", "G", "a", "x", "d",
	}
	rapid.Check(t, func(rt *rapid.T) {
		query := rapid.SampledFrom([]string{"decay", "none", "whole", ""}).Draw(rt, "query")
		long := rapid.SampledFrom([]int{0, 30_000}).Draw(rt, "long")
		d := drive(t, rapid.Uint64().Draw(rt, "seed"), 80, 24, func(o *Options, f *fakeCorpus) { o.Query, f.longPage = query, long }, "esc 3")
		for range rapid.IntRange(1, 14).Draw(rt, "steps") {
			switch rapid.IntRange(0, 6).Draw(rt, "what") {
			case 0:
				d.send(tea.WindowSizeMsg{Width: rapid.IntRange(0, 200).Draw(rt, "w"), Height: rapid.IntRange(0, 60).Draw(rt, "h")})
			case 1:
				d.send(tea.MouseClickMsg{X: rapid.IntRange(0, 200).Draw(rt, "x"), Y: rapid.IntRange(0, 60).Draw(rt, "y"), Button: tea.MouseLeft})
			default:
				d.send(keyOf(rapid.SampledFrom(keys).Draw(rt, "key")))
			}
			if rapid.Bool().Draw(rt, "settle") {
				d.settle()
			}
			fits(rt, d)
		}
		d.settle()
		d.press(strings.Repeat("esc ", 8))
		if d.view() != viewExplore {
			rt.Fatalf("esc does not lead out of %d", d.view())
		}
	})
}
