package measure

import (
	"fmt"
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// pane is the table.
type pane struct{ *View }

var (
	_ view.Pane  = pane{}
	_ view.Pager = pane{}
)

// SetSize implements [view.Pane]: how high the table is, is known when it is drawn.
func (v pane) SetSize(w, _ int) { v.w = w }

// Hidden implements [view.Pager].
func (v pane) Hidden() (above, below int) { return v.list.Hidden() }

// Title implements [view.Pane].
func (v pane) Title() (name, note string) {
	now := v.Session()
	if set := now.Judged(); set == nil || set.Measurable() == 0 {
		return "Measure", wording.Line(now.SetName())
	}
	name, shown := wording.Line(now.SetName()), queries(len(v.all))
	if now.Judged().Origin == judgment.Synthetic {
		shown = string(judgment.Synthetic) + ", " + shown
	}
	if v.words != "" {
		shown = fmt.Sprintf("%d of %s with %q", len(v.rows), shown, v.words)
	}
	parts := []string{name, shown, v.order.String()}
	if n := v.waiting(); n > 0 {
		parts[2] = fmt.Sprintf("measuring %d of %d", len(v.columns)-n+1, len(v.columns))
	}
	dot := " " + v.Styles().Signs.Dot + " "
	const beside = 26 // the name of the pane, and how much is hidden
	return "Measure", widget.FirstFitting(max(0, v.w-beside), strings.Join(parts, dot), parts[1]+dot+parts[2], parts[2], shown)
}

// waiting counts the settings that are still being measured.
func (v *View) waiting() (n int) {
	for i := range v.columns {
		if c := &v.columns[i]; (c.measured == nil || c.stale) && c.failed == nil && v.Session().JudgingFailed() == nil && v.Session().Judged().Measurable() > 0 {
			n++
		}
	}
	return n
}

func queries(n int) string {
	if n == 1 {
		return "1 query"
	}
	return wording.Grouped(n) + " queries"
}

// Draw implements [view.Pane].
func (v pane) Draw(w, h int, focused bool) []string {
	s := v.Styles()
	if text, warning := v.empty(); text != "" {
		style := s.Faint.Render
		if warning {
			style = s.Warning.Render
		}
		v.list.Resize(0, len(v.rows))
		return widget.Clip(widget.Indented(widget.Styled(style, widget.Wrapped(v.Keyed(text), max(1, min(w-2, 76)))), 1), w, h)
	}
	lines := summary(v).lines(s, w, h)
	t := v.table(s, w)
	if !s.Spoken {
		lines = append(lines, t.header())
	}
	v.above = len(lines)
	if len(v.rows) == 0 {
		v.list.Resize(0, 0)
		none := "measuring" + s.Signs.Ellipsis
		if v.words != "" && len(v.all) > 0 {
			none = fmt.Sprintf("no query with %q; %s changes the words", v.words, v.KeyOf("measure.filter"))
		}
		return widget.Clip(append(lines, " "+s.Faint.Render(none)), w, h)
	}
	v.list.Resize(max(1, h-len(lines)), len(v.rows))
	for i := v.list.Top; i < v.list.Until(); i++ {
		lines = append(lines, t.row(&v.rows[i], i == v.list.At, focused))
	}
	return widget.Clip(lines, w, h)
}

// empty says why nothing is measured; empty where something is, or will be.
func (v *View) empty() (text string, warning bool) {
	now := v.Session()
	set, err := now.Judged(), now.JudgingFailed()
	name := wording.Line(now.SetName())
	switch {
	case err != nil:
		return "! " + wording.FirstLine(err) + " · {measure.again} tries again, {measure.set} opens another set", true
	case now.Corpus() != nil && now.Corpus().Measurer == nil:
		return "A recording is not measured: the judged pages are not in it.", false
	case now.SetName() == "" && now.Sets() == "":
		return "There is no folder for query sets, and without one nothing is measured.", false
	case now.SetName() == "":
		return "Here stands what parameters are worth: every judged query with its value by the present ones, beside others. {judge.toggle} opens a query set, or makes one.", false
	case set == nil && now.Corpus() == nil:
		return "The corpus is not open yet.", false
	case set == nil:
		return "opening " + name + v.Styles().Signs.Ellipsis, false
	case set.Measurable() > 0:
		return "", false
	case set.Anchors.Summary.Lost() > 0 && set.OtherCorpus:
		return fmt.Sprintf("%s was made on other pages: none of its %s has a place here. {measure.set} opens another set.", name, wording.Plural(set.Anchors.Summary.Lost(), "judgment")), true
	case set.Anchors.Summary.Lost() > 0:
		return fmt.Sprintf("All %s of %s have lost their texts. {measure.set} opens another set.", wording.Plural(set.Anchors.Summary.Lost(), "judgment"), name), true
	case len(set.Queries) == 0:
		return name + " has no queries yet: ask one ({query.edit}), and {view.judge} judges what comes.", false
	default:
		return fmt.Sprintf("Nothing is judged yet in %s, which has %s. {view.judge} judges what they bring; from the first judgment on they are measured here.", name, queries(len(set.Queries))), false
	}
}

// Said implements [view.Pane].
func (v pane) Said() string {
	r := v.selected()
	if r == nil {
		return ""
	}
	return wording.Aloud(v.spoken(r)...)
}

// spoken says a row in words.
func (v *View) spoken(r *row) []string {
	said := []string{r.text}
	for i, value := range r.values[:v.drawn()] {
		if !math.IsNaN(value) {
			said = append(said, letter(i)+" "+wording.Score(value))
		}
	}
	switch b := letter(v.made.b); r.outcome() {
	case won:
		said = append(said, b+" won by "+wording.Score(r.difference))
	case lost:
		said = append(said, b+" lost by "+wording.Score(-r.difference))
	case tied:
		if !v.isAlone() {
			said = append(said, "tied")
		}
	}
	if len(r.tags) > 0 {
		said = append(said, "tags "+list(r.tags))
	}
	return said
}

// Move implements [view.Pane].
func (v pane) Move(verb widget.Verb) { v.list.Go(v.list.At + verb.Rows(v.list.Height)) }

// Click implements [view.Pane]: it selects a row, and on a value its setting.
func (v pane) Click(x, y int) tea.Cmd {
	if row, ok := v.list.RowOf(y - v.above); ok {
		v.list.Go(row)
		t := v.table(v.Styles(), v.w)
		if at := x - 2 - t.text; at >= 0 && at < t.cell*v.drawn() && !v.Styles().Spoken {
			v.at = at / t.cell
		}
	}
	return nil
}

// The widths of the table's columns, in cells with the blank before each.
const (
	valueCells      = 7
	differenceCells = 7
	outcomeCells    = 5
	judgedCells     = 7
	blockCells      = 2
	// mostCells is how wide a column of the map may get for its name, usualText the least that
	// queries get where there is room, and leastText before values become blocks.
	mostCells = 16
	usualText = 30
	leastText = 18
)

// table draws the queries: as a list of A and B with what one won, or with more settings as
// a map.
type table struct {
	v    *View
	s    *theme.Styles
	w    int
	text int // cells of the query
	cell int // cells of a value
	// isMap says that there are more than A and B; outcome, judged and tags that these have
	// a column.
	isMap, outcome, judged bool
	// isAlone says that there is A alone.
	isAlone bool
	tags    int
}

func (v *View) table(s *theme.Styles, w int) *table {
	n := v.drawn()
	t := &table{v: v, s: s, w: w, isMap: n > 2, isAlone: v.isAlone(), cell: valueCells}
	longest := usualText
	for i := range v.rows {
		longest = max(longest, ansi.StringWidth(v.rows[i].text)+2)
	}
	if t.isMap {
		t.cell = min(mostCells, max(valueCells+1, (w-2-longest)/n))
		if t.text = w - 2 - n*t.cell; t.text < leastText {
			t.cell = blockCells
		}
		t.text = w - 2 - n*t.cell
		t.tighten(longest)
		return t
	}
	t.text = w - 2 - n*t.cell
	if !t.isAlone {
		t.text -= differenceCells
		// The sign of the difference says it, too: a query is not cut for the word.
		if t.outcome = t.text-outcomeCells >= longest; t.outcome {
			t.text -= outcomeCells
		}
	}
	if t.judged = t.text-judgedCells >= longest; t.judged {
		t.text -= judgedCells
	}
	t.tighten(longest)
	return t
}

// leastTags is how many cells the tags of a query need.
const leastTags = 12

// tighten has values stand near what they are of: what queries do not need, the longest of
// which has some cells, is left for tags.
func (t *table) tighten(longest int) {
	over := t.text - longest
	if over <= 0 {
		return
	}
	t.text = longest
	if over >= leastTags {
		t.tags = over - 2
	}
}

// header names the columns.
func (t *table) header() string {
	line := "  " + widget.Fit(t.s.Faint.Render("query"), t.text)
	for i := range t.v.drawn() {
		name := letter(i)
		if t.isMap && t.cell > valueCells+2 {
			name += " " + t.v.name(i)
		}
		style := t.s.Faint
		if i == t.v.cursor() {
			style = t.s.Accent
		}
		line += " " + widget.FitRight(style.Render(ansi.Truncate(name, t.cell-1, t.s.Signs.Ellipsis)), t.cell-1)
	}
	if t.isMap {
		return line
	}
	if !t.isAlone {
		line += widget.FitRight(t.s.Faint.Render("B "+t.s.Signs.Minus+" A"), differenceCells)
	}
	if t.outcome {
		line += widget.Fit("", outcomeCells)
	}
	if t.judged {
		line += widget.FitRight(t.s.Faint.Render("judged"), judgedCells)
	}
	return line
}

// behind are tags behind the values, where there is room for them.
func (t *table) behind(tags []string) string {
	if t.tags == 0 {
		return ""
	}
	return "  " + t.s.Faint.Render(ansi.Truncate(wording.Line(strings.Join(tags, ", ")), t.tags, t.s.Signs.Ellipsis))
}

// row is a query.
func (t *table) row(r *row, current, focused bool) string {
	s := t.s
	mark, style := widget.Mark(s, current, focused, s.Text)
	if s.Spoken {
		return mark + " " + ansi.Truncate(strings.Join(t.v.spoken(r), ", "), max(1, t.w-2), s.Signs.Ellipsis)
	}
	line := mark + " " + widget.Fit(style.Render(ansi.Truncate(r.text, t.text, s.Signs.Ellipsis)), t.text)
	for i, value := range r.values[:t.v.drawn()] {
		line += " " + t.value(value, r.values[0], i, current)
	}
	if t.isMap {
		return line + t.behind(r.tags)
	}
	if !t.isAlone {
		line += widget.FitRight(t.change(r), differenceCells)
	}
	if t.outcome {
		line += widget.FitRight(t.outcomeStyle(r).Render(string(r.outcome())), outcomeCells)
	}
	if t.judged && !math.IsNaN(r.judged) {
		rate := s.Faint
		if r.judged < leastRate {
			rate = s.Warning
		}
		line += widget.FitRight(rate.Render(share(r.judged)), judgedCells)
	}
	return line + t.behind(r.tags)
}

// change is the difference of a row, with its sign.
func (t *table) change(r *row) string {
	switch r.outcome() {
	case won:
		return t.s.Up.Render(t.s.Signs.Up + wording.Score(r.difference))
	case lost:
		return t.s.Down.Render(t.s.Signs.Down + wording.Score(-r.difference))
	case tied:
		return t.s.Faint.Render("=")
	default:
		return ""
	}
}

func (t *table) outcomeStyle(r *row) lipgloss.Style {
	switch r.outcome() {
	case won:
		return t.s.Up
	case lost:
		return t.s.Down
	default:
		return t.s.Faint
	}
}

// value is a cell: in a map a darker one is worth more, and a sign says how it is to A.
func (t *table) value(value, first float64, column int, current bool) string {
	s, room := t.s, t.cell-1
	if math.IsNaN(value) {
		return widget.FitRight(s.Faint.Render(s.Signs.Ellipsis), room)
	}
	style := s.Score
	if t.v.columns[column].stale {
		style = s.Faint
	}
	isAt := current && column == t.v.cursor()
	if !t.isMap {
		if isAt {
			style = s.Selected
		}
		return widget.FitRight(style.Render(wording.Score(value)), room)
	}
	if style = s.Bars[wording.Level(value, 0, 1)]; value <= 0 {
		style = s.Faint
	}
	if isAt {
		style = s.Selected
	}
	if room < valueCells {
		return style.Render(height(s, value))
	}
	sign := " "
	switch {
	case column == 0 || math.IsNaN(first):
	case value > first+rounding:
		sign = s.Up.Render(s.Signs.Up)
	case value < first-rounding:
		sign = s.Down.Render(s.Signs.Down)
	}
	return widget.FitRight(style.Render(wording.Score(value))+sign, room)
}

// height is a value between 0 and 1 in one cell: a column that is higher for more or, where
// blocks cannot be told from text, its tenths.
func height(s *theme.Styles, value float64) string {
	switch {
	case s.Plain:
		return string(rune('0' + max(0, min(9, int(value*10)))))
	case value <= 0:
		return s.Signs.Dot
	}
	return s.Signs.Heights[max(0, min(7, int(math.Ceil(value*8))-1))]
}
