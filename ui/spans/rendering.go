package spans

import (
	"context"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/offset"
)

// maxBytes is how much of a text is rendered. The markdown parser takes more
// than linear time on hostile input and cannot be interrupted.
const maxBytes = 64 << 10

// Rendering is finished text with its source map. It is immutable and may be
// used from several goroutines.
type Rendering struct {
	source      string // as given, whole
	points      *offset.Index
	lines       []line
	width       int
	cut         int // code points that were not rendered
	approximate bool
	headings    []Heading
	prose       func() prose
}

// line is one line of a rendering.
type line struct {
	styled string // styles and links, none of them open at the end
	cells  []cell
	// start and end enclose the ranges of the cells.
	start, end int32
}

// cell is a character on the screen.
type cell struct {
	at, len    int32 // bytes of line.styled
	start, end int32 // code points of the source, equal for what has no source
	container  int32 // block of the document that the character belongs to
	blank      bool
}

// Heading is a heading of a rendered document.
type Heading struct {
	Level int // 1 to 6
	Text  string
	Start int // code point of its first character
	Line  int // its first line
}

// Render renders markdown, of which code points are counted in exactly this
// string, and maps each character on the screen to its source. At most 64 KB are
// rendered; [Rendering.Truncated] says what was cut.
//
// Whatever the text, there is a rendering: where the map cannot be exact,
// Approximate says so, and what cannot be rendered at all is shown as it is
// written. The error is that of ctx, which is honoured between the steps, or
// [ErrChangesCase].
func Render(ctx context.Context, markdown string, o Options) (*Rendering, error) {
	if changesCase(o.Theme) {
		return nil, ErrChangesCase
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	o.Width = max(o.Width, MinWidth)
	shown := offset.Display(markdown[:cutAt(markdown, maxBytes)])
	l, err := typeset(ctx, shown.Text, o)
	if err != nil {
		if ctxErr := ctx.Err(); ctxErr != nil {
			return nil, ctxErr
		}
		l = verbatim(shown.Text, o.Width, nil)
		l.approximate = true
	}
	return finish(markdown, shown, l, o.Width), nil
}

// cutAt returns where to cut text so that at most limit bytes are left, after a
// line if there is one near.
func cutAt(text string, limit int) int {
	if len(text) <= limit {
		return len(text)
	}
	if nl := strings.LastIndexByte(text[:limit], '\n'); nl > limit/2 {
		return nl + 1
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return limit
}

// finish turns a layout, which counts bytes of the displayed text, into a
// rendering, which counts code points of the source.
func finish(source string, shown *offset.Displayed, l *layout, width int) *Rendering {
	r := &Rendering{
		source:      source,
		points:      offset.NewIndex(source),
		lines:       make([]line, len(l.rows)),
		width:       width,
		approximate: l.approximate,
	}
	at := pointTable(source, shown)
	r.cut = r.points.Len() - int(at[len(at)-1])
	for i := range l.rows {
		r.lines[i] = newLine(&l.rows[i], l.places[i], at)
	}
	for _, h := range l.headings {
		start := int(at[h.at])
		r.headings = append(r.headings, Heading{Level: h.level, Text: h.text, Start: start, Line: r.LineOf(start)})
	}
	units := l.units
	r.prose = sync.OnceValue(func() prose { return newProse(units, at) })
	return r
}

// pointTable returns the code point of the source for each byte of the
// displayed text and one past it. All bytes of a replacement have that of the
// replaced run, so the next higher number ends it.
func pointTable(source string, shown *offset.Displayed) []int32 {
	at := make([]int32, len(shown.Text)+1)
	byteAt, point := 0, 0
	for b := range at {
		if b == len(shown.Text) || utf8.RuneStart(shown.Text[b]) {
			from := shown.SourceStart(b)
			point += utf8.RuneCountInString(source[byteAt:from])
			byteAt = from
		}
		at[b] = int32(point)
	}
	return at
}

func newLine(r *row, places []place, at []int32) line {
	l := line{styled: r.styled, cells: make([]cell, 0, len(r.glyphs))}
	for i, g := range r.glyphs {
		if g.at < 0 {
			continue
		}
		c := cell{at: g.at, len: g.len, container: places[i].container, blank: g.blank}
		if p := places[i]; p.start < p.end {
			c.start, c.end = at[p.start], after(at, p.end)
			if l.start == l.end {
				l.start, l.end = c.start, c.end
			}
			l.start, l.end = min(l.start, c.start), max(l.end, c.end)
		}
		l.cells = append(l.cells, c)
	}
	return l
}

// after returns the code point at which a range ends that ends before byte b of
// the displayed text; a replacement counts whole.
func after(at []int32, b int32) int32 {
	for int(b) < len(at)-1 && at[b] == at[b-1] {
		b++
	}
	return at[b]
}

// Width is the number of cells that lines have at most, without the gutter.
func (r *Rendering) Width() int { return r.width }

// Height is the number of lines.
func (r *Rendering) Height() int { return len(r.lines) }

// Approximate reports that marks may cover more than their spans.
func (r *Rendering) Approximate() bool { return r.approximate }

// Truncated is the number of code points at the end of the source that were not
// rendered because the text is too long, 0 if all were.
func (r *Rendering) Truncated() int { return r.cut }

// Headings lists the headings in the order of the document.
func (r *Rendering) Headings() []Heading { return append([]Heading(nil), r.headings...) }

// LineOf returns the first line that shows a code point of the source. For one
// that is not shown (a link target, markup, a blank) it is the line of what
// follows it, or else of what comes before; 0 for a rendering without text.
func (r *Rendering) LineOf(codePoint int) int {
	var (
		point              = int32(min(max(codePoint, 0), r.points.Len()))
		next, last         int32 // code points of the cells found so far
		hasNext, hasLast   bool
		nextLine, lastLine int
	)
	for i := range r.lines {
		l := &r.lines[i]
		if l.start == l.end || hasNext && l.start >= next && l.end > point {
			continue
		}
		for j := range l.cells {
			c := &l.cells[j]
			switch {
			case c.start == c.end:
			case c.end > point:
				if at := max(c.start, point); !hasNext || at < next {
					hasNext, next, nextLine = true, at, i
				}
			case !hasLast || c.end > last:
				hasLast, last, lastLine = true, c.end, i
			}
		}
	}
	if !hasNext {
		return lastLine
	}
	return nextLine
}

// PlainLines returns the text of the lines [from, to) without styles, gutter and
// blanks at the end, for copying and for terminals that show neither.
func (r *Rendering) PlainLines(from, to int) []string {
	from, to = clampRange(from, to, len(r.lines))
	plain := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		var b strings.Builder
		for _, c := range r.lines[i].cells {
			b.WriteString(r.lines[i].text(c))
		}
		plain = append(plain, strings.TrimRight(b.String(), " "))
	}
	return plain
}

func (l *line) text(c cell) string { return l.styled[c.at : c.at+c.len] }

func clampRange(from, to, limit int) (int, int) {
	from = min(max(from, 0), limit)
	return from, min(max(to, from), limit)
}
