//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// endless puts what has no end, or is far too large, where a file is expected.
var endless = family{
	name:  "endless",
	tries: "a FIFO, /dev/zero, a sparse file of 8 GB, 100 MB in one line and a folder in place of every file that a command opens",
	holds: "a sentence within seconds and less than 1 GB of memory",
	count: len(inputs) * len(bottomless), short: 4,
	begin: func(a *arena) (attempt, error) {
		a.corpus()
		return func(t *try) error {
			kind := bottomless[t.n%len(bottomless)]
			in := inputs[t.n/len(bottomless)%len(inputs)]
			path := t.path(in.name)
			must(os.MkdirAll(filepath.Dir(path), 0o755))
			kind.make(path)
			c := call{args: in.args, env: in.env, most: 20 * time.Second}
			for i, arg := range c.args {
				if arg == "CORPUS" {
					c.args = append([]string(nil), c.args...)
					c.args[i] = t.copyOf(t.guide.path, "corpus.db")
				}
			}
			if in.screen {
				x := t.open(c)
				x.until(10*time.Second, "a corpus", "Ask", "webrag-tui:")
				if err := x.end(t.ctx); err != nil {
					return fmt.Errorf("%s as %s: %w", kind.name, in.name, err)
				}
				return nil
			}
			if err := t.call(c).sound(); err != nil {
				return fmt.Errorf("%s as %s: %w", kind.name, in.name, err)
			}
			return nil
		}, nil
	},
}

// input is a file that a command opens, by a path in the attempt's folder.
type input struct {
	name   string
	args   []string
	env    []string
	screen bool // the command draws
}

var inputs = []input{
	{name: ".env", args: []string{"docs", "list", "--corpus", "CORPUS"}},
	{name: "config.toml", args: []string{"docs", "list", "--config", "config.toml", "--corpus", "CORPUS"}},
	{name: "home/webrag-tui/config.toml", args: []string{"docs", "list", "--corpus", "CORPUS"}},
	{name: "some.db", args: []string{"query", "--corpus", "some.db", "x"}},
	{name: "some.db", args: []string{"doctor", "--corpus", "some.db"}},
	{name: "some.db", args: []string{"index", "--corpus", "some.db", "--reembed"}},
	{name: "some.db", args: []string{"copy", "--from", "some.db", "--to", "to.db"}},
	{name: "page.md", args: []string{"index", "--corpus", "CORPUS", "page.md"}},
	{name: "page.html", args: []string{"index", "--corpus", "CORPUS", "page.html"}},
	{name: "lines.jsonl", args: []string{"index", "--corpus", "CORPUS", "lines.jsonl"}},
	{name: "folder/page.md", args: []string{"index", "--corpus", "CORPUS", "folder"}},
	{name: "edges.jsonl", args: []string{"edges", "import", "--corpus", "CORPUS", "edges.jsonl"}},
	{name: "passage.md", args: []string{"query", "--corpus", "CORPUS", "--selected-text", "passage.md", "x"}},
	{name: "passage.md", args: []string{"context", "--corpus", "CORPUS", "--selected-text", "passage.md", "x"}},
	{name: "profile.toml", args: []string{"query", "--corpus", "CORPUS", "--profile", "./profile.toml", "x"}},
	{name: "home/webrag-tui/profiles/mine.toml", args: []string{"profile", "list"}},
	{name: "questions.txt", args: []string{"ann", "--corpus", "CORPUS", "--queries", "questions.txt"}},
	{name: "tokenizer.json", args: []string{"index", "--corpus", "new.db", "CORPUS"}, env: []string{"EMBEDDING_TOKENIZER=hf:tokenizer.json"}},
	{name: "model/model.safetensors", args: []string{"index", "--corpus", "new.db", "CORPUS"}, env: []string{"EMBEDDING_PROVIDER=model2vec", "EMBEDDING_MODEL=model"}},
	{name: "model/config.json", args: []string{"index", "--corpus", "new.db", "CORPUS"}, env: []string{"EMBEDDING_PROVIDER=model2vec", "EMBEDDING_MODEL=model"}},
	{name: "talk.tour", args: []string{"explore", "--corpus", "CORPUS", "--script", "talk.tour"}, screen: true},
	{name: "session.jsonl", args: []string{"replay", "session.jsonl"}, screen: true},
	{name: "theme.toml", args: []string{"explore", "--corpus", "CORPUS", "--theme", "./theme.toml"}, screen: true},
	{name: "home/webrag-tui/keys.toml", args: []string{"keys"}},
}

// bottomless are what stands in their place.
var bottomless = []struct {
	name string
	make func(path string)
}{
	{"a FIFO", func(path string) { must(syscall.Mkfifo(path, 0o600)) }},
	{"/dev/zero", func(path string) { must(os.Symlink("/dev/zero", path)) }},
	{"8 GB of nothing", func(path string) {
		must(os.WriteFile(path, nil, 0o600))
		must(os.Truncate(path, 8<<30))
	}},
	{"100 MB in a line", func(path string) {
		f, err := os.Create(path)
		must(err)
		block := make([]byte, 1<<20)
		for i := range block {
			block[i] = 'a'
		}
		for range 100 {
			_, err := f.Write(block)
			must(err)
		}
		must(f.Close())
	}},
	{"a folder", func(path string) { must(os.Mkdir(path, 0o755)) }},
}
