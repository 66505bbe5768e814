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

// b is the column that is compared with A: the one under the cursor, or while that is on A
// itself the last.
func (v *View) b() int {
	if v.at > 0 {
		return v.at
	}
	return len(v.columns) - 1
}

// isAlone reports that what is on the screen is compared with itself: then A is shown alone.
func (v *View) isAlone() bool {
	return len(v.columns) == 2 && v.columns[1].kind == live && v.of(&v.columns[1]).Params == v.of(&v.columns[0]).Params
}

// drawn is how many columns are drawn.
func (v *View) drawn() int {
	if v.isAlone() {
		return 1
	}
	return len(v.columns)
}

// cursor is the drawn column under the cursor.
func (v *View) cursor() int { return min(v.at, v.drawn()-1) }

// follow takes what the session knows of the columns, and makes the rows of it.
func (v *View) follow() {
	now := v.Session()
	shown := ""
	if by := now.Measures(); now.Judged() != nil && len(by) > 0 {
		shown = now.SetName() + " " + by[0].String()
	}
	for i := range v.columns {
		c := &v.columns[i]
		if shown != v.shown {
			c.measured, c.contest = nil, nil // they are of another set, or another measure
		}
		c.take(now, v.of(c).Params)
	}
	v.shown = shown
	v.adjust()
	v.makeRows()
}

// take takes what the session knows of the column.
func (c *column) take(now *session.Session, p param.Params) {
	measured, err := now.Trial(p)
	contest := now.Contest(p)
	switch c.failed = err; {
	case err != nil:
		c.measured, c.contest = nil, nil
	case measured != nil:
		c.measured = measured
	}
	c.stale = err == nil && (measured == nil && c.measured != nil || contest == nil && c.contest != nil)
	if contest != nil {
		c.contest = contest
	}
}

// adjust has verdicts go by how many settings are compared with A.
func (v *View) adjust() {
	var pairs []*evaluation.Paired
	first := v.of(&v.columns[0]).Params
	for i := range v.columns {
		c := &v.columns[i]
		if c.contest != nil && v.of(c).Params != first && !slices.Contains(pairs, c.contest.Paired) {
			pairs = append(pairs, c.contest.Paired)
		}
	}
	evaluation.AdjustHolm(pairs)
}

// step goes to another column.
func (v *View) step(n int) tea.Cmd {
	v.at = max(0, min(v.at+n, len(v.columns)-1))
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

// remove leaves out the column under the cursor.
func (v *View) remove() tea.Cmd {
	v.columns = slices.Delete(v.columns, v.at, v.at+1)
	v.at = min(v.at, len(v.columns)-1)
	return nil
}
