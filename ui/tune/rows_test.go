package tune

import (
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// Every parameter has a row in one group, and leaves room for a track in the narrowest pane: but
// for one, whose name is a sentence.
func TestParameterGroupsAreComplete(t *testing.T) {
	var fields []string
	for _, g := range parameterGroups() {
		for _, k := range g {
			fields = append(fields, k.Field)
		}
	}
	for _, s := range param.Specs() {
		if n := len(slices.DeleteFunc(slices.Clone(fields), func(f string) bool { return f != s.Field })); n != 1 {
			t.Errorf("%s has %d rows", s.Field, n)
		}
		for _, value := range s.Positions() {
			if _, n := trackOf(34, s.Name, s.Shown(value)); n == 0 && s.Ordered() && s.Field != param.FieldFullContextThreshold {
				t.Errorf("%s %s leaves no room", s.Name, s.Shown(value))
			}
		}
	}
}

func TestValues(t *testing.T) {
	for _, c := range []struct{ field, value, want string }{
		{"similarity_floor", "0.3", ".300"},
		{"similarity_floor", "-1", "off"},
		{"similarity_floor", "-0.25", "-.250"},
		{"similarity_floor", "0.12345", ".12345"},
		{"context_budget", "40000", "40k"},
		{"context_budget", "46999", "46999"},
		{"context_budget", "2147483647", "no limit"},
		{"top_k", "0", "no limit"},
		{"hop_decay", "1,0.7, 0.5", "1,.7,.5"},
		{"group_by_source", "true", "yes"},
		{"recency_half_life", "30", "30"},
		{"max_hops", "0", "0"},
		{"budget_policy", "stop", "stop"},
		{"unit", "parent", "sections"},
		{"full_context_overflow", "drop_documents", "drop deepest pages"},
	} {
		s, _ := param.SpecOf(c.field)
		if got := s.Shown(c.value); got != c.want {
			t.Errorf("%s %s is shown as %q, want %q", c.field, c.value, got, c.want)
		}
	}
}

// What was changed and has an effect is used: it stands above the row that folds what is not.
func TestWhatWasChangedIsUsed(t *testing.T) {
	var start param.Params
	for _, name := range param.Presets() {
		if p, ok := param.Preset(name); ok && p.MaxHops == 0 && p.SeedTopK > 0 {
			start = p
			break
		}
	}
	present := start
	present.MaxHops = 1
	for _, r := range parameterRows(start, present, false) {
		if r.field == "max_hops" && r.after {
			t.Error("changed hops stand under what is not used")
		}
	}
}
