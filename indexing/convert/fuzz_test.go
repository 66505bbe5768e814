package convert

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/offset"
)

// FuzzConvert holds any bytes to the promises of a page: normalised text, ordered
// places, and HTML that is safe and bounded for each range.
func FuzzConvert(f *testing.F) {
	for _, page := range fixtures(f) {
		f.Add(page, 10, 200)
	}
	for _, seed := range []string{
		"", "\x00", "\xef\xbb\xbf# a", "<p>&#xFEFF;&#xFEFF;a", "<table><tr><td rowspan=3>a<td>b<tr><td>c",
		"<ul><li><ol start=7><li><pre>a\n\nb", "<math><mi>a<annotation encoding=tex>b", "<a href='//x'><h1>a", "a<br><br>b<br>",
		"<svg><p>a", "<form><h1>a<select><option>b", "<blockquote><dl><dt class=sig>a<code>b</code><dd>c",
	} {
		f.Add(seed, 0, 5)
	}
	f.Fuzz(func(t *testing.T, page string, start, end int) {
		p, err := Convert(context.Background(), page, Options{URL: "https://h.example/dir/page.html"})
		if err != nil {
			t.Fatalf("convert: %v", err)
		}
		md := p.Markdown
		if !utf8.ValidString(md) || offset.Document(md) != md {
			t.Fatalf("not normalised: %q", md)
		}
		if md != "" && (!strings.HasSuffix(md, "\n") || strings.HasSuffix(md, "\n\n") || md[0] == '\n') {
			t.Fatalf("ends: %q", md)
		}
		for at := range p.Anchors {
			if at < 0 || at >= len(md) || md[at] != '#' {
				t.Fatalf("anchor at %d of %q", at, md)
			}
		}
		last := 0
		for _, l := range p.Links {
			if l.At < last || l.At > len(md) {
				t.Fatalf("link %+v after %d of %q", l, last, md)
			}
			last = l.At
		}
		last = 0
		for _, x := range p.Targets {
			if x.At < last || x.At > len(md) {
				t.Fatalf("target %+v after %d of %q", x, last, md)
			}
			last = x.At
		}
		for _, r := range [][2]int{{start, end}, {0, len(md)}, {len(md) / 3, len(md) / 2}} {
			html, omitted := p.HTML(r[0], r[1])
			if (html == "") == (omitted == "") {
				t.Fatalf("HTML %q, reason %q", html, omitted)
			}
			checkSafe(t, html)
			if whole, part := p.Flags(0, len(md)), p.Flags(r[0], r[1]); whole|part != whole {
				t.Fatalf("flags %b of a part, %b of the whole", part, whole)
			}
		}
	})
}

// FuzzResolve holds references to the schemes that may be followed.
func FuzzResolve(f *testing.F) {
	f.Add("https://h.example/a/b", "../c#d")
	f.Add("file:guide/a.html", "../../b.html")
	f.Add("", "//x")
	f.Add("https://h.example", "java\nscript:x")
	f.Fuzz(func(t *testing.T, base, ref string) {
		target, _ := Resolve(base, ref)
		scheme := strings.ToLower(schemeOf(target))
		if scheme == "javascript" && !strings.HasPrefix(strings.ToLower(strings.TrimSpace(base)), "javascript") {
			t.Fatalf("%q on %q leads to %q", ref, base, target)
		}
	})
}
