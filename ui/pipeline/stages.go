package pipeline

import (
	"fmt"
	"math"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// stagesPane is the line of stages that the candidates flow through.
type stagesPane struct{ *View }

func (v stagesPane) SetSize(w, h int) { v.w, v.h = w, h }

func (v stagesPane) Title() (name, note string) {
	if v.Session().Result() == nil {
		return "Pipeline", ""
	}
	note = wording.Mode(v.Session().Result().Mode) + "  " + wording.Took(v.Session().Result().Timing.Total)
	f := v.flow(v.w, v.h)
	if f.Top > 0 {
		note += fmt.Sprintf("  %s %d more", v.Styles().Signs.ArrowLeft, f.Top)
	}
	if rest := f.Below(); rest > 0 {
		note += fmt.Sprintf("  %d more %s", rest, v.Styles().Signs.ArrowRight)
	}
	return "Pipeline", note
}

func (v stagesPane) Move(verb widget.Verb) {
	const page = 3
	n := verb.Rows(page)
	if verb == widget.HalfUp || verb == widget.HalfDown {
		n *= page // half of one is all of it
	}
	v.walk(n)
}

func (v stagesPane) Click(x, y int) tea.Cmd {
	f := v.flow(v.w, v.h)
	at := f.Top + (x-1)/max(1, f.wide)
	if f.upright {
		at = f.Top + y
	}
	if stages := v.stages(); at >= 0 && at < len(stages) {
		v.lookAt(stages[at].Name)
	}
	return nil
}

// flow is how the stages are laid out: side by side, or where there is no room
// for that, or for a screen that is read aloud, one under the other.
type flow struct {
	widget.Pager // over the stages
	upright      bool
	wide         int // cells of a column
}

// uprightWidth is the width below which the stages stand one under the other.
const uprightWidth = 79

// The widths of a column of the flow.
const (
	leastColumn = 10
	mostColumn  = 20
)

func (v *View) flow(w, h int) flow {
	n, at := len(v.stages()), v.stageAt()
	f := flow{upright: v.Styles().Spoken || w < uprightWidth || v.IsSingle()}
	room := h
	if !f.upright {
		room = max(1, (w-2)/leastColumn)
	}
	f.Resize(min(n, max(1, room)), n)
	f.Scroll(at - f.Height/2) // the one that is looked at stays in the middle
	f.wide = min(mostColumn, (w-2)/max(1, f.Height))
	return f
}

func (v stagesPane) Draw(w, h int, focused bool) []string {
	if ok, why := v.hasStages(); !ok {
		said := widget.Styled(v.Styles().Faint.Render, widget.Wrapped(phrase.Capital(why)+".", w-4))
		return widget.Clip(append([]string{""}, widget.Indented(said, 2)...), w, h)
	}
	f := v.flow(w, h)
	if f.upright {
		return widget.Clip(v.uprightFlow(f, w, focused), w, h)
	}
	return widget.Clip(v.levelFlow(f, h, focused), w, h)
}

// most is the largest number of candidates in any stage, which the others are
// drawn against.
func mostOut(stages []retrieval.Stage) int {
	most := 1
	for i := range stages {
		most = max(most, stages[i].Out)
	}
	return most
}

// uprightFlow has a line for each stage.
func (v *View) uprightFlow(f flow, w int, focused bool) []string {
	s, stages := v.Styles(), v.stages()
	most, at := mostOut(stages), v.stageAt()
	var lines []string
	for i := f.Top; i < f.Until(); i++ {
		st := &stages[i]
		mark, style := widget.Mark(s, i == at, focused, s.Text)
		left := mark + style.Render(widget.Fit(stageTitle(st.Name), 12)) + s.Score.Render(widget.FitRight(stageCount(st), 6)) + " "
		right := ""
		if st.Duration > 0 {
			right = s.Faint.Render(wording.Took(st.Duration) + " ")
		}
		note := stageNote(st, s.Signs.Minus)
		if wide := min(w-20-26, 20); wide >= 4 && !s.Spoken {
			b := ""
			if flowsInto(st) {
				b = widget.Bar(rootShare(st.Out, most), 1, wide, s.Plain)
			}
			left += s.Bars[1].Render(b) + strings.Repeat(" ", wide-ansi.StringWidth(b)+1)
		}
		style = s.Faint
		if len(st.Dropped) > 0 {
			style = s.Down
		}
		lines = append(lines, widget.Spread(left+style.Render(note), right, w))
	}
	return lines
}

// Said implements [view.Pane].
func (v stagesPane) Said() string {
	if ok, _ := v.hasStages(); !ok {
		return ""
	}
	st, took := &v.stages()[v.stageAt()], ""
	if st.Duration > 0 {
		took = wording.Took(st.Duration)
	}
	return wording.Aloud(stageTitle(st.Name), stageCount(st), stageNote(st, v.Styles().Signs.Minus), took)
}

// rootShare is a share on a scale on which small numbers can still be seen: the
// square root.
func rootShare(part, whole int) float64 { return math.Sqrt(float64(part) / float64(max(1, whole))) }

// levels are the eighths of a cell from below.
var levels = [...]string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}

// levelFlow has the stages side by side, with the flow of candidates under their
// names: its height is their number.
func (v *View) levelFlow(f flow, h int, focused bool) []string {
	s, stages := v.Styles(), v.stages()
	most, at := mostOut(stages), v.stageAt()
	var slowest time.Duration
	for i := range stages {
		slowest = max(slowest, stages[i].Duration)
	}
	rows := make([]strings.Builder, 7)
	for i := range rows {
		rows[i].WriteString(" ")
	}
	for i := f.Top; i < f.Until(); i++ {
		st := &stages[i]
		cell := func(row int, text string, render func(...string) string) {
			text = ansi.Truncate(text, f.wide-1, s.Signs.Ellipsis)
			rows[row].WriteString(render(text) + strings.Repeat(" ", f.wide-ansi.StringWidth(text)))
		}
		name, number, stream := s.Faint, s.Score, s.Bars[0]
		if i == at {
			name, number, stream = s.Strong, s.Score.Bold(true), s.Accent
			if focused {
				name = s.Selected
			}
		}
		note, noteStyle := stageNote(st, s.Signs.Minus), s.Faint
		if len(st.Dropped) > 0 {
			noteStyle = s.Down
		}
		cell(0, stageTitle(st.Name), name.Render)
		cell(1, stageCount(st), number.Render)
		cell(2, note, noteStyle.Render)
		top, foot := streamCells(st, most, s.Plain)
		rows[3].WriteString(stream.Render(strings.Repeat(top, f.wide)))
		rows[4].WriteString(stream.Render(strings.Repeat(foot, f.wide)))
		time := ""
		if st.Duration > 0 {
			time = wording.Took(st.Duration)
		}
		cell(5, time, s.Faint.Render)
		cell(6, widget.Bar(float64(st.Duration), float64(slowest), f.wide-2, s.Plain), s.Faint.Render)
	}
	lines := make([]string, 0, len(rows))
	for i := range rows {
		lines = append(lines, rows[i].String())
	}
	if h < len(lines) { // the bars of the times go first, then the upper row of the flow
		lines = lines[:max(h, 0)]
	}
	return lines
}

// streamCells are the two cells, one above the other, whose filled height is the
// number of candidates that leave a stage.
func streamCells(st *retrieval.Stage, most int, plain bool) (top, foot string) {
	if !flowsInto(st) {
		if plain {
			return " ", "-"
		}
		return " ", "▁"
	}
	share := rootShare(st.Out, most)
	if plain {
		switch {
		case share > .5:
			return "=", "="
		case st.Out > 0:
			return " ", "="
		default:
			return " ", " "
		}
	}
	height := int(math.Round(share * 16))
	if st.Out > 0 {
		height = max(1, height)
	}
	return levels[max(0, height-8)], levels[min(8, height)]
}
