package indexing

import (
	"bytes"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	htmltomarkdown "github.com/JohannesKaufmann/html-to-markdown/v2"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/indexing/convert"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/testdata"
)

var (
	linkTarget = regexp.MustCompile(`\]\([^()\n]*\)`)
	anyWord    = regexp.MustCompile(`[\pL\pN]+`)
)

// shares compares a chunk's markdown and HTML as bags of words, in another way
// than the aligner: which part of the words of each the other has.
func shares(markdown, rendered string) (ofMarkdown, ofHTML float64) {
	var b strings.Builder
	for z := html.NewTokenizer(strings.NewReader(rendered)); ; {
		switch z.Next() {
		case html.ErrorToken:
			bag := map[string]int{}
			have := anyWord.FindAllString(strings.ToLower(linkTarget.ReplaceAllString(strings.ReplaceAll(markdown, `\`, ""), "] ")), -1)
			for _, w := range have {
				bag[w]++
			}
			said, both := anyWord.FindAllString(strings.ToLower(b.String()), -1), 0.0
			for _, w := range said {
				if bag[w] > 0 {
					bag[w]--
					both++
				}
			}
			return both / float64(max(1, len(have))), both / float64(max(1, len(said)))
		case html.TextToken:
			b.Write(z.Text())
		default:
			if name, _ := z.TagName(); !slices.Contains([]string{"a", "b", "code", "em", "strong", "span", "sub", "sup"}, string(name)) {
				b.WriteByte(' ')
			}
		}
	}
}

// fixturePages are the test pages as HTML; what is markdown is rendered.
func fixturePages(t testing.TB) map[string]string {
	t.Helper()
	pages := map[string]string{"gauges": gaugePage}
	render := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.DefinitionList))
	err := fs.WalkDir(testdata.Files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasPrefix(path, "pages/") && path != "everest.html" {
			return err
		}
		raw, err := fs.ReadFile(testdata.Files, path)
		if err != nil {
			return err
		}
		if strings.HasSuffix(path, ".md") {
			var b bytes.Buffer
			if err := render.Convert(raw, &b); err != nil {
				return err
			}
			raw = b.Bytes()
		}
		pages[path] = string(raw)
		return nil
	})
	if err != nil || len(pages) < 10 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	return pages
}

// TestAnotherConvertersPages takes the markdown of the test pages from another
// converter, with all that is around their content.
func TestAnotherConvertersPages(t *testing.T) {
	t.Parallel()
	flagged, kept := 0, 0
	for name, page := range fixturePages(t) {
		markdown, err := htmltomarkdown.ConvertString(page)
		if err != nil {
			t.Fatal(err)
		}
		o := Options{ChildTargetTokens: 64, ParentMaxTokens: 300}
		d := deriveHTML(t, source.NormalizedDocument{HTML: page, Markdown: markdown}, o)
		checkInvariants(t, markdown, d, wordTokens{}, 64, 300)
		parents, _ := levels(d.Bundle)
		for _, p := range parents {
			if !p.Flags.Has(store.HTMLPreferred) {
				continue
			}
			flagged++
			if p.HTMLText == "" {
				t.Logf("%s: section %q of flags %b has no HTML: %s, %.300q", name, p.SectionHeading, p.Flags, p.HTMLOmittedReason, p.ChunkText)
				continue
			}
			kept++
			if md, rendered := shares(p.ChunkText, p.HTMLText); md < 0.75 || rendered < 0.65 {
				t.Errorf("%s: section %q shares %.2f of its words and %.2f of its HTML's:\n%s\n%s", name, p.SectionHeading, md, rendered, p.ChunkText, p.HTMLText)
			}
		}
	}
	t.Logf("%d of %d flagged sections have HTML", kept, flagged)
	if flagged < 10 || 100*kept < 90*flagged {
		t.Errorf("%d of %d flagged sections have HTML", kept, flagged)
	}
}

// TestOurOwnMarkdownNeedsNoAlignment compares pages that come with our markdown
// with the same pages of HTML alone.
func TestOurOwnMarkdownNeedsNoAlignment(t *testing.T) {
	t.Parallel()
	for name, raw := range fixturePages(t) {
		converted, err := convert.Convert(t.Context(), raw, convert.Options{URL: "https://example.org/a/page.html"})
		if err != nil {
			t.Fatal(err)
		}
		alone := deriveHTML(t, source.NormalizedDocument{HTML: raw}, Options{HTMLChildren: true})
		both := deriveHTML(t, source.NormalizedDocument{HTML: raw, Markdown: converted.Markdown}, Options{HTMLChildren: true})
		if both.Bundle.Document.DerivedHash != alone.Bundle.Document.DerivedHash || both.Foreign != 0 {
			t.Errorf("%s: our own markdown is taken for another's", name)
		}
		// Aligned with itself, each section has the place that it came from.
		p := &page{text: converted.Markdown}
		p.scan()
		a := align(p, converted)
		index := offset.NewIndex(p.text)
		for _, c := range alone.Bundle.Chunks {
			if c.HTMLText == "" {
				continue
			}
			start, end, ok := a.place(index.Byte(c.CharStart), index.Byte(c.CharEnd))
			if got, _ := converted.HTML(start, end); !ok || got != c.HTMLText {
				t.Errorf("%s: %s %d has the place %d to %d with HTML\n%s\nnot\n%s", name, c.Level, c.Index, start, end, got, c.HTMLText)
			}
		}
	}
}

// edited draws another form of a text: blocks of it are dropped, repeated, moved
// or grown, and words changed.
func edited(t *rapid.T, text string) string {
	blocks := strings.Split(text, "\n\n")
	for range rapid.IntRange(0, 12).Draw(t, "edits") {
		i := rapid.IntRange(0, len(blocks)-1).Draw(t, "block")
		j := rapid.IntRange(0, len(blocks)-1).Draw(t, "other")
		switch rapid.IntRange(0, 5).Draw(t, "edit") {
		case 0:
			blocks[i] = ""
		case 1:
			blocks[i] = blocks[j]
		case 2:
			blocks[i], blocks[j] = blocks[j], blocks[i]
		case 3:
			blocks[i] += "\n\n" + strings.Repeat("Home | Guide | Search ", rapid.IntRange(1, 50).Draw(t, "boilerplate"))
		case 4:
			blocks[i] = strings.ReplaceAll(blocks[i], "e", "é")
		case 5:
			blocks[i] = strings.NewReplacer("|", " ", "\n", "\n\n", "*", "_").Replace(blocks[i])
		}
	}
	return strings.Join(blocks, "\n\n")
}

// Places are in the order of the text, apart from each other, and share as many
// words as they promise.
func TestPlacesShareTheirWords(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does everything: the full run has this test")
	}
	t.Parallel()
	pages := fixturePages(t)
	names := slices.Sorted(maps.Keys(pages))
	rapid.Check(t, func(t *rapid.T) {
		converted, err := convert.Convert(t.Context(), pages[rapid.SampledFrom(names).Draw(t, "page")], convert.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := &page{text: edited(t, converted.Markdown)}
		p.scan()
		a := align(p, converted)
		if a == nil {
			return
		}
		last, from := 0, 0
		for _, b := range p.blocks {
			if b.end < len(p.text) && rapid.Bool().Draw(t, "join") {
				continue
			}
			start, end, ok := a.place(from, b.end)
			if ok {
				if start < last || end <= start || end > len(converted.Markdown) {
					t.Fatalf("the place of %d to %d is %d to %d, after %d", from, b.end, start, end, last)
				}
				given := a.given[wordAt(a.given, from):wordAt(a.given, b.end)]
				own := a.own[wordAt(a.own, start):wordAt(a.own, end)]
				checkShares(t, given, own, p.text[from:b.end], converted.Markdown[start:end])
				last = end
			}
			from = b.end
		}
	})
}

// checkShares counts the words of a range and of its place again, as bags. They are
// words of the whole texts: an excerpt by itself may say something else, as a fence
// that nothing closes is none where it would take in most of a page. What is a formula
// in one text may be code in the other, so of the other all words serve.
func checkShares(t *rapid.T, given, own []word, givenText, ownText string) {
	for _, c := range []struct {
		whose        string
		words, other []word
		least        int
	}{
		{"the range's", given, own, leastAligned},
		{"the place's", own, given, leastCovered},
	} {
		left := map[int32]int{}
		for _, w := range c.other {
			left[w.number]++
		}
		counted := slices.DeleteFunc(slices.Clone(c.words), func(w word) bool { return w.loose })
		if len(counted) == 0 {
			counted = c.words
		}
		both := 0
		for _, w := range counted {
			if left[w.number] > 0 {
				left[w.number]--
				both++
			}
		}
		if both < len(counted) && (len(counted) < fewWords || 100*both < c.least*len(counted)) {
			t.Fatalf("%d of %s %d words are shared:\n%s\n---\n%s", both, c.whose, len(counted), givenText, ownText)
		}
	}
}

// TestHostileFormsAlignInBoundedWork gives the aligner what has nothing to hold
// on to; what it does with it is bounded by [offset.CommonWords].
func TestHostileFormsAlignInBoundedWork(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does everything: the full run has this test")
	}
	t.Parallel()
	many := strings.Repeat
	for name, c := range map[string][2]string{
		"equal paragraphs":  {many("<p>the same words again</p>", 10_000), "first\n\n" + many("the same words again\n\n", 9_000) + "last\n"},
		"unclosed tags":     {many("<p><b>x <i>y ", 10_000), many("x y ", 9_990) + "\n"},
		"one long word":     {"<p>" + many("x", 1<<20), many("x", 1<<20) + " y\n"},
		"two words in turn": {"<p>" + many("a b ", 100_000), many("a b a ", 70_000)},
		"many ids":          {many("<a id=x></a><i id=y>z</i>", 20_000), many("q z ", 20_000)},
		"a line of cells":   {"<table><tr>" + many("<td>a b", 900) + many("<tr><td>c", 40), many("| a b ", 900) + "\n\n" + many("c\n\n", 40)},
		"entities and tags": {many("<p>&amp;lt;&amp;amp;", 20_000), many("<b &amp;", 50_000)},
	} {
		d := deriveHTML(t, source.NormalizedDocument{HTML: c[0], Markdown: c[1]}, Options{})
		checkInvariants(t, c[1], d, wordTokens{}, 256, 1000)
		if d.Foreign == 0 {
			t.Errorf("%s: nothing was to be aligned", name)
		}
	}
}

// FuzzAlign reads any two forms of a page: what is kept of the HTML is sound.
func FuzzAlign(f *testing.F) {
	for _, seed := range [][2]string{
		{"<h2 id=s>Depth</h2><p>a tree<pre>x=1</pre><dl><dt>leaf<dd>an end</dl>", "Depth\n---\n\na _tree_\n\n    x=1\n\nleaf\n\nan end\n"},
		{"<p>a b<table><tr><td>c", "a\n\nc | b\n-|-\n"},
		{"<h1 id=x>a</h1><pre>b", "a\n=\n\n```\nb"},
		{"<p id=a>&amp;lt;b&amp;gt;", "\\<b\\> &lt;b&gt; &#x41;&#0;"},
		{"<dl><dt>a<dd>b", "a\n: b\xff\x00"},
		{"<p>$a$", "[![a](b)](http://c)"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, page, markdown string) {
		text := offset.Document(markdown)
		if strings.TrimSpace(text) == "" {
			return
		}
		o := Options{ChildTargetTokens: 32, ParentMaxTokens: 80, HTMLChildren: true}
		d := deriveHTML(t, source.NormalizedDocument{HTML: page, Markdown: markdown}, o)
		checkInvariants(t, text, d, wordTokens{}, 32, 80)
		if d.Unmatched > d.Foreign {
			t.Fatalf("%d of %d sections have no place", d.Unmatched, d.Foreign)
		}
		for _, c := range d.Bundle.Chunks {
			if strings.Contains(strings.ToLower(c.HTMLText), "<script") || c.HTMLText != "" && c.HTMLOmittedReason != "" {
				t.Fatalf("chunk %d has the HTML %q, omitted %q", c.Index, c.HTMLText, c.HTMLOmittedReason)
			}
		}
	})
}
