package results

import (
	"iter"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Pane is the pane's name.
const Pane view.Context = "results"

// Needs are what the list asks of the explorer beside what all views do.
type Needs struct {
	// Exploring are the panes beside which the list stands.
	Exploring view.Contexts
	// Empty is what is drawn, w cells wide, where no answer can be listed: what is going
	// on, or what to do. It is nil where a query was answered with nothing.
	Empty func(w int) []string
	// Hint says what may bring a section that is missing, with keys by their actions.
	Hint func() string
	// Graded is the grade of a section, in short and in words, empty for none; GradedWide
	// are the cells of both, 0 where nothing is graded. nil are none.
	Graded     func(*retrieval.Item) (short, words string)
	GradedWide func() (short, words int)
	// Read opens the selected section.
	Read func() tea.Cmd
}

// View is the list of results.
type View struct {
	view.Shell
	needs Needs
	list  list
}

// New is the list before anything was asked.
func New(s view.Shell, n Needs) *View {
	return &View{Shell: s, needs: n, list: list{List: widget.List{At: -1}, graded: n.Graded}}
}

// Pane is the list as a pane.
func (v *View) Pane() view.Pane { return pane{v} }

// Actions are what can be done with what is selected in the list.
func (v *View) Actions() []view.Action {
	in := view.Contexts{Pane}
	return []view.Action{
		{
			ID: "results.open", Title: "Results: Open", Short: "read", Help: "Read the selected section, or unfold a page.",
			Keys: []string{"enter"}, Contexts: in, Footer: 80, Enabled: v.HasSelection,
			Run: v.Open,
		},
		{
			ID: "results.fold", Title: "Results: Fold", Short: "fold", Help: "Fold or unfold the sections of a page.",
			Keys: []string{"space", "left", "h"}, Contexts: in, Footer: 30, Enabled: v.HasSelection,
			Run: v.fold,
		},
	}
}

// OrderAction lists by page or by rank. In the table it stands among what is done with the
// form of a section.
func (v *View) OrderAction() view.Action {
	return view.Action{
		ID: "results.flat", Title: "Results: By page or by rank", Words: "sort group order", Short: "by rank", Help: "Group by page (what a model gets) or list by rank.",
		Keys: []string{"r"}, Contexts: v.needs.Exploring, Footer: 60,
		Run: func() tea.Cmd { v.SetFlat(!v.list.flat); return nil },
		Verb: func() string {
			if v.list.flat {
				return "by page"
			}
			return ""
		},
	}
}

// HasSelection reports that a section or a folded page is selected, or why nothing can be
// done with it.
func (v *View) HasSelection() (ok bool, why string) {
	return v.list.selected() != nil || v.list.onPage(), "nothing is selected"
}

// Open reads the selected section, or unfolds a page.
func (v *View) Open() tea.Cmd {
	switch {
	case v.list.onPage():
		v.list.fold()
	case v.list.selected() != nil:
		return v.needs.Read()
	}
	return nil
}

func (v *View) fold() tea.Cmd {
	if v.list.flat {
		return v.Say("pages fold in the grouped list ({results.flat})", false)
	}
	if !v.list.fold() && v.list.selected() != nil {
		return v.Say("only pages with several sections fold", false)
	}
	return nil
}

// IsFlat reports that the list is by rank, and not by page.
func (v *View) IsFlat() bool { return v.list.flat }

// SetFlat lists by rank, or by page.
func (v *View) SetFlat(flat bool) {
	v.list.flat = flat
	v.list.build()
	v.list.showCursor()
}

// List lists the result of the session. opened is a section that is read beside it, nil for
// none, of which a span is painted where cites is set: where the query did not return it,
// it stands above the others. The section with the chunk id in keep stays selected and on
// its line of the screen, or what is listed in its place; else, and for an empty one, the
// best is selected.
func (v *View) List(opened *retrieval.Item, cites bool, keep string) {
	var groups []group
	result := v.Session().Result()
	if result != nil {
		groups = groupsOf(result.Items)
	}
	if opened != nil && !holds(groups, opened.ChunkID) {
		alone := group{url: opened.SourceURL, title: opened.Title, depth: opened.Depth, items: []*retrieval.Item{opened}, opened: true, cites: cites}
		groups = append([]group{alone}, groups...)
	}
	v.list.seeAll = v.Keyed("{view.pipeline}")
	v.list.put(groups, result, keep)
}

// Compared shows how the result differs from the baseline, as the session knows it now.
func (v *View) Compared() {
	s := v.Session()
	v.list.change(s.Result(), changesOf(s.Difference(), s.BaselineResult(), wording.Line(s.Baseline().Name)))
}

// Summarised leaves out of the list what all pages of the corpus share, as the session knows
// it now.
func (v *View) Summarised() {
	v.list.suffixes, v.list.level = v.Session().TitleSuffixes(), false
	if known := v.Session().Summary(); known != nil {
		v.list.level = known.Level
	}
	v.list.namePages()
	v.Redraw()
}

// Redraw draws the list anew although its rows are the same.
func (v *View) Redraw() { v.list.redraw() }

// IsEmpty reports that there is nothing to go through.
func (v *View) IsEmpty() bool { return len(v.list.rows) == 0 }

// Selected is the section under the cursor, nil on a folded page and where there is none.
// It belongs to the result.
func (v *View) Selected() *retrieval.Item { return v.list.selected() }

// OnPage reports that the cursor stands on a folded page.
func (v *View) OnPage() bool { return v.list.onPage() }

// SelectedPage is the page of the selected row, its title without what all titles end
// with; both are empty where nothing is selected.
func (v *View) SelectedPage() (url, title string) {
	if it := v.list.selected(); it != nil {
		return it.SourceURL, v.PageTitle(it.Title)
	}
	if v.list.onPage() {
		g := &v.list.groups[v.list.rows[v.list.At].group]
		return g.url, v.PageTitle(g.title)
	}
	return "", ""
}

// OnBest reports that the cursor stands where a new answer puts it.
func (v *View) OnBest() bool { return v.list.At == v.list.firstChoice() }

// Has reports that a chunk has a row: a section or passage of the result, or one that was
// dropped or is gone. What is on a folded page has none.
func (v *View) Has(id string) bool { return v.list.rowWith(id) >= 0 }

// Section is the section with a chunk id among those that the query returned, or that was
// opened, nil where it has no row.
func (v *View) Section(id string) *retrieval.Item {
	if at := v.list.rowWith(id); at >= 0 && v.list.rows[at].kind == sectionRow {
		return v.list.rows[at].item
	}
	return nil
}

// Matched goes through the sections in which passages matched, in the order of their rows.
// Those of folded pages are left out.
func (v *View) Matched() iter.Seq[*retrieval.Item] {
	return func(yield func(*retrieval.Item) bool) {
		for i := range v.list.rows {
			if r := &v.list.rows[i]; r.kind == sectionRow && len(r.item.Matches) > 0 && !yield(r.item) {
				return
			}
		}
	}
}

// Neighbour is what can be selected n rows further on, nil on a folded page and at an end.
func (v *View) Neighbour(n int) *retrieval.Item { return v.list.neighbour(n) }

// Select selects a chunk, also where its page is folded, and reports whether it is listed.
func (v *View) Select(id string) bool { return v.list.selectChunk(id) }

// SelectNext selects the next section of the result that is wanted, after the last the
// first, and reports whether there is one. Those of folded pages are left out.
func (v *View) SelectNext(wanted func(*retrieval.Item) bool) bool {
	n := len(v.list.rows)
	for i := 1; i <= n; i++ {
		at := (v.list.At + i + n) % n
		if r := &v.list.rows[at]; r.kind == sectionRow && r.item.Rank > 0 && wanted(r.item) {
			v.list.goTo(at)
			return true
		}
	}
	return false
}

// Top is the first visible row, which [View.ScrollTo] goes back to.
func (v *View) Top() int { return v.list.Top }

// ScrollTo begins the visible rows with one of them, as far as the cursor stays in sight.
func (v *View) ScrollTo(top int) {
	v.list.Top = top
	v.list.showCursor()
}
