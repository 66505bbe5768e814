package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// What is admitted after nothing was found is shown from its first row, with the
// title of its page.
func TestAListThatFitsIsShownWhole(t *testing.T) {
	for _, size := range [][2]int{{120, 60}, {120, 40}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			d := openGuide(t, size[0], size[1], "webrag", "zxqv blorpf wuggle", "A")
			top, line := d.list().Top(), d.onLine()
			if d.sections() == 0 || line < 0 || top+line >= slotOf(d).Body.Dy() {
				t.Fatalf("%d sections, the cursor in row %d", d.sections(), top+line)
			}
			if top != 0 {
				t.Errorf("begins in row %d:\n%s", top, d.screen())
			}
		})
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
	section := d.selected().ChunkID
	d.change("unit", "chunk")
	it := d.selected()
	if it == nil || it.Level != store.Child || it.ParentID != section {
		t.Fatalf("selected %+v, want a passage of %s", it, section)
	}
	for i := range d.session().Result().Items {
		if other := &d.session().Result().Items[i]; other.ParentID == section && other.Rank < it.Rank {
			t.Errorf("rank %d is selected, and %d is of that section, too", it.Rank, other.Rank)
		}
	}
	d.mustShow("sections and passages are not compared")
	d.mustNotShow("left since", " new ", "entered")
	d.change("unit", "parent")
	if it := d.selected(); it == nil || it.ChunkID != section {
		t.Errorf("back at %+v, want %s", it, section)
	}
	d.mustNotShow("not compared")
}

// rows is how many rows the list has, those that are hidden included.
func (d *driver) rows(t *testing.T) int {
	t.Helper()
	keep := d.at()
	d.list().Pane().Move(widget.End)
	n, seen := d.list().Top(), 0
	for i, l := range d.listed() {
		if l != "" {
			seen = i + 1
		}
	}
	d.list().Select(keep)
	return n + seen
}

// What stands beside the names takes room where it says something: neither the drawer nor a
// pinned baseline that nothing differs from cut a name.
func TestTheListKeepsItsColumns(t *testing.T) {
	column := func(d *driver) int {
		return strings.Index(d.listed()[d.onLine()], "Depth decay")
	}
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "t")
	before := column(d)
	d.change("similarity_floor", "0.1")
	if d.sections() < 10 {
		t.Fatalf("%d sections have ranks of one digit", d.sections())
	}
	if after := column(d); after != before || before < 0 {
		t.Errorf("from column %d to %d", before, after)
	}
	d.mustShow("new")

	d = openGuide(t, 100, 30, "webrag", depthQuestion, "")
	rows := d.rows(t)
	d.press("t")
	if n := d.rows(t); n != rows {
		t.Errorf("%d rows became %d", rows, n)
	}
	d.press("esc g")
	list := d.listed()
	d.press("s")
	if now := d.listed(); !slices.Equal(now, list) {
		t.Errorf("a pinned baseline, which nothing differs from, changes\n%s\nto\n%s", strings.Join(list, "\n"), strings.Join(now, "\n"))
	}
}

// A list of what was dropped that ends early says how much there is.
func TestWhatFellIsCounted(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "G")
	n := 0
	for _, st := range d.session().Result().Trace.Stages {
		n += len(st.Dropped)
	}
	if len(d.session().Result().NearMisses) != retrieval.MostNearMisses || n <= retrieval.MostNearMisses {
		t.Fatalf("%d of %d are listed", len(d.session().Result().NearMisses), n)
	}
	d.mustShow(fmt.Sprintf("%d dropped in all: 2 shows them", n))
	d.change("similarity_floor", "0")
	d.press("G")
	if len(d.session().Result().NearMisses) < retrieval.MostNearMisses {
		d.mustNotShow("dropped in all")
	}
}

// A folded page is what is selected: it can be opened and copied.
func TestAFoldedPageIsTheSelection(t *testing.T) {
	opened := ""
	d := drive(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) {
		o.Query = "decay"
		o.OpenURL = func(url string) error { opened = url; return nil }
	}, "space")
	if d.selected() != nil || !d.list().OnPage() {
		t.Fatal("no page is selected")
	}
	url, _ := d.list().SelectedPage()
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
