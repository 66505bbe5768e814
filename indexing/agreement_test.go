package indexing_test

import (
	"context"
	"testing"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
)

// turned makes the vectors of an embedder with the first component's sign changed.
type turned struct{ embedder.Embedder }

func (e turned) EmbedMany(ctx context.Context, texts []string, role embedder.Role) ([][]float32, error) {
	vectors, err := e.Embedder.EmbedMany(ctx, texts, role)
	for _, v := range vectors {
		for i := range v {
			if i%2 == 0 {
				v[i] = -v[i]
			}
		}
	}
	return vectors, err
}

func TestAgreement(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	ctx := t.Context()
	view := func() float64 {
		t.Helper()
		v, err := b.store.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		got, texts, err := indexing.Agreement(ctx, v, b.o.Embedder)
		if err != nil || texts != 5 {
			t.Fatalf("%d texts: %v", texts, err)
		}
		return got
	}
	b.mustRun(randomPages("a", 1)...)
	if got := view(); got < indexing.LeastAgreement || got > 1+1e-6 {
		t.Errorf("the model's own vectors agree by %v", got)
	}
	b.o.Embedder = turned{b.o.Embedder}
	if got := view(); got > indexing.LeastAgreement {
		t.Errorf("vectors of another model agree by %v", got)
	}
}

func TestAgreementOfAnEmptyCorpus(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	v, err := b.store.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if got, texts, err := indexing.Agreement(t.Context(), v, b.o.Embedder); got != 0 || texts != 0 || err != nil {
		t.Errorf("%v of %d texts: %v", got, texts, err)
	}
}
