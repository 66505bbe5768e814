package storetest

import (
	"errors"
	"math/rand/v2"
	"strings"

	"github.com/webrag/webrag-tui/store"
)

func embedderTests() []test {
	return []test{
		{"meta comes back", metaRoundTrip},
		{"the embedder stays while there are vectors", embedderStays},
		{"another dimension among pages without vectors", newDimension},
		{"switching the embedder", switchEmbedder},
		{"another embedder knows other words", switchWords},
		{"another embedder takes what was copied without hashes", switchCopied},
		{"an unfinished switch changes nothing", switchUnfinished},
		{"a changed page drops its staged vectors", stagedThenChanged},
	}
}

func metaRoundTrip(c *corpus) {
	want := store.Meta{
		EmbedderID: "e/2", Dimensions: 2, Tokenizer: "cl100k_base", Fingerprint: "p",
		Calibration: store.Calibration{EmbedderID: "e/2", P50: 0.1, P995: 0.31, Chunks: 7},
	}
	check := func() {
		c.Helper()
		c.read(func(v store.View) {
			c.Helper()
			got := v.Meta()
			if got.SchemaVersion < 1 {
				c.Errorf("schema version %d", got.SchemaVersion)
			}
			if info := c.store.Info(); info.Meta != got || info.Name == "" || info.Location == "" || info.ReadOnly {
				c.Errorf("Info = %+v, meta %+v", info, got)
			}
			got.SchemaVersion, got.Changed = 0, 0
			if got != want {
				c.Errorf("meta %+v, want %+v", got, want)
			}
		})
	}
	c.write(func(w store.Writer) {
		c.setMeta(w, want)
		check()
		want.Calibration = store.Calibration{EmbedderID: "e/2", P50: 0.2}
		if err := w.SetCalibration(c.ctx, want.Calibration); err != nil {
			c.Fatal(err)
		}
		got := w.Meta()
		got.SchemaVersion, got.Changed = 0, 0
		if got != want {
			c.Errorf("the writer's meta %+v, want %+v", got, want)
		}
	})
	check()
}

func embedderStays(c *corpus) {
	b := page("https://example.org/a", []passage{{"one", unit(1, 2)}})
	c.fill(2, b)
	c.write(func(w store.Writer) {
		for _, m := range []store.Meta{{EmbedderID: "other", Dimensions: 2}, {EmbedderID: "test-embedder", Dimensions: 3}, {}} {
			err := w.SetMeta(c.ctx, m)
			var mismatch *store.MismatchError
			if !errors.As(err, &mismatch) || mismatch.Have != "test-embedder" || mismatch.HaveDims != 2 || mismatch.Want != m.EmbedderID || mismatch.WantDims != m.Dimensions {
				c.Errorf("SetMeta(%+v) = %v, want a MismatchError", m, err)
			}
		}
		c.setMeta(w, store.Meta{EmbedderID: "test-embedder", Dimensions: 2, Fingerprint: "new"})
		if _, err := w.Delete(c.ctx, b.Document.ID); err != nil {
			c.Fatal(err)
		}
		c.setMeta(w, store.Meta{EmbedderID: "other", Dimensions: 3})
	})
}

func newDimension(c *corpus) {
	var pages []store.Bundle
	for _, name := range []string{"a", "b", "c", "d"} {
		pages = append(pages, page("https://example.org/"+name, []passage{{"words of " + name, nil}}))
	}
	c.fill(2, pages...)
	c.checkNearest(unit(1, 0), 5, store.Scope{})
	c.write(func(w store.Writer) {
		c.setMeta(w, store.Meta{EmbedderID: "other", Dimensions: 3})
		c.put(w, page("https://example.org/e", []passage{{"words", unit(1, 2, 3)}}), true)
	})
	c.checkNearest(unit(0, 1, 0), 5, store.Scope{})
}

// otherDims are the dimensions of the embedder that pages are embedded with anew.
const otherDims = 6

// reembedded returns the pages with vectors of the other embedder.
func reembedded(pages []store.Bundle, r *rand.Rand) (next []store.Bundle, vectors map[string][]float32) {
	vectors = make(map[string][]float32)
	for _, b := range pages {
		b.Chunks = append([]store.Chunk(nil), b.Chunks...)
		for i := range b.Chunks {
			if ch := &b.Chunks[i]; ch.Embedding != nil {
				ch.Embedding = randomUnit(r, otherDims)
				vectors[ch.ID] = ch.Embedding
			}
		}
		next = append(next, b)
	}
	return next, vectors
}

// half returns half of the vectors, and the rest.
func half(vectors map[string][]float32) (a, b map[string][]float32) {
	a, b = make(map[string][]float32), make(map[string][]float32)
	for id, v := range vectors {
		if len(a) < len(vectors)/2 {
			a[id] = v
		} else {
			b[id] = v
		}
	}
	return a, b
}

func switchEmbedder(c *corpus) {
	r := rand.New(rand.NewPCG(32, 33))
	pages := randomPages(r, 8, 4)
	c.fill(4, pages...)
	c.checkNearest(randomUnit(r, 4), 10, store.Scope{})
	next, vectors := reembedded(pages, r)
	some, rest := half(vectors)
	m := store.Meta{EmbedderID: "new", Dimensions: 6, Tokenizer: "words", Fingerprint: "p2"}
	c.write(func(w store.Writer) { c.stage(w, "abandoned", vectors) })
	c.write(func(w store.Writer) { c.stage(w, "new", some) })
	// Another session goes on where that one ended.
	c.write(func(w store.Writer) {
		staged, err := w.Staged(c.ctx, "new")
		if err != nil || len(staged) != len(some) {
			c.Fatalf("%d staged, %v, want %d", len(staged), err, len(some))
		}
		if other, err := w.Staged(c.ctx, "abandoned"); err != nil || len(other) != 0 {
			c.Errorf("%d are still staged by the former embedder, %v", len(other), err)
		}
		rest[ID("gone meanwhile")] = randomUnit(r, 6)
		c.stage(w, "new", rest)
		if err := w.SwitchEmbedder(c.ctx, m); err != nil {
			c.Fatalf("SwitchEmbedder: %v", err)
		}
		if w.Meta().EmbedderID != "new" {
			c.Errorf("the writer's meta is %+v", w.Meta())
		}
		if staged, err := w.Staged(c.ctx, "new"); err != nil || len(staged) != 0 {
			c.Errorf("%d staged after the switch, %v", len(staged), err)
		}
	})
	for i := range next {
		// The pages are what the new pipeline would make of them.
		next[i].Document.PipelineFingerprint = "p2"
		c.want[next[i].Document.ID] = next[i]
	}
	c.checkNearest(randomUnit(r, 6), 100, store.Scope{})
	c.write(func(w store.Writer) {
		for _, b := range next {
			c.put(w, b, false)
		}
	})
}

// switchWords takes the vector of a child away and gives one to another, whose
// text the former embedder knew no word of.
func switchWords(c *corpus) {
	r := rand.New(rand.NewPCG(38, 39))
	pages := randomPages(r, 4, 4)
	pages = append(pages, page("https://example.org/wordless", []passage{{"dies und das", nil}, {"the known", unit(1, 2, 3, 4)}}))
	last := pages[4].Chunks
	last[1].EmbedHash = ID("dies und das")
	c.fill(4, pages...)
	c.checkNearest(randomUnit(r, 4), 100, store.Scope{})
	next, vectors := reembedded(pages, r)
	last = next[4].Chunks
	gains, loses := &last[1], &last[2]
	loses.Embedding = nil
	m := store.Meta{EmbedderID: "new", Dimensions: 6}
	c.write(func(w store.Writer) {
		vectors[loses.ID] = nil
		c.stage(w, "new", vectors)
		if err := w.SwitchEmbedder(c.ctx, m); err == nil {
			c.Error("switched without asking about the child that had no vector")
		}
		gains.Embedding = randomUnit(r, 6)
		c.stage(w, "new", map[string][]float32{gains.ID: gains.Embedding})
		staged, err := w.Staged(c.ctx, "new")
		if err != nil || !staged[gains.ID] || !staged[loses.ID] {
			c.Errorf("staged are %v, %v", staged, err)
		}
		if err := w.SwitchEmbedder(c.ctx, m); err != nil {
			c.Fatalf("SwitchEmbedder: %v", err)
		}
	})
	for i := range next {
		next[i].Document.PipelineFingerprint = m.Fingerprint
		c.want[next[i].Document.ID] = next[i]
	}
	c.checkNearest(randomUnit(r, 6), 100, store.Scope{})
	c.write(func(w store.Writer) {
		for _, b := range next {
			c.put(w, b, false)
		}
	})
}

// switchCopied embeds children of which no hash is known: those of a corpus that
// another program made. They get their vectors, with and without one before.
func switchCopied(c *corpus) {
	r := rand.New(rand.NewPCG(40, 41))
	b := page("https://example.org/copied", []passage{{"had one", unit(1, 2, 3, 4)}, {"had none", nil}})
	for i := range b.Chunks {
		b.Chunks[i].EmbedHash = ""
	}
	c.fill(4, b)
	m := store.Meta{EmbedderID: "new", Dimensions: 6}
	vectors := map[string][]float32{b.Chunks[0].ID: randomUnit(r, 6)} // a parent takes none
	for i := range b.Chunks {
		if ch := &b.Chunks[i]; ch.ParentID != "" {
			ch.Embedding = randomUnit(r, 6)
			vectors[ch.ID] = ch.Embedding
		}
	}
	c.write(func(w store.Writer) {
		c.stage(w, "new", vectors)
		staged, err := w.Staged(c.ctx, "new")
		if err != nil || len(staged) != 2 || staged[b.Chunks[0].ID] {
			c.Errorf("staged are %v, %v", staged, err)
		}
		if err := w.SwitchEmbedder(c.ctx, m); err != nil {
			c.Fatalf("SwitchEmbedder: %v", err)
		}
	})
	c.want[b.Document.ID] = b
	c.checkNearest(randomUnit(r, 6), 100, store.Scope{})
}

func (c *corpus) stage(w store.Writer, embedder string, vectors map[string][]float32) {
	c.Helper()
	if err := w.StageVectors(c.ctx, embedder, vectors); err != nil {
		c.Fatalf("StageVectors: %v", err)
	}
}

func switchUnfinished(c *corpus) {
	r := rand.New(rand.NewPCG(34, 35))
	pages := randomPages(r, 4, 4)
	c.fill(4, pages...)
	_, vectors := reembedded(pages, r)
	some, rest := half(vectors)
	version := c.version()
	refused := func(w store.Writer, m store.Meta, why string) {
		c.Helper()
		if err := w.SwitchEmbedder(c.ctx, m); err == nil || !strings.Contains(err.Error(), m.EmbedderID) {
			c.Errorf("a switch with %s: %v", why, err)
		}
	}
	c.write(func(w store.Writer) {
		m := store.Meta{EmbedderID: "new", Dimensions: 6}
		refused(w, m, "nothing staged")
		c.stage(w, "new", some)
		refused(w, m, "half of it staged")
		c.stage(w, "new", rest)
		refused(w, store.Meta{EmbedderID: "newer", Dimensions: 6}, "another embedder's vectors")
		refused(w, store.Meta{EmbedderID: "new", Dimensions: 5}, "vectors of another dimension")
		for name, v := range noDirections() {
			if err := w.StageVectors(c.ctx, "new", map[string][]float32{pages[0].Chunks[1].ID: v}); err == nil {
				c.Errorf("a vector that is %s was staged", name)
			}
		}
	})
	if got := c.version(); got != version {
		c.Errorf("the version went from %d to %d", version, got)
	}
	c.checkNearest(randomUnit(r, 4), 100, store.Scope{})
}

func stagedThenChanged(c *corpus) {
	r := rand.New(rand.NewPCG(36, 37))
	pages := randomPages(r, 2, 4)
	c.fill(4, pages...)
	_, vectors := reembedded(pages, r)
	c.write(func(w store.Writer) {
		c.stage(w, "new", vectors)
		c.put(w, withChunk(pages[0], 1, func(ch *store.Chunk) { ch.EmbedHash = "another text" }), true)
		staged, err := w.Staged(c.ctx, "new")
		if err != nil || len(staged) != len(vectors)-1 || staged[pages[0].Chunks[1].ID] {
			c.Errorf("%d staged, %v, want %d without the changed one", len(staged), err, len(vectors)-1)
		}
	})
}
