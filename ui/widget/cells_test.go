package widget

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// styledLine is text of all widths, with and without styles.
var styledLine = rapid.Custom(func(t *rapid.T) string {
	pieces := rapid.SampledFrom([]string{"a", " ", "余", "👨‍👩‍👧", "é", "e\u0301", "✈️", "🇩🇪", "\x1b[31m", "\x1b[m", "\x1b[1;4m", "⟨U+202E⟩", "█"})
	return strings.Join(rapid.SliceOfN(pieces, 0, 30).Draw(t, "pieces"), "")
})

// Whatever is cut or laid over something keeps its size.
func TestClipKeepsSizes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(styledLine, 0, 8).Draw(t, "lines")
		w, h := rapid.IntRange(-1, 40).Draw(t, "w"), rapid.IntRange(-1, 10).Draw(t, "h")
		out := Clip(lines, w, h)
		if w <= 0 || h <= 0 {
			if len(out) != 0 {
				t.Fatalf("%d lines in %dx%d", len(out), w, h)
			}
			return
		}
		if len(out) != h {
			t.Fatalf("%d lines, want %d", len(out), h)
		}
		for _, l := range out {
			if n := ansi.StringWidth(l); n != w {
				t.Fatalf("%q has %d cells, want %d", l, n, w)
			}
		}
		box := Clip(lines, rapid.IntRange(1, w).Draw(t, "bw"), rapid.IntRange(1, h).Draw(t, "bh"))
		x := rapid.IntRange(0, w-ansi.StringWidth(box[0])).Draw(t, "x")
		for _, l := range Overlay(out, box, x, rapid.IntRange(-2, h).Draw(t, "y")) {
			if n := ansi.StringWidth(l); n != w {
				t.Fatalf("with a box at %d, %q has %d cells, want %d", x, l, n, w)
			}
		}
		if n := ansi.StringWidth(Spread(out[0], box[0], w)); n != w {
			t.Fatalf("spread to %d cells, want %d", n, w)
		}
	})
}
