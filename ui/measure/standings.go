package measure

import (
	"fmt"
	"slices"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// standing is a fact about settings, as a column of their table.
type standing struct {
	title string
	// need is by how much it has to be seen: 0 always.
	need int
	left bool
	// of says it of a column, by its number.
	of func(i int) (text string, style lipgloss.Style)
}

// facts are what is said of every setting.
func (v summary) facts(s *theme.Styles) []standing {
	p := "p"
	if len(v.columns) > 2 {
		p = "p (Holm)"
	}
	measure := v.Session().Measures()[0].String()
	one := []standing{
		{measure, 0, false, v.ofOne(s, func(of *evaluation.Summary) (string, lipgloss.Style) {
			return wording.Score(of.Scores[0].Mean), s.Score
		})},
		{"95 %", 4, true, v.ofOne(s, func(of *evaluation.Summary) (string, lipgloss.Style) { return interval(s, of.Scores[0]), s.Faint })},
		{"judged", 1, false, v.ofOne(s, func(of *evaluation.Summary) (string, lipgloss.Style) {
			if of.Judged[0] < leastRate {
				return "! " + share(of.Judged[0]), s.Warning
			}
			return share(of.Judged[0]), s.Faint
		})},
	}
	if v.isAlone() {
		return one
	}
	return append(one, []standing{
		{"against A", 2, false, v.ofTwo(s, func(c *session.Contest) (string, lipgloss.Style) { return changed(s, c.Difference.Mean) })},
		{"95 %", 6, true, v.ofTwo(s, func(c *session.Contest) (string, lipgloss.Style) { return interval(s, c.Difference), s.Text })},
		{p, 3, false, v.ofTwo(s, func(c *session.Contest) (string, lipgloss.Style) { return chance(c.Adjusted), s.Text })},
		{"won tied lost", 5, false, v.ofTwo(s, func(c *session.Contest) (string, lipgloss.Style) {
			return fmt.Sprintf("%3d %4d %4d", c.Wins, c.Ties, c.Losses), s.Text
		})},
		{"churn", 7, false, v.ofRanks(s, func(m *evaluation.Movement) float64 { return m.Churn })},
		{"RBO", 8, false, v.ofRanks(s, func(m *evaluation.Movement) float64 { return m.RBO })},
	}...)
}

// ofOne is a fact about one setting.
func (v summary) ofOne(s *theme.Styles, of func(*evaluation.Summary) (string, lipgloss.Style)) func(int) (string, lipgloss.Style) {
	return func(i int) (string, lipgloss.Style) {
		if m := v.columns[i].measured; m != nil {
			return of(&m.Set)
		}
		return s.Signs.Ellipsis, s.Faint
	}
}

// ofTwo is a fact about the difference of a setting to A.
func (v summary) ofTwo(s *theme.Styles, of func(*session.Contest) (string, lipgloss.Style)) func(int) (string, lipgloss.Style) {
	return func(i int) (string, lipgloss.Style) {
		if c := &v.columns[i]; i > 0 && c.contest != nil && !c.stale {
			return of(c.contest)
		}
		return "", s.Faint
	}
}

// ofRanks is a fact about how differently a setting and A rank.
func (v summary) ofRanks(s *theme.Styles, of func(*evaluation.Movement) float64) func(int) (string, lipgloss.Style) {
	return func(i int) (string, lipgloss.Style) {
		text, style := v.ofTwo(s, func(c *session.Contest) (string, lipgloss.Style) { return share(of(&c.Moved)), s.Text })(i)
		if text != "" && v.isUnlike(&v.columns[i]) {
			return s.Signs.Dash, s.Faint
		}
		return text, style
	}
}

// What the name of a setting gets, in cells.
const leastName, mostName = 12, 32

// standings is a table of the settings in at most h rows.
func (v summary) standings(s *theme.Styles, w, h int) []string {
	if h < 3 {
		return nil
	}
	t := v.measured(s, w)
	head := "   " + widget.Fit("", t.name)
	for _, f := range t.facts {
		head += "  " + f.aligned(s.Faint.Render(f.title))
	}
	lines := []string{head}
	for _, i := range v.shownColumns(h - 1) {
		lines = append(lines, v.standing(s, i, t, w))
	}
	return lines
}

// standing is the row of a column.
func (v summary) standing(s *theme.Styles, i int, t *board, w int) string {
	c, mark := &v.columns[i], s.Faint
	if i == v.cursor() {
		mark = s.Accent
	}
	line := " " + mark.Render(letter(i)) + " " + widget.Fit(s.Text.Render(ansi.Truncate(v.title(i), t.name, s.Signs.Ellipsis)), t.name)
	if c.failed != nil {
		return line + "  " + s.Warning.Render(ansi.Truncate("! "+wording.FirstLine(c.failed), max(1, w-t.name-6), s.Signs.Ellipsis))
	}
	for _, f := range t.facts {
		text, style := f.of(i)
		if c.stale {
			style = s.Faint
		}
		line += "  " + f.aligned(style.Render(text))
	}
	return line
}

// board are the columns of the table of settings: the cells of their names, and the facts
// that there is room for.
type board struct {
	name  int
	facts []sized
}

// sized is a fact with the cells of its column.
type sized struct {
	standing
	cells int
}

func (f *sized) aligned(text string) string {
	if f.left {
		return widget.Fit(text, f.cells)
	}
	return widget.FitRight(text, f.cells)
}

// measured are the columns in w cells: the names first, and then those facts that have most to
// be seen.
func (v summary) measured(s *theme.Styles, w int) *board {
	t := &board{name: leastName}
	for i := range v.columns[:v.drawn()] {
		t.name = max(t.name, min(ansi.StringWidth(v.title(i)), mostName))
	}
	var all []sized
	for _, f := range v.facts(s) {
		one := sized{f, ansi.StringWidth(f.title)}
		for i := range v.columns {
			text, _ := f.of(i)
			one.cells = max(one.cells, ansi.StringWidth(text))
		}
		all = append(all, one)
	}
	byNeed := make([]int, len(all))
	for i := range byNeed {
		byNeed[i] = i
	}
	slices.SortFunc(byNeed, func(a, b int) int { return all[a].need - all[b].need })
	room := w - 3 - t.name
	taken := make([]bool, len(all))
	for _, at := range byNeed {
		if wide := all[at].cells + 2; all[at].need == 0 || room >= wide {
			taken[at] = true
			room -= wide
		}
	}
	t.name += min(0, room) // what has to be seen, before all of a name
	for i := range all {
		if taken[i] {
			t.facts = append(t.facts, all[i])
		}
	}
	return t
}

// isUnranked reports that a setting sends the whole corpus.
func (v summary) isUnranked(i int) bool {
	p, known := v.of(&v.columns[i]).Params, v.Session().Summary()
	return known != nil && p.SendsWhole(known.Tokens)
}

// isUnlike reports that a setting returns other things than A, passages and sections, so that
// how differently both rank says nothing.
func (v summary) isUnlike(c *column) bool {
	return v.of(c).Params.Unit != v.of(&v.columns[0]).Params.Unit
}

// title is the name of a column with what it follows.
func (v summary) title(i int) string {
	if v.isUnranked(i) {
		return v.name(i) + " (unranked)"
	}
	if note := v.columns[i].note(); note != "" {
		return v.name(i) + " (" + note + ")"
	}
	return v.name(i)
}

// shownColumns are the columns that have a row where there are n: A, the one under the cursor,
// and the others in their order.
func (v summary) shownColumns(n int) []int {
	if v.isAlone() {
		return []int{0}
	}
	all := []int{0, v.b()}
	for i := range v.columns {
		if len(all) < n && !slices.Contains(all, i) {
			all = append(all, i)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
