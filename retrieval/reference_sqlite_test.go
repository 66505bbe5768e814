package retrieval_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite"
	"github.com/webrag/webrag-tui/testdata/anisotropic"
)

// leaningLab is a corpus whose vectors lean to one side, as those of many models
// do, so that all of its cosines are high and close together. It comes with the
// vectors of its children and of a query.
func leaningLab() (l *lab, vectors map[string][]float32, query []float32) {
	const topics = 6
	space := anisotropic.NewSpace(7, topics, anisotropic.MinDims)
	query = space.Vector(0, 1<<20)
	words := []string{"alpha", "beta", "gamma", "delta", "epsilon", "zeta"}
	l, vectors = newLab(), map[string][]float32{}
	l.meta.Dimensions, l.info.Dims = anisotropic.MinDims, anisotropic.MinDims
	for page := range 12 {
		d := l.page(fmt.Sprintf("https://example.org/%02d", page), page%4)
		d.ID, d.DocType, d.CurrentIngestionID = uuid(1, page), "markdown", uuid(4, page)
		d.ContentHash, d.DerivedHash = uuid(2, page), uuid(3, page)
		for i := range 3 {
			id := uuid(5, page, i)
			topic := (page + i) % topics
			l.section(id, i, 40+10*i).ChunkText = strings.Join(words[:1+(page+i)%4], " ")
			for n := range 2 {
				text := strings.Join([]string{words[topic], words[(topic+n)%topics], words[page%topics]}, " ")
				c := l.child(uuid(6, page, i, n), 0, text)
				c.EmbedHash = c.ID
				// Equal vectors: the second child of every fourth page is the first again.
				vectors[c.ID] = space.Vector(topic, uint64(100*page+10*i+n*min(1, page%4)))
				l.similar[c.ID] = dot(query, vectors[c.ID])
			}
			if i > 0 {
				l.edge(uuid(5, page, i-1), id, store.Sequence, store.WeightSequence)
				l.edge(id, uuid(5, page, 0), store.PartOf, store.WeightPartOf)
			}
		}
	}
	return l, vectors, query
}

// dot is the cosine of two unit vectors, added up in the order of their
// components.
func dot(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(float64(a[i]) * float64(b[i]))
	}
	return sum
}

// onDisk writes a lab to a corpus file.
func onDisk(t *testing.T, l *lab, vectors map[string][]float32) store.Store {
	t.Helper()
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "leaning.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	w, err := st.Write(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	meta := l.meta
	meta.Tokenizer = "words"
	if err := w.SetMeta(t.Context(), meta); err != nil {
		t.Fatal(err)
	}
	for _, d := range l.documents {
		b := store.Bundle{Document: d}
		for i := range l.chunks {
			if c := l.chunks[i]; c.DocumentID == d.ID {
				c.Embedding = vectors[c.ID]
				b.Chunks = append(b.Chunks, c)
			}
		}
		for _, e := range l.edges {
			if e.DocumentID == d.ID {
				e.Origin = store.OriginStructure
				b.Edges = append(b.Edges, e)
			}
		}
		if _, err := w.Put(t.Context(), b); err != nil {
			t.Fatalf("put %s: %v", d.SourceURL, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return st
}

// fixed gives one vector for everything.
type fixed struct {
	labEmbedder
	vector []float32
}

func (f *fixed) EmbedOne(context.Context, string, embedder.Role) ([]float32, error) {
	return f.vector, nil
}

// What the engine returns from a corpus file is what the reference works out of
// the same chunks, also where all cosines are high.
func TestACorpusFileAgreesWithTheReference(t *testing.T) {
	l, vectors, query := leaningLab()
	d := retrieval.Deps{
		Store: onDisk(t, l, vectors), Embedder: &fixed{labEmbedder{info: l.info}, query},
		Now: func() time.Time { return labNow },
	}
	for _, name := range param.Presets() {
		for _, set := range [][2]string{{"similarity_floor", "0.6"}, {"keyword_weight", "0.4"}, {"dedup_threshold", "0.5"}, {"max_hops", "2"}, {"top_k", "30"}} {
			t.Run(name+" "+set[0], func(t *testing.T) {
				p, _ := param.Preset(name)
				p.Mode, p.ContextBudget = param.ModeChunk, 700
				if err := p.Set(set[0], set[1]); err != nil {
					t.Fatal(err)
				}
				q := retrieval.Query{Text: "alpha gamma"}
				got, err := retrieval.Retrieve(t.Context(), d, q, p, retrieval.Options{})
				if err != nil {
					t.Fatal(err)
				}
				ref := naive{l: l, query: q.Text, p: p}
				want := ref.run()
				if len(got.Items) == 0 || len(got.Items) != len(want) {
					t.Fatalf("%d items, want %d", len(got.Items), len(want))
				}
				for i, it := range want {
					g := &got.Items[i]
					if g.Rank != it.rank || math.Abs(g.Score-it.score) > nearly || g.ChunkID != it.id && !ref.close {
						t.Errorf("item %d is %s #%d %v, want %s #%d %v", i, g.ChunkID, g.Rank, g.Score, it.id, it.rank, it.score)
					}
				}
			})
		}
	}
}

// The exact place that a corpus file gives is the place among all chunks.
func TestPlacesInACorpusFile(t *testing.T) {
	l, vectors, query := leaningLab()
	d := retrieval.Deps{Store: onDisk(t, l, vectors), Embedder: &fixed{labEmbedder{info: l.info}, query}}
	p, _ := param.Preset(param.PresetTopK)
	p.RequireOwner = false
	ref := naive{l: l, query: "alpha gamma", p: p}
	ref.p.TopKChildrenLimit = 1000
	nearest := ref.nearest()
	ref.p.KeywordWeight = 1
	worded := ref.worded()
	for i, it := range nearest {
		if i%7 != 0 {
			continue
		}
		r, err := whynot.Ask(t.Context(), d, retrieval.Query{Text: "alpha gamma"}, p, whynot.Target{ChunkID: it.id})
		if err != nil {
			t.Fatal(err)
		}
		if r.Vector == nil || r.Vector.Rank != i+1 || math.Abs(r.Vector.Score-it.score) > nearly {
			t.Errorf("%s stands at %+v, not %d with %v", it.id, r.Vector, i+1, it.score)
		}
		at := 1 + slices.IndexFunc(worded, func(w refItem) bool { return w.id == it.id })
		if r.Keyword == nil || r.Keyword.Rank != at || r.Keyword.Found != (at > 0) {
			t.Errorf("%s stands at %+v in the keyword arm, not %d", it.id, r.Keyword, at)
		}
		if !r.Present && suggestionOf(&r, fmt.Sprintf("top_k %d", i+1)) == nil {
			t.Errorf("number %d: got\n%s", i+1, allSuggestions(&r))
		}
	}
}
