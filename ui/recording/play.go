package recording

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/webrag/webrag-tui/ui/tour"
)

// longestRest is how long a tour of a session stands still at most: whoever made
// it may have gone for a coffee.
const longestRest = 8 * time.Second

// Tour is what the user of the session did, with its timing. It is nil for a
// session without moves.
func (r *Recording) Tour() *tour.Script {
	s := tour.Script{Stays: true}
	do := func(step tour.Step) {
		step.Line = len(s.Steps) + 1
		s.Steps = append(s.Steps, step)
	}
	last := move{View: 1}
	for i, m := range r.moves {
		if len(s.Steps) >= tour.MostSteps {
			break
		}
		if i > 0 {
			if rest := min(longestRest, time.Duration(m.At-last.At)*time.Millisecond); rest > 0 {
				do(tour.Step{Verb: tour.Wait, Wait: rest})
			}
		}
		if m.View != last.View {
			do(tour.Step{Verb: tour.View, View: m.View})
		}
		if from := cmp.Or(last.Preset, r.Preset); m.Preset != "" && m.Preset != from {
			do(tour.Step{Verb: tour.Apply, Text: m.Preset, Values: r.all(m)})
		} else if values := r.values(last, m); len(values) > 0 {
			do(tour.Step{Verb: tour.Apply, Values: values})
		}
		if m.Query != last.Query && m.Query != "" {
			do(tour.Step{Verb: tour.Type, Text: m.Query})
			do(tour.Step{Verb: tour.Key, Keys: []string{"enter"}})
			if m.View != 1 {
				do(tour.Step{Verb: tour.View, View: m.View})
			}
		}
		switch {
		case m.View != 1 || m.Tune == last.Tune:
		case m.Tune:
			do(tour.Step{Verb: tour.View, View: 1, Pane: "tune"})
		default:
			do(tour.Step{Verb: tour.Run, Text: "tune.open"})
		}
		if m.View == 1 && m.Section != "" && m.Section != last.Section {
			do(tour.Step{Verb: tour.Select, Text: m.Section})
		}
		last = m
	}
	if len(s.Steps) == 0 {
		return nil
	}
	return &s
}

// all are the parameters that were on the screen.
func (r *Recording) all(m move) []tour.Value {
	p, _ := changedBy(r.Params, m.Changed) // Load has tried it
	fields := allOf(p)
	values := make([]tour.Value, 0, len(fields))
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		values = append(values, tour.Value{Field: field, Text: fields[field]})
	}
	return values
}

// values are the parameters that a move changed.
func (r *Recording) values(from, to move) []tour.Value {
	if maps.Equal(from.Changed, to.Changed) {
		return nil
	}
	fields := map[string]string{}
	for field := range from.Changed {
		fields[field] = r.Params.Get(field)
	}
	maps.Copy(fields, to.Changed)
	var values []tour.Value
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		values = append(values, tour.Value{Field: field, Text: fields[field]})
	}
	return values
}
