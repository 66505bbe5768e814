package offset

import (
	"sort"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestDisplayReplacesWhatTerminalsInterpret(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"plain text", "a line\nand é 日本 more", "a line\nand é 日本 more"},
		{"byte order mark at the start", "\uFEFFa\uFEFFb", "a\uFEFFb"},
		{"all line ends", "a\r\nb\rc\nd", "a\nb\nc\nd"},
		{"carriage returns in a row", "a\r\r\nb", "a\n\nb"},
		{"colour sequence", "\x1b[31mred", "␛[31mred"},
		{"null and delete", "a\x00b\x7f", "a␀b␡"},
		{"bell", "\a", "␇"},
		{"C1 control sequence introducer", "a\u009b31m", "a\uFFFD31m"},
		{"next line", "a\u0085b", "a\uFFFDb"},
		{"raw C1 byte", "a\x9b31m", "a\uFFFD31m"},
		{"each invalid byte on its own", "a\xff\xfeb\xe6\x97", "a\uFFFD\uFFFDb\uFFFD\uFFFD"},
		{"the replacement character itself", "a\uFFFDb", "a\uFFFDb"},
		{"line and paragraph separator", "a\u2028b\u2029c", "a b c"},
		{"bidi override", "a\u202Eb\u2069", "a⟨U+202E⟩b⟨U+2069⟩"},
		{"tab at a stop", "\tx", "    x"},
		{"tab after one", "a\tx", "a   x"},
		{"tab before a stop", "abc\tx", "abc x"},
		{"tab after wide characters", "日\tx", "日  x"},
		{"tab after an accent of its own", "e\u0301\tx", "e\u0301   x"},
		{"tabs after each line end", "ab\tc\r\n\td", "ab  c\n    d"},
		{"tab after a replacement", "\x00\tx", "␀   x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Display(tt.text).Text; got != tt.want {
				t.Errorf("Display(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestDisplayedFindsItsWayBack(t *testing.T) {
	t.Parallel()
	// bytes:      0  3 4 5  7 8
	const text = "\uFEFFa\tb\r\nc\x00d"
	d := Display(text)
	if want := "a   b\nc␀d"; d.Text != want {
		t.Fatalf("Display = %q, want %q", d.Text, want)
	}
	for _, tt := range []struct {
		name                   string
		shownStart, shownEnd   int
		sourceStart, sourceEnd int
	}{
		{"first letter", 0, 1, 3, 4},
		{"the tab", 1, 4, 4, 5},
		{"letter after the tab", 4, 5, 5, 6},
		{"line end", 5, 6, 6, 8},
		{"control character", 7, 10, 9, 10},
		{"last letter", 10, 11, 10, 11},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if s, e := d.SourceStart(tt.shownStart), d.SourceEnd(tt.shownEnd); s != tt.sourceStart || e != tt.sourceEnd {
				t.Errorf("shown %d-%d is source %d-%d, want %d-%d",
					tt.shownStart, tt.shownEnd, s, e, tt.sourceStart, tt.sourceEnd)
			}
			if s, e := shownStart(d, tt.sourceStart), shownEnd(d, tt.sourceEnd); s != tt.shownStart || e != tt.shownEnd {
				t.Errorf("source %d-%d is shown %d-%d, want %d-%d",
					tt.sourceStart, tt.sourceEnd, s, e, tt.shownStart, tt.shownEnd)
			}
		})
	}
	if s, e := d.SourceStart(2), d.SourceEnd(2); s != 4 || e != 5 {
		t.Errorf("inside the tab is source %d-%d, want the tab, 4-5", s, e)
	}
	if s, e := d.SourceStart(-5), d.SourceEnd(99); s != 3 || e != len(text) {
		t.Errorf("outside is %d-%d, want it clamped to 3-%d", s, e, len(text))
	}
}

// hostile draws text with much of what Display replaces.
func hostile() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			"a", "word ", "é", "日本", "👨‍👩‍👧", "🇩🇪", "e\u0301", "\t", "\t\t", "\n", "\r\n", "\r", "\x1b[31m",
			"\x1b]52;c;x\a", "\x00", "\x7f", "\u0085", "\u009b", "\xff", "\xe6\x97", "\u2028", "\u202e", "\u2066",
			"\ufeff", "\ufffd", "\u200b", " ", "**", "|",
		}),
		rapid.StringN(0, 4, -1),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 3), func(b []byte) string { return string(b) }),
	)
	return rapid.Map(rapid.SliceOfN(piece, 0, 30), func(s []string) string { return strings.Join(s, "") })
}

func TestDisplayKeepsPositions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { checkDisplay(t, hostile().Draw(t, "text")) })
}

// shownStart is the byte of the displayed text at which a range starts that starts at
// a byte of the original; inside a replaced run that is where the replacement starts.
func shownStart(d *Displayed, source int) int {
	i := sort.Search(len(d.edits), func(i int) bool { return d.edits[i].source > source }) - 1
	if i < 0 {
		return source
	}
	e := d.edits[i]
	if source < e.source+e.sourceLen {
		return e.shown
	}
	return e.shown + e.shownLen + source - e.source - e.sourceLen
}

// shownEnd is where a range ends that ends at a byte of the original.
func shownEnd(d *Displayed, source int) int {
	i := sort.Search(len(d.edits), func(i int) bool { return d.edits[i].source >= source }) - 1
	if i < 0 {
		return source
	}
	e := d.edits[i]
	if source <= e.source+e.sourceLen {
		return e.shown + e.shownLen
	}
	return e.shown + e.shownLen + source - e.source - e.sourceLen
}

// fataler is what *testing.T and *rapid.T share.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func checkDisplay(t fataler, text string) {
	t.Helper()
	d := Display(text)
	checkSafe(t, strings.ReplaceAll(d.Text, "\n", ""))
	if again := Display(d.Text); again.Text != d.Text && !strings.HasPrefix(d.Text, "\uFEFF") {
		t.Fatalf("Display is not idempotent: %q, then %q", d.Text, again.Text)
	}
	before := 0
	for b := 0; b <= len(text); b++ {
		start, end := shownStart(d, b), shownEnd(d, b)
		if start < before || start > len(d.Text) {
			t.Fatalf("ShownStart(%d) = %d after %d, of %d", b, start, before, len(d.Text))
		}
		before = start
		if back := d.SourceStart(start); back > b && start < len(d.Text) && d.SourceStart(shownStart(d, back)) != back {
			t.Fatalf("byte %d is shown at %d, which comes from %d", b, start, back)
		}
		// Nothing is left of a byte order mark to lead back to it.
		if back := d.SourceEnd(end); back < b && end > 0 {
			t.Fatalf("a range that ends at byte %d is shown to %d, which ends at %d", b, end, back)
		}
	}
	for b := 0; b <= len(d.Text); b++ {
		if back := shownStart(d, d.SourceStart(b)); back > b {
			t.Fatalf("shown byte %d comes from %d, which is shown at %d", b, d.SourceStart(b), back)
		}
		if back := shownEnd(d, d.SourceEnd(b)); back < b {
			t.Fatalf("shown range to %d comes from one to %d, which is shown to %d", b, d.SourceEnd(b), back)
		}
	}
	// What was not replaced is the same text at both places.
	for i, r := range d.Text {
		s, e := d.SourceStart(i), d.SourceEnd(i+utf8.RuneLen(r))
		if s > e {
			t.Fatalf("shown byte %d comes from %d-%d", i, s, e)
		}
		if source := text[s:e]; source != string(r) {
			if _, size := utf8.DecodeRuneInString(source); size != len(source) && source != "\r\n" {
				t.Fatalf("%q at %d comes from %q", r, i, source)
			}
			if one, _ := utf8.DecodeRuneInString(source); one > ' ' && one < 0x7F {
				t.Fatalf("%q at %d comes from %q", r, i, source)
			}
		}
	}
}

// checkSafe fails for anything that a terminal interprets.
func checkSafe(t fataler, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Fatalf("invalid bytes in %q", s)
	}
	for _, r := range s {
		switch {
		case r < 0x20, r >= 0x7F && r <= 0x9F, r == 0x2028, r == 0x2029,
			r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
			t.Fatalf("%U in %q", r, s)
		}
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"nothing to do", "guide › depth", "guide › depth"},
		{"line ends", "a\nb\r\nc\rd", "a b c d"},
		{"tab", "a\tb", "a b"},
		{"byte order mark", "\uFEFFa", "a"},
		{"window title sequence", "x\x1b]0;owned\a", "x␛]0;owned␇"},
		{"bidi override", "a\u202Ecod.exe", "a⟨U+202E⟩cod.exe"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Line(tt.text); got != tt.want {
				t.Errorf("Line(%q) = %q, want %q", tt.text, got, tt.want)
			}
			if got := Trimmed("\n " + strings.TrimPrefix(tt.text, "\uFEFF") + "\t"); got != tt.want {
				t.Errorf("trimmed, %q is %q, want %q", tt.text, got, tt.want)
			}
		})
	}
	rapid.Check(t, func(t *rapid.T) { checkSafe(t, Line(hostile().Draw(t, "text"))) })
}

func FuzzDisplay(f *testing.F) {
	for _, s := range []string{"", "\uFEFF\r\n\t", "a\x1b[31m\u202e\xff\u2028", "日\t本\r\rx"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			return
		}
		checkDisplay(t, text)
		checkSafe(t, Line(text))
	})
}

func BenchmarkDisplay(b *testing.B) {
	for _, bm := range []struct{ name, text string }{
		{"plain", strings.Repeat("A line of prose without anything special.\n", 250)},
		{"tabs", strings.Repeat("\tif err != nil {\t// why\n", 400)},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.SetBytes(int64(len(bm.text)))
			for b.Loop() {
				Display(bm.text)
			}
		})
	}
}
