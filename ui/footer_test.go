package ui

import (
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
)

// saving opens the guide where profiles can be saved.
func saving(t *testing.T, w, h int, preset, keys string) *driver {
	t.Helper()
	guide := onGuide(t, preset, depthQuestion)
	return drive(t, 1, w, h, func(o *Options, f *fakeCorpus) {
		guide(o, f)
		o.SaveProfile = func(p session.Profile, _ bool) (string, error) { return p.Name, nil }
	}, keys)
}

// Wherever a parameter is changed the footer says how to take that back and how to keep it,
// beside the way out and the keys that lead to all others.
func TestFooterOfAChange(t *testing.T) {
	for _, size := range [][2]int{{140, 40}, {120, 40}, {80, 24}, {50, 15}} {
		for _, keys := range []string{"t right t", "t right", "t right t 2", "t right t 2 tab", "t right t 3", "t right t enter"} {
			d := saving(t, size[0], size[1], "blend", "esc t "+strings.Repeat("j ", 3)+strings.TrimPrefix(keys, "t "))
			line := lastLine(d)
			if d.session().Params() == d.session().Start().Params {
				t.Fatal("no parameter has changed")
			}
			for _, want := range []string{"u undo", "W save", ":", "?"} {
				if !strings.Contains(line, want) {
					t.Errorf("at %dx%d after %q the footer has no %q: %s", size[0], size[1], keys, want, line)
				}
			}
			if isBack := func(a view.Action) bool { return a.ID == "go.back" && a.CanRun() }; slices.ContainsFunc(d.actions(), isBack) && !strings.Contains(line, "esc") {
				t.Errorf("at %dx%d after %q the footer hides the way out: %s", size[0], size[1], keys, line)
			}
		}
	}
	d := saving(t, 80, 24, "blend", "esc t j j j right t")
	if line := lastLine(d); !strings.Contains(line, "w why") {
		t.Errorf("a change hides why: %s", line)
	}
	d.press("u")
	if line := lastLine(d); strings.Contains(line, "W save") {
		t.Errorf("there is nothing to save: %s", line)
	}
}

// The pane of parameters keeps its keys in the footer beside those of a change and the watch
// list.
func TestFooterOfTune(t *testing.T) {
	d := saving(t, 140, 40, "blend", "esc * t j j j right")
	for _, want := range []string{"s compare", "y copy .env", "[ ] change", "W save", "# list", "u undo", "esc close"} {
		if line := lastLine(d); !strings.Contains(line, want) {
			t.Errorf("no %q in %s", want, line)
		}
	}
}

// Where a new question has no result yet nothing is said of the text before.
func TestNothingHiddenWithoutAResult(t *testing.T) {
	guide := onGuide(t, "webrag", "")
	first := drive(t, 1, 120, 40, placed(guide, depthQuestion), "")
	d := again(t, first, placed(guide, ""), "/ t")
	if d.selected() != nil {
		t.Fatalf("the question has a result:\n%s", d.screen())
	}
	d.mustNotShow("below", "above")
}
