// Package judged asks the judged questions of real documentation and measures the
// answers. Its pages are those that "make corpora" fetches.
package judged

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// Corpus is the documentation of one package.
type Corpus struct {
	Name string
	// Folders are indexed together, each as "webrag-tui index FOLDER" does, below
	// the folder of all packages.
	Folders []string
}

// Corpora are the corpora that questions are asked of. They are of unlike
// character: manual pages, prose with a library reference, a guide with generated
// pages of an API, and a book of essays with one of a C interface and indexes of
// everything.
func Corpora() []Corpus {
	const (
		python  = "python3.11-doc/usr/share/doc/python3.11/html/"
		sklearn = "python-sklearn-doc/usr/share/doc/python-sklearn-doc/html/"
	)
	return []Corpus{
		{"git", []string{"git-doc/usr/share/doc/git-doc"}},
		{"python", []string{python + "library", python + "tutorial", python + "howto", python + "faq"}},
		{"sklearn", []string{sklearn + "modules"}},
		{"sqlite", []string{"sqlite3-doc/usr/share/doc/sqlite3"}},
	}
}

// Library is one corpus, indexed with the built-in embedder.
type Library struct {
	Corpus
	Deps  retrieval.Deps
	store *sqlite.Store
}

// Close closes the corpus.
func (l *Library) Close() error { return l.store.Close() }

// Open indexes the pages below root into the folder cache, or opens what an
// earlier call left there, if schema and pipeline were the same. A change of the
// pages, or of the program where neither version was raised, goes unnoticed; rebuild
// indexes in any case.
func Open(ctx context.Context, c Corpus, root, cache string, rebuild bool) (*Library, error) {
	mark, err := fingerprint(ctx, cache)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(cache, c.Name+"-"+mark+".db")
	if _, err := os.Stat(path); rebuild || err != nil {
		if err := c.index(ctx, root, path); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	st, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	return &Library{Corpus: c, Deps: retrieval.Deps{Store: st, Embedder: embedder.NewBuiltin()}, store: st}, nil
}

// index writes the corpus to path. The file has that name only when it is
// complete; those of other versions go.
func (c *Corpus) index(ctx context.Context, root, path string) (err error) {
	var folders []string
	for _, f := range c.Folders {
		folders = append(folders, filepath.Join(root, filepath.FromSlash(f)))
	}
	set, err := source.Scan(ctx, folders, source.Options{})
	if err != nil {
		return fmt.Errorf("%w; make corpora fetches the pages", err)
	}
	temp, err := os.MkdirTemp(filepath.Dir(path), "unfinished")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	unfinished := filepath.Join(temp, "corpus.db")
	if _, err := indexInto(ctx, unfinished, set); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(filepath.Dir(path), c.Name+"-*"))
	if err != nil {
		return err
	}
	for _, f := range old {
		if err := os.Remove(f); err != nil {
			return err
		}
	}
	return os.Rename(unfinished, path)
}

// indexInto indexes pages, of which there must be some, into a new file.
func indexInto(ctx context.Context, path string, set *source.Set) (store.Meta, error) {
	st, report, err := Index(ctx, path, set)
	if err != nil {
		return store.Meta{}, err
	}
	if report.Added == 0 {
		err = errors.New("no page was indexed")
	}
	return st.Info().Meta, errors.Join(err, st.Close())
}

// Index indexes pages with the built-in embedder into a new file, as the program
// does, and leaves it open.
func Index(ctx context.Context, path string, set *source.Set) (*sqlite.Store, indexing.Report, error) {
	st, err := sqlite.Open(ctx, path, sqlite.Options{Create: true})
	if err != nil {
		return nil, indexing.Report{}, err
	}
	emb := embedder.NewBuiltin()
	tok, err := embedder.NewTokenizer(emb.Info().Tokenizer)
	if err != nil {
		return nil, indexing.Report{}, errors.Join(err, st.Close())
	}
	report, err := indexing.Run(ctx, st, set.All(ctx), indexing.Options{Embedder: emb, Tokenizer: tok})
	if err != nil {
		return nil, report, errors.Join(err, st.Close())
	}
	return st, report, nil
}

// fingerprint names what a corpus would be made with now, as a short hash: the
// schema, the pipeline, the embedder. A corpus of one page tells.
func fingerprint(ctx context.Context, cache string) (_ string, err error) {
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	temp, err := os.MkdirTemp(cache, "fingerprint")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	page := filepath.Join(temp, "page.md")
	if err := os.WriteFile(page, []byte("# One page\n\nIt has one sentence.\n"), 0o600); err != nil {
		return "", err
	}
	set, err := source.Scan(ctx, []string{page}, source.Options{})
	if err != nil {
		return "", err
	}
	meta, err := indexInto(ctx, filepath.Join(temp, "page.db"), set)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s", meta.SchemaVersion, meta.Fingerprint, meta.EmbedderID))
	return hex.EncodeToString(sum[:6]), nil
}
