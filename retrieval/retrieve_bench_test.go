package retrieval_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite"
	"github.com/webrag/webrag-tui/testdata/cputime"
)

// The shape of the large corpus: 100,000 children of 384 dimensions.
const (
	benchPages, benchParents, benchChildren = 500, 20, 10
	benchDims                               = 384
)

// openLarge fills a corpus of so many pages with random unit vectors.
func openLarge(b *testing.B, pages int) (store.Store, []float32) {
	b.Helper()
	st, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "large.db"), sqlite.Options{Create: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = st.Close() })
	w, err := st.Write(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	if err := w.SetMeta(b.Context(), store.Meta{EmbedderID: "double", Dimensions: benchDims, Tokenizer: "words"}); err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 84))
	for page := range pages {
		if _, err := w.Put(b.Context(), randomPage(rng, page)); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return st, unit(rng)
}

func unit(rng *rand.Rand) []float32 {
	v := make([]float32, benchDims)
	norm := 0.0
	for i := range v {
		v[i] = float32(rng.NormFloat64())
		norm += float64(v[i]) * float64(v[i])
	}
	scale := float32(1 / math.Sqrt(norm))
	for i := range v {
		v[i] *= scale
	}
	return v
}

func randomPage(rng *rand.Rand, page int) store.Bundle {
	const tokens = 40
	text := strings.Repeat("word ", tokens)
	url := "https://docs.example.org/" + uuid(7, page)
	doc := store.Document{
		ID: uuid(1, page), URL: url, SourceURL: url, Title: "Page", DocType: "markdown", SourceType: "upload",
		ContentHash: uuid(2, page), DerivedHash: uuid(3, page), CurrentIngestionID: uuid(4, page),
		Depth: page % 5, ParentCount: benchParents, TokenCount: benchParents * benchChildren * tokens,
	}
	bundle := store.Bundle{Document: doc}
	for i := range benchParents {
		span := benchChildren * tokens
		parent := store.Chunk{
			ID: uuid(5, page, i), DocumentID: doc.ID, Level: store.Parent, Index: i, SectionHeading: "Section",
			HeadingPath: []string{"Section"}, ChunkText: strings.Repeat(text, benchChildren),
			CharStart: i * span * 5, CharEnd: (i + 1) * span * 5, TokenStart: i * span, TokenEnd: (i + 1) * span,
			Depth: doc.Depth, Title: doc.Title, SourceURL: url, IngestionID: doc.CurrentIngestionID,
		}
		bundle.Chunks = append(bundle.Chunks, parent)
		for j := range benchChildren {
			child := parent
			child.ID, child.ParentID, child.Level, child.Index = uuid(6, page, i, j), parent.ID, store.Child, j
			child.ChunkText, child.Terms, child.EmbedHash = text, "word", uuid(6, page, i, j)
			child.CharStart += j * tokens * 5
			child.CharEnd = child.CharStart + tokens*5
			child.TokenStart += j * tokens
			child.TokenEnd = child.TokenStart + tokens
			child.Embedding = unit(rng)
			bundle.Chunks = append(bundle.Chunks, child)
		}
	}
	return bundle
}

// BenchmarkRetrieve measures a whole retrieval, of which embedding takes no
// time, as a multiple of the vector search that it contains.
func BenchmarkRetrieve(b *testing.B) {
	st, vector := openLarge(b, benchPages)
	model := newDouble()
	model.info, model.vector = embedder.Info{ID: "double", Dims: benchDims}, vector
	p, _ := param.Preset("webrag")
	p.SimilarityFloor = 0.05 // random vectors are nearly orthogonal
	deps := retrieval.Deps{Store: st, Embedder: model}
	if warmer, ok := st.(store.Preloader); ok {
		if err := warmer.Load(b.Context(), func(int, int) {}); err != nil {
			b.Fatal(err)
		}
	}
	var whole, scan time.Duration
	for b.Loop() {
		start := time.Now()
		r, err := retrieval.Retrieve(b.Context(), deps, retrieval.Query{Text: "question"}, p, retrieval.Options{Trace: true, Explain: true})
		if err != nil {
			b.Fatal(err)
		}
		if len(r.Items) < 20 || r.Items[0].ChunkText == "" {
			b.Fatalf("%d items", len(r.Items))
		}
		whole += time.Since(start)
		scan += searchAlone(b, st, vector)
	}
	b.ReportMetric(float64(whole)/float64(scan), "measured")
	b.ReportMetric(1.5, "budget")
	b.ReportMetric(float64(whole.Microseconds())/float64(b.N)/1000, "ms/retrieve")
	b.ReportMetric(float64(scan.Microseconds())/float64(b.N)/1000, "ms/scan")
}

// BenchmarkMatchTerms measures what it takes to say of a query that brought nothing whether
// any of its words occurs, as a share of the search that it took before: every key of a
// query that finds nothing waits for it. A fifth of the large corpus is enough.
func BenchmarkMatchTerms(b *testing.B) {
	st, vector := openLarge(b, benchPages/5)
	model := newDouble()
	model.info, model.vector = embedder.Info{ID: "double", Dims: benchDims}, vector
	p, _ := param.Preset("webrag")
	p.Mode, p.SimilarityFloor = param.ModeChunk, 1
	deps, q := retrieval.Deps{Store: st, Embedder: model}, retrieval.Query{Text: "question"}
	var search, words time.Duration
	for b.Loop() {
		start := cputime.Now()
		if _, err := retrieval.Gather(b.Context(), deps, q, p); err != nil {
			b.Fatal(err)
		}
		between := cputime.Now()
		if none, err := retrieval.MatchTerms(b.Context(), deps, q, p); err != nil || !none {
			b.Fatal(none, err)
		}
		search, words = search+between-start, words+cputime.Now()-between
	}
	b.ReportMetric(float64(words)/float64(search), "measured")
	b.ReportMetric(.3, "budget")
}

func searchAlone(b *testing.B, st store.Store, vector []float32) time.Duration {
	b.Helper()
	start := time.Now()
	view, err := st.Read(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	if _, err := view.Search(b.Context(), store.Search{Vector: vector, VectorRows: 200}); err != nil {
		b.Fatal(err)
	}
	if err := view.Close(); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}
