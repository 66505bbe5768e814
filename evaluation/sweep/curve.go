package sweep

import (
	"slices"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// Point is a value of a parameter with what it gives, the others being those of the winner.
type Point struct {
	Value   string
	Setting int
	Means
	// Difference is that to the base, by all queries, with its interval.
	Difference evaluation.Interval
	// Alike says that every query has the same numbers as with the value before.
	Alike bool
}

// IsFlat says that the interval has no difference in it, too: chance may have made it.
func (p *Point) IsFlat() bool { return p.Difference.Low <= 0 && p.Difference.High >= 0 }

// Curve is the measure along an axis through the winner, or through the base where there is
// none: the values that were tried there, in their order.
func (f *Finding) Curve(axis int) []Point {
	values := slices.Clone(f.Settings[max(base, f.Winner)].Values)
	everyone := f.everyone()
	var curve []Point
	for _, value := range f.Plan.Axes[axis].Values {
		values[axis] = value
		at, ok := f.at[key(values)]
		if !ok {
			continue
		}
		p := Point{Value: value, Setting: at, Means: f.Means(at)}
		if n := len(curve); n > 0 && f.isSame(at, curve[n-1].Setting) {
			p.Alike, p.Difference = true, curve[n-1].Difference
		} else {
			p.Difference = evaluation.Bootstrap(f.differences(at, base, everyone), theSeed)
		}
		curve = append(curve, p)
	}
	return curve
}

// Plateau is a piece of a curve: values that every query scores alike, of which the first
// is that of Point.
type Plateau struct {
	Point
	Values []string
	// Chosen says that the winner is among them.
	Chosen bool
}

// Shown are the values as a screen shows them: "12", or "12 to 14".
func (p *Plateau) Shown(s *param.Spec) string {
	text := s.Shown(p.Values[0])
	if n := len(p.Values); n > 1 {
		text += " to " + s.Shown(p.Values[n-1])
	}
	return text
}

// Plateaus are the pieces of a curve, or so many of them with both ends and the winner.
func (f *Finding) Plateaus(axis, most int) []Plateau {
	var rows []Plateau
	for _, c := range f.Curve(axis) {
		won := f.Winner >= 0 && c.Setting == f.Winner
		if n := len(rows); n > 0 && c.Alike {
			rows[n-1].Values, rows[n-1].Chosen = append(rows[n-1].Values, c.Value), rows[n-1].Chosen || won
			continue
		}
		rows = append(rows, Plateau{c, []string{c.Value}, won})
	}
	if len(rows) <= most {
		return rows
	}
	var some []Plateau
	for i := range rows {
		if step := len(rows) * len(some) / most; i >= step || rows[i].Chosen || i == len(rows)-1 {
			some = append(some, rows[i])
		}
	}
	return some
}
