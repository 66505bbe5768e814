package indexing

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/store"
)

// outlineOf lists parents as "heading/path: first line of the text".
func outlineOf(d Derived) []string {
	parents, _ := levels(d.Bundle)
	var out []string
	for _, p := range parents {
		first, _, _ := strings.Cut(strings.TrimSpace(p.ChunkText), "\n")
		out = append(out, fmt.Sprintf("%s [%s] %s", p.SectionHeading, strings.Join(p.HeadingPath, "/"), first))
	}
	return out
}

func TestSections(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"h2 are sections", "# T\n\nintro\n\n## A\n\na\n\n### B\n\nb\n\n## C\n\nc\n", []string{
			"T [T] # T", "A [T/A] ## A", "C [T/C] ## C",
		}},
		{"a section is not named by its first part", "## A\n\n### B\n\nb\n\n### C\n\nc\n", []string{"A [A] ## A"}},
		{"text before the first heading", "before\n\n## A\n\na\n", []string{" [] before", "A [A] ## A"}},
		{"a later h1 breaks too", "# T\n\nx\n\n## A\n\na\n\n# U\n\nu\n", []string{"T [T] # T", "A [T/A] ## A", "U [U] # U"}},
		{"a title alone goes with its first section", "# T\n\n## A\n\na\n\n## B\n\nb\n", []string{"A [T/A] # T", "B [T/B] ## B"}},
		{"an empty section stands alone", "## A\n\n## B\n\nb\n", []string{"A [A] ## A", "B [B] ## B"}},
		{"one h1 and deeper headings", "# T\n\nx\n\n### A\n\na\n\n### B\n\nb\n", []string{"T [T] # T", "A [T/A] ### A", "B [T/B] ### B"}},
		{"only h1", "# A\n\na\n\n# B\n\nb\n", []string{"A [A] # A", "B [B] # B"}},
		{"only deep ones", "#### A\n\na\n\n##### B\n\nb\n\n#### C\n\nc\n", []string{"A [A] #### A", "C [C] #### C"}},
		{"rulers before the title", "---\n\nx\n\n---\n\n# T\n\nx\n", []string{" [] ---", "T [T] # T"}},
		{"none", "a\n\nb\n", []string{" [] a"}},
		{"equal headings", "## A\n\n1\n\n## A\n\n2\n", []string{"A [A] ## A", "A [A] ## A"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := outlineOf(derive(t, c.in, Options{})); !slices.Equal(got, c.want) {
				t.Errorf("sections of %q\n got %q\nwant %q", c.in, got, c.want)
			}
		})
	}
}

func TestChildrenMergeAndBreak(t *testing.T) {
	t.Parallel()
	long := strings.TrimSpace(strings.Repeat("word ", 30))
	fence := "```py\n" + strings.Repeat("call(x)\n\n", 20) + "```"
	for _, c := range []struct {
		name, in string
		o        Options
		want     []string // how each child begins
	}{
		{"small blocks merge", "a\n\nb\n\nc\n", Options{}, []string{"a"}},
		{"literally each block is one", "# T\n\na\n\nb\n", Options{Children: Paragraph}, []string{"# T", "a", "b"}},
		{"a deeper heading begins one", "## A\n\na\n\n### B\n\nb\n", Options{}, []string{"## A", "### B"}},
		{"a run of headings stays with its text", "## A\n\n### B\n\n#### C\n\nc\n", Options{}, []string{"## A"}},
		{"an empty part stands alone", "## A\n\n### B\n\n### C\n\nc\n", Options{}, []string{"## A", "### C"}},
		{"a full child ends", long + "\n\n" + long + "\n", Options{ChildTargetTokens: 40}, []string{"word word", "word word"}},
		{"a heading keeps a part of a long paragraph", "## A\n\n" + long + " " + long + "\n", Options{ChildTargetTokens: 40}, []string{"## A\n\nword", "word"}},
		{"unless hardly any would fit", "## " + strings.Repeat("A ", 34) + "\n\n" + long + "\n", Options{ChildTargetTokens: 40}, []string{"## A A", "word"}},
		{"the rest of a long block stands alone", long + " " + long + "\n\nnext\n", Options{ChildTargetTokens: 40}, []string{"word", "word", "next"}},
		{"but for a scrap", long + " a b\n\nnext\n", Options{ChildTargetTokens: 32}, []string{"word", "b\n\nnext"}},
		{"a fence that fits is never cut", "## A\n\n" + fence + "\n", Options{ChildTargetTokens: 256}, []string{"## A\n\n```py"}},
		{"nor for the heading before it", "## A B C D\n\n" + fence + "\n", Options{ChildTargetTokens: 132}, []string{"## A B C D", "```py"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := derive(t, c.in, c.o)
			_, children := levels(d.Bundle)
			ok := len(children) == len(c.want)
			var got []string
			for i, child := range children {
				got = append(got, fmt.Sprintf("%.20q", child.ChunkText))
				ok = ok && strings.HasPrefix(child.ChunkText, c.want[i])
			}
			if !ok {
				t.Errorf("children %v, want %q", got, c.want)
			}
		})
	}
}

// TestOversizeSectionsAreCutWell checks the best cut of a section over the
// ceiling: before its h3, never after a heading or a colon.
func TestOversizeSectionsAreCutWell(t *testing.T) {
	t.Parallel()
	para := strings.TrimSpace(strings.Repeat("word ", 20)) // 21 tokens with its blank line
	in := "## A\n\n" + strings.Repeat(para+"\n\n", 3) + "### B\n\n" + para + "\n\nsuch as:\n\n" + para + "\n"
	got := outlineOf(derive(t, in, Options{ChildTargetTokens: 32, ParentMaxTokens: 80}))
	want := []string{"A [A] ## A", "A [A/B] ### B"}
	if !slices.Equal(got, want) {
		t.Errorf("cut at %q, want %q", got, want)
	}
	d := derive(t, "## A\n\n"+strings.Repeat(para+"\n\n", 2)+"such as:\n\n"+para+"\n\n"+para+"\n", Options{ChildTargetTokens: 32, ParentMaxTokens: 60})
	parents, _ := levels(d.Bundle)
	if len(parents) < 2 || strings.HasSuffix(strings.TrimSpace(parents[0].ChunkText), ":") {
		t.Errorf("the first parent ends %q", parents[0].ChunkText)
	}
}

// TestOversizeSectionsAreFilled checks that of equal cuts the last one counts,
// and that a block over the ceiling begins a parent.
func TestOversizeSectionsAreFilled(t *testing.T) {
	t.Parallel()
	o := Options{ChildTargetTokens: 32, ParentMaxTokens: 80}
	parents, _ := levels(derive(t, "## A\n\n"+strings.Repeat("a few words here\n\n", 40), o).Bundle)
	if got := parents[0].Tokens(); got <= 74 {
		t.Errorf("the first parent has %d tokens of 80, and the next paragraph 6", got)
	}
	parents, _ = levels(derive(t, "## A\n\na\n\n### B\n\n"+strings.Repeat("a few words here\n\n", 40), o).Bundle)
	if got := parents[0].Tokens(); got < 60 {
		t.Errorf("the first parent has %d tokens of 80: its cut was sought too far back", got)
	}
	big := "```\n" + strings.Repeat("call(x)\n\n", 40) + "```\n"
	parents, _ = levels(derive(t, "## A\n\na few words here\n\n"+big, o).Bundle)
	if strings.Contains(parents[0].ChunkText, "```") || !strings.HasPrefix(parents[1].ChunkText, "```") {
		t.Errorf("the first parents are %q and %q", parents[0].ChunkText, parents[1].ChunkText)
	}
}

// TestGroups checks the parents of a page without headings: four children each,
// as far as they fit.
func TestGroups(t *testing.T) {
	t.Parallel()
	in := strings.Repeat("four short words here\n\n", 9)
	d := derive(t, in, Options{Children: Paragraph})
	if _, children := levels(d.Bundle); d.Bundle.Document.ParentCount != 3 || len(children) != 9 {
		t.Errorf("%d parents of %d children, want 3 of 9", d.Bundle.Document.ParentCount, len(children))
	}
	long := strings.Repeat(strings.TrimSpace(strings.Repeat("word ", 50))+"\n\n", 8)
	if got := derive(t, long, Options{ChildTargetTokens: 64, ParentMaxTokens: 110}).Bundle.Document.ParentCount; got != 4 {
		t.Errorf("eight children of 52 tokens make %d parents of 110, want 4", got)
	}
}

// TestHardCut cuts what has no white space: at runes, and between characters
// that are made of several.
func TestHardCut(t *testing.T) {
	t.Parallel()
	family, accented := "👩\u200d👩\u200d👧", "e\u0301"
	for _, c := range []struct {
		name, in string
		want     []string // 32 byte tokens at most each
	}{
		{"runes", strings.Repeat("検", 12), []string{strings.Repeat("検", 10), "検検"}},
		{"accents", strings.Repeat(accented, 12), []string{strings.Repeat(accented, 10), accented + accented}},
		{"families", strings.Repeat(family, 3), []string{family, family, family}},
		{"no blank rest", strings.Repeat("x", 32) + " \n", []string{strings.Repeat("x", 31), "x \n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, children := levels(derive(t, c.in, Options{ChildTargetTokens: 32, ParentMaxTokens: 500, Tokenizer: byteTokens{}}).Bundle)
			var got []string
			for _, child := range children {
				got = append(got, child.ChunkText)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("cut into %q, want %q", got, c.want)
			}
		})
	}
}

func TestContCarriesItsHeader(t *testing.T) {
	t.Parallel()
	code := "## A\n\n```python\n" + strings.Repeat("call(of, the, tree)\n\n", 20) + "```\n"
	table := "## B\n\n| name | value |\n| --- | --- |\n" + strings.Repeat("| depth of it | 3 |\n", 20)
	d := derive(t, code+"\n"+table, Options{ChildTargetTokens: 60})
	cut := 0
	for i, c := range d.Bundle.Chunks {
		text := d.EmbedTexts[i]
		if c.Level == store.Parent || !c.Cont {
			continue
		}
		cut++
		header := "```python\n"
		if c.SectionHeading == "B" {
			header = "| name | value |\n| --- | --- |\n"
		}
		if n := strings.Count(text, header); n != 1 {
			t.Errorf("the text to embed of child %d has its header %d times: %q", c.Index, n, text)
		}
	}
	if cut < 4 {
		t.Errorf("only %d children were cut", cut)
	}
}

func TestEmbedText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{
			"addresses leave, labels stay",
			"# Page\n\n## A\n\nSee [the [inner] guide](https://example.org/a_(b) \"t\") and ![a plot](data:x) <https://example.org> [x][ref] [y] [ref].\n\n[ref]: https://example.org/ref\n",
			"Page › A\n\n# Page\n\n## A\n\nSee the [inner] guide and a plot  x [y] ref.",
		},
		{"a link holds no link", "Now [a [b](c) d](e) ((f)) [g](h((i)))\n", "Page\n\nNow [a b d](e) ((f)) g"},
		{"code is not touched", "`[a](b)` \\[c](d)\n", "Page\n\n`[a](b)` \\[c](d)"},
		{"a badge in a sentence", "Now [![build](x.svg)](https://example.org).\n", "Page\n\nNow build."},
		{"a line of links is navigation", "Prose.\n\n[![build](x.svg)](https://example.org) [more](b.md)\n", "Page\n\nProse."},
		{"nothing but navigation", "- [one](a.md)\n- [two](b.md)\n\n[`Download`](c.zip)\n", ""},
		{"a link with a word of its own", "- [one](a.md) explains it\n- [two](b.md)\n", "Page\n\n- one explains it"},
		{"numbers of items are no words", "1. [one](a.md)\n2. [two](b.md)\n", ""},
		{"a link on a line of a wrapped paragraph", "see the\n[guide](a.md)\nfor more\n", "Page\n\nsee the\nguide\nfor more"},
		{"a thumbnail repeats its link", "Pick one: ![One tree](t.png) [One tree](a.md)\n", "Page\n\nPick one:  One tree"},
		{"a picture is not a thumbnail", "![Two trees](t.png)\n", "Page\n\nTwo trees"},
		{"no words", "***\n", ""},
		{"an emoji is something", "🙂\n", "Page\n\n🙂"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := derive(t, c.in, Options{})
			if got := d.EmbedTexts[len(d.EmbedTexts)-1]; got != c.want {
				t.Errorf("embeds %q, want %q", got, c.want)
			}
		})
	}
}

func TestMarkdownFlags(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]store.Flags{
		"plain text about $5 and $10\n":          0,
		"let $x^2$ be\n":                         store.HasMath,
		"$$\nx\n$$\n":                            store.HasMath,
		"as `$x$` in a shell\n":                  0,
		"\\(x\\) and \\[y\\]\n":                  store.HasMath,
		"| a |\n|---|\n| b |\n":                  store.HasTable,
		"```\nx\n```\n":                          store.HasCode,
		"```\nNote\n1. a\n2. b\n```\n":           store.HasCode,
		"1. a\n2. b\n":                           store.HasSteps,
		"1) a\n\n2) b\n":                         store.HasSteps,
		"- x\n  1. a\n  2. b\n":                  store.HasSteps,
		"1. a\n":                                 0,
		"In\n1999. it was\n":                     0,
		"!!! note\n    x\n":                      store.HasAdmonition,
		":::tip\nx\n:::\n":                       store.HasAdmonition,
		"> [!WARNING]\n> x\n":                    store.HasAdmonition,
		"Note\n\nx\n":                            store.HasAdmonition,
		"**Note:**\nx\n":                         store.HasAdmonition,
		"Note that\n":                            0,
		"## Note\n":                              0,
		"term\n: its meaning\n":                  store.HasDefinitionList,
		"![a](b.png)\n":                          store.HasImage,
		"<table><tr><td>x</table>\n":             store.HasTable,
		"<div class='my-note'>\nx\n</div>\n":     store.HasAdmonition,
		"<div class=footnote>\nx\n</div>\n":      0,
		"<p class=\"MathJax\">\nx\n</p>\n":       store.HasMath,
		"<div class=\"admonition\"><dl></dl>\n":  store.HasAdmonition | store.HasDefinitionList,
		"<pre>x</pre>\n":                         store.HasCode,
		"footnotes and information, mathematics": 0,
	} {
		d := derive(t, in, Options{})
		parents, children := levels(d.Bundle)
		if parents[0].Flags != want || children[0].Flags != want {
			t.Errorf("flags of %q are %07b and %07b, want %07b", in, parents[0].Flags, children[0].Flags, want)
		}
	}
}

// TestLooseStepsAreAllSteps: each item of a loose list is a block of its own.
func TestLooseStepsAreAllSteps(t *testing.T) {
	t.Parallel()
	_, children := levels(derive(t, "1. a\n\n2. b\n\n1. c\n\nx\n", Options{Children: Paragraph}).Bundle)
	for i, want := range []store.Flags{store.HasSteps, store.HasSteps, 0, 0} {
		if children[i].Flags != want {
			t.Errorf("child %d has flags %b, want %b", i, children[i].Flags, want)
		}
	}
}

func TestLinksBelongToTheirParents(t *testing.T) {
	t.Parallel()
	d := derive(t, "# T\n\n[a](b.html#c) [a](b.html#c)\n\n## S\n\n<https://example.org/x> [mail](mailto:a@b) [r]\n\n[r]: ../r.html\n", Options{})
	parents, _ := levels(d.Bundle)
	want := []store.Link{
		{ChunkID: parents[0].ID, TargetURL: "https://example.org/a/b.html", Anchor: "c", Text: "a"},
		{ChunkID: parents[1].ID, TargetURL: "https://example.org/x", Text: "https://example.org/x"},
		{ChunkID: parents[1].ID, TargetURL: "https://example.org/r.html", Text: "r"},
	}
	got := slices.DeleteFunc(d.Bundle.Links, func(l store.Link) bool { return strings.HasPrefix(l.TargetURL, "mailto:") })
	if !slices.Equal(got, want) {
		t.Errorf("links\n got %v\nwant %v", got, want)
	}
}

func TestAnchors(t *testing.T) {
	t.Parallel()
	d := derive(t, "## What's new?\n\na\n\n## Set {#own}\n\nb\n\n## What's new?\n\nc\n\n## 検索 der Bäume\n\nd\n\n## Size[¶](\\#its\\_size \"Permalink\")\n\ne\n", Options{})
	parents, _ := levels(d.Bundle)
	var got []string
	for _, p := range parents {
		got = append(got, p.Anchor)
	}
	if want := []string{"whats-new", "own", "whats-new-1", "検索-der-bäume", "its_size"}; !slices.Equal(got, want) {
		t.Errorf("anchors %q, want %q", got, want)
	}
}

const htmlPage = `<html lang="en"><head><title>Tree page</title></head><body><main>
<h1 id="trees">Trees<a class="headerlink" href="#trees">¶</a></h1><p>Intro to <a href="forest.html#size">forests</a>.</p>
<h2 id="depth">Depth</h2><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
<dl><dt>leaf</dt><dd>An end.</dd></dl>
<h2 id="plain">Plain</h2><p>Nothing special.</p></main></body></html>`

func deriveHTML(t *testing.T, doc source.NormalizedDocument, o Options) Derived {
	t.Helper()
	o.Embedder, o.Tokenizer = fakeEmbedder{}, wordTokens{}
	d, err := NewDeriver(o)
	if err != nil {
		t.Fatal(err)
	}
	doc.SourceURL = "https://example.org/a/page.html"
	out, err := d.Derive(t.Context(), doc)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestHTMLPages(t *testing.T) {
	t.Parallel()
	d := deriveHTML(t, source.NormalizedDocument{HTML: htmlPage}, Options{})
	if got := d.Bundle.Document; got.Title != "Tree page" || got.Language != "en" {
		t.Errorf("title %q, language %q", got.Title, got.Language)
	}
	parents, children := levels(d.Bundle)
	if len(parents) != 3 {
		t.Fatalf("%d parents", len(parents))
	}
	depth := parents[1]
	if depth.Flags != store.HasTable|store.HasDefinitionList || depth.Anchor != "depth" || depth.SectionHeading != "Depth" ||
		!strings.Contains(depth.HTMLText, "<table>") || !strings.Contains(depth.HTMLText, "<dt>leaf</dt>") ||
		depth.HTMLTokens != (wordTokens{}).Count(depth.HTMLText) || depth.HTMLOmittedReason != "" {
		t.Errorf("the section became %+v", depth)
	}
	if plain := parents[2]; plain.HTMLText != "" || plain.HTMLOmittedReason != "" || plain.Flags != 0 {
		t.Errorf("a plain section became %+v", plain)
	}
	for _, c := range children {
		if c.HTMLText != "" {
			t.Errorf("child %d has HTML", c.Index)
		}
	}
	want := store.Link{ChunkID: parents[0].ID, TargetURL: "https://example.org/a/forest.html", Anchor: "size", Text: "forests"}
	if !slices.Contains(d.Bundle.Links, want) {
		t.Errorf("links %v, want %v", d.Bundle.Links, want)
	}

	_, children = levels(deriveHTML(t, source.NormalizedDocument{HTML: htmlPage}, Options{HTMLChildren: true}).Bundle)
	if !slices.ContainsFunc(children, func(c store.Chunk) bool { return strings.Contains(c.HTMLText, "<table>") }) {
		t.Error("no child has HTML on request")
	}
}

// TestTermsBeginChildren holds a glossary to one child a term, unless it is
// small, and no term to being parted from its meaning.
func TestTermsBeginChildren(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("the meaning of it ", 10)
	html := "<main><h1>Glossary</h1><dl><dt>ant</dt><dd>short</dd><dt>bee</dt><dd>" + long + "</dd><dt>cat</dt><dd>" +
		long + "</dd><dd><pre>" + strings.Repeat("code(x)\n", 20) + "</pre></dd><dt>dog</dt><dd>" + strings.Repeat(long, 5) + "</dd></dl></main>"
	d := deriveHTML(t, source.NormalizedDocument{HTML: html}, Options{ChildTargetTokens: 120, ParentMaxTokens: 500})
	_, children := levels(d.Bundle)
	var got []string
	for _, c := range children {
		text := strings.TrimSpace(c.ChunkText)
		last := text[strings.LastIndexByte(text, '\n')+1:]
		if slices.Contains([]string{"ant", "bee", "cat", "dog"}, last) {
			t.Errorf("child %d ends with the term %q", c.Index, last)
		}
		first, _, _ := strings.Cut(text, "\n")
		got = append(got, strings.Fields(first)[0])
	}
	if want := []string{"#", "cat", "```", "dog"}; !slices.Equal(got[:4], want) {
		t.Errorf("children begin with %q, want %q", got, want)
	}
}

// TestTermsAreEmbedded holds the text to embed of an entry to ending its path with
// its term, which the headings do not take over.
func TestTermsAreEmbedded(t *testing.T) {
	t.Parallel()
	meaning := strings.Repeat("the meaning of it ", 10)
	html := "<title>Words</title><main><h1>Glossary</h1><dl><dt><em>ant</em></dt><dd>" + meaning + "</dd><dt>bee</dt><dd>short</dd><dt>cat</dt><dd>" +
		meaning + "</dd><dt>" + strings.Repeat("long ", 20) + "</dt><dd>" + meaning + "</dd><dt>dog</dt><dd>" + meaning +
		"<div class=\"admonition\"><p class=\"admonition-title\">Note</p><p>" + meaning + meaning + "</p></div></dd></dl><p>After it.</p></main>"
	d := deriveHTML(t, source.NormalizedDocument{HTML: html}, Options{})
	var got []string
	for i, c := range d.Bundle.Chunks {
		if c.Level == store.Parent {
			continue
		}
		path, _, _ := strings.Cut(d.EmbedTexts[i], "\n\n")
		got = append(got, path)
		if !slices.Equal(c.HeadingPath, []string{"Glossary"}) {
			t.Errorf("child %d is at %q", c.Index, c.HeadingPath)
		}
	}
	want := []string{"Words › Glossary › ant", "Words › Glossary › bee", "Words › Glossary", "Words › Glossary › dog"}
	if !slices.Equal(got, want) {
		t.Errorf("paths %q, want %q", got, want)
	}
	for in, want := range map[string]bool{
		"term\n: its meaning\n":       true,
		"In other words.\n: indeed\n": false,
		"Note\n: indeed\n":            false,
		"just a line\nand another\n":  false,
	} {
		if text := derive(t, in, Options{}).EmbedTexts[1]; strings.Contains(text, " › ") != want {
			t.Errorf("%q embeds %q", in, text)
		}
	}
}

// TestMarkdownWithHTML reads pages that come with both, as JSONL does.
func TestMarkdownWithHTML(t *testing.T) {
	t.Parallel()
	ours := deriveHTML(t, source.NormalizedDocument{HTML: htmlPage}, Options{})
	var text strings.Builder
	parents, _ := levels(ours.Bundle)
	for _, p := range parents {
		text.WriteString(p.ChunkText)
	}
	same, _ := levels(deriveHTML(t, source.NormalizedDocument{HTML: htmlPage, Markdown: text.String()}, Options{}).Bundle)
	if same[1].HTMLText != parents[1].HTMLText {
		t.Error("our own markdown lost its HTML")
	}
	foreign, _ := levels(deriveHTML(t, source.NormalizedDocument{HTML: htmlPage, Markdown: "# Trees\n\n| a |\n|---|\n| 1 |\n"}, Options{}).Bundle)
	if foreign[0].HTMLText != "" || foreign[0].HTMLOmittedReason != "low_alignment" || foreign[0].Flags != store.HasTable {
		t.Errorf("foreign markdown became %+v", foreign[0])
	}
}

func TestHostilePages(t *testing.T) {
	t.Parallel()
	for name, html := range map[string]string{
		"600 elements deep":    strings.Repeat("<div>", 600) + "<p>deep text</p>",
		"controls and escapes": "<title>a\x1b]0;x\x07\u202e</title><p>\x1b[31mred\x00 text\u202e\r\nx&#13;y</p>",
		"unclosed":             strings.Repeat("<p><b>x ", 3000),
	} {
		d := deriveHTML(t, source.NormalizedDocument{HTML: html}, Options{ChildTargetTokens: 40, ParentMaxTokens: 100})
		parents, _ := levels(d.Bundle)
		var text strings.Builder
		for _, p := range parents {
			text.WriteString(p.ChunkText)
		}
		if text.Len() == 0 || strings.ContainsAny(text.String(), "\x00\r") {
			t.Errorf("%s became %q", name, text.String())
		}
		checkInvariants(t, text.String(), d, wordTokens{}, 40, 100)
	}
}

// TestWordsAboutAPageAreTidied gives control characters to what is stored beside
// the text.
func TestWordsAboutAPageAreTidied(t *testing.T) {
	t.Parallel()
	d := deriveHTML(t, source.NormalizedDocument{
		Markdown: "text\n", Title: "A\x00 \x1b[31mtitle\n\tof it\u0085", Description: " two\r\nlines\x7f ", Tags: []string{"a\x00b", "\x01", "c"},
		Metadata: map[string]string{"k\x00ey": "v\nalue\xff", rootKey: "forged", "\x02": "x"},
	}, Options{})
	got := d.Bundle.Document
	if got.Title != "A [31mtitle of it" || got.Description != "two lines" || !slices.Equal(got.Tags, []string{"ab", "c"}) ||
		!maps.Equal(got.Metadata, map[string]string{"key": "v alue\uFFFD"}) {
		t.Errorf("stored %q, %q, %q, %q", got.Title, got.Description, got.Tags, got.Metadata)
	}
	if title := d.Bundle.Chunks[0].Title; title != got.Title {
		t.Errorf("its chunks have the title %q", title)
	}
}

// TestTheFolderIsInNoIdentity moves a page to another folder.
func TestTheFolderIsInNoIdentity(t *testing.T) {
	t.Parallel()
	one := deriveHTML(t, source.NormalizedDocument{Markdown: "text\n", Root: "1"}, Options{}).Bundle.Document
	two := deriveHTML(t, source.NormalizedDocument{Markdown: "text\n", Root: "2"}, Options{}).Bundle.Document
	if one.Metadata[rootKey] != "1" || two.Metadata[rootKey] != "2" || one.ID != two.ID || one.DerivedHash != two.DerivedHash || one.CurrentIngestionID != two.CurrentIngestionID {
		t.Errorf("%+v\n%+v", one, two)
	}
}
