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
	if got, want := d.reader().Place(), want.reader().Place(); got != want {
		t.Errorf("at %+v; asked at once it is %+v", got, want)
	}
}
