package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/store/postgres/internal/db"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
	"github.com/webrag/webrag-tui/store/storetest"
)

// Whatever happens to pages, the counts are what counting anew gives, and no word
// stays that no page has.
func TestCountsOfTermsAreThoseOfACount(t *testing.T) {
	dsn := pgtest.Database(t)
	_, w := writing(t, dsn, Options{})
	setDims(t, w, 3)
	conn := pgtest.Connect(t, dsn)
	rapid.Check(t, func(rt *rapid.T) {
		for range rapid.IntRange(1, 8).Draw(rt, "changes") {
			url := rapid.SampledFrom([]string{"https://example.org/a", "https://example.org/b"}).Draw(rt, "page")
			var err error
			switch id := storetest.ID(url); rapid.IntRange(0, 6).Draw(rt, "change") {
			case 0:
				_, err = w.Delete(t.Context(), id)
			case 1:
				_, err = w.SoftDelete(t.Context(), id)
			case 2:
				_, err = w.Restore(t.Context(), id)
			default:
				texts := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"red red", "red blue", "green", "blue green", "of", "x'y\\z"}), 1, 4, rapid.ID).Draw(rt, "texts")
				b := leaf(url, 3, texts...)
				b.Document.Owner = rapid.SampledFrom([]string{"", "ann"}).Draw(rt, "owner")
				b.Document.Title = fmt.Sprint(rapid.IntRange(0, 2).Draw(rt, "title"))
				_, err = w.Put(t.Context(), b)
			}
			if err != nil {
				rt.Fatal(err)
			}
			var wrong []string
			if err := conn.QueryRow(context.Background(), contradictions).Scan(&wrong); err != nil || len(wrong) > 0 {
				rt.Fatalf("the corpus contradicts itself: %q, %v", wrong, err)
			}
		}
	})
}

// statements are those that were sent.
type statements struct{ sent []string }

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	s.sent = append(s.sent, q.SQL)
	return ctx
}

func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (s *statements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (s *statements) TraceBatchQuery(_ context.Context, _ *pgx.Conn, q pgx.TraceBatchQueryData) {
	s.sent = append(s.sent, q.SQL)
}

func (s *statements) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// A cluster refuses a change of the table that is copied to all servers by a
// statement that names one of those spread over them. Words that stay are not
// written again.
func TestCountsAreWrittenByStatementsOfTheirOwn(t *testing.T) {
	dsn := pgtest.Database(t)
	var trace statements
	_, w := writing(t, dsn, Options{Conn: db.Options{Tracer: &trace}})
	setDims(t, w, 3)
	b := leaf("https://example.org/a", 3, "stays", "goes")
	mustPut(t, w, b, true)
	version := `SELECT xmin::text FROM term_stats WHERE term = 'stay'`
	before := pgtest.Value[string](t, dsn, version)
	mustPut(t, w, leaf("https://example.org/a", 3, "stays", "comes"), true)
	if after := pgtest.Value[string](t, dsn, version); after != before {
		t.Error("the count of a word that stays was written again")
	}
	if n, err := w.SoftDelete(t.Context(), b.Document.ID); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	seen := 0
	for _, sql := range trace.sent {
		if !strings.Contains(sql, "term_stats") {
			continue
		}
		seen++
		if slices.ContainsFunc(ownTables(), func(table string) bool {
			return table != "term_stats" && strings.Contains(sql, "."+table)
		}) {
			t.Errorf("other tables are in\n%s", sql)
		}
	}
	if seen < 5 {
		t.Errorf("%d statements change the counts", seen)
	}
}
