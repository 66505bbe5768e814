package indexing

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/testdata"
)

// gaugePage has what markdown loses, in a page as they are made.
const gaugePage = `<html lang="en"><head><title>Tide gauges</title><meta name="description" content="How the sea is measured."></head><body>
<header class="top"><nav><ul><li><a href="/">Home</a></li><li><a href="/guide/">Guide</a></li></ul></nav></header>
<div role="main">
<h1 id="gauges">Tide gauges<a class="headerlink" href="#gauges" title="Permalink to this heading">¶</a></h1>
<p>A gauge measures the height of the water above a mark on the shore, every six minutes, and keeps what it measured.
<img src="gauge.png" alt="A gauge in a harbour"></p>
<h2 id="stations">Stations<a class="headerlink" href="#stations">¶</a></h2>
<p>These stations have measured “mean sea level” since the nineteenth century:</p>
<table><thead><tr><th>Station</th><th>First year</th></tr></thead>
<tbody><tr><td>Amsterdam</td><td>1700</td></tr><tr><td>Brest</td><td>1807</td></tr><tr><td>Cuxhaven</td><td>1843</td></tr></tbody></table>
<h2 id="reading-a-gauge">Reading a gauge<a class="headerlink" href="#reading-a-gauge">¶</a></h2>
<p>The function <code>read_gauge</code> returns one height in metres, and <em>never</em> waits for the instrument.</p>
<div class="highlight-python notranslate"><div class="highlight"><pre><span class="kn">import</span> gauges

height = gauges.read_gauge(<span class="s1">"brest"</span>)
<span class="k">if</span> height &lt; 0 <span class="k">and</span> height * 2 &gt; -3:
    warn_harbour(height)
</pre></div></div>
<h2 id="terms">Terms<a class="headerlink" href="#terms">¶</a></h2>
<dl class="glossary"><dt id="term-neap">neap tide</dt><dd><p>A tide with the least range, when sun and moon pull across each other.</p></dd>
<dt id="term-spring">spring tide</dt><dd><p>A tide with the greatest range, a day or two after the full moon.</p></dd></dl>
<h2 id="the-formula">The formula<a class="headerlink" href="#the-formula">¶</a></h2>
<p>The height of the water at a time is the sum of its constituents, each with an amplitude and a phase of its own:</p>
<div class="math notranslate nohighlight">\[h(t) = \sum_i A_i \cos(\omega_i t + \phi_i)\]</div>
<h2 id="storms">Storms<a class="headerlink" href="#storms">¶</a></h2>
<div class="admonition warning"><p class="admonition-title">Warning</p><p>During a storm the gauge may read too low, because its well fills up more slowly than the sea rises.</p></div>
<h2 id="history">History<a class="headerlink" href="#history">¶</a></h2>
<p>The first gauges were staffs with marks on them, which somebody had to go and read, at night and in the rain as well.</p>
</div><footer>Contact the harbour office. All heights without warranty.</footer></body></html>`

// gaugeStyles are the markdown that other converters make of the page, or might.
var gaugeStyles = map[string]string{
	"ATX headings, permalinks and absolute links": `# Tide gauges[¶](https://example.org/a/page.html#gauges "Permalink to this heading")

A gauge measures the height of the water above a mark on the shore, every six minutes, and keeps what it measured. ![A gauge in a harbour](https://example.org/a/gauge.png)

## Stations[¶](https://example.org/a/page.html#stations)

These stations have measured “mean sea level” since the nineteenth century:

| Station | First year |
| --- | --- |
| Amsterdam | 1700 |
| Brest | 1807 |
| Cuxhaven | 1843 |

## Reading a gauge[¶](https://example.org/a/page.html#reading-a-gauge)

The function ` + "`read_gauge`" + ` returns one height in metres, and _never_ waits for the instrument.

` + "```\nimport gauges\n\nheight = gauges.read_gauge(\"brest\")\nif height < 0 and height * 2 > -3:\n    warn_harbour(height)\n```" + `

## Terms[¶](https://example.org/a/page.html#terms)

neap tide

A tide with the least range, when sun and moon pull across each other.

spring tide

A tide with the greatest range, a day or two after the full moon.

## The formula[¶](https://example.org/a/page.html#the-formula)

The height of the water at a time is the sum of its constituents, each with an amplitude and a phase of its own:

\\\[h(t) = \\sum\_i A\_i \\cos(\\omega\_i t + \\phi\_i)\\\]

## Storms[¶](https://example.org/a/page.html#storms)

Warning

During a storm the gauge may read too low, because its well fills up more slowly than the sea rises.

## History[¶](https://example.org/a/page.html#history)

The first gauges were staffs with marks on them, which somebody had to go and read, at night and in the rain as well.
`,
	"underlined headings, navigation kept, everything plain": `*   [Home](/)
*   [Guide](/guide/)

Tide gauges
===========

A gauge measures the height of the water above a mark on the shore, every six minutes, and keeps what it measured.

Stations
--------

These stations have measured "mean sea level" since the nineteenth century:

Station

First year

Amsterdam

1700

Brest

1807

Cuxhaven

1843

Reading a gauge
---------------

The function read\_gauge returns one height in metres, and never waits for the instrument.

    import gauges

    height = gauges.read_gauge("brest")
    if height < 0 and height * 2 > -3:
        warn_harbour(height)

Terms
-----

neap tide

A tide with the least range, when sun and moon pull across each other.

spring tide

A tide with the greatest range, a day or two after the full moon.

The formula
-----------

The height of the water at a time is the sum of its constituents, each with an amplitude and a phase of its own:

Storms
------

Warning

During a storm the gauge may read too low, because its well fills up more slowly than the sea rises.

History
-------

The first gauges were staffs with marks on them, which somebody had to go and read, at night and in the rain as well.

* * *

Contact the harbour office. All heights without warranty.
`,
	"headings demoted, no title, wrapped lines, fences with a language, terms in bold": `A gauge measures the height of the water above a mark on the shore,
every six&nbsp;minutes, and keeps what it measured.

### Stations

These stations have measured "mean sea level" since the
nineteenth` + "\u00a0" + `century:

Station | First year
---|---
Amsterdam | 1700
Brest | 1807
Cuxhaven | 1843

### Reading a gauge

The function **read_gauge** returns one height in metres, and *never* waits for
the instrument.

` + "~~~ python\nimport gauges\n\nheight = gauges.read_gauge(\"brest\")\nif height < 0 and height * 2 > -3:\n    warn_harbour(height)\n~~~" + `

### Terms

**neap tide**
:   A tide with the least range, when sun and moon pull across each other.

**spring tide**
:   A tide with the greatest range, a day or two after the full moon.

### The formula

The height of the water at a time is the sum of its constituents, each with an
amplitude and a phase of its own:

$$h(t) = \sum_i A_i \cos(\omega_i t + \phi_i)$$

### Storms

> **Warning**
> During a storm the gauge may read too low, because its well fills up more
> slowly than the sea rises.

### History

The first gauges were staffs with marks on them, which somebody had to go and
read, at night and in the rain as well.
`,
}

// TestMarkdownOfOtherConverters reads the same page in the styles of several
// converters: each section gets its HTML, flags and fragments.
func TestMarkdownOfOtherConverters(t *testing.T) {
	t.Parallel()
	want := map[string]struct {
		html  string
		flags store.Flags
	}{
		"stations":        {"<td>Brest</td>\n<td>1807</td></tr>", store.HasTable},
		"reading-a-gauge": {"<pre><code class=\"language-python\">import gauges", store.HasCode},
		"terms":           {"<dt>neap tide</dt>", store.HasDefinitionList},
		"the-formula":     {`\sum_i A_i`, store.HasMath},
		"storms":          {`<div class="admonition warning">`, store.HasAdmonition},
	}
	for name, markdown := range gaugeStyles {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := deriveHTML(t, source.NormalizedDocument{HTML: gaugePage, Markdown: markdown}, Options{})
			if d.Bundle.Document.Description != "How the sea is measured." {
				t.Errorf("the description is %q", d.Bundle.Document.Description)
			}
			parents, children := levels(d.Bundle)
			checkInvariants(t, markdown, d, wordTokens{}, 256, 1000)
			seen := 0
			for _, p := range parents {
				w, rich := want[p.Anchor]
				switch {
				case !rich && p.HTMLText != "":
					t.Errorf("section %q of flags %b has the HTML %q", p.SectionHeading, p.Flags, p.HTMLText)
				case !rich:
				case p.Flags&store.HTMLPreferred != w.flags || !strings.Contains(p.HTMLText, w.html) || p.HTMLTokens == 0 || p.HTMLOmittedReason != "":
					t.Errorf("section %q has flags %b, omitted %q, HTML %q", p.Anchor, p.Flags, p.HTMLOmittedReason, p.HTMLText)
				default:
					seen++
				}
				if p.Anchor == "terms" && !slices.Equal(p.Anchors, []string{"terms", "term-neap", "term-spring"}) {
					t.Errorf("the terms have the fragments %q", p.Anchors)
				}
				if others := strings.Count(p.HTMLText, "<h2>"); others > 1 || strings.Contains(p.HTMLText, "Contact") {
					t.Errorf("section %q has the HTML of others: %q", p.Anchor, p.HTMLText)
				}
			}
			if seen != len(want) {
				t.Errorf("%d of %d sections have what they need, of %d", seen, len(want), len(parents))
			}
			if !slices.ContainsFunc(children, func(c store.Chunk) bool { return c.Flags.Has(store.HasDefinitionList) }) {
				t.Error("no passage knows that it is of a definition list")
			}
		})
	}
}

// TestWhatHasNoPlaceIsTold gives pages the HTML of others, and of a part.
func TestWhatHasNoPlaceIsTold(t *testing.T) {
	t.Parallel()
	markdown := gaugeStyles["ATX headings, permalinks and absolute links"]
	other, err := fs.ReadFile(testdata.Files, "pages/btree.html")
	if err != nil {
		t.Fatal(err)
	}
	part, _, _ := strings.Cut(gaugePage, `<h2 id="the-formula">`)
	for _, c := range []struct {
		name, html         string
		foreign, unmatched int
		kept               string
	}{
		{"of another page", string(other), 7, 7, ""},
		{"empty", "<html><body></body></html>", 7, 7, ""},
		{"of a page with the same licence only", "<main><h1>Other</h1><p>" + strings.Repeat("Nothing of this is on the page about the gauge. ", 40) +
			"</p><h2>Storms</h2><p>During a storm the gauge may read too low, because its well fills up more slowly than the sea rises.</p></main>", 7, 7, ""},
		{"cut off", part, 7, 3, "terms"},
	} {
		d := deriveHTML(t, source.NormalizedDocument{HTML: c.html, Markdown: markdown}, Options{})
		if d.Foreign != c.foreign || d.Unmatched != c.unmatched {
			t.Errorf("HTML %s: %d of %d sections have no place, want %d of %d", c.name, d.Unmatched, d.Foreign, c.unmatched, c.foreign)
		}
		parents, _ := levels(d.Bundle)
		for _, p := range parents {
			flagged := p.Flags.Has(store.HTMLPreferred)
			if flagged && (p.HTMLText == "") == (p.HTMLOmittedReason == "") || p.HTMLText != "" && c.kept == "" || p.Anchor == c.kept && p.HTMLText == "" {
				t.Errorf("HTML %s: section %q has flags %b, omitted %q, HTML %q", c.name, p.Anchor, p.Flags, p.HTMLOmittedReason, p.HTMLText)
			}
		}
		if c.kept == "" && (d.Bundle.Document.Title != "Tide gauges" || d.Bundle.Document.Description != "") {
			t.Errorf("HTML %s: the page is called %q, %q", c.name, d.Bundle.Document.Title, d.Bundle.Document.Description)
		}
	}
	for _, doc := range []source.NormalizedDocument{{HTML: gaugePage}, {Markdown: markdown}} {
		if d := deriveHTML(t, doc, Options{}); d.Foreign != 0 || d.Unmatched != 0 {
			t.Errorf("a page in one form has %d of %d sections without a place", d.Unmatched, d.Foreign)
		}
	}
}

// TestTheHTMLDecides checks what markdown alone would take for something else, and
// that a fragment names nothing where its place is missing.
func TestTheHTMLDecides(t *testing.T) {
	t.Parallel()
	page := `<main><h1 id="top">Trees</h1><p>A tree decides by questions, one below the other, until it is sure.</p><p><b>Example</b></p>
<p id="gone">This paragraph is an advertisement.</p><p id="leaf">A leaf holds the answer, and the path to it is the reason for it.</p></main>`
	markdown := "# Trees\n\nA tree decides by questions, one below the other, until it is sure.\n\nExample\n\nA leaf holds the answer, and the path to it is the reason for it.\n"
	parents, _ := levels(deriveHTML(t, source.NormalizedDocument{HTML: page, Markdown: markdown}, Options{}).Bundle)
	if p := parents[0]; p.Flags != 0 || !slices.Equal(p.Anchors, []string{"top", "leaf"}) {
		t.Errorf("the section has flags %b and the fragments %q", p.Flags, p.Anchors)
	}
	bare := strings.ReplaceAll(page, ` id="top"`, "")
	if parents, _ = levels(deriveHTML(t, source.NormalizedDocument{HTML: bare, Markdown: markdown}, Options{}).Bundle); parents[0].Anchor != "" {
		t.Errorf("a heading without an id has the fragment %q", parents[0].Anchor)
	}
	if parents, _ = levels(derive(t, markdown, Options{}).Bundle); parents[0].Flags != store.HasAdmonition {
		t.Errorf("without the HTML it has flags %b", parents[0].Flags)
	}
}

// TestTermsOfAnotherConverterBeginChildren parts no term from its meaning.
func TestTermsOfAnotherConverterBeginChildren(t *testing.T) {
	t.Parallel()
	page, markdown, want := "<main><h1>Words</h1><dl>", "Words\n=====\n\n", []string{"Words"}
	for i, term := range []string{"ant\\_hill", "bee \\* hive", "cow", "dog"} {
		meaning := strings.Repeat(fmt.Sprintf("Meaning number %d in some words. ", i), 5)
		page += "<dt>" + strings.ReplaceAll(term, "\\", "") + "</dt><dd>" + meaning + "</dd>"
		markdown += term + "\n\n" + strings.TrimSpace(meaning) + "\n\n"
		if want = append(want, term); i == 0 {
			want = want[:1] // it stands below the heading
		}
	}
	_, children := levels(deriveHTML(t, source.NormalizedDocument{HTML: page + "</dl></main>", Markdown: markdown}, Options{ChildTargetTokens: 60}).Bundle)
	var got []string
	for _, c := range children {
		line, _, _ := strings.Cut(c.ChunkText, "\n")
		got = append(got, line)
	}
	if !slices.Equal(got, want) {
		t.Errorf("children begin with %q, want %q", got, want)
	}
}

// TestScriptsWithoutSpaces aligns text whose words nobody separates.
func TestScriptsWithoutSpaces(t *testing.T) {
	t.Parallel()
	page := "<main><h1 id=top>全文検索</h1><p>転置索引は語ごとに文書の一覧を持つ。👩\u200d💻 が引く。</p><h2 id=hyo>表</h2>" +
		"<table><tr><th>語</th><th>文書</th></tr><tr><td>潮</td><td>一、三</td></tr></table></main>"
	markdown := "全文検索\n====\n\n転置索引は語ごとに文書の\n一覧を持つ。👩💻 が引く。\n\n表\n---\n\n語 文書\n\n潮 一、三\n"
	parents, _ := levels(deriveHTML(t, source.NormalizedDocument{HTML: page, Markdown: markdown}, Options{}).Bundle)
	last := parents[len(parents)-1]
	if last.Anchor != "hyo" || last.Flags != store.HasTable || !strings.Contains(last.HTMLText, "<td>潮</td>") {
		t.Errorf("the section became %+v", last)
	}
}
