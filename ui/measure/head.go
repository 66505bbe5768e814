package measure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// leastRate is the judged rate below which a number is marked.
const leastRate = evaluation.LeastJudged

// How many rows the queries keep, and from how many rows on the parts of the head are shown.
const (
	leastRows   = 4
	stripFrom   = 16
	columnsFrom = 8
	spacedFrom  = 22
)

// summary says what the settings are worth on the whole.
type summary struct{ *View }

// lines are the summary above the queries, in a part of h rows.
func (v summary) lines(s *theme.Styles, w, h int) []string {
	lines := v.warnings(s, w)
	if s.Spoken {
		lines = append(lines, v.sentences(s, w, h)...)
		return lines[:min(len(lines), max(0, h-leastRows))]
	}
	if h >= columnsFrom {
		lines = append(lines, v.standings(s, w, h-len(lines)-2-leastRows)...)
	}
	lines = append(lines, " "+v.verdict(s, w-1))
	if v.words != "" && len(v.rows) > 0 {
		lines = append(lines, " "+v.narrowed(s))
	}
	if strip := v.strip(s, w-2); strip != "" && h >= stripFrom {
		lines = append(lines, " "+strip)
	}
	if h >= spacedFrom {
		lines = append(lines, "")
	}
	return lines[max(0, min(len(lines)-1, len(lines)+leastRows-h)):]
}

// warnings are what keeps the numbers from being believed.
func (v summary) warnings(s *theme.Styles, w int) []string {
	var said []string
	now := v.Session()
	set := now.Judged()
	if n := set.Anchors.Summary.Lost(); n > 0 && (set.OtherCorpus || set.Anchors.Summary.IsAlarming()) {
		of := " have lost their text and do not count"
		if set.OtherCorpus {
			of = " have no place here: the set was made on other pages"
		}
		said = append(said, fmt.Sprintf("! %d of %d judgments%s", n, set.Anchors.Summary.Total(), of))
	}
	if pages, all := set.SomePages(); pages > 0 {
		said = append(said, fmt.Sprintf("! %d of %d judgments are of whole pages, so pages are graded, and each ranks where its first result does", pages, all))
	}
	if set.By.IsOfModels() {
		for i := range set.Standings {
			said = append(said, "! models' grades alone: "+wording.Line(set.Standings[i].Why))
		}
	}
	for _, i := range []int{0, v.b()} {
		if v.isUnranked(i) {
			said = append(said, "! "+letter(i)+" sends the whole corpus, in reading order, which is no ranking: with the mode chunk it searches")
		}
	}
	if text := v.coverage(); text != "" {
		said = append(said, "! "+text)
	}
	for i, text := range said {
		said[i] = " " + s.Warning.Render(widget.CutAtWord(text, w-2))
	}
	return said
}

// coverage says that too little is judged to go by, empty where enough is.
func (v summary) coverage() string {
	c := v.columns[v.b()].contest
	if c == nil {
		return ""
	}
	of := ": A " + share(c.JudgedB) // a contest is of the setting with A
	if !v.isAlone() {
		of += ", " + letter(v.b()) + " " + share(c.JudgedA) + v.Keyed(" · {measure.judge} judges what differs")
	}
	switch evaluation.CoverageOf(c.JudgedA, c.JudgedB) {
	case evaluation.CoverageSparse:
		return "too little is judged, and the rest counts as bad" + of
	case evaluation.CoverageUneven:
		return "more is judged of one side, and the rest counts as bad" + of
	}
	return ""
}

// share is a share of 1 with two decimals: ".92".
func share(x float64) string { return phrase.Bare(wording.Decimals(x, 2)) }

// interval is the range of a mean.
func interval(s *theme.Styles, i evaluation.Interval) string {
	return strings.ReplaceAll(wording.Score(i.Low)+" to "+wording.Score(i.High), "-", s.Signs.Minus)
}

// changed is a difference with its sign, and the style of that.
func changed(s *theme.Styles, d float64) (string, lipgloss.Style) {
	switch size := wording.Score(max(d, -d)); {
	case size == wording.Score(0):
		return "=", s.Faint
	case d > 0:
		return wording.UpSign(s) + size, s.Up
	default:
		return wording.DownSign(s) + size, s.Down
	}
}

// chance is a p.
func chance(p float64) string {
	if p < .001 {
		return "<.001"
	}
	return wording.Score(p)
}

// verdict is a sentence on B against A.
func (v summary) verdict(s *theme.Styles, w int) string {
	b := v.b()
	c := &v.columns[b]
	who := letter(b) + " against A"
	switch {
	case c.failed != nil:
		return s.Warning.Render(ansi.Truncate("! "+who+": "+wording.FirstLine(c.failed), w, s.Signs.Ellipsis))
	case v.columns[0].failed != nil:
		return s.Warning.Render(ansi.Truncate("! A: "+wording.FirstLine(v.columns[0].failed), w, s.Signs.Ellipsis))
	case c.contest == nil:
		return s.Faint.Render(who + ": measuring" + s.Signs.Ellipsis)
	case v.of(c).Params == v.of(&v.columns[0]).Params:
		said := who + ": the same parameters"
		if v.isAlone() {
			said = "live is A: move a parameter to compare"
		}
		return s.Faint.Render(widget.FirstFitting(w, said+v.Keyed("; {tune.open} shows them, {measure.b} chooses others"), said, "live is A"))
	}
	words, style := string(c.contest.Verdict().Words()), s.Strong
	switch c.contest.Verdict() {
	case evaluation.VerdictBetter:
		style = s.Up
	case evaluation.VerdictWorse:
		style = s.Down
	}
	text, signed := changed(s, c.contest.Difference.Mean)
	over := fmt.Sprintf(", %s, p %s", queries(len(c.contest.Queries)), chance(c.contest.Adjusted))
	student := ", t test " + chance(c.contest.AdjustedStudent)
	moved := v.moved(c)
	within := s.Faint.Render(" (" + interval(s, c.contest.Difference) + ")")
	forms := []string{
		s.Text.Render(who+": ") + style.Render(words) + "  " + signed.Render(text) + within + s.Faint.Render(over+student+"   "+moved),
		s.Text.Render(who+": ") + style.Render(words) + "  " + signed.Render(text) + within + s.Faint.Render(over+student),
		s.Text.Render(who+": ") + style.Render(words) + "  " + signed.Render(text) + within + s.Faint.Render(over),
		s.Text.Render(who+": ") + style.Render(words) + "  " + signed.Render(text) + s.Faint.Render(over),
		s.Text.Render(letter(b)+": ") + style.Render(words) + "  " + signed.Render(text),
		style.Render(words),
	}
	if c.stale {
		for i := range forms {
			forms[i] = s.Faint.Render(ansi.Strip(forms[i]))
		}
	}
	return widget.FirstFitting(w, forms...)
}

// narrowed says what A and B are worth by the queries that are shown.
func (v summary) narrowed(s *theme.Styles) string {
	a, b := 0.0, 0.0
	for i := range v.rows {
		a += v.rows[i].values[0] / float64(len(v.rows))
		b += v.rows[i].values[v.made.b] / float64(len(v.rows))
	}
	if math.IsNaN(a + b) {
		return s.Faint.Render("measuring" + s.Signs.Ellipsis)
	}
	text, style := changed(s, b-a)
	return s.Faint.Render(fmt.Sprintf("%s with %q: A ", queries(len(v.rows)), v.words)) + wording.Score(a) + s.Faint.Render(", "+letter(v.made.b)+" ") + wording.Score(b) + "  " + style.Render(text)
}

// moved says how many queries are ranked differently, for which nothing needs to be judged.
func (v summary) moved(c *column) string {
	m := &c.contest.Moved
	switch {
	case v.isUnlike(c):
		return "ranks of sections and passages are not compared"
	case m.Changed == 0:
		return "all ranked the same"
	}
	return fmt.Sprintf("%d of %d ranked differently, churn %s, RBO %s", m.Changed, m.Queries, share(m.Churn), share(m.RBO))
}

// strip has a mark for each query, sorted by the difference of B to A: what won at the left,
// what lost at the right, each as high as it is large.
func (v summary) strip(s *theme.Styles, w int) string {
	c := v.columns[v.b()].contest
	if c == nil || len(c.Queries) == 0 || c.Wins+c.Losses == 0 {
		return ""
	}
	differences := make([]float64, len(c.Queries))
	largest := 0.0
	for i := range c.Queries {
		differences[i] = c.Queries[i].Difference
		largest = max(largest, differences[i], -differences[i])
	}
	slices.SortFunc(differences, func(a, b float64) int { return compareNumbers(b, a) })
	before, after := fmt.Sprintf("%d won ", c.Wins), fmt.Sprintf(" %d lost", c.Losses)
	tied := fmt.Sprintf("  %d tied", c.Ties)
	room := w - len(before) - len(after) - len(tied)
	if room < 8 {
		return ""
	}
	var bar strings.Builder
	cells := min(room, len(differences))
	for i := range cells {
		from, to := i*len(differences)/cells, (i+1)*len(differences)/cells
		sum := 0.0
		for _, d := range differences[from:to] {
			sum += d
		}
		bar.WriteString(piece(s, sum/float64(to-from), largest))
	}
	return s.Up.Render(before) + bar.String() + s.Down.Render(after) + s.Faint.Render(tied)
}

// piece is a mark of the strip: a difference, of which the largest is the whole height.
func piece(s *theme.Styles, d, largest float64) string {
	switch {
	case d > rounding && s.Plain:
		return "+"
	case d < -rounding && s.Plain:
		return s.Signs.Minus
	case d > rounding:
		return s.Up.Render(height(s, d/largest))
	case d < -rounding:
		return s.Down.Render(height(s, -d/largest))
	default:
		return s.Faint.Render(s.Signs.Dot)
	}
}

// allFrom is from how many rows on all settings are said aloud, and not A and B alone.
const allFrom = 20

// sentences say the same in words.
func (v summary) sentences(s *theme.Styles, w, h int) (lines []string) {
	n := len(v.columns)
	if h < allFrom {
		n = 0
	}
	for _, i := range v.shownColumns(n) {
		lines = append(lines, widget.Wrapped(strings.Join(v.sentence(s, i), ", "), w)...)
	}
	return lines
}

// sentence says in words what a setting is worth.
func (v summary) sentence(s *theme.Styles, i int) []string {
	c, name := &v.columns[i], letter(i)+", "+v.title(i)
	switch {
	case c.failed != nil:
		return []string{name, wording.FirstLine(c.failed)}
	case c.measured == nil:
		return []string{name, "is being measured"}
	}
	m := c.measured.Set.Scores[0]
	said := []string{name, fmt.Sprintf("%s %s, from %s, judged %s", v.Session().Measures()[0], wording.Score(m.Mean), interval(s, m), share(c.measured.Set.Judged[0]))}
	d := c.contest
	if i == 0 || d == nil {
		return said
	}
	text, _ := changed(s, d.Difference.Mean)
	if text == "=" {
		text = "the same mean"
	}
	return append(said, text+" against A, from "+interval(s, d.Difference), "p "+chance(d.Adjusted), "t test "+chance(d.AdjustedStudent),
		fmt.Sprintf("%d won, %d tied, %d lost", d.Wins, d.Ties, d.Losses), string(d.Verdict().Words()), v.moved(c))
}
