package compare

import (
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/retrieval/param"
)

func TestSettingDifferences(t *testing.T) {
	a, _ := param.Preset("webrag")
	b := a
	b.SimilarityFloor, b.TopK, b.ContextBudget = .25, 7, 900
	var got []string
	for _, g := range settingGroups(a, b) {
		got = append(got, append([]string{g.name}, g.differing...)...)
	}
	if want := []string{"PASSAGES", "floor .300 → .250", "CHOICE", "top k no limit → 7", "BUDGET", "budget 40k → 900"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	all := allSettings(a, b)
	n := 0
	for i, g := range all {
		if i > 0 && len(g.differing) > 0 && len(all[i-1].differing) == 0 {
			t.Errorf("%s comes after %s, in which nothing differs", g.name, all[i-1].name)
		}
		for j, spec := range g.specs {
			if differs := a.Get(spec.Field) != b.Get(spec.Field); differs != (j < len(g.differing)) {
				t.Errorf("%s is at place %d of %s", spec.Field, j, g.name)
			}
		}
		n += len(g.specs)
	}
	if n != len(param.Specs()) {
		t.Errorf("%d of %d parameters", n, len(param.Specs()))
	}
}
