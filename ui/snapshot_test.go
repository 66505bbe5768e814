package ui

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"github.com/webrag/webrag-tui/retrieval/param"
)

func TestSnapshotsAreKeptUnderNames(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "D")
	d.mustShow("Compare this ranking with that of", "hybrid")
	d.mustNotShow("(now)") // it is B
	d.press("esc S")
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
	d.mustShow("A  webrag", "B  webrag* (now)", "entered 0  left 1  moved 5", "passages: floor .300 → .350", "depth: depth decay .050 → .200", "▲1", "left")
	d.press("x")
	d.mustShow("A  webrag* (now)", "B  webrag", "entered 1  left 0", "floor .350 → .300", "new")
	d.press("a 'webrag' enter")
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

// The latest snapshot of the query stands beside the ranking; a and b choose another, and R
// restores the right one's parameters.
func TestOneOfSeveralSnapshots(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "S 'first' enter")
	d.change("depth_decay_rate", "0.2")
	d.press("S 'second' enter")
	d.change("depth_decay_rate", "0.1")
	d.press("D")
	d.mustShow("A  second", "B  webrag* (now)")
	d.press("a 'first' enter b 'second' enter")
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
	for _, keys := range []string{"j k", "pgdown pgup", "G g", "space g", "tab tab"} {
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

// The cursor goes to the same section on the other side; enter leads to it among the results,
// or where it is no more to its text.
func TestARowOfThePairIsGoneTo(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "S enter")
	before := d.session().Result().ByRank()
	d.change("similarity_floor", "0.35")
	d.change("depth_decay_rate", "0.2")
	d.change("depth_floor", "0.5")
	d.press("D j enter")
	if d.dialogs() != 0 || d.at() != before[1].ChunkID {
		t.Errorf("%d dialogs, selected %s, want %s", d.dialogs(), d.at(), before[1].ChunkID)
	}
	left := d.session().Difference().Left[0]
	d.press("D G")
	d.mustShow("▌ 9 ")
	d.press("enter")
	if it := d.selected(); it == nil || it.ChunkID != left.ChunkID {
		t.Errorf("selected %+v, want %s", it, left.ChunkID)
	}
	// Rank 2 on the left is another one on the right: the cursor follows the section.
	d.press("D g j right enter")
	if d.at() != before[1].ChunkID {
		t.Errorf("across: %s, want %s", d.at(), before[1].ChunkID)
	}
}

// Two presets are compared over the watch list, from the list of what is watched, the
// palette, or two rankings; what the evidence does not reach is asked for.
func TestTheWatchListByTwoPresets(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, ": 'watch list by two' enter")
	d.mustShow("no query is watched yet")
	d.press("esc esc *")
	for _, q := range []string{"what is a similarity floor", "how is a token budget spent", "which database can be connected"} {
		d.ask(q)
		d.press("*")
	}
	d.change("similarity_floor", "0.5")
	d.press("# D")
	d.mustShow("The watch list by both", "A  webrag", "B  webrag* (now)", "4 of 4", "3 of 4", "1.000", ".750", "✗")
	d.press("b 'hybrid' enter")
	d.mustShow("B  hybrid", "4 of 4", "returns", "no limit", "must return")
	d.press("p")
	d.mustShow("Parameters of both", "KEYWORDS")
	d.press("# g enter")
	if d.session().Query() != depthQuestion || d.dialogs() != 0 {
		t.Errorf("asked %q, %d dialogs", d.session().Query(), d.dialogs())
	}
	d.press(": 'ab'")
	d.mustShow("Compare: The watch list")
}

// What the watch list is compared with is chosen by what the presets do; the pages stand
// below each other, beside the ranks, and nothing but a name is cut where it is narrow.
func TestTheWatchListIsATable(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "* # D")
	d.mustShow("Rank the watch list also by the parameters of", "hybrid        Fuse keyword and vector ranks")
	d.mustNotShow("preset or profile")
	for _, size := range [][2]int{{140, 40}, {50, 15}} {
		d = openGuide(t, size[0], size[1], "webrag", depthQuestion, "esc *")
		d.ask("what is a similarity floor")
		d.press("* # D 'hybrid' enter")
		d.mustShow("no limit", "MRR")
		if size[0] < 100 {
			d.mustShow("MRR of 2 pages")
			continue
		}
		d.mustShow("must return", "MRR, the mean of 1 / rank, of 2 pages")
		var at []int
		for _, line := range strings.Split(d.screen(), "\n") {
			if _, right, ok := strings.Cut(line, "what is a similarity floor  "); ok && !strings.Contains(line, "against") {
				if blank := len(right) - len(strings.TrimLeft(right, " ")); blank > 20 {
					t.Errorf("%d cells before the page: %q", blank, line)
				}
			}
			if i := strings.Index(line, "✓"); i >= 0 {
				at = append(at, ansi.StringWidth(line[:i]))
			}
		}
		if len(at) != 2 || at[0] != at[1] || at[0] > 100 {
			t.Errorf("ranks stand at %v:\n%s", at, d.screen())
		}
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

// Quitting loses no snapshot and no baseline; a file that cannot be read says so, is kept,
// and loses nothing else.
func TestSnapshotsAreThereInTheNextSession(t *testing.T) {
	folder := t.TempDir()
	state := filepath.Join(folder, "state.json")
	guide := func(o *Options, f *fakeCorpus) {
		placed(onGuide(t, "webrag", depthQuestion), depthQuestion)(o, f)
		o.StatePath = state
	}
	first := drive(t, 1, 120, 40, guide, "S enter")
	first.change("depth_decay_rate", "0.3")
	first.press("S 'steep' enter s * ")
	if err := first.leave(); err != nil {
		t.Fatal(err)
	}

	goOn := func() *driver {
		d, _ := newDriver(t, 2, 120, 40, func(o *Options, f *fakeCorpus) {
			guide(o, f)
			o.Query = ""
		})
		d.restore(loadState(state))
		d.settle()
		return d
	}
	d := goOn()
	if names := snapshotNames(d); !slices.Equal(names, []string{"webrag", "steep"}) || d.session().Query() != depthQuestion {
		t.Fatalf("asked %q, with %q", d.session().Query(), names)
	}
	if d.session().Baseline().Name != "earlier webrag*" || d.session().Difference() == nil || !d.session().Difference().IsIdentical() {
		t.Errorf("compared with %s", d.session().Baseline().Name)
	}
	d.press(": 'snapshot delete' enter 'webrag' enter")
	if err := d.leave(); err != nil {
		t.Fatal(err)
	}
	d = goOn()
	if names := snapshotNames(d); !slices.Equal(names, []string{"steep"}) {
		t.Fatalf("after deleting one: %q", names)
	}

	files, err := filepath.Glob(filepath.Join(folder, "comparisons", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the files are %q, %v", files, err)
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files[0], append(b, "torn\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	d = goOn()
	d.mustShow("1 snapshot of this corpus could not be read", ".broken")
	if names := snapshotNames(d); !slices.Equal(names, []string{"steep"}) || len(d.session().Watched()) != 1 {
		t.Errorf("of the others there are %q, %d watched", names, len(d.session().Watched()))
	}
	if kept, err := os.ReadFile(files[0] + ".broken"); err != nil || !bytes.HasSuffix(kept, []byte("torn\n")) {
		t.Errorf("what could not be read is gone: %v", err)
	}
	if again := goOn(); len(snapshotNames(again)) != 1 {
		t.Error("what could be read is gone in the session after that")
	}
}

// A session that begins anew leaves the baseline out, and keeps it for the next one.
func TestABaselineOutlivesASessionThatBeginsAnew(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state.json")
	session := func(resume bool, keys string) *driver {
		d, _ := newDriver(t, 2, 120, 40, func(o *Options, f *fakeCorpus) {
			placed(onGuide(t, "webrag", depthQuestion), depthQuestion)(o, f)
			o.StatePath, o.Resume = state, resume
		})
		d.restore(loadState(state))
		d.settle()
		d.press(keys)
		if err := d.leave(); err != nil {
			t.Fatal(err)
		}
		return d
	}
	session(true, "s")
	if d := session(false, "S enter"); d.session().IsPinned() {
		t.Error("a session that begins anew has the baseline")
	}
	if d := session(true, ""); !d.session().IsPinned() || len(snapshotNames(d)) != 1 {
		t.Errorf("pinned %v, with %q", d.session().IsPinned(), snapshotNames(d))
	}
}

func snapshotNames(d *driver) (names []string) {
	for _, s := range d.session().Snapshots() {
		names = append(names, s.Name)
	}
	return names
}

// Each corpus has its own snapshots, and they are there again when it is switched back to.
func TestEachCorpusHasItsOwnSnapshots(t *testing.T) {
	d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		beside(o, f)
		o.Params, _ = param.Preset("webrag")
		o.StatePath = filepath.Join(t.TempDir(), "state.json")
	}, "S 'mine' enter")
	for i, place := range []string{"b", "a"} {
		d.push(d.welcome().SwitchTo(place, nil))
		d.settle()
		if got := len(d.session().Snapshots()); got != i {
			t.Errorf("%s has %d snapshots", place, got)
		}
	}
}
