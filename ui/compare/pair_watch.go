package compare

import (
	"fmt"
	"strconv"
	"strings"

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
	if s.Spoken {
		return d.watchSentences(s, all, inner, room)
	}
	returns := [2]string{returned(d.sides[0].Params), returned(d.sides[1].Params)}
	table := d.watchTable(all, inner)
	name := func(i int) string {
		return s.Strong.Render(ansi.Truncate([]string{"A  ", "B  "}[i]+wording.Line(d.sides[i].Name), table.side, s.Signs.Ellipsis))
	}
	lines := []string{table.row(s.Faint.Render("  query"), s.Faint.Render("must return"), name(0), name(1))}
	if returns[0] != returns[1] {
		lines = append(lines, table.wide(s.Faint.Render("  returns"), s.Faint.Render(returns[0]), s.Faint.Render(returns[1])))
	}
	d.Resize(max(1, room-4-len(lines)), len(all))
	for i := d.Top; i < d.Until(); i++ {
		lines = append(lines, d.watchLine(s, all[i], i == d.At, &table))
	}
	return append(append(lines, ""), d.sumLines(s, &table)...)
}

// watchTable are the cells of the columns: the query, the page, and each of both sides. What
// is longest gives way, and what nothing needs stays empty at the right.
type watchTable struct{ inner, query, page, side int }

func (d *pairDialog) watchTable(all []*session.Watched, inner int) watchTable {
	t := watchTable{inner: inner, query: len("  query"), page: len("must return"), side: sideCell}
	for i := range d.sides {
		t.side = max(t.side, ansi.StringWidth(d.sides[i].Name)+3)
	}
	t.side = min(t.side, max(sideCell, min(24, inner/5)))
	for _, w := range all {
		t.query = max(t.query, 2+ansi.StringWidth(wording.Line(w.Query)))
		t.page = max(t.page, ansi.StringWidth(requiredWords(w)))
	}
	room := inner - 2*t.side - 6
	t.page = min(t.page, max(room-t.query, room*2/5))
	t.query = max(1, min(t.query, room-t.page))
	return t
}

// row is a line of the table.
func (t *watchTable) row(query, page, a, b string) string {
	return t.wide(widget.Fit(query, t.query)+"  "+widget.Fit(page, t.page), a, b)
}

// wide is a line with one cell in the place of the query and the page.
func (t *watchTable) wide(left, a, b string) string {
	return widget.Fit(widget.Fit(left, t.left())+"  "+widget.FitRight(a, t.side)+"  "+widget.FitRight(b, t.side), t.inner)
}

func (t *watchTable) left() int { return t.query + 2 + t.page }

// returned is how many sections a query gets.
func returned(p param.Params) string {
	spec, _ := param.SpecOf(param.FieldTopK)
	return wording.Line(spec.Shown(p.Get(param.FieldTopK)))
}

// requiredWords name what a watched query must return.
func requiredWords(w *session.Watched) string {
	if w.Required() == "" {
		return "anything"
	}
	return nameOfPage(&w.WatchedQuery)
}

// watchLine is one watched query.
func (d *pairDialog) watchLine(s *theme.Styles, w *session.Watched, current bool, table *watchTable) string {
	cursor, style := widget.Mark(s, current, true, s.Text)
	query := cursor + " " + style.Render(ansi.Truncate(wording.Line(w.Query), max(1, table.query-2), s.Signs.Ellipsis))
	page := s.Faint.Render(ansi.Truncate(requiredWords(w), max(1, table.page), s.Signs.Ellipsis))
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
	return table.row(query, page, cells[0], cells[1])
}

// watchSentences are the watched queries for a screen that is read aloud.
func (d *pairDialog) watchSentences(s *theme.Styles, all []*session.Watched, inner, room int) []string {
	const both = 30 // cells for the figures of both sides
	lines, sums := d.names(s, columns(inner)), d.sums(s, inner-both)
	d.Resize(max(1, room-len(lines)-len(sums)), len(all))
	for i := d.Top; i < d.Until(); i++ {
		cursor, style := widget.Mark(s, i == d.At, true, s.Text)
		lines = append(lines, cursor+" "+style.Render(d.saidWatched(all[i], max(1, inner-2))))
	}
	for _, sum := range sums {
		lines = append(lines, widget.Fit("  "+wording.Aloud(strings.TrimSpace(ansi.Strip(sum[0])), "A "+ansi.Strip(sum[1]), "B "+ansi.Strip(sum[2])), inner))
	}
	return lines
}

// saidWatched is a watched query in words, in at most room cells, and with 0 at length: its words
// go first, as a whole.
func (d *pairDialog) saidWatched(w *session.Watched, room int) string {
	letter, page, said := [...]string{"A", "B"}, "", []string{}
	if w.Required() != "" {
		page = "must return " + nameOfPage(&w.WatchedQuery)
	}
	for i := range d.sides {
		rank, passed, known := d.v.Session().AsideRank(w, d.sides[i].Params)
		became := letter[i] + " does not pass"
		switch {
		case !known:
			became = letter[i] + " is not known"
		case rank > 0:
			became = fmt.Sprintf("%s rank %d", letter[i], rank)
		case passed:
			became = letter[i] + " passes"
		}
		said = append(said, became)
	}
	query, ranks := wording.Line(w.Query), wording.Aloud(said...)
	full := wording.Aloud(query, page, ranks)
	if room == 0 {
		return full
	}
	if fits := widget.FirstFitting(room, full, wording.Aloud(query, ranks)); fits != "" {
		return fits
	}
	return ansi.Truncate(wording.Aloud(widget.Wrapped(query, max(1, room-ansi.StringWidth(ranks)-2))[0], ranks), room, "")
}

// sumLines say how the watched queries do on the whole.
func (d *pairDialog) sumLines(s *theme.Styles, table *watchTable) (lines []string) {
	for _, sum := range d.sums(s, table.left()-2) {
		lines = append(lines, table.wide(sum[0], sum[1], sum[2]))
	}
	return lines
}

// sums are how the watched queries do on the whole: what, in at most room cells, and that of both
// sides.
func (d *pairDialog) sums(s *theme.Styles, room int) [][3]string {
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
	all := [][3]string{{s.Faint.Render("  pass"), passes[0], passes[1]}}
	if pages > 0 {
		all = append(all, [3]string{s.Faint.Render("  " + widget.FirstFitting(room, meanWords(pages)...)), means[0], means[1]})
	}
	return all
}

// meanWords name the mean of so many pages, from the longest to the shortest.
func meanWords(pages int) []string {
	of := wording.Plural(pages, "page")
	return []string{"MRR, the mean of 1 / rank, of " + of, "MRR of " + of, "MRR"}
}
