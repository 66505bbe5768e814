package main

import (
	"bytes"
	"context"
	"database/sql"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/webrag/webrag-tui/remote"
)

// stopAt is a writer that cancels as soon as something is written.
type stopAt struct {
	bytes.Buffer
	cancel context.CancelFunc
}

func (s *stopAt) Write(p []byte) (int, error) {
	defer s.cancel()
	return s.Buffer.Write(p)
}

// busyServer tells whoever asks to come back after some seconds. The page is one to
// index, in a folder of its own.
func busyServer(t *testing.T, retryAfter string) (server *httptest.Server, dir, page string) {
	t.Helper()
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", retryAfter)
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	t.Cleanup(server.Close)
	dir = t.TempDir()
	page = filepath.Join(dir, "page.md")
	if err := os.WriteFile(page, []byte("# A page\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return server, dir, page
}

// A server that has the program wait is named before the wait, with the way out of
// it.
func TestWaitingForAServerIsSaid(t *testing.T) {
	t.Parallel()
	server, dir, page := busyServer(t, "50")
	ctx, cancel := context.WithCancel(t.Context())
	narration := &stopAt{cancel: cancel}
	code := run(ctx, process{
		args: []string{"index", "--corpus", filepath.Join(dir, "c.db"), page}, in: strings.NewReader(""), out: &bytes.Buffer{}, err: narration,
		environ: []string{"HOME=" + dir, "EMBEDDING_PROVIDER=openai", "EMBEDDING_BASE_URL=" + server.URL + "/v1", "EMBEDDING_MODEL=m"}, now: time.Now,
	})
	host := strings.TrimPrefix(server.URL, "http://")
	want := "· waiting 50 seconds before POST " + host + "/v1/embeddings is sent again: the server asks for it; ctrl-c stops\n"
	if code != exitInterrupted || !strings.HasPrefix(narration.String(), want) {
		t.Errorf("exit code %d, said %q, want %q", code, narration.String(), want)
	}
}

// A database that takes the call and says nothing is named, and so is a corpus to
// which another program is writing.
func TestWaitingForACorpusIsSaid(t *testing.T) {
	t.Parallel()
	hung, err := net.Listen("tcp", "127.0.0.1:0") // nobody accepts: the system does
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = hung.Close() })
	at := "postgres://ada@" + hung.Addr().String() + "/pages?sslmode=disable"
	dir := t.TempDir()
	page, file := filepath.Join(dir, "page.md"), filepath.Join(dir, "c.db")
	if err := os.WriteFile(page, []byte("# A page\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"HOME=" + dir}
	if code, _, stderr := commandLine(t, env, "index", "--corpus", file, page); code != exitFine {
		t.Fatal(stderr)
	}
	other, err := sql.Open("sqlite", "file:"+filepath.ToSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close() })
	other.SetMaxOpenConns(1)
	if _, err := other.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(page, []byte("# Another page\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	database := "· waiting for the database " + at + "; ctrl-c stops\n"
	for _, tt := range []struct{ corpus, command, argument, want string }{
		{at, "query", "kite", database},
		{at, "index", page, database},
		{file, "index", page, "· waiting for the corpus to take a page: another program may be writing to it; ctrl-c stops\n"},
	} {
		t.Run(tt.command+" "+tt.corpus[:4], func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			narration := &stopAt{cancel: cancel}
			args := []string{tt.command, "--corpus", tt.corpus, tt.argument}
			code := run(ctx, process{args: args, in: strings.NewReader(""), out: &bytes.Buffer{}, err: narration, environ: env, now: time.Now})
			if code != exitInterrupted || !strings.HasPrefix(narration.String(), tt.want) {
				t.Errorf("exit code %d, said %q, want %q", code, narration.String(), tt.want)
			}
		})
	}
}

// Eleven days are no plan: the program gives up at once, and says when to come back.
func TestALongPauseIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	server, dir, page := busyServer(t, "950400")
	code, _, stderr := commandLine(t, []string{"HOME=" + dir, "EMBEDDING_PROVIDER=openai", "EMBEDDING_BASE_URL=" + server.URL + "/v1", "EMBEDDING_MODEL=m"},
		"index", "--corpus", filepath.Join(dir, "c.db"), page)
	if code != exitUnavailable || !strings.Contains(stderr, "the embedding server asks for a pause of more than an hour: try again then") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestAWaitIsSaidOnce(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	a := newApp(process{err: &said, now: func() time.Time { return now }})
	w := remote.Wait{Method: "POST", Host: "h.example", Path: "/v1/\x1b[31membeddings"}
	line := "· waiting for an answer to POST h.example/v1/␛[31membeddings; ctrl-c stops\n"
	for range 4 {
		a.tellWait(w)
	}
	if said.String() != line {
		t.Errorf("said %q", said.String())
	}
	now = now.Add(waitEvery)
	a.tellWait(w)
	if said.String() != line+line {
		t.Errorf("said %q of another wait", said.String())
	}
	a.quiet = true
	now = now.Add(waitEvery)
	a.tellWait(w)
	if said.String() != line+line {
		t.Errorf("said %q although quiet", said.String())
	}
}

// Of a large corpus it is said that it is checked, and not that another program has it.
func TestVerifyingIsSaid(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var said []string
		ctx := remote.WithWaiting(t.Context(), func(w remote.Wait) { said = append(said, w.String()) })
		done := place{path: "large.db"}.verifying(ctx, 5<<30)
		time.Sleep(2 * remote.Silence)
		done()
		if want := "waiting for the check of the 5.0 GB of large.db for damage"; len(said) != 1 || said[0] != want {
			t.Errorf("%q, want %q", said, want)
		}
	})
}
