package spans

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	xansi "github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestSourceShowsTheTextWithItsLineNumbers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		width      int
		want       []string
	}{
		{"lines", "# one\n\ntwo *x*\n", 20, []string{"1  # one", "2", "3  two *x*"}},
		{"wrapped at blanks", "one two three four", 12, []string{"1  one two", "   three", "   four"}},
		{"a word too long", "abcdefghijklmno p", 13, []string{"1  abcdefghij", "   klmno p"}},
		{"blanks at the edge", "abcdefghij  klm", 13, []string{"1  abcdefghij", "   klm"}},
		{"wide characters", "日本語日本語", 13, []string{"1  日本語日本", "   語"}},
		{"indentation stays", "\tx\n  y", 20, []string{"1      x", "2    y"}},
		{"carriage returns", "a\r\nb\rc\nd", 20, []string{"1  a", "2  b", "   c", "3  d"}},
		{"controls", "\x1b[31m\u202e", 30, []string{"1  ␛[31m⟨U+202E⟩"}},
		{"numbers of two digits", strings.Repeat("x\n", 10), 12, []string{
			" 1  x", " 2  x", " 3  x", " 4  x", " 5  x", " 6  x", " 7  x", " 8  x", " 9  x", "10  x",
		}},
		{"empty", "", 20, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := Source(tt.text, tt.width)
			got := r.PlainLines(0, r.Height())
			if !slices.Equal(got, tt.want) && len(got)+len(tt.want) > 0 {
				t.Errorf("lines\n%q\nwant\n%q", got, tt.want)
			}
		})
	}
}

// TestSourcePaintsExactlyItsSpans paints random spans of random texts: what is
// marked on the screen is the text itself.
func TestSourcePaintsExactlyItsSpans(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Map(func(r rune) rune {
			if r < ' ' && r != '\n' {
				return 'c'
			}
			return r
		}, randomDocument(rng))
		text = strings.NewReplacer("\u202e", "", "\u2028", "", "\xff", "", "\ufffd", "").Replace(text)
		width := rapid.IntRange(10, 60).Draw(t, "width")
		r := Source(text, width)
		n := r.points.Len()
		s := Span{
			Start: rapid.IntRange(0, n).Draw(t, "start"), End: rapid.IntRange(0, n).Draw(t, "end"), Level: Found,
		}
		m := r.Mark([]Span{s}, reversePalette)
		for _, l := range m.Lines(0, r.Height(), 0) {
			if w := xansi.StringWidth(l); w > width+GutterWidth {
				t.Fatalf("line of %d cells in %d: %q", w, width, l)
			}
		}
		want := ""
		if m.Len() > 0 {
			want = r.points.Slice(m.Span(0).Start, m.Span(0).End)
		}
		want = strings.Join(strings.Fields(want), "")
		if got := paintedText(m.Lines(0, r.Height(), 0)); withoutMarks(got) != withoutMarks(want) {
			t.Fatalf("span of %q paints %q, want %q", text, got, want)
		}
	})
}

// A section from a stranger's database can be far larger than any that was indexed.
func TestSourceIsBounded(t *testing.T) {
	t.Parallel()
	const line = "the retries of it\n"
	text := strings.Repeat(line, 7<<20/len(line))
	r := Source(text, 80)
	if most := 1 << 20; r.Truncated() < len(text)-most || r.Height() > most/len(line)+1 {
		t.Errorf("%d lines of %d bytes, %d left out", r.Height(), len(text), r.Truncated())
	}
}

func TestSourceHoldsTheWholeText(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a line of it\n", 3*maxBytes/13)
	r := Source(text, 40)
	if r.Truncated() != 0 || r.Approximate() {
		t.Errorf("%d code points cut, approximate %v", r.Truncated(), r.Approximate())
	}
	if want := strings.Count(text, "\n"); r.Height() != want {
		t.Errorf("%d lines, want %d", r.Height(), want)
	}
}
