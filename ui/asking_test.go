package ui

import "testing"

// A section that the next query finds as well is read from that query's best place
// on, not from where the reader stood.
func TestAnotherQueryBeginsAtItsBestMatch(t *testing.T) {
	const more = " and what does each depth cost"
	want := openGuide(t, 120, 40, "blend", depthQuestion+more, "")
	d := openGuide(t, 120, 40, "blend", depthQuestion, "n n n")
	before := d.selected().ChunkID
	d.press("/ '" + more + "' enter")
	if got := d.selected().ChunkID; got != before {
		t.Fatalf("the queries find different sections first: %s and %s", before, got)
	}
	if d.m.preview.focus != want.m.preview.focus || d.m.preview.Top != want.m.preview.Top {
		t.Errorf("mark %d from line %d on; asked at once it is mark %d from line %d on",
			d.m.preview.focus, d.m.preview.Top, want.m.preview.focus, want.m.preview.Top)
	}
}
