package indexing

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// wordsOf spells the words of a markdown text, loose ones in brackets.
func wordsOf(text string) []string {
	p := &page{text: text}
	p.scan()
	v := vocabulary{}
	read := p.words(v)
	spelled := make([]string, len(v))
	for word, number := range v {
		spelled[number] = word
	}
	var out []string
	for _, w := range read {
		s := spelled[w.number]
		if w.loose {
			s = "[" + s + "]"
		}
		out = append(out, s)
	}
	return out
}

// TestWords reads texts that converters write in different ways and that say the
// same.
func TestWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in, want string
	}{
		{"a worked example", "## The *left_pad* function\n\nSee [the docs](https://x.example/a_b).\n", "the left pad function see the docs"},
		{"escapes", `snake\_case, 2 \* 3 \[x\]`, "snake case 2 3 x"},
		{"underlined headings", "Depth\n-----\n\ntext\n", "depth text"},
		{"a permalink", "## Depth[¶](#depth \"Permalink to this heading\")\n", "depth"},
		{"numbers of items", "1. one\n2. two\n\n   - three\n* four\n", "one two three four"},
		{"numbers of headings", "## 2. Two\n", "2 two"},
		{"a code block", "```python\nx = 1\n# a &lt; b <b>\n```\n", "x 1 a lt b b"},
		{"a table", "| a | b |\n|---|:-:|\n| 1 | 2<br>3 |\n", "a b 1 2 3"},
		{"entities", "a&nbsp;b &lt;c&gt; caf&eacute; &unknown; AT&T", "a b c café unknown at t"},
		{"elements, but not of a program", "H<sub>2</sub>O, <span class=\"x y\">List</span> <T> x < y", "h 2 o list t x y"},
		{"addresses", "see https://x.example/a?b=c, <https://y.example/z> and [https://z.example](https://z.example)", "see and"},
		{"definitions of links", "[a][1]\n\n[1]: https://x.example \"title\"\n", "a"},
		{"images", "![a tree](tree.png) grows", "[a] [tree] grows"},
		{"formulas", "so $e = mc^2$ holds", "so [e] [mc] [2] holds"},
		{"what is not seen", "soft\u00adware and zero\u200bwidth\u00a0space", "software and zerowidth space"},
		{"quotes", "don’t “quote”", "don t quote"},
		{"marks", "cafe\u0301 ́x", "cafe\u0301 x"},
		{"scripts without spaces", "全文検索はBM25です", "全 文 検 索 は bm25 で す"},
		{"emoji", "done ✅👩\u200d💻!", "done ✅ 👩 💻"},
		{"rules", "a\n\n* * *\n\nb\n", "a b"},
		{"nothing", "", ""},
	} {
		if got := strings.Join(wordsOf(c.in), " "); got != c.want {
			t.Errorf("%s: %q reads %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

// Words stand in their order, apart from each other, and inside of the text.
func TestWordsAreInOrder(t *testing.T) {
	t.Parallel()
	gen := markdownGen()
	rapid.Check(t, func(t *rapid.T) {
		p := &page{text: gen.Draw(t, "markdown")}
		p.scan()
		read := p.words(vocabulary{})
		if !slices.IsSortedFunc(read, func(a, b word) int { return int(a.from - b.from) }) {
			t.Fatal("not in order")
		}
		last := 0
		for _, w := range read {
			if int(w.from) < last && int(w.to) > last || w.to <= w.from || int(w.to) > len(p.text) {
				t.Fatalf("the word at %d to %d comes after %d", w.from, w.to, last)
			}
			last = max(last, int(w.to))
		}
	})
}
