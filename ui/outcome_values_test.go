package ui

import (
	"testing"
)

// Another list begins at its top, whatever was scrolled before.
func TestAnOutcomeBeginsAtItsTop(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "2 tab x G X")
	d.mustShow("Each search hands on so many rows.", "140 dropped")
}

// Undoing says what it did where no tune pane shows it.
func TestUndoSaysWhatItDid(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "2 x X u")
	d.mustShow("floor back to .300")
	d.press("ctrl+r")
	d.mustShow("floor to off again")
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
