package tune

import (
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// The columns of a parameter's row, in cells.
const (
	rowIndent = 3
	// roomyWidth is the width of the pane from which nearly all names fit into their column.
	roomyWidth = 37
	// leastTrack is the shortest track that says something.
	leastTrack = 6
)

// columns are where a word begins, and where a number ends, behind the indent of rows that
// are w cells wide. A name that is longer than there is room for moves them.
func columns(w int) (word, numberEnd int) {
	if w < roomyWidth {
		return 16, 21
	}
	return 19, 24
}

// drawing is all that the drawing of the tune pane depends on.
type drawing struct {
	w, h, top, version int
	field              string
	onFold, focused    bool
	rows               rowsOf
	pending            string
	refused            bool
	style              *theme.Styles
	start              string
	arrived            string
	cosine             float64 // of the floor, where it is calibrated
}

// line is a line of the rows.
type line struct {
	row int
	// blank says that the line stands empty above the row.
	blank bool
}

// roomyHeight is the height above which groups are set apart by blank lines.
const roomyHeight = 40

// lines are the lines of all rows.
func (v *View) lines() []line {
	lines := make([]line, 0, 2*len(v.rows))
	for i := range v.rows {
		r := &v.rows[i]
		if v.h > roomyHeight && (r.fold || r.head != "" && i > 0 && !v.rows[i-1].fold) {
			lines = append(lines, line{i, true})
		}
		lines = append(lines, line{i, false})
	}
	return lines
}

// Draw draws the rows, and below them what is known of the one under the cursor.
func (v *View) Draw(w, h int, focused bool) []string {
	v.layRows()
	now := v.Session()
	start := now.Start()
	look := drawing{
		w: w, h: h, top: v.pager.Top, version: v.version, field: v.field, onFold: v.onFold, focused: focused, rows: v.of,
		pending: now.Pending(), refused: v.isRefused(), style: v.Styles(), start: start.Name, arrived: v.arrivedText(),
	}
	look.cosine, _ = calibrated(now, param.FieldSimilarityFloor)
	return v.drawn.Keep(look, func() []string {
		lines := v.lines()
		v.pager.Height, v.pager.Total = max(1, h-footHeight(w, h)), len(lines)
		out := make([]string, v.pager.Height, h)
		of := v.sheet(w, focused)
		for i := v.pager.Top; i < v.pager.Until(); i++ {
			if l := lines[i]; !l.blank {
				out[i-v.pager.Top] = of.row(l.row)
			}
		}
		return widget.Clip(append(out, of.foot(h)...), w, h)
	})
}

// scroll keeps the row under the cursor on the screen.
func (v *View) scroll() {
	v.layRows()
	lines := v.lines()
	v.pager.Height, v.pager.Total = max(1, v.h-footHeight(v.w, v.h)), len(lines)
	at := v.at()
	first, last := -1, -1
	for i, l := range lines {
		if l.row == at {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first > 0 && v.rows[lines[first-1].row].head != "" {
		first-- // the head of the group says what the row is about
	}
	v.pager.Show(last)
	v.pager.Show(first)
	v.pager.Scroll(0)
}

// changedSign stands behind a value that is not what the preset or profile gives,
// as behind its name: what that was is said below the rows, which never move.
const changedSign = "*"

// sheet draws the pane: what that asks of the explorer is asked once for all rows.
type sheet struct {
	*View
	now            *session.Session
	s              *theme.Styles
	start, present param.Params
	startName      string
	w, at          int
	focused        bool
}

func (v *View) sheet(w int, focused bool) *sheet {
	now := v.Session()
	start := now.Start()
	return &sheet{
		View: v, now: now, s: v.Styles(), start: start.Params, present: now.Params(), startName: start.Name,
		w: w, at: v.at(), focused: focused,
	}
}

// isChanged says that a parameter is not what the preset or profile gives.
func (d *sheet) isChanged(s *param.Spec) bool { return s.Get(&d.present) != s.Get(&d.start) }

// row draws a row, the one under the cursor with its mark.
func (d *sheet) row(i int) string {
	r := &d.rows[i]
	switch {
	case r.head != "":
		return " " + d.s.Faint.Render(r.head)
	case r.fold:
		return d.foldLine()
	default:
		spec, _ := param.SpecOf(r.field)
		return d.parameterLine(&spec, i == d.at)
	}
}

func (d *sheet) foldLine() string {
	sign := d.s.Signs.Folded
	if d.unfolded {
		sign = d.s.Signs.Unfolded
	}
	text := sign + " " + d.foldWords()
	if d.onFold {
		return " " + d.mark() + d.s.Selected.Render(text)
	}
	return "  " + d.s.Faint.Render(text)
}

// foldWords say what is folded.
func (d *sheet) foldWords() string {
	n := 0
	for _, spec := range param.Specs() {
		if !spec.UsedIn(&d.start) && !(d.isChanged(&spec) && spec.UsedIn(&d.present)) {
			n++
		}
	}
	return "not used by " + wording.Line(d.startName) + " (" + wording.Count(n) + ")"
}

// mark stands before the row under the cursor.
func (d *sheet) mark() string {
	if d.focused {
		return d.s.Accent.Render(d.s.Signs.Marker)
	}
	return d.s.Faint.Render(d.s.Signs.Marker)
}

// Said implements [view.Pane].
func (v *View) Said() string {
	spec, ok := v.selected()
	d := v.sheet(v.w, true)
	switch {
	case v.onFold && v.unfolded:
		return "unfolded, " + d.foldWords()
	case v.onFold:
		return "folded, " + d.foldWords()
	case !ok:
		return ""
	}
	name, value, sign := d.words(&spec)
	return name + ", " + value + sign
}

// words are a parameter's name and its value, and the sign behind one that was changed.
func (d *sheet) words(spec *param.Spec) (name, value, sign string) {
	if d.isChanged(spec) {
		sign = changedSign
	}
	return spec.Name, spec.Shown(wording.Line(spec.Get(&d.present))), sign
}

// parameterLine is a parameter with its value, and its track where it is a number that
// has a part in the ranking.
func (d *sheet) parameterLine(spec *param.Spec, selected bool) string {
	s, used := d.s, spec.UsedIn(&d.present)
	name, value, sign := d.words(spec)
	mark := "   "
	label, number := s.Text, s.Text
	if !used {
		label, number = s.Faint, s.Faint
	}
	if sign != "" {
		number = s.Strong
	}
	if selected {
		mark, label = " "+d.mark()+" ", s.Selected
	}
	head, w := mark+label.Render(name), ansi.StringWidth(name)
	wordColumn, numberEnd := columns(d.w)
	if spec.Kind != param.KindInt && spec.Kind != param.KindFloat {
		room := max(1, d.w-rowIndent-w-1)
		gap := max(2, min(wordColumn-w, room-ansi.StringWidth(value+sign)))
		head += strings.Repeat(" ", gap-2)
		if selected && !s.Spoken && gap+ansi.StringWidth(value+sign)+2 <= room {
			return head + s.Faint.Render(s.Signs.ArrowLeft) + " " + number.Render(value+sign) + " " + s.Faint.Render(s.Signs.ArrowRight)
		}
		return head + "  " + number.Render(ansi.Truncate(value, max(1, room-gap-len(sign)), "…")+sign)
	}
	line := head + strings.Repeat(" ", max(1, numberEnd-w-ansi.StringWidth(value))) + number.Render(value+sign)
	if at, n := trackOf(d.w, name, value); n > 0 && used && !s.Spoken {
		line += strings.Repeat(" ", at-ansi.StringWidth(line)) + d.track(spec, n, selected)
	}
	return line
}

// trackOf is where the track of a number begins, and its length in a pane w cells wide; 0
// where there is too little room for one.
func trackOf(w int, name, value string) (at, n int) {
	_, numberEnd := columns(w)
	at = rowIndent + max(numberEnd, ansi.StringWidth(name)+1+ansi.StringWidth(value)) + 2
	if n = w - at - 1; n < leastTrack {
		n = 0
	}
	return at, n
}

// trackSigns are a track's line, its handle, a breakpoint on it, and where the corpus has
// to be asked.
func trackSigns(s *theme.Styles) (line, handle, tick, asks string) {
	if s.Plain {
		return "-", "O", "|", "."
	}
	return s.Signs.Track, s.Signs.Handle, s.Signs.Tick, s.Signs.Dot
}

// track draws a slider of n cells: its value, the breakpoints that are known, and
// the part that the evidence does not reach.
func (d *sheet) track(spec *param.Spec, n int, selected bool) string {
	s := d.s
	line, handle, tick, asks := trackSigns(s)
	cell := func(place float64) int { return min(n-1, max(0, int(math.Round(place*float64(n-1))))) }
	cells := make([]string, n)
	for i := range cells {
		cells[i] = line
	}
	if known, ok := d.now.Breakpoints(spec.Field); ok {
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
	cells[cell(spec.Place(spec.Get(&d.present)))] = handle
	handleStyle := s.Text
	if selected {
		handleStyle = s.Accent
	}
	var b strings.Builder
	for i := 0; i < n; {
		end := i + 1
		for end < n && cells[end] == cells[i] {
			end++
		}
		run, style := strings.Join(cells[i:end], ""), s.Rule
		switch cells[i] {
		case handle:
			style = handleStyle
		case tick:
			style = s.Score
		}
		b.WriteString(style.Render(run))
		i = end
	}
	return b.String()
}
