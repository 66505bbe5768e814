//go:build linux

package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// pages are pages that are small to send and large to think about.
var pages = family{
	name:  "pages",
	tries: "pages of up to 8 MB that are one pattern over and over: headings, tables, lists, links, emphasis, brackets, entities, deep nesting, one word, one line",
	holds: "indexed or left out with a reason within two minutes and 1 GB; an interrupt ends it within 5 seconds",
	count: len(patterns), short: 4,
	begin: func(*arena) (attempt, error) {
		return func(t *try) error {
			p := patterns[(t.n-1)%len(patterns)]
			size := one(t, 1<<20, 1<<20, 3<<20, 8<<20)
			if t.factor < 1 {
				size = 50 << 10
			}
			text := p.before + strings.Repeat(p.again, size/len(p.again)) + strings.Repeat(p.close, p.closes(size))
			text = text[:min(len(text), 8<<20)]
			t.write("site/page."+p.kind, text)
			c := call{args: []string{"index", "--corpus", "corpus.db", "site"}, most: 2 * time.Minute}
			interrupt := t.n%3 == 0 && t.factor >= 1
			var asked time.Time
			if interrupt {
				c.during = func(process *os.Process) {
					time.Sleep(time.Duration(1000+t.IntN(4000)) * time.Millisecond)
					asked = time.Now()
					_ = process.Signal(syscall.SIGINT)
				}
			}
			o := t.call(c)
			if interrupt && o.code == 130 && time.Since(asked) > 5*time.Second {
				return fmt.Errorf("%q over and over, %d MB: ended %s after an interrupt", p.again, len(text)>>20, time.Since(asked).Round(time.Second))
			}
			if interrupt && o.code == 130 && o.peak <= mostMemory {
				return nil
			}
			if err := o.sound(); err != nil {
				return fmt.Errorf("%q over and over, %d KB: %w", p.again, len(text)>>10, err)
			}
			for _, args := range [][]string{{"query", "a"}, {"doctor"}} {
				if err := t.run(append(args, "--corpus", "corpus.db")...).sound(); err != nil {
					return fmt.Errorf("with a page of %q over and over: %w", p.again, err)
				}
			}
			return nil
		}, nil
	},
}

// pattern is what a page repeats.
type pattern struct{ kind, before, again, close string }

// closes is how often what closes is repeated: elements as often as they were
// opened, else once.
func (p pattern) closes(size int) int {
	if len(p.close) <= 6 && p.before == "" {
		return size / len(p.again)
	}
	return 1
}

var patterns = []pattern{
	{"md", "", "# a\n\n", ""},
	{"md", "", "# a\n\nb\n\n", ""},
	{"html", "", "<h2>a</h2>b", ""},
	{"html", "", "<h2>a</h2>", ""},
	{"html", "", "<div>", "</div>"},
	{"html", "", "<b><i>", ""},
	{"html", "<table>", "<tr><td>a", ""},
	{"html", "", "<table><tr><td>", ""},
	{"html", "<p>", "<a href=x>a</a> ", ""},
	{"html", "<pre>", "a ", ""},
	{"html", "<ul>", "<ul><li>a", ""},
	{"html", "", "<p id=a>", ""},
	{"html", "", "&amp;&lt;&#x41;", ""},
	{"html", "<p ", "a=b ", ""},
	{"html", "<!--", "<!-- ", ""},
	{"html", "<h1>", "a ", "</h1>"},
	{"html", "<dl>", "<dt>a<dd>b", ""},
	{"html", "", "<math><mi>", ""},
	{"md", "", "> ", "a"},
	{"md", "", "- ", "a"},
	{"md", "", "[", "]"},
	{"md", "", "![", "](a)"},
	{"md", "", "*a _b ", ""},
	{"md", "", "`", ""},
	{"md", "", "~~~~\n", ""},
	{"md", "", "| a ", "|\n|---|"},
	{"md", "| a | b |\n|---|---|\n", "| a | b |\n", ""},
	{"md", "", "[a](b) ", ""},
	{"md", "", "[a]: b\n", ""},
	{"md", "", "$a$ $$b$$ ", ""},
	{"md", "", "<b>", ""},
	{"md", "---\ntitle: a\n", "a: b\n", "---\n"},
	{"md", "---\na: ", "[", "]"},
	{"md", "---\na: &a [x]\n", "b: [*a, *a]\n", "---\n"},
	{"md", "", "a", ""},
	{"md", "", "a ", ""},
	{"md", "", "a.\n", ""},
	{"md", "", "\n", ""},
	{"md", "", "日", ""},
	{"md", "a", "\u0301", ""},
	{"md", "", "\u200d👨", ""},
	{"md", "", "a\u2028", ""},
	{"md", "", "\f", "a"},
	{"md", "", "- > 1. ", "a"},
	{"md", "[" + strings.Repeat("a", 500<<10) + "]: b\n", "=\n", ""},
	{"jsonl", `{"url":"http://x/","markdown":"`, "# a\\n\\n", `"}`},
	{"jsonl", `{"url":"http://x/","markdown":`, "[", "]"},
	{"jsonl", "", `{"url":"http://x/","markdown":"a"}` + "\n", ""},
}
