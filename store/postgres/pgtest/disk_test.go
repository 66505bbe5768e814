package pgtest_test

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

func TestADiskIsFullAndThenIsNot(t *testing.T) {
	server := pgtest.Private(t)
	dsn := server.Database(t)
	conn := pgtest.Connect(t, dsn)
	run := func(sql string) string {
		var answer *pgconn.PgError
		_, err := conn.Exec(t.Context(), sql)
		if errors.As(err, &answer) {
			return answer.Code
		}
		if err != nil {
			t.Fatal(err)
		}
		return ""
	}
	const long = "(SELECT array_agg(i) FROM generate_series(1, 1000) i)::vector"
	run("CREATE TABLE kept (n int, v vector); CREATE TABLE bare (n int)")
	run("INSERT INTO kept VALUES (1, '[1]')")

	free := server.FillDisk(t, dsn, "kept")
	freeBare := server.FillDisk(t, dsn, "bare")
	for name, sql := range map[string]string{
		"a long value": "INSERT INTO kept SELECT 2, " + long,
		"a row":        "INSERT INTO bare VALUES (1)",
		"many pages":   "INSERT INTO bare SELECT generate_series(1, 100000)",
	} {
		if got := run(sql); got != "53100" {
			t.Errorf("%s for which there is no space is answered with %q, want 53100", name, got)
		}
	}
	if got := run("INSERT INTO kept VALUES (4, '[4]')"); got != "" {
		t.Errorf("a row for which there is space is answered with %q", got)
	}
	free()
	freeBare()
	for _, sql := range []string{"INSERT INTO kept SELECT 8, " + long, "INSERT INTO bare VALUES (1)"} {
		if got := run(sql); got != "" {
			t.Errorf("%s: with space again it is answered with %q", sql, got)
		}
	}
	if n := pgtest.Value[int](t, dsn, "SELECT sum(n) FROM kept"); n != 1+4+8 {
		t.Errorf("the rows sum up to %d, want 13", n)
	}
}
