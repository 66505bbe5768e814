package ui

import (
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/ui/corpus"
	"github.com/webrag/webrag-tui/ui/view"
)

func TestTheSplitIsDragged(t *testing.T) {
	for _, c := range []struct {
		name string
		w, h int
		keys string
	}{
		{"three columns", 200, 60, ""}, {"side by side", 120, 40, ""}, {"stacked", 90, 40, ""}, {"the corpus", 120, 40, "3"}, {"beside the tune pane", 160, 40, "t"},
	} {
		d := drive(t, 1, c.w, c.h, asking("decay"), c.keys)
		line := d.place().Split
		x, y := line.Handle.Min.X, line.Handle.Min.Y
		toX, toY := x+9, y
		if line.Handle.Dy() == 1 {
			toX, toY = x, y+4
		}
		d.send(tea.MouseMotionMsg{X: toX, Y: toY, Button: tea.MouseLeft})
		if d.split() != 0 {
			t.Fatalf("%s: the line moves although nothing holds it", c.name)
		}
		d.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
		d.send(tea.MouseMotionMsg{X: toX - 1, Y: toY, Button: tea.MouseLeft})
		d.send(tea.MouseReleaseMsg{X: toX, Y: toY, Button: tea.MouseLeft})
		moved := d.place().Split.Handle
		if off := moved.Min.X - toX + moved.Min.Y - toY; off < 0 || off > 1+c.w/100 {
			t.Errorf("%s: dragged to %d, %d the line stands at %v", c.name, toX, toY, moved.Min)
		}
		at := d.split()
		d.send(tea.MouseMotionMsg{X: x, Y: y, Button: tea.MouseLeft})
		if d.split() != at {
			t.Errorf("%s: the line follows the mouse after it was let go", c.name)
		}
		if d.state().Split != at {
			t.Errorf("%s: the split is not kept", c.name)
		}
	}
}

// The split that a cell asks for brings the line there, or as near as it may go.
func TestDraggingIsMovingTheSplit(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w, h := rapid.IntRange(80, 220).Draw(r, "w"), rapid.IntRange(10, 70).Draw(r, "h")
		a := arranging{
			score: rapid.Bool().Draw(r, "score"),
			split: rapid.IntRange(-view.MostSplit, view.MostSplit).Draw(r, "split"),
		}
		a.focus = paneResults
		if rapid.Bool().Draw(r, "corpus") {
			a.arrange, a.focus = new(corpus.View).Arrange, corpus.Pages
		}
		l := layoutFor(w, h, a)
		if l.Split.Handle.Empty() {
			t.Fatalf("no line to take at %dx%d", w, h)
		}
		want := l.Split.Handle.Min
		a.split = l.Split.To(want.X, want.Y)
		if got := layoutFor(w, h, a).Split.Handle.Min; got != want {
			t.Fatalf("held where it is, the line goes from %v to %v", want, got)
		}
		if s := l.Split.To(rapid.IntRange(-5, 300).Draw(r, "x"), rapid.IntRange(-5, 100).Draw(r, "y")); s < -view.MostSplit || s > view.MostSplit {
			t.Fatalf("a split of %d", s)
		}
	})
}

func TestHintsInTheFooterAreClicked(t *testing.T) {
	d := drive(t, 1, 150, 42, asking("decay"), "")
	x := 1
	for _, h := range d.hints() {
		if h.action == "results.flat" {
			break
		}
		x += len([]rune(h.key+" "+h.verb)) + len(hintGap)
	}
	d.send(tea.MouseClickMsg{X: x, Y: 41, Button: tea.MouseLeft})
	if !d.list().IsFlat() {
		t.Error("a click on the hint does not list by rank")
	}
	d.send(tea.MouseClickMsg{X: x - 1, Y: 41, Button: tea.MouseLeft})
	if !d.list().IsFlat() {
		t.Error("a click between two hints does something")
	}
}

func TestChoicesAreClicked(t *testing.T) {
	d := drive(t, 1, 120, 40, withSea(t), ": 'theme: choose' enter")
	at := d.box()
	d.send(tea.MouseClickMsg{X: 0, Y: at.Min.Y + 3, Button: tea.MouseLeft})
	d.send(tea.MouseClickMsg{X: at.Min.X + 5, Y: at.Min.Y, Button: tea.MouseLeft})
	d.send(tea.MouseClickMsg{X: at.Min.X + 5, Y: at.Max.Y - 1, Button: tea.MouseLeft})
	if d.dialogs() != 1 {
		t.Fatal("a click beside the choices chooses")
	}
	d.send(tea.MouseClickMsg{X: at.Min.X + 5, Y: at.Min.Y + 3, Button: tea.MouseLeft})
	if d.dialogs() != 0 || d.theme() != d.themes()[2] {
		t.Errorf("a click on the third choice gives %s", d.theme())
	}
	// In the palette, the line that is typed comes before the choices.
	d.press(": 'by page or by rank'")
	at = d.box()
	d.send(tea.MouseClickMsg{X: at.Min.X + 5, Y: at.Min.Y + 3, Button: tea.MouseLeft})
	if !d.list().IsFlat() {
		t.Error("a click on the first action does not run it")
	}
}

func TestMotionsComeOncePerFrame(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	filter := steadyMouse(func() time.Time { return now })
	var passed []int
	for i := range 10 {
		if filter(nil, tea.MouseMotionMsg{X: i}) != nil {
			passed = append(passed, i)
		}
		now = now.Add(5 * time.Millisecond)
	}
	if want := []int{0, 4, 8}; !slices.Equal(passed, want) {
		t.Errorf("motions %v pass, want %v", passed, want)
	}
	if filter(nil, tea.MouseReleaseMsg{}) == nil || filter(nil, tea.KeyPressMsg{}) == nil || filter(nil, tea.MouseClickMsg{}) == nil {
		t.Error("something else than motions is dropped")
	}
	now = now.Add(-time.Hour) // a clock that was set back stops nothing
	if filter(nil, tea.MouseWheelMsg{}) == nil {
		t.Error("a turn of the wheel is dropped")
	}
}
