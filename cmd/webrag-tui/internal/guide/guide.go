// Package guide opens the guide that the program brings: its pages as a corpus, and its
// judged questions as a query set.
package guide

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/webrag/webrag-tui/docs"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// Guide is the bundled guide for one run of the program.
type Guide struct {
	// Path is the file of its corpus, Temp how the folder begins that is made where that
	// file cannot be written.
	Path, Temp string

	mu     sync.Mutex // the explorer opens it in the background
	closed bool
	// dir is the folder of a guide that is made for this run only, else "".
	dir string
}

// Open indexes the bundled guide, which writes nothing when it is unchanged, and
// opens it. Another running demo holds the writer's lock for a moment only, and
// then the guide is up to date already.
func (g *Guide) Open(ctx context.Context, emb embedder.Embedder) (store.Store, error) {
	st, err := openAt(ctx, g.Path, emb)
	if err == nil || ctx.Err() != nil {
		return st, err
	}
	// The cache folder cannot be written or holds something else: the guide is
	// small enough to be made anew.
	dir, tempErr := g.tempDir()
	if tempErr != nil {
		return nil, errors.Join(err, tempErr)
	}
	return openAt(ctx, filepath.Join(dir, "guide.db"), emb)
}

func (g *Guide) tempDir() (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return "", context.Canceled
	}
	if g.dir != "" {
		return g.dir, nil
	}
	dir, err := os.MkdirTemp("", g.Temp)
	g.dir = dir
	return dir, err
}

// Close removes what was made for this run only.
func (g *Guide) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	if g.dir != "" {
		os.RemoveAll(g.dir)
	}
}

func openAt(ctx context.Context, path string, emb embedder.Embedder) (store.Store, error) {
	tok, err := embedder.NewTokenizer(emb.Info().Tokenizer)
	if err != nil {
		return nil, fmt.Errorf("open the guide: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("make the guide's folder: %w", err)
	}
	st, err := sqlite.Open(ctx, path, sqlite.Options{Create: true})
	if err != nil {
		return nil, fmt.Errorf("open the guide: %w", err)
	}
	pages, err := fs.Sub(docs.Guide, "guide")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read the guide: %w", err), st.Close())
	}
	set, err := source.ScanFS(ctx, pages, "guide", source.Options{})
	if err == nil {
		_, err = indexing.Run(ctx, st, set.All(ctx), indexing.Options{Embedder: emb, Tokenizer: tok, Prune: set.Roots()})
	}
	if err != nil && !errors.Is(err, store.ErrLocked) {
		st.Close()
		return nil, fmt.Errorf("index the guide: %w", err)
	}
	return st, nil
}

// Set makes a copy of the judged questions on the guide in a folder of query sets, to which
// one's own judgments can be added. One that is there already is brought up to the present
// guide, see [judgment.Renew]; where that fails, the error comes with there, and the copy is
// as it was.
func Set(ctx context.Context, sets, name string) (there bool, err error) {
	judged, err := fs.Sub(docs.Judged, "judged")
	if err != nil {
		return false, fmt.Errorf("read the guide's questions: %w", err)
	}
	err = judgment.Copy(judged, sets, name)
	if errors.Is(err, judgment.ErrSetExists) {
		return true, judgment.Renew(ctx, judged, sets, name)
	}
	if err != nil {
		return false, fmt.Errorf("make the guide's query set: %w", err)
	}
	return true, nil
}
