package main

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// The cell's size and the font's in pixels, and the room around the screen.
const (
	cellWidth  = 8.43
	cellHeight = 18
	fontSize   = 14
	margin     = 8
)

// base are the sixteen colours of the drawn terminal.
var base = [16]string{
	"#1c1c28", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#cba6f7", "#94e2d5", "#bac2de",
	"#585b70", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#cba6f7", "#94e2d5", "#ffffff",
}

// pen is the state of the terminal's graphic rendition.
type pen struct {
	fg, bg                                      string
	bold, faint, italic, under, reverse, struck bool
}

// run is a stretch of equally drawn characters.
type run struct {
	x, cells int
	text     string
	pen      pen
}

// draw makes an SVG of a captured screen.
func draw(screen string, cols, rows int, light bool) string {
	bg, fg := ground(light)
	var b strings.Builder
	begin(&b, cols, rows, bg)
	for y, row := range drawRows(screen, rows, bg, fg) {
		if row != "" {
			fmt.Fprintf(&b, `<g transform="translate(0 %d)">%s</g>`+"\n", y*cellHeight+margin, row)
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// ground are the colours of the terminal's background and text.
func ground(light bool) (bg, fg string) {
	if light {
		return "#fbf8f3", "#2b2b33"
	}
	return "#11111b", "#cdd6f4"
}

// begin writes the picture's head and its ground.
func begin(b *strings.Builder, cols, rows int, bg string) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 %.0f %d" font-family="DejaVu Sans Mono, JetBrains Mono, Menlo, Consolas, monospace" font-size="%d">`+"\n",
		float64(cols)*cellWidth+2*margin, rows*cellHeight+2*margin, fontSize)
	b.WriteString("<style>.b{font-weight:bold}.i{font-style:italic}.f{opacity:.6}</style>\n")
	fmt.Fprintf(b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", bg)
}

// drawRows draws the rows of a screen, each at height 0.
func drawRows(screen string, rows int, bg, fg string) []string {
	var drawn []string
	var p pen
	for y, line := range strings.Split(strings.TrimSuffix(screen, "\n"), "\n") {
		if y >= rows {
			break
		}
		var b strings.Builder
		for _, r := range runs(line, &p) {
			drawRun(&b, r, bg, fg)
		}
		drawn = append(drawn, b.String())
	}
	return drawn
}

// runs splits a line into runs of one pen; a wide character is a run of its own,
// so that fonts cannot shift what follows, and so are patterns of dots.
func runs(line string, p *pen) []run {
	var out []run
	state := byte(0)
	x := 0
	for line != "" {
		seq, width, n, next := ansi.DecodeSequence(line, state, nil)
		state, line = next, line[n:]
		switch {
		case width == 0 && strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m"):
			p.apply(seq[2 : len(seq)-1])
		case width > 0:
			last := len(out) - 1
			if last >= 0 && out[last].pen == *p && width == 1 && isBraille(out[last].text) == isBraille(seq) && out[last].x+out[last].cells == x && out[last].cells == len([]rune(out[last].text)) {
				out[last].text += seq
				out[last].cells++
			} else {
				out = append(out, run{x: x, cells: width, text: seq, pen: *p})
			}
			x += width
		}
	}
	return out
}

func drawRun(b *strings.Builder, r run, bg, fg string) {
	ink, paper := r.pen.fg, r.pen.bg
	if ink == "" {
		ink = fg
	}
	if r.pen.reverse {
		if paper == "" {
			paper = bg
		}
		ink, paper = paper, ink
	}
	left, width := float64(r.x)*cellWidth+margin, float64(r.cells)*cellWidth
	if paper != "" {
		fmt.Fprintf(b, `<rect x="%.1f" width="%.1f" height="%d" fill="%s"/>`, left, width+0.3, cellHeight, paper)
	}
	if isBraille(r.text) {
		drawDots(b, r.text, left, ink)
	} else if strings.TrimSpace(r.text) != "" {
		var classes []string
		for name, on := range map[string]bool{"b": r.pen.bold, "i": r.pen.italic, "f": r.pen.faint} {
			if on {
				classes = append(classes, name)
			}
		}
		class := ""
		if slices.Sort(classes); len(classes) > 0 {
			class = ` class="` + strings.Join(classes, " ") + `"`
		}
		// Blanks at the ends draw nothing.
		text := strings.TrimRight(r.text, " ")
		blanks := len(text) - len(strings.TrimLeft(text, " "))
		cells := r.cells - (len(r.text) - len(text)) - blanks
		fmt.Fprintf(b, `<text x="%.1f" y="13.5" textLength="%.1f" fill="%s"%s>%s</text>`,
			left+float64(blanks)*cellWidth, float64(cells)*cellWidth, ink, class, html.EscapeString(text[blanks:]))
	}
	for _, mark := range []struct {
		on bool
		at int
	}{{r.pen.under, cellHeight - 3}, {r.pen.struck, cellHeight / 2}} {
		if mark.on {
			fmt.Fprintf(b, `<rect x="%.1f" y="%d" width="%.1f" height="1" fill="%s"/>`, left, mark.at, width, ink)
		}
	}
}

// firstBraille is the pattern without dots; each of the 256 has its dots as bits.
const firstBraille = '\u2800'

// isBraille says whether a text begins with a pattern of dots.
func isBraille(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return r >= firstBraille && r < firstBraille+256
}

// drawDots draws patterns of dots as such: many fonts have none, and those that stand in
// for them are of another width.
func drawDots(b *strings.Builder, text string, left float64, ink string) {
	const size = 1.8
	fmt.Fprintf(b, `<path fill="%s" d="`, ink)
	for i, r := range []rune(text) {
		for dot, at := range [8][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}} {
			if (r-firstBraille)>>dot&1 == 1 {
				x := left + (float64(i)+float64(at[0])/2+0.25)*cellWidth - size/2
				y := (float64(at[1])+0.5)*cellHeight/4 - size/2
				fmt.Fprintf(b, "M%.1f %.1fh%.1fv%.1fh-%.1fz", x, y, size, size, size)
			}
		}
	}
	b.WriteString(`"/>`)
}

// apply follows one SGR sequence, given without its introducer and final byte.
func (p *pen) apply(params string) {
	var n []int
	for part := range strings.FieldsFuncSeq(params, func(r rune) bool { return r == ';' || r == ':' }) {
		v := 0
		_, _ = fmt.Sscan(part, &v) // what is not a number is 0, as in a terminal
		n = append(n, v)
	}
	if len(n) == 0 {
		*p = pen{}
	}
	for i := 0; i < len(n); i++ {
		switch v := n[i]; {
		case v == 0:
			*p = pen{}
		case v == 1:
			p.bold = true
		case v == 2:
			p.faint = true
		case v == 3:
			p.italic = true
		case v == 4:
			p.under = true
		case v == 7:
			p.reverse = true
		case v == 9:
			p.struck = true
		case v == 22:
			p.bold, p.faint = false, false
		case v == 23:
			p.italic = false
		case v == 24:
			p.under = false
		case v == 27:
			p.reverse = false
		case v == 29:
			p.struck = false
		case v >= 30 && v <= 37:
			p.fg = base[v-30]
		case v >= 90 && v <= 97:
			p.fg = base[v-82]
		case v >= 40 && v <= 47:
			p.bg = base[v-40]
		case v >= 100 && v <= 107:
			p.bg = base[v-92]
		case v == 39:
			p.fg = ""
		case v == 49:
			p.bg = ""
		case (v == 38 || v == 48 || v == 58) && i+1 < len(n):
			colour := ""
			switch {
			case n[i+1] == 5 && i+2 < len(n):
				colour = indexed(n[i+2])
				i += 2
			case n[i+1] == 2 && i+4 < len(n):
				colour = fmt.Sprintf("#%02x%02x%02x", n[i+2], n[i+3], n[i+4])
				i += 4
			}
			switch v {
			case 38:
				p.fg = colour
			case 48:
				p.bg = colour
			}
		}
	}
}

// indexed is a colour of the 256-colour palette.
func indexed(n int) string {
	if n < 16 {
		return base[n]
	}
	if n < 232 {
		level := func(v int) int {
			if v == 0 {
				return 0
			}
			return 55 + 40*v
		}
		n -= 16
		return fmt.Sprintf("#%02x%02x%02x", level(n/36), level(n/6%6), level(n%6))
	}
	grey := 8 + 10*(n-232)
	return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
}
