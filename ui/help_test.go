package ui

import (
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

// All keys can be narrowed to those that have some words.
func TestHelpIsFiltered(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "?")
	d.mustShow("f find", "Query", "Begin a new question")
	d.press("f 'compare from here'")
	d.mustShow("Compare with the ranking as it is now", "enter keep")
	d.mustNotShow("Begin a new question")
	d.press("enter")
	d.mustShow("Compare with the ranking as it is now", "esc all keys")
	d.press("esc")
	d.mustShow("Begin a new question")
	d.press("/ 'qqqq?'")
	d.mustShow("no key, no action and no word has these words")
	d.press("esc esc")
	if d.dialogs() != 0 {
		t.Error("esc twice does not close it")
	}
}

// What has no key says by which words the palette finds it.
func TestHelpNamesWhatHasNoKey(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "? f 'mouse terminal'")
	d.mustShow("“Release or take”: Leave the mouse")
	d.mustNotShow("(palette)")
}

// The help begins with the keys of what has the keys, and ends with what the words mean.
func TestHelpBeginsHere(t *testing.T) {
	for keys, want := range map[string][]string{
		"esc":       {"Here, in the list of results", "space left h    Fold"},
		"esc enter": {"Here, in the text of a section", "v               Select a passage"},
		"esc t":     {"Here, in the parameters", "] "},
		"esc 3":     {"Here, in the list of pages"},
		"esc *  #":  {"Here, in this box", "take off"},
		"/":         {"Here, in the query line", "enter           Ask"},
	} {
		d := openGuide(t, 120, 40, "webrag", depthQuestion, keys+" ?")
		d.mustShow(want...)
		if lines := strings.Split(d.screen(), "\n"); !strings.Contains(strings.Join(lines[:8], ""), want[0]) {
			t.Errorf("after %q the help does not begin with %s:\n%s", keys, want[0], d.screen())
		}
		d.press("G")
		d.mustShow("ef_search")
		d.press("pgup")
		d.mustShow("What the words mean")
	}
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "? f 'fusion sum'")
	d.mustShow("convex fusion")
	d.mustNotShow("ef_search")
}

// Every place has a name, and every word of the glossary says what it means.
func TestPlacesAndWordsAreNamed(t *testing.T) {
	for _, c := range anywhere.Expand(closed().allPanes()).And(view.Contexts{onWelcome}) {
		if placeNames[c] == "" {
			t.Errorf("%s has no name", c)
		}
	}
	for _, w := range slices.Concat(wording.Glossary(), wording.MeasuringGlossary()) {
		if len(w.Name) > 15 || !strings.HasSuffix(w.Means, ".") {
			t.Errorf("%s: %s", w.Name, w.Means)
		}
	}
}

// A key that is for another place says so, and does nothing.
func TestKeysOfOtherPlacesSaySo(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "2 I")
	d.mustShow("I is for the list of pages")
	d.press("%")
	d.mustNotShow("% is for", "is for the list")
}
