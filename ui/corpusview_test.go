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
			{"traversal", "3 T"},
			{"traversal by address", "3 T tab"},
		} {
			t.Run(fmt.Sprintf("%s %dx%d", c.name, size.w, size.h), func(t *testing.T) {
				d := drive(t, 1, size.w, size.h, asking(corpusQuery), "esc "+c.keys)
				golden.RequireEqual(t, d.screen())
			})
		}
	}
}

func TestTheViewOpensOnThePageOfTheSelectedSection(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", corpusQuery, "esc")
	it := d.m.results.Selected()
	d.press("3")
	if got := d.m.corpusView.tree.selected(); got == nil || got.ID != it.DocumentID {
		t.Fatalf("the cursor is on %+v, want %s", got, it.SourceURL)
	}
	p := &d.m.corpusView.page
	if got := p.content.Sections[p.cursor].ID; got != sectionID(it) {
		t.Errorf("the section is %s, want %s", got, sectionID(it))
	}
	// What was looked at stays when one comes back from elsewhere.
	d.press("g 1 3")
	if got := d.m.corpusView.tree.At; got != 0 {
		t.Errorf("the cursor is on row %d", got)
	}
}

func TestThePagesAreATreeAndATable(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", corpusQuery, "esc 3")
	d.mustShow("by links", "▾ A guide to retrieval", "✓  depth 2")
	d.press("r")
	d.mustShow("by title", "↓title", "tokens")
	tree := &d.m.corpusView.tree
	for _, order := range []pageOrder{orderDepth, orderTokens, orderDate, orderURL, orderTitle} {
		d.press("O")
		if tree.order != order {
			t.Fatalf("sorted by %s, want %s", tree.order, order)
		}
		if order != orderTokens {
			continue
		}
		least := tree.pages.pages[tree.rows[0].Node].Tokens
		d.press("I")
		d.mustShow("↑tokens")
		if most := tree.pages.pages[tree.rows[0].Node].Tokens; most <= least {
			t.Errorf("turned round, %d tokens come before %d", most, least)
		}
		d.press("I")
	}
	d.press("r O")
	d.mustShow("r shows the table")
}

func TestPagesFold(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", corpusQuery, "esc 3 g")
	tree := &d.m.corpusView.tree
	all := len(tree.rows)
	d.press("space")
	if len(tree.rows) != 1 {
		t.Fatalf("%d rows are left", len(tree.rows))
	}
	d.mustShow("▸ A guide to retrieval")
	d.press("l")
	if len(tree.rows) != all {
		t.Fatalf("%d rows are there again", len(tree.rows))
	}
	d.press("j h")
	if n := len(tree.rows); n >= all || tree.At != 1 {
		t.Errorf("%d rows, cursor %d", n, tree.At)
	}
	d.press("h")
	if tree.At != 0 {
		t.Errorf("h goes to row %d", tree.At)
	}
}

func TestSectionsOpenInTheExplorer(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", corpusQuery, "esc 3 enter")
	p := &d.m.corpusView.page
	ranked := p.content.Sections[p.cursor].ID
	d.press("enter")
	if d.m.view != viewExplore || d.m.focus != panePreview || sectionID(d.m.results.Selected()) != ranked {
		t.Fatal("a section of the answer does not open where the answer has it")
	}
	d.press("3 esc g j enter")
	at := slices.IndexFunc(p.content.Sections, func(c store.Chunk) bool { return d.m.results.RowWith(c.ID) < 0 })
	if at < 0 {
		t.Fatal("the query found all sections of the page")
	}
	d.m.goToSection(at)
	d.press("enter")
	if d.m.view != viewExplore || d.m.preview.item == nil || d.m.preview.item.ChunkID != p.content.Sections[at].ID {
		t.Fatal("a section that no query found does not open")
	}
	if len(d.m.preview.marks) > 0 {
		t.Errorf("it has marks: %v", d.m.preview.marks)
	}
	d.press("esc esc")
	if d.m.opened != nil {
		t.Error("esc does not close it")
	}
}

func TestTheWholePageIsRead(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", corpusQuery, "esc 3 m")
	w := &d.m.corpusView.page.whole
	if w.texts != len(w.sections) || len(w.matches) == 0 {
		t.Fatalf("%d texts of %d sections, %d matches", w.texts, len(w.sections), len(w.matches))
	}
	d.mustShow("Depth decay", "section 3 of 4")
	d.press("g")
	d.mustShow("section 1 of 4", "Search returns passages")
	d.press("G")
	if last := w.sections[3].page.rendering.PlainLines(0, w.sections[3].height); !strings.Contains(d.screen(), strings.TrimSpace(last[len(last)-1])) {
		t.Errorf("the last line is not shown:\n%s", d.screen())
	}
	d.press("g n n")
	if at, of := w.found(); at != 2 || of != len(w.matches) {
		t.Errorf("on match %d of %d", at, of)
	}
	d.press("f 'depth' enter")
	at, of := w.found()
	if at != 1 || of < 5 {
		t.Fatalf("found %d of %d", at, of)
	}
	d.press("n N N")
	if at, _ := w.found(); at != of {
		t.Errorf("going back from the first goes to %d of %d", at, of)
	}
	hit := w.hits[w.focus]
	if got := strings.ToLower(string([]rune(w.sections[hit.section].item.ChunkText)[hit.start:hit.end])); got != "depth" {
		t.Errorf("found %q", got)
	}
	d.press("esc m")
	d.mustShow("matched the query", "T table")
}

func TestFindingAmongPagesAndSections(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", corpusQuery, "esc 3 f 'full context' enter")
	if got := d.m.corpusView.tree.selected(); !strings.HasPrefix(got.Title, "Full context") {
		t.Errorf("found %s", got.Title)
	}
	d.mustShow("found 1/")
	d.press("esc enter g f 'budget'")
	if at, of := (pagePanel{d.m}).Found(); at != 1 || of == 0 {
		t.Errorf("found %d of %d sections", at, of)
	}
}

func TestPagesSayWhichQueriesReachThem(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", corpusQuery, "esc / 'xx' enter 3")
	d.mustShow("queries of this session that reach it:", corpusQuery, "rank 1")
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
	d.m.session.Corpus().Missing = map[store.Capability]string{store.CapLinks: "it has no table of links"}
	d.press("3")
	d.mustShow("by address: no links", "no links: it has no table of links")
}

func TestPagesComeInBlocks(t *testing.T) {
	d := drive(t, 1, 120, 40, withPages(pagesAtOnce+3*pageBlock), "esc 3")
	tree := &d.m.corpusView.tree
	if n := len(tree.pages.pages); n != pagesAtOnce {
		t.Fatalf("%d pages are read at once", n)
	}
	d.mustShow(fmt.Sprintf("%d of %s", pagesAtOnce, wording.Count(pagesAtOnce+3*pageBlock)))
	d.press("G")
	if n := len(tree.pages.pages); n != pagesAtOnce+pageBlock {
		t.Fatalf("%d pages are read at the end", n)
	}
	for range 4 {
		d.press("G")
	}
	if n := len(tree.pages.pages); n != pagesAtOnce+3*pageBlock || !d.m.corpusView.complete {
		t.Fatalf("%d pages are read at last", n)
	}
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
	tree, _ := d.m.place.Slot(paneTree)
	d.send(tea.MouseClickMsg{X: 5, Y: tree.Body.Min.Y + 3, Button: tea.MouseLeft})
	d.settle()
	if got := d.m.corpusView.tree.At; got != 3 {
		t.Errorf("a click selects row %d", got)
	}
	d.send(tea.MouseWheelMsg{X: 5, Y: tree.Body.Min.Y + 3, Button: tea.MouseWheelDown})
	if got := d.m.corpusView.tree.At; got != 4 {
		t.Errorf("the wheel goes to row %d", got)
	}
	d.settle()
	page, _ := d.m.place.Slot(panePage)
	row := len(d.m.pageHead()) + 1 + 1
	d.send(tea.MouseClickMsg{X: page.Body.Min.X + 5, Y: page.Body.Min.Y + row, Button: tea.MouseLeft})
	d.settle()
	if got := d.m.corpusView.page.cursor; got != 1 || d.m.focus != panePage {
		t.Errorf("a click selects section %d", got)
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
	if d.m.focus != panePage {
		t.Error("enter does not go to the page")
	}
	d.press("h")
	if d.m.focus != paneTree {
		t.Error("h does not go back to the pages")
	}
	d.press("T")
	d.mustShow("Scores and their scales [✓] → Ranking and depth [✓] → Tuning by hand [✓]", "tab changes")
	d.press("tab")
	d.mustShow("guide.example/docs/scores [✓] → /ranking [✓] → /tuning [✓]")
	d.press("T enter k k k")
	if d.m.corpusView.page.cursor != wholeRow {
		t.Fatal("the cursor does not go above the sections")
	}
	d.press("enter")
	d.mustShow("Depth decay", "section 1 of 2")
	d.press("m h g o")
	d.mustShow("the page has no web address")
}

func TestTheWheelScrollsAPage(t *testing.T) {
	d := drive(t, 1, 120, 40, func(_ *Options, f *fakeCorpus) { f.longPage = 400_000 }, "esc 3")
	page, _ := d.m.place.Slot(panePage)
	p := &d.m.corpusView.page
	for _, whole := range []bool{false, true} {
		d.send(tea.MouseWheelMsg{X: page.Body.Min.X + 3, Y: page.Body.Min.Y + 3, Button: tea.MouseWheelDown})
		if got := max(p.Top, p.whole.at.line); got != widget.WheelDown.Lines(0) {
			t.Errorf("whole %v: a turn of the wheel goes to line %d", whole, got)
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
			fits(rt, d.m)
		}
		d.settle()
		d.press(strings.Repeat("esc ", 8))
		if d.m.view != viewExplore {
			rt.Fatalf("esc does not lead out of %d", d.m.view)
		}
	})
}
