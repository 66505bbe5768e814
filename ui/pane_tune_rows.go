package ui

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/webrag/webrag-tui/ui/wording"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/ui/widget"
)

// tuneRow is a row of the tune pane: the head of a group, a parameter, or the row
// that folds those that the preset has no use for.
type tuneRow struct {
	head  string
	field string
	fold  bool
	// after says that the row stands under the folding one.
	after bool
}

// stops reports whether the cursor can stand on the row.
func (r *tuneRow) stops() bool { return r.head == "" }

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

// tuneRows are the rows for parameters that start as given: first those that it
// uses, then, behind a row that folds them, the others. Of these, what was
// changed is shown in any case.
func tuneRows(start, present param.Params, unfolded bool) []tuneRow {
	var rows, rest []tuneRow
	hidden := 0
	for _, group := range parameterGroups() {
		head := group[0].Group.String()
		used, unused := []tuneRow{{head: head}}, []tuneRow{{head: head, after: true}}
		for i := range group {
			s := &group[i]
			switch {
			case s.UsedIn(&start):
				used = append(used, tuneRow{field: s.Field})
			case unfolded || s.Get(&start) != s.Get(&present):
				unused = append(unused, tuneRow{field: s.Field, after: true})
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
		rows = append(rows, tuneRow{fold: true})
	}
	return append(rows, rest...)
}

// parameterValue is a value as the tune pane shows it.
func parameterValue(s *param.Spec, value string) string {
	if word, ok := s.Word(value); ok {
		return word
	}
	switch s.Kind {
	case param.KindBool:
		if value == "true" {
			return "yes"
		}
		return "no"
	case param.KindInt:
		if n, err := strconv.Atoi(value); err == nil && n >= 10_000 && n%1000 == 0 {
			return strconv.Itoa(n/1000) + "k"
		}
	case param.KindFloat:
		f, err := strconv.ParseFloat(value, 64)
		_, decimals, _ := strings.Cut(value, ".")
		if err == nil && s.Step < 1 && len(decimals) <= 3 {
			return wording.Score(f)
		}
	}
	return value
}

// tunePane is the state of the pane of parameters.
type tunePane struct {
	w, h int
	// field is the parameter under the cursor; onFold says that it is the folding
	// row instead.
	field  string
	onFold bool
	// unfolded shows the parameters that the preset has no use for, too.
	unfolded     bool
	widget.Pager // over the lines of the rows

	rows []tuneRow
	of   tuneRowsOf
	laid int // counts the changes of rows
	// arrived says what the last jump to a turn did, as long as the value that it
	// led to stands.
	arrived   string
	arrivedAt param.Params

	turning turning
	drawn   widget.Drawing[tuneLook]
	version int // of what is known of the tracks
}

// tuneRowsOf is what the rows depend on.
type tuneRowsOf struct {
	start, present param.Params
	unfolded       bool
}

// layRows makes the rows anew where what they depend on has changed, and finds
// the cursor a place.
func (m *Model) layRows() []tuneRow {
	d := &m.tune.pane
	of := tuneRowsOf{m.session.Start().Params, m.session.Params(), d.unfolded}
	if d.rows == nil || d.of != of {
		rows := tuneRows(of.start, of.present, of.unfolded)
		if !slices.Equal(rows, d.rows) {
			d.rows = rows
			d.laid++
		}
		d.of = of
	}
	if d.at() < 0 {
		d.goTo(d.first())
	}
	return d.rows
}

// at is the cursor's row, -1 when it is nowhere.
func (d *tunePane) at() int {
	return slices.IndexFunc(d.rows, func(r tuneRow) bool {
		return d.onFold && r.fold || !d.onFold && r.field != "" && r.field == d.field
	})
}

// first is the row that the cursor begins on: a number that decides much, if one
// is used.
func (d *tunePane) first() int {
	for _, s := range param.Specs() {
		if i := slices.IndexFunc(d.rows, func(r tuneRow) bool { return r.field == s.Field && !r.after }); i >= 0 && s.Opens {
			return i
		}
	}
	return slices.IndexFunc(d.rows, func(r tuneRow) bool { return r.stops() })
}

// goTo puts the cursor on a row.
func (d *tunePane) goTo(i int) {
	if i < 0 || i >= len(d.rows) || !d.rows[i].stops() {
		return
	}
	d.field, d.onFold = d.rows[i].field, d.rows[i].fold
}

// selectedParameter is the parameter under the cursor.
func (m *Model) selectedParameter() (param.Spec, bool) {
	m.layRows()
	return param.SpecOf(m.tune.pane.field)
}
