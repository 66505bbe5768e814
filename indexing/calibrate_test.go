package indexing_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/store"
)

// randomPages are pages of 20 sections each, one child a section, whose words
// have nothing to do with each other.
func randomPages(name string, n int) []source.NormalizedDocument {
	random := rand.New(rand.NewPCG(1, 2))
	pages := make([]source.NormalizedDocument, n)
	for i := range pages {
		var text strings.Builder
		for section := range 20 {
			fmt.Fprintf(&text, "## %d\n\n", section)
			for range 25 {
				for range 3 {
					text.WriteByte("bdfgklmnprst"[random.IntN(12)])
					text.WriteByte("aeiou"[random.IntN(5)])
				}
				text.WriteByte(' ')
			}
			text.WriteString("\n\n")
		}
		pages[i] = markdown(fmt.Sprintf("%s%d.md", name, i), text.String())
	}
	return pages
}

func TestCalibrationIsMeasuredOnce(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	pages := randomPages("a", 50)
	report := b.mustRun(pages...)
	c := b.read().meta.Calibration
	if !report.Calibrated || c.Chunks != 1000 || c.P50 >= c.P995 || c.EmbedderID != b.o.Embedder.Info().ID {
		t.Fatalf("calibrated %v: %+v", report.Calibrated, c)
	}
	if again := b.mustRun(pages...); again.Calibrated {
		t.Error("measured again without need")
	}
	if few := b.mustRun(randomPages("b", 4)...); few.Calibrated {
		t.Error("measured again after a growth of 8 %")
	}
	if more := b.mustRun(randomPages("c", 12)...); !more.Calibrated {
		t.Error("not measured again after a growth of 32 %")
	}
}

func TestASmallCorpusTakesTheEmbeddersScale(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.mustRun(randomPages("a", 49)...) // 980 children
	c := b.read().meta.Calibration
	p50, p995 := embedder.NewBuiltin().DefaultCalibration()
	if c.Chunks != 0 || c.P50 != p50 || c.P995 != p995 {
		t.Errorf("a corpus too small to measure has the scale %+v", c)
	}
}

// alike gives all texts one vector, and counts the queries.
type alike struct {
	embedder.Embedder
	queries *int
}

func (a alike) EmbedMany(_ context.Context, texts []string, role embedder.Role) ([][]float32, error) {
	if role == embedder.RoleQuery {
		*a.queries += len(texts)
	}
	vectors := make([][]float32, len(texts))
	for i := range vectors {
		vectors[i] = make([]float32, a.Info().Dims)
		vectors[i][0] = 1
	}
	return vectors, nil
}

// TestAUselessScaleIsMeasuredOnce indexes chunks that are all alike.
func TestAUselessScaleIsMeasuredOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("what it does is of one goroutine: the full run has this test")
	}
	t.Parallel()
	b := newBundle(t)
	queries := 0
	b.o.Embedder = alike{b.o.Embedder, &queries}
	pages := randomPages("a", 50)
	report := b.mustRun(pages...)
	if c := b.read().meta.Calibration; queries == 0 || report.Calibrated || c.Chunks != 0 || c.Tried != 1000 {
		t.Fatalf("after %d queries: %+v", queries, c)
	}
	queries = 0
	if b.mustRun(pages...); queries != 0 {
		t.Error("measured again without need")
	}
	if b.mustRun(randomPages("c", 12)...); queries == 0 {
		t.Error("not measured again after a growth of 24 %")
	}
}

// whole hides that a view can read single chunks.
type whole struct{ store.View }

// The scale is the same whether the view reads single chunks or loads the corpus.
func TestTheScaleIsThatOfTheWholeCorpus(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.mustRun(randomPages("a", 60)...)
	v, err := b.store.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if _, ok := v.(store.Sampler); !ok {
		t.Fatal("the view loads the corpus")
	}
	single, err := indexing.Calibrate(t.Context(), v, b.o.Embedder)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := indexing.Calibrate(t.Context(), whole{v}, b.o.Embedder)
	if err != nil || single != loaded || single.Chunks != 1200 {
		t.Errorf("single chunks have the scale %+v, the corpus %+v, %v", single, loaded, err)
	}
}
