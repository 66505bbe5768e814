package postgres_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pgvector/pgvector-go"
	pgxvector "github.com/pgvector/pgvector-go/pgx"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

const (
	// benchSearchers is how many search at once, and have a connection each.
	benchSearchers = 16
	// retrieveBudget is a retrieval as a multiple of its statements.
	retrieveBudget = 1.25
	// missedBudget is the share of the nearest rows that a search without a scope
	// may miss.
	missedBudget = 0.05
	// fewest is how many queries are asked at least, however long they take.
	fewest = 20
	// limit is how many passages the system under study asks for, systemEf how widely
	// it searches for them.
	limit, systemEf = 60, 100
)

// BenchmarkPostgres measures the store on 100,000 passages of 384 dimensions and
// on 20,100 of 1536, which is just too many for a safe search to compare one by
// one.
func BenchmarkPostgres(b *testing.B) {
	for _, size := range []struct{ documents, dims int }{{1000, 384}, {201, 1536}} {
		c := newCorpus(b, benchDatabase(b), size.documents, size.dims, "vector")
		b.Run(fmt.Sprintf("%dx%d", c.children(), c.dims), func(b *testing.B) {
			b.Run("size", c.benchSize)
			b.Run("write", c.benchWrite)
			b.Run("retrieve", c.benchRetrieve)
			b.Run("hybrid", c.benchHybrid)
			b.Run("arms", c.benchArms)
			b.Run("index", c.benchIndex)
			for _, scope := range []struct {
				name  string
				every int
			}{{"50%", 2}, {"5%", 20}, {"0.1%", 1000}} {
				for _, policy := range []store.Policy{store.PolicySafe, store.PolicySystem} {
					b.Run("scope "+scope.name+" "+string(policy), func(b *testing.B) { c.benchScope(b, c.scope(scope.every), policy) })
				}
			}
			b.Run("concurrent", c.benchConcurrent)
		})
	}
}

// report prints a measurement beside its budget.
func report(b *testing.B, measured, budget float64) {
	b.Helper()
	b.ReportMetric(measured, "measured")
	b.ReportMetric(budget, "budget")
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func quantile(d []time.Duration, q float64) time.Duration {
	slices.Sort(d)
	return d[int(q*float64(len(d)-1))]
}

// benchWrite tells what writing the corpus took, beside copying rows as they are
// into a table without an index.
func (c *benchCorpus) benchWrite(b *testing.B) {
	const rows = 10_000
	pgtest.Exec(b, c.dsn, "CREATE TABLE copied (LIKE chunks)")
	defer pgtest.Exec(b, c.dsn, "DROP TABLE copied")
	conn := pgtest.Connect(b, c.dsn).PgConn()
	var data bytes.Buffer
	if _, err := conn.CopyTo(b.Context(), &data, fmt.Sprintf("COPY (SELECT * FROM chunks LIMIT %d) TO STDOUT (FORMAT binary)", rows)); err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := conn.CopyFrom(b.Context(), bytes.NewReader(data.Bytes()), "COPY copied FROM STDIN (FORMAT binary)"); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	written := float64(c.documents * benchSections * (1 + benchPassages))
	copied := rows / quantile(took, .5).Seconds()
	b.ReportMetric(copied, "copied-rows/s")
	b.ReportMetric(written/c.put.Seconds(), "put-rows/s")
	b.ReportMetric(float64(c.children())/c.build.Seconds(), "indexed-rows/s")
	b.ReportMetric(copied*c.put.Seconds()/written, "put/copy")
	b.ReportMetric(c.build.Seconds()/c.put.Seconds(), "build/put")
}

// BenchmarkPostgresSize tells how many bytes a passage takes, with its share of
// the sections: docs/operating.md computes the sizes of large corpora from it.
func BenchmarkPostgresSize(b *testing.B) {
	for _, kind := range []string{"vector", "halfvec"} {
		for _, dims := range []int{384, 768, 1536} {
			b.Run(fmt.Sprintf("%s(%d)", kind, dims), func(b *testing.B) {
				c := newCorpus(b, benchDatabase(b), 20, dims, kind)
				for b.Loop() {
					// What is measured is there.
				}
				c.reportSizes(b)
			})
		}
	}
}

// benchSize does so for the large corpora.
func (c *benchCorpus) benchSize(b *testing.B) {
	for b.Loop() {
		// What is measured is there.
	}
	c.reportSizes(b)
}

func (c *benchCorpus) reportSizes(b *testing.B) {
	b.Helper()
	for name, expression := range map[string]string{
		"heap":  "pg_relation_size(t.oid)",
		"toast": "pg_total_relation_size(t.reltoastrelid)",
		"hnsw":  "pg_relation_size('chunks_embedding_hnsw_idx')",
		"btree": "pg_indexes_size(t.oid) - pg_relation_size('chunks_embedding_hnsw_idx')",
		"words": "pg_total_relation_size('chunk_terms') + pg_total_relation_size('term_stats')",
	} {
		bytes := pgtest.Value[int64](b, c.dsn, "SELECT "+expression+" FROM pg_class t WHERE t.oid = 'chunks'::regclass")
		b.ReportMetric(float64(bytes)/float64(c.children()), name+"-B")
	}
}

// benchRetrieve compares a retrieval with its own statements, sent by hand.
func (c *benchCorpus) benchRetrieve(b *testing.B) {
	p, _ := param.Preset(param.PresetWebRAG)
	p.Mode = param.ModeChunk
	report(b, c.besideStatements(b, p), retrieveBudget)
}

// benchHybrid does so with a keyword arm, whose scores are made here and not by
// the server, so that there is more to do beside the statements.
func (c *benchCorpus) benchHybrid(b *testing.B) {
	p, _ := param.Preset(param.PresetHybrid)
	b.ReportMetric(c.besideStatements(b, p), "x-by-hand")
}

// benchArms compares searches of both arms at once with those of one after the
// other, and with the longer of the two alone.
func (c *benchCorpus) benchArms(b *testing.B) {
	both, one := c.open(b, nil), c.openWith(b, nil, 1)
	search := func(s *postgres.Store, spec store.Search) time.Duration {
		v, err := s.Read(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		defer v.Close()
		start := time.Now()
		if found, err := v.Search(b.Context(), spec); err != nil || found.KeywordErr != nil {
			b.Fatal(err, found.KeywordErr)
		}
		return time.Since(start)
	}
	var beside, after, vectors, words []time.Duration
	for n := 0; n < fewest || b.Loop(); n++ {
		spec := c.spec(n, store.Search{Terms: []string{fmt.Sprintf("w%d", n%40), fmt.Sprintf("w%d", 100+n), fmt.Sprintf("w%d", 700+n)}, KeywordRows: 60})
		near, worded := spec, spec
		near.Terms, worded.Vector = nil, nil
		took := [...]time.Duration{search(both, spec), search(one, spec), search(one, near), search(one, worded)}
		if n < 5 {
			continue // statements are prepared
		}
		beside, after = append(beside, took[0]), append(after, took[1])
		vectors, words = append(vectors, took[2]), append(words, took[3])
	}
	b.ReportMetric(milliseconds(quantile(beside, .5)), "ms-beside")
	b.ReportMetric(milliseconds(quantile(after, .5)), "ms-after")
	b.ReportMetric(milliseconds(quantile(vectors, .5)), "ms-vectors")
	b.ReportMetric(milliseconds(quantile(words, .5)), "ms-words")
	b.ReportMetric(float64(quantile(beside, .5))/float64(quantile(after, .5)), "x-after")
}

// besideStatements returns the time of retrievals as a multiple of that of their
// statements.
func (c *benchCorpus) besideStatements(b *testing.B, p param.Params) float64 {
	var sent recorder
	s, byHand := c.openWith(b, &sent, 1), c.connect(b)
	model := &given{id: "bench", dims: c.dims}
	deps := retrieval.Deps{Store: s, Embedder: model}
	retrieve := func(n int) {
		model.vector = c.query(n)
		r, err := retrieval.Retrieve(b.Context(), deps, retrieval.Query{Text: fmt.Sprintf("w%d w%d w%d", n%40, 100+n, 700+n)}, p, retrieval.Options{Trace: true, Explain: true})
		if err != nil || len(r.Items) == 0 {
			b.Fatal(len(r.Items), err)
		}
	}
	// What a connection does once: statements are prepared, tables are looked up.
	for n := range 5 {
		retrieve(n)
	}
	var whole, hand, alone []time.Duration
	var trips []trip
	for n := 0; n < fewest || b.Loop(); n++ {
		sent.take()
		start := time.Now()
		retrieve(n)
		took := time.Since(start)
		trips = sent.take()
		// The first time prepares what a scope or a list of ids has made another
		// statement.
		for first := n == 0; ; first = false {
			start = time.Now()
			if _, err := replay(b.Context(), byHand, trips); err != nil {
				b.Fatal(err)
			}
			if !first {
				break
			}
		}
		whole, hand = append(whole, took), append(hand, time.Since(start))
		start = time.Now()
		c.nearestByHand(b, byHand, model.vector)
		alone = append(alone, time.Since(start))
	}
	b.ReportMetric(float64(len(trips)), "trips")
	b.ReportMetric(float64(statements(trips)), "statements")
	b.ReportMetric(milliseconds(quantile(whole, .5)), "ms")
	b.ReportMetric(milliseconds(quantile(hand, .5)), "ms-by-hand")
	b.ReportMetric(milliseconds(quantile(alone, .5)), "ms-nearest")
	return float64(quantile(whole, .5)) / float64(quantile(hand, .5))
}

// connect returns a connection with the settings of one that searches.
func (c *benchCorpus) connect(b *testing.B) *pgx.Conn {
	b.Helper()
	config, err := pgxpool.ParseConfig(c.dsn)
	if err != nil {
		b.Fatal(err)
	}
	config.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_custom_plan"
	config.ConnConfig.RuntimeParams["random_page_cost"] = "1.1"
	conn, err := pgx.ConnectConfig(b.Context(), config.ConnConfig)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = conn.Close(context.Background()) })
	if err := pgxvector.RegisterTypes(b.Context(), conn); err != nil {
		b.Fatal(err)
	}
	return conn
}

// nearestByHand is what the system under study asks the index.
func (c *benchCorpus) nearestByHand(b *testing.B, conn *pgx.Conn, q []float32) {
	b.Helper()
	trips := []trip{
		{{sql: "BEGIN READ ONLY"}},
		{{sql: fmt.Sprintf("SET LOCAL hnsw.ef_search = %d", systemEf)}},
		{{sql: nearestSQL, args: []any{pgvector.NewVector(q), limit}}},
		{{sql: "ROLLBACK"}},
	}
	if n, err := replay(b.Context(), conn, trips); err != nil || n != limit {
		b.Fatal(n, err)
	}
}

const nearestSQL = `SELECT id, parent_id, document_id, embedding <=> $1 AS d FROM chunks
	WHERE chunk_level = 'child' AND embedding IS NOT NULL ORDER BY d LIMIT $2`

// benchIndex compares searches of the index with exact ones. Its ratio is the
// share of the nearest rows that the safe search misses.
func (c *benchCorpus) benchIndex(b *testing.B) {
	s := c.open(b, nil)
	var safe, system, exact tally
	for n := 0; n < fewest || b.Loop(); n++ {
		want := exact.search(b, s, c.spec(n, store.Search{Exact: true}), nil)
		safe.search(b, s, c.spec(n, store.Search{Policy: store.PolicySafe}), want)
		system.search(b, s, c.spec(n, store.Search{Policy: store.PolicySystem}), want)
	}
	b.ReportMetric(milliseconds(quantile(exact.took, .5)), "ms-exact")
	b.ReportMetric(milliseconds(quantile(safe.took, .5)), "ms-safe")
	b.ReportMetric(milliseconds(quantile(system.took, .5)), "ms-system")
	b.ReportMetric(safe.recall(), "recall-safe")
	b.ReportMetric(system.recall(), "recall-system")
	report(b, 1-safe.recall(), missedBudget)
}

// spec asks the n-th query for as much as the system under study does.
func (c *benchCorpus) spec(n int, s store.Search) store.Search {
	s.Vector, s.VectorRows, s.OwnRows, s.EfSearch = c.query(n), limit, limit, systemEf
	return s
}

// tally adds up searches of one kind.
type tally struct {
	took              []time.Duration
	found, hits, best int
	// unused is how many did not use the index though asked to say so.
	unused int
}

// search searches and compares with the ids that it should find.
func (t *tally) search(b testing.TB, s *postgres.Store, spec store.Search, want map[string]bool) map[string]bool {
	b.Helper()
	start := time.Now()
	view, err := s.Read(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer view.Close()
	found, err := view.Search(b.Context(), spec)
	if err != nil {
		b.Fatal(err)
	}
	t.took = append(t.took, time.Since(start))
	got := make(map[string]bool)
	for _, r := range found.Vector {
		if got[r.ID] = true; want[r.ID] {
			t.hits++
		}
	}
	if spec.Explain && found.Vectors.Used == "" {
		t.unused++
	}
	t.found += len(found.Vector)
	t.best += len(want)
	return got
}

func (t *tally) recall() float64 { return float64(t.hits) / float64(max(1, t.best)) }

// benchScope searches in a scope.
func (c *benchCorpus) benchScope(b *testing.B, scope store.Scope, policy store.Policy) {
	s := c.open(b, nil)
	var exact, index tally
	for n := 0; n < fewest || b.Loop(); n++ {
		want := exact.search(b, s, c.spec(n, store.Search{Exact: true, Scope: scope}), nil)
		index.search(b, s, c.spec(n, store.Search{Policy: policy, Scope: scope}), want)
	}
	b.ReportMetric(milliseconds(quantile(exact.took, .5)), "ms-exact")
	b.ReportMetric(milliseconds(quantile(index.took, .5)), "ms")
	b.ReportMetric(milliseconds(quantile(index.took, .99)), "ms-p99")
	b.ReportMetric(float64(index.found)/float64(len(index.took)), "rows")
	b.ReportMetric(index.recall(), "recall")
}

// benchConcurrent searches from several goroutines at once.
func (c *benchCorpus) benchConcurrent(b *testing.B) {
	s := c.open(b, nil)
	next := make(chan int)
	done := make(chan []time.Duration)
	for range benchSearchers {
		go func() {
			var mine tally
			for n := range next {
				mine.search(b, s, c.spec(n, store.Search{Policy: store.PolicySafe}), nil)
			}
			done <- mine.took
		}()
	}
	start := time.Now()
	n := 0
	for b.Loop() {
		next <- n
		n++
	}
	close(next)
	var took []time.Duration
	for range benchSearchers {
		took = append(took, <-done...)
	}
	b.ReportMetric(float64(n)/time.Since(start).Seconds(), "searches/s")
	b.ReportMetric(milliseconds(quantile(took, .5)), "ms-p50")
	b.ReportMetric(milliseconds(quantile(took, .99)), "ms-p99")
}
