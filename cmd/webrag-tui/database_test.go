package main

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// TestDatabaseScripts uses the program with a database, a fresh one for each
// script, whose address is in $DSN.
func TestDatabaseScripts(t *testing.T) {
	repository, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Files: scripts(t, "database"),
		Setup: func(e *testscript.Env) error {
			t, ok := e.T().(testing.TB)
			if !ok {
				return os.ErrInvalid
			}
			home := filepath.Join(e.WorkDir, "home")
			for _, name := range []string{"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"} {
				e.Setenv(name, home)
			}
			e.Setenv("REPOSITORY", repository)
			dsn := pgtest.EmptyDatabase(t)
			e.Setenv("DSN", dsn)
			e.Setenv("DATABASE", databaseName(t, dsn))
			return os.MkdirAll(home, 0o755)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"sql":    sqlCommand,
			"webrag": webragCommand,
			"embeds": embedsCommand,
			"with":   withCommand,
		},
		RequireExplicitExec: true,
	})
}

func databaseName(t testing.TB, dsn string) string {
	t.Helper()
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal("the address of the test's database cannot be read")
	}
	return config.Database
}

// sqlCommand runs statements in the script's database: sql STATEMENT...
func sqlCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: sql STATEMENT...")
	}
	onDatabase(ts, func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, strings.Join(args, ";"))
		return err
	})
}

// webragCommand makes the database one of a WebRAG indexer, with its links and
// with pages.
func webragCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: webrag")
	}
	fixtures := filepath.Join(ts.Getenv("REPOSITORY"), "store", "postgres", "internal", "webragtest")
	statements := []string{"CREATE EXTENSION vector"}
	for _, name := range []string{"schemas/plain.sql", "schemas/links.sql", "corpus/pages.sql", "corpus/links.sql"} {
		statements = append(statements, ts.ReadFile(filepath.Join(fixtures, filepath.FromSlash(name))))
	}
	sqlCommand(ts, false, statements)
}

// embedsCommand starts an embedding server and has the program use it: embeds
// DIMENSIONS [TABLE TEXT]. It answers the texts of a table of the script's database
// with their vectors, if they are as long, and others with some vector.
func embedsCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 && len(args) != 3 {
		ts.Fatalf("usage: embeds DIMENSIONS [TABLE TEXT]")
	}
	table, column := "chunks", "chunk_text"
	if len(args) == 3 {
		table, column = args[1], args[2]
	}
	var dims int
	ts.Check(json.Unmarshal([]byte(args[0]), &dims))
	known := map[string][]float64{}
	onDatabase(ts, func(ctx context.Context, conn *pgx.Conn) error {
		rows, err := conn.Query(ctx, "SELECT "+column+", embedding::text FROM "+table+" WHERE embedding IS NOT NULL")
		if err != nil {
			return err
		}
		var text, vector string
		_, err = pgx.ForEachRow(rows, []any{&text, &vector}, func() error {
			var v []float64
			if err := json.Unmarshal([]byte(vector), &v); err != nil || len(v) != dims {
				return err
			}
			known[text] = v
			return nil
		})
		return err
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			Input []string `json:"input"`
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		type item struct {
			Index     int       `json:"index"`
			Embedding []float64 `json:"embedding"`
		}
		var data []item
		for i, text := range request.Input {
			v, ok := known[text]
			if !ok {
				v = someVector(text, dims)
			}
			data = append(data, item{i, v})
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	ts.Defer(server.Close)
	ts.Setenv("EMBEDDING_BASE_URL", server.URL+"/v1")
	ts.Setenv("EMBEDDING_MODEL", "model-of-the-test")
}

// someVector is a vector of a text, far from those of most others.
func someVector(text string, dims int) []float64 {
	v := make([]float64, dims)
	hash := fnv.New64a()
	for i := range v {
		_, _ = hash.Write([]byte(text))
		v[i] = float64(hash.Sum64()%1000)/500 - 1
	}
	return v
}

// withCommand sets a variable to the address of the database with a part of it
// exchanged: with NAME user=U|password=P|host=H|database=D...
func withCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: with NAME PART=VALUE...")
	}
	u, err := url.Parse(ts.Getenv("DSN"))
	ts.Check(err)
	for _, part := range args[1:] {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "user":
			u.User = url.User(value)
		case "password":
			u.User = url.UserPassword(u.User.Username(), value)
		case "host":
			u.Host = value
		case "database":
			u.Path = "/" + value
		case "scheme":
			u.Scheme = value
		default:
			ts.Fatalf("there is no part %q", name)
		}
	}
	ts.Setenv(args[0], u.String())
}

func onDatabase(ts *testscript.TestScript, do func(ctx context.Context, conn *pgx.Conn) error) {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, ts.Getenv("DSN"))
	ts.Check(err)
	defer func() { _ = conn.Close(ctx) }()
	ts.Check(do(ctx, conn))
}

// A wrong password is no reason to try again, and is not repeated.
func TestAWrongPassword(t *testing.T) {
	t.Parallel()
	server := pgtest.Private(t, pgtest.Password("right-4711"))
	u, err := url.Parse(server.DSN())
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(u.User.Username(), "wrong-4712")
	for _, args := range [][]string{{"query", "tree"}, {"doctor"}, {"migrate"}, {"docs", "list"}} {
		code, stdout, stderr := commandLine(t, nil, append(args, "--corpus", u.String())...)
		said := stdout + stderr
		want := exitUsage
		if args[0] == "doctor" {
			want = exitNothing
		}
		if code != want || !strings.Contains(said, "password") || strings.Contains(said, "-471") {
			t.Errorf("%s: exit code %d: %s", args[0], code, said)
		}
	}
}
