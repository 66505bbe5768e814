package spans

import (
	"slices"
	"sort"

	"github.com/webrag/webrag-tui/offset"
)

// Marked is a rendering with spans laid over it. It is immutable and may be
// used from several goroutines.
type Marked struct {
	rendering *Rendering
	spans     []placed
	paint     *painter
}

// placed is a span and where it is on the screen.
type placed struct {
	Span
	first, last int // lines
	hidden      bool
}

// Mark prepares spans for painting: they are clamped to the text, widened to
// whole characters and sorted by source position; reversed ends are swapped and
// empty spans dropped.
func (r *Rendering) Mark(spans []Span, p Palette) *Marked {
	m := &Marked{rendering: r, paint: newPainter(p)}
	for _, s := range spans {
		if s = r.snap(s); s.Start < s.End {
			m.spans = append(m.spans, r.place(s))
		}
	}
	sort.SliceStable(m.spans, func(i, j int) bool {
		a, b := m.spans[i], m.spans[j]
		if a.Start != b.Start {
			return a.Start < b.Start
		}
		return a.End < b.End
	})
	return m
}

func (r *Rendering) snap(s Span) Span {
	if s.End < s.Start {
		s.Start, s.End = s.End, s.Start
	}
	from, to := offset.Snap(r.source, r.points.Byte(s.Start), r.points.Byte(s.End))
	s.Start, s.End = r.points.Point(from), r.points.Point(to)
	return s
}

// place finds a span on the screen. One without any cell, such as a link
// target, is where the text after it is, or else the text before it.
func (r *Rendering) place(s Span) placed {
	p := placed{Span: s, first: -1}
	for i := range r.lines {
		l := &r.lines[i]
		if !l.paints(s) {
			continue
		}
		if p.first < 0 {
			p.first = i
		}
		p.last = i
	}
	if p.first < 0 {
		p.hidden = true
		p.first = r.LineOf(s.Start)
		p.last = p.first
	}
	return p
}

// overlaps reports whether a line can show text of a span.
func (l *line) overlaps(s Span) bool { return int(l.start) < s.End && s.Start < int(l.end) }

// paints reports whether a line shows text of a span.
func (l *line) paints(s Span) bool {
	return l.overlaps(s) && slices.ContainsFunc(l.cells, func(c cell) bool { return c.overlaps(s) })
}

func (c cell) overlaps(s Span) bool {
	return c.start < c.end && int(c.start) < s.End && s.Start < int(c.end)
}

// Len is the number of spans.
func (m *Marked) Len() int { return len(m.spans) }

// At says where the i-th span, in source order, is painted: first and last
// line. Nothing is painted for a span whose text is not shown; it is then the
// line of the text beside it.
func (m *Marked) At(i int) (first, last int) { return m.spans[i].first, m.spans[i].last }

// Span returns the i-th span in source order, as it was widened.
func (m *Marked) Span(i int) Span { return m.spans[i].Span }

// Hidden reports that the i-th span has no text on the screen: it covers only
// markup, a link target or text that was cut.
func (m *Marked) Hidden(i int) bool { return m.spans[i].hidden }

// Lines paints the lines [from, to), clamped to the text; focus is the index of
// the focused span or -1. Each line has GutterWidth cells more than it has
// text, and never more than the rendering's width and the gutter: "▌1 " beside
// the first line of a labelled span, "▌  " beside its other painted lines.
func (m *Marked) Lines(from, to, focus int) []string {
	from, to = clampRange(from, to, len(m.rendering.lines))
	lines := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		gutter, styled := m.gutter(i, focus), m.paint.line(&m.rendering.lines[i], m.looks(i, focus))
		lines = append(lines, gutter+styled)
	}
	return lines
}

// looks returns the look of each cell of a line, nil if none is painted.
func (m *Marked) looks(i, focus int) []look {
	l := &m.rendering.lines[i]
	var looks []look
	for n := range m.spans {
		s := &m.spans[n]
		if s.hidden || i < s.first || i > s.last || !l.overlaps(s.Span) {
			continue
		}
		if looks == nil {
			looks = make([]look, len(l.cells))
		}
		l.each(s.Span, func(c int) { looks[c].cover(s.Level, n == focus) })
	}
	return looks
}

// each calls paint for the cells of a line that a span covers. A blank between
// two of them belongs to the span if the text goes on there, so that margins,
// borders and bullets are never painted.
func (l *line) each(s Span, paint func(cell int)) {
	previous := -1
	for i, c := range l.cells {
		if !c.overlaps(s) {
			if !c.blank {
				previous = -1
			}
			continue
		}
		if previous >= 0 && l.cells[previous].container == c.container && l.cells[previous].end <= c.start {
			for b := previous + 1; b < i; b++ {
				paint(b)
			}
		}
		paint(i)
		previous = i
	}
}
