package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres"
	"github.com/webrag/webrag-tui/store/postgres/internal/db"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
	"github.com/webrag/webrag-tui/testdata/anisotropic"
)

// The documents of the benchmarks have 20 sections with 5 passages of 60 words.
// The words are Zipf-distributed, so that w0 is in nearly every passage.
const (
	benchSections = 20
	benchPassages = 5 // of each section
	benchWords    = 60
	// benchSpread is how many documents share a topic.
	benchSpread = 4
	// benchBatch is how many documents are given to the writer at once: as many as
	// one transaction takes.
	benchBatch = 64
)

// benchCorpus is a corpus on a server with memory enough for it, and what writing
// it took.
type benchCorpus struct {
	dsn             string
	documents, dims int
	space           *anisotropic.Space
	terms           store.Analyzer
	// put and build are how long Put took for all documents, and Finish for the
	// index of the vectors.
	put, build time.Duration
}

// newCorpus writes a corpus of so many documents into an empty database, with
// vectors of a kind.
func newCorpus(b testing.TB, dsn string, documents, dims int, kind string) *benchCorpus {
	b.Helper()
	c, w := emptyCorpus(b, dsn, documents, dims, kind)
	c.fill(b, w, benchBatch, func([]store.Bundle) {})
	start := time.Now()
	if err := w.(store.Finisher).Finish(context.Background(), nil); err != nil {
		b.Fatal(err)
	}
	c.build = time.Since(start)
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	// What autovacuum would do in the midst of what is measured.
	pgtest.Exec(b, c.dsn, "VACUUM (ANALYZE)")
	return c
}

// emptyCorpus makes the tables for a corpus, and opens its writer.
func emptyCorpus(b testing.TB, dsn string, documents, dims int, kind string) (*benchCorpus, store.Writer) {
	b.Helper()
	c := &benchCorpus{documents: documents, dims: dims, dsn: dsn}
	c.space = anisotropic.NewSpace(11, max(1, documents/benchSpread), dims)
	ctx := context.Background()
	if _, err := postgres.Migrate(ctx, c.dsn, postgres.MigrateOptions{VectorType: kind}); err != nil {
		b.Fatal(err)
	}
	w, err := c.open(b, nil).Write(ctx)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = w.Close() })
	if err := w.SetMeta(ctx, store.Meta{EmbedderID: "bench", Dimensions: dims}); err != nil {
		b.Fatal(err)
	}
	return c, w
}

// fill writes the documents, so many at once, and adds up the time.
func (c *benchCorpus) fill(b testing.TB, w store.Writer, atOnce int, written func([]store.Bundle)) {
	b.Helper()
	words := rand.NewZipf(rand.New(rand.NewPCG(1, 2)), 1.1, 3, 50_000)
	var bundles []store.Bundle
	for n := range c.documents {
		bundles = append(bundles, c.document(words, n))
		if len(bundles) < atOnce && n+1 < c.documents {
			continue
		}
		start := time.Now()
		if _, err := w.(store.BatchPutter).PutAll(context.Background(), bundles); err != nil {
			b.Fatal(err)
		}
		c.put += time.Since(start)
		written(bundles)
		bundles = bundles[:0]
	}
}

// benchDatabase returns an empty database: on the server that the environment
// names, to learn how that does, else on one of our own.
func benchDatabase(b *testing.B) string {
	b.Helper()
	if os.Getenv(pgtest.EnvDSN) != "" {
		return pgtest.Database(b)
	}
	return pgtest.Private(b, pgtest.Conf("shared_buffers", "1GB"), pgtest.Conf("max_wal_size", "8GB")).Database(b)
}

// open opens the corpus; tracer may be nil.
func (c *benchCorpus) open(b testing.TB, tracer pgx.QueryTracer) *postgres.Store {
	b.Helper()
	return c.openWith(b, tracer, benchSearchers)
}

// openWith opens the corpus with so many connections: with one the arms of a search
// run one after the other.
func (c *benchCorpus) openWith(b testing.TB, tracer pgx.QueryTracer, conns int) *postgres.Store {
	b.Helper()
	return open(b, c.dsn, postgres.Options{Create: true, Conn: db.Options{Tracer: tracer, SearchConns: conns}})
}

func (c *benchCorpus) children() int { return c.documents * benchSections * benchPassages }

func benchURL(n int) string { return fmt.Sprintf("https://docs.example.org/guide/page-%d.html", n) }

// document is the n-th document. Neighbours are of one topic.
func (c *benchCorpus) document(words *rand.Zipf, n int) store.Bundle {
	url := benchURL(n)
	id := func(name string) string { return uuid.NewSHA1(uuid.NameSpaceURL, []byte(url+name)).String() }
	d := store.Document{
		ID: id(""), URL: url, SourceURL: url, Title: fmt.Sprintf("The title of page %d", n), Depth: n % 4,
		FetchedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), CurrentIngestionID: id("ingestion"),
	}
	bundle := store.Bundle{Document: d}
	for p := range benchSections {
		heading := fmt.Sprintf("Section %d of page %d", p, n)
		section := store.Chunk{
			ID: id(fmt.Sprint("p", p)), DocumentID: d.ID, Level: store.Parent, Index: p,
			SectionHeading: heading, HeadingPath: []string{d.Title, heading}, Anchor: fmt.Sprintf("section-%d", p),
			CharEnd: 2000, TokenEnd: 400,
		}
		var text strings.Builder
		var passages []store.Chunk
		for k := range benchPassages {
			own := make([]string, benchWords)
			for i := range own {
				own[i] = fmt.Sprintf("w%d", words.Uint64())
			}
			passage := section
			passage.ID, passage.ParentID, passage.Level, passage.Index = id(fmt.Sprint("c", p, " ", k)), section.ID, store.Child, k
			passage.ChunkText = strings.Join(own, " ")
			passage.Terms = passage.ChunkText
			passage.Title = d.Title
			c.terms.Name(&passage)
			passage.EmbedHash = strings.ReplaceAll(passage.ID+section.ID, "-", "")
			passage.Embedding = c.space.Vector(n/benchSpread%c.space.Topics(), uint64(n*1000+p*benchPassages+k)) //nolint:gosec // small
			text.WriteString(passage.ChunkText + " ")
			passages = append(passages, passage)
		}
		section.ChunkText = text.String()
		bundle.Chunks = append(append(bundle.Chunks, section), passages...)
	}
	return bundle
}

// query is the vector of the n-th query, about one of the topics.
func (c *benchCorpus) query(n int) []float32 {
	return c.space.Vector(n*7%c.space.Topics(), uint64(1e9+n)) //nolint:gosec // small
}

// scope holds every n-th document.
func (c *benchCorpus) scope(n int) store.Scope {
	var s store.Scope
	for i := 0; i < c.documents; i += n {
		s.SourceURLs = append(s.SourceURLs, benchURL(i))
	}
	return s
}

// given is an embedder to which every text has the vector that it was given.
type given struct {
	id     string
	dims   int
	vector []float32
}

func (g *given) Info() embedder.Info { return embedder.Info{ID: g.id, Dims: g.dims} }

func (g *given) EmbedOne(context.Context, string, embedder.Role) ([]float32, error) {
	return g.vector, nil
}

func (g *given) EmbedMany(context.Context, []string, embedder.Role) ([][]float32, error) {
	return nil, errors.New("retrieval embeds one text")
}
