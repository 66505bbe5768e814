package sweep

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/evaluation/sweep"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// row is a row of the parameters: the head of a group, a parameter, or what else the plan has.
type row struct {
	head, field string
	of          rowKind
}

type rowKind int

const (
	rowKnob rowKind = iota
	rowMeasure
	rowLimits
	rowSearch
	rowFold
)

func (r *row) stops() bool { return r.head == "" }

// layRows lists what there is: what is to be high first, then the parameters by their groups,
// those that are not in use behind a row that shows them.
func (v *View) layRows() {
	var at row
	if r := v.row(); r != nil {
		at = *r
	}
	now := v.Session().Params()
	v.rows = []row{{head: "what is to be high"}, {of: rowMeasure}, {of: rowLimits}, {of: rowSearch}}
	groups := map[param.Group][]row{}
	var order []param.Group
	hidden := 0
	for _, s := range param.Specs() {
		if s.Field == param.FieldReach {
			continue // it changes no ranking
		}
		_, decides := s.Decides(&now)
		if !(decides && s.UsedIn(&now)) && !v.unfolded && !slices.Contains(v.marked, s.Field) {
			hidden++
			continue
		}
		if groups[s.Group] == nil {
			order = append(order, s.Group)
		}
		groups[s.Group] = append(groups[s.Group], row{field: s.Field})
	}
	for _, g := range order {
		v.rows = append(append(v.rows, row{head: g.String()}), groups[g]...)
	}
	if hidden > 0 || v.unfolded {
		v.rows = append(v.rows, row{of: rowFold})
	}
	v.list.Total = len(v.rows)
	if i := slices.Index(v.rows, at); at != (row{}) && i >= 0 {
		v.list.Go(i)
		return
	}
	v.list.Go(v.first())
}

// first is the row that the cursor begins on: how many results there are, a parameter that
// counts in every preset, or another that decides much.
func (v *View) first() int {
	if i := slices.Index(v.rows, row{field: param.FieldTopK}); i >= 0 {
		return i
	}
	for _, s := range param.Specs() {
		if i := slices.Index(v.rows, row{field: s.Field}); s.Opens && i >= 0 {
			return i
		}
	}
	return 1
}

// row is the one under the cursor, nil for none.
func (v *View) row() *row {
	if v.list.At < 0 || v.list.At >= len(v.rows) {
		return nil
	}
	return &v.rows[v.list.At]
}

// mark marks a parameter.
func (v *View) mark(field string) {
	if !slices.Contains(v.marked, field) {
		v.marked = append(slices.Clone(v.marked), field)
		v.version++
	}
}

// act marks the parameter under the cursor or takes its mark away, or changes another row.
func (v planning) act() tea.Cmd {
	r := v.row()
	if r == nil {
		return nil
	}
	switch r.of {
	case rowMeasure:
		return v.typeMeasure()
	case rowLimits:
		return v.typeLimits()
	case rowSearch:
		at := slices.Index(searches, v.search)
		v.search = searches[(at+1)%len(searches)]
		return v.changed()
	case rowFold:
		v.unfolded = !v.unfolded
		return v.changed()
	}
	v.lone = ""
	if i := slices.Index(v.marked, r.field); i >= 0 {
		v.marked = slices.Delete(slices.Clone(v.marked), i, i+1)
	} else if spec, _ := param.SpecOf(r.field); len(sweep.DefaultAxis(&spec, "", 2).Values) < 2 {
		return v.Say("each value of "+spec.Name+" waits on a server: there is nothing to sweep", false)
	} else {
		v.mark(r.field)
	}
	return v.changed()
}

// knobsPane lists what can be moved.
type knobsPane struct{ *View }

// footRows is how many of h rows say what is to be tried.
func footRows(h int) int { return max(2, min(8, h/3)) }

// SetSize implements [view.Pane].
func (v knobsPane) SetSize(_, h int) { v.list.Resize(max(1, h-footRows(h)), len(v.rows)) }

// Hidden implements [view.Pager].
func (v knobsPane) Hidden() (above, below int) { return v.list.Hidden() }

// Title implements [view.Pane].
func (v knobsPane) Title() (name, note string) {
	aim := v.measure.String()
	if len(v.limits) > 0 {
		aim += ", " + planning(v).limitWords()
	}
	return "To be moved", "for " + aim
}

// Draw implements [view.Pane].
func (v knobsPane) Draw(w, h int, focused bool) []string {
	s, foot := v.Styles(), footRows(h)
	v.list.Resize(max(1, h-foot), len(v.rows))
	var lines []string
	for i := v.list.Top; i < v.list.Until(); i++ {
		lines = append(lines, v.line(s, &v.rows[i], i == v.list.At, focused, w))
	}
	lines = widget.Clip(lines, w, max(1, h-foot))
	lines = append(lines, s.Rule.Render(strings.Repeat(s.Signs.Rule, w)))
	return widget.Clip(append(lines, v.foot(s, w-2, foot-1)...), w, h)
}

// words are the name of a row, its value, and how many values are tried.
func (v knobsPane) words(r *row) (name, value, tried string) {
	now := v.Session().Params()
	switch r.of {
	case rowMeasure:
		return "highest", v.measure.String(), ""
	case rowLimits:
		if len(v.limits) == 0 {
			return "within", "any size", ""
		}
		return "within", planning(v).limitWords(), ""
	case rowSearch:
		if v.search == "" {
			return "way", "every combination", ""
		}
		return "way", string(v.search), ""
	case rowFold:
		if v.unfolded {
			return "all parameters", "", ""
		}
		return "those that decide nothing now", "", ""
	}
	spec, _ := param.SpecOf(r.field)
	if slices.Contains(v.marked, r.field) {
		if a, err := planning(v).axis(r.field); err == nil {
			tried = wording.Plural(len(a.Values), "value")
			switch n, ok := v.terrain.Pieces(a); {
			case ok && n == 1:
				tried += ", none differs"
			case ok:
				tried = strconv.Itoa(n) + " of " + tried + " differ"
			}
		}
	}
	return spec.Name, wording.Line(spec.Shown(spec.Get(&now))), tried
}

// line is a row.
func (v knobsPane) line(s *theme.Styles, r *row, current, focused bool, w int) string {
	if r.head != "" {
		return " " + s.Faint.Render(r.head)
	}
	name, value, tried := v.words(r)
	sign := "  "
	switch {
	case r.of == rowFold && v.unfolded:
		sign = s.Signs.Unfolded + " "
	case r.of == rowFold:
		sign = s.Signs.Folded + " "
	case r.field != "" && slices.Contains(v.marked, r.field):
		sign = s.Accent.Render(s.Signs.Check) + " "
	case r.field != "":
		sign = s.Faint.Render(s.Signs.Dot) + " "
	}
	text := s.Text
	if r.field != "" && surveying(v).isIdle(r.field) {
		text = s.Faint
	}
	mark, style := widget.Mark(s, current, focused, text)
	right := s.Strong.Render(value) + " "
	if tried != "" {
		right = s.Accent.Render(tried) + " " + s.Faint.Render("now ") + right
		if 8+ansi.StringWidth(right)+ansi.StringWidth(name) > w {
			right = s.Accent.Render(strings.Replace(tried, " values", "", 1)) + " "
		}
	}
	return widget.Spread(mark+sign+style.Render(name), ansi.Truncate(right, max(1, w-12), s.Signs.Ellipsis), w)
}

// foot says in h lines what is to be tried and how long that takes, and what the row under the
// cursor is as far as that has room.
func (v knobsPane) foot(s *theme.Styles, w, h int) []string {
	var lines []string
	say := func(style func(...string) string, text string) {
		if more := widget.Wrapped(text, w); lines == nil || len(lines)+len(more) <= h {
			lines = append(lines, padded(widget.Styled(style, more))...)
		}
	}
	if text, warns := v.trying(); warns {
		say(s.Warning.Render, s.Signs.Cross+" "+text)
	} else {
		say(s.Text.Render, text)
	}
	if r := v.row(); r != nil && r.field != "" {
		spec, _ := param.SpecOf(r.field)
		if surveying(v).isIdle(r.field) {
			say(s.Text.Render, spec.Name+" alone changes nothing: every value of it ranks all queries as now")
		}
		say(s.Faint.Render, v.values(r.field))
		say(s.Faint.Render, spec.Help)
	}
	return lines
}

// trying says what is tried and how long that takes; warns where it cannot be.
func (v knobsPane) trying() (text string, warns bool) {
	if ok, why := v.canRun(); !ok && v.Session().Sweeping() == nil {
		return v.Keyed(why), false
	}
	switch {
	case v.failed != nil:
		return wording.FirstLine(v.failed), true
	case len(v.marked) == 0:
		return v.Keyed("mark what is to be moved with {sweep.mark}, or {sweep.run} sweeps the one under the cursor"), false
	case v.estimate == nil:
		plan, err := planning(v).plan()
		if err != nil {
			return wording.FirstLine(err), true
		}
		return sweepCount(plan), false
	case v.estimate.Search == sweep.Random && v.search == "":
		return "too many combinations for all, so some are drawn at random: " + v.estimate.Words(1), false
	}
	return v.estimate.Words(1), false
}

func sweepCount(p *sweep.Plan) string {
	return wording.Plural(int(min(p.Combinations(), 1e9)), "combination")
}

// values say which values of a parameter are tried.
func (v knobsPane) values(field string) string {
	a, err := planning(v).axis(field)
	spec, _ := param.SpecOf(field)
	if err != nil || len(a.Values) == 0 {
		return ""
	}
	shown := make([]string, len(a.Values))
	for i, value := range a.Values {
		shown[i] = wording.Line(spec.Shown(value))
	}
	const few = 6
	text := strings.Join(shown, ", ")
	if n := len(shown); n > few {
		text = strings.Join(shown[:2], ", ") + ", … " + shown[n-2] + ", " + shown[n-1]
	}
	of := strconv.Itoa(len(shown)) + " of " + spec.Name
	if n, ok := v.terrain.Pieces(a); ok && n > 1 {
		of += ", " + strconv.Itoa(n) + " of which differ"
	}
	return of + ": " + text
}

func padded(lines []string) []string {
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

// Said implements [view.Pane].
func (v knobsPane) Said() string {
	r := v.row()
	if r == nil || !r.stops() {
		return ""
	}
	name, value, tried := v.words(r)
	marked := ""
	if r.field != "" && slices.Contains(v.marked, r.field) {
		marked = "marked, " + tried
	}
	return wording.Aloud(name, value, marked)
}

// Move implements [view.Pane].
func (v knobsPane) Move(verb widget.Verb) {
	v.list.Walk(verb.Rows(max(1, v.list.Height)), func(i int) bool { return v.rows[i].stops() })
	v.list.Show(v.list.At)
	if v.list.At <= 1 {
		v.list.Show(0) // the head of the first group
	}
	v.list.Scroll(0)
}

// Click implements [view.Pane].
func (v knobsPane) Click(x, y int) tea.Cmd {
	at, ok := v.list.RowOf(y)
	if !ok || !v.rows[at].stops() {
		return nil
	}
	v.list.Go(at)
	if x < 3 {
		return planning(v).act()
	}
	return nil
}

var (
	_ view.Pane  = knobsPane{}
	_ view.Pager = knobsPane{}
)
