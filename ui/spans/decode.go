package spans

import (
	"strings"
	"unicode"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// row is a decoded line of a rendering.
type row struct {
	text   string // what is shown, without styles
	styled string // the same with styles and links, nothing else; ends in none
	glyphs []glyph
}

// glyph is a character on the screen, of one cell or two.
type glyph struct {
	off, len int32 // bytes of row.text
	at       int32 // byte of row.styled, -1 for blanks that the line was cut before
	ink      int32 // number of the unit, 0 for none
	blank    bool
	// An accent can be of another unit than its letter: the bytes from own on
	// are of unit accent.
	own, accent int32
}

// without takes glyphs out of a line and returns the places of the others. drop
// is told the number of a glyph and the cell in which it begins.
func (r *row) without(places []place, drop func(glyph, x int) bool) []place {
	var (
		glyphs       []glyph
		kept         []place
		text, styled strings.Builder
		x            int
		copied       int32 // bytes of r.styled
	)
	for i, g := range r.glyphs {
		shown := r.show(g)
		gone := drop(i, x)
		x += ansi.StringWidth(shown)
		if g.at >= 0 {
			styled.WriteString(r.styled[copied:g.at])
			copied = g.at + g.len
		}
		if gone {
			continue
		}
		if g.at >= 0 {
			g.at = int32(styled.Len())
			styled.WriteString(r.styled[copied-g.len : copied])
		}
		g.off = int32(text.Len())
		text.WriteString(shown)
		glyphs, kept = append(glyphs, g), append(kept, places[i])
	}
	styled.WriteString(r.styled[copied:])
	r.text, r.styled, r.glyphs = text.String(), styled.String(), glyphs
	return kept
}

func (r *row) show(g glyph) string { return r.text[g.off : g.off+g.len] }

// decoder turns the output of a renderer into rows. Of its sequences only
// styles and links are kept: it is the last guard before the terminal.
type decoder struct {
	limit  int // cells of a line
	parser *ansi.Parser

	rows []row
	row  row

	text, styled strings.Builder
	column       int
	// pen and link are what the renderer asked for last, written and opened what
	// styled has: many of its sequences have no character between them.
	pen, written uv.Style
	link, opened string // the sequence that opens it, empty for none
	sequences    map[uv.Style]string

	// What the line is cut back to when it ends: after its last visible glyph.
	end        int
	endWritten uv.Style
	endOpened  string
}

// decodeRows splits the output of a renderer into rows of at most limit cells.
func decodeRows(out string, limit int) []row {
	d := &decoder{limit: limit, parser: ansi.GetParser(), sequences: map[uv.Style]string{}}
	defer ansi.PutParser(d.parser)
	for out != "" {
		switch c := out[0]; {
		case c == '\n':
			d.newline()
			out = out[1:]
		case c == '\x1b':
			seq, _, n, _ := ansi.DecodeSequence(out, ansi.NormalState, d.parser)
			d.sequence(seq)
			out = out[max(n, 1):]
		case c < ' ' || c == 0x7F:
			out = out[1:]
		case c < utf8.RuneSelf:
			d.glyph(out[:1], 1)
			out = out[1:]
		default:
			cluster, width := ansi.FirstGraphemeCluster(out, ansi.GraphemeWidth)
			d.glyph(cluster, width)
			out = out[max(len(cluster), 1):]
		}
	}
	if d.text.Len() > 0 {
		d.newline()
	}
	return d.rows
}

func (d *decoder) sequence(seq string) {
	switch {
	case strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m"):
		uv.ReadStyle(d.parser.Params(), &d.pen)
	case strings.HasPrefix(seq, "\x1b]8;"):
		_, target, _ := strings.Cut(strings.TrimPrefix(seq, "\x1b]8;"), ";")
		if d.link = seq; strings.TrimRight(target, "\x07\x1b\\") == "" {
			d.link = ""
		}
	}
}

// take writes the style and link of the next glyph. A blank that shows nothing
// of them goes with what is written already.
func (d *decoder) take(blank bool) {
	if d.pen != d.written && (!blank || showsBlanks(d.pen) || showsBlanks(d.written)) {
		if !d.written.IsZero() {
			d.styled.WriteString(resetStyle)
		}
		if !d.pen.IsZero() {
			seq, ok := d.sequences[d.pen]
			if !ok {
				seq = d.pen.String()
				d.sequences[d.pen] = seq
			}
			d.styled.WriteString(seq)
		}
		d.written = d.pen
	}
	if d.link != d.opened {
		if d.opened != "" {
			d.styled.WriteString(closeLink)
		}
		d.styled.WriteString(d.link)
		d.opened = d.link
	}
}

func (d *decoder) glyph(s string, width int) {
	s = readPlaceholder(s)
	r, _ := utf8.DecodeRuneInString(s)
	if d.extends(s) {
		last := &d.row.glyphs[len(d.row.glyphs)-1]
		last.len += int32(len(s))
		if ink := d.ink(); ink == last.ink && last.accent == 0 {
			last.own = last.len
		} else {
			last.accent = ink
		}
		d.text.WriteString(s)
		if last.at >= 0 {
			d.styled.WriteString(s)
			d.keep()
		}
		d.column += width
		return
	}
	blank := unicode.IsSpace(r)
	if d.column+width > d.limit && !blank && d.column > 0 {
		// glamour's lines can be too long behind hyphens and in tables.
		d.newline()
	}
	g := glyph{
		off: int32(d.text.Len()), len: int32(len(s)), own: int32(len(s)),
		at:    -1,
		blank: blank,
	}
	if !blank {
		g.ink = d.ink()
	}
	d.text.WriteString(s)
	if d.column+width <= d.limit {
		d.take(blank)
		g.at = int32(d.styled.Len())
		d.styled.WriteString(s)
		if !blank || showsBlanks(d.written) {
			d.keep()
		}
	}
	d.column += width
	d.row.glyphs = append(d.row.glyphs, g)
}

// extends reports that s belongs to the character before it. Accents after an
// ASCII letter come as a cluster of their own, and the painter must not part
// them.
func (d *decoder) extends(s string) bool {
	n := len(d.row.glyphs)
	if n == 0 || s[0] < utf8.RuneSelf || d.row.glyphs[n-1].blank {
		return false
	}
	last := d.text.String()[d.row.glyphs[n-1].off:]
	cluster, _ := ansi.FirstGraphemeCluster(last+s, ansi.GraphemeWidth)
	return len(cluster) == len(last)+len(s)
}

// showsBlanks reports that a style makes a blank visible.
func showsBlanks(s uv.Style) bool {
	return s.Bg != nil || s.Underline != uv.UnderlineNone ||
		s.Attrs&(uv.AttrReverse|uv.AttrStrikethrough) != 0
}

func (d *decoder) keep() {
	d.end, d.endWritten, d.endOpened = d.styled.Len(), d.written, d.opened
}

func (d *decoder) newline() {
	d.row.text = d.text.String()
	d.row.styled = d.styled.String()[:d.end]
	if !d.endWritten.IsZero() {
		d.row.styled += resetStyle
	}
	if d.endOpened != "" {
		d.row.styled += closeLink
	}
	for i := range d.row.glyphs {
		if int(d.row.glyphs[i].at) >= d.end {
			d.row.glyphs[i].at = -1
		}
	}
	d.rows = append(d.rows, d.row)

	d.row = row{}
	d.text.Reset()
	d.styled.Reset()
	d.column = 0
	d.written, d.opened = uv.Style{}, ""
	d.end, d.endWritten, d.endOpened = 0, uv.Style{}, ""
}

// ink returns the number of the unit that is being written.
func (d *decoder) ink() int32 {
	if d.pen.UnderlineColor == nil {
		return 0
	}
	r, g, b, _ := d.pen.UnderlineColor.RGBA()
	return int32(r>>8<<16 | g>>8<<8 | b>>8)
}
