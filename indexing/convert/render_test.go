package convert

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestHTML(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, html, want string }{
		{"handlers, styles and identifiers", `<p onclick="x()" style="color:red" id=a class=b>t</p>`, "<p>t</p>"},
		{"script", `<p>t<script>x()</script></p>`, "<p>t</p>"},
		{"script links", `<p><a href="javascript:x()">t</a> <a href="vbscript:x">u</a></p>`, "<p>t u</p>"},
		{"data images", `<p>t <img src="data:image/svg+xml,x" alt="u"></p>`, "<p>t u</p>"},
		{"image handlers", `<p><img src=/a.png onerror=x() alt="&quot;&gt;"></p>`, `<p><img src="https://h.example/a.png" alt="&#34;&gt;"></p>`},
		{"relative links", `<p><a href="x" target=_blank>t</a></p>`, `<p><a href="https://h.example/dir/x">t</a></p>`},
		{"boxes", `<div><section><p>t</p></section><span>u</span></div>`, "<p>t</p>\nu"},
		{"text of a box", `<div>t</div><div>u</div>`, "<p>t</p>\n<p>u</p>"},
		{"embedded pages", `<p>t</p><iframe src=x></iframe><object data=x></object>`, "<p>t</p>"},
		{"text that looks like markup", `<p>&lt;script&gt; &amp;amp;</p>`, "<p>&lt;script&gt; &amp;amp;</p>"},
		{"foreign markup", `<p>t<svg><script>x</script></svg></p>`, "<p>t</p>"},
		{"admonition", `<div class="admonition note x" id=y><p class="admonition-title">Note</p><p>t</p></div>`, "<div class=\"admonition note\">\n<p class=\"admonition-title\">Note</p>\n<p>t</p>\n</div>"},
		{"TeX", `<p><span class="math notranslate">\(a&lt;b\)</span></p>`, `<p><span class="math">\(a&lt;b\)</span></p>`},
		{"MathML", `<p><math display="block" onclick="x" href="javascript:x"><mi style="x">a</mi><mtext><img src=x onerror=y>b</mtext><annotation-xml>c</annotation-xml></math></p>`, `<p><math display="block"><mi>a</mi><mtext>b</mtext></math></p>`},
		{"fallback image", `<p><span class="mwe-math-element"><math alttext="y"><mi>y</mi></math><img class="mwe-math-fallback-image-inline" src="/y.svg"></span></p>`, `<p><math alttext="y"><mi>y</mi></math></p>`},
		{"drawn formula", `<p>a <span class="MathJax"><span class="math"><span>q</span></span></span></p>`, `<p>a <span class="math"><span class="math">q</span></span></p>`},
		{"assistive MathML beside a drawing", `<p><span class="MathJax"><span>q</span><span class="MJX_Assistive_MathML"><math><mi>q</mi></math></span></span></p>`, `<p><math><mi>q</mi></math></p>`},
		{"assistive MathML", `<p><mjx-container><mjx-math>glyphs</mjx-math><mjx-assistive-mml><math><mi>a</mi></math></mjx-assistive-mml></mjx-container></p>`, `<p><math><mi>a</mi></math></p>`},
		{"code", `<div class="highlight-python3"><pre><span class="k">if</span> a &lt; b:` + "\n\n  c</pre></div>", "<pre><code class=\"language-python\">if a &lt; b:\n\n  c\n</code></pre>"},
		{"cells", `<table class=x><tr><th scope=row onclick=y colspan=2 width=9>a<th rowspan=1>b<tr><td colspan=1000000>c<td>d</table>`, "<table>\n<tbody>\n<tr>\n<th scope=\"row\" colspan=\"2\">a</th>\n<th>b</th></tr>\n<tr>\n<td>c</td>\n<td>d</td></tr>\n</tbody>\n</table>"},
		{"list start", `<ol start=3 type=a><li>a<li>b</ol>`, "<ol start=\"3\">\n<li>a</li>\n<li>b</li>\n</ol>"},
		{"permalinks", `<h2>T<a class=headerlink href="#t">¶</a></h2>`, "<h2>T</h2>"},
		{"old names", `<p><tt>a</tt> <strike>b</strike> <font color=x>c</font></p>`, "<p><code>a</code> <s>b</s> c</p>"},
		{"classifier", `<dl><dt><b>a</b><span class="classifier">int</span><dd>b</dl>`, "<dl>\n<dt><b>a</b> : int</dt>\n<dd>b</dd>\n</dl>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := mustConvert(t, tt.html)
			got, omitted := p.HTML(0, len(p.Markdown))
			if got != tt.want || omitted != "" {
				t.Errorf("%s\n got %q %s\nwant %q", tt.html, got, omitted, tt.want)
			}
		})
	}
}

// TestHTMLOfAPart cuts pages at the first places where the given texts begin and
// end.
func TestHTMLOfAPart(t *testing.T) {
	t.Parallel()
	table := "<table><caption>cap</caption><thead><tr><th>k<th>v</thead><tbody><tr><td>a1<td>b1<tr><td>a2<td>b2<tr><td>a3<td>b3</table>"
	for _, tt := range []struct{ name, html, from, to, want string }{
		{"items of a list", "<ul><li>a<li>b<li>c</ul>", "- b", "c", "<ul>\n<li>b</li>\n<li>c</li>\n</ul>"},
		{"steps of a list", "<ol><li>a<li>b<li>c</ol>", "2.", "c", "<ol start=\"2\">\n<li>b</li>\n<li>c</li>\n</ol>"},
		{"part of an item", "<ol><li><p>a</p><p>b</p><li>c</ol>", "b", "b", "<ol start=\"1\">\n<li>\n<p>b</p>\n</li>\n</ol>"},
		{"rows of a table", table, "| a2", "b2 |", "<table>\n<caption>cap</caption>\n<thead>\n<tr>\n<th>k</th>\n<th>v</th></tr>\n</thead>\n<tr>\n<td>a2</td>\n<td>b2</td></tr>\n</table>"},
		{"a cell", table, "b2", "b2", "<table>\n<caption>cap</caption>\n<thead>\n<tr>\n<th>k</th>\n<th>v</th></tr>\n</thead>\n<tr>\n<td>b2</td></tr>\n</table>"},
		{"the head of a table", table, "cap", "---|---|", "<table>\n<caption>cap</caption>\n<tr>\n<th>k</th>\n<th>v</th></tr>\n</table>"},
		{"lines of code", `<pre class="language-c">a<b>1</b>` + "\nb\n\nc&lt;</pre>", "b\n", "c<", "<pre><code class=\"language-c\">b\n\nc&lt;</code></pre>"},
		{"lines of code in a list", "<ul><li>x<pre>a\n  b\n\nc</pre></ul>", "    b", "c", "<ul>\n<li>\n<pre><code>  b\n\nc</code></pre>\n</li>\n</ul>"},
		{"part of a quote", "<blockquote><p>a</p><p>b</p></blockquote>", "> b", "b", "<blockquote>\n<p>b</p>\n</blockquote>"},
		{"a definition", "<dl><dt>a<dd>b<dt>c<dd>d</dl>", "c", "d", "<dl>\n<dt>c</dt>\n<dd>d</dd>\n</dl>"},
		{"part of an admonition", `<div class="admonition note"><p class="admonition-title">Note</p><p>a</p><p>b</p></div>`, "b", "b", "<div class=\"admonition note\">\n<p>b</p>\n</div>"},
		{"part of a short paragraph", "<p>one <b>two</b> three</p>", "two", "three", "<p>one <b>two</b> three</p>"},
		{"text beside blocks", "<div>one<p>two</p>three</div>", "three", "three", "<p>three</p>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := mustConvert(t, tt.html)
			start := strings.Index(p.Markdown, tt.from)
			end := strings.LastIndex(p.Markdown, tt.to) + len(tt.to)
			got, omitted := p.HTML(start, end)
			if got != tt.want || omitted != "" {
				t.Errorf("%q\n got %q %s\nwant %q", p.Markdown[start:end], got, omitted, tt.want)
			}
		})
	}
}

func TestHTMLOfALongParagraphIsItsPart(t *testing.T) {
	t.Parallel()
	p := mustConvert(t, "<p>"+strings.Repeat("before ", 2000)+`<a href="/x">mid*dle*</a>`+strings.Repeat(" after", 2000)+"</p>")
	at := strings.Index(p.Markdown, "[mid")
	end := strings.Index(p.Markdown, ") after") + 1
	if got, _ := p.HTML(at, end); got != "<p>mid*dle*</p>" {
		t.Errorf("got %q", got)
	}
}

func TestHTMLThatIsTooLargeIsOmitted(t *testing.T) {
	t.Parallel()
	page := "<table><tr>" + strings.Repeat("<th>a", 800) + "<tr>" + strings.Repeat("<td>b", 800) + "</table>"
	p := mustConvert(t, page)
	at := strings.LastIndex(p.Markdown, "b")
	if html, omitted := p.HTML(at, at+1); html != "" || omitted != "size" {
		t.Errorf("HTML %.50q, reason %q", html, omitted)
	}
}

// checkSafe holds HTML of ours to the allow-list, as a browser would read it.
func checkSafe(t testing.TB, source string) {
	t.Helper()
	nodes, err := html.ParseFragment(strings.NewReader(source), nil)
	if err != nil {
		return // deeper than a parser goes
	}
	const elements = " html head body p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption thead tbody tfoot tr td th " +
		"blockquote pre code kbd samp var em strong b i s del ins sub sup q cite dfn mark figure figcaption ruby rt rp " +
		"a img br hr div span math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle merror mpadded mphantom mfenced " +
		"menclose msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mlabeledtr mtd semantics annotation "
	const attributes = " href src alt colspan rowspan start scope class display alttext encoding mathvariant open close separators " +
		"stretchy fence accent accentunder columnalign linethickness notation "
	for _, root := range nodes {
		for n := range root.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			if !strings.Contains(elements, " "+n.Data+" ") {
				t.Fatalf("element %s in %q", n.Data, source)
			}
			for _, a := range n.Attr {
				if !strings.Contains(attributes, " "+a.Key+" ") {
					t.Fatalf("attribute %s in %q", a.Key, source)
				}
				if a.Key != "href" && a.Key != "src" {
					continue
				}
				if s := strings.ToLower(schemeOf(a.Val)); s != "" && s != "http" && s != "https" && s != "mailto" && s != "file" {
					t.Fatalf("address %q in %q", a.Val, source)
				}
			}
		}
	}
}

func TestHTMLOfHostilePagesIsSafe(t *testing.T) {
	t.Parallel()
	for _, page := range []string{
		`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">x`,
		`<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">x`,
		`<p>x<noscript><p title="</noscript><img src=x onerror=alert(1)>">`,
		`<a href="  javascript:alert(1)">x</a><a href="JaVaScRiPt:alert(1)">x</a><a href="&#1;javascript:alert(1)">x</a>`,
		`<div class='note"><script>'>x</div>`,
		`<pre class='language-"><script>alert(1)</script>'>x</pre>`,
		`<a href='x" onclick="alert(1)'>x</a>`,
		`<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>x`,
		`<math><annotation-xml encoding="text/html"><style><img src=x onerror=y></style></annotation-xml><mi>x</mi></math>`,
		`<table><tr><td><a href=//evil.example/%0d%0a>x</a><td>y</table>`,
		`<base href="javascript:alert(1)//"><p><a href="x">x</a>`,
	} {
		p := mustConvert(t, page)
		html, _ := p.HTML(0, len(p.Markdown))
		checkSafe(t, html)
		if strings.Contains(html, "onerror=") && !strings.Contains(html, "&") || strings.Contains(html, "javascript:") {
			t.Errorf("%q became %q", page, html)
		}
	}
}
