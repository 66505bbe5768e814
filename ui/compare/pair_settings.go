package compare

import (
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// settingColumns is the width from which on both values of a parameter have a column each.
const settingColumns = 70

// settingWriter has the forms of the lines that list parameters of both sides.
type settingWriter struct {
	head []string
	// title is a line or more above parameters, row those of one parameter, by what it is on
	// both sides.
	title func(text string) []string
	row   func(spec *param.Spec, a, b string) []string
}

// settingLines list the parameters that differ, in columns or, where these would cut the
// values, as text; below them the others, once they are asked for.
func (d *pairDialog) settingLines(s *theme.Styles, inner, room int) []string {
	as := d.settingTable(s, inner)
	if inner < settingColumns {
		as = d.settingText(s, inner)
	}
	var rows []string
	a, b := d.sides[0].Params, d.sides[1].Params
	list := func(g *settingGroup, specs []param.Spec) {
		if len(specs) > 0 {
			rows = append(rows, as.title(g.name)...)
		}
		for i := range specs {
			rows = append(rows, as.row(&specs[i], wording.Line(specs[i].Shown(a.Get(specs[i].Field))), wording.Line(specs[i].Shown(b.Get(specs[i].Field))))...)
		}
	}
	all, alike := allSettings(a, b), 0
	for i := range all {
		list(&all[i], all[i].unlike)
		alike += len(all[i].alike)
	}
	if len(rows) == 0 {
		rows = as.title("No parameter differs.")
	}
	said := wording.Plural(alike, "parameter") + " alike"
	if !d.unfolded {
		said += ": p shows them"
	}
	rows = append(append(rows, ""), as.title(said)...)
	for i := range all {
		if d.unfolded {
			list(&all[i], all[i].alike)
		}
	}
	d.pager.Resize(max(1, room-len(as.head)), len(rows))
	return append(as.head, rows[d.pager.Top:d.pager.Until()]...)
}

// settingTable has a column for the values of each side.
func (d *pairDialog) settingTable(s *theme.Styles, inner int) settingWriter {
	wide := max(12, (inner-28)/2)
	row := func(name, left, right string) string {
		return widget.Fit(widget.Fit(name, 28)+widget.Fit(left, wide-1)+" "+widget.Fit(right, wide-1), inner)
	}
	return settingWriter{
		head:  []string{row("", s.Strong.Render("A  "+wording.Line(d.sides[0].Name)), s.Strong.Render("B  "+wording.Line(d.sides[1].Name)))},
		title: func(text string) []string { return []string{" " + s.Strong.Render(text)} },
		row: func(spec *param.Spec, a, b string) []string {
			name := widget.Fit("   "+spec.Name, 27)
			if a == b {
				return []string{s.Faint.Render(row(name, a, b))}
			}
			return []string{row(name, s.Accent.Render(a), s.Accent.Render(b))}
		},
	}
}

// settingText has a line or more for each parameter: the value of A and, if B has another
// one, that behind an arrow.
func (d *pairDialog) settingText(s *theme.Styles, inner int) settingWriter {
	hung := func(style func(...string) string, indent int, text string) (to []string) {
		for i, l := range widget.Wrapped(text, max(1, inner-indent-2)) {
			if i > 0 {
				l = "  " + l
			}
			to = append(to, widget.Repeat(" ", indent)+style(l))
		}
		return to
	}
	arrow := " " + s.Signs.ArrowRight + " "
	return settingWriter{
		head:  hung(s.Strong.Render, 0, "A  "+wording.Line(d.sides[0].Name)+arrow+"B  "+wording.Line(d.sides[1].Name)),
		title: func(text string) []string { return hung(s.Strong.Render, 1, text) },
		row: func(spec *param.Spec, a, b string) []string {
			if a == b {
				return hung(s.Faint.Render, 3, spec.Name+"  "+a)
			}
			return hung(s.Accent.Render, 3, spec.Name+"  "+a+arrow+b)
		},
	}
}
