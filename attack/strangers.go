//go:build linux

package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// strangers are folders that somebody else has made, in which the user stands.
var strangers = family{
	name:  "strangers",
	tries: "a `.env` in the current folder that names another server, database or the user's own corpus while the user has keys, and links out of a folder that is indexed",
	holds: "without `webrag-tui trust` the other server gets no word, with it no key; what a link leads to outside of the folder is not read, and no corpus there is written",
	count: 48, short: 4,
	begin: func(a *arena) (attempt, error) {
		a.corpus()
		return func(t *try) error {
			switch {
			case t.n%4 == 0:
				return linksOut(t)
			case t.n%8 == 1:
				return corpusOut(t)
			}
			return strangersEnv(t)
		}, nil
	},
}

// strangersEnv stands in a folder whose .env names a listener.
func strangersEnv(t *try) error {
	var ear ear
	listener := httptest.NewUnstartedServer(http.NotFoundHandler())
	listener.Listener = &tapped{listener.Listener, &ear}
	listener.Start()
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
	// Only that of the server in question, since a key for embeddings selects them.
	key := map[string][2]string{
		"embedding": {"EMBEDDING_API_KEY", "embedding"}, "rerank": {"RETRIEVAL_RERANK_API_KEY", "retrieval"}, "llm": {"LLM_API_KEY", "llm"},
	}[which]
	switch {
	case key[0] == "":
	case t.IntN(2) == 0:
		c.env = append(c.env, key[0]+"="+secret)
	default:
		_, name, _ := strings.Cut(strings.ToLower(key[0]), "_")
		t.write("home/webrag-tui/config.toml", "["+key[1]+"]\n"+name+" = \""+secret+"\"\n")
	}
	c.env = append(c.env, "PGPASSWORD="+secret)
	c.args = one(t, []string{"query", "--mode", "chunk", questions[0]}, []string{"context", "--mode", "chunk", questions[0]})
	switch which {
	case "embedding":
		c.args = one(t, []string{"index", "--reembed"}, []string{"doctor"}, []string{"index", "--corpus", "new.db", filepath.Join(t.arena.dir, "first", "pages")})
	case "database":
		c.args = one(t, []string{"query", questions[0]}, []string{"doctor"}, []string{"docs", "list"})
	}
	if which != "database" && !slices.Contains(c.args, "--corpus") {
		c.args = append(c.args, "--corpus", corpus)
	}
	// A yes sends the other server words, but never the user's key.
	trusted := t.IntN(2) == 0 && t.call(call{dir: c.dir, args: []string{"trust"}}).code == 0
	o := t.call(c)
	if heard := ear.text(); heard != "" && !trusted || strings.Contains(heard, secret) {
		what := "words"
		if strings.Contains(heard, secret) {
			what = "the user's key"
		}
		return o.wrong("a folder's .env (%s) made it send %s to another server without being asked", which, what)
	}
	if strings.Contains(o.out+o.err, secret) {
		return o.wrong("prints a key")
	}
	return o.sound()
}

// ear keeps what listeners hear.
type ear struct {
	mu    sync.Mutex
	heard strings.Builder
}

func (e *ear) text() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.heard.String()
}

// tapped is a listener at which every byte is heard, of any protocol.
type tapped struct {
	net.Listener
	ear *ear
}

func (l *tapped) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return &tappedConn{conn, l.ear}, err
}

type tappedConn struct {
	net.Conn
	ear *ear
}

func (c *tappedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.ear.mu.Lock()
	defer c.ear.mu.Unlock()
	c.ear.heard.Write(p[:n])
	return n, err
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

// corpusOut stands in a folder whose .env names a corpus outside of it, and indexes.
func corpusOut(t *try) error {
	corpus := t.copyOf(t.guide.path, "mine.db")
	before := read(corpus)
	t.write("folder/page.md", "# Page\n\nof a stranger\n")
	must(os.MkdirAll(t.path("folder/sub"), 0o755))
	must(os.Symlink(corpus, t.path("folder/link.db")))
	must(os.Symlink(t.dir, t.path("folder/up")))
	place := one(t, corpus, "../mine.db", "sub/../../mine.db", "missing/../../mine.db", "./missing/.././../mine.db", "link.db", "up/mine.db", "sub/../link.db",
		t.path("folder")+"/missing/../../mine.db", "up/folder/../mine.db")
	t.write("folder/.env", "DATABASE_URL="+place+"\n")
	o := t.call(call{dir: t.path("folder"), args: []string{"index", "page.md"}})
	if read(corpus) != before {
		return o.wrong("a folder's .env (%s) made it write to a corpus outside without being asked", place)
	}
	if o.code == 0 {
		return o.wrong("a folder's .env (%s) named a corpus outside, and nothing was said", place)
	}
	return o.sound()
}

// read is the text of a file.
func read(path string) string {
	raw, err := os.ReadFile(path)
	must(err)
	return string(raw)
}
