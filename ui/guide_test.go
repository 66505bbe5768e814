package ui

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/docs"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store/sqlite"
	"github.com/webrag/webrag-tui/ui/surface"
)

// guideFile is the guide, indexed once for all tests of the package.
var guideFile = sync.OnceValues(func() ([]byte, error) {
	pages, err := fs.Sub(docs.Guide, "guide")
	if err != nil {
		return nil, err
	}
	return indexed(pages, "guide")
})

// indexed is a corpus of pages in a folder of a name.
func indexed(pages fs.FS, name string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "guide")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	ctx, emb := context.Background(), embedder.NewBuiltin()
	tok, err := embedder.NewTokenizer(emb.Info().Tokenizer)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "guide.db")
	st, err := sqlite.Open(ctx, path, sqlite.Options{Create: true})
	if err != nil {
		return nil, err
	}
	set, err := source.ScanFS(ctx, pages, name, source.Options{})
	if err != nil {
		return nil, err
	}
	if _, err := indexing.Run(ctx, st, set.All(ctx), indexing.Options{Embedder: emb, Tokenizer: tok}); err != nil {
		return nil, err
	}
	if err := st.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// guideThreshold is under the size of the guide, so that it is searched.
const guideThreshold = 4000

// onGuide changes options to the bundled guide in a real store: for whatever
// needs evidence that ranks. It starts from a preset.
func onGuide(t testing.TB, preset, query string) func(*Options, *fakeCorpus) {
	t.Helper()
	file, err := guideFile()
	if err != nil {
		t.Fatal(err)
	}
	return onFile(t, file, preset, query)
}

// onFile changes options to a corpus, and starts from a preset.
func onFile(t testing.TB, file []byte, preset, query string) func(*Options, *fakeCorpus) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "guide.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	p, ok := param.Preset(preset)
	if !ok {
		t.Fatalf("no preset %s", preset)
	}
	p.FullContextThreshold = guideThreshold
	return func(o *Options, _ *fakeCorpus) {
		o.Query, o.Preset, o.Params = query, preset, p
		o.HTMLToMarkdown = surface.Markdown
		o.Open = openFile(t, path)
	}
}

// openFile opens a corpus of the guide's embedder.
func openFile(t testing.TB, path string) func(context.Context) (*session.Corpus, error) {
	return func(ctx context.Context) (*session.Corpus, error) {
		st, err := sqlite.Open(ctx, path, sqlite.Options{})
		if err != nil {
			return nil, err
		}
		t.Cleanup(func() { _ = st.Close() })
		// The clock stands still: screens show how long a search took.
		noon := func() time.Time { return time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC) }
		deps := retrieval.Deps{Store: st, Embedder: embedder.NewBuiltin(), Now: noon}
		c := session.NewCorpus(deps)
		if s, ok := ctx.Value(servantKey{}).(*servant); ok {
			deps.Embedder = s
			c.Cosines = session.NewCorpus(deps).Cosines
		}
		c.Name = "guide"
		return c, nil
	}
}

// openGuide drives the explorer on the guide.
func openGuide(t testing.TB, w, h int, preset, query, keys string) *driver {
	t.Helper()
	return drive(t, 1, w, h, onGuide(t, preset, query), keys)
}
