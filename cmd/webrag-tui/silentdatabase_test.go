package main

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// A database that falls silent in the middle of a command is named, as one is that does
// not open; here it goes on once it was.
func TestADatabaseThatFallsSilentIsNamed(t *testing.T) {
	dsn := pgtest.EmptyDatabase(t)
	proxy := pgtest.NewProxy(t, dsn)
	var asked, hangAt atomic.Int64
	env := []string{"EMBEDDING_MODEL=m", "EMBEDDING_DIMENSIONS=16", "EMBEDDING_BASE_URL=" + embeddingServer(t, 16, func(http.ResponseWriter, int) bool {
		if asked.Add(1) == hangAt.Load() {
			proxy.Hang()
		}
		return false
	})}
	page := filepath.Join("..", "..", "testdata", "pages", "btree.html")
	if code, _, stderr := commandLine(t, env, "index", "--corpus", dsn, page); code != exitFine {
		t.Fatalf("index: exit code %d: %s", code, stderr)
	}
	// The last request of a query is for its vector, between two reads of the corpus.
	before := asked.Load()
	query := []string{"query", "--corpus", proxy.DSN(), "splitting a node"}
	if code, _, stderr := commandLine(t, env, query...); code != exitFine {
		t.Fatalf("query: exit code %d: %s", code, stderr)
	}
	hangAt.Store(asked.Load() + asked.Load() - before)
	narration := &writing{words: "waiting for the database", do: proxy.Resume}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out strings.Builder
	code := run(ctx, process{args: query, in: strings.NewReader(""), out: &out, err: narration, environ: env, now: time.Now})
	if said := narration.said.String(); code != exitFine || narration.do != nil || !strings.Contains(said, "ctrl-c stops") {
		t.Errorf("exit code %d: %s%s", code, out.String(), said)
	}
}
