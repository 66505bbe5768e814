package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/results"
	"github.com/webrag/webrag-tui/ui/wording"
)

// What is admitted after nothing was found is shown from its first row, with the
// title of its page.
func TestAListThatFitsIsShownWhole(t *testing.T) {
	for _, size := range [][2]int{{120, 60}, {120, 40}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			d := openGuide(t, size[0], size[1], "webrag", "zxqv blorpf wuggle", "A")
			p := &d.m.results
			if d.m.sections() == 0 || p.At >= p.Height {
				t.Fatalf("%d sections, the cursor in row %d", d.m.sections(), p.At)
			}
			if p.Top != 0 && (len(p.Rows) <= p.Height || p.At < p.Height) {
				t.Errorf("begins in row %d of %d, with %d lines:\n%s", p.Top, len(p.Rows), p.Height, d.screen())
			}
		})
	}
}

// Whatever is done, no line of the list is empty at its beginning, none at its end
// while rows are hidden, and what is hidden is counted in the title.
func TestTheListIsNeverTorn(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "")
	rapid.Check(t, func(rt *rapid.T) {
		switch rapid.IntRange(0, 3).Draw(rt, "what") {
		case 0:
			d.send(tea.WindowSizeMsg{Width: rapid.IntRange(40, 160).Draw(rt, "w"), Height: rapid.IntRange(12, 60).Draw(rt, "h")})
		case 1:
			d.change("similarity_floor", rapid.SampledFrom([]string{"0", "0.2", "0.3", "0.36", "0.99"}).Draw(rt, "floor"))
		default:
			d.press(rapid.SampledFrom([]string{"j", "k", "g", "G", "r", "space", "t", "esc", "pgdown"}).Draw(rt, "key"))
		}
		d.quit = false
		p := &d.m.results
		if d.m.sections() == 0 || p.Height <= 0 {
			return
		}
		lines := p.View(d.m.styles, true)
		for i := range min(p.Height, len(p.Rows)) {
			blank := strings.TrimSpace(ansi.Strip(lines[i])) == ""
			if blank && (i == 0 || p.Rows[p.Top+i].Kind != results.Gap && p.Rows[p.Top+i].Kind != results.Address) {
				rt.Fatalf("line %d is empty:\n%s", i, strings.Join(lines, "\n"))
			}
		}
		above, below := p.Top, len(p.Rows)-p.Top-p.Height
		if hint := p.Hidden(d.m.styles); (above > 0) != strings.Contains(hint, fmt.Sprintf("↑%d", above)) || (below > 0) != strings.Contains(hint, fmt.Sprintf("↓%d", below)) {
			rt.Fatalf("%d rows are hidden above, %d below, and %q is said", above, below, hint)
		}
	})
}

func TestAPageThatIsCutShowsItsTitle(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "")
	p := &d.m.results
	p.Height = 6
	for i := range p.Rows {
		p.Top = i
		first := ansi.Strip(p.View(d.m.styles, true)[0])
		switch p.Rows[i].Kind {
		case results.Address:
			if title := p.Groups[p.Rows[i].Group].Title; !strings.Contains(first, title[:8]) {
				t.Errorf("row %d: %q, want the title %q", i, first, title)
			}
		case results.Gap:
			if want := fmt.Sprintf("↑ %d more lines", i+1); !strings.Contains(first, want) {
				t.Errorf("row %d: %q, want %q", i, first, want)
			}
		}
	}
}

func TestFullContextIsInReadingOrder(t *testing.T) {
	drive(t, 1, 120, 40, asking("whole"), "r").mustShow("in reading order")
	drive(t, 1, 120, 40, asking("decay"), "r").mustShow("by rank")
}

// Sections and passages are not compared, and the selection follows from a section
// to its best passage and back.
func TestTheUnitChanges(t *testing.T) {
	d := openGuide(t, 150, 42, "webrag", depthQuestion, "t")
	section := d.m.results.Selected().ChunkID
	d.change("unit", "chunk")
	it := d.m.results.Selected()
	if it == nil || it.Level != store.Child || it.ParentID != section {
		t.Fatalf("selected %+v, want a passage of %s", it, section)
	}
	for i := range d.m.session.Result().Items {
		if other := &d.m.session.Result().Items[i]; other.ParentID == section && other.Rank < it.Rank {
			t.Errorf("rank %d is selected, and %d is of that section, too", it.Rank, other.Rank)
		}
	}
	d.mustShow("sections and passages are not compared")
	d.mustNotShow("gone, against", " new ", "entered")
	d.change("unit", "parent")
	if it := d.m.results.Selected(); it == nil || it.ChunkID != section {
		t.Errorf("back at %+v, want %s", it, section)
	}
	d.mustNotShow("not compared")
}

// Where sections may move, the first that does moves nothing else.
func TestTheListKeepsItsColumns(t *testing.T) {
	column := func(d *driver) int {
		s, _ := d.m.place.Slot(paneResults)
		return strings.Index(strings.Split(d.screen(), "\n")[s.Body.Min.Y], "▾")
	}
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "t")
	before := column(d)
	d.change("similarity_floor", "0.1")
	if d.m.sections() < 10 {
		t.Fatalf("%d sections have ranks of one digit", d.m.sections())
	}
	d.press("g")
	if after := column(d); after != before || before < 0 {
		t.Errorf("from column %d to %d", before, after)
	}

	d = openGuide(t, 100, 30, "webrag", depthQuestion, "")
	rows := len(d.m.results.Rows)
	d.press("t")
	if n := len(d.m.results.Rows); n != rows {
		t.Errorf("%d rows became %d", rows, n)
	}
	d.press("esc s")
	if !d.m.results.ShowsMoves() {
		t.Error("a pinned baseline leaves no room for movements")
	}
}

// A list of what fell that ends early says how much fell.
func TestWhatFellIsCounted(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "G")
	n := 0
	for _, st := range d.m.session.Result().Trace.Stages {
		n += len(st.Dropped)
	}
	if len(d.m.session.Result().NearMisses) != retrieval.MostNearMisses || n <= retrieval.MostNearMisses {
		t.Fatalf("%d of %d are listed", len(d.m.session.Result().NearMisses), n)
	}
	d.mustShow(fmt.Sprintf("%d fell in all: 2 shows them", n))
	d.change("similarity_floor", "0")
	if len(d.m.session.Result().NearMisses) < retrieval.MostNearMisses && slices.ContainsFunc(d.m.results.Rows, func(r results.Row) bool { return r.Kind == results.More }) {
		t.Error("a list that is whole has an end")
	}
}

// A folded page is what is selected: it can be opened and copied.
func TestAFoldedPageIsTheSelection(t *testing.T) {
	opened := ""
	d := drive(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) {
		o.Query = "decay"
		o.OpenURL = func(url string) error { opened = url; return nil }
	}, "space")
	if d.m.results.Selected() != nil || !d.m.results.OnGroup() {
		t.Fatal("no page is selected")
	}
	url, _ := d.m.selectedPage()
	d.mustShow("A page is selected")
	d.press("o")
	if wording.IsWebURL(url) && opened != url {
		t.Errorf("opened %q, want %q", opened, url)
	}
	d.press("y u")
	d.mustShow("copied the address")
	d.press("E")
	d.mustShow("unfold it")
}
