package spans

import (
	"strings"
	"testing"
)

func TestWhatIsOmittedIsHiddenAndMovesNothing(t *testing.T) {
	t.Parallel()
	const header = "---\r\ntitle: Ä \x1b[31m日本\r\n---\r\n"
	const text = header + "\r\n# Head\r\n\r\nbody of the text"
	o := Options{Width: 40, Theme: themes["light"], Omit: len([]rune(header)), Instead: "front matter\x1b[31m, 3 lines"}
	r := render(t, text, o)
	shown := strings.Join(strings.Fields(strings.Join(r.PlainLines(0, r.Height()), " ")), " ")
	if want := "front matter␛[31m, 3 lines Head body of the text"; shown != want {
		t.Errorf("shown as %q, want %q", shown, want)
	}
	m := r.Mark([]Span{at(t, text, "title", 0), at(t, text, "body", 0), at(t, text, "日本\r\n---\r\n\r\n# Head", 0)}, reversePalette)
	for i, hidden := range []bool{true, false, false} {
		if m.Hidden(i) != hidden {
			t.Errorf("span %d: hidden is %v", i, m.Hidden(i))
		}
	}
	if got := paintedText(m.Lines(0, r.Height(), -1)); got != "Headbody" {
		t.Errorf("painted %q, want what is left", got)
	}
	if first, _ := m.At(0); strings.TrimSpace(r.PlainLines(first, first+1)[0]) != "Head" {
		t.Errorf("a hidden span is at line %d, want what follows", first)
	}
	if h := r.Headings(); len(h) != 1 || h[0].Start != at(t, text, "Head", 0).Start {
		t.Errorf("headings %v", h)
	}
	o.Omit = 1 << 20
	if r := render(t, text, o); r.Height() != 1 || r.Truncated() != 0 {
		t.Errorf("with all left out %d lines, %d points cut", r.Height(), r.Truncated())
	}
	for width := MinWidth; width < 30; width++ {
		o.Width = width
		for _, l := range render(t, text, o).Mark(nil, Palette{}).Lines(0, 1, -1) {
			checkTerminalSafe(t, l)
		}
	}
}
