package compare

import (
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval/param"
)

func TestSettingDifferences(t *testing.T) {
	a, _ := param.Preset("webrag")
	b := a
	b.SimilarityFloor, b.TopK = .25, 7
	got := settingDifferences(a, b)
	for i := range got {
		got[i] = strings.ReplaceAll(got[i], unbroken, " ")
	}
	if want := []string{"floor .300 → .250", "top k no limit → 7"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
