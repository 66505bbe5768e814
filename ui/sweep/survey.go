package sweep

import (
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/sweep"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// surveying finds out, before anything is swept, which parameters a sweep can find anything by.
type surveying struct{ *View }

// surveyed is what a survey depends on.
type surveyed struct {
	params   param.Params
	set      *session.Judged
	measure  string
	unfolded bool
	given    string // the values that were typed, and the marked parameters that ask anew
}

// asksAnew reports that each value of a parameter is a search of its own, which takes some
// hundred times as long as a ranking: those are surveyed where they are marked.
func asksAnew(s *param.Spec) bool { return s.Stage == param.StageKeyword }

// axes are all values of the marked parameters, and then of the others that have a row.
func (v surveying) axes() (list []evaluation.Axis) {
	now := v.Session().Params()
	fields := slices.Clone(v.marked)
	for i := range v.rows {
		spec, ok := param.SpecOf(v.rows[i].field)
		if ok && !asksAnew(&spec) && !slices.Contains(fields, spec.Field) {
			fields = append(fields, spec.Field)
		}
	}
	for _, field := range fields {
		spec, _ := param.SpecOf(field)
		a := sweep.DefaultAxis(&spec, spec.Get(&now), math.MaxInt)
		if typed, err := planning(v).axis(field); err == nil && v.given[field] != "" {
			a = typed
		}
		list = append(list, a)
	}
	return list
}

// begin begins a survey where there is none of the present parameters and set.
func (v surveying) begin() tea.Cmd {
	if ok, _ := v.canRun(); !ok {
		return nil
	}
	now := v.Session()
	of := surveyed{now.Params(), now.Judged(), v.measure.String(), v.unfolded, ""}
	for i := range v.rows {
		spec, ok := param.SpecOf(v.rows[i].field)
		if given := v.given[spec.Field]; ok && (given != "" || asksAnew(&spec) && slices.Contains(v.marked, spec.Field)) {
			of.given += spec.Field + "=" + given + ";"
		}
	}
	if of == v.surveyed {
		return nil
	}
	v.surveyed, v.terrain = of, nil
	return v.Begin(now.Survey(v.axes(), v.measure))
}

// end says that a survey that is not through will not be.
func (v surveying) end() {
	if v.terrain == nil {
		v.surveyed = surveyed{}
	}
}

// isIdle reports that no value of a parameter ranks any query otherwise than the others.
func (v surveying) isIdle(field string) bool {
	a, err := planning(v).axis(field)
	if err != nil {
		return false
	}
	n, ok := v.terrain.Pieces(a)
	return ok && n == 1
}
