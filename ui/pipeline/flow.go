package pipeline

import (
	"math"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// flow is how the stages are laid out: side by side, in columns under each other's heads,
// or where there is no room for that, or for a screen that is read aloud, one under the
// other.
type flow struct {
	widget.Pager // over the stages
	upright      bool
	// columns are the stages that are shown side by side.
	columns []stageColumn
}

// stageColumn is what stands of a stage in its column, in the rows of [rowHeads].
type stageColumn struct {
	stage *retrieval.Stage
	cells [len(rowHeads)]string
	// wide are the cells of the column, the one before it included.
	wide int
}

// The rows of a column.
const (
	nameCell = iota
	countCell
	addedCell
	mergedCell
	droppedCell
	tookCell
)

// rowHeads say what the rows are, at their left.
var rowHeads = [...]string{"", "candidates", "added", "merged", "dropped", "time"}

const (
	// uprightWidth is the width below which the stages stand one under the other.
	uprightWidth = 79
	// headWidth are the cells of the heads of rows, with those around them.
	headWidth = 11
	// mostColumn is the width that a column is spread to.
	mostColumn = 20
)

func (v stagesPane) flow(w, h int) flow {
	stages, at := v.stages(), v.stageAt()
	f := flow{upright: v.Styles().Spoken || w < uprightWidth || v.IsSingle()}
	if f.upright {
		f.Resize(min(len(stages), max(1, h)), len(stages))
		f.Scroll(at - f.Height/2) // the one that is looked at stays in the middle
		return f
	}
	room := w - headWidth - 1
	for brief := allBriefs; brief >= noBriefs; brief-- {
		f.columns = columnsOf(stages, brief, v.Styles().Signs.Dot)
		if wideOf(f.columns) <= room {
			break
		}
	}
	f.cut(room, at)
	f.spread(room)
	return f
}

// briefs says of which stages the columns have what they noted beside their numbers.
type briefs int

const (
	noBriefs   briefs = iota
	someBriefs        // of those that have no number
	allBriefs
)

// columnsOf are the columns of stages, as wide as they must be; what a stage
// noted stands behind its number, after a dot.
func columnsOf(stages []retrieval.Stage, brief briefs, dot string) []stageColumn {
	columns := make([]stageColumn, len(stages))
	for i := range stages {
		st := &stages[i]
		c := stageColumn{stage: st}
		number := func(cell, n int) {
			if n > 0 {
				c.cells[cell] = wording.Count(n)
			}
		}
		number(addedCell, st.Added)
		number(mergedCell, len(st.Merged))
		number(droppedCell, len(st.Dropped))
		c.cells[nameCell], c.cells[countCell] = stageTitle(st.Name), stageCount(st)
		if st.Duration > 0 {
			c.cells[tookCell] = wording.Took(st.Duration)
		}
		noted := wording.Line(st.Brief())
		switch count := c.cells[countCell]; {
		case noted == "" || brief == noBriefs:
		case count == "":
			c.cells[countCell] = noted
		case brief == allBriefs:
			c.cells[countCell] = count + " " + dot + " " + noted
		}
		for _, cell := range c.cells {
			c.wide = max(c.wide, ansi.StringWidth(cell)+2)
		}
		columns[i] = c
	}
	return columns
}

func wideOf(columns []stageColumn) int {
	n := 0
	for i := range columns {
		n += columns[i].wide
	}
	return n
}

// cut leaves as many columns as there is room for, around the stage that is looked at.
func (f *flow) cut(room, at int) {
	from, to := at, min(at+1, len(f.columns))
	for {
		grown := false
		if to < len(f.columns) && wideOf(f.columns[from:to+1]) <= room {
			to++
			grown = true
		}
		if from > 0 && wideOf(f.columns[from-1:to]) <= room {
			from--
			grown = true
		}
		if !grown {
			break
		}
	}
	f.Pager = widget.Pager{Top: from, Height: to - from, Total: len(f.columns)}
	f.columns = f.columns[from:to]
}

// spread gives the columns the rest of the room.
func (f *flow) spread(room int) {
	for rest := room - wideOf(f.columns); rest > 0 && len(f.columns) > 0; {
		narrow := slices.MinFunc(f.columns, func(a, b stageColumn) int { return a.wide - b.wide }).wide
		if narrow >= mostColumn {
			return
		}
		for i := range f.columns {
			if c := &f.columns[i]; c.wide == narrow && rest > 0 {
				c.wide++
				rest--
			}
		}
	}
}

// columnAt is the stage whose column has a cell, -1 for none.
func (f *flow) columnAt(x int) int {
	for i := range f.columns {
		if x -= f.columns[i].wide; x < headWidth {
			if x+f.columns[i].wide < headWidth {
				return -1
			}
			return f.Top + i
		}
	}
	return -1
}

// levelFlow has the stages side by side, with the flow of candidates under their
// numbers: its height is how many there are.
func (v stagesPane) levelFlow(f flow, h int, focused bool) []string {
	stages := v.stages()
	most := mostOut(stages)
	lines := []string{v.cellLine(f, nameCell, focused), v.cellLine(f, countCell, focused)}
	// With little height the times go first, then what was added and merged.
	below := []int{addedCell, mergedCell, droppedCell, tookCell}
	for _, least := range []int{tookCell, addedCell, mergedCell} {
		if h < len(lines)+1+len(below) {
			below = slices.DeleteFunc(below, func(cell int) bool { return cell == least })
		}
	}
	lines = append(lines, v.streamLines(f, most, max(1, h-len(lines)-len(below)))...)
	for _, cell := range below {
		lines = append(lines, v.cellLine(f, cell, focused))
	}
	return lines
}

// cellLine is one row of the columns, with its head.
func (v stagesPane) cellLine(f flow, cell int, focused bool) string {
	s, stages := v.Styles(), v.stages()
	at, worst := v.stageAt(), mostDropped(stages)
	var b strings.Builder
	b.WriteString(" " + s.Faint.Render(widget.Padded(rowHeads[cell], headWidth-1)))
	for i := range f.columns {
		c := &f.columns[i]
		mark, style := " ", v.cellStyle(cell)
		if f.Top+i == at {
			switch cell {
			case nameCell:
				mark, style = widget.Mark(s, true, focused, style)
			case countCell:
				style = style.Bold(true)
			}
		}
		if cell == droppedCell && f.Top+i == worst {
			style = style.Bold(true)
		}
		text := c.cells[cell]
		number, noted, _ := strings.Cut(text, " ")
		if cell == countCell && stageCount(c.stage) == "" {
			number, noted = "", text
		}
		if cell != countCell {
			number, noted = text, ""
		}
		drawn := style.Render(number)
		if noted != "" {
			if number != "" {
				noted = " " + noted
			}
			drawn += s.Faint.Render(noted)
		}
		b.WriteString(mark + widget.Padded(drawn, c.wide-1))
	}
	return b.String()
}

func (v stagesPane) cellStyle(cell int) lipgloss.Style {
	s := v.Styles()
	switch cell {
	case nameCell:
		return s.Text
	case countCell:
		return s.Score
	case droppedCell:
		return s.Down
	default:
		return s.Faint
	}
}

// streamLines are the flow of candidates, in so many rows; its scale stands at the left:
// the largest number at the top, none at the foot.
func (v stagesPane) streamLines(f flow, most, rows int) []string {
	s, at := v.Styles(), v.stageAt()
	lines := make([]strings.Builder, rows)
	for i := range lines {
		scale := ""
		switch i {
		case 0:
			scale = wording.Count(most)
		case rows - 1:
			scale = "0"
		}
		lines[i].WriteString(s.Faint.Render(widget.FitRight(scale, headWidth-1)) + " ")
	}
	for i := range f.columns {
		c := &f.columns[i]
		style := s.Bars[0]
		if f.Top+i == at {
			style = s.Accent
		}
		for row, cell := range streamCells(c.stage, most, rows, s.Plain) {
			drawn := style
			if cell == droppedCells[s.Plain] {
				drawn = s.Down
			}
			lines[row].WriteString(drawn.Render(strings.Repeat(cell, c.wide)))
		}
	}
	out := make([]string, rows)
	for i := range lines {
		out[i] = lines[i].String()
	}
	return out
}

// levels are the eighths of a cell from below.
var levels = [...]string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}

// plainLevels are levels for a screen without such signs.
var plainLevels = [...]string{" ", "_", "_", "=", "=", "=", "#", "#", "#"}

// droppedCells stand above what leaves a stage for what it dropped, on a screen with such signs
// and on one without: where there is no colour, too, the one is not taken for the other.
var droppedCells = map[bool]string{false: "░", true: "."}

// streamCells are so many cells, from above, whose filled height is the number of
// candidates that leave a stage; over it, in whole cells, is that of those that it dropped. A cell
// that both would share is the larger one's, but the lowest is never that of dropped ones alone.
//
//	eighths = out × 8 rows / most    20 × 24 / 258 ≈ 2
func streamCells(st *retrieval.Stage, most, rows int, plain bool) []string {
	cells := make([]string, rows)
	height := func(n int) int { return int(math.Round(float64(n) / float64(max(1, most)) * float64(8*rows))) }
	kept, all := height(st.Out), height(st.Out+len(st.Dropped))
	if st.Out > 0 {
		kept = max(1, kept)
	}
	for i := range cells {
		below := 8 * (rows - 1 - i)
		level := max(0, min(8, kept-below))
		cells[i] = levels[level]
		if plain {
			cells[i] = plainLevels[level]
		}
		if all-below >= 4 && (level == 0 || level < 4 && below > 0) {
			cells[i] = droppedCells[plain]
		}
	}
	return cells
}
