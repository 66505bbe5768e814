package main

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/webrag/webrag-tui/store/postgres/pgtest"
	"github.com/webrag/webrag-tui/testdata/hostile"
)

// tamed runs a command, plain and as JSON, and holds what it says. It returns all of
// that.
func tamed(t *testing.T, environ []string, args ...string) string {
	t.Helper()
	said := ""
	for _, more := range [][]string{nil, {"--json"}} {
		line := slices.Concat(args, more)
		code, stdout, stderr := commandLine(t, append(environ, "CLICOLOR_FORCE=1", "TERM=xterm-256color"), line...)
		for _, text := range []string{stdout, stderr} {
			if raw := untamed(text); raw != "" {
				t.Errorf("%q: exit code %d, prints %q", line, code, raw)
			}
		}
		said += stdout + stderr
	}
	return said
}

// What a server answers is shown, and not obeyed: its errors, its names of models, its
// scores.
func TestHostileServers(t *testing.T) {
	c := hostileCorpus(t)
	quoted := strings.NewReplacer("\x1b", `\u001b`, "\x07", `\u0007`, "\u009b", `\u009b`, "\n", `\n`).Replace("evil\x1b]52;c;ZXZpbA==\x07\u009b2J\nline")
	for name, answer := range map[string]func(w http.ResponseWriter, inputs int) bool{
		"plain text": func(w http.ResponseWriter, _ int) bool {
			http.Error(w, hostile.Bytes, http.StatusBadRequest)
			return true
		},
		"a message": func(w http.ResponseWriter, _ int) bool {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = w.Write([]byte(`{"error":{"message":"` + quoted + `","type":"` + quoted + `","code":"` + quoted + `"}}`))
			return true
		},
		"no JSON": func(w http.ResponseWriter, _ int) bool { _, _ = w.Write([]byte(hostile.Bytes)); return true },
		"a type": func(w http.ResponseWriter, _ int) bool {
			w.Header().Set("Content-Type", "text/evil\u009b2J")
			return false
		},
		"elsewhere": func(w http.ResponseWriter, _ int) bool {
			w.Header().Set("Location", "http://evil\u009b2J.example/\u202e")
			w.WriteHeader(http.StatusTemporaryRedirect)
			return true
		},
	} {
		env := []string{"EMBEDDING_BASE_URL=" + embeddingServer(t, 16, answer), "EMBEDDING_MODEL=evil\u009b2J\u202e\x1b]52;c;x\x07", "EMBEDDING_DIMENSIONS=16"}
		said := tamed(t, env, "index", "--corpus", filepath.Join(c.dir, name+".db"), filepath.Join(c.dir, "pages"))
		said += tamed(t, env, "doctor", "--corpus", c.corpus)
		said += tamed(t, env, "config", "show")
		if !strings.Contains(said, "evil") {
			t.Errorf("%s: nothing hostile is shown, so that nothing was tested: %s", name, said)
		}
	}
}

// Files of hostile names are named, and not obeyed.
func TestHostileFileNames(t *testing.T) {
	notBeside(t)
	c := hostileCorpus(t)
	name := strings.NewReplacer("\x00", "", "/", "").Replace(hostile.Text)
	for _, file := range []string{filepath.Join("files", name+".html"), filepath.Join("files", name+".md"), filepath.Join("files", name, "page.html"), filepath.Join("files", name+".jsonl"), filepath.Join("files", name+".html.gz")} {
		c.write(t, file, "<h1>Retries</h1><p>The retries.</p>"+strings.Repeat("{", len(file)%2))
	}
	at := []string{"--corpus", filepath.Join(c.dir, "names.db")}
	said := ""
	for _, args := range [][]string{
		{"index", filepath.Join(c.dir, "files")},
		{"index", filepath.Join(c.dir, "files", name+".jsonl")},
		{"index", filepath.Join(c.dir, name)},
		{"docs", "list"},
		{"query", "--explain", "--text", hostileWords},
		{"context", hostileWords},
		{"edges", "import", filepath.Join(c.dir, "files", name+".jsonl")},
		{"replay", filepath.Join(c.dir, "files", name+".jsonl")},
		{"query", "--selected-text", filepath.Join(c.dir, "files", name+".md"), hostileWords},
		{"query", "--preset", hostile.Text, hostileWords},
		{"query", "--profile", name, hostileWords},
		{"explore", "--theme", hostile.Text},
		{"query", "--set", hostile.Text + "=1", hostileWords},
		{hostile.Text},
		{"query", "--" + hostile.Text},
		{"trust", filepath.Join(c.dir, "files", name)},
		{"config", "show", "--config", filepath.Join(c.dir, "files", name+".md")},
	} {
		said += tamed(t, nil, slices.Concat(args, at)...)
	}
	if !strings.Contains(said, "52;c;ZXZpbA==") {
		t.Error("no name is shown, so that nothing was tested")
	}
}

// A server that answers as a PostgreSQL server does says what it likes.
func TestHostilePostgreSQL(t *testing.T) {
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_ = conn.SetDeadline(time.Now().Add(screenDeadline))
			backend := pgproto3.NewBackend(conn, conn)
			if _, err := backend.ReceiveStartupMessage(); err == nil {
				backend.Send(&pgproto3.NoticeResponse{Severity: hostile.Bytes, Message: hostile.Bytes})
				backend.Send(&pgproto3.ErrorResponse{
					Severity: "FATAL", Code: "28P01", Message: hostile.Bytes, Detail: hostile.Bytes, Hint: hostile.Bytes,
				})
				_ = backend.Flush()
			}
			_ = conn.Close()
		}
	}()
	at := "postgres://me:secret@" + listener.Addr().String() + "/evil%1b%5d52?sslmode=disable"
	for _, args := range [][]string{{"docs", "list"}, {"doctor"}, {"query", hostileWords}, {"migrate"}} {
		if said := tamed(t, nil, slices.Concat(args, []string{"--corpus", at})...); !strings.Contains(said, "evil") {
			t.Errorf("%v: nothing hostile is shown, so that nothing was tested: %s", args, said)
		}
	}
}

// A trigger's errors and notices are the server's words, too.
func TestHostileTrigger(t *testing.T) {
	c := hostileCorpus(t)
	c.corpus = pgtest.EmptyDatabase(t)
	at := []string{"--corpus", c.corpus}
	tamed(t, nil, slices.Concat([]string{"index", "--owner", "me", filepath.Join(c.dir, "pages")}, at)...)
	conn, err := pgx.Connect(t.Context(), c.corpus)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	text := "'" + strings.ReplaceAll(hostile.DatabaseText, "'", "''") + "'"
	if _, err := conn.Exec(t.Context(), `CREATE FUNCTION evil() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN
			RAISE NOTICE USING MESSAGE = `+text+`; RAISE EXCEPTION USING MESSAGE = `+text+`, DETAIL = `+text+`, HINT = `+text+`; END $f$;
		CREATE TRIGGER t BEFORE INSERT OR UPDATE OR DELETE ON documents FOR EACH ROW EXECUTE FUNCTION evil()`); err != nil {
		t.Fatal(err)
	}
	c.write(t, filepath.Join("pages", "d.md"), "# New\n\nA new page.\n")
	for _, args := range [][]string{{"index", "--owner", "me", filepath.Join(c.dir, "pages")}, {"docs", "delete", c.page}, {"copy", "--from", c.corpus, "--to", filepath.Join(c.dir, "copy.db")}} {
		said := tamed(t, nil, slices.Concat(args, at)...)
		if args[0] != "copy" && !strings.Contains(said, "evil") {
			t.Errorf("%v: nothing hostile is shown, so that nothing was tested: %s", args, said)
		}
	}
}

// The manual and the completions hold nothing that a terminal obeys.
func TestManualAndCompletionsAreTame(t *testing.T) {
	notBeside(t)
	for _, args := range [][]string{
		{"man"},
		{"completion", "bash"},
		{"completion", "zsh"},
		{"completion", "fish"},
		{"completion", "powershell"},
		{"__complete", "docs", "show", hostile.DatabaseText},
		{"__complete", "query", "--preset", ""},
		{"__complete", hostile.DatabaseText},
	} {
		code, stdout, stderr := programWithin(t, nil, args...)
		if raw := untamed(stdout + stderr); code != exitFine || stdout == "" && args[0] != "__complete" || raw != "" {
			t.Errorf("%q: exit code %d, prints %q: %s", args, code, raw, stderr)
		}
	}
}

// foreignTables reads the files that the tests of the store fill a WebRAG database
// from.
func foreignTables(t *testing.T, names ...string) (sql string) {
	t.Helper()
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join("..", "..", "store", "postgres", "internal", "webragtest", name))
		if err != nil {
			t.Fatal(err)
		}
		sql += string(text)
	}
	return sql
}

// A database of another program, and a table of anything, are as hostile.
func TestHostileForeignDatabases(t *testing.T) {
	notBeside(t)
	for name, tables := range map[string]string{
		"WebRAG": foreignTables(t, "schemas/images.sql", "schemas/links.sql", "corpus/pages.sql", "corpus/links.sql", "corpus/images.sql"),
		"a table": `CREATE TABLE langchain_pg_collection (uuid uuid PRIMARY KEY, name varchar NOT NULL UNIQUE, cmetadata json);
			CREATE TABLE langchain_pg_embedding (id varchar PRIMARY KEY, collection_id uuid, embedding vector(3), document varchar, cmetadata jsonb);
			INSERT INTO langchain_pg_collection VALUES ('11111111-1111-1111-1111-111111111111', 'docs', NULL);
			INSERT INTO langchain_pg_embedding VALUES
				('a', '11111111-1111-1111-1111-111111111111', '[1,0,0]', '# Retries' || chr(10) || 'The retries are three.', '{"source": "boost.md", "page": 3, "title": "t", "tags": ["x"]}'),
				('b', '11111111-1111-1111-1111-111111111111', '[0,1,0]', 'No retries.', '{"source": "forest.md"}')`,
	} {
		t.Run(name, func(t *testing.T) {
			c := hostileCorpus(t)
			c.corpus = pgtest.Database(t)
			conn, err := pgx.Connect(t.Context(), c.corpus)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close(t.Context())
			if _, err := conn.Exec(t.Context(), tables); err != nil {
				t.Fatal(err)
			}
			if n, err := hostile.FillDatabase(t.Context(), conn, "public"); err != nil || n < 3 {
				t.Fatalf("%d columns are filled: %v", n, err)
			}
			source := `SELECT source_url FROM documents ORDER BY 1 LIMIT 1`
			if name != "WebRAG" {
				source = `SELECT cmetadata->>'source' FROM langchain_pg_embedding LIMIT 1`
			}
			if err := conn.QueryRow(t.Context(), source).Scan(&c.page); err != nil {
				t.Fatal(err)
			}
			if code, stdout, stderr := commandLine(t, nil, "docs", "list", "--corpus", c.corpus); code != exitFine || !strings.Contains(stdout, "52;c;ZXZpbA==") {
				t.Fatalf("exit code %d: %s%s", code, stdout, stderr)
			}
			tryAll(t, c, name, []string{
				"ann", "cite", "compare", "context", "copy", "docs list", "docs show", "docs delete", "doctor", "edges list", "edges import",
				"index", "migrate", "query", "why", "explore",
			})
		})
	}
}
