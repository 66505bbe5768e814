package retrieval

import (
	"slices"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// multiplier is a number from 0 to 1 for each row, by which a stage multiplies the
// row's score.
type multiplier struct {
	weight  func(r *ranking, row int32) float64
	explain func(r *ranking, row int32) *Explanation
	// fields are the parameters that it goes by, joined as in [Explanation.Fields].
	fields []string
	joined string
	// label names the product, and scale is added to the scale of the scores.
	label func(p *param.Params) string
	scale string
}

// weighing completes the row of a stage that multiplies each score and orders the
// candidates by the outcome.
func weighing(spec StageSpec) StageSpec {
	m := spec.weigh
	m.joined = strings.Join(m.fields, ",")
	spec.apply = func(r *ranking, s *Stage) {
		for i := range r.list {
			c := &r.list[i]
			c.score, c.rank = weighed(c.score, m.weight(r, c.row)), int32(i+1)
		}
		slices.SortFunc(r.list, func(a, b candidate) int { return r.less(&a, &b) })
		moved := 0
		for i := range r.list {
			if r.list[i].rank != int32(i+1) {
				moved++
			}
			r.list[i].rank = int32(i + 1)
		}
		r.scale += m.scale
		if s != nil {
			s.Notes = []string{strconv.Itoa(moved) + " moved"}
			s.show(&r.p, m.fields...)
		}
	}
	spec.explain = func(r *ranking, c *candidate, e *Explanation) *Explanation { return m.multiplied(r, c.row, e) }
	return spec
}

// multiplied explains what becomes of the score e of a row.
func (m *multiplier) multiplied(r *ranking, row int32, e *Explanation) *Explanation {
	weight := m.explain(r, row)
	weight.Fields = m.joined
	return r.node(Explanation{
		Op: OpProduct, Value: weighed(e.Value, weight.Value), Label: m.label(&r.p),
		Formula: brief(e.Value) + " × " + brief(weight.Value), Scale: e.Scale + m.scale,
	}, e, weight)
}

// weighed is a score after it was multiplied. The conversion rounds it on every
// machine alike.
func weighed(score, weight float64) float64 { return float64(score * weight) }
