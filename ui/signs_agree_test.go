package ui

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// A page has the same sign in the list as in the diagram, which say what it means.
func TestTraversalSignsAgree(t *testing.T) {
	d := openGuide(t, 160, 60, "webrag", depthQuestion, "3")
	d.mustShow("✓ gave evidence  – did not")
	if len(d.m.corpusView.between) == 0 {
		t.Fatal("no page stands between others: nothing is tested")
	}
	var walk func(nodes []*traversed, root bool)
	walk = func(nodes []*traversed, root bool) {
		for _, n := range nodes {
			want := d.m.styles.Signs.Dash
			if n.given() {
				want = d.m.styles.Signs.Check
			}
			if got := ansi.Strip(d.m.evidenceSign(n.entry.ID)); got != want && (!root || n.visited) {
				t.Errorf("%s has %q in the list and %q in the diagram", n.entry.Title, got, want)
			}
			walk(n.next, false)
		}
	}
	roots, _ := traversal(&d.m.corpusView.tree.pages, d.m.corpusView.answer)
	walk(roots, true)
}

// The legend of the map names all that is drawn, and the facts what the flags are.
func TestMapLegendIsWhole(t *testing.T) {
	d := openGuide(t, 80, 24, "webrag", depthQuestion, "3 tab")
	d.mustShow("█ matched the query  T table  C code  M math  N note")
	d = openGuide(t, 120, 40, "webrag", depthQuestion, "3")
	d.mustShow("2 with tables, code or more")
	for f, want := range map[store.Flags]string{
		store.HasTable: "tables", store.HasTable | store.HasMath: "tables or math",
		store.HasCode | store.HasMath | store.HasImage: "code, math or more",
	} {
		if got := flagWords(f); got != want {
			t.Errorf("flags %v are %q, want %q", f, got, want)
		}
	}
}

// No line ends between a sign and what it belongs to, and there is one minus.
func TestOriginOfACosineStaysWhole(t *testing.T) {
	c := session.Cosine{Value: .07, Body: -.01, Headings: .082, Title: -.002}
	for room := 20; room < 60; room++ {
		lines := originLines(&c, "−", room)
		for _, l := range lines {
			if strings.HasSuffix(l, "+") || strings.HasSuffix(l, "−") || strings.Contains(l, "-") || ansi.StringWidth(l) > room {
				t.Errorf("at %d: %q", room, lines)
			}
		}
	}
	if got, want := strings.Join(originLines(&c, "−", 80), "\n"), "0.070 = text −.010 + headings .082 − title .002"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// All numbers of a waterfall have the same decimals, and its bars begin in one
// column.
func TestWaterfallNumbersAlike(t *testing.T) {
	s := darkStyles(t)
	e := scaled(number(retrieval.OpProduct, .0549, "similarity × depth", "",
		scaled(number(retrieval.OpLeaf, .0645882, "cosine", ""), "cosine, −1 to 1"),
		scaled(number(retrieval.OpClamp, .85, "depth 3", ""), "multiplier, 0 to 1")), "cosine × depth")
	const room = 32
	for _, l := range waterfallLines(s, e, room) {
		l = ansi.Strip(l)
		if !regexp.MustCompile(`[ −]\d\.\d{3} `).MatchString(l) || ansi.StringWidth(l) > room {
			t.Errorf("%q", l)
		}
	}
}
