package ui

import (
	"math"
	"strings"

	"github.com/webrag/webrag-tui/ui/wording"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
)

// The columns of a parameter's row, in cells.
const (
	rowIndent   = 3
	labelWidth  = 13
	numberWidth = 8
	// trackColumn is where the track begins.
	trackColumn = rowIndent + labelWidth + numberWidth + 2
	// leastTrack is the shortest track that says something.
	leastTrack = 6
)

// tuneLook is all that the drawing of the tune pane depends on.
type tuneLook struct {
	w, h, top, version int
	field              string
	onFold, focused    bool
	rows               tuneRowsOf
	pending            string
	style              *theme.Styles
	start              string
	arrived            string
	cosine             float64 // of the floor, where it is calibrated
}

// tuneLine is a line of the tune pane and the row that it belongs to.
type tuneLine struct {
	text string
	row  int
}

// viewTune draws the rows, and below them what is known of the one under the
// cursor.
func (m *Model) viewTune(w, h int, focused bool) []string {
	m.layRows()
	d := &m.tune.pane
	look := tuneLook{
		w: w, h: h, top: d.Top, version: d.version, field: d.field, onFold: d.onFold, focused: focused, rows: d.of,
		pending: m.session.Pending(), style: m.styles, start: m.session.Start().Name, arrived: m.arrivedText(),
	}
	look.cosine, _ = m.calibrated(param.FieldSimilarityFloor)
	return d.drawn.Keep(look, func() []string {
		foot := m.tuneFoot(w, h)
		lines := m.tuneLines(w, focused)
		d.Height, d.Total = max(1, h-len(foot)), len(lines)
		out := make([]string, d.Height)
		for i := d.Top; i < d.Until(); i++ {
			out[i-d.Top] = lines[i].text
		}
		d.More(m.styles, out, wording.Plural)
		return widget.Clip(append(out, foot...), w, h)
	})
}

// scrollTune keeps the row under the cursor on the screen.
func (m *Model) scrollTune() {
	m.layRows()
	d := &m.tune.pane
	lines := m.tuneLines(d.w, true)
	d.Height, d.Total = max(1, d.h-len(m.tuneFoot(d.w, d.h))), len(lines)
	first, last := -1, -1
	for i, l := range lines {
		if l.row == d.at() {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first > 0 && d.rows[lines[first-1].row].head != "" {
		first-- // the head of the group says what the row is about
	}
	if d.Below() > 0 && last < len(lines)-1 {
		last++ // the last line says how many more there are
	}
	d.Show(last)
	d.Show(first)
	d.Scroll(0)
}

// tuneLines are the lines of all rows.
func (m *Model) tuneLines(w int, focused bool) []tuneLine {
	d, s := &m.tune.pane, m.styles
	var lines []tuneLine
	add := func(row int, text string) { lines = append(lines, tuneLine{text, row}) }
	for i := range d.rows {
		r := &d.rows[i]
		switch {
		case r.head != "":
			if i > 0 && d.h > 40 && !d.rows[i-1].fold {
				add(i, "")
			}
			add(i, " "+s.Faint.Render(r.head))
		case r.fold:
			if d.h > 40 {
				add(i, "")
			}
			add(i, m.foldLine(focused))
		default:
			spec, _ := param.SpecOf(r.field)
			add(i, m.parameterLine(&spec, w, focused && i == d.at(), i == d.at()))
		}
	}
	return lines
}

func (m *Model) foldLine(focused bool) string {
	d, s := &m.tune.pane, m.styles
	sign := s.Signs.Folded
	if d.unfolded {
		sign = s.Signs.Unfolded
	}
	n, start := 0, m.session.Start()
	for _, spec := range param.Specs() {
		if !spec.UsedIn(&start.Params) {
			n++
		}
	}
	text := sign + " not used by " + wording.Line(start.Name) + " (" + wording.Count(n) + ")"
	if d.onFold {
		return " " + m.markOf(focused) + s.Selected.Render(text)
	}
	return "  " + s.Faint.Render(text)
}

// markOf stands before the row under the cursor.
func (m *Model) markOf(focused bool) string {
	if focused {
		return m.styles.Accent.Render(m.styles.Signs.Marker)
	}
	return m.styles.Faint.Render(m.styles.Signs.Marker)
}

// parameterLine is a parameter with its value, and its track where it is a number.
func (m *Model) parameterLine(spec *param.Spec, w int, focused, selected bool) string {
	s, p := m.styles, m.session.Params()
	mark := "   "
	label, number := s.Text, s.Text
	if !spec.UsedIn(&p) {
		label, number = s.Faint, s.Faint
	}
	if m.isChanged(spec.Field) {
		number = s.Strong
	}
	if selected {
		mark, label = " "+m.markOf(focused)+" ", s.Selected
	}
	value := parameterValue(spec, wording.Line(p.Get(spec.Field)))
	sign := ""
	if m.isChanged(spec.Field) {
		sign = changedSign
	}
	name := spec.Short
	if _, ok := m.calibrated(spec.Field); ok {
		name += " (cal)"
	}
	head := mark + label.Render(widget.Fit(name, labelWidth))
	if spec.Kind != param.KindInt && spec.Kind != param.KindFloat {
		room := max(1, w-rowIndent-labelWidth-1)
		if selected && !s.Spoken {
			arrows := ansi.StringWidth(value+sign)+4 <= room
			if arrows {
				return head + s.Faint.Render(s.Signs.ArrowLeft) + " " + number.Render(value+sign) + " " + s.Faint.Render(s.Signs.ArrowRight)
			}
		}
		return head + "  " + number.Render(ansi.Truncate(value, max(1, room-2-len(sign)), "…")+sign)
	}
	line := head + strings.Repeat(" ", max(0, numberWidth-ansi.StringWidth(value))) + number.Render(value+sign)
	if n := w - trackColumn - 1; n >= leastTrack && !s.Spoken {
		line += strings.Repeat(" ", 2-len(sign)) + m.drawTrack(spec, n, selected)
	}
	return line
}

// changedSign stands behind a value that is not what the preset or profile gives,
// as behind its name: what that was is said below the rows, which never move.
const changedSign = "*"

// isChanged says that a parameter is not what the preset or profile gives.
func (m *Model) isChanged(field string) bool {
	return m.session.Params().Get(field) != m.session.Start().Params.Get(field)
}

// trackSigns are a track's line, its knob, a turn on it, and where the corpus has
// to be asked.
func trackSigns(s *theme.Styles) (line, knob, tick, asks string) {
	if s.Plain {
		return "-", "O", "|", "."
	}
	return s.Signs.Track, s.Signs.Knob, s.Signs.Tick, s.Signs.Dot
}

// drawTrack draws a slider of n cells: its value, the turns that are known, and
// the part that the evidence does not reach.
func (m *Model) drawTrack(spec *param.Spec, n int, selected bool) string {
	s := m.styles
	line, knob, tick, asks := trackSigns(s)
	cell := func(place float64) int { return min(n-1, max(0, int(math.Round(place*float64(n-1))))) }
	cells := make([]string, n)
	for i := range cells {
		cells[i] = line
	}
	if known, ok := m.session.Breakpoints(spec.Field); ok {
		for _, a := range known.Unknown {
			for i := cell(spec.Place(a.From)); i <= cell(spec.Place(a.To)); i++ {
				cells[i] = asks
			}
		}
		for i := range known.Points {
			t := &known.Points[i]
			cells[cell((spec.Place(t.Below)+spec.Place(t.Above))/2)] = tick
		}
	}
	cells[cell(spec.Place(m.session.Params().Get(spec.Field)))] = knob
	knobStyle := s.Text
	if selected {
		knobStyle = s.Accent
	}
	var b strings.Builder
	for i := 0; i < n; {
		end := i + 1
		for end < n && cells[end] == cells[i] {
			end++
		}
		run, style := strings.Join(cells[i:end], ""), s.Rule
		switch cells[i] {
		case knob:
			style = knobStyle
		case tick:
			style = s.Score
		}
		b.WriteString(style.Render(run))
		i = end
	}
	return b.String()
}
