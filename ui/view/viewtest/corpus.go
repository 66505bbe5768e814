package viewtest

import (
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// Corpus is a corpus of some pages, their texts by the names of their files.
func Corpus(t testing.TB, pages map[string]string) *session.Corpus {
	t.Helper()
	ctx, emb := t.Context(), embedder.NewBuiltin()
	tok, err := embedder.NewTokenizer(emb.Info().Tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "pages.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for name, text := range pages {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	set, err := source.ScanFS(ctx, files, "pages", source.Options{})
	if err == nil {
		_, err = indexing.Run(ctx, st, set.All(ctx), indexing.Options{Embedder: emb, Tokenizer: tok})
	}
	if err != nil {
		t.Fatal(err)
	}
	c := session.NewCorpus(retrieval.Deps{Store: st, Embedder: emb, Now: func() time.Time { return time.Unix(0, 0) }})
	t.Cleanup(func() { _ = c.Close() })
	return c
}
