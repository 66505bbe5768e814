package ui

import (
	"strings"
	"testing"
)

// What is found in a list is gone through from the text, too, until something is looked for
// there: then nothing is marked in the list any more.
func TestOnePaneIsSearchedAtATime(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), "f 'depth' enter")
	d.mustShow("found 1/2")
	first := d.at()
	d.press("enter n")
	if d.at() == first || d.focus() != panePreview {
		t.Fatalf("on %q, in %v", d.at(), d.focus())
	}
	d.mustShow("found 2/2")
	marked := d.styledList()
	d.press("f")
	if d.styledList() == marked {
		t.Error("the list shows what is no longer looked for")
	}
	d.press("'zzz' enter")
	d.mustShow("found 0/0")
	d.press("esc")
	d.mustNotShow("found")
	d.press("esc f 'zzz' enter n")
	d.mustShow("nothing found")
}

// styledList are the lines of the list with their styles.
func (d *driver) styledList() string {
	s := slotOf(d)
	return strings.Join(d.panel(paneResults).Draw(s.Body.Dx(), s.Body.Dy(), false), "\n")
}
