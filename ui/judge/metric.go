package judge

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Beside puts what the parameters are worth behind what else is said of their comparison
// with the baseline, within free cells, or in room cells where there is nothing of the
// latter. other says it in as many cells as it gets, and whether that leaves out what they are
// compared with: rather than that, less is said of what they are worth, and then room cells
// are taken.
func (v *View) Beside(free, room int, other func(free, room int) (said string, bare bool)) string {
	forms := metric{v}.forms()
	if forms == nil {
		said, _ := other(free, room)
		return said
	}
	const gap = "   "
	barest := ""
	for _, within := range []int{free, room} {
		for _, form := range forms {
			left := within - ansi.StringWidth(form) - len(gap)
			if left <= 0 {
				continue
			}
			said, bare := other(left, left)
			switch {
			case said != "" && !bare:
				return said + gap + form
			case said != "" && barest == "":
				barest = said + gap + form
			}
		}
	}
	return cmp.Or(barest, widget.FirstFitting(room, forms...))
}

// metric says what parameters are worth.
type metric struct{ *View }

// forms say what the parameters are worth by the open set, from the longest form to the
// shortest, and what could not be written; nil where there is nothing to say.
func (v metric) forms() []string {
	forms, mark := v.worth(), v.unwritten()
	if mark == "" || v.Session().Judged() == nil && forms != nil {
		return forms
	}
	var marked []string
	for _, form := range forms {
		marked = append(marked, mark+"   "+form)
	}
	return append(marked, mark)
}

// unwritten says that something that was judged could not be written, or taken back.
func (v metric) unwritten() string {
	s, now := v.Styles(), v.Session()
	switch n := now.Unwritten(); {
	case n > 0:
		return s.Warning.Render("! " + strconv.Itoa(n) + " not written")
	case now.SetFailed() == nil && now.JudgingFailed() != nil:
		return s.Warning.Render("! not written")
	}
	return ""
}

// worth are the forms of what the parameters are worth.
func (v metric) worth() []string {
	s, now := v.Styles(), v.Session()
	name := ansi.Truncate(wording.Line(now.SetName()), 24, s.Signs.Ellipsis)
	set := now.Judged()
	switch err := now.SetFailed(); {
	case name == "":
		return nil
	case err != nil:
		return []string{s.Warning.Render("! " + wording.FirstLine(err)), s.Warning.Render("! not measured by " + name), s.Warning.Render("! not measured")}
	case set == nil:
		return []string{s.Faint.Render("opening " + name + s.Signs.Ellipsis)}
	case set.Measurable() == 0 && v.on:
		return []string{s.Faint.Render(name + ": nothing judged yet"), s.Faint.Render("nothing judged")}
	case set.Measurable() == 0:
		text := v.Keyed("nothing judged yet · {judge.toggle} judges")
		return []string{s.Faint.Render(name + ": " + text), s.Faint.Render(text), s.Faint.Render("nothing judged")}
	case now.Measured() == nil:
		return []string{s.Faint.Render(name + ": measuring" + s.Signs.Ellipsis), s.Faint.Render("measuring" + s.Signs.Ellipsis)}
	}
	return v.measured(name, now.Measured())
}

// measured says it of what is known.
func (v metric) measured(name string, m *session.Measured) []string {
	s, mean := v.Styles(), m.Now.Set.Scores[0].Mean
	number := s.Score
	if m.Of != v.Session().Params() {
		number = s.Faint // of the parameters before
	}
	value := s.Faint.Render(m.Now.Measures[0].String()+" ") + number.Render(wording.Score(mean))
	change, interval := "", ""
	if m.Base != m.Now {
		d := m.Difference.Difference
		change = " " + s.Faint.Render("=")
		if s.Spoken {
			change = s.Faint.Render(" the same")
		}
		switch sign := wording.Score(max(d.Mean, -d.Mean)); {
		case sign == wording.Score(0):
		case d.Mean > 0:
			change = " " + s.Up.Render(wording.UpSign(s)+sign)
		default:
			change = " " + s.Down.Render(wording.DownSign(s)+sign)
		}
		if len(m.Difference.Queries) > 1 {
			interval = s.Faint.Render(" [" + strings.ReplaceAll(wording.Score(d.Low)+", "+wording.Score(d.High), "-", "−") + "]")
		}
	}
	judged, warned, mark := coverage(m), s.Faint, ""
	if judged.warning != "" {
		warned, mark = s.Warning, s.Warning.Render("!")+" "
	}
	share := "  " + warned.Render(judged.share)
	least := " " + warned.Render(strings.TrimPrefix(judged.share, "! ")) // no number is without it
	over, of := s.Faint.Render("  "+plural(len(m.Now.Queries), "query", "queries")), s.Faint
	set := v.Session().Judged()
	if set != nil && set.By.IsOfModels() {
		of, mark = s.Warning, s.Warning.Render("!")+" "
	}
	by := of.Render(v.whose())
	if set != nil {
		name = set.Titled(name)
	}
	long := value + change + interval
	return slices.Compact([]string{
		s.Faint.Render(name+"  ") + long + over + by + share + warned.Render(judged.warning),
		s.Faint.Render(name+"  ") + long + share,
		long + share, value + change + share, mark + value + change + least, mark + value + least,
	})
}

// whose says whose grades count where those of others stand beside them in the set, and
// where no person has graded anything.
func (v metric) whose() string {
	switch set := v.Session().Judged(); {
	case set == nil:
		return ""
	case set.By.IsMixed():
		return ", " + set.By.Unmodelled() + " grades alone"
	case set.By.IsOfModels():
		return ", models' grades alone, kappa not known"
	}
	return ""
}

// covered is how much of what is measured was judged.
type covered struct{ share, warning string }

// coverage says how much of what is measured was judged, and warns where it is too little.
func coverage(m *session.Measured) covered {
	now, base := m.Now.Set.Judged[0], m.Base.Set.Judged[0]
	c := covered{share: "judged " + shareOf(now)}
	switch evaluation.CoverageOf(now, base) {
	case evaluation.CoverageSparse:
		c.share, c.warning = "! "+c.share, ", too little to go by"
	case evaluation.CoverageUneven:
		c.share, c.warning = "! "+c.share, ", of the baseline "+shareOf(base)
	}
	return c
}

// shareOf is a share of 1 with two decimals: ".92".
func shareOf(v float64) string { return strings.TrimPrefix(wording.Decimals(v, 2), "0") }

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
