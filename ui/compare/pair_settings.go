package compare

import (
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// settingColumns is the width from which on both values of a parameter have a column each.
const settingColumns = 70

// settingLines list all parameters of both sides, in columns or, where these would cut the
// values, as text.
func (d *pairDialog) settingLines(s *theme.Styles, inner, room int) []string {
	head, rows := d.settingTable(s, inner)
	if inner < settingColumns {
		head, rows = d.settingText(s, inner)
	}
	d.pager.Resize(max(1, room-len(head)), len(rows))
	return append(head, rows[d.pager.Top:d.pager.Until()]...)
}

// settingTable has a column for the values of each side.
func (d *pairDialog) settingTable(s *theme.Styles, inner int) (head, rows []string) {
	a, b := d.sides[0].Params, d.sides[1].Params
	wide := max(12, (inner-28)/2)
	row := func(name, left, right string) string {
		return widget.Fit(widget.Fit(name, 28)+widget.Fit(left, wide-1)+" "+widget.Fit(right, wide-1), inner)
	}
	for _, g := range allSettings(a, b) {
		rows = append(rows, " "+s.Strong.Render(g.name))
		for _, spec := range g.specs {
			left, right := wording.Line(spec.Shown(a.Get(spec.Field))), wording.Line(spec.Shown(b.Get(spec.Field)))
			name := widget.Fit("   "+spec.Name, 27)
			if a.Get(spec.Field) == b.Get(spec.Field) {
				rows = append(rows, s.Faint.Render(row(name, left, right)))
			} else {
				rows = append(rows, row(name, s.Accent.Render(left), s.Accent.Render(right)))
			}
		}
	}
	return []string{row("", s.Strong.Render("A  "+wording.Line(d.sides[0].Name)), s.Strong.Render("B  "+wording.Line(d.sides[1].Name)))}, rows
}

// settingText has a line or more for each parameter: the value of A and, if B has another
// one, that behind an arrow.
func (d *pairDialog) settingText(s *theme.Styles, inner int) (head, rows []string) {
	a, b := d.sides[0].Params, d.sides[1].Params
	add := func(to []string, style func(...string) string, indent int, text string) []string {
		for i, l := range widget.Wrapped(text, max(1, inner-indent-2)) {
			if i > 0 {
				l = "  " + l
			}
			to = append(to, widget.Repeat(" ", indent)+style(l))
		}
		return to
	}
	arrow := " " + s.Signs.ArrowRight + " "
	for _, g := range allSettings(a, b) {
		rows = add(rows, s.Strong.Render, 1, g.name)
		for _, spec := range g.specs {
			style, value, other := s.Faint.Render, wording.Line(spec.Shown(a.Get(spec.Field))), wording.Line(spec.Shown(b.Get(spec.Field)))
			if a.Get(spec.Field) != b.Get(spec.Field) {
				style, value = s.Accent.Render, value+arrow+other
			}
			rows = add(rows, style, 3, spec.Name+"  "+value)
		}
	}
	return add(nil, s.Strong.Render, 0, "A  "+wording.Line(d.sides[0].Name)+arrow+"B  "+wording.Line(d.sides[1].Name)), rows
}
