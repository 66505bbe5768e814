package ui

import (
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
)

func TestSteppingFromHTMLShowsTheMarks(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("how does depth decay work"), "j j j")
	d.mustShow("HTML surface: marks in markdown (m)")
	d.press("n")
	d.mustShow("match 1/", "markdown, which the marks refer to")
	d.mustNotShow("HTML surface")
	d.press("m m m")
	d.mustShow("HTML surface: marks in markdown (m)")
}

func TestAnOpenedSpanIsPaintedOnHTMLPages(t *testing.T) {
	d, _ := newDriver(t, 1, 120, 40, asking("how does depth decay work"))
	d.settle()
	d.press("j j j")
	it := d.m.results.selected()
	if it.Surface != retrieval.SurfaceHTML {
		t.Fatalf("the fixture's fourth section is %s", it.Surface)
	}
	d.push(d.m.openSpan(Span{URL: it.SourceURL, Start: it.CharStart + 2, End: it.CharStart + 9}))
	d.settle()
	d.mustNotShow("HTML surface")
	d.mustShow("citation")
}

func TestSectionNamesKeepWhatTellsThemApart(t *testing.T) {
	it := &retrieval.Item{Title: "2.3. Clustering — a library 1.2", HeadingPath: []string{"2.3. Clustering", "2.3.1. Overview"}}
	if got, want := leafFirst(it), "2.3.1. Overview ‹ 2.3. Clustering — a library 1.2"; got != want {
		t.Errorf("in a list: %q, want %q", got, want)
	}
	if got, want := trail(it), "2.3. Clustering › 2.3.1. Overview"; got != want {
		t.Errorf("above the text: %q, want %q", got, want)
	}
	if got, want := cutLeft(trail(it), 18), "…› 2.3.1. Overview"; got != want {
		t.Errorf("cut: %q, want %q", got, want)
	}
}
