package main

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// doctor says where counts of tokens are estimates and which file would end that,
// and with that file it has nothing to say.
func TestDoctorOnCountsOfTokens(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("# Page\n\n## One\n\nA first section.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	small, err := filepath.Abs(filepath.Join("..", "..", "embedder", "internal", "huggingface", "testdata", "unigram.json"))
	if err != nil {
		t.Fatal(err)
	}
	server := []string{"EMBEDDING_BASE_URL=" + embeddingServer(t, 1024, nil), "EMBEDDING_MODEL=bge-m3"}
	byFile := append([]string{"EMBEDDING_TOKENIZER=hf:" + small}, server...)
	for _, tt := range []struct {
		name       string
		environ    []string
		state      string
		told       bool // index says so, too
		found, way string
	}{
		{
			name: "estimated", environ: server, told: true, state: "warning",
			found: `counted with cl100k_base, an estimate: the model "bge-m3" has a vocabulary of its own`,
			way:   "get the tokenizer.json of BAAI/bge-m3, set EMBEDDING_TOKENIZER=hf:PATH to where it is, and index into a new corpus",
		},
		{name: "by a file", environ: byFile, state: "fine", found: "counted with hf:"},
		{name: "built in", state: "fine", found: `counted with cl100k_base; the model "builtin-hash-v1" reads words and has no tokens of its own`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			corpus := filepath.Join(t.TempDir(), "c.db")
			code, _, stderr := commandLine(t, tt.environ, "index", "--corpus", corpus, page)
			if code != exitFine || strings.Contains(stderr, "EMBEDDING_TOKENIZER=hf:PATH with the model's tokenizer.json") != tt.told {
				t.Fatalf("exit code %d: %s", code, stderr)
			}
			code, out, stderr := commandLine(t, tt.environ, "doctor", "--corpus", corpus)
			sign := "✓"
			if tt.state == "warning" {
				sign = "!"
			}
			if code != exitFine || !strings.Contains(out, sign+" tokens         "+tt.found) || tt.way != "" && !strings.Contains(out, "→ "+tt.way+"\n") {
				t.Errorf("exit code %d: %s%s", code, out, stderr)
			}
			code, out, stderr = commandLine(t, tt.environ, "doctor", "--corpus", corpus, "--json")
			var report checkReport
			if err := json.Unmarshal([]byte(out), &report); err != nil || code != exitFine {
				t.Fatalf("exit code %d: %v: %s%s", code, err, out, stderr)
			}
			for _, c := range report.Checks {
				if c.Name == "tokens" && c.State == tt.state && strings.HasPrefix(c.Found, tt.found) && c.Fix == tt.way {
					return
				}
			}
			t.Errorf("no such check: %s", out)
		})
	}
}

// A corpus that is counted by a file keeps the file's hash, and wants that file.
func TestACorpusKeepsItsTokenizer(t *testing.T) {
	folder := filepath.Join("..", "..", "embedder", "internal", "huggingface", "testdata")
	page, corpus := filepath.Join(t.TempDir(), "page.md"), filepath.Join(t.TempDir(), "c.db")
	if err := os.WriteFile(page, []byte("# Page\n\n## One\n\nA first section.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	by := func(name string) []string { return []string{"EMBEDDING_TOKENIZER=hf:" + filepath.Join(folder, name)} }
	if code, _, stderr := commandLine(t, by("unigram.json"), "index", "--corpus", corpus, page); code != exitFine {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if code, _, stderr := commandLine(t, by("unigram.json"), "index", "--corpus", corpus, page); code != exitFine {
		t.Errorf("again: exit code %d: %s", code, stderr)
	}
	for name, environ := range map[string][]string{
		"another file": by("bytes.json"), "none": nil, "another vocabulary": {"EMBEDDING_TOKENIZER=cl100k_base"},
	} {
		code, _, stderr := commandLine(t, environ, "index", "--corpus", corpus, page)
		if code != exitUsage || !strings.Contains(stderr, "set EMBEDDING_TOKENIZER=hf:PATH, where PATH is the tokenizer.json whose sha256 begins with ") {
			t.Errorf("%s: exit code %d: %s", name, code, stderr)
		}
	}
	// A stranger's corpus may name a file, whose beginning an error would show.
	db, err := sql.Open("sqlite", corpus)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), `UPDATE corpus_meta SET tokenizer = ?`, "hf:"+page); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := commandLine(t, nil, "index", "--corpus", corpus, page)
	if code != exitUsage || !strings.Contains(stderr, "as none of this program's does") {
		t.Errorf("a file of the user's: exit code %d: %s", code, stderr)
	}
}
