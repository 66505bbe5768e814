package compare

import (
	"fmt"
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// sideCell is the least width of a column with the ranks of one side.
const sideCell = 10

// watchLines are the watched queries by the parameters of both sides: the rank of the page
// that each must return, whether it passes, and on the whole how many do, and their MRR.
func (d *pairDialog) watchLines(s *theme.Styles, inner, room int) []string {
	all := d.v.Session().Watched()
	if len(all) == 0 {
		d.Resize(1, 0)
		return widget.Wrapped(d.v.Keyed("Nothing is watched. Ask a query, select the page that it must return, and press {watch.toggle}: here stands then what rank that page has by the parameters of A and of B."), inner)
	}
	returns := [2]string{returnsWords(d.sides[0].Params), returnsWords(d.sides[1].Params)}
	wide := sideCell
	for i := range d.sides {
		wide = max(wide, ansi.StringWidth(returns[i]), ansi.StringWidth(d.sides[i].Name)+3)
	}
	wide = min(wide, max(sideCell, min(24, inner/5)))
	row := func(left string, a, b string) string {
		return widget.Fit(left, inner-2*wide-2) + " " + widget.FitRight(a, wide) + " " + widget.FitRight(b, wide)
	}
	name := func(i int) string {
		return s.Strong.Render(ansi.Truncate([]string{"A  ", "B  "}[i]+wording.Line(d.sides[i].Name), wide, s.Signs.Ellipsis))
	}
	lines := []string{row(s.Faint.Render("  query, and the page that it must return"), name(0), name(1))}
	if returns[0] != returns[1] {
		lines = append(lines, row("", s.Faint.Render(returns[0]), s.Faint.Render(returns[1])))
	}
	d.Resize(max(1, room-4-len(lines)), len(all))
	for i := d.Top; i < d.Until(); i++ {
		lines = append(lines, d.watchLine(s, all[i], i == d.At, inner-2*wide-2, row))
	}
	return append(append(lines, ""), d.sumLines(s, row)...)
}

// returnsWords say how many sections a query gets.
func returnsWords(p param.Params) string {
	spec, _ := param.SpecOf(param.FieldTopK)
	return "returns " + wording.Line(spec.Shown(p.Get(param.FieldTopK)))
}

// watchLine is one watched query.
func (d *pairDialog) watchLine(s *theme.Styles, w *session.Watched, current bool, room int, row func(left, a, b string) string) string {
	cursor, style := widget.Mark(s, current, true, s.Text)
	page := "anything"
	if w.Required() != "" {
		page = nameOfPage(&w.WatchedQuery)
	}
	query := ansi.Truncate(wording.Line(w.Query), max(8, room*3/5), s.Signs.Ellipsis)
	left := cursor + " " + style.Render(query)
	left += "  " + s.Faint.Render(ansi.Truncate(page, max(4, room-ansi.StringWidth(left)-3), s.Signs.Ellipsis))
	var cells [2]string
	var ranks [2]int
	for i := range d.sides {
		rank, passed, known := d.v.Session().AsideRank(w, d.sides[i].Params)
		if ranks[i] = rank; rank == 0 {
			ranks[i] = 1 << 30
		}
		said := strconv.Itoa(rank)
		if rank == 0 {
			said = s.Signs.Dash
		}
		if w.Required() == "" {
			said = ""
		}
		_, why := d.v.Session().Aside(w.Query, d.sides[i].Params)
		switch {
		case !known && why != "":
			cells[i] = s.Warning.Render("! not asked")
		case !known:
			cells[i] = s.Faint.Render(s.Signs.Ellipsis)
		case passed:
			cells[i] = s.Up.Render(s.Signs.Check) + " " + widget.FitRight(said, 3)
		default:
			cells[i] = s.Down.Render(s.Signs.Cross) + " " + widget.FitRight(said, 3)
		}
	}
	if ranks[1] < ranks[0] && ranks[1] < 1<<30 {
		cells[1] = s.Up.Render(s.Signs.Up) + " " + cells[1]
	} else if ranks[1] > ranks[0] {
		cells[1] = s.Down.Render(s.Signs.Down) + " " + cells[1]
	}
	return row(left, cells[0], cells[1])
}

// sumLines say how the watched queries do on the whole.
func (d *pairDialog) sumLines(s *theme.Styles, row func(left, a, b string) string) []string {
	var passes, means [2]string
	pages := 0
	for i := range d.sides {
		sum := d.v.Session().AsideSum(d.sides[i].Params)
		passes[i], means[i] = s.Faint.Render(s.Signs.Ellipsis), s.Faint.Render(s.Signs.Ellipsis)
		if sum.Known {
			passes[i], means[i] = fmt.Sprintf("%d of %d", sum.Passed, sum.Total), wording.Score(sum.MRR)
		}
		pages = sum.Pages
	}
	lines := []string{row(s.Faint.Render("  pass"), passes[0], passes[1])}
	if pages > 0 {
		lines = append(lines, row(s.Faint.Render("  MRR, the mean of 1 / rank, of "+wording.Plural(pages, "page")), means[0], means[1]))
	}
	return lines
}
