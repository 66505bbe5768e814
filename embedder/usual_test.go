package embedder_test

import (
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/embedder"
)

// A model whose dimensions are known is named where it is named at all.
func TestUsualModelsHaveTheirDimensions(t *testing.T) {
	for dims := range 4001 {
		for _, model := range embedder.UsualModels(dims) {
			if known := embedder.ProfileFor("", model).Dims; known != 0 && known < dims {
				t.Errorf("%s makes %d dimensions, not %d", model, known, dims)
			}
		}
	}
	if usual := embedder.UsualModels(1536); !slices.Contains(usual, "text-embedding-3-small") {
		t.Errorf("of 1,536 dimensions are %v", usual)
	}
	if usual := embedder.UsualModels(4); usual != nil {
		t.Errorf("of 4 dimensions are %v", usual)
	}
}
