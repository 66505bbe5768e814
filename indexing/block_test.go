package indexing

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/offset"
)

var kindNames = map[kind]string{
	kindParagraph: "p", kindHeading: "h", kindFence: "fence", kindTable: "table", kindList: "list",
	kindQuote: "quote", kindIndented: "code", kindHTML: "html", kindRule: "hr",
}

func describe(t string, blocks []block) []string {
	out := []string{}
	for _, b := range blocks {
		name := kindNames[b.kind]
		if b.kind == kindHeading {
			name = fmt.Sprintf("h%d %s", b.level, b.title)
		}
		out = append(out, fmt.Sprintf("%s %d-%d", name, strings.Count(t[:b.start], "\n"), strings.Count(t[:b.end], "\n")))
	}
	return out
}

func TestScanBlocks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     []string // kind, first line, line after
	}{
		{"nothing", "\n \n", []string{}},
		{"blank lines belong to the left, leading ones to the right", "\n\na\n\n\nb\n", []string{"p 0-5", "p 5-6"}},
		{"other white space is blank too", "a\n\f\n\u00a0\n# B\n", []string{"p 0-3", "h1 B 3-4"}},
		{"headings", "# A\n## B ##\n### C#\n####### no\n#no\n", []string{"h1 A 0-1", "h2 B 1-2", "h3 C# 2-3", "p 3-5"}},
		{"empty headings", "#\n## ##\n", []string{"h1  0-1", "h2  1-2"}},
		{"setext", "A\n=\n\nB\nC\n---\nd\n", []string{"h1 A 0-3", "h2 B C 3-6", "p 6-7"}},
		{"a long underlined paragraph is none", "a\nb\nc\nd\n---\n# E\n", []string{"p 0-5", "h1 E 5-6"}},
		{"a ruler", "a\n\n---\n\nb\n", []string{"p 0-2", "hr 2-4", "p 4-5"}},
		{"rulers at the top", "---\na\n---\n# A\n", []string{"hr 0-1", "h2 a 1-3", "h1 A 3-4"}},
		{"rulers and blank lines at the top", "---\n\na\n\n---\n", []string{"hr 0-2", "p 2-4", "hr 4-5"}},
		{"fences keep blank lines and marks", "```go\n# no\n\n```\n# A\n", []string{"fence 0-4", "h1 A 4-5"}},
		{"a longer fence", "````\n```\n# no\n````\n", []string{"fence 0-4"}},
		{"a short unclosed fence runs to the end", "# A\n\nb\n\nc\n\nd\n\n```\n# no\n", []string{"h1 A 0-2", "p 2-4", "p 4-6", "p 6-8", "fence 8-10"}},
		{"one that would swallow the page is text", "```\n# A\n\nb\n\nc\n", []string{"p 0-1", "h1 A 1-3", "p 3-5", "p 5-6"}},
		{"lists hold no headings", "- a\n  # no\n\n  # no\n# A\n", []string{"list 0-3", "list 3-4", "h1 A 4-5"}},
		{"a fence in a list", "1. a\n   ```\n   # no\n\n   ```\n2. b\n", []string{"list 0-1", "fence 1-5", "list 5-6"}},
		{"a fence on the line of its item", "- a\n- ```\n  x\n  ```\n", []string{"list 0-1", "fence 1-4"}},
		{"a list item ends its fence", "- ```\n  x\n# A\n", []string{"fence 0-2", "h1 A 2-3"}},
		{"lazy continuation", "- a\nb\n\n> a\nb\n---\n", []string{"list 0-3", "quote 3-5", "hr 5-6"}},
		{"quotes hold no headings", "> # no\n> ```\n# A\n", []string{"quote 0-2", "h1 A 2-3"}},
		{"a table", "x\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\ny\n", []string{"p 0-1", "table 1-5", "p 5-6"}},
		{"a pipe makes no table", "a | b\n--- | --- | ---\n", []string{"p 0-2"}},
		{"html", "<div>\n# no\n</div>\n\n# A\n<!-- \n\n# no\n-->\n# B\n", []string{"html 0-4", "h1 A 4-5", "html 5-9", "h1 B 9-10"}},
		{"indented code", "    # no\n\n    b\n", []string{"code 0-2", "code 2-3"}},
		{"a number in a paragraph begins no list", "in\n2024. it was\n", []string{"p 0-2"}},
		{"a permalink is no title", "## Depth[¶](https://x.example/p#depth \"Permalink to this heading\")\n## [#](\\#top) x\n", []string{"h2 Depth 0-1", "h2 # x 1-2"}},
		{"inline marks leave a title", "# `max_depth` of [a](b) **and** *c* {#x}\n", []string{"h1 max_depth of a and c 0-1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := describe(c.in, scanBlocks(c.in)); !slices.Equal(got, c.want) {
				t.Errorf("scanBlocks(%q)\n got %q\nwant %q", c.in, got, c.want)
			}
		})
	}
}

// checkPartition holds blocks to covering the text without gaps.
func checkPartition(t interface{ Fatalf(string, ...any) }, in string, blocks []block) {
	at := 0
	for i, b := range blocks {
		if b.start != at || b.end <= b.start || b.content > b.end || b.content <= b.start {
			t.Fatalf("block %d of %q is %d-%d (content %d), expected to begin at %d", i, in, b.start, b.end, b.content, at)
		}
		if strings.TrimSpace(in[b.start:b.content]) == "" {
			t.Fatalf("block %d of %q is blank", i, in)
		}
		at = b.end
	}
	if at != len(in) && strings.TrimSpace(in) != "" {
		t.Fatalf("blocks of %q end at %d of %d", in, at, len(in))
	}
}

type heading struct{ level, line int }

// oracleHeadings are the top-level headings as goldmark's block parser sees
// them. An empty ATX heading has no position there and counts with line -1.
func oracleHeadings(in string) []heading {
	p := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(util.Prioritized(extension.NewTableParagraphTransformer(), 200)),
	)
	src := []byte(in)
	var out []heading
	for n := p.Parse(text.NewReader(src)).FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			_ = extast.KindTable
			continue
		}
		line := -1
		if h.Lines().Len() > 0 {
			line = strings.Count(in[:h.Lines().At(0).Start], "\n")
		}
		out = append(out, heading{h.Level, line})
	}
	return out
}

func scannedHeadings(in string, blocks []block) []heading {
	var out []heading
	for _, b := range blocks {
		if b.kind != kindHeading {
			continue
		}
		skip := len(in[b.start:]) - len(strings.TrimLeft(in[b.start:], " \t\n"))
		line := strings.Count(in[:b.start+skip], "\n")
		if b.title == "" && strings.Trim(in[b.start:b.content], " \t#\n") == "" {
			line = -1
		}
		out = append(out, heading{b.level, line})
	}
	return out
}

// markdownGen draws markdown made of whole constructs, and now and then of
// pieces that do not belong together.
func markdownGen() *rapid.Generator[string] {
	word := rapid.SampledFrom([]string{
		"forest", "tree", "a", "max_depth", "検索エンジン", "決定木。", "naïve", "e\u0301", "🙂", "👩‍👩‍👧", "x=1",
		"`code`", "**bold**", "[label](https://example.org/a_b)", "![alt](img.png)", "$x^2$", "don't", "1.5", "§",
	})
	words := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(word, 1, 60).Draw(t, "words"), " ")
	})
	sentence := rapid.Custom(func(t *rapid.T) string {
		return words.Draw(t, "text") + rapid.SampledFrom([]string{"", ".", "!", ":", "。"}).Draw(t, "stop")
	})
	block := rapid.Custom(func(t *rapid.T) string {
		s := sentence.Draw(t, "s")
		switch rapid.IntRange(0, 15).Draw(t, "kind") {
		case 0, 1, 2, 3:
			return strings.Repeat("#", rapid.IntRange(1, 6).Draw(t, "level")) + " " + rapid.SampledFrom([]string{"Notes", "Use", "概要", "C#", ""}).Draw(t, "h")
		case 4:
			return "```python\n" + s + "\n\n# " + s + "\n```"
		case 5:
			return "~~~\n" + strings.Repeat(s+"\n\n", rapid.IntRange(1, 12).Draw(t, "n")) + "~~~"
		case 6:
			return "| a | b |\n|---|---|\n" + strings.Repeat("| "+s+" | 1 |\n", rapid.IntRange(1, 12).Draw(t, "n"))
		case 7:
			return "- " + s + "\n- " + s + "\n  # no\n\n  ```\n  " + s + "\n  ```"
		case 8:
			return "1. " + s + "\n2. " + s
		case 9:
			return "> " + s + "\n> # no\n" + s
		case 10:
			return "Title of it\n==="
		case 11:
			return "    indented\n    # no"
		case 12:
			return "<div>\n# no\n</div>"
		case 13:
			return strings.Repeat("x", rapid.IntRange(1, 900).Draw(t, "n"))
		case 14:
			return rapid.SampledFrom([]string{"---", "***", "!!! note", "Note", "***\n\n\n \n", "\ttab"}).Draw(t, "odd")
		default:
			return strings.Repeat(s+" ", rapid.IntRange(1, 20).Draw(t, "n"))
		}
	})
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(block, 1, 20).Draw(t, "blocks")
		gap := rapid.SampledFrom([]string{"\n\n", "\n\n\n", "\n \n"})
		var b strings.Builder
		b.WriteString(rapid.SampledFrom([]string{"", "", "\n\n", "---\ntitle: t\n---\n", "\ufeff"}).Draw(t, "begin"))
		for _, p := range parts {
			b.WriteString(p + gap.Draw(t, "gap"))
		}
		s := b.String()
		if rapid.IntRange(0, 9).Draw(t, "crlf") == 0 {
			s = strings.ReplaceAll(s, "\n", "\r\n")
		}
		return offset.Document(s)
	})
}

func TestScanBlocksAgreesWithGoldmark(t *testing.T) {
	t.Parallel()
	gen := markdownGen()
	rapid.Check(t, func(t *rapid.T) {
		in := gen.Draw(t, "markdown")
		if strings.TrimSpace(in) == "" {
			return
		}
		blocks := scanBlocks(in)
		checkPartition(t, in, blocks)
		if got, want := scannedHeadings(in, blocks), oracleHeadings(in); !slices.Equal(got, want) {
			t.Fatalf("headings of %q\n  scanned %v\ngoldmark %v", in, got, want)
		}
	})
}

// TestForeignMarkdown compares the scanner with goldmark on markdown of other
// people: set WEBRAG_TEST_MARKDOWN to a folder. The generated texts above are the
// test that always runs.
func TestForeignMarkdown(t *testing.T) {
	root := os.Getenv("WEBRAG_TEST_MARKDOWN")
	if root == "" {
		t.Skip("WEBRAG_TEST_MARKDOWN names no folder of markdown files")
	}
	files, headings, differ := 0, 0, 0
	_ = filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".md") {
			return nil //nolint:nilerr // what cannot be read is not compared
		}
		raw, err := os.ReadFile(path)
		if err != nil || len(raw) > 1<<20 {
			return nil //nolint:nilerr // as above
		}
		in := offset.Document(string(raw))
		blocks := scanBlocks(in)
		checkPartition(t, in, blocks)
		want, got := oracleHeadings(in), scannedHeadings(in, blocks)
		files++
		headings += len(want)
		if !slices.Equal(got, want) {
			differ++
			t.Logf("%s: %s", path, firstDifference(got, want))
		}
		return nil
	})
	t.Logf("%d files, %d headings, %d files differ", files, headings, differ)
}

func firstDifference(got, want []heading) string {
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			return fmt.Sprintf("missed %v", want[i])
		case i >= len(want):
			return fmt.Sprintf("invented %v", got[i])
		case got[i] != want[i]:
			return fmt.Sprintf("scanned %v, goldmark %v", got[i], want[i])
		}
	}
	return ""
}
