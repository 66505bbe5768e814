package pipeline

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
)

// The stream is higher where more candidates leave a stage.
func TestStreamHeight(t *testing.T) {
	height := func(n int) int {
		top, foot := streamCells(&retrieval.Stage{In: 1, Out: n}, 100, false)
		return slices.Index(levels[:], top) + slices.Index(levels[:], foot)
	}
	if got := []int{height(0), height(1), height(25), height(100)}; !slices.Equal(got, []int{0, 2, 8, 16}) {
		t.Errorf("heights %v", got)
	}
	rapid.Check(t, func(rt *rapid.T) {
		a, b := rapid.IntRange(0, 100).Draw(rt, "a"), rapid.IntRange(0, 100).Draw(rt, "b")
		if a <= b && height(a) > height(b) {
			rt.Errorf("%d candidates stand higher than %d", a, b)
		}
	})
}
