package spans

import (
	"strings"

	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// look is how a cell is painted; the zero value is not at all.
type look struct {
	level   Level
	twice   bool
	focused bool
}

func (l *look) cover(level Level, focused bool) {
	l.twice = l.level != 0
	l.level = max(l.level, level)
	l.focused = l.focused || focused
}

// painter adds styles to finished lines. It only inserts sequences, so no
// character moves.
type painter struct{ palette Palette }

func newPainter(p Palette) *painter { return &painter{palette: p} }

// open returns the sequence that paints a look, empty for none.
func (p *painter) open(l look) string {
	if l.level == 0 {
		return ""
	}
	s := p.palette.Styles[l.level]
	if l.twice {
		s = s.add(p.palette.Twice)
	}
	if l.focused {
		s = s.add(p.palette.Focus)
	}
	return s.sequence()
}

// add returns s with t over it.
func (s Style) add(t Style) Style {
	if t.Foreground != "" {
		s.Foreground = t.Foreground
	}
	if t.Background != "" {
		s.Background = t.Background
	}
	s.Bold = s.Bold || t.Bold
	s.Underline = s.Underline || t.Underline
	s.Reverse = s.Reverse || t.Reverse
	return s
}

func (s Style) sequence() string {
	var style ansi.Style
	if s.Bold {
		style = style.Bold()
	}
	if s.Underline {
		style = style.Underline(true)
	}
	if s.Reverse {
		style = style.Reverse(true)
	}
	if s.Foreground != "" {
		style = style.ForegroundColor(lipgloss.Color(s.Foreground))
	}
	if s.Background != "" {
		style = style.BackgroundColor(lipgloss.Color(s.Background))
	}
	if len(style) == 0 {
		return ""
	}
	return style.String()
}

// line paints the cells of a line; looks is nil or has one look for each cell.
func (p *painter) line(l *line, looks []look) string {
	if looks == nil {
		return l.styled
	}
	var (
		out     strings.Builder
		pen     pen
		current string // the open sequence of the look that is on
		last    look
		opened  string
		at      int
	)
	out.Grow(len(l.styled) + 64)
	for i, c := range l.cells {
		if i == 0 || looks[i] != last {
			opened, last = p.open(looks[i]), looks[i]
		}
		if current != "" && opened != current {
			out.WriteString(resetStyle)
			out.WriteString(pen.sequence())
			current = ""
		}
		between := l.styled[at:c.at]
		out.WriteString(between)
		changed := pen.read(between)
		if opened != current || changed {
			out.WriteString(opened)
			current = opened
		}
		at = int(c.at + c.len)
		out.WriteString(l.styled[c.at:at])
	}
	if current != "" {
		// What follows closes the line's own style.
		out.WriteString(resetStyle)
		out.WriteString(pen.sequence())
	}
	out.WriteString(l.styled[at:])
	return out.String()
}

// pen is the style that a line is being written in.
type pen struct{ style uv.Style }

// sequence restores the pen after a reset.
func (p *pen) sequence() string {
	if p.style.IsZero() {
		return ""
	}
	return p.style.String()
}

// read follows the sequences between two characters and reports whether a style
// was among them.
func (p *pen) read(sequences string) (changed bool) {
	if sequences == "" {
		return false
	}
	parser := ansi.GetParser()
	defer ansi.PutParser(parser)
	for sequences != "" {
		seq, _, n, _ := ansi.DecodeSequence(sequences, ansi.NormalState, parser)
		if strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m") {
			uv.ReadStyle(parser.Params(), &p.style)
			changed = true
		}
		sequences = sequences[max(n, 1):]
	}
	return changed
}
