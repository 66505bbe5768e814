package spans

import (
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	xansi "github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// testPalette tells the levels apart by attributes and colours.
var testPalette = Palette{
	Styles: map[Level]Style{
		MatchWeak:   {Underline: true},
		MatchMedium: {Background: "#402000"},
		MatchStrong: {Background: "3", Foreground: "#ffffff"},
		Found:       {Reverse: true},
		Citation:    {Background: "#004000", Bold: true},
	},
	Twice: Style{Underline: true},
	Focus: Style{Bold: true},
}

// shownCell is a character as the terminal has it.
type shownCell struct {
	text string
	pen  uv.Style
	link string
}

// screen reads a line as a terminal does. It is not the decoder under test.
func screen(line string) []shownCell {
	p := xansi.GetParser()
	defer xansi.PutParser(p)
	var (
		cells []shownCell
		pen   uv.Style
		link  string
	)
	for line != "" {
		seq, width, n, _ := xansi.DecodeSequence(line, xansi.NormalState, p)
		switch {
		case strings.HasPrefix(seq, "\x1b["):
			uv.ReadStyle(p.Params(), &pen)
		case strings.HasPrefix(seq, "\x1b]8;"):
			link = seq[strings.LastIndex(seq, ";")+1:]
		case width == 0 && len(cells) > 0:
			cells[len(cells)-1].text += seq
		default:
			cells = append(cells, shownCell{text: seq, pen: pen, link: link})
		}
		line = line[n:]
	}
	return cells
}

// TestPaintingOnlyInserts reads the painted lines as a terminal would: every
// character, link and style of an unpainted cell is what it was, and a painted
// cell keeps what its mark does not set.
func TestPaintingOnlyInserts(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, text string, o Options) {
		t.Helper()
		r := render(t, text, o)
		n := r.points.Len()
		spans := []Span{
			{Start: n / 5, End: n / 2, Level: MatchStrong},
			{Start: n / 3, End: n - 1, Level: Citation, Label: "2"},
			{Start: 0, End: n / 4, Level: MatchWeak},
		}
		m := r.Mark(spans, testPalette)
		for i, painted := range m.Lines(0, r.Height(), 1) {
			l := &r.lines[i]
			painted = painted[len(m.gutter(i, 1)):]
			if !isSubsequence(l.styled, painted) {
				t.Fatalf("painting took something away:\n%q\n%q", l.styled, painted)
			}
			before, after := screen(l.styled), screen(painted)
			if len(before) != len(after) {
				t.Fatalf("%d cells became %d:\n%q\n%q", len(before), len(after), l.styled, painted)
			}
			looks := m.looks(i, 1)
			if looks == nil {
				looks = make([]look, len(l.cells))
			}
			if len(looks) != len(before) {
				continue // an accent before the first letter has no cell here
			}
			for j := range before {
				want := before[j]
				apply(&want.pen, testPalette, looks[j])
				if after[j] != want {
					t.Fatalf("cell %d of line %d is %+v, want %+v\n%q", j, i, after[j], want, painted)
				}
			}
		}
	})
}

func apply(pen *uv.Style, p Palette, l look) {
	if l.level == 0 {
		return
	}
	s := p.Styles[l.level]
	if l.twice {
		s = s.add(p.Twice)
	}
	if l.focused {
		s = s.add(p.Focus)
	}
	parser := xansi.GetParser()
	defer xansi.PutParser(parser)
	seq := s.sequence()
	_, _, _, _ = xansi.DecodeSequence(seq, xansi.NormalState, parser)
	uv.ReadStyle(parser.Params(), pen)
}

func isSubsequence(s, of string) bool {
	i := 0
	for j := 0; i < len(s) && j < len(of); j++ {
		if s[i] == of[j] {
			i++
		}
	}
	return i == len(s)
}

func TestMarksOverlap(t *testing.T) {
	t.Parallel()
	r := render(t, "one two three four", Options{Width: 40, Theme: themes["notty"]})
	m := r.Mark([]Span{
		{Start: 4, End: 13, Level: MatchWeak},
		{Start: 8, End: 18, Level: Citation},
		{Start: 8, End: 13, Level: MatchMedium},
	}, testPalette)
	got := ""
	for j, l := range m.looks(0, 0) {
		if r.lines[0].cells[j].blank {
			got += " "
			continue
		}
		mark := string(rune('0' + int(l.level)))
		if l.twice {
			mark = "t"
		}
		if l.focused {
			mark = "f"
		}
		got += mark
	}
	if want := "000 fff fffff 5555"; strings.TrimSpace(got) != want {
		t.Errorf("looks %q, want %q", strings.TrimSpace(got), want)
	}
}

func TestStylesAdd(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawStyle(t), drawStyle(t)
		sum := a.add(b)
		if b.Foreground != "" && sum.Foreground != b.Foreground || sum.Bold != (a.Bold || b.Bold) ||
			sum.Underline != (a.Underline || b.Underline) || sum.Reverse != (a.Reverse || b.Reverse) {
			t.Fatalf("%+v + %+v = %+v", a, b, sum)
		}
		if (sum == Style{}) != (sum.sequence() == "") {
			t.Fatalf("%+v is %q", sum, sum.sequence())
		}
	})
}

func drawStyle(t *rapid.T) Style {
	return Style{
		Foreground: rapid.SampledFrom([]string{"", "#ff0000", "12"}).Draw(t, "fg"),
		Background: rapid.SampledFrom([]string{"", "#000080", "3"}).Draw(t, "bg"),
		Bold:       rapid.Bool().Draw(t, "bold"),
		Underline:  rapid.Bool().Draw(t, "underline"),
		Reverse:    rapid.Bool().Draw(t, "reverse"),
	}
}
