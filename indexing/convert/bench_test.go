package convert

import (
	"context"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// benchPage is a documentation page of about 250 KB.
func benchPage(b *testing.B) string {
	b.Helper()
	page := fixtures(b)["sphinx.html"]
	start := strings.Index(page, `<section id="sorting-streams">`)
	end := strings.LastIndex(page, "</section>")
	return page[:start] + strings.Repeat(page[start:end]+"</section>", 50) + page[end:]
}

// BenchmarkConvert reports the cost of a conversion with its source map as a
// multiple of the cost of parsing the same page.
func BenchmarkConvert(b *testing.B) {
	page := benchPage(b)
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	var parse time.Duration
	for b.Loop() {
		if _, err := Convert(context.Background(), page, Options{URL: "https://h.example/a/b.html"}); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		start := time.Now()
		if _, err := html.Parse(strings.NewReader(page)); err != nil {
			b.Fatal(err)
		}
		parse += time.Since(start)
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed())/float64(parse), "x-parse")
}

// BenchmarkHTML reports the cost of rendering a page in sections.
func BenchmarkHTML(b *testing.B) {
	page := benchPage(b)
	p, err := Convert(context.Background(), page, Options{URL: "https://h.example/a/b.html"})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(p.Markdown)))
	const section = 4 << 10
	for b.Loop() {
		for at := 0; at < len(p.Markdown); at += section {
			p.HTML(at, at+section)
		}
	}
}
