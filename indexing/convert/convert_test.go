package convert

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// mustConvert converts a page at a fixed address.
func mustConvert(t testing.TB, page string) *Page {
	t.Helper()
	p, err := Convert(context.Background(), page, Options{URL: "https://h.example/dir/page.html"})
	if err != nil {
		t.Fatalf("convert: %v", err)
	}
	return p
}

func fixtures(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	pages := map[string]string{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		pages[filepath.Base(f)] = string(b)
	}
	return pages
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, html, want string }{
		{"soft breaks are joined", "<p>one\n two\t three</p>", "one two three"},
		{"line break", "<p>one<br>two</p>", "one\ntwo"},
		{"two line breaks end a paragraph", "one<br><br>two", "one\n\ntwo"},
		{"text beside blocks", "<div>a<p>b</p>c</div>", "a\n\nb\n\nc"},
		{"no-break space stays", "<p>4&nbsp;m</p>", "4\u00a0m"},
		{"carriage return reference", "<p>a&#13;b</p><pre>x&#13;y</pre>", "a b\n\n```\nx\ny\n```"},
		{"byte order mark first", "<p>&#xFEFF;# a</p>", `\# a`},
		{"byte order mark of the file", "\uFEFF<p>a", "a"},
		{"byte order marks alone", "<p>&#xFEFF;</p><p>&#xFEFF;&#xFEFF;a *b*</p>", `a \*b\*`},
		{"byte order mark within emphasis", "<p><b>&#xFEFF;</b><i>&#xFEFF;a</i>b</p>", "ab"},
		{"invalid bytes", "<p>a\xffb</p>", "a\uFFFDb"},
		{"NUL", "<p>a\x00b</p>", "ab"},
		{"comments and scripts", "<p>a<!-- x --><script>y</script>b</p>", "ab"},

		{"emphasis", "<p>a <em>b</em> <strong>c</strong> <del>d</del></p>", "a *b* **c** ~~d~~"},
		{"white space goes outside", "<p>a<b> b </b>c</p>", "a **b** c"},
		{"emphasis within a word is dropped", "<p>a<b>b</b>c</p>", "abc"},
		{"both at once", "<p><b><i>a</i></b></p>", "***a***"},
		{"empty emphasis", "<p>a<b> </b>b</p>", "a b"},
		{"same kind nested", "<p><b>a <strong>b</strong> c</b></p>", "**a b c**"},

		{"code", "<p><code>a*b_c</code></p>", "`a*b_c`"},
		{"code with backticks", "<p><code>a`b</code> <code>`</code></p>", "``a`b`` `` ` ``"},
		{"code that touches code", "<p><code>a</code><code>b</code></p>", "`ab`"},
		{"code that touches code with backticks", "<p><code>a</code><code>b`</code></p>", "`a` `` b` ``"},
		{"exponent", "<p>10<sup>3</sup> and 1<sup>st</sup></p>", "10^3 and 1st"},

		{"relative link", `<p><a href="../x.html#y">t</a></p>`, "[t](https://h.example/x.html#y)"},
		{"link to a fragment", `<p><a href="#y">t</a></p>`, "[t](https://h.example/dir/page.html#y)"},
		{"link with brackets", `<p><a href="/x">[1]</a> <a href="/x">a]</a></p>`, `[[1]](https://h.example/x) [a\]](https://h.example/x)`},
		{"link with brackets that are escaped", `<p><a href="/x">[](</a></p>`, `[\[\](](https://h.example/x)`},
		{"link with odd address", `<p><a href="/a b(c">t</a></p>`, "[t](https://h.example/a%20b%28c)"},
		{"script link", `<p><a href="java&#10;script:x()">t</a></p>`, "t"},
		{"link over blocks", `<a href="/x"><p>t</p></a>`, "t"},
		{"link without text", `<p>a<a href="/x"></a></p>`, "a"},
		{"exclamation before a link", `<p>so!<a href="/x">t</a></p>`, `so\![t](https://h.example/x)`},
		{"image", `<p><img src="i.png" alt="a [b]"></p>`, `![a \[b\]](https://h.example/dir/i.png)`},
		{"image in the page is its description", `<p><img src="data:image/png;base64,AA" alt="a"></p>`, "a"},

		{"heading with permalink", `<h2 id="a">T<a class="headerlink" href="#a">¶</a></h2>`, "## T"},
		{"heading that is a link", `<h2><a class="header" href="#a">T</a></h2>`, "## T"},
		{"heading on several lines", "<h1>a<br>b</h1>", "# a b"},
		{"heading that ends in a number sign", "<h1>C #</h1><h1>C#</h1>", "# C \\#\n\n# C\\#"},
		{"heading in a list", "<ul><li><h3>a</h3>b</li></ul>", "- **a**\n\n  b"},
		{"empty heading", "<h2> </h2><p>a</p>", "a"},

		{"tight list", "<ul><li>a<li><p>b</p><ul><li>c</ul></ul>", "- a\n- b\n  - c"},
		{"loose list", "<ul><li><p>a</p><p>b</p><li>c</ul>", "- a\n\n  b\n\n- c"},
		{"ordered list with start", `<ol start="9"><li>a<li>b</ol>`, "9. a\n10. b"},
		{"list that does not begin with 1 in a list", `<ul><li>a<ol start="3"><li>b</ol></ul>`, "- a\n\n  3. b"},
		{"list in a list", "<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"},
		{"code in a list", "<ol><li>a<pre>x\n\ny</pre></ol>", "1. a\n\n   ```\n   x\n\n   y\n   ```"},
		{"empty items", "<ul><li></li><li>a</li></ul>", "- a"},
		{"quote", "<blockquote><p>a</p><pre>x\n\ny</pre></blockquote>", "> a\n>\n> ```\n> x\n>\n> y\n> ```"},
		{"definition list", "<dl><dt>a</dt><dd>b</dd><dt>c</dt><dd><p>d</p></dd></dl>", "a\n\nb\n\nc\n\nd"},
		{"rule", "<hr><p>a</p><hr><p>b</p>", "a\n\n---\n\nb"},

		{"admonition", `<div class="admonition tip"><p class="admonition-title">Tip</p><p>a</p></div>`, "Tip\n\na"},
		{"admonition with a heading", `<div class="note"><h3 class="title">Note</h3><p>a</p></div>`, "Note\n\na"},
		{"words that contain names of admonitions", `<div class="footnote information"><h3>Note</h3></div>`, "### Note"},

		{"code block", "<pre><code class=\"language-go\">a\n</code></pre>", "```go\na\n```"},
		{"language of a wrapper", `<div class="highlight-python3 notranslate"><div class="highlight"><pre>a</pre></div></div>`, "```python\na\n```"},
		{"language among others", `<pre><code class="language-js cjs">a</code></pre>`, "```js\na\n```"},
		{"brush", `<pre class="brush: js">a</pre>`, "```js\na\n```"},
		{"session", "<pre>&gt;&gt;&gt; a</pre>", "```python\n>>> a\n```"},
		{"fence in code", "<pre>```\na\n```</pre>", "````\n```\na\n```\n````"},
		{"line numbers and buttons", `<pre><span class="linenos">1</span>a<button>copy</button></pre>`, "```\na\n```"},

		{"TeX", `<p><span class="math notranslate">\(a_1 * b_1\)</span> *</p>`, "$a_1 * b_1$ *"},
		{"displayed TeX", `<div class="math">\[a` + "\n" + `b\]</div>`, "$$a b$$"},
		{"annotation", `<p><math><semantics><mi>x</mi><annotation encoding="application/x-tex">{\displaystyle x}</annotation></semantics></math></p>`, "$x$"},
		{"alttext", `<p><math alttext="x^2"><mi>x</mi></math></p>`, "$x^2$"},
		{"MathML alone", `<p><math><mfrac><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfrac></math></p>`, `$\frac{a}{b^{2}}$`},
		{"Wikipedia's formula", `<p><span class="mwe-math-element"><span style="display: none;"><math alttext="{\displaystyle y}"><mi>y</mi></math></span><img class="mwe-math-fallback-image-inline" alt="{\displaystyle y}" src="/y.svg"></span></p>`, "$y$"},
		{"KaTeX", `<p><span class="katex"><span class="katex-mathml"><math><annotation encoding="application/x-tex">z</annotation></math></span><span class="katex-html">zz</span></span></p>`, "$z$"},
		{"MathJax 2", `<p><span class="MathJax_Preview">q</span><script type="math/tex">q</script></p>`, "$q$"},
		{"MathJax 2, drawn", `<p>a <span class="MathJax_Preview">pre</span><span class="MathJax"><nobr><span class="math"><span>q</span><span>r</span></span></nobr></span> <script type="math/tex">q_r</script> b</p>`, "a $q_r$ b"},
		{"MathJax 2 without its script", `<p>a <span class="MathJax_Preview">pre</span><span class="MathJax"><nobr><span class="math"><span>q</span><span>r</span></span></nobr></span> b</p>`, "a qr b"},
		{"MathJax 2 that never ran", `<p>a <span class="MathJax_Preview">q*r*s</span> b</p>`, `a q\*r\*s b`},
		{"MathJax 2 with assistive MathML", `<p>a <span class="MathJax_SVG"><svg><text>q</text></svg><span class="MJX_Assistive_MathML"><math><mi>q</mi></math></span></span> b</p>`, "a $q$ b"},
		{"MathJax with TeX", `<p>a <span class="MathJax">\(q_r\)</span> b</p>`, "a $q_r$ b"},
		{"MathJax on a line of its own", `<div class="MathJax_Display"><span class="MathJax">E = mc2</span></div><p>b</p>`, "E = mc2\n\nb"},
		{"MathJax 3 with assistive MathML", `<p>a <mjx-container class="MathJax"><mjx-math><mjx-c class="mjx-c1D465"></mjx-c></mjx-math><mjx-assistive-mml><math><msup><mi>x</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container> b</p>`, "a $x^{2}$ b"},
		{"MathJax 3 drawn with its fonts", `<p>a <mjx-container class="MathJax"><mjx-math class="MJX-TEX"><mjx-mi class="mjx-i"><mjx-c class="TEX-I mjx-c1D465"></mjx-c></mjx-mi><mjx-mo><mjx-c class="mjx-c3D"></mjx-c></mjx-mo><mjx-c class="mjx-c"></mjx-c><mjx-c class="mjx-cZZ"></mjx-c></mjx-math></mjx-container> b</p>`, "a x= b"},
		{"MathJax 3 drawn in SVG", `<p>a <mjx-container class="MathJax"><svg><g><use data-c="1D465"/><use data-c="32"/></g></svg></mjx-container> b</p>`, "a x2 b"},
		{"KaTeX without MathML", `<p>a <span class="katex"><span class="katex-html"><span>z</span><span>+</span></span></span> b</p>`, "a z+ b"},
		{"KaTeX, displayed", `<p><span class="katex-display"><span class="katex"><span class="katex-mathml"><math><annotation encoding="application/x-tex">z</annotation></math></span><span class="katex-html">zz</span></span></span></p>`, "$$z$$"},
		{"formulas that touch", `<p><span class="math">\(a\)</span><span class="math">\(b\)</span></p>`, "$a$ $b$"},

		{"table", "<table><tr><th>a<th>b<tr><td>1<td>x|y</table>", "| a | b |\n|---|---|\n| 1 | x\\|y |"},
		{"table without header", "<table><tr><td>1<td>2</table>", "| | |\n|---|---|\n| 1 | 2 |"},
		{"caption", "<table><caption>c</caption><tr><th>a<th>b</table>", "c\n\n| a | b |\n|---|---|"},
		{"spans", `<table><tr><th>a<th>b<th>c<tr><td rowspan=2>1<td colspan=2>2<tr><td>3<td>4</table>`, "| a | b | c |\n|---|---|---|\n| 1 | 2 | |\n| 1 | 3 | 4 |"},
		{"short rows", "<table><tr><th>a<th>b<tr><td>1</table>", "| a | b |\n|---|---|\n| 1 | |"},
		{"blocks in a cell", "<table><tr><th>a<th>b<tr><td><p>1</p><p>2</p><td>x<br>y</table>", "| a | b |\n|---|---|\n| 1 2 | x y |"},
		{"one column", "<table><tr><td>a<tr><td>b</table>", "a\n\nb"},
		{"nested table", "<table><tr><td>a<td><table><tr><th>x<th>y</table></table>", "a\n\n| x | y |\n|---|---|"},
		{"code in a table", "<table><tr><td>a<td><pre>b</pre></table>", "a\n\n```\nb\n```"},
		{"table for layout", `<table role=presentation><tr><td>a<td>b</table>`, "a\n\nb"},

		{"content root", "<nav>x</nav><main><p>a</p></main><footer>y</footer>", "a"},
		{"what is dropped", `<p>a</p><form><input>b</form><div class="related">c</div><div role="navigation">d</div>`, "a"},
		{"a form that is the page", "<form><h1>a</h1><p>b</p></form>", "# a\n\nb"},
		{"an empty box named content", "<div id=content><script>x</script></div><p>a</p>", "a"},
		{"title beside the content", `<div id=content><h1>t</h1><p>x</p><div id="mw-content-text"><p>a</p></div></div>`, "# t\n\na"},
		{"several articles", "<article>a</article><article>b</article>", "a\n\nb"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := mustConvert(t, tt.html).Markdown; got != tt.want+"\n" {
				t.Errorf("%s\n got %q\nwant %q", tt.html, got, tt.want+"\n")
			}
		})
	}
}

func TestEscapesOnlyWhereNeeded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"lone star", "M * N", "M * N"},
		{"star without partner", "the *args", "the *args"},
		{"stars in a pair", "*a*", `\*a\*`},
		{"underscores within words", "a_b_c", "a_b_c"},
		{"underscores around a word", "__init__", `\_\_init\_\_`},
		{"one backtick", "a ` b", "a ` b"},
		{"backticks in a pair", "`a`", "\\`a\\`"},
		{"less than", "a < b", "a < b"},
		{"tag", "<b>", `\<b>`},
		{"ampersand", "a & b; AT&T", "a & b; AT&T"},
		{"character reference", "&lt;", `\&lt;`},
		{"brackets", "a [b] c", "a [b] c"},
		{"link", "[a](b)", `[a\](b)`},
		{"one dollar", "$5", "$5"},
		{"two prices", "$5 and $6", "$5 and $6"},
		{"formula", "$a$", `\$a\$`},
		{"number sign", "# a", `\# a`},
		{"number sign in a word", "#a", "#a"},
		{"number", "1. a", `1\. a`},
		{"year", "1999.5 a", "1999.5 a"},
		{"dash", "- a", `\- a`},
		{"minus", "-1", "-1"},
		{"plus", "+ a", `\+ a`},
		{"quote", "> a", `\> a`},
		{"rule", "---", `\---`},
		{"definition", "[a]: b", `\[a]: b`},
		{"task", "[ ] a", `\[ ] a`},
		{"backslash", `a\b \*`, `a\b \\*`},
		{"tildes", "~5", "~5"},
		{"fence", "~~~ a", `\~~~ a`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			page := "<p>" + strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(tt.text) + "</p>"
			if got := mustConvert(t, page).Markdown; got != tt.want+"\n" {
				t.Errorf("got %q, want %q", got, tt.want+"\n")
			}
		})
	}
}

func TestAnchors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, html, want string }{
		{"permalink", `<section id="s"><h2>T<a class="headerlink" href="#p">¶</a></h2></section>`, "p"},
		{"own id", `<section id="s"><h2 id="o">T</h2></section>`, "o"},
		{"section", `<section id="s"><h2>T</h2></section>`, "s"},
		{"inner id", `<h2><span class="mw-headline" id="i">T</span></h2>`, "i"},
		{"named anchor before", `<p>a</p><a name="n"></a><h2>T</h2>`, "n"},
		{"id of text before", `<p id="n">a</p><h2>T</h2>`, ""},
		{"percent sign", `<h2>T<a class="headerlink" href="#a%20b">¶</a></h2>`, "a b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := mustConvert(t, tt.html)
			if got := p.Anchors[strings.Index(p.Markdown, "## ")]; got != tt.want {
				t.Errorf("anchor %q, want %q; %v", got, tt.want, p.Anchors)
			}
		})
	}
}

func TestTargetsLinksAndKeptLines(t *testing.T) {
	t.Parallel()
	p := mustConvert(t, fixtures(t)["sphinx.html"])
	at := func(s string) int {
		t.Helper()
		i := strings.Index(p.Markdown, s)
		if i < 0 {
			t.Fatalf("%q is not in\n%s", s, p.Markdown)
		}
		return i
	}
	targets := map[string]int{}
	for _, x := range p.Targets {
		targets[x.ID] = x.At
	}
	for id, want := range map[string]int{
		"sorting": 0, "windows": at("## Windows"), "brook.sort": at("`brook.sort("), "term-window": at("\nwindow\n") + 1,
	} {
		if got, ok := targets[id]; !ok || got != want {
			t.Errorf("target %s at %d, want %d", id, got, want)
		}
	}
	for _, l := range p.Links {
		if !strings.HasPrefix(strings.Trim(p.Markdown[l.At:], "`"), l.Text) {
			t.Errorf("link %q is not at %d: %.20q", l.Text, l.At, p.Markdown[l.At:])
		}
	}
	want := Link{
		At: at("`Window`"), Text: "Window",
		TargetURL: "https://h.example/dir/api/window.html", Anchor: "brook.Window",
	}
	if len(p.Links) < 2 || p.Links[1] != want {
		t.Errorf("links %+v, want %+v second", p.Links, want)
	}
	for _, line := range []string{"Note\n", "Cost of a step", "`brook.sort(", "brook\n\nA small", "**Footnotes**"} {
		found := false
		for _, k := range p.KeepWithNext {
			found = found || k == at(line)
		}
		if !found {
			t.Errorf("%q is not kept with what follows", line)
		}
	}
}

func TestFlags(t *testing.T) {
	t.Parallel()
	const all = 1 << 20
	for _, tt := range []struct {
		name, html string
		want       store.Flags
	}{
		{"table", "<table><tr><th>a<th>b</table>", store.HasTable},
		{"table for layout", "<table><tr><td>a</table>", 0},
		{"code", "<pre>a</pre>", store.HasCode},
		{"code within a line", "<p><code>a</code></p>", 0},
		{"formula", `<p>a <span class="math">\(x\)</span></p>`, store.HasMath},
		{"formula block", `<div class="math">\[x\]</div>`, store.HasMath},
		{"class that is no formula", `<p class="mathematics">x</p>`, 0},
		{"definitions", "<dl><dt>a<dd>b</dl>", store.HasDefinitionList},
		{"footnotes", `<dl class="footnote brackets"><dt>1<dd>b</dl>`, 0},
		{"admonition", `<div class="alert alert-info">a</div>`, store.HasAdmonition},
		{"info box", `<div class="infobox">a</div>`, 0},
		{"formula in plain letters", `<p><span class="math">x</span></p>`, store.HasMath},
		{"drawn formula", `<p><span class="MathJax">x</span></p>`, store.HasMath},
		{"drawn formula on a line of its own", `<div class="MathJax_Display"><span class="MathJax">x</span></div>`, store.HasMath},
		{"drawn formula of KaTeX", `<p><span class="katex"><span class="katex-html">x</span></span></p>`, store.HasMath},
		{"chapter on mathematics", `<div class="math"><h2>a</h2><p>b</p></div>`, 0},
		{"steps", "<ol><li>a<li>b</ol>", store.HasSteps},
		{"one step", "<ol><li>a</ol>", 0},
		{"references", `<ol class="references"><li>a<li>b</ol>`, 0},
		{"references in a box", `<div class="footnotes"><ol><li>a<li>b</ol></div>`, 0},
		{"image", `<p><img src="a.png" alt=""></p>`, store.HasImage},
		{"heading with an image", `<h1>a <img src="a.png"></h1>`, store.HasImage},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := mustConvert(t, tt.html).Flags(0, all); got != tt.want {
				t.Errorf("flags %b, want %b", got, tt.want)
			}
		})
	}
}

// A class need only contain a word of the specification, unless it is the name of
// something else.
func TestAdmonitionClassesContainTheWords(t *testing.T) {
	t.Parallel()
	const all = 1 << 20
	for class, want := range map[string]bool{
		"admonition": true, "note": true, "warning": true, "tip": true, "important": true,
		"caution": true, "danger": true, "info": true,
		"admonitionblock": true, "sphx-glr-download-link-note": true, "bd-callout-warning": true,
		"ProTip": true, "very-important": true, "precaution": true, "danger--box": true, "md-info": true,
		"release-notes": true, "footnote-warning": true, "theorem": true, "callout": true,
		// What indexing names as exceptions, and their kin.
		"footnote": false, "footnotes": false, "footnote-list": false, "infobox": false, "information": false,
		"page-information": false, "endnotes": false, "noteref": false, "notebook": false, "jupyter-notebook": false,
		"infographic": false, "tooltip": false, "multiple": false, "admonition-title": false,
		"": false, "no-te": false, "section": false,
	} {
		for _, element := range []string{"div", "aside", "section", "p"} {
			got := mustConvert(t, "<"+element+` class="a `+class+`">b</`+element+">").Flags(0, all)
			if (got == store.HasAdmonition) != want {
				t.Errorf("%s of class %q has the flags %b", element, class, got)
			}
		}
	}
}

// A class that only contains a word says nothing about the headings in it: they
// are sections, where that of a note is its title.
func TestHeadingsInWhatIsLikeAnAdmonition(t *testing.T) {
	t.Parallel()
	for class, want := range map[string]string{"note": "Changes\n\na\n", "release-notes": "## Changes\n\na\n"} {
		if got := mustConvert(t, `<div class="`+class+`"><h2>Changes</h2><p>a</p></div>`).Markdown; got != want {
			t.Errorf("in class %s: %q, want %q", class, got, want)
		}
	}
}

func TestFlagsOfAPart(t *testing.T) {
	t.Parallel()
	p := mustConvert(t, `<p>one</p><p>two <span class="math">\(x\)</span> three</p><pre>four</pre>`)
	for part, want := range map[string]store.Flags{"one": 0, "two": 0, "x": store.HasMath, "three": 0, "four": store.HasCode} {
		at := strings.Index(p.Markdown, part)
		if got := p.Flags(at, at+len(part)); got != want {
			t.Errorf("flags of %q are %b, want %b", part, got, want)
		}
	}
}

func TestMarkdownIsNormalised(t *testing.T) {
	t.Parallel()
	for name, page := range fixtures(t) {
		p := mustConvert(t, page)
		if got := offset.Document(p.Markdown); got != p.Markdown {
			t.Errorf("%s: normalising changes the markdown", name)
		}
		if !utf8.ValidString(p.Markdown) || !strings.HasSuffix(p.Markdown, "\n") || strings.HasSuffix(p.Markdown, "\n\n") {
			t.Errorf("%s ends with %q", name, p.Markdown[max(0, len(p.Markdown)-10):])
		}
		again := mustConvert(t, page)
		if again.Markdown != p.Markdown {
			t.Errorf("%s: two conversions differ", name)
		}
	}
}

func TestConvertErrors(t *testing.T) {
	t.Parallel()
	if _, err := Convert(context.Background(), "<p>long</p>", Options{MaxBytes: 5}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("error %v, want ErrTooLarge", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Convert(ctx, "<p>a</p>", Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
	if p := mustConvert(t, "<nav>menu</nav><main></main>menu"); p.Markdown != "" {
		t.Errorf("an empty main part gives %q", p.Markdown)
	}
	p, err := Convert(context.Background(), "", Options{})
	if err != nil || p.Markdown != "" {
		t.Errorf("an empty page gives %q, %v", p.Markdown, err)
	}
	if html, omitted := p.HTML(0, 10); html != "" || omitted != "unparsable" {
		t.Errorf("HTML of nothing is %q, %q", html, omitted)
	}
}

// A block of code has no room for links and fragments; they are noted with its
// lines.
func TestCodeKeepsLinksAndFragments(t *testing.T) {
	t.Parallel()
	page, err := Convert(t.Context(), `<main><p>See:</p><pre>

<b id="rule-a">a</b> ::= <a href="#rule-b">b</a>

<b id="rule-b">b</b> ::= <a href="c.html"><i>c</i> d</a> <a href="javascript:x">e</a>
</pre><p>And <code>list[<a href="d.html#x">d</a>]</code>.</p></main>`, Options{URL: "https://example.org/g/p.html"})
	if err != nil {
		t.Fatal(err)
	}
	lineOf := func(at int) string {
		line, _, _ := strings.Cut(page.Markdown[at:], "\n")
		return strings.TrimSpace(line)
	}
	var got []string
	for _, target := range page.Targets {
		got = append(got, target.ID+" at "+lineOf(target.At))
	}
	for _, l := range page.Links {
		got = append(got, l.Text+" to "+l.TargetURL+"#"+l.Anchor+" at "+lineOf(l.At))
	}
	want := []string{
		"rule-a at a ::= b", "rule-b at b ::= c d e",
		"b to https://example.org/g/p.html#rule-b at a ::= b", "c d to https://example.org/g/c.html# at b ::= c d e",
		"d to https://example.org/g/d.html#x at `list[d]`.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("noted %q\nwant  %q", got, want)
	}
}
