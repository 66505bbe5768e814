package tune

import (
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// Every parameter has a row in one group, and a name that fits.
func TestParameterGroupsAreComplete(t *testing.T) {
	var fields []string
	for _, g := range parameterGroups() {
		for _, k := range g {
			fields = append(fields, k.Field)
			if k.Short == "" || len(k.Short) >= labelWidth {
				t.Errorf("%s: %q is too long or empty", k.Field, k.Short)
			}
		}
	}
	for _, s := range param.Specs() {
		if n := len(slices.DeleteFunc(slices.Clone(fields), func(f string) bool { return f != s.Field })); n != 1 {
			t.Errorf("%s has %d rows", s.Field, n)
		}
		for _, value := range s.Positions() {
			if (s.Kind == param.KindInt || s.Kind == param.KindFloat) && len([]rune(Value(&s, value))) > numberWidth {
				t.Errorf("%s: %q is too wide", s.Field, Value(&s, value))
			}
		}
	}
}

func TestValues(t *testing.T) {
	for _, c := range []struct{ field, value, want string }{
		{"similarity_floor", "0.3", ".300"},
		{"similarity_floor", "-1", "off"},
		{"similarity_floor", "-0.25", "-.250"},
		{"similarity_floor", "0.12345", "0.12345"},
		{"context_budget", "40000", "40k"},
		{"context_budget", "46999", "46999"},
		{"context_budget", "2147483647", "no limit"},
		{"top_k", "0", "no cap"},
		{"group_by_source", "true", "yes"},
		{"recency_half_life", "30", "30"},
		{"max_hops", "0", "0"},
		{"budget_policy", "stop", "stop"},
	} {
		s, _ := param.SpecOf(c.field)
		if got := Value(&s, c.value); got != c.want {
			t.Errorf("%s %s is shown as %q, want %q", c.field, c.value, got, c.want)
		}
	}
}

// No two parameters are called alike.
func TestNamesDiffer(t *testing.T) {
	of := map[string]string{}
	for _, g := range parameterGroups() {
		for _, k := range g {
			if k.Group == param.GroupChildren || k.Group == param.GroupDepth || k.Group == param.GroupAge {
				if other := of[k.Short]; other != "" {
					t.Errorf("%s and %s are both called %q", other, k.Field, k.Short)
				}
				of[k.Short] = k.Field
			}
		}
	}
}
