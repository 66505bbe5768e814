package ui

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
)

func TestSnapshotsAreKeptUnderNames(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "D")
	d.mustShow("no snapshot was taken yet")
	d.press("S")
	d.mustShow("Take a snapshot", "webrag", "enter keep")
	d.press("enter S")
	d.mustShow("webrag 2")
	d.press("'webrag' enter")
	d.mustShow("there is a snapshot called webrag already")
	d.press("ctrl+u 'steep' enter")
	if n := len(d.session().Snapshots()); n != 2 || d.session().Snapshots()[1].Name != "steep" || d.session().Snapshots()[1].Query != depthQuestion {
		t.Fatalf("%d snapshots", n)
	}
	for i := range d.session().Snapshots()[0].Result.Items {
		if it := &d.session().Snapshots()[0].Result.Items[i]; it.ChunkText != "" || it.Matches != nil || it.Rank == 0 {
			t.Errorf("a snapshot keeps %+v", it)
		}
	}
	d.press(": 'snapshot delete' enter 'steep' enter")
	if n := len(d.session().Snapshots()); n != 1 || d.session().Snapshots()[0].Name != "webrag" {
		t.Errorf("after deleting: %d snapshots", n)
	}
}

func TestSnapshotsAreCompared(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "S enter")
	before := d.session().Params()
	d.change("similarity_floor", "0.35")
	d.change("depth_decay_rate", "0.2")
	d.change("depth_floor", "0.5")
	d.press("D")
	d.mustShow("A  webrag", "B  now", "entered 0  left 1  moved 5", "similarity_floor 0.3 → 0.35", "depth_decay_rate 0.05 → 0.2", "▲1", "left")
	d.press("x")
	d.mustShow("A  now", "B  webrag", "entered 1  left 0", "similarity_floor 0.35 → 0.3", "new")
	d.press("a")
	d.mustShow("A  webrag", "B  webrag", "the same ranking with the same scores", "with the same parameters")
	d.press("r")
	if d.session().Params() != before || d.dialogs() != 0 {
		t.Errorf("the parameters are %+v", d.session().Params())
	}
	d.mustShow("the parameters of webrag")
	d.press("u")
	if d.session().Params().SimilarityFloor != .35 {
		t.Error("restoring cannot be undone")
	}
}

// Of several snapshots one is chosen; b brings the others, and R restores the
// right one's parameters.
func TestOneOfSeveralSnapshots(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "S 'first' enter")
	d.change("depth_decay_rate", "0.2")
	d.press("S 'second' enter")
	d.change("depth_decay_rate", "0.1")
	d.press("D")
	d.mustShow("Compare which snapshot", "first", "second")
	d.press("'first' enter")
	d.mustShow("A  first", "B  now")
	d.press("b b")
	d.mustShow("A  first", "B  second")
	d.press("R")
	if got := d.session().Params().DepthDecayRate; got != .2 {
		t.Errorf("depth decay is %v", got)
	}
	d.press(": 'restore its parameters' enter 'first' enter")
	if got := d.session().Params().DepthDecayRate; got != .05 {
		t.Errorf("depth decay is %v", got)
	}
}

func TestSnapshotsOfOtherQueriesSaySo(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "S enter")
	d.ask("what is a similarity floor")
	d.press("D")
	d.mustShow("They answer different queries")
}

func TestThePairScrolls(t *testing.T) {
	d := openGuide(t, 80, 16, "webrag", depthQuestion, "S enter D")
	first := d.screen()
	for _, keys := range []string{"j k", "pgdown pgup", "G g", "space ctrl+u"} {
		d.press(keys)
		if got := d.screen(); got != first {
			t.Errorf("%s does not lead back:\n%s", keys, got)
		}
	}
	d.press("G")
	if d.screen() == first {
		t.Error("nothing scrolls")
	}
	d.press("q")
	if d.dialogs() > 0 {
		t.Error("it is still open")
	}
}

func TestPairScreens(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 40}, {80, 24}, {50, 15}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			d := openGuide(t, size[0], size[1], "webrag", depthQuestion, "S enter")
			d.change("similarity_floor", "0.35")
			d.change("depth_decay_rate", "0.2")
			d.change("depth_floor", "0.5")
			d.press("D")
			golden.RequireEqual(t, d.screen())
		})
	}
}
