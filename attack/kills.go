//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// kills ends commands that write, at any moment, as a power cut or an impatient
// person would.
var kills = family{
	name:  "kills",
	tries: "kill -9 at any moment of index, replace and prune, reembed, delete and restore, edges import and copy",
	holds: "the corpus can be read at once; the same command again leaves exactly what an undisturbed one leaves; `doctor` finds nothing",
	count: 50, short: 2,
	begin: beginKills,
}

// job is something that writes, in steps.
type job struct {
	name  string
	base  string // the corpus before, "" for none
	steps [][]string
	env   []string

	once sync.Once
	want string        // the content afterwards
	took time.Duration // of an undisturbed run
}

func beginKills(a *arena) (attempt, error) {
	one, two := filepath.Join(a.dir, "k1", "pages"), filepath.Join(a.dir, "k2", "pages")
	base := filepath.Join(a.dir, "kills.db")
	must(makePages(one, 60, 1))
	must(makePages(two, 60, 2))
	a.make(base, one)
	server := httptest.NewServer(http.HandlerFunc(embed))
	a.after = append(a.after, server.Close)
	context := []string{"EMBEDDING_BASE_URL=" + server.URL + "/v1", "EMBEDDING_MODEL=m", "EMBEDDING_API_KEY=k"}
	edges := filepath.Join(a.dir, "edges.jsonl")
	must(os.WriteFile(edges, []byte(manyEdges(60)), 0o600))
	some := []string{"file:pages/boosting-0.md", "file:pages/retries-1.md", "file:pages/cosine-15.md"}
	jobs := []*job{
		{name: "index", steps: [][]string{{"index", one}}},
		{name: "replace", base: base, steps: [][]string{{"index", "--prune", two}}},
		{name: "reembed", base: base, steps: [][]string{{"index", "--reembed"}}, env: context},
		{name: "delete", base: base, steps: [][]string{append([]string{"docs", "delete"}, some...), append([]string{"docs", "restore"}, some...)}},
		{name: "remove", base: base, steps: [][]string{append([]string{"docs", "delete", "--forever"}, some...)}},
		{name: "edges", base: base, steps: [][]string{{"edges", "import", edges}}},
		{name: "copy", steps: [][]string{{"copy", "--from", base, "--to", "corpus.db"}}},
	}
	return func(t *try) error {
		j := jobs[t.n%len(jobs)]
		j.once.Do(func() {
			undisturbed := a.standIn(filepath.Join(a.dir, "undisturbed-"+j.name))
			defer os.RemoveAll(undisturbed.dir)
			began := time.Now()
			must(j.run(undisturbed, 0))
			j.took = time.Since(began)
			var err error
			j.want, err = undisturbed.content("corpus.db", j.env...)
			must(err)
		})
		if err := j.run(t, time.Duration(t.Float64()*1.1*float64(j.took))+time.Millisecond); err != nil {
			return fmt.Errorf("%s: %w", j.name, err)
		}
		got, err := t.content("corpus.db", j.env...)
		if err == nil {
			err = same(got, j.want)
		}
		if err == nil {
			err = t.call(call{args: []string{"doctor", "--corpus", "corpus.db"}, env: j.env}).fine()
		}
		if err != nil {
			return fmt.Errorf("after a killed and repeated %s: %w", j.name, err)
		}
		return nil
	}, nil
}

// run does the job; with a moment it is killed then, looked at, and done again.
func (j *job) run(t *try, moment time.Duration) error {
	if j.base != "" {
		t.copyOf(j.base, "corpus.db")
	}
	for _, step := range j.steps {
		c := call{args: step, env: append([]string{"DATABASE_URL=corpus.db"}, j.env...)}
		if moment > 0 {
			killed := c
			killed.during = func(p *os.Process) {
				time.Sleep(moment)
				_ = p.Kill()
			}
			t.call(killed)
			if _, err := os.Stat(t.path("corpus.db")); err == nil {
				look := t.run("docs", "list", "--json", "--corpus", "corpus.db")
				// A first run may have been killed before there was a corpus.
				if err := look.sound(); err != nil || look.code > 1 && j.base != "" {
					return fmt.Errorf("killed after %s: %w", moment, first(err, look.wrong("exit code %d: %s", look.code, look.said())))
				}
			}
		}
		o := t.call(c)
		// Who was killed behind the last write has nothing left to delete.
		if err := o.fine(); err != nil && (moment == 0 || o.code != 1 || step[0] != "docs") {
			return err
		}
	}
	return nil
}

// embed answers like a server of embeddings, with vectors that the texts give.
func embed(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Input []string }
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, "no JSON", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(embeddings(asked.Input))
}

// embeddings are a right answer: counts of letters, which are never all zero.
func embeddings(texts []string) map[string]any {
	data := make([]map[string]any, len(texts))
	for i, text := range texts {
		v := make([]float32, 32)
		v[0] = 1
		for _, c := range []byte(text) {
			v[c%32]++
		}
		data[i] = map[string]any{"object": "embedding", "index": i, "embedding": v}
	}
	return map[string]any{"object": "list", "model": "m", "data": data, "usage": map[string]int{"prompt_tokens": 1, "total_tokens": 1}}
}

// manyEdges are lines for "edges import" between the pages.
func manyEdges(pages int) string {
	var b []byte
	for from := range pages {
		for step := 1; step < 8; step++ {
			to := (from + step*step) % pages
			b = fmt.Appendf(b, `{"source":{"url":"file:pages/%s-%d.md"},"target":{"url":"file:pages/%s-%d.md"},"relation":"depends_on","weight":0.%d}`+"\n",
				topics[from%len(topics)], from, topics[to%len(topics)], to, step)
		}
	}
	return string(b)
}
