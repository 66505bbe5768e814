package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Rows stay where they are whatever is changed: the default stands below them.
func TestTuneRowsStay(t *testing.T) {
	d := openTune(t, 120, 40, "webrag", "")
	at := func() int {
		for i, line := range strings.Split(ansi.Strip(d.screen()), "\n") {
			if strings.Contains(line, "floor scale") {
				return i
			}
		}
		return -1
	}
	before := at()
	d.press("right")
	if after := at(); after != before || before < 0 {
		t.Errorf("the row under the changed one went from line %d to %d", before, after)
	}
	d.mustShow(".310*", "changed here, default .300")
	d.press("backspace")
	d.mustNotShow(".300*")
}

// On a small screen the tune pane says what a parameter does before what it accepts.
func TestTuneSaysWhatItDoes(t *testing.T) {
	d := openTune(t, 80, 24, "webrag", "")
	d.mustShow("A passage must be more similar")
	d.mustNotShow("Up to 1")
}

// A floor on the corpus's own scale says so, and which cosine it is here.
func TestTuneCalibratedFloor(t *testing.T) {
	d := openTune(t, 200, 60, "webrag", "")
	floor := d.session().Result().Floor
	cosine := floor.Raw
	if floor.Scale != param.FloorCalibrated || wording.Score(cosine) == ".300" {
		t.Fatalf("the guide's floor is not calibrated: %+v", floor)
	}
	d.mustShow("of this corpus's scale", "here cosine "+wording.Score(cosine))
	d.change("floor_scale", "raw")
	d.mustNotShow("here cosine")
}

// Addresses stand under all pages or under none.
func TestAddressesStandInAllRowsOrNone(t *testing.T) {
	for w := 90; w < 150; w += 3 {
		d := openTune(t, w, 32, "webrag", "")
		with, without := 0, 0
		for _, line := range d.listed() {
			if !strings.Contains(line, "depth ") || !strings.Contains(line, "section") {
				continue
			}
			if strings.Contains(line, "file") {
				with++
			} else {
				without++
			}
		}
		if with > 0 && without > 0 {
			t.Errorf("at width %d, %d rows have an address and %d have none", w, with, without)
		}
	}
}
