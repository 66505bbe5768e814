package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// commandLine runs one command in process with the given environment.
func commandLine(t *testing.T, environ []string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return commandLineReading(t, "", environ, args...)
}

// commandLineReading is commandLine with a text on standard input.
func commandLineReading(t *testing.T, stdin string, environ []string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	empty := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, narration bytes.Buffer
	code = run(t.Context(), process{
		args: append(args, "--config", empty), in: strings.NewReader(stdin), out: &out, err: &narration, environ: environ, now: time.Now,
	})
	return code, out.String(), narration.String()
}

// embeddingServer answers with vectors of the given dimension, or as answer says.
func embeddingServer(t *testing.T, dims int, answer func(w http.ResponseWriter, inputs int) bool) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			Input []string `json:"input"`
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if answer != nil && answer(w, len(request.Input)) {
			return
		}
		type item struct {
			Index     int       `json:"index"`
			Embedding []float64 `json:"embedding"`
		}
		var data []item
		for i, text := range request.Input {
			v := make([]float64, dims)
			for j, b := range []byte(text) {
				v[(int(b)+j)%dims] += 1 + float64(b)/256
			}
			data = append(data, item{i, v})
		}
		json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

func TestIndexingWithAServer(t *testing.T) {
	corpus := filepath.Join(t.TempDir(), "c.db")
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("# Page\n\n## One\n\nA first section.\n\n## Two\n\nA second section.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"EMBEDDING_BASE_URL=" + embeddingServer(t, 16, nil), "EMBEDDING_MODEL=unheard-of", "EMBEDDING_API_KEY=canary-4711"}
	if code, _, stderr := commandLine(t, env, "index", "--corpus", corpus, page); code != exitFine {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if code, out, stderr := commandLine(t, env, "query", "--corpus", corpus, "--mode", "chunk", "--set", "similarity_floor=-1", "second"); code != exitFine || !strings.Contains(out, "Two") {
		t.Errorf("exit code %d: %s%s", code, out, stderr)
	}

	// The built-in embedder is refused with the way out, and --reembed is it.
	code, _, stderr := commandLine(t, nil, "query", "--corpus", corpus, "second")
	if code != exitUsage || !strings.Contains(stderr, "openai/unheard-of/16") || !strings.Contains(stderr, "--reembed") {
		t.Errorf("another embedder: exit code %d: %s", code, stderr)
	}
	if code, out, stderr := commandLine(t, nil, "index", "--reembed", "--corpus", corpus); code != exitFine || !strings.Contains(out, "vectors made anew") {
		t.Errorf("--reembed: exit code %d: %s%s", code, out, stderr)
	}
	if code, out, stderr := commandLine(t, nil, "query", "--corpus", corpus, "--mode", "chunk", "second"); code != exitFine || !strings.Contains(out, "Two") {
		t.Errorf("after --reembed: exit code %d: %s%s", code, out, stderr)
	}
}

// The corpus knows how far its vectors were cut; only making it takes a setting.
func TestACorpusOfCutVectors(t *testing.T) {
	corpus := filepath.Join(t.TempDir(), "c.db")
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("# Page\n\n## One\n\nA first section.\n\n## Two\n\nA second section.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"EMBEDDING_BASE_URL=" + embeddingServer(t, 3072, nil), "EMBEDDING_MODEL=text-embedding-3-large"}
	if code, _, stderr := commandLine(t, append(env, "EMBEDDING_DIMENSIONS=256"), "index", "--corpus", corpus, page); code != exitFine {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	query := []string{"query", "--corpus", corpus, "--mode", "chunk", "--set", "similarity_floor=-1", "second"}
	if code, out, stderr := commandLine(t, env, query...); code != exitFine || !strings.Contains(out, "Two") {
		t.Errorf("a query: exit code %d: %s%s", code, out, stderr)
	}
	if err := os.WriteFile(page, []byte("# Page\n\n## Three\n\nA third section.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, stderr := commandLine(t, env, "index", "--corpus", corpus, page); code != exitFine || !strings.Contains(out, "1 changed") {
		t.Errorf("indexing again: exit code %d: %s%s", code, out, stderr)
	}
	// A setting of its own is not overruled.
	code, _, stderr := commandLine(t, append(env, "EMBEDDING_DIMENSIONS=512"), query...)
	if code != exitUsage || !strings.Contains(stderr, "256-of-3072") {
		t.Errorf("other dimensions: exit code %d: %s", code, stderr)
	}
}

// Estimated counts of tokens are marked wherever they stand.
func TestTokensOfAnUnknownModelAreMarked(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("# Page\n\n## One\n\nA first section.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := "EMBEDDING_BASE_URL=" + embeddingServer(t, 16, nil)
	for _, tt := range []struct {
		name    string
		environ []string
		approx  bool
	}{
		{"unknown", []string{server, "EMBEDDING_MODEL=unheard-of"}, true},
		{"known tokenizer", []string{server, "EMBEDDING_MODEL=unheard-of", "EMBEDDING_TOKENIZER=o200k_base"}, false},
		{"built in", nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			corpus := filepath.Join(t.TempDir(), "c.db")
			code, out, stderr := commandLine(t, tt.environ, "index", "--corpus", corpus, page)
			if code != exitFine || strings.Contains(stderr, "token counts are estimates (≈) by approx:cl100k") != tt.approx {
				t.Errorf("index: exit code %d: %s%s", code, out, stderr)
			}
			query := []string{"query", "--corpus", corpus, "--set", "similarity_floor=-1", "first"}
			for _, mode := range []string{"chunk", "full_context"} {
				_, out, stderr := commandLine(t, tt.environ, append(query, "--mode", mode)...)
				counts := regexp.MustCompile(`(≈?)\d+ (of 40k )?tokens`).FindAllStringSubmatch(out, -1)
				if len(counts) < 3 {
					t.Fatalf("%s: %d counts: %s%s", mode, len(counts), out, stderr)
				}
				for _, count := range counts {
					if (count[1] != "") != tt.approx {
						t.Errorf("%s: %q", mode, count[0])
					}
				}
			}
			for _, words := range [][]string{{"list"}, {"show", "file:page.md"}} {
				_, out, stderr := commandLine(t, tt.environ, append([]string{"docs", "--corpus", corpus}, words...)...)
				counts := regexp.MustCompile(`(≈?)\d+ tokens|tokens +(≈?)\d+`).FindAllStringSubmatch(out, -1)
				if len(counts) == 0 {
					t.Fatalf("docs %s: no counts: %s%s", words, out, stderr)
				}
				for _, count := range counts {
					if (count[1]+count[2] != "") != tt.approx {
						t.Errorf("docs %s: %q", words, count[0])
					}
				}
			}
			for _, args := range [][]string{append(query, "--json"), {"index", "--corpus", corpus, page, "--json"}} {
				_, out, stderr := commandLine(t, tt.environ, args...)
				if strings.Contains(out, `"tokens_approximate": true`) != tt.approx {
					t.Errorf("%s --json: %s%s", args[0], out, stderr)
				}
			}
		})
	}
}

func TestEqualQueriesAskTheServerOnce(t *testing.T) {
	corpus := filepath.Join(t.TempDir(), "c.db")
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("# Page\n\n## One\n\nA first section.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var requests atomic.Int64
	count := func(http.ResponseWriter, int) bool { requests.Add(1); return false }
	env := []string{"EMBEDDING_BASE_URL=" + embeddingServer(t, 16, count), "EMBEDDING_MODEL=m", "EMBEDDING_DIMENSIONS=16"}
	if code, _, stderr := commandLine(t, env, "index", "--corpus", corpus, page); code != exitFine {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	requests.Store(0)
	code, out, stderr := commandLineReading(t, "first\nsecond\nfirst\nfirst\n", env, "query", "--corpus", corpus, "--mode", "chunk", "--set", "similarity_floor=-1", "-")
	if code != exitFine || strings.Count(out, `{"query":"first","line":`) != 3 || requests.Load() != 2 {
		t.Errorf("%d requests, exit code %d: %s%s", requests.Load(), code, out, stderr)
	}
}

func TestAServerThatFails(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("# Page\n\n## One\n\nA first section.\n\n## Two\n\nA second section.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	refuse := func(status int, body string) func(http.ResponseWriter, int) bool {
		return func(w http.ResponseWriter, _ int) bool {
			w.WriteHeader(status)
			fmt.Fprint(w, body)
			return true
		}
	}
	cases := []struct {
		name, url string
		code      int
		says      []string
	}{
		{"nobody listens", "http://127.0.0.1:9/v1", exitUnavailable, []string{"127.0.0.1:9"}},
		{"the key is wrong", embeddingServer(t, 8, refuse(401, `{"error":{"message":"Incorrect API key provided: canary-4711"}}`)), exitUsage, []string{"key"}},
		{"the model is unknown", embeddingServer(t, 8, refuse(404, `{"error":"model \"m\" not found, try pulling it first"}`)), exitUsage, []string{"model"}},
		{"another dimension", embeddingServer(t, 9, nil), exitUsage, []string{"9", "8"}},
		{"too few vectors", embeddingServer(t, 8, func(w http.ResponseWriter, n int) bool {
			if n < 2 {
				return false
			}
			fmt.Fprint(w, `{"data":[{"index":0,"embedding":[1,0,0,0,0,0,0,0]}]}`)
			return true
		}), exitUsage, []string{"1", "2"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			corpus := filepath.Join(t.TempDir(), "c.db")
			env := []string{"EMBEDDING_BASE_URL=" + c.url, "EMBEDDING_MODEL=m", "EMBEDDING_DIMENSIONS=8", "EMBEDDING_API_KEY=canary-4711"}
			code, stdout, stderr := commandLine(t, env, "index", "--corpus", corpus, page)
			if code != c.code {
				t.Errorf("exit code %d, want %d: %s", code, c.code, stderr)
			}
			for _, word := range c.says {
				if !strings.Contains(stderr, word) {
					t.Errorf("%q does not say %q", stderr, word)
				}
			}
			if strings.Contains(stdout+stderr, "canary") {
				t.Errorf("the key is repeated: %s%s", stdout, stderr)
			}
			if lines := strings.Count(strings.TrimSpace(stderr), "\n"); lines > 2 {
				t.Errorf("the error takes %d lines: %s", lines+1, stderr)
			}
			if corpusExists(corpus) {
				t.Error("an empty corpus is left behind")
			}
			// Nothing is lost: the corpus works with the embedder that works.
			if code, _, stderr := commandLine(t, nil, "index", "--corpus", corpus, page); code != exitFine {
				t.Errorf("the corpus cannot be indexed afterwards: %d: %s", code, stderr)
			}
		})
	}
}
