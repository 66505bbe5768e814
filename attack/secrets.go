//go:build linux

package main

import (
	"path/filepath"
	"strings"
)

// secrets are keys and passwords in the places where people write them.
var secrets = family{
	name:  "secrets",
	tries: "passwords and keys in every form of an address and of a setting, printed by every command that speaks of settings, addresses or errors, and in recordings and logs",
	holds: "they are never printed or written",
	count: 2 * len(places), short: 3,
	begin: func(a *arena) (attempt, error) {
		a.corpus()
		return func(t *try) error {
			p := places[t.n%len(places)]
			corpus := t.guide.path
			env := []string{p}
			for _, args := range [][]string{
				{"config", "show"},
				{"config", "show", "--json"},
				{"query", "--json", "--debug", questions[0]},
				{"doctor"},
				{"doctor", "--json"},
				{"docs", "list", "--debug"},
				{"index", "--reembed", "--debug"},
				{"copy", "--from", corpus, "--to", t.path("to.db")},
			} {
				c := call{args: args, env: env}
				if !strings.HasPrefix(p, "DATABASE_URL") {
					if args[0] != "config" && args[0] != "copy" {
						c.args = append(append([]string(nil), args...), "--corpus", t.copyOf(corpus, "corpus.db"))
					}
				} else if args[0] == "copy" {
					c.args = []string{"copy", "--from", strings.TrimPrefix(p, "DATABASE_URL="), "--to", t.path("to.db")}
				}
				o := t.call(c)
				if err := o.sound(); err != nil {
					return err
				}
				if at := strings.Index(o.out+o.err, secretWord); at >= 0 {
					return o.wrong("with %s prints %s", brief(p), brief(around(o.out+o.err, at)))
				}
			}
			logs, err := filepath.Glob(t.path("home/webrag-tui/*"))
			must(err)
			for _, path := range logs {
				if !strings.HasSuffix(path, ".log") {
					continue
				}
				if text := read(path); strings.Contains(text, secretWord) {
					return call{args: []string{"--debug"}}.wrong(p, around(text, strings.Index(text, secretWord)))
				}
			}
			return nil
		}, nil
	},
}

func (c call) wrong(place, where string) error {
	return outcome{call: c}.wrong("with %s writes %s", brief(place), brief(where))
}

const secretWord = "hunter2hunter2"

// places are settings with a secret in them; no server listens there.
var places = []string{
	"DATABASE_URL=postgres://app:" + secretWord + "@127.0.0.1:1/rag",
	"DATABASE_URL=postgres://app@127.0.0.1:1/rag?password=" + secretWord,
	"DATABASE_URL=postgres://127.0.0.1:1/rag?user=app&PASSWORD=" + secretWord,
	"DATABASE_URL=postgres://app@127.0.0.1:1/rag?sslmode=disable&sslpassword=" + secretWord,
	"DATABASE_URL=host=127.0.0.1 port=1 user=app password=" + secretWord + " dbname=rag",
	"DATABASE_URL=host=127.0.0.1 port=1 user=app password='" + secretWord + " \\' more' dbname=rag",
	"DATABASE_URL=password = " + secretWord + " host=127.0.0.1 port=1",
	"DATABASE_URL=postgres://app:a/b#" + secretWord + "@127.0.0.1:1/rag",
	"DATABASE_URL=postgres://app:a@" + secretWord + "@127.0.0.1:1/rag",
	"DATABASE_URL=postgres://app:%zz" + secretWord + "@127.0.0.1:1/rag",
	"DATABASE_URL=postgresql://app:" + secretWord + "@[::1/rag",
	"DATABASE_URL=postgres://app:a?" + secretWord + "@127.0.0.1:1/rag",
	"DATABASE_URL=a:" + secretWord + "@127.0.0.1:1/rag",
	"DATABASE_URL=Server=127.0.0.1;Pwd=" + secretWord,
	"EMBEDDING_API_KEY=" + secretWord,
	"EMBEDDING_BASE_URL=127.0.0.1:1/v1?api_key=" + secretWord,
	"EMBEDDING_BASE_URL=//user:" + secretWord + "@127.0.0.1:1/v1",
	"EMBEDDING_BASE_URL=api_key=" + secretWord,
	"EMBEDDING_BASE_URL=http://127.0.0.1:1/v1?api_key=" + secretWord,
	"EMBEDDING_BASE_URL=http://127.0.0.1:1/v1?key=" + secretWord,
	"EMBEDDING_BASE_URL=http://user:" + secretWord + "@127.0.0.1:1/v1",
	"EMBEDDING_BASE_URL=http://user:%zz" + secretWord + "@127.0.0.1:1/v1",
	"EMBEDDING_BASE_URL=http://" + secretWord + "@127.0.0.1:1/v1",
	"EMBEDDING_BASE_URL=http://127.0.0.1:1/v1?token=" + secretWord + "#" + secretWord,
	"RETRIEVAL_RERANK_API_KEY=" + secretWord,
	"RETRIEVAL_RERANK_BASE_URL=http://127.0.0.1:1/v1?api-key=" + secretWord,
	"LLM_API_KEY=" + secretWord,
	"LLM_BASE_URL=http://a:" + secretWord + "@127.0.0.1:1/v1",
	"PGPASSWORD=" + secretWord,
}
