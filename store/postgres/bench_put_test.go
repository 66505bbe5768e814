package postgres_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// putBudget is how much faster than Put the server may take the same rows as they
// are, into a table without an index, a key or a word of its own.
const putBudget = 4

// BenchmarkPostgresPut measures writing documents into a corpus, which checks them,
// indexes them by address, section and word, counts their words and follows their
// links, as a multiple of copying their chunks. Both take turns, so that whatever
// else the machine does slows both.
func BenchmarkPostgresPut(b *testing.B) {
	c, w := emptyCorpus(b, benchDatabase(b), 400, 384, "vector")
	pgtest.Exec(b, c.dsn, "CREATE TABLE copied (LIKE chunks)")
	conn := pgtest.Connect(b, c.dsn).PgConn()
	var copied time.Duration
	for b.Loop() {
		c.put, copied = 0, 0
		c.fill(b, w, func(bundles []store.Bundle) {
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
	if n := pgtest.Value[float64](b, c.dsn, "SELECT count(*)::float8 FROM copied"); n != rows*float64(b.N) {
		b.Fatalf("%v rows are copied, want %v", n, rows)
	}
	b.ReportMetric(rows/copied.Seconds(), "copied-rows/s")
	b.ReportMetric(rows/c.put.Seconds(), "put-rows/s")
	report(b, c.put.Seconds()/copied.Seconds(), putBudget)
}
