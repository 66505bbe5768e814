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
		"a menu":          "esc p",
		"themes":          "esc : 'theme: choose' enter",
		"keys of a box":   "esc p ?",
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
	d.mustNotShow(": actions")
}

// A narrow footer keeps the keys that lead to all others, without their verbs, beside those
// of the dialog.
func TestNarrowFootersOfDialogs(t *testing.T) {
	d := openGuide(t, 50, 15, "webrag", depthQuestion, "esc p")
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
