//go:build linux

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/webrag/webrag-tui/remote/remotetest"
)

// servers are servers of models that are ill, or belong to somebody else.
var servers = family{
	name:  "servers",
	tries: "servers of embeddings, ranks and language models that hang, stream without end, send bombs, wrong shapes, NaN, redirects, absurd Retry-Afters and control sequences",
	holds: "an answer without them or a sentence with exit code 2 or 3, less than 1 GB, words within 5 seconds and an end within 5 seconds of an interrupt; a key reaches no other host",
	count: 3 * len(modes), short: 4,
	begin: func(a *arena) (attempt, error) {
		good := httptest.NewServer(http.HandlerFunc(embed))
		a.after = append(a.after, good.Close)
		a.corpus()
		// A corpus of the vectors of a good server, which the bad one is asked about.
		corpus := filepath.Join(a.dir, "served.db")
		home := a.standIn(filepath.Join(a.dir, "served.home"))
		must(home.call(call{args: []string{"index", "--corpus", corpus, filepath.Join(a.dir, "first", "pages")}, env: embeddingOf(good.URL)}).fine())
		return func(t *try) error {
			m := modes[t.n/len(roles)%len(modes)]
			role := roles[t.n%len(roles)]
			if err := serve(t, m, role, corpus, good.URL); err != nil {
				return fmt.Errorf("a server for %s that %s: %w", role.name, m.name, err)
			}
			return nil
		}, nil
	},
}

// secret is a key that nobody but the configured host may get, or any output show.
const secret = "sk-PWNSECRET0123456789"

func embeddingOf(address string) []string {
	return []string{"EMBEDDING_BASE_URL=" + address + "/v1", "EMBEDDING_MODEL=m", "EMBEDDING_API_KEY=" + secret}
}

// role is what a server is for.
type role struct {
	name string
	args [][]string
	env  func(bad, good string) []string
	say  string // the beginning of a right answer
}

var roles = []role{
	{"embeddings", [][]string{{"query", "--json", questions[0]}, {"index", "--reembed"}, {"doctor"}}, func(bad, _ string) []string { return embeddingOf(bad) }, `{"object":"list","data":[{"index":0,"embedding":[`},
	{"ranks", [][]string{{"query", "--json", "--mode", "chunk", questions[0]}}, func(bad, good string) []string {
		return append(embeddingOf(good), "RETRIEVAL_RERANK_ENABLED=true", "RETRIEVAL_RERANK_BASE_URL="+bad, "RETRIEVAL_RERANK_API_KEY="+secret)
	}, `{"results":[{"index":0,"relevance_score":`},
	{"words", [][]string{{"query", "--json", "--mode", "chunk", "--set", "reranker=llm", questions[0]}}, func(bad, good string) []string {
		return append(embeddingOf(good), "LLM_BASE_URL="+bad+"/v1", "LLM_MODEL=m", "LLM_API_KEY="+secret)
	}, `{"choices":[{"message":{"role":"assistant","content":"`},
}

// mode is how a server is ill; it waits if nothing but an interrupt need end the
// command.
type mode struct {
	name  string
	step  func(say, elsewhere string) remotetest.Step
	waits bool
}

func saying(status int, text string, headers ...string) func(string, string) remotetest.Step {
	return func(string, string) remotetest.Step { return remotetest.Say(status, text, headers...) }
}

var modes = []mode{
	{"never answers", func(string, string) remotetest.Step { return remotetest.Never() }, true},
	{"sends headers only", func(string, string) remotetest.Step { return remotetest.Trickle("application/json") }, true},
	{"stops within its answer", func(say, _ string) remotetest.Step { return remotetest.Trickle("application/json", say) }, true},
	{"never ends its answer", func(say, _ string) remotetest.Step { return remotetest.Endless(200, say+"1,") }, true},
	{"never ends its error", func(string, string) remotetest.Step { return remotetest.Endless(500, "no ") }, true},
	{"never ends a string", func(string, string) remotetest.Step { return remotetest.Endless(200, strings.Repeat("a", 1000)) }, true},
	{"nests without end", func(string, string) remotetest.Step { return remotetest.Endless(200, strings.Repeat("[", 1000)) }, true},
	{"sends a bomb", func(string, string) remotetest.Step { return bomb(200) }, true},
	{"sends a bomb as its error", func(string, string) remotetest.Step { return bomb(400) }, true},
	{"sends headers without end", func(string, string) remotetest.Step { return headers() }, true},
	{"resets", func(string, string) remotetest.Step { return remotetest.Reset() }, true},
	{"breaks off", func(say, _ string) remotetest.Step { return remotetest.BreakOff("application/json", say) }, true},
	{"asks to come back in 277 hours", saying(429, "busy", "Retry-After", "999999"), true},
	{"asks to come back never", saying(503, "busy", "Retry-After", "99999999999999999999"), true},
	{"asks to come back in the past", saying(429, "busy", "Retry-After", "-5"), true},
	{"redirects to another host", func(_, to string) remotetest.Step { return remotetest.Say(307, "", "Location", to) }, true},
	{"redirects another way", func(_, to string) remotetest.Step { return remotetest.Say(302, "", "Location", to) }, true},
	{"redirects to a file", saying(307, "", "Location", "file:///etc/passwd"), true},
	{"redirects to itself", saying(307, "", "Location", "/v1/embeddings"), true},
	{"says no", saying(401, `{"error":{"message":"wrong key `+secret+`"}}`), false},
	{"says that there is no such thing", saying(404, "no"), false},
	{"is out of order", saying(500, ""), true},
	{"says nothing", saying(200, ""), true},
	{"says HTML", saying(200, "<html>log in"), true},
	{"says null", saying(200, "null"), true},
	{"says a list", saying(200, "[]"), true},
	{"says nothing of it", saying(200, "{}"), true},
	{"gives no vectors", saying(200, `{"data":[],"results":[],"choices":[]}`), true},
	{"gives too few dimensions", saying(200, `{"data":[{"index":0,"embedding":[1,2]}],"results":[{"index":0}],"choices":[{}]}`), true},
	{"gives a wrong place", saying(200, `{"data":[{"index":-1,"embedding":[1]}],"results":[{"index":-1,"relevance_score":1}],"choices":[{"message":{"content":"[999999999999]"}}]}`), true},
	{"gives a huge place", saying(200, `{"data":[{"index":9223372036854775807,"embedding":[1]}],"results":[{"index":9223372036854775807,"relevance_score":1}]}`), true},
	{"gives no number", saying(200, `{"data":[{"index":0,"embedding":[NaN]}],"results":[{"index":0,"relevance_score":NaN}]}`), true},
	{"gives numbers out of range", saying(200, `{"data":[{"index":0,"embedding":[1e999]}],"results":[{"index":0,"relevance_score":1e999}]}`), true},
	{"gives a vector of zeros", saying(200, `{"data":[{"index":0,"embedding":[`+strings.Repeat("0,", 31)+`0]}],"results":[]}`), true},
	{"gives a million dimensions", saying(200, `{"data":[{"index":0,"embedding":[`+strings.Repeat("0.5,", 1e6)+`0]}]}`), true},
	{"says what no terminal should", saying(400, `{"error":{"message":"`+strings.NewReplacer("\x1b", `\u001b`, "\a", `\u0007`).Replace(smuggled[0]+smuggled[1])+`"}}`), false},
	{"says what no terminal should, raw", saying(400, strings.Join(smuggled, "")), false},
	{"says it in a header", saying(400, "no", "Content-Type", "text/plain; \x1b]0;PWN3D", "X-Request-Id", "\u009b31337m"), false},
	{"answers with it", func(say, _ string) remotetest.Step { return remotetest.Say(200, say+strings.Join(smuggled, "")) }, true},
	{"says bytes that are no text", saying(500, "\xff\xfe\x80"), true},
}

// bomb is 20 GB of zeros, packed into 20 MB.
func bomb(status int) remotetest.Step {
	var b bytes.Buffer
	zip, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	must(err)
	_, err = zip.Write(make([]byte, 64<<20))
	must(err)
	must(zip.Close())
	return func(w http.ResponseWriter, r *http.Request, _ remotetest.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(status)
		for range 320 { // packed files one behind another are one file
			if _, err := w.Write(b.Bytes()); err != nil || r.Context().Err() != nil {
				return
			}
		}
	}
}

// headers sends headers until the client is gone.
func headers() remotetest.Step {
	return func(w http.ResponseWriter, _ *http.Request, _ remotetest.Request) {
		hijacker, ok := w.(http.Hijacker)
		if !ok {
			return
		}
		conn, _, err := hijacker.Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		_, err = io.WriteString(conn, "HTTP/1.1 200 OK\r\n")
		for err == nil {
			_, err = io.WriteString(conn, "X-More: "+strings.Repeat("a", 1000)+"\r\n")
		}
	}
}

// serve runs the commands of a role against an ill server.
func serve(t *try, m mode, r role, corpus, good string) error {
	var leaked atomic.Pointer[string]
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var sent bytes.Buffer
		_ = r.Write(&sent)
		if strings.Contains(sent.String(), secret) {
			text := r.URL.Path
			leaked.Store(&text)
		}
		_, _ = io.WriteString(w, "{}")
	}))
	defer other.Close()
	step := m.step(r.say, strings.Replace(other.URL, "127.0.0.1", "localhost", 1)+"/elsewhere")
	var asked atomic.Int32
	bad := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(q.Body)
		if err != nil {
			return
		}
		asked.Add(1)
		step(w, q, remotetest.Request{Method: q.Method, Path: q.URL.Path, Header: q.Header, Body: body})
	}))
	defer bad.Close()
	defer bad.CloseClientConnections()
	path := t.copyOf(corpus, "corpus.db")
	for _, args := range r.args {
		c := call{args: append(append([]string(nil), args...), "--corpus", path), env: r.env(bad.URL, good), most: 30 * time.Second}
		var stopped time.Time
		c.during = func(p *os.Process) {
			// One that goes on trying must have said so by now, and end when asked.
			ended := waits(p.Pid, 5*time.Second)
			if !ended && m.waits {
				stopped = time.Now()
				_ = p.Signal(syscall.SIGINT)
			}
		}
		o := t.call(c)
		if !stopped.IsZero() && o.code == 130 && !o.overdue && o.peak <= mostMemory {
			if late := time.Since(stopped); late > 5*time.Second {
				return o.wrong("ended %s after an interrupt", late.Round(time.Second))
			}
			if strings.TrimSpace(o.err) == "" {
				return o.wrong("had said nothing for 5 seconds")
			}
			o.code = 3
		}
		if err := o.sound(); err != nil {
			return err
		}
		if strings.Contains(o.out+o.err, secret) {
			return o.wrong("prints the key: %s", o.said())
		}
		if o.code == 0 && strings.HasPrefix(o.out, "{") && !json.Valid([]byte(o.out)) {
			return o.wrong("prints broken JSON")
		}
	}
	if asked.Load() == 0 {
		must(fmt.Errorf("the server for %s was never asked", r.name))
	}
	if path := leaked.Load(); path != nil {
		return fmt.Errorf("the key reached another host, at %s", *path)
	}
	return nil
}

// waits says whether a process has ended within a time.
func waits(pid int, most time.Duration) bool {
	for end := time.Now().Add(most); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		// One that has ended and was not asked about has no memory any more.
		if resident(pid) == 0 {
			return true
		}
	}
	return false
}
