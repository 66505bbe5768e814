package spans

import (
	"context"
	"strings"
	"testing"
)

// benchText repeats a page of prose, a table and code up to n bytes.
func benchText(n int) string {
	return strings.Repeat(goldenText, n/len(goldenText)+1)[:n]
}

func BenchmarkRender(b *testing.B) {
	prose := strings.Repeat("A page that the crawler found three links away from the seed is probably less central.\n\n", 200)
	plainDark := themes["dark"]
	plainDark.Document.Color = nil
	for _, bm := range []struct {
		name, text string
	}{
		{"prose 1 KB", prose[:1<<10]},
		{"prose 10 KB", prose[:10<<10]},
		{"mixed 1 KB", benchText(1 << 10)},
		{"mixed 10 KB", benchText(10 << 10)},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Render(context.Background(), bm.text, Options{Width: 80, Theme: plainDark}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSource(b *testing.B) {
	text := benchText(10 << 10)
	b.ReportAllocs()
	for b.Loop() {
		Source(text, 80)
	}
}

func BenchmarkPaint(b *testing.B) {
	text := benchText(10 << 10)
	r := render(b, text, Options{Width: 80, Theme: themes["dark"]})
	spans := make([]Span, 20)
	for i := range spans {
		spans[i] = Span{Start: 100 * i, End: 100*i + 60, Level: Citation, Label: "1"}
	}
	b.Run("mark 20 spans", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r.Mark(spans, testPalette)
		}
	})
	m := r.Mark(spans, testPalette)
	b.Run("50 lines", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m.Lines(0, 50, 3)
		}
	})
}

// BenchmarkAlign compares a text with its own HTML, and one that has nothing to
// tie it to the other.
func BenchmarkAlign(b *testing.B) {
	mixed := benchText(10 << 10)
	for _, bm := range []struct{ name, from, to string }{
		{"mixed 10 KB", mixed, inHTML(b, mixed)},
		{"hostile 64 KB", strings.Repeat("ab", 32<<10), strings.Repeat("abc", 22<<10)},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Align(bm.from, bm.to)
			}
		})
	}
}
