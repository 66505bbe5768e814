//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// topics are what the pages are about; each has pages of its own.
var topics = strings.Fields("boosting retries ranking depth fusion embedding tokens budget quotation anchor heading crawler index vector keyword cosine")

// questions are asked of every corpus whose content is compared.
var questions = []string{"how does boosting change the ranking", "retries and budget", "the cosine of a quotation", "anchor of a heading"}

// makePages writes a folder of pages that are the same in every run. With edition 2
// some pages are changed, some gone and some new.
func makePages(folder string, count, edition int) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	extra := fmt.Sprintf("<html><head><title>Extra %d</title></head><body><h1>Extra</h1><p>retries and boosting <a href='retries-1.md'>more</a></p>"+
		"<h2>Table</h2><table><tr><th>a<th>b<tr><td>ranking<td>depth</table><pre>code</pre></body></html>", edition)
	path := filepath.Join(folder, "extra.html")
	if err := os.WriteFile(path, []byte(extra), 0o644); err != nil {
		return err
	}
	if err := os.Chtimes(path, time.Time{}, time.Unix(1767225600, 0)); err != nil {
		return err
	}
	for n := range count {
		if edition == 2 && n%7 == 3 {
			continue
		}
		draw := rand.New(rand.NewPCG(uint64(n), 0))
		if edition == 2 && n%5 == 1 || n >= count-3 {
			draw = rand.New(rand.NewPCG(uint64(n), uint64(edition)))
		}
		path := filepath.Join(folder, fmt.Sprintf("%s-%d.md", topics[n%len(topics)], n))
		if err := os.WriteFile(path, []byte(page(draw, n, count)), 0o644); err != nil {
			return err
		}
		if err := os.Chtimes(path, time.Time{}, time.Unix(1767225600, 0)); err != nil {
			return err
		}
	}
	return nil
}

// page is a page of some sections, with links to others.
func page(draw *rand.Rand, n, count int) string {
	topic := topics[n%len(topics)]
	var b strings.Builder
	fmt.Fprintf(&b, "---\ntitle: On %s %d\ndepth: %d\ntags: [%s]\n---\n\n# On %s %d\n\n", topic, n, n%4, topic, topic, n)
	for s := range 3 + draw.IntN(3) {
		fmt.Fprintf(&b, "## Part %d of %s\n\n", s, topic)
		for range 60 + draw.IntN(200) {
			b.WriteString(topics[draw.IntN(len(topics))] + " ")
		}
		to := draw.IntN(count)
		fmt.Fprintf(&b, "and [more](%s-%d.md).\n\n", topics[to%len(topics)], to)
	}
	return b.String()
}

// corpus is the path of a corpus of a few pages; an attempt takes a copy.
func (a *arena) corpus() string {
	a.guide.Do(func() {
		a.guide.path = filepath.Join(a.dir, "corpus.db")
		must(makePages(filepath.Join(a.dir, "first", "pages"), 12, 1))
		a.make(a.guide.path, filepath.Join(a.dir, "first", "pages"))
	})
	return a.guide.path
}

// make indexes pages into a new corpus.
func (a *arena) make(corpus string, args ...string) {
	t := a.standIn(corpus + ".home")
	defer os.RemoveAll(t.dir)
	must(t.run(append([]string{"index", "--corpus", corpus}, args...)...).fine())
}

// standIn is an attempt that is none: for what is prepared before.
func (a *arena) standIn(dir string) *try {
	must(os.MkdirAll(dir, 0o755))
	return &try{arena: a, Rand: rand.New(rand.NewPCG(a.seed, 0)), dir: dir}
}

// content is what a corpus holds and answers, without what no two runs have in
// common: times. The error says that it does not hold together.
func (t *try) content(corpus string, env ...string) (string, error) {
	lines := strings.Join(questions, "\n") + "\n"
	var all strings.Builder
	for _, c := range []call{
		{args: []string{"docs", "list", "--json"}},
		{args: []string{"edges", "list", "--limit", "0", "--json"}},
		{args: []string{"query", "--preset", "hybrid", "-"}, stdin: lines},
		{args: []string{"query", "--mode", "chunk", "-"}, stdin: lines},
		{args: []string{"query", "--mode", "full_context", "--budget", "10000000", "--json", "x"}},
	} {
		c.args = append(c.args, "--corpus", corpus)
		c.env = env
		o := t.call(c)
		if err := o.sound(); err != nil {
			return "", err
		}
		if o.code > 1 {
			return "", o.wrong("exit code %d: %s", o.code, o.said())
		}
		text, err := lasting(o.out)
		if err != nil {
			return "", o.wrong("%v", err)
		}
		all.WriteString(text)
	}
	return all.String(), nil
}

// passing are the fields that differ from run to run.
var passing = []string{"indexed_at", "fetched_at", "timing", "duration_ms", "webrag:root", "corpus", "updated_at"}

// lasting is JSON without the fields that are passing, a value a line.
func lasting(raw string) (string, error) {
	var b strings.Builder
	in := json.NewDecoder(strings.NewReader(raw))
	for {
		var value any
		if err := in.Decode(&value); err == io.EOF {
			return b.String(), nil
		} else if err != nil {
			return "", fmt.Errorf("what was printed is no JSON: %w", err)
		}
		text, err := json.Marshal(without(value))
		if err != nil {
			return "", err
		}
		b.Write(text)
		b.WriteByte('\n')
	}
}

func without(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			if slices.Contains(passing, key) {
				delete(v, key)
				continue
			}
			v[key] = without(inner)
		}
	case []any:
		for i := range v {
			v[i] = without(v[i])
		}
	}
	return value
}

// unchanged says whether a corpus still holds what it held, at every tenth attempt:
// reading all of it is slow.
func (t *try) unchanged(corpus, want string) error {
	if t.n%10 != 0 {
		return nil
	}
	got, err := t.content(corpus)
	if err != nil {
		return err
	}
	return same(got, want)
}

// same says where two contents differ first.
func same(got, want string) error {
	if got == want {
		return nil
	}
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	return fmt.Errorf("differs: %q, where it should say %q", around(got, i), around(want, i))
}
