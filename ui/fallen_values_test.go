package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// A rank of three digits keeps all of them: cut to two it is another rank.
func TestFallenRanksAreWhole(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "2 x X")
	d.mustShow("dropped 140")
	long := 0
	for _, r := range d.m.pipe.list.rows {
		if len(r.value) > leastValue {
			long++
		}
	}
	if long == 0 {
		t.Fatal("no rank has three digits: nothing is tested")
	}
	for i := range d.m.pipe.list.rows {
		d.m.pipe.list.Top = i
		first := (fallenPanel{}).view(d.m, 116, 1, true)[0]
		if want := d.m.pipe.list.rows[i].value; !strings.Contains(ansi.Strip(first), want+"  ") {
			t.Errorf("the value %q is not in %q", want, ansi.Strip(first))
		}
	}
}

// Another list begins at its top, whatever was scrolled before.
func TestFallenBeginsAtItsTop(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "2 tab x G X")
	if d.m.pipe.list.Top != 0 {
		t.Errorf("it begins at line %d", d.m.pipe.list.Top)
	}
	d.mustShow("Each arm hands on so many rows.", "dropped 140")
}

// Undoing says what it did where no drawer shows it.
func TestUndoSaysWhatItDid(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "2 x X u")
	d.mustShow("similarity_floor back to .300")
	d.press("ctrl+r")
	d.mustShow("similarity_floor to off again")
}

// A hint names what a key does now, and is left out whole where it has no room.
func TestHintsFollowTheState(t *testing.T) {
	d := openGuide(t, 160, 40, "webrag", depthQuestion, "")
	d.mustShow("e hide score")
	d.press("e")
	d.mustShow("e explain")
	d.press("3")
	d.mustShow("r table")
	d.press("r")
	d.mustNotShow("r table")
	d = openGuide(t, 80, 24, "webrag", depthQuestion, "f d e c a y enter")
	d.mustShow("found 1/")
	d.mustNotShow("…   found", "… found")
}
