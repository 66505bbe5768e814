package surface_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/webrag/webrag-tui/ui/surface"
)

func convert(t *testing.T, html string) string {
	t.Helper()
	md, err := surface.Markdown(html)
	if err != nil {
		t.Fatalf("Markdown(%q): %v", html, err)
	}
	return md
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, html, want string }{
		{"nothing", "", ""},
		{"only space", " \n<p> </p>", ""},
		{"paragraphs and emphasis", "<p>a <b>b</b> <i>c</i></p><p>d</p>", "a **b** *c*\n\nd"},
		{"markup characters are text", "<p>*a* _b_ &lt;c&gt; 1|2</p>", `\*a* \_b_ &lt;c&gt; 1|2`},

		{"math in a line", `<p>is <math><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math>.</p>`, "is `E = mc²`."},
		{
			"fraction, root, sum",
			`<math><mfrac><mi>a</mi><msqrt><mi>b</mi></msqrt></mfrac><mo>≤</mo><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>x</mi><mi>i</mi></msub></math>`,
			"`a/(√b) ≤ ∑_(i = 1)ⁿxᵢ`",
		},
		{"annotation is not doubled", `<math><semantics><mi>x</mi><annotation encoding="application/x-tex">x_TEX</annotation></semantics></math>`, "`x`"},
		{"matrix", `<math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable></math>`, "`[1, 2; 3, 4]`"},
		{"phantom and invisible operators", `<math><mi>f</mi><mo>&#x2061;</mo><mphantom><mi>y</mi></mphantom><mo>(</mo><mi>x</mi><mo>)</mo></math>`, "`f(x)`"},
		{"accent, third root, fence", `<math><mover><mi>x</mi><mo>^</mo></mover><mo>,</mo><mroot><mi>y</mi><mn>3</mn></mroot><mfenced><mi>a</mi><mi>b</mi></mfenced></math>`, "`x̂, ³√y(a, b)`"},
		{"display math stands alone", `<p>a</p><div>so <math display="block"><mi>x</mi></math> it is</div>`, "a\n\nso\n\n`x`\n\nit is"},
		{"large formula in TeX", `<math alttext="big"><semantics><mrow>` + strings.Repeat("<mi>x</mi>", 50) + `</mrow><annotation encoding="application/x-tex">\sum x</annotation></semantics></math>`, "`\\sum x`"},
		{"large formula with alttext", `<math alttext="\big x"><mrow>` + strings.Repeat("<mi>x</mi>", 50) + `</mrow></math>`, "`\\big x`"},
		{"TeX for a script", `<p>in <span class="math notranslate">\(O(n_1*m)\)</span> time</p>`, "in `O(n_1*m)` time"},
		{"TeX of its own", `<div class="math">\[ a_b \]</div>`, "`a_b`"},
		{"two formulas in one element stay", `<p class="math">\(a\) and \(b\)</p>`, `\\(a\\) and \\(b\\)`},

		{"definition list", `<dl><dt>term</dt><dd>meaning</dd><dt>other</dt><dd>one</dd><dd>two</dd></dl>`, "term\n: meaning\n\nother\n: one\n\n: two"},
		{"several terms", `<dl><dt>a</dt><dt>b</dt><dd>both</dd></dl>`, "a\nb\n: both"},
		{"long definition", `<dl><dt>t</dt><dd><p>one</p><p>two</p><ul><li>x</li></ul></dd></dl>`, "t\n: one\n\n  two\n\n  - x"},
		{"code in a definition", "<dl><dt>t</dt><dd><pre>a\n\nb</pre></dd></dl>", "t\n: ```\n  a\n  \n  b\n  ```"},
		{"term alone", `<dl><dt>t</dt></dl>`, "**t**"},
		{"definition alone", `<dl><dd>d</dd></dl>`, "d"},
		{"grouped definitions", `<dl><div><dt>t</dt><dd>d</dd></div></dl>`, "t\n: d"},

		{"admonition", `<div class="admonition note"><p class="admonition-title">Note</p><p>Body.</p></div>`, "> **Note**\n>\n> Body."},
		{"admonition named by its class", `<div class="admonition-danger"><p>Body.</p></div>`, "> **Danger**\n>\n> Body."},
		{"admonition with a heading", `<div class="warning"><h3>Careful</h3><p>Body.</p></div>`, "> **Careful**\n>\n> Body."},
		{"code in an admonition", "<div class=tip><pre>a\n\nb</pre></div>", "> **Tip**\n>\n> ```\n> a\n> \n> b\n> ```"},
		{"footnote is no note", `<div class="footnotes">x</div><div class="infobox">y</div>`, "x\n\ny"},

		{"table", `<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>`, "| a | b |\n|---|---|\n| 1 | 2 |"},
		{"first row becomes the header", `<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>`, "| 1 | 2 |\n|---|---|\n| 3 | 4 |"},
		{
			"rows keep their order", `<table><tr><td>pic</td></tr><tr><th>a</th><td>1</td></tr><tr><th>b</th><td>2</td></tr></table>`,
			"| pic |  |\n|---|---|\n| **a** | 1 |\n| **b** | 2 |",
		},
		{"head, body, foot", `<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1</td></tr></tbody><tfoot><tr><th>2</th></tr></tfoot></table>`, "| a |\n|---|\n| 1 |\n| **2** |"},
		{"layout table", `<table role="presentation"><tr><td>1</td><td>2</td></tr></table>`, "| 1 | 2 |\n|---|---|"},
		{"caption comes first", `<table><caption>The <b>cap</b></caption><tr><td>1</td></tr></table>`, "**The cap**\n\n| 1 |\n|---|"},
		{"line break in a cell", `<table><tr><td>a<br>b<br></td></tr></table>`, "| a / b |\n|---|"},
		{"paragraphs in a cell", `<table><tr><td><p>a</p><p>b</p></td></tr></table>`, "| a / b |\n|---|"},
		{"list in a cell", `<table><tr><td>x<ul><li>a</li><li>b</li></ul></td></tr></table>`, "| x • a • b |\n|---|"},
		{"numbered list in a cell", `<table><tr><td><ol start=3><li>a</li><li>b</li></ol></td></tr></table>`, "| 3\\. a 4. b |\n|---|"},
		{"code block in a cell", "<table><tr><td><pre>a\nb</pre></td></tr></table>", "| `a ⏎ b` |\n|---|"},
		{"heading, rule and quote in a cell", `<table><tr><td><h3>a</h3><hr><blockquote>b</blockquote></td></tr></table>`, "| **a** / / b |\n|---|"},
		{"table in a cell", `<table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td><td>c</td></tr></table>`, "| a │ b | c |\n|---|---|"},
		{"definitions in a cell", `<table><tr><td><dl><dt>t</dt><dd>d</dd></dl></td></tr></table>`, "| t: d |\n|---|"},
		{"pipe in a code cell", `<table><tr><td><code>a|b</code></td><td>c|d</td></tr></table>`, "| `a\\|b` | c\\|d |\n|---|---|"},
		{"merged cells are empty", `<table><tr><th colspan=2>a</th></tr><tr><td>1</td><td>2</td></tr></table>`, "| a |  |\n|---|---|\n| 1 | 2 |"},
		{"span wider than the table", `<table><tr><th colspan=1000000000>a</th></tr><tr><td>1</td><td>2</td></tr></table>`, "| a |  |\n|---|---|\n| 1 | 2 |"},
		{"span deeper than the table", `<table><tr><td rowspan=99999999999999999999>a</td><td>1</td></tr><tr><td>2</td></tr></table>`, "| a | 1 |\n|---|---|\n|  | 2 |"},
		{"bold table", `<b><table><tr><td>1</td></tr></table></b>`, "| 1 |\n|---|"},
		{
			"table that is mostly holes", `<table><tr><td>a</td></tr><tr>` + strings.Repeat("<td>b</td>", 600) + "</tr>" + strings.Repeat("<tr><td>c</td></tr>", 100) + "</table>",
			"a\n\nb" + strings.Repeat(" │ b", 599) + strings.Repeat("\n\nc", 100),
		},
		{"empty table", `<p>a</p><table><tr><td></td></tr></table>`, "a"},

		{"language on the code", `<pre><code class="language-go">x</code></pre>`, "```go\nx\n```"},
		{"language on the wrapper", `<div class="highlight-python3 notranslate"><div class="highlight"><pre>x</pre></div></div>`, "```python\nx\n```"},
		{"language as data", `<pre data-lang="SQL">x</pre>`, "```sql\nx\n```"},
		{"unknown language", `<div class="highlight-default"><pre>x</pre></div>`, "```\nx\n```"},
		{"fence inside code", "<pre>```\nx</pre>", "````\n```\nx\n````"},

		{"indices", `<p>H<sub>2</sub>O, x<sup>2</sup>, a<sub>q</sub>, e<sup>a b</sup></p>`, `H₂O, x², a\_q, e^(a b)`},
		{"long index", `<p>x<sup>abcdefg</sup></p>`, `x^(abcdefg)`},
		{"footnote reference", `<p>fact<sup id="r"><a href="#n1">[1]</a></sup> and<sup><a href="https://e.org/p#n2">2</a></sup></p>`, `fact\[1] and\[2]`},
		{"task list", `<ul><li><input type="checkbox" checked> done</li><li><input type="checkbox">open</li></ul>`, "- [x] done\n- [ ] open"},
		{"key", `<p>press <kbd>ctrl</kbd></p>`, "press `ctrl`"},
		{"variable", `<p>of <var>d</var> parts</p>`, "of *d* parts"},
		{"figure", `<figure><img src="a.png" alt="A" title="t"><figcaption>Cap</figcaption></figure>`, "![A](a.png)\n\n*Cap*"},
		{"details", `<details><summary>More</summary><p>text</p></details>`, "**More**\n\ntext"},
		{"link out", `<p><a href="https://e.org/a_b" title="long">a</a></p>`, "[a](https://e.org/a_b)"},
		{"links that lead nowhere", `<p><a href="#x">a</a> <a href="javascript:x()">b</a> <a>c</a></p>`, "a b c"},
		{"permalink", `<h2>Title<a class="headerlink" href="#t">¶</a></h2>`, "## Title"},
		{"script and style", `<p>a<script>x</script><style>y</style></p>`, "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := convert(t, c.html); got != c.want {
				t.Errorf("Markdown(%s)\ngot  %q\nwant %q", c.html, got, c.want)
			}
		})
	}
}

func TestMarkdownRefuses(t *testing.T) {
	t.Parallel()
	if _, err := surface.Markdown(strings.Repeat("x", 1<<20)); !errors.Is(err, surface.ErrTooLarge) {
		t.Errorf("1 MiB: %v, want ErrTooLarge", err)
	}
	if md, err := surface.Markdown(strings.Repeat("<div>", 600) + "x"); err == nil {
		t.Errorf("600 nested elements gave %q and no error", md)
	}
	if md := convert(t, strings.Repeat("<div>", 400)+"x"); md != "x" {
		t.Errorf("400 nested elements gave %q", md)
	}
}

// TestMergedCellsStayBounded holds that a few bytes of HTML never become
// megabytes of markdown.
func TestMergedCellsStayBounded(t *testing.T) {
	t.Parallel()
	var rows strings.Builder
	for range 500 {
		rows.WriteString(`<tr><td colspan="1000000" rowspan="1000000">x</td></tr>`)
	}
	for name, html := range map[string]string{
		"wide":            `<table><tr><td colspan="10000000">x</td></tr></table>`,
		"wide and deep":   `<table>` + rows.String() + `</table>`,
		"many real cells": `<table><tr>` + strings.Repeat("<td>x</td>", 1000) + `</tr>` + rows.String() + `</table>`,
	} {
		if md := convert(t, html); len(md) > 20*len(html)+1000 {
			t.Errorf("%s: %d bytes of HTML became %d of markdown", name, len(html), len(md))
		}
	}
}

// TestStructureSurvives reads the markdown with the parser that draws it.
func TestStructureSurvives(t *testing.T) {
	t.Parallel()
	parser := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.DefinitionList)).Parser()
	for _, c := range []struct {
		name, html string
		want       map[ast.NodeKind]int
	}{
		{
			"definitions in an admonition",
			"<div class='note'><dl><dt>a</dt><dd>b<pre>c\n\nd</pre></dd></dl></div><p>after</p>",
			map[ast.NodeKind]int{
				ast.KindBlockquote: 1, extast.KindDefinitionList: 1, extast.KindDefinitionDescription: 1, ast.KindFencedCodeBlock: 1,
			},
		},
		{
			"a table row with every kind of cell",
			"<table><tr><th>h</th><th>i</th></tr><tr><td><code>a|b|c</code></td><td><ul><li>x<li>y</ul><pre>|\n|</pre></td></tr></table>",
			map[ast.NodeKind]int{extast.KindTable: 1, extast.KindTableCell: 4, ast.KindCodeSpan: 2},
		},
		{
			"tasks",
			"<ul><li><input type=checkbox> a</li><li><p><input type=checkbox checked>b</p></li></ul>",
			map[ast.NodeKind]int{ast.KindListItem: 2, extast.KindTaskCheckBox: 2},
		},
		{
			"code in nested quotes",
			"<blockquote><div class='tip'><pre>a\n\n\nb</pre></div></blockquote>",
			map[ast.NodeKind]int{ast.KindBlockquote: 2, ast.KindFencedCodeBlock: 1},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			md := []byte(convert(t, c.html))
			got := map[ast.NodeKind]int{}
			_ = ast.Walk(parser.Parse(text.NewReader(md)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
				if entering {
					got[n.Kind()]++
				}
				return ast.WalkContinue, nil
			})
			for kind, n := range c.want {
				if got[kind] != n {
					t.Errorf("%d %s, want %d, in\n%s", got[kind], kind, n, md)
				}
			}
		})
	}
}

// FuzzMarkdown holds that no HTML makes it panic or blow up. The converter
// underneath is allowed to fail; its panics come out as errors, and are
// reported here so that they do not go unnoticed.
func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{
		"<p>a</p>", "<table><tr><td colspan=1e9>a|<code>|</code><ul><li>x</table>", "<dl><dt><h1>a</h1><dd><table><td>x",
		"<math><mfrac><mi>a</mi></mfrac><mtable><mtr><mtd>", "<sup><sub><math>", "<a href='#'><table><tr><td><a href=x>y",
		"<pre><table><tr><td><pre>", "<details><summary><div>x</div>", "<blockquote><blockquote><pre>\n\n</pre>", "<div class=note><dl>",
		"<td><caption>x</caption><table><caption><table><tr><td>", "<b><i><table><tr><th><dl><dt>a<dt>b<dd>", "<ul><input type=checkbox><li>",
		"<svg><math><mi></svg><p>x", "\x00\x1b[31m\u202e<p>x", "<figure><figcaption><table><tr><td>x</figcaption>",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, html string) {
		if len(html) > 4096 {
			return
		}
		md, err := surface.Markdown(html)
		if err != nil && strings.HasPrefix(err.Error(), "convert HTML: runtime error") {
			t.Errorf("%q: %v", html, err)
		}
		// The largest table that is laid out has 50,000 cells.
		if limit := 20*len(html) + 200_000; len(md) > limit {
			t.Errorf("%d bytes of HTML became %d of markdown", len(html), len(md))
		}
	})
}
