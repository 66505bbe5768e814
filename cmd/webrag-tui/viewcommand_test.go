package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// viewOf is what a command line opens the explorer with: the words after the
// program's name, up to the query.
func viewOf(t *testing.T, environ, words []string) (viewCommand, param.Params) {
	t.Helper()
	a := newApp(process{args: words, environ: environ, now: time.Now})
	cmd, rest, err := newRoot(a).Find(words)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.ParseFlags(rest); err != nil {
		t.Fatalf("%q: %v", words, err)
	}
	c, from, _, err := retrievalBasis(a.loadConfig)
	if err != nil {
		t.Fatalf("%q: %v", words, err)
	}
	v := viewCommand{app: a, c: c, configured: corpusPlace(c).id(), place: corpusPlace(c).id()}
	if cmd.Name() == "demo" {
		v.place = guidePlace
	}
	if v.start, err = startOf(c, from); err != nil {
		t.Fatal(err)
	}
	return v, adaptTo(c, v.place, v.start).Params
}

// Whatever was tuned, and from wherever it started, the command line of the view
// gives the same parameters again.
func TestTheCommandOfAViewGivesItsParameters(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, given := range []struct {
		name    string
		environ []string
		words   []string
		start   string // chosen inside, "" for the one of the command
		set     []string
	}{
		{name: "nothing given"},
		{name: "tuned", set: []string{"similarity_floor=0.21", "top_k=7"}},
		{name: "the demo", words: []string{"demo"}},
		{name: "the demo tuned", words: []string{"demo"}, set: []string{"depth_decay_rate=0.1"}},
		{name: "the demo in another mode", words: []string{"demo"}, set: []string{"mode=chunk"}},
		{name: "the demo with another preset", words: []string{"demo"}, start: "hybrid", set: []string{"mode=auto"}},
		{name: "flags", words: []string{"explore", "--preset", "topk", "--set", "top_k=3", "--exact", "--owner", "it's me", "--corpus", "a b.db"}},
		{name: "flags and tuned over them", words: []string{"explore", "--mode", "chunk", "--set", "top_k=3"}, set: []string{"top_k=9", "mode=auto"}},
		{name: "another preset over flags", words: []string{"--preset", "topk", "--set", "top_k=3"}, start: "hybrid", set: []string{"similarity_floor=0.5"}},
		{name: "an environment", environ: []string{"WEBRAG_PRESET=graph"}, set: []string{"top_k=4"}},
		{name: "an environment and another preset", environ: []string{"WEBRAG_PRESET=graph"}, start: "webrag"},
	} {
		t.Run(given.name, func(t *testing.T) {
			v, p := viewOf(t, given.environ, append(given.words, "--config", empty))
			start := v.start.Name
			if given.start != "" {
				b, err := openBasis(given.start)
				if err != nil {
					t.Fatal(err)
				}
				from, err := startOf(v.c, b)
				if err != nil {
					t.Fatal(err)
				}
				start, p = given.start, adaptTo(v.c, v.place, from).Params
			}
			for _, pair := range given.set {
				field, text, _ := strings.Cut(pair, "=")
				if err := p.Set(field, text); err != nil {
					t.Fatal(err)
				}
			}
			words := v.words(v.place, start, p)
			again, got := viewOf(t, given.environ, words[1:])
			if got != p {
				t.Errorf("%q gives\n%+v, want\n%+v", words, got, p)
			}
			if again.place != v.place || again.start.Name != start {
				t.Errorf("%q opens %s from %s, want %s from %s", words, again.place, again.start.Name, v.place, start)
			}
			if owner := again.c.Text("corpus.owner"); owner != v.c.Text("corpus.owner") {
				t.Errorf("%q is of owner %q", words, owner)
			}
		})
	}
}

func TestTheCommandOfAViewNamesItsCorpus(t *testing.T) {
	v, p := viewOf(t, nil, []string{"--corpus", "postgres://u:secret@host/db"})
	words := v.words(v.place, v.start.Name, p)
	if at := slices.Index(words, "--corpus"); at < 0 || words[at+1] != "postgres://u@host/db" {
		t.Errorf("got %q", words)
	}
	v, _ = viewOf(t, nil, nil)
	for place, want := range map[string]string{
		guidePlace:   "webrag-tui demo",
		"/other.db":  "webrag-tui explore --corpus /other.db",
		v.configured: "webrag-tui explore",
	} {
		if got := strings.Join(v.words(place, v.start.Name, adaptTo(v.c, place, v.start).Params), " "); got != want {
			t.Errorf("%s: got %q, want %q", place, got, want)
		}
	}
	v.place = "/last.db" // the one that was last open
	if got := strings.Join(v.words("/last.db", v.start.Name, v.start.Params), " "); got != "webrag-tui explore --corpus /last.db" {
		t.Errorf("got %q", got)
	}
}
