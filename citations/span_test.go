package citations_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// page is the document of the tests. Its second paragraph is the code points
// [3, 17) and the bytes [4, 18).
const page = "é\n\nFour five six."

func paragraph() citations.Source {
	return citations.FromChunk(&store.Chunk{
		ChunkText: "Four five six.", CharStart: 3, CharEnd: 17, TokenStart: 2, TokenEnd: 6,
		SourceURL: "https://example.org/a", SectionHeading: "Numbers", Title: "Page",
		HTMLText: "<p>Four <em>five</em> six.</p>",
	})
}

func TestExtract(t *testing.T) {
	for _, c := range []struct {
		name       string
		start, end int
		want       string
		ok         bool
	}{
		{"the whole chunk", 3, 17, "Four five six.", true},
		{"within", 8, 12, "five", true},
		{"first code point", 3, 4, "F", true},
		{"last code point", 16, 17, ".", true},
		{"begins before the chunk", 2, 7, "", false},
		{"ends after the chunk", 8, 18, "", false},
		{"before the chunk", 0, 2, "", false},
		{"after the chunk", 20, 24, "", false},
		{"empty", 8, 8, "", false},
		{"backwards", 12, 8, "", false},
		{"negative", -4, -1, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			span, ok := citations.Extract(paragraph(), c.start, c.end)
			if ok != c.ok || span.VerbatimText != c.want {
				t.Fatalf("got %q, %v, want %q, %v", span.VerbatimText, ok, c.want, c.ok)
			}
			if !ok {
				return
			}
			want := citations.Span{
				VerbatimText: c.want, SourceURL: "https://example.org/a", SectionHeading: "Numbers", Title: "Page",
				CharStart: c.start, CharEnd: c.end, TokenStart: 2, TokenEnd: 6, Fit: citations.FitExact,
			}
			if span != want {
				t.Errorf("got %+v, want %+v", span, want)
			}
			if got := string([]rune(page)[c.start:c.end]); got != span.VerbatimText {
				t.Errorf("the document says %q there", got)
			}
		})
	}
}

// A foreign indexer joined paragraphs that three blank lines parted with a
// single one: the span is two longer than the text.
func TestExtractFromRejoinedText(t *testing.T) {
	s := citations.Source{
		ChunkText: "Some words before.\n\nWords after them.", // 37 code points
		CharStart: 100, CharEnd: 139,
	}
	for _, c := range []struct {
		start, end int
		want       string
		fit        citations.Fit
	}{
		{100, 104, "Some", citations.FitUnsure},
		{135, 139, "m.", citations.FitOutOfRange},
		{137, 139, "", citations.FitOutOfRange},
	} {
		span, ok := citations.Extract(s, c.start, c.end)
		if !ok || span.Fit != c.fit || span.VerbatimText != c.want {
			t.Errorf("[%d, %d): %q, %s, %v", c.start, c.end, span.VerbatimText, span.Fit, ok)
		}
	}
}

func TestSpanJSON(t *testing.T) {
	span, _ := citations.Extract(paragraph(), 8, 12)
	span.Title = ""
	raw, err := json.Marshal(span)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"verbatim_text":"five","source_url":"https://example.org/a","section_heading":"Numbers","char_start":8,"char_end":12,"token_start":2,"token_end":6,"title":null}`
	if string(raw) != want {
		t.Errorf("got %s", raw)
	}
}

// Whatever chunk of a document is cut from, the words are those of the document.
func TestExtractIsTheDocument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		document := rapid.StringOf(rapid.SampledFrom([]rune("ab é\n語🌍\u0301"))).Draw(t, "document")
		points := []rune(document)
		a := rapid.IntRange(0, len(points)).Draw(t, "chunk start")
		b := rapid.IntRange(a, len(points)).Draw(t, "chunk end")
		s := citations.Source{ChunkText: offset.NewIndex(document).Slice(a, b), CharStart: a, CharEnd: b}
		start := rapid.IntRange(-2, len(points)+2).Draw(t, "start")
		end := rapid.IntRange(-2, len(points)+2).Draw(t, "end")
		span, ok := citations.Extract(s, start, end)
		if want := a <= start && start < end && end <= b; ok != want {
			t.Fatalf("[%d, %d) of the chunk [%d, %d): %v", start, end, a, b, ok)
		}
		if ok && (span.VerbatimText != string(points[start:end]) || span.Fit != citations.FitExact) {
			t.Fatalf("got %q (%s), the document says %q", span.VerbatimText, span.Fit, string(points[start:end]))
		}
	})
}

func FuzzExtract(f *testing.F) {
	f.Add(page, 0, 17, 3, 8)
	f.Add("a\xffb", 5, 8, 6, 7)
	f.Add("", -1, 1, 0, 1)
	f.Fuzz(func(t *testing.T, text string, charStart, charEnd, start, end int) {
		span, ok := citations.Extract(citations.Source{ChunkText: text, CharStart: charStart, CharEnd: charEnd}, start, end)
		if !ok && span != (citations.Span{}) {
			t.Errorf("a span that is none holds %+v", span)
		}
		if !strings.Contains(text, span.VerbatimText) {
			t.Errorf("%q is not in %q", span.VerbatimText, text)
		}
	})
}

func ExampleExtract() {
	chunk := store.Chunk{ChunkText: "Four five six.", CharStart: 3, CharEnd: 17, SourceURL: "https://example.org/a"}
	span, ok := citations.Extract(citations.FromChunk(&chunk), 8, 12)
	fmt.Println(ok, span.VerbatimText)
	// Output: true five
}
