package postgres_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

const (
	// putBudget is how much faster than Put the server may take the same rows as they
	// are, into a table without an index, a key or a word of its own.
	putBudget = 4
	// indexedBatch is how many of these documents have the texts that indexing embeds
	// in one go, and then gives to the writer.
	indexedBatch = 11
)

// BenchmarkPostgresPut measures writing documents into a corpus, which checks them,
// indexes them by address, section and word, counts their words and follows their
// links, as a multiple of copying their chunks. Both take turns, so that whatever
// else the machine does slows both. Full batches have the budget; what indexing hands
// over of such long documents is a smaller one, in which fewer words are counted once
// for several passages.
func BenchmarkPostgresPut(b *testing.B) {
	b.Run("full", func(b *testing.B) { report(b, benchPut(b, benchBatch), putBudget) })
	b.Run("indexed", func(b *testing.B) { b.ReportMetric(benchPut(b, indexedBatch), "x-copied") })
}

// benchPut writes documents, so many at once, and returns how many times as long as
// copying that takes.
func benchPut(b *testing.B, atOnce int) float64 {
	b.Helper()
	c, w := emptyCorpus(b, benchDatabase(b), 4*benchBatch, 384, "vector")
	pgtest.Exec(b, c.dsn, "CREATE TABLE copied (LIKE chunks)")
	conn := pgtest.Connect(b, c.dsn).PgConn()
	var copied time.Duration
	for range b.N {
		// The first time writes the corpus, the next ones find it as it is.
		if copied > 0 {
			break
		}
		c.fill(b, w, atOnce, func(bundles []store.Bundle) {
			ids := make([]string, len(bundles))
			for i := range bundles {
				ids[i] = "'" + bundles[i].Document.ID + "'"
			}
			var rows bytes.Buffer
			of := "COPY (SELECT * FROM chunks WHERE document_id IN (" + strings.Join(ids, ", ") + ")) TO STDOUT (FORMAT binary)"
			if _, err := conn.CopyTo(b.Context(), &rows, of); err != nil {
				b.Fatal(err)
			}
			start := time.Now()
			if _, err := conn.CopyFrom(b.Context(), &rows, "COPY copied FROM STDIN (FORMAT binary)"); err != nil {
				b.Fatal(err)
			}
			copied += time.Since(start)
		})
	}
	rows := float64(c.documents * benchSections * (1 + benchPassages))
	if n := pgtest.Value[float64](b, c.dsn, "SELECT count(*)::float8 FROM copied"); n != rows {
		b.Fatalf("%v rows are copied, want %v", n, rows)
	}
	b.ReportMetric(rows/copied.Seconds(), "copied-rows/s")
	b.ReportMetric(rows/c.put.Seconds(), "put-rows/s")
	return c.put.Seconds() / copied.Seconds()
}
