package pgtest_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const extensions = "SELECT count(*) FROM pg_extension WHERE extname = 'vector'"

func TestADatabaseIsFreshAndHasVectors(t *testing.T) {
	first, second := pgtest.Database(t), pgtest.Database(t)
	pgtest.Exec(t, first, "CREATE TABLE only_here (v vector(2)); INSERT INTO only_here VALUES ('[3,4]')")
	// The angle between (3,4) and (4,3) has the cosine 24/25.
	if d := pgtest.Value[float64](t, first, "SELECT v <=> $1::vector FROM only_here", "[4,3]"); d < 0.039 || d > 0.041 {
		t.Errorf("distance %v, want 1 - 24/25", d)
	}
	if n := pgtest.Value[int](t, second, "SELECT count(*) FROM pg_tables WHERE tablename = 'only_here'"); n != 0 {
		t.Error("a table of another test's database is there")
	}
}

func TestAnEmptyDatabaseHasNoVectors(t *testing.T) {
	if n := pgtest.Value[int](t, pgtest.EmptyDatabase(t), extensions); n != 0 {
		t.Error("the extension is there")
	}
	if n := pgtest.Value[int](t, pgtest.Database(t), extensions); n != 1 {
		t.Error("the extension is not there")
	}
}

func TestADatabaseIsDroppedWithItsConnections(t *testing.T) {
	var name string
	var left *pgconn.PgConn
	other := pgtest.Database(t)
	t.Run("test", func(t *testing.T) {
		dsn := pgtest.Database(t)
		name = pgtest.Value[string](t, dsn, "SELECT current_database()")
		conn, err := pgconn.Connect(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		left = conn
	})
	if n := pgtest.Value[int](t, other, "SELECT count(*) FROM pg_database WHERE datname = $1", name); n != 0 {
		t.Errorf("database %s is still there after its test", name)
	}
	if err := left.Ping(t.Context()); err == nil {
		t.Error("a connection to a database that was dropped is open")
	}
}
