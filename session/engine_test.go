package session_test

import (
	"context"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// library is a corpus of three pages.
func library(t *testing.T) *session.Corpus {
	t.Helper()
	c, err := index(t.Context(), filepath.Join(t.TempDir(), "library.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// index makes a corpus of three pages at a path.
func index(ctx context.Context, path string) (*session.Corpus, error) {
	emb := embedder.NewBuiltin()
	tok, err := embedder.NewTokenizer(emb.Info().Tokenizer)
	if err != nil {
		return nil, err
	}
	st, err := sqlite.Open(ctx, path, sqlite.Options{Create: true})
	if err != nil {
		return nil, err
	}
	pages := fstest.MapFS{}
	for name, text := range map[string]string{
		"bread.md":  "# Bread\n\nA loaf rises while the dough rests in a warm place.\n",
		"coffee.md": "# Coffee\n\nGrind the beans, and pour water that has just boiled.\n",
		"tea.md":    "# Tea\n\nLeaves steep for three minutes in water that has boiled.\n",
	} {
		pages[name] = &fstest.MapFile{Data: []byte(text)}
	}
	set, err := source.ScanFS(ctx, pages, "library", source.Options{})
	if err != nil {
		return nil, err
	}
	if _, err := indexing.Run(ctx, st, set.All(ctx), indexing.Options{Embedder: emb, Tokenizer: tok}); err != nil {
		return nil, err
	}
	return session.NewCorpus(retrieval.Deps{Store: st, Embedder: emb, Now: func() time.Time { return time.Unix(0, 0) }}), nil
}

// A real corpus is asked, tuned beyond what was gathered and compared, while the work
// runs beside the session.
func TestARealCorpus(t *testing.T) {
	p, _ := param.Preset(param.PresetWebRAG)
	p.Mode = param.ModeChunk
	s := session.New(session.Setting{Name: "webrag", Params: p}, nil)
	came := make(chan session.Done)
	running := 0
	do := func(work []session.Work) {
		for _, w := range work {
			running++
			go func() { came <- w.Run(t.Context()) }()
		}
	}
	do(s.Take(library(t), nil))
	do(s.Ask("which beans are ground for coffee"))
	asked := false
	for running > 0 {
		d := <-came
		running--
		if d.Err != nil && s.Awaits(d.Kind, d.Gen) {
			t.Fatalf("%v: %v", d.Kind, d.Err)
		}
		do(s.Apply(d))
		if !asked && s.Result() != nil {
			asked = true
			do(s.Set(with(s, func(p *param.Params) { p.KeywordWeight = .5 }), param.FieldKeywordWeight))
			if s.Pending() == "" {
				t.Error("the evidence has keywords already")
			}
		}
	}
	r := s.Result()
	if r == nil || len(r.Items) == 0 || r.KeywordFound == 0 || r.Items[0].Title != "Coffee" || r.Items[0].ChunkText == "" {
		t.Fatalf("the answer is %+v", r)
	}
	if s.Difference() == nil || s.Pending() != "" {
		t.Errorf("pending %q, the difference is %+v", s.Pending(), s.Difference())
	}
}
