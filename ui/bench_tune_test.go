package ui

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// The shape of the corpus that sliders are moved on: 10,000 sections of one
// child each.
const (
	slidPages, slidSections, slidTokens, slidDims = 200, 50, 40, 8
)

// scattered gives every text a vector of its own in a fixed order.
type scattered struct{ rng *rand.Rand }

func (s scattered) Info() embedder.Info {
	return embedder.Info{ID: "scattered", Dims: slidDims, InProcess: true}
}

func (s scattered) EmbedOne(context.Context, string, embedder.Role) ([]float32, error) {
	v, norm := make([]float32, slidDims), 0.0
	for i := range v {
		v[i] = float32(s.rng.NormFloat64())
		norm += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(norm))
	}
	return v, nil
}

func (s scattered) EmbedMany(ctx context.Context, texts []string, role embedder.Role) ([][]float32, error) {
	all := make([][]float32, len(texts))
	for i := range all {
		all[i], _ = s.EmbedOne(ctx, texts[i], role)
	}
	return all, nil
}

// onMany changes options to a corpus of 10,000 sections.
func onMany(b *testing.B, change func(*param.Params)) func(*Options, *fakeCorpus) {
	b.Helper()
	emb := scattered{rand.New(rand.NewPCG(4, 2))}
	path := filepath.Join(b.TempDir(), "many.db")
	st, err := sqlite.Open(b.Context(), path, sqlite.Options{Create: true})
	if err != nil {
		b.Fatal(err)
	}
	w, err := st.Write(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	if err := w.SetMeta(b.Context(), store.Meta{EmbedderID: emb.Info().ID, Dimensions: slidDims, Tokenizer: "words"}); err != nil {
		b.Fatal(err)
	}
	for page := range slidPages {
		if _, err := w.Put(b.Context(), slidPage(emb, page)); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	p, _ := param.Preset(param.PresetWebRAG)
	change(&p)
	return func(o *Options, _ *fakeCorpus) {
		o.Query, o.Params = "anything", p
		o.Open = func(context.Context) (*session.Corpus, error) {
			b.Cleanup(func() { _ = st.Close() })
			return session.NewCorpus(retrieval.Deps{Store: st, Embedder: emb}), nil
		}
	}
}

func slidPage(emb scattered, page int) store.Bundle {
	id := func(kind, n int) string { return fmt.Sprintf("%08x-%04x-4000-8000-%012x", page, kind, n) }
	url := "https://docs.example/" + id(0, 0)
	doc := store.Document{
		ID: id(1, 0), URL: url, SourceURL: url, Title: fmt.Sprintf("Page %d", page), DocType: "markdown", SourceType: "upload",
		ContentHash: id(2, 0), DerivedHash: id(3, 0), CurrentIngestionID: id(4, 0),
		Depth: page % 5, ParentCount: slidSections, TokenCount: slidSections * slidTokens,
	}
	bundle := store.Bundle{Document: doc}
	for i := range slidSections {
		name := fmt.Sprintf("Section %d of page %d", i, page)
		parent := store.Chunk{
			ID: id(5, i), DocumentID: doc.ID, Level: store.Parent, Index: i, SectionHeading: name, HeadingPath: []string{name},
			ChunkText: "text", CharStart: i * 4, CharEnd: (i + 1) * 4, TokenStart: i * slidTokens, TokenEnd: (i + 1) * slidTokens,
			Depth: doc.Depth, Title: doc.Title, SourceURL: url, IngestionID: doc.CurrentIngestionID,
		}
		child := parent
		child.ID, child.ParentID, child.Level, child.Index, child.Terms, child.EmbedHash = id(6, i), parent.ID, store.Child, 0, "text", id(6, i)
		child.Embedding, _ = emb.EmbedOne(context.Background(), "", embedder.RoleDocument)
		bundle.Chunks = append(bundle.Chunks, parent, child)
	}
	return bundle
}

// BenchmarkSlider is a step of a slider to the new frame, with the tune pane open
// and its tracks known.
func BenchmarkSlider(b *testing.B) {
	for _, c := range []struct {
		name, field string
		rows        int
		change      func(*param.Params)
	}{
		{"10,000 sections", "context_budget", 10_000, func(p *param.Params) {
			p.Mode, p.FullContextThreshold, p.ContextBudget = param.ModeFullContext, param.Unlimited, param.Unlimited
		}},
		{"1,000 candidates", "depth_decay_rate", 900, func(p *param.Params) {
			p.Mode, p.TopKChildrenLimit, p.SimilarityFloor, p.ContextBudget = param.ModeChunk, 1000, -1, param.Unlimited
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			d := drive(b, 1, 200, 60, onMany(b, c.change), "t")
			d.steps = math.MinInt
			if n := d.sections(); n < c.rows {
				b.Fatalf("only %d sections", n)
			}
			d.tune().Select(c.field)
			d.settle()
			var took []time.Duration
			keys := []string{"left", "right"}
			for i := 0; b.Loop(); i++ {
				before := d.session().Params()
				start := time.Now()
				_, cmd := d.update(keyOf(keys[i%2]))
				_ = d.frame()
				took = append(took, time.Since(start))
				if d.session().Params() == before {
					b.Fatalf("%s moves nothing", keys[i%2])
				}
				b.StopTimer()
				d.push(cmd)
				d.pass(0)
				b.StartTimer()
			}
			b.ReportMetric(keyBudget, "budget_ms")
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2])/1e6, "median_ms")
			b.ReportMetric(float64(took[len(took)*99/100])/1e6, "p99_ms")
		})
	}
}
