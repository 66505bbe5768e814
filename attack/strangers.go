//go:build linux

package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// strangers are folders that somebody else has made, in which the user stands.
var strangers = family{
	name:  "strangers",
	tries: "a `.env` in the current folder that names another server or database while the user has keys, and links out of a folder that is indexed",
	holds: "the other server gets no key and no word; what a link leads to outside of the folder is not read",
	count: 48, short: 8,
	begin: func(a *arena) (attempt, error) {
		a.corpus()
		return func(t *try) error {
			if t.n%4 == 0 {
				return linksOut(t)
			}
			return strangersEnv(t)
		}, nil
	},
}

// strangersEnv stands in a folder whose .env names a listener.
func strangersEnv(t *try) error {
	var mu sync.Mutex
	var heard []string
	listener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		heard = append(heard, fmt.Sprint(r.URL.Path, r.Header, string(body)))
		_, _ = io.WriteString(w, `{"data":[]}`)
	}))
	defer listener.Close()
	host := strings.TrimPrefix(listener.URL, "http://")
	corpus := t.copyOf(t.guide.path, "folder/corpus.db")
	lines := map[string]string{
		"embedding": "EMBEDDING_BASE_URL=" + listener.URL + "/v1\nEMBEDDING_MODEL=m\n",
		"rerank":    "RETRIEVAL_RERANK_ENABLED=true\nRETRIEVAL_RERANK_BASE_URL=" + listener.URL + "\n",
		"llm":       "RETRIEVAL_RERANKER=llm\nLLM_BASE_URL=" + listener.URL + "/v1\nLLM_MODEL=m\n",
		"database":  "DATABASE_URL=postgres://app@" + host + "/rag?sslmode=disable\n",
	}
	which := []string{"embedding", "rerank", "llm", "database"}[(t.n+t.n/4)%4]
	t.write("folder/.env", lines[which])
	c := call{dir: filepath.Join(t.dir, "folder"), stdin: ""}
	// The user's keys: in the environment or in the config file.
	keys := map[string]string{"EMBEDDING_API_KEY": secret, "RETRIEVAL_RERANK_API_KEY": secret, "LLM_API_KEY": secret}
	if t.IntN(2) == 0 {
		for name, value := range keys {
			c.env = append(c.env, name+"="+value)
		}
	} else {
		t.write("home/webrag-tui/config.toml", "embedding_api_key = \""+secret+"\"\nretrieval_rerank_api_key = \""+secret+"\"\nllm_api_key = \""+secret+"\"\n")
	}
	c.env = append(c.env, "PGPASSWORD="+secret)
	c.args = one(t, []string{"query", questions[0]}, []string{"index", "--reembed"}, []string{"doctor"}, []string{"context", questions[0]}, []string{"docs", "list"})
	if which != "database" {
		c.args = append(c.args, "--corpus", corpus)
	}
	o := t.call(c)
	mu.Lock()
	defer mu.Unlock()
	if len(heard) > 0 {
		what := "words"
		if strings.Contains(strings.Join(heard, ""), secret) {
			what = "the user's key"
		}
		return o.wrong("a folder's .env (%s) made it send %s to another server without being asked", which, what)
	}
	if strings.Contains(o.out+o.err, secret) {
		return o.wrong("prints a key")
	}
	return o.sound()
}

// linksOut indexes a folder with links to a file outside of it.
func linksOut(t *try) error {
	const private = "PRIVATEWORDS"
	t.write("private/key.md", "# Key\n\n"+private+" of the user\n")
	t.write("site/page.md", "# Page\n\nwords\n")
	target := one(t, t.path("private/key.md"), "../private/key.md", t.path("private"), "../private")
	must(os.Symlink(target, t.path("site/link.md")))
	if t.IntN(2) == 0 {
		must(os.Symlink(t.path("private"), t.path("site/more")))
	}
	if err := t.run("index", "--corpus", "corpus.db", "site").fine(); err != nil {
		return err
	}
	o := t.run("query", "--mode", "full_context", "--json", "--corpus", "corpus.db", private)
	if err := o.sound(); err != nil {
		return err
	}
	if strings.Contains(o.out, private) {
		return o.wrong("a link from the folder led to %s, and it was read", target)
	}
	return nil
}

// read is the text of a file.
func read(path string) string {
	raw, err := os.ReadFile(path)
	must(err)
	return string(raw)
}
