package ui

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// The palette opens over a dialog in which nothing is typed: esc leads back to the dialog,
// and what is chosen is done once all dialogs are left.
func TestPaletteOverDialogs(t *testing.T) {
	for name, keys := range map[string]string{
		"a report":        "esc w down enter",
		"the watch list":  "esc * #",
		"all keys":        "esc ?",
		"a menu":          "esc y",
		"themes":          "esc : 'theme: choose' enter",
		"keys of a box":   "esc y ?",
		"what was picked": "esc w 'budget' enter",
	} {
		d := openGuide(t, 120, 40, "webrag", depthQuestion, keys)
		before, open := d.screen(), d.dialogs()
		if open == 0 || !strings.Contains(lastLine(d), ": actions") && !strings.Contains(lastLine(d), "  :") {
			t.Errorf("the footer of %s (%d dialogs) is %q", name, open, lastLine(d))
			continue
		}
		d.press(":")
		d.mustShow("Actions", "type to narrow")
		d.press("esc")
		if d.screen() != before {
			t.Errorf("esc leads from the palette over %s to\n%s\nand not to\n%s", name, d.screen(), before)
		}
		d.press(": 'view: pipeline' enter")
		if d.dialogs() != 0 || d.view() != viewPipeline {
			t.Errorf("what was chosen over %s leaves %d dialogs:\n%s", name, d.dialogs(), d.screen())
		}
	}
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "esc w 'a : b'")
	d.mustShow("a : b")
	d.mustNotShow(": actions", "? keys")
}

// Where text is typed into a dialog, keys that type nothing lead to all others, and the
// footer names them.
func TestTypedDialogsLeadToAllKeys(t *testing.T) {
	for name, keys := range map[string]string{
		"the palette": "esc :", "why not": "esc w", "the sides": "esc * # D", "a profile": "esc W", "presets": "esc p", "a span": "esc : 'open a span' enter",
	} {
		d := saving(t, 120, 40, "webrag", keys)
		before := d.screen()
		if d.top() == nil || d.top().Cursor() == nil {
			t.Fatalf("%s takes no text:\n%s", name, before)
		}
		if line := lastLine(d); !strings.Contains(line, "f1 keys") || strings.Contains(line, "? keys") {
			t.Errorf("the footer of %s is %q", name, line)
		}
		if line := lastLine(d); (name != "the palette") != strings.Contains(line, "ctrl+p actions") {
			t.Errorf("the footer of %s is %q", name, line)
		}
		d.press("f1")
		d.mustShow("Here, in this box")
		if d.press("esc"); d.screen() != before {
			t.Errorf("esc leads from the keys of %s to\n%s", name, d.screen())
		}
	}
}

// What is called by two letters in the interface is found by them, and what has nothing to
// do says so before it is chosen.
func TestPaletteFindsThePairFirst(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "esc * : 'a/b'")
	lines := strings.Split(d.screen(), "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "Two rankings side by side") })
	if at < 0 || !strings.Contains(lines[at], d.styles().Signs.Marker) || !strings.Contains(lines[at+1], "The watch list by two sets") {
		t.Errorf("the pair is not first:\n%s", d.screen())
	}
	d = openGuide(t, 120, 40, "webrag", depthQuestion, "esc : 'redo'")
	d.mustShow("nothing to redo")
	d.press("esc t right u : 'redo'")
	d.mustNotShow("nothing to redo")
}

// A narrow footer keeps the keys that lead to all others, without their verbs, beside those
// of the dialog.
func TestNarrowFootersOfDialogs(t *testing.T) {
	d := openGuide(t, 50, 15, "webrag", depthQuestion, "esc y")
	if line := lastLine(d); !strings.HasSuffix(line, ":   ?") || !strings.Contains(line, "esc close") {
		t.Errorf("the footer is %q", line)
	}
}

// Before anything is typed the palette begins with what is done most where the keys go.
func TestPaletteBeginsWithWhatIsDoneOften(t *testing.T) {
	for keys, want := range map[string][]string{
		"esc":   {"New question", "Results: Open", "Tune: Parameters", "Score: Explain", "Why not"},
		"esc 2": {"New question", "Next stage", "Without this stage", "Tune: Parameters"},
	} {
		d := openGuide(t, 120, 40, "webrag", depthQuestion, keys+" :")
		lines := strings.Split(d.screen(), "\n")
		line := func(title string) int {
			return slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, title) })
		}
		above := line("Query: New question")
		for i, title := range want {
			if at := line(title); at != above+i {
				t.Errorf("after %q %q stands in line %d, not %d:\n%s", keys, title, at, above+i, d.screen())
			}
		}
		d.mustNotShow("recall check", "Go: Back")
	}
}

// What the palette says of an action stands there whole.
func TestPaletteSaysAllOfAnAction(t *testing.T) {
	const w = 80 // of the screen, 76 of the list
	all := defaultActions()
	for i := range all {
		a := &all[i]
		if lines := strings.Count(ansi.Wrap(a.Help, w-6, ""), "\n") + 1; lines > 3 {
			t.Errorf("what is said of %s needs %d lines: %s", a.ID, lines, a.Help)
		}
	}
	d := openGuide(t, w, 24, "webrag", depthQuestion, "esc : 'watch this query'")
	d.mustShow("take it off.")
}

func lastLine(d *driver) string {
	lines := strings.Split(strings.TrimRight(d.screen(), "\n"), "\n")
	return strings.TrimRight(lines[len(lines)-1], " ")
}

// What another view shows is not acted on unseen: the palette says where it is.
func TestPaletteSaysWhereAnActionIs(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "esc : 'pipeline: copy'")
	d.mustShow("Pipeline: Copy", "in the view Pipeline, 2")
	d.press("enter esc esc 2 : 'pipeline: copy'")
	d.mustNotShow("in the view Pipeline, 2")
	d.press("esc : 'diff'")
	d.mustShow("Compare: The watch list by two sets of parameters")
}
