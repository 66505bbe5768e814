package widget

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/theme"
)

// looks are styles with colours and without.
func looks(t failing) []*theme.Styles {
	t.Helper()
	mono, err := theme.New("", theme.Options{Dark: true, Profile: colorprofile.ASCII})
	if err != nil {
		t.Fatal(err)
	}
	return []*theme.Styles{styles(t), mono}
}

func checkSize(t *rapid.T, lines []string, w, h int) {
	if len(lines) != max(0, h) {
		t.Fatalf("%d lines in %d rows", len(lines), h)
	}
	for _, l := range lines {
		if n := ansi.StringWidth(l); n != w {
			t.Fatalf("%d cells in a width of %d: %q", n, w, ansi.Strip(l))
		}
	}
}

// A plot keeps its size, marks what is marked once, and names both ends of its axis.
func TestPlotKeepsItsRoom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := looks(t)[rapid.IntRange(0, 1).Draw(t, "look")]
		w, h := rapid.IntRange(1, 150).Draw(t, "w"), rapid.IntRange(1, 40).Draw(t, "h")
		n := rapid.IntRange(1, 120).Draw(t, "n")
		p := Plot{
			Level: rapid.Float64Range(0, 1).Draw(t, "level"), PresentWord: "now", ChosenWord: "best", Figure: func(f float64) string { return fmt.Sprintf("%.3f", f) },
			At: rapid.IntRange(-1, n-1).Draw(t, "at"), Present: rapid.IntRange(-1, n-1).Draw(t, "present"), Chosen: rapid.IntRange(-1, n-1).Draw(t, "chosen"),
		}
		for i := range n {
			mean := rapid.Float64Range(0, 1).Draw(t, "mean")
			by := rapid.Float64Range(0, .5).Draw(t, "by")
			p.Points = append(p.Points, PlotPoint{Label: "v" + strconv.Itoa(i), Value: mean, Low: mean - by, High: mean + by})
		}
		lines := p.Lines(s, w, h)
		checkSize(t, lines, w, h)
		if h < plotFoot || w < 40 || n > w/2 {
			return
		}
		line, labels, marks := ansi.Strip(lines[h-3]), ansi.Strip(lines[h-2]), ansi.Strip(lines[h-1])
		handles, ticks := 0, 0
		if p.Chosen >= 0 {
			handles = 1
		}
		if p.Present >= 0 && p.Present != p.Chosen {
			ticks = 1
		}
		if strings.Count(line, s.Signs.Handle) != handles || strings.Count(line, s.Signs.Tick) != ticks {
			t.Fatalf("chosen %d, present %d: %q", p.Chosen, p.Present, line)
		}
		if handles > 0 && !strings.Contains(marks, "best v"+strconv.Itoa(p.Chosen)) || ticks > 0 && !strings.Contains(marks, "now v"+strconv.Itoa(p.Present)) {
			t.Fatalf("chosen %d, present %d: %q", p.Chosen, p.Present, marks)
		}
		if words := strings.Fields(labels); words[0] != "v0" || words[len(words)-1] != "v"+strconv.Itoa(n-1) {
			t.Fatalf("%d points: %q", n, labels)
		}
		for i := range n {
			if got := p.PointAt(p.margin(w)+p.column(i, w-p.margin(w)), w); got != i {
				t.Fatalf("at the column of point %d is point %d", i, got)
			}
		}
	})
}

// A line from the bottom left to the top right goes through dots one after the other.
func TestPlotDrawsALine(t *testing.T) {
	t.Parallel()
	p := Plot{
		Points: []PlotPoint{{"0", 0, 0, 0}, {"1", 1, 1, 1}}, Level: 0, At: -1, Present: 0, Chosen: 1,
		PresentWord: "now", ChosenWord: "best", Figure: func(f float64) string { return strconv.Itoa(int(f)) },
	}
	want := []string{
		"1       ⡠⠊",
		"      ⡠⠊",
		"    ⡠⠊",
		"0 ⡠⠊––––––",
	}
	lines := p.Lines(styles(t), 10, 7)
	for i, w := range want {
		if got := strings.TrimRight(ansi.Strip(lines[i]), " "); got != w {
			t.Errorf("row %d is %q, want %q", i, got, w)
		}
	}
}

// A map keeps its size, and what stands where the cursor is drawn is the cell under it.
func TestHeatKeepsItsRoom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := looks(t)[rapid.IntRange(0, 1).Draw(t, "look")]
		w, h := rapid.IntRange(1, 150).Draw(t, "w"), rapid.IntRange(1, 40).Draw(t, "h")
		columns, rows := rapid.IntRange(1, 60).Draw(t, "columns"), rapid.IntRange(1, 60).Draw(t, "rows")
		m := Heat{AcrossTitle: "across", DownTitle: "down", AtX: rapid.IntRange(0, columns-1).Draw(t, "x"), AtY: rapid.IntRange(0, rows-1).Draw(t, "y"), Present: [2]int{0, 0}, Chosen: [2]int{columns - 1, rows - 1}}
		for x := range columns {
			m.Across = append(m.Across, "a"+strconv.Itoa(x))
		}
		for y := range rows {
			m.Down = append(m.Down, "d"+strconv.Itoa(y))
			line := make([]float64, columns)
			for x := range line {
				line[x] = rapid.SampledFrom([]float64{0, .1, .5, 1, math.NaN()}).Draw(t, "v")
			}
			m.Values = append(m.Values, line)
		}
		lines := m.Lines(s, w, h)
		checkSize(t, lines, w, h)
		r := m.room(w, h)
		if r.rows == 0 || r.columns == 0 {
			return
		}
		at := ansi.Strip(lines[1+m.AtY-r.top])
		if r.label >= len(m.Down[m.AtY]) && !strings.HasPrefix(strings.TrimLeft(at, " "), m.Down[m.AtY]) {
			t.Fatalf("row %d is %q", m.AtY, at)
		}
		x, y, ok := m.CellAt(r.label+1+(m.AtX-r.left)*r.cell, 1+m.AtY-r.top, w, h)
		if !ok || x != m.AtX || y != m.AtY {
			t.Fatalf("the cursor is at %d, %d, and drawn at %d, %d", m.AtX, m.AtY, x, y)
		}
	})
}

// Five different values have the five shades, the highest the darkest.
func TestHeatShades(t *testing.T) {
	t.Parallel()
	m := Heat{Values: [][]float64{{.1, .2, .3, .4, .9}}, Across: []string{"a", "b", "c", "d", "e"}, Down: []string{"y"}, AtX: 9, Present: [2]int{-1, -1}, Chosen: [2]int{-1, -1}}
	m.AtX = 0
	got := ansi.Strip(m.Lines(styles(t), 7, 3)[1])
	if got != "y ·░▒▓█" {
		t.Errorf("it is drawn as %q", got)
	}
}
