package spans

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// tokens is what random documents are made of: notation out of place.
var tokens = []string{
	"word", "two words", "a", "é", "日本語", "👨‍👩‍👧", "🇩🇪", "e\u0301", "\u0301", "\u00a0", "\u200b", "1️⃣", "שלום",
	" ", " ", " ", "\n", "\n", "\n\n", "\n\n", "  \n", "\\\n", "\t", "\r\n",
	"*", "**", "_", "~~", "`", "``", "***", "[", "]", "](", ")", "](x)", "![", "<", ">", "|", "\\", "\\*", "\\<", "\\&",
	"&", "&amp;", "&lt;", "&nbsp;", "&#x301;", "&#27;", "&bogus;", "http://x.y/z", "www.a.b", "<http://a.b>", "a@b.cd",
	"# ", "## ", "- ", "1. ", "> ", "    ", "```", "```go\n", "\n```\n", "---\n", "===\n", ": ", "- [ ] ", "[x]: y\n",
	"| a | b |\n|---|---|\n| c | d |\n", "|", "|---|\n", "<br>", "<b>", "</b>", "<td>", "<div>\n", "</div>\n",
	"<!-- c -->", "<script>", "</script>", "$x_1$", "[^1]", "[^1]: ", "func f() { return \"x\" }", "\x1b[31m", "\x00",
	"\u202e", "\xff", "\u2028", ".", ",", "!", "end.",
}

func randomDocument(rng *rand.Rand) string {
	var b strings.Builder
	for range 3 + rng.IntN(40) {
		b.WriteString(tokens[rng.IntN(len(tokens))])
	}
	return b.String()
}

// TestRandomDocuments measures how often the map is exact on documents that
// nobody would write. WEBRAG_TEST_DOCUMENTS renders more of them.
func TestRandomDocuments(t *testing.T) {
	t.Parallel()
	documents := 400
	if n, err := strconv.Atoi(os.Getenv("WEBRAG_TEST_DOCUMENTS")); err == nil {
		documents = n
	}
	var (
		rng       = rand.New(rand.NewPCG(20, 26))
		names     = []string{"dark", "notty", "format", "pink"}
		identical int
		spans     tally
	)
	for i := range documents {
		text := randomDocument(rng)
		width := []int{14, 33, 80}[i%3]
		r := render(t, text, Options{Width: width, Theme: themes[names[i%len(names)]]})
		if r.Approximate() {
			t.Logf("width %d, other lines with tags: %q", width, text)
		} else {
			identical++
		}
		o := newOracle(text)
		got := judge(r, o, rng, 5, func(s Span, got, want string) {
			t.Logf("width %d, span %d-%d of %q paints %q, its text is %q", width, s.Start, s.End, text, got, want)
		})
		spans.exact, spans.all = spans.exact+got.exact, spans.all+got.all
	}
	layout := tally{exact: identical, all: documents}
	t.Logf("%.2f %% of %d layouts identical, %.2f %% of %d spans exact",
		100*layout.share(), layout.all, 100*spans.share(), spans.all)
	if layout.share() < 0.995 {
		t.Errorf("only %.2f %% of layouts are identical", 100*layout.share())
	}
	if spans.share() < 0.98 {
		t.Errorf("only %.2f %% of spans are exact", 100*spans.share())
	}
}

func FuzzRender(f *testing.F) {
	for i, s := range snippets {
		f.Add(s.text, i%50)
	}
	f.Fuzz(func(t *testing.T, text string, width int) {
		if len(text) > 1<<11 || width < 0 || width > 200 {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for _, name := range []string{"dark", "notty"} {
			r, err := Render(ctx, text, Options{Width: width, Theme: themes[name]})
			if err != nil {
				t.Fatal(err)
			}
			n := r.points.Len()
			m := r.Mark([]Span{{Start: n / 4, End: n / 2, Level: Found, Label: "x"}}, testPalette)
			for _, l := range m.Lines(0, r.Height(), 0) {
				checkTerminalSafe(t, l)
			}
			for i := range m.Len() {
				if first, last := m.At(i); first < 0 || first > last || last > max(r.Height()-1, 0) {
					t.Fatalf("span at lines %d-%d of %d", first, last, r.Height())
				}
			}
		}
		checkTerminalSafe(t, strings.Join(Source(text, width).Mark(nil, Palette{}).Lines(0, 1<<20, -1), ""))
	})
}
