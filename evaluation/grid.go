package evaluation

import (
	"fmt"
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// Axis is a parameter with the values that a sweep tries.
type Axis struct {
	// Field names the parameter as [param.Spec] does, Values are as
	// [param.Params.Set] reads them.
	Field  string
	Values []string
}

// Steps is an axis of count numbers from low on: low + i*step. Adding step again
// and again would drift and could lose the last one; so would showing digits that
// only rounding made, and there are ten decimals.
func Steps(field string, low, step float64, count int) Axis {
	a := Axis{Field: field}
	for i := range count {
		text := strconv.FormatFloat(low+float64(i)*step, 'f', 10, 64)
		value, err := strconv.ParseFloat(text, 64)
		if err == nil {
			text = strconv.FormatFloat(value, 'f', -1, 64)
		}
		a.Values = append(a.Values, text)
	}
	return a
}

// Grid is every combination of the values of its axes. The last axis varies
// fastest.
type Grid []Axis

// maxSettings bounds a grid: a million settings over fifty queries take minutes.
const maxSettings = 1_000_000

// Settings are base with each combination. Without an axis it is base alone. A
// value that its parameter does not accept is a [param.Error].
func (g Grid) Settings(base param.Params) ([]param.Params, error) {
	settings := []param.Params{base}
	for _, a := range g {
		if len(settings)*len(a.Values) > maxSettings {
			return nil, fmt.Errorf("sweep: there are more than %d combinations: try fewer values of %s", maxSettings, a.Field)
		}
		next := make([]param.Params, 0, len(settings)*len(a.Values))
		for _, p := range settings {
			for _, value := range a.Values {
				one := p
				if err := one.Set(a.Field, value); err != nil {
					return nil, fmt.Errorf("sweep: %w", err)
				}
				next = append(next, one)
			}
		}
		settings = next
	}
	return settings, nil
}
