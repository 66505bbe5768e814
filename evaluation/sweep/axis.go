package sweep

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// mostValues is the most values of an axis: more than a slider has.
const mostValues = 1000

// ParseAxis reads which values of a parameter are tried.
//
//	similarity_floor              all steps of its slider
//	top_k=3..20                   the steps from 3 to 20, and both ends
//	similarity_floor=0..0.6/12    12 even steps from 0 to 0.6, so 13 values
//	fusion=ranks,scores           these
//	top_k=3..10,no limit          both together
//
// Where a value has commas itself, as hop_decay has, ";" stands between values. A value that
// its parameter does not accept, or that waits on a server, is an error that says
// what there is instead; one that is there twice counts once.
func ParseAxis(text string) (evaluation.Axis, error) {
	field, list, given := strings.Cut(text, "=")
	field = strings.TrimSpace(field)
	spec, ok := param.SpecOf(field)
	if !ok {
		var p param.Params
		return evaluation.Axis{}, fmt.Errorf("sweep over %q: %w", text, p.Set(field, ""))
	}
	if field == param.FieldReach {
		return evaluation.Axis{}, fmt.Errorf("sweep over %s: it decides what is gathered at once, and changes no ranking", field)
	}
	a := evaluation.Axis{Field: field}
	if !given {
		a.Values = slices.DeleteFunc(spec.Positions(), func(value string) bool { return waits(&spec, value) })
		return a, nil
	}
	between := ","
	if spec.Kind == param.KindList || spec.Kind == param.KindSet {
		between = ";"
	}
	for part := range strings.SplitSeq(list, between) {
		values, err := parseValues(&spec, strings.TrimSpace(part))
		if err != nil {
			return evaluation.Axis{}, fmt.Errorf("sweep over %q: %w", text, err)
		}
		a.Values = append(a.Values, values...)
		if len(a.Values) > mostValues {
			return evaluation.Axis{}, fmt.Errorf("sweep over %q: these are more than %d values; take wider steps, as in %s=LOW..HIGH/20", text, mostValues, field)
		}
	}
	seen := map[string]bool{}
	a.Values = slices.DeleteFunc(a.Values, func(value string) bool {
		was := seen[value]
		seen[value] = true
		return was
	})
	return a, nil
}

// DefaultAxis has the steps of a parameter's slider, or so many of them at even distances with
// both ends, and present among them. It has no values where each of them waits on a server.
func DefaultAxis(s *param.Spec, present string, most int) evaluation.Axis {
	all := slices.DeleteFunc(s.Positions(), func(value string) bool { return waits(s, value) })
	a := evaluation.Axis{Field: s.Field}
	n := max(2, min(most, len(all)))
	for i := range min(n, len(all)) {
		a.Values = append(a.Values, all[i*(len(all)-1)/max(1, n-1)])
	}
	if at, on := s.Find(a.Values, present); !on && !waits(s, present) {
		a.Values = slices.Insert(a.Values, min(at, len(a.Values)), present)
	}
	return a
}

// parseValues reads a value or a range, and returns what [param.Params.Get] calls the values.
func parseValues(s *param.Spec, text string) ([]string, error) {
	low, rest, isRange := strings.Cut(text, "..")
	if !isRange {
		value, err := normal(s, text)
		return []string{value}, err
	}
	if !s.Ordered() {
		return nil, fmt.Errorf("%s has no order, and so no range %q: name its values, %s", s.Field, text, s.Range())
	}
	high, count, stepped := strings.Cut(rest, "/")
	ends := make([]string, 2)
	for i, end := range []string{low, high} {
		var err error
		if ends[i], err = normal(s, strings.TrimSpace(end)); err != nil {
			return nil, err
		}
	}
	from, to := s.Position(ends[0]), s.Position(ends[1])
	special, _ := s.Special()
	switch {
	case special != "" && slices.Contains(ends, special):
		return nil, fmt.Errorf("%s stands for no number: a range has two numbers, and it can be added as in %s=%s..%s,%s", special, s.Field, phrase.Number(max(s.Low, s.Min)), phrase.Number(s.High), special)
	case from > to:
		return nil, fmt.Errorf("the range %q goes down: write %s..%s", text, ends[1], ends[0])
	case stepped:
		return evenly(s, from, to, strings.TrimSpace(count))
	}
	values := []string{ends[0]}
	for _, value := range s.Positions() {
		if at := s.Position(value); at > from && at < to {
			values = append(values, value)
		}
	}
	if to > from {
		values = append(values, ends[1])
	}
	return values, nil
}

// evenly are count even steps between two numbers, both of which are among them.
func evenly(s *param.Spec, from, to float64, count string) ([]string, error) {
	n, err := strconv.Atoi(count)
	if err != nil || n < 1 || n >= mostValues {
		return nil, fmt.Errorf("%q is no number of steps: 1 to %d", count, mostValues-1)
	}
	var values []string
	for i := range n + 1 {
		at := from + (to-from)*float64(i)/float64(n)
		switch {
		case i == n:
			at = to
		case s.Kind == param.KindInt:
			at = math.Round(at)
		}
		// Digits that only rounding made are left out, as evaluation.Steps does.
		value := evaluation.Steps(s.Field, at, 0, 1).Values[0]
		if value, err = normal(s, value); err != nil {
			return nil, err
		}
		if len(values) == 0 || values[len(values)-1] != value {
			values = append(values, value)
		}
	}
	return values, nil
}

// normal is a value as [param.Params.Get] writes it.
func normal(s *param.Spec, text string) (string, error) {
	var p param.Params
	if text == "" {
		return "", fmt.Errorf("a value of %s is missing: %s", s.Field, s.Range())
	}
	if err := p.Set(s.Field, text); err != nil {
		return "", err
	}
	value := s.Get(&p)
	if waits(s, value) {
		return "", fmt.Errorf("%s=%s waits on a server for each ranking, and a sweep makes many; sweep without it", s.Field, value)
	}
	return value, nil
}

// waits says that a value makes every ranking wait.
func waits(s *param.Spec, value string) bool {
	var p param.Params
	return s.Set(&p, value) == nil && p.Waits()
}
