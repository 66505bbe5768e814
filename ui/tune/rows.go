package tune

import (
	"slices"
	"sync"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// parameterRow is a row of the tune pane: the head of a group, a parameter, or the row
// that folds those that the preset has no use for.
type parameterRow struct {
	head  string
	field string
	fold  bool
	// after says that the row stands under the folding one.
	after bool
}

// stops reports whether the cursor can stand on the row.
func (r *parameterRow) stops() bool { return r.head == "" }

// parameterGroups are the parameters by group, in the order of the tune pane.
var parameterGroups = sync.OnceValue(func() [][]param.Spec {
	var groups [][]param.Spec
	for _, leads := range []bool{true, false} {
		for _, s := range param.Specs() {
			groups = append(groups, make([][]param.Spec, max(0, int(s.Group)+1-len(groups)))...)
			if s.Leads == leads {
				groups[s.Group] = append(groups[s.Group], s)
			}
		}
	}
	return groups
})

// parameterRows are the rows for parameters that start as given: first those that it
// uses or what was changed and has an effect now, then, behind a row that folds them, the
// others. Of these, what was changed, and what is used by now, is shown in any case: behind
// that row, so that none above it moves.
func parameterRows(start, present param.Params, unfolded bool) []parameterRow {
	var rows, rest []parameterRow
	hidden := 0
	for _, group := range parameterGroups() {
		head := group[0].Group.String()
		used, unused := []parameterRow{{head: head}}, []parameterRow{{head: head, after: true}}
		for i := range group {
			s := &group[i]
			changed := s.Get(&start) != s.Get(&present)
			switch {
			case s.UsedIn(&start), changed && s.UsedIn(&present):
				used = append(used, parameterRow{field: s.Field})
			case unfolded, changed, s.UsedIn(&present):
				unused = append(unused, parameterRow{field: s.Field, after: true})
			default:
				hidden++
			}
		}
		if len(used) > 1 {
			rows = append(rows, used...)
		}
		if len(unused) > 1 {
			rest = append(rest, unused...)
		}
	}
	if hidden > 0 || len(rest) > 0 {
		rows = append(rows, parameterRow{fold: true})
	}
	return append(rows, rest...)
}

// rowsOf is what the rows depend on.
type rowsOf struct {
	start, present param.Params
	unfolded       bool
}

// layRows makes the rows anew where what they depend on has changed, and finds
// the cursor a place.
func (v *View) layRows() []parameterRow {
	now := v.Session()
	of := rowsOf{now.Start().Params, now.Params(), v.unfolded}
	if v.rows == nil || v.of != of {
		if rows := parameterRows(of.start, of.present, of.unfolded); !slices.Equal(rows, v.rows) {
			v.rows = rows
			v.laid++
		}
		v.of = of
	}
	if v.at() < 0 {
		v.goTo(v.first())
	}
	return v.rows
}

// at is the cursor's row, -1 when it is nowhere.
func (v *View) at() int {
	return slices.IndexFunc(v.rows, func(r parameterRow) bool {
		return v.onFold && r.fold || !v.onFold && r.field != "" && r.field == v.field
	})
}

// first is the row that the cursor begins on: a number that decides much, if one
// is used.
func (v *View) first() int {
	for _, s := range param.Specs() {
		if i := slices.IndexFunc(v.rows, func(r parameterRow) bool { return r.field == s.Field && !r.after }); i >= 0 && s.Opens {
			return i
		}
	}
	return slices.IndexFunc(v.rows, func(r parameterRow) bool { return r.stops() })
}

// rowOf is the row of a parameter, -1 where it has none.
func (v *View) rowOf(field string) int {
	return slices.IndexFunc(v.layRows(), func(r parameterRow) bool { return r.field == field })
}

// goTo puts the cursor on a row.
func (v *View) goTo(i int) {
	if i < 0 || i >= len(v.rows) || !v.rows[i].stops() {
		return
	}
	v.field, v.onFold = v.rows[i].field, v.rows[i].fold
}

// selected is the parameter under the cursor.
func (v *View) selected() (param.Spec, bool) {
	v.layRows()
	return param.SpecOf(v.field)
}
