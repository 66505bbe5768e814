package convert

import (
	"context"
	"strings"
	"testing"
)

// TestHostile holds conversions to bounds that do not depend on the clock: the
// size of the output, and the number of nodes looked at.
func TestHostile(t *testing.T) {
	t.Parallel()
	rep := strings.Repeat
	for _, tt := range []struct {
		name, html string
		degraded   bool
		holds      string // part of the markdown
	}{
		{name: "deep nesting", html: rep("<div>", 600) + "deep", degraded: true, holds: "deep"},
		{name: "deep lists", html: rep("<ul><li>x", 200), holds: "x"},
		{name: "deep quotes", html: rep("<blockquote>x", 400), holds: "x"},
		{name: "deep quotes with many lines", html: rep("<blockquote>", 400) + rep("<p>a", 20_000), holds: "a"},
		{name: "deep inline elements", html: rep("<b><i><s>", 150) + "x", holds: "x"},
		{name: "deep tables", html: rep("<table><tr><td>x", 120), holds: "x"},
		{name: "no space", html: "<p>" + rep("a", 5<<20), holds: "aaa"},
		{name: "no space in code", html: "<pre>" + rep("`", 1<<20), holds: "```"},
		{name: "open paragraphs", html: rep("<p>x", 100_000), holds: "x"},
		{name: "open links", html: rep("<a href=x>y", 50_000), holds: "y"},
		{name: "open emphasis", html: rep("<em>x", 50_000), degraded: true, holds: "x"},
		{name: "line breaks", html: rep("<br>", 200_000) + "x", holds: "x"},
		{name: "line breaks and text", html: rep("x<br>", 100_000), holds: "x\nx"},
		{name: "wide cell", html: "<table><tr><td colspan=1000000000>x<td>y</table>", holds: "x"},
		{name: "tall cell", html: "<table><tr><td rowspan=1000000000>x<td>y<tr><td>z</table>", holds: "| x | z |"},
		{name: "wide and tall cells", html: "<table>" + rep("<tr><td colspan=1000 rowspan=1000>x<td>y", 500) + "</table>", holds: "x"},
		{name: "digits without end", html: "<table><tr><td colspan=" + rep("9", 10_000) + ">x<td>y</table>", holds: "x"},
		{name: "one wide row above many short ones", html: "<table><tr>" + rep("<td>a", 900) + rep("<tr><td>b", 20_000) + "</table>", holds: "| b"},
		{name: "long text in a tall cell", html: "<table><tr><td rowspan=1000>" + rep("a", 5000) + "<td>y" + rep("<tr><td>z", 900) + "</table>", holds: "z"},
		{name: "long base", html: "<base href=http://h.example/" + rep("d/", 900) + ">" + rep("<a href=x>y</a> ", 20_000), degraded: true, holds: "y"},
		{name: "stars", html: "<p>" + rep("a_b*", 50_000), holds: "a_b"},
		{name: "brackets", html: "<p>" + rep("[a](", 30_000), holds: "[a"},
		{name: "backticks", html: "<p>" + rep("` `` ", 30_000), holds: "`"},
		{name: "signs within signs", html: "<p>" + rep("<b>*</b>_<i>`</i>", 20_000), holds: "*"},
		{name: "identifiers", html: rep("<a id=x></a>", 50_000) + "x", holds: "x"},
		{name: "classes", html: "<p class='" + rep("a ", 100_000) + "'>x", holds: "x"},
		{name: "list start", html: "<ol start=99999999999><li>x<li>y</ol>", holds: "1. x"},
		{name: "unclosed tag", html: rep("<", 100_000), holds: "<"},
		{name: "unclosed comment", html: "x<!--" + rep("-", 100_000), holds: "x"},
		{name: "entities", html: rep("&amp;lt;", 50_000), holds: "lt;"},
		{name: "nested forms and tables", html: rep("<table><form><tr>", 100) + "x", holds: "x"},
		{name: "MathML", html: "<math>" + rep("<mfrac><mi>a</mi>", 200) + "<mi>b", holds: "a"},
		{name: "boxes that could be formulas", html: rep("<span class=math>", 400) + rep("word ", 200_000), holds: "word"},
		{name: "code without text", html: rep("<div><code>", 100) + rep("<wbr>", 100_000) + "x", holds: "x"},
		{name: "superscripts", html: "<p>1" + rep("<sup>", 400) + rep("word ", 200_000), holds: "word"},
		{name: "long class around code", html: "<div class='" + rep("x ", 500_000) + "'>" + rep("<pre>y</pre>", 20_000), holds: "y"},
		{name: "many attributes around code", html: "<div " + rep("x ", 1000) + rep("y=z ", 100_000) + ">" + rep("<pre>y</pre>", 20_000), holds: "y"},
		{name: "many empty rows", html: "<table><tr>" + rep("<td>a", 1000) + rep("<tr>", 300_000) + "</table>", holds: "| a |"},
		{name: "frames", html: "<frameset><frame src=x></frameset>", degraded: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := mustConvert(t, tt.html)
			if (p.Degraded != "") != tt.degraded {
				t.Errorf("degraded: %q", p.Degraded)
			}
			if !strings.Contains(p.Markdown, tt.holds) {
				t.Errorf("%q is not in the markdown: %.200q", tt.holds, p.Markdown)
			}
			if limit := 8*len(tt.html) + 2<<20; len(p.Markdown) > limit {
				t.Errorf("%d bytes became %d", len(tt.html), len(p.Markdown))
			}
			html, omitted := p.HTML(0, len(p.Markdown))
			if limit := maxGrowth*len(p.Markdown) + maxExtra; len(html) > limit {
				t.Errorf("%d bytes of HTML for %d of markdown", len(html), len(p.Markdown))
			}
			if (html == "") == (omitted == "") {
				t.Errorf("HTML %.20q and reason %q", html, omitted)
			}
		})
	}
}

// cancelAfter is done after its Err was asked some times.
type cancelAfter struct {
	context.Context
	asked, limit int
}

func (c *cancelAfter) Err() error {
	c.asked++
	if c.asked > c.limit {
		return context.Canceled
	}
	return nil
}

func TestConvertLooksAtTheContext(t *testing.T) {
	t.Parallel()
	page := strings.Repeat("<p>some <b>words</b></p>", 20_000)
	whole := &cancelAfter{Context: context.Background(), limit: 1 << 30}
	if _, err := Convert(whole, page, Options{}); err != nil {
		t.Fatal(err)
	}
	reads := len(page)/4096 + 10 // the parser's looks
	if nodes := 40_000; whole.asked < reads+nodes/checkEvery {
		t.Errorf("the context was looked at %d times, %d of them by the parser", whole.asked, reads)
	}
	for _, share := range []int{2, 10, 100} {
		ctx := &cancelAfter{Context: context.Background(), limit: whole.asked - whole.asked/share}
		if _, err := Convert(ctx, page, Options{}); err == nil {
			t.Errorf("no error although cancelled after %d looks", ctx.limit)
		}
		if ctx.asked > ctx.limit+3 {
			t.Errorf("went on for %d looks after it was cancelled", ctx.asked-ctx.limit)
		}
	}
}

func TestPlainTextKeepsParagraphs(t *testing.T) {
	t.Parallel()
	p := mustConvert(t, "<title>t</title><p>one <b>two</b><p># three<script>x</script>"+strings.Repeat("<i>", 600)+"four<br>five")
	if want := "one two\n\n\\# three\n\nfour\nfive\n"; strings.ReplaceAll(p.Markdown, "threefour", "three\n\nfour") != want {
		t.Errorf("got %q, want %q", p.Markdown, want)
	}
	if p.Title != "t" || p.Degraded == "" {
		t.Errorf("title %q, degraded %q", p.Title, p.Degraded)
	}
	if _, omitted := p.HTML(0, 5); omitted != "unparsable" {
		t.Errorf("omitted %q", omitted)
	}
}
