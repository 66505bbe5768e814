package compare

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// pairDialog shows two rankings side by side, by rank.
type pairDialog struct {
	all          []*session.Snapshot
	restore      func(*session.Snapshot) tea.Cmd
	a, b         int // indexes into all
	diff         retrieval.Comparison
	widget.Pager // over the ranks
}

// newPairDialog compares a snapshot with the last of all.
func newPairDialog(all []*session.Snapshot, a *session.Snapshot, restore func(*session.Snapshot) tea.Cmd) *pairDialog {
	d := &pairDialog{all: all, restore: restore, a: max(0, slices.Index(all, a)), b: len(all) - 1}
	d.compare()
	return d
}

func (d *pairDialog) compare() {
	d.diff = retrieval.Compare(d.all[d.a].Result, d.all[d.b].Result, session.OverlapDepth)
	d.Top = 0
}

// Handle implements [view.Dialog].
func (d *pairDialog) Handle(msg tea.Msg) view.Verdict {
	key, verb := view.Motion(msg)
	d.Turn(verb)
	restore := func(s *session.Snapshot) view.Verdict {
		return view.Verdict{Closed: true, Then: func() tea.Cmd { return d.restore(s) }}
	}
	switch key {
	case "esc", "q", "enter":
		return view.Verdict{Closed: true}
	case "a":
		d.a = (d.a + 1) % len(d.all)
		d.compare()
	case "b":
		d.b = (d.b + 1) % len(d.all)
		d.compare()
	case "x":
		d.a, d.b = d.b, d.a
		d.compare()
	case "r":
		return restore(d.all[d.a])
	case "R":
		return restore(d.all[d.b])
	}
	return view.Verdict{}
}

// Cursor implements [view.Dialog].
func (d *pairDialog) Cursor() *tea.Cursor { return nil }

// Draw implements [view.Dialog].
func (d *pairDialog) Draw(s *theme.Styles, w, h int) []string {
	inner := w - 4
	if inner <= 0 {
		return nil
	}
	a, b := d.all[d.a], d.all[d.b]
	lines := d.head(s, inner)
	half := (inner - 3) / 2
	seam := " " + s.Rule.Render(s.Signs.Seam) + " "
	both := func(left, right string) string { return widget.Fit(left, half) + seam + widget.Fit(right, half) }
	lines = append(lines,
		both(s.Title.Render("A  "+wording.Line(a.Name)), s.Title.Render("B  "+wording.Line(b.Name))),
		both(s.Faint.Render("   "+wording.Line(a.Query)), s.Faint.Render("   "+wording.Line(b.Query))))
	left, right := byRank(&a.Result), byRank(&b.Result)
	total := max(len(left), len(right))
	d.Resize(max(0, min(total, h-len(lines)-2)), total)
	gone, moves := map[string]bool{}, map[string]*retrieval.Shift{}
	if session.UnlikeOf(&a.Result, &b.Result) == session.Alike {
		for i := range d.diff.Left {
			gone[d.diff.Left[i].ChunkID] = true
		}
		for _, list := range [][]retrieval.Shift{d.diff.Entered, d.diff.Moved} {
			for i := range list {
				moves[list[i].ChunkID] = &list[i]
			}
		}
	}
	for i := d.Top; i < d.Until(); i++ {
		var l, r string
		if i < len(left) {
			mark := ""
			if gone[left[i].ChunkID] {
				mark = s.Down.Render("left")
			}
			l = pairLine(s, left[i], mark, half)
		}
		if i < len(right) {
			text, style := wording.Movement(s, moves[right[i].ChunkID])
			r = pairLine(s, right[i], style.Render(text), half)
		}
		lines = append(lines, both(l, r))
	}
	for len(lines) < h-2 {
		lines = append(lines, both("", ""))
	}
	return widget.Frame(s, "Two rankings", lines, d.Position(), w)
}

// Hints implements [view.Dialog].
func (d *pairDialog) Hints() []view.Hint {
	return []view.Hint{{Keys: "a b", Verb: "another left, right"}, {Keys: "x", Verb: "swap"}, {Keys: "r R", Verb: "restore A's, B's parameters"}, view.Closes}
}

// head says how the rankings and the parameters differ.
func (d *pairDialog) head(s *theme.Styles, room int) []string {
	a, b := d.all[d.a], d.all[d.b]
	var lines []string
	if a.Query != b.Query {
		lines = append(lines, widget.Styled(s.Warning.Render, widget.Wrapped("! They answer different queries: how ranks differ says little.", room))...)
	}
	switch {
	case session.UnlikeOf(&a.Result, &b.Result) != session.Alike:
		lines = append(lines, saidUnlike(session.UnlikeOf(&a.Result, &b.Result)))
	case d.diff.IsIdentical():
		lines = append(lines, "the same ranking with the same scores")
	default:
		long, short := wording.DiffCounts(s, &d.diff)
		overlap, rbo := wording.Measures(&d.diff)
		measured := fmt.Sprintf("   overlap@%d %s", session.OverlapDepth, overlap)
		if rbo != "" {
			measured += "   RBO " + rbo
		}
		scale := ""
		if !d.diff.SameScale() {
			scale = "   scores not comparable"
		}
		lines = append(lines, widget.FirstFitting(room, long+measured+scale, long+measured, long, short))
	}
	settings := settingDifferences(a.Setting.Params, b.Setting.Params)
	if len(settings) == 0 {
		return append(lines, s.Faint.Render("with the same parameters"), "")
	}
	const most = 3
	wrappedSettings := widget.Wrapped(strings.Join(settings, "   "), room)
	if len(wrappedSettings) > most {
		wrappedSettings = append(wrappedSettings[:most-1], fmt.Sprintf("… %d parameters in all", len(settings)))
	}
	for _, l := range wrappedSettings {
		lines = append(lines, s.Accent.Render(strings.ReplaceAll(l, unbroken, " ")))
	}
	return append(lines, "")
}

// unbroken is a blank at which no line is broken.
const unbroken = "\u00a0"

// settingDifferences lists the parameters that differ, each with both values, in
// the order of the pipeline. Each is held together when lines are broken.
func settingDifferences(a, b param.Params) []string {
	var out []string
	for _, spec := range param.Specs() {
		if from, to := a.Get(spec.Field), b.Get(spec.Field); from != to {
			out = append(out, strings.ReplaceAll(spec.Name+" "+wording.Line(spec.Shown(from))+" → "+wording.Line(spec.Shown(to)), " ", unbroken))
		}
	}
	return out
}

func byRank(r *retrieval.Result) []*retrieval.Item {
	items := make([]*retrieval.Item, len(r.Items))
	for i := range r.Items {
		items[i] = &r.Items[i]
	}
	slices.SortStableFunc(items, func(x, y *retrieval.Item) int { return x.Rank - y.Rank })
	return items
}

// pairScoreWidth is the width of a column from which it has scores.
const pairScoreWidth = 34

// pairLine is a section in one of the columns, with what became of it.
func pairLine(s *theme.Styles, it *retrieval.Item, mark string, w int) string {
	right := widget.Padded(mark, 4)
	if w >= pairScoreWidth {
		right = s.Score.Render(fmt.Sprintf("%5s", wording.Score(it.Score))) + "  " + right
	}
	name := wording.CutPath(wording.PathOf(it, nil), max(4, w-ansi.StringWidth(right)-4))
	return widget.Spread(s.Faint.Render(fmt.Sprintf("%2d", it.Rank))+" "+name, right, w)
}
