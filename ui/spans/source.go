package spans

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/webrag/webrag-tui/offset"
)

// maxSourceBytes is how much of a text the source view shows. Laying it out is
// linear, so only memory is the limit: a character takes some 200 bytes until it is
// laid out, and the neighbours of what is shown are laid out ahead.
const maxSourceBytes = 1 << 20

// Source lays out the text itself, wrapped at blanks, with its line numbers in
// front, for the source views. Width is that of numbers and text together, at
// least MinWidth; nothing of the first megabyte is left out but blanks at which a line was wrapped.
func Source(text string, width int) *Rendering {
	width = max(width, MinWidth)
	head := text[:cutAt(text, maxSourceBytes)]
	shown := offset.Display(head)
	return finish(text, shown, verbatim(shown.Text, width, lineNumbers(head, shown)), width)
}

// lineNumbers returns for each line of the displayed text its number, or 0 where
// an editor sees no new line: a lone carriage return starts one only here.
func lineNumbers(text string, shown *offset.Displayed) []int {
	numbers := []int{1}
	number := 1
	for b := range len(shown.Text) {
		if shown.Text[b] != '\n' {
			continue
		}
		if strings.HasSuffix(text[:shown.SourceEnd(b+1)], "\n") {
			number++
			numbers = append(numbers, number)
		} else {
			numbers = append(numbers, 0)
		}
	}
	return numbers
}

// verbatim lays out a displayed text as it is written; numbers is nil for no
// line numbers.
func verbatim(text string, width int, numbers []int) *layout {
	v := &verbatimWriter{layout: &layout{}, width: width}
	if len(numbers) > 0 {
		last := 0
		for _, n := range numbers {
			last = max(last, n)
		}
		v.margin = min(len(strconv.Itoa(last))+2, width/2)
		v.width = width - v.margin
	}
	lines := strings.Split(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	at := 0
	for i, l := range lines {
		number := 0
		if i < len(numbers) {
			number = numbers[i]
		}
		v.line(l, at, number)
		at += len(l) + 1
	}
	return v.layout
}

type verbatimWriter struct {
	layout *layout
	width  int // cells of text
	margin int // cells of line numbers
	lines  int32
}

// line wraps one line of the text, which begins at byte at.
func (v *verbatimWriter) line(text string, at, number int) {
	v.lines++
	v.words(text, at)
	var (
		glyphs   []wide
		width    int
		breaksAt = -1 // glyph after the last blank
		wrapped  bool // at a blank; those that follow it hang over the end too
	)
	characters := graphemes.FromString(text)
	for characters.Next() {
		g := newWide(characters.Value(), at+characters.Start())
		if g.blank && (wrapped || width+g.width > v.width) {
			if len(glyphs) > 0 {
				v.row(glyphs, number)
				glyphs, width, breaksAt, number = nil, 0, -1, 0
			}
			wrapped = true
			continue
		}
		wrapped = false
		for width+g.width > v.width && len(glyphs) > 0 {
			split := breaksAt
			if split <= 0 || split > len(glyphs) {
				split = len(glyphs)
			}
			v.row(glyphs[:split], number)
			glyphs, number, breaksAt = glyphs[split:], 0, -1
			width = 0
			for _, rest := range glyphs {
				width += rest.width
			}
		}
		glyphs = append(glyphs, g)
		width += g.width
		if g.blank {
			breaksAt = len(glyphs)
		}
	}
	if len(glyphs) > 0 || text == "" || number > 0 {
		v.row(glyphs, number)
	}
}

// words records the words of a line, which are what is searched.
func (v *verbatimWriter) words(text string, at int) {
	for from := 0; from < len(text); {
		rest := text[from:]
		from += len(rest) - len(strings.TrimLeftFunc(rest, unicode.IsSpace))
		n := strings.IndexFunc(text[from:], unicode.IsSpace)
		if n < 0 {
			n = len(text) - from
		}
		if n > 0 {
			v.layout.units = append(v.layout.units, unit{
				visible: text[from : from+n], start: at + from, end: at + from + n, container: v.lines,
			})
		}
		from += n
	}
}

// wide is a character with its width.
type wide struct {
	text  string
	at    int // byte of the displayed text
	width int
	blank bool
}

func newWide(s string, at int) wide {
	r, _ := utf8.DecodeRuneInString(s)
	return wide{text: s, at: at, width: ansi.StringWidth(s), blank: unicode.IsSpace(r)}
}

// row finishes a line of the screen. A number of 0 leaves its column empty.
func (v *verbatimWriter) row(glyphs []wide, number int) {
	var w rowWriter
	if v.margin > 0 {
		digits := ""
		if number > 0 {
			digits = strconv.Itoa(number)
		}
		w.styled.WriteString(faint)
		for _, c := range fmt.Sprintf("%*s  ", v.margin-2, digits) {
			w.add(string(c), c == ' ', place{})
		}
		w.styled.WriteString(resetStyle)
	}
	for _, g := range glyphs {
		w.add(g.text, g.blank, place{
			start: int32(g.at), end: int32(g.at + len(g.text)), container: v.lines,
		})
	}
	w.row.text, w.row.styled = w.text.String(), w.styled.String()
	v.layout.rows = append(v.layout.rows, w.row)
	v.layout.places = append(v.layout.places, w.places)
}

const faint = "\x1b[2m"

// rowWriter builds a row without a renderer.
type rowWriter struct {
	row          row
	places       []place
	text, styled strings.Builder
}

func (w *rowWriter) add(s string, blank bool, p place) {
	n := int32(len(s))
	w.row.glyphs = append(w.row.glyphs, glyph{
		off: int32(w.text.Len()), len: n, own: n, at: int32(w.styled.Len()), blank: blank,
	})
	w.places = append(w.places, p)
	w.text.WriteString(s)
	w.styled.WriteString(s)
}
