package pipeline

import (
	"fmt"
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// stagesPane are the stages that the candidates flow through.
type stagesPane struct{ *View }

func (v stagesPane) SetSize(w, h int) { v.w, v.h = w, h }

func (v stagesPane) Title() (name, note string) {
	if v.Session().Result() == nil {
		return "Pipeline", ""
	}
	note = wording.Mode(v.Session().Result().Mode) + "  " + wording.Took(v.Session().Result().Timing.Total)
	f, signs := v.flow(v.w, v.h), &v.Styles().Signs
	before, after := signs.ArrowLeft, signs.ArrowRight
	if f.upright {
		before, after = signs.ArrowUp, signs.ArrowDown
	}
	if f.Top > 0 {
		note += fmt.Sprintf("  %s %d more", before, f.Top)
	}
	if rest := f.Below(); rest > 0 {
		note += fmt.Sprintf("  %d more %s", rest, after)
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
	at := f.columnAt(x)
	if f.upright {
		at = f.Top + y
	}
	if stages := v.stages(); at >= 0 && at < len(stages) {
		v.lookAt(stages[at].Name)
	}
	return nil
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

// mostOut is the largest number of candidates in any stage, which the others are
// drawn against.
func mostOut(stages []retrieval.Stage) int {
	most := 1
	for i := range stages {
		most = max(most, stages[i].Out)
	}
	return most
}

// uprightFlow has a line for each stage.
func (v stagesPane) uprightFlow(f flow, w int, focused bool) []string {
	s, stages := v.Styles(), v.stages()
	most, at, worst := mostOut(stages), v.stageAt(), mostDropped(stages)
	var lines []string
	for i := f.Top; i < f.Until(); i++ {
		st := &stages[i]
		mark, style := widget.Mark(s, i == at, focused, s.Text)
		if s.Spoken {
			lines = append(lines, mark+style.Render(stageWords(st)))
			continue
		}
		left := mark + style.Render(widget.Fit(stageTitle(st.Name), 12)) + s.Score.Render(widget.FitRight(stageCount(st), 6)) + "  "
		right := ""
		if st.Duration > 0 {
			right = s.Faint.Render(wording.Took(st.Duration) + " ")
		}
		if wide := min(w-21-20, 20); wide >= 4 {
			b, dropped := "", ""
			if flowsInto(st) {
				b = widget.Bar(float64(st.Out), float64(most), wide, s.Plain)
				all := int(math.Round(float64(st.Out+len(st.Dropped)) / float64(most) * float64(wide)))
				dropped = widget.Repeat(droppedCells[s.Plain], min(all, wide)-ansi.StringWidth(b))
			}
			left += s.Bars[1].Render(b) + s.Down.Render(dropped) + strings.Repeat(" ", wide-ansi.StringWidth(b+dropped)+2)
		}
		note := s.Faint
		switch {
		case i == worst:
			note = s.Down.Bold(true)
		case len(st.Dropped) > 0:
			note = s.Down
		}
		lines = append(lines, widget.Spread(left+note.Render(stageNote(st)), right, w))
	}
	return lines
}

// Said implements [view.Pane].
func (v stagesPane) Said() string {
	if ok, _ := v.hasStages(); !ok {
		return ""
	}
	return stageWords(&v.stages()[v.stageAt()])
}
