package ui

import "testing"

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
	d.mustShow("no key and no action has these words")
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
