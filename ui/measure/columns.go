package measure

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/experiment"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/wording"
)

// mostColumns is how many settings are measured at once: as many as have letters that anybody
// keeps apart.
const mostColumns = 8

// kind says what a column follows.
type kind int

const (
	// fixed stays what it is, live follows the present parameters, and baseline what they
	// are compared with.
	fixed kind = iota
	live
	baseline
)

// column is a setting that is measured.
type column struct {
	session.Setting // of a fixed one
	kind            kind
	// measured and contest were known last: while a live one is measured anew, they are of
	// the parameters before, and stale.
	measured *experiment.Measurement
	contest  *session.Contest
	stale    bool
	failed   error
}

// of is the setting of a column as it is now.
func (v *View) of(c *column) session.Setting {
	switch c.kind {
	case live:
		return session.Setting{Name: v.Session().Name(), Params: v.Session().Params()}
	case baseline:
		return v.Session().Baseline()
	default:
		return c.Setting
	}
}

// settings are those of the columns.
func (v *View) settings() []param.Params {
	all := make([]param.Params, len(v.columns))
	for i := range v.columns {
		all[i] = v.of(&v.columns[i]).Params
	}
	return all
}

// letter names a column.
func letter(i int) string { return string(rune('A' + i)) }

// name is that of a column, on one line.
func (v *View) name(i int) string { return wording.Line(v.of(&v.columns[i]).Name) }

// note says what a column follows, empty for one that stays.
func (c *column) note() string { return [...]string{"", "now", "compared with"}[c.kind] }

// b is the column that is compared with A: the one under the cursor, or beside A itself the
// last.
func (v *View) b() int {
	if v.at > 0 && v.at < len(v.columns) {
		return v.at
	}
	return len(v.columns) - 1
}

// follow takes what the session knows of the columns, and makes the rows of it.
func (v *View) follow() {
	now := v.Session()
	var pairs []*evaluation.Paired
	for i := range v.columns {
		c := &v.columns[i]
		p := v.of(c).Params
		measured, err := now.Trial(p)
		c.failed, c.stale = err, measured == nil && c.measured != nil
		if measured != nil || err != nil || now.Judged() == nil || now.Measured() == nil && c.kind == live {
			c.measured = measured
		}
		if contest := now.Contest(p); contest != nil || c.measured == nil {
			c.contest = contest
		}
		if c.contest != nil && i > 0 {
			pairs = append(pairs, c.contest.Paired)
		}
	}
	if len(pairs) > 1 {
		evaluation.AdjustHolm(pairs)
	}
	v.makeRows()
}

// hasSeveral reports that there is more than B to go to.
func (v *View) hasSeveral() (bool, string) {
	return len(v.columns) > 2, "there are two settings: {measure.add} adds another"
}

// step goes to another column.
func (v *View) step(n int) tea.Cmd {
	v.at = max(1, min(v.b()+n, len(v.columns)-1))
	return nil
}

func (v *View) canAdd() (bool, string) {
	if ok, why := v.isOpen(); !ok {
		return false, why
	}
	return len(v.columns) < mostColumns, fmt.Sprintf("%d settings are measured, and more cannot be told apart: {measure.remove} leaves one out", mostColumns)
}

func (v *View) canRemove() (bool, string) {
	return len(v.columns) > 2, "two settings stay: {measure.b} puts another in the place of B"
}

// isColumn reports that a setting has a column.
func (v *View) isColumn(p param.Params) bool { return slices.Contains(v.settings(), p) }

// columnOf is a setting that was chosen. What is on the screen, and what that is compared
// with, go on to be that.
func (v *View) columnOf(s session.Setting) column {
	c := column{Setting: s}
	switch s.Params {
	case v.Session().Params():
		c.kind = live
	case v.Session().Baseline().Params:
		c.kind = baseline
	}
	return c
}

// add has another setting measured, before the last, which it is beside.
func (v *View) add() tea.Cmd {
	return v.needs.Choose("Measure also", v.isColumn, func(s session.Setting) tea.Cmd {
		v.at = len(v.columns) - 1
		if v.columns[v.at].kind != live {
			v.at++
		}
		v.columns = slices.Insert(v.columns, v.at, v.columnOf(s))
		return nil
	})
}

// remove leaves out the column under the cursor.
func (v *View) remove() tea.Cmd {
	at := v.b()
	v.columns = slices.Delete(v.columns, at, at+1)
	v.at = min(at, len(v.columns)-1)
	return nil
}

// chooseA has the first column chosen; one that is measured already changes places with it.
func (v *View) chooseA() tea.Cmd {
	first := v.of(&v.columns[0]).Params
	return v.needs.Choose("A, which the others are compared with", func(p param.Params) bool { return p == first }, func(s session.Setting) tea.Cmd {
		if at := slices.Index(v.settings(), s.Params); at > 0 {
			v.columns[0], v.columns[at] = v.columns[at], v.columns[0]
		} else {
			v.columns[0] = v.columnOf(s)
		}
		return nil
	})
}

// chooseB has another setting chosen in the place of the column under the cursor.
func (v *View) chooseB() tea.Cmd {
	at := v.b()
	return v.needs.Choose(letter(at)+", which is compared with A", v.isColumn, func(s session.Setting) tea.Cmd {
		if at < len(v.columns) {
			v.columns[at] = v.columnOf(s)
			v.at = at
		}
		return nil
	})
}
