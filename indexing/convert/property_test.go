package convert

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"regexp"
	"sort"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	rendererhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	nethtml "golang.org/x/net/html"
	"pgregory.net/rapid"
)

// oracle reads markdown as others will.
func oracle() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList),
		goldmark.WithRendererOptions(rendererhtml.WithUnsafe()),
	)
}

// shown returns what a reader of HTML sees: its text and the descriptions of its
// images.
func shown(t fataler, source string) string {
	t.Helper()
	doc, err := nethtml.Parse(strings.NewReader(source))
	if err != nil {
		t.Fatalf("parse %q: %v", source, err)
	}
	var b strings.Builder
	for n := range doc.Descendants() {
		if n.Type == nethtml.TextNode {
			b.WriteString(n.Data)
		}
		if n.Data == "img" {
			b.WriteString(attr(n, "alt"))
		}
	}
	return b.String()
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func render(t fataler, md string) string {
	t.Helper()
	var b bytes.Buffer
	if err := oracle().Convert([]byte(md), &b); err != nil {
		t.Fatalf("goldmark: %v", err)
	}
	return b.String()
}

// letters keeps what no markup adds or takes away, as it does the numbers of list
// items.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, s)
}

// TestTextSurvivesMarkdown holds the escapes to their purpose: whatever the text
// of a page is, a reader of the markdown sees the same.
func TestTextSurvivesMarkdown(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{
		"a", "b", "1", "12", "Z", "é", "中", " ", "  ", "\n", "\u00a0", "*", "**", "_", "__", "`", "``", "```", "[", "]",
		"(", ")", "<", ">", "&", "&amp;", ";", "#", "##", "+", "-", "---", "=", "===", "|", ":", "~", "~~", "~~~", "!",
		"\\", "$", ".", "1.", "- ", "[x] ", "]: ", "](", "<b>", "<!--", "https", "\"", "'", "/", "^", "{", "%",
	})
	words := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 1, 10).Draw(t, "pieces"), "")
	})
	shell := rapid.SampledFrom([]string{
		"<p>%s</p>", "<h2>%s</h2>", "<ul><li>%s</li></ul>", "<blockquote>%s</blockquote>", "<ol><li>x</li><li><p>%s</p></li></ol>",
		"<table><tr><th>%s</th><th>y</th></tr></table>", "<table><tr><th>x</th><th>y</th></tr><tr><td>%s</td></tr></table>",
		"<dl><dt>%s</dt><dd>x</dd></dl>", "<p>x<br>%s</p>",
	})
	tags := rapid.SampledFrom([]string{"%s", "%s", "%s", "<em>%s</em>", "<b>%s</b>", "<code>%s</code>", "<s>%s</s>", `<a href="/u_(v)">%s</a>`, "<i>%s</i>"})
	rapid.Check(t, func(t *rapid.T) {
		var inside, want strings.Builder
		for i := range rapid.IntRange(1, 4).Draw(t, "parts") {
			s := words.Draw(t, fmt.Sprint("text", i))
			tag := tags.Draw(t, fmt.Sprint("tag", i))
			if i > 0 && rapid.Bool().Draw(t, fmt.Sprint("nested", i)) {
				tag = fmt.Sprintf(tags.Draw(t, fmt.Sprint("outer", i)), tag)
			}
			fmt.Fprintf(&inside, tag, html.EscapeString(s))
			want.WriteString(s)
		}
		page := fmt.Sprintf(shell.Draw(t, "shell"), inside.String())
		p, err := Convert(context.Background(), page, Options{URL: "https://h.example/"})
		if err != nil {
			t.Fatalf("convert: %v", err)
		}
		squeeze := func(s string) string {
			return strings.Map(func(r rune) rune {
				if unicode.IsSpace(r) {
					return -1
				}
				return r
			}, s)
		}
		got := squeeze(shown(t, render(t, p.Markdown)))
		if w := squeeze(shown(t, page)); got != w {
			t.Fatalf("page %q\nmarkdown %q\nshows %q\n want %q", page, p.Markdown, got, w)
		}
	})
}

// pages draws pages of blocks within blocks.
func pages() *rapid.Generator[string] {
	inline := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{
			"alpha", "beta <em>gamma</em>", "<b>delta</b>, epsilon", "<code>zeta(*eta)</code>", `<a href="x.html#theta">theta</a>`,
			`<img src="iota.png" alt="iota">`, "kappa<br>lambda", "mu * nu", `<span class="math">\(pi\)</span> rho`, "# sigma", "<sup>2</sup>",
		}).Draw(t, "inline")
	})
	var block *rapid.Generator[string]
	block = rapid.Custom(func(t *rapid.T) string {
		depth := rapid.IntRange(0, 12).Draw(t, "kind")
		in := func() string { return inline.Draw(t, "text") }
		sub := func() string {
			if rapid.IntRange(0, 2).Draw(t, "deeper") == 0 {
				return block.Draw(t, "block")
			}
			return in()
		}
		switch depth {
		case 0:
			return fmt.Sprintf("<h%d>%s</h2>", rapid.IntRange(1, 4).Draw(t, "level"), in())
		case 1:
			return "<ul><li>" + sub() + "</li><li>" + sub() + "</li></ul>"
		case 2:
			return `<ol start="4"><li>` + sub() + "</li><li><p>" + in() + "</p>" + sub() + "</li></ol>"
		case 3:
			return "<blockquote>" + sub() + sub() + "</blockquote>"
		case 4:
			return `<pre><code class="language-go">omega {` + "\n\n  # psi\n}</code></pre>"
		case 5:
			return "<table><caption>phi</caption><tr><th>" + in() + "</th><th>" + in() + "</th></tr><tr><td>" + in() + "</td><td><p>" + in() + "</p></td></tr></table>"
		case 6:
			return "<dl><dt>" + in() + "</dt><dd>" + sub() + "</dd><dt>" + in() + "</dt><dd><p>" + in() + "</p></dd></dl>"
		case 7:
			return `<div class="admonition note"><p class="admonition-title">Note</p>` + sub() + sub() + "</div>"
		case 8:
			return "<div>" + in() + "<section>" + sub() + "</section>" + in() + "</div>"
		case 9:
			return "<table><tr><td>" + sub() + "</td></tr><tr><td>" + sub() + "</td></tr></table>"
		default:
			return "<p>" + in() + " " + in() + "</p>"
		}
	})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(block, 1, 8).Draw(t, "blocks"), "\n")
	})
}

// eachPage runs a check over the fixtures and over drawn pages.
func eachPage(t *testing.T, check func(t fataler, page string)) {
	t.Helper()
	for _, page := range fixtures(t) {
		check(t, page)
	}
	all := pages()
	rapid.Check(t, func(t *rapid.T) { check(t, all.Draw(t, "page")) })
}

func convertDrawn(t fataler, page string) *Page {
	t.Helper()
	p, err := Convert(context.Background(), page, Options{URL: "https://h.example/dir/page.html"})
	if err != nil || p.Degraded != "" {
		t.Fatalf("convert %q: %v %s", page, err, p.Degraded)
	}
	return p
}

func TestSourceMapNests(t *testing.T) {
	t.Parallel()
	eachPage(t, func(t fataler, page string) {
		p := convertDrawn(t, page)
		var walk func(s span)
		walk = func(s span) {
			at := s.start
			for _, k := range p.spans[s.kids:s.kidsEnd] {
				if k.start < at || k.end > s.end || k.start >= k.end {
					t.Fatalf("span [%d,%d) in [%d,%d) after %d of %q", k.start, k.end, s.start, s.end, at, p.Markdown)
				}
				at = k.end
				walk(k)
			}
		}
		walk(p.root)
		// All that is not white space or the sign of a list or quote has an origin.
		at := 0
		for _, k := range p.spans[p.root.kids:p.root.kidsEnd] {
			if gap := strings.Trim(p.Markdown[at:k.start], "\n> "); gap != "" {
				t.Fatalf("%q has no origin in %q", gap, p.Markdown)
			}
			at = k.end
		}
		if rest := p.Markdown[at:]; rest != "\n" && rest != "" {
			t.Fatalf("%q has no origin", rest)
		}
		if !sort.SliceIsSorted(p.marks, func(i, j int) bool { return p.marks[i].start < p.marks[j].start }) {
			t.Fatalf("marks %v are not in order", p.marks)
		}
		for _, m := range p.marks {
			if s := p.Markdown[m.start:m.end]; s[0] != '$' && s[0] != '!' || s[len(s)-1] != '$' && s[len(s)-1] != ')' {
				t.Fatalf("mark of %q", s)
			}
		}
		if !sort.IntsAreSorted(p.KeepWithNext) {
			t.Fatalf("kept lines %v are not in order", p.KeepWithNext)
		}
	})
}

// cuts are the places where a splitter cuts at blocks: lines after blank lines,
// outside of code.
func cuts(md string) []int {
	var at []int
	fence := ""
	offset, blank := 0, true
	for line := range strings.SplitAfterSeq(md, "\n") {
		rest := strings.TrimLeft(strings.TrimRight(line, "\n"), " >-0123456789.")
		ticks := rest[:len(rest)-len(strings.TrimLeft(rest, "`"))]
		switch {
		case fence == "" && blank && line != "":
			at = append(at, offset)
			if len(ticks) >= 3 {
				fence = ticks
			}
		case fence == "" && len(ticks) >= 3:
			fence = ticks
		case fence != "" && ticks == fence && rest == ticks:
			fence = ""
		}
		blank = strings.Trim(line, " >\n") == ""
		offset += len(line)
	}
	return append(at, len(md))
}

// TestHTMLHasTheWordsOfItsRange is what html_text is for: the same words, in
// their original markup.
func TestHTMLHasTheWordsOfItsRange(t *testing.T) {
	t.Parallel()
	eachPage(t, func(t fataler, page string) {
		p := convertDrawn(t, page)
		at := cuts(p.Markdown)
		for _, step := range []int{1, 3, len(at)} {
			for i := 0; i+1 < len(at); i += step {
				start, end := at[i], at[min(i+step, len(at)-1)]
				got, omitted := p.HTML(start, end)
				md := p.Markdown[start:end]
				if omitted != "" {
					if letters(md) != "" {
						t.Fatalf("no HTML for %q: %s", md, omitted)
					}
					continue
				}
				want := letters(bare(md))
				if strings.HasPrefix(strings.TrimLeft(md, "> "), "| ") && start > 0 {
					// A part of a table repeats its caption.
					if i, j := strings.Index(got, "<caption>"), strings.Index(got, "</caption>"); i >= 0 {
						got = got[:i] + got[j:]
					}
				}
				if have := letters(shown(t, got)); have != want {
					t.Fatalf("range %q of %q\nHTML %q\nshows %q\n want %q", md, p.Markdown, got, have, want)
				}
			}
		}
	})
}

var (
	addresses = regexp.MustCompile(`\]\((?:[^()\s]|\([^()]*\))*\)`)
	fences    = regexp.MustCompile("(?m)^[-> 0-9.]*```+[a-z0-9+#._-]*$")
)

// bare takes off what markdown says beside its words: the addresses of links and
// the languages of code.
func bare(md string) string {
	return fences.ReplaceAllString(addresses.ReplaceAllString(md, ""), "")
}

func TestFlagsAreMonotone(t *testing.T) {
	t.Parallel()
	all := pages()
	rapid.Check(t, func(t *rapid.T) {
		p := convertDrawn(t, all.Draw(t, "page"))
		n := len(p.Markdown)
		a := rapid.IntRange(0, n).Draw(t, "start")
		b := rapid.IntRange(a, n).Draw(t, "end")
		m := rapid.IntRange(a, b).Draw(t, "middle")
		whole, left, right := p.Flags(a, b), p.Flags(a, m), p.Flags(m, b)
		if left|right != whole {
			t.Fatalf("flags %b and %b of the parts of %q, %b of the whole", left, right, p.Markdown[a:b], whole)
		}
	})
}

// TestHeadingsAreThoseOfGoldmark compares the headings that the source map knows
// with those that a reader of the markdown finds.
func TestHeadingsAreThoseOfGoldmark(t *testing.T) {
	t.Parallel()
	eachPage(t, func(t fataler, page string) {
		p := convertDrawn(t, page)
		var ours, theirs []string
		var walk func(s span)
		walk = func(s span) {
			if s.kind == kindHead && p.Markdown[s.start] == '#' {
				ours = append(ours, p.Markdown[s.start:s.end])
			}
			for _, k := range p.spans[s.kids:s.kidsEnd] {
				walk(k)
			}
		}
		walk(p.root)
		source := []byte(p.Markdown)
		doc := oracle().Parser().Parse(text.NewReader(source))
		for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
			if h, ok := n.(*ast.Heading); ok {
				line := h.Lines().At(0)
				theirs = append(theirs, strings.Repeat("#", h.Level)+" "+strings.TrimSpace(string(line.Value(source))))
			}
		}
		if fmt.Sprint(ours) != fmt.Sprint(theirs) {
			t.Fatalf("markdown %q\nours   %q\ntheirs %q", p.Markdown, ours, theirs)
		}
	})
}
