package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"github.com/webrag/webrag-tui/cmd/webrag-tui/internal/guide"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// smallCorpus makes a corpus of one page and returns both paths.
func smallCorpus(t *testing.T) (corpus, page string) {
	t.Helper()
	dir := t.TempDir()
	corpus, page = filepath.Join(dir, "c.db"), filepath.Join(dir, "page.md")
	if err := os.WriteFile(page, []byte("# Page\n\nA page.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := commandLine(t, nil, "index", "--corpus", corpus, page); code != exitFine {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	return corpus, page
}

func TestALockedCorpus(t *testing.T) {
	corpus, page := smallCorpus(t)
	st, err := sqlite.Open(t.Context(), corpus, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	w, err := st.Write(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	// In another process, as the lock is one between processes.
	cmd, in, _ := program(t, nil, "index", "--corpus", corpus, page)
	in.Close()
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitUnavailable {
		t.Errorf("another process: exit code %d", code)
	}
	code, stdout, stderr := commandLine(t, nil, "index", "--corpus", corpus, page)
	if code != exitUnavailable || !strings.Contains(stderr, "another process is writing") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if stdout != "" || strings.Count(stderr, "\n") != 1 {
		t.Errorf("a run that did nothing says %q and %q", stdout, stderr)
	}
	if code, _, stderr := commandLine(t, nil, "query", "--corpus", corpus, "page"); code != exitFine {
		t.Errorf("reading beside a writer: exit code %d: %s", code, stderr)
	}
}

func TestACorpusOfANewerVersion(t *testing.T) {
	corpus, page := smallCorpus(t)
	db, err := sql.Open("sqlite", corpus)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(`UPDATE corpus_meta SET schema_version = 99`)
	if closed := db.Close(); err != nil || closed != nil {
		t.Fatal(err, closed)
	}
	for _, args := range [][]string{{"index", page}, {"query", "page"}} {
		code, stdout, stderr := commandLine(t, nil, append(args, "--corpus", corpus)...)
		if code != exitUsage || !strings.Contains(stderr, "newer version") || stdout != "" {
			t.Errorf("%v: exit code %d: %s%s", args, code, stdout, stderr)
		}
	}
}

func TestAdviceOnAnotherEmbedderIsGivenOnce(t *testing.T) {
	corpus, page := smallCorpus(t)
	env := []string{"EMBEDDING_BASE_URL=" + embeddingServer(t, 8, nil), "EMBEDDING_MODEL=m", "EMBEDDING_DIMENSIONS=8"}
	for _, args := range [][]string{{"index", page}, {"query", "--mode", "chunk", "page"}} {
		code, stdout, stderr := commandLine(t, env, append(args, "--corpus", corpus)...)
		if code != exitUsage || stdout != "" {
			t.Errorf("%v: exit code %d, said %q", args, code, stdout)
		}
		if strings.Count(stderr, "reembed") != 1 || !strings.Contains(stderr, "webrag-tui index --reembed --corpus "+corpus) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: %s", args, stderr)
		}
	}
}

// A demo that cannot write into the cache folder makes a guide for itself and
// takes it away again.
func TestTheDemoLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	before := xdg.CacheHome
	xdg.CacheHome = file // no folder can be made below a file, whoever asks
	t.Cleanup(func() { xdg.CacheHome = before })
	temp := filepath.Join(dir, "temp")
	if err := os.Mkdir(temp, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, temp)
	}
	g := guide.Guide{Path: guideCorpus(), Temp: "guide-"}
	st, err := g.Open(t.Context(), embedder.NewBuiltin())
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "*", "guide.db")); len(left) != 1 {
		t.Errorf("the guide is not in the temporary folder: %v", left)
	}
	if err := st.Close(); err != nil {
		t.Error(err)
	}
	g.Close()
	if left, _ := filepath.Glob(filepath.Join(temp, "*")); len(left) > 0 {
		t.Errorf("%v are left behind", left)
	}
	if _, err := g.Open(t.Context(), embedder.NewBuiltin()); err == nil {
		t.Error("a demo that has ended makes another guide")
	}
}
