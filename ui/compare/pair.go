package compare

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// pairDialog shows two rankings side by side, by rank; in their place the watched queries by
// the parameters of both, or the parameters of both.
type pairDialog struct {
	v     *View
	sides [2]side
	sheet sheet
	// unfolded says that the parameters that are alike are listed, too.
	unfolded bool

	widget.List     // over the ranks or the watched queries
	at          int // the side of the cursor
	pager       widget.Pager

	// compared is what diff and what follows is of: the sections of both by rank, and what
	// became of each: those that the other side has not, and those that moved.
	compared [2]*retrieval.Result
	diff     retrieval.Comparison
	unlike   session.Unlike
	items    [2][]*retrieval.Item
	left     map[string]bool
	moves    map[string]*retrieval.Shift
	// called are the sections of both sides by id, as naming calls them.
	called map[string]*retrieval.Item
	naming *wording.Names
	// wide is the width of the longest name, marks that of the longest word on what became
	// of a section.
	wide  int
	marks [2]int
	// rankWide is the width of the ranks.
	rankWide int
}

// sheet is what the dialog shows of both sides.
type sheet int

const (
	rankingSheet sheet = iota
	// watchSheet has the watched queries, settingSheet the parameters.
	watchSheet
	settingSheet
)

// turnTo shows a sheet, or where that is shown the rankings.
func (d *pairDialog) turnTo(to sheet) {
	if d.sheet == to {
		to = rankingSheet
	}
	d.sheet, d.At, d.Top, d.pager.Top = to, 0, 0, 0
}

// look has both sides ranked, of which one may have to be gathered.
func (d *pairDialog) look() tea.Cmd {
	d.v.Session().LookAside() // the corpus may have changed since
	return d.v.Begin(d.v.Session().LookAside(d.sides[0].Params, d.sides[1].Params))
}

// results are the rankings of both sides, nil while one is not known.
func (d *pairDialog) results() (of [2]*retrieval.Result) {
	for i := range d.sides {
		of[i], _ = d.v.result(&d.sides[i])
	}
	if of != d.compared && of[0] != nil && of[1] != nil {
		d.compared, d.unlike = of, session.UnlikeOf(of[0], of[1])
		d.diff = retrieval.Compare(*of[0], *of[1], session.OverlapDepth)
		d.items = [2][]*retrieval.Item{of[0].ByRank(), of[1].ByRank()}
		d.call()
		d.compare()
	}
	return of
}

// known says that both rankings are known.
func (d *pairDialog) known() bool {
	of := d.results()
	return of[0] != nil && of[1] != nil
}

// Handle implements [view.Dialog].
func (d *pairDialog) Handle(msg tea.Msg) view.Verdict {
	key, verb := view.Motion(msg)
	switch key {
	case "esc", "q":
		return d.close(nil)
	case "a":
		return d.choose(0)
	case "b":
		return d.choose(1)
	case "x":
		d.sides[0], d.sides[1] = d.sides[1], d.sides[0]
		return view.Verdict{Then: d.look}
	case "r":
		return d.close(func() tea.Cmd { return d.v.restoreSide(&d.sides[0]) })
	case "R":
		return d.close(func() tea.Cmd { return d.v.restoreSide(&d.sides[1]) })
	case "#":
		d.turnTo(watchSheet)
	case "p":
		if d.unfolded = d.sheet == settingSheet && !d.unfolded; !d.unfolded {
			d.turnTo(settingSheet)
		}
	case "tab", "shift+tab", "left", "right", "h", "l":
		d.cross(key)
	case "enter":
		return d.enter()
	default:
		d.move(verb)
	}
	return view.Verdict{}
}

// move moves the cursor, or the parameters.
func (d *pairDialog) move(verb widget.Verb) {
	switch {
	case d.sheet == settingSheet:
		d.pager.Turn(verb)
	case verb.Turns():
		d.Scroll(verb.Lines(0))
	default:
		d.Go(d.At + verb.Rows(max(1, d.Height-1)))
	}
}

// close ends the dialog, and what it waits for.
func (d *pairDialog) close(then func() tea.Cmd) view.Verdict {
	return view.Verdict{Closed: true, Then: func() tea.Cmd {
		d.v.Session().LookAside()
		if then == nil {
			return nil
		}
		return then()
	}}
}

// choose puts another ranking on a side.
func (d *pairDialog) choose(at int) view.Verdict {
	title := "A, on the left"
	if at == 1 {
		title = "B, on the right"
	}
	return view.Verdict{Then: func() tea.Cmd {
		return d.v.chooseSide(title, d.sides[1-at].same, func(s side) tea.Cmd {
			d.sides[at] = s
			return d.look()
		})
	}}
}

// cross goes to the other list: to the same section, if that has it.
func (d *pairDialog) cross(key string) {
	to := 1 - d.at
	switch key {
	case "left", "h":
		to = 0
	case "right", "l":
		to = 1
	}
	if to == d.at || d.sheet != rankingSheet || !d.known() {
		return
	}
	if it := d.item(d.at, d.At); it != nil {
		for i, other := range d.items[to] {
			if other.ChunkID == it.ChunkID {
				d.Go(i)
			}
		}
	}
	d.at = to
}

// item is the section on a row of a side, nil for none.
func (d *pairDialog) item(at, row int) *retrieval.Item {
	if !d.known() {
		return nil
	}
	if items := d.items[at]; row >= 0 && row < len(items) {
		return items[row]
	}
	return nil
}

// enter goes to the section under the cursor, in the list of results if it is there; of
// watched queries it asks the one under the cursor.
func (d *pairDialog) enter() view.Verdict {
	if d.sheet == watchSheet {
		list := d.v.Session().Watched()
		if d.At < 0 || d.At >= len(list) {
			return view.Verdict{}
		}
		return d.close(func() tea.Cmd { return d.v.needs.Ask(list[d.At].Query) })
	}
	it := d.item(d.at, d.At)
	if it == nil || d.sheet == settingSheet {
		return view.Verdict{}
	}
	return d.close(func() tea.Cmd {
		if cmd, ok := d.v.OpenResult(it.ChunkID); ok {
			return cmd
		}
		return d.v.OpenSection(it.ChunkID, -1)
	})
}

// Cursor implements [view.Dialog].
func (d *pairDialog) Cursor() *tea.Cursor { return nil }

// Hints implements [view.Dialog].
func (d *pairDialog) Hints() []view.Hint {
	hints := []view.Hint{{Keys: "enter", Verb: "go there"}, {Keys: "tab", Verb: "other side"}, {Keys: "#", Verb: "watch list"}, {Keys: "p", Verb: "parameters"}}
	switch d.sheet {
	case settingSheet:
		next := "all parameters"
		if d.unfolded {
			next = "rankings"
		}
		hints = []view.Hint{{Keys: "p", Verb: next}, {Keys: "#", Verb: "watch list"}}
	case watchSheet:
		hints = []view.Hint{{Keys: "enter", Verb: "ask"}, {Keys: "#", Verb: "rankings"}, {Keys: "p", Verb: "parameters"}}
	}
	return append(hints, view.Hint{Keys: "a b", Verb: "choose A, B"}, view.Hint{Keys: "x", Verb: "swap"}, view.Hint{Keys: "r R", Verb: "restore A's, B's parameters"}, view.Closes)
}
