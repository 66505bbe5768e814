package ui

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/corpus"
)

// A page has the same sign in the list as in the diagram, which say what it means.
func TestTraversalSignsAgree(t *testing.T) {
	d := openGuide(t, 160, 60, "webrag", depthQuestion, "3")
	d.mustShow("✓ gave evidence  – did not")
	list := strings.Split(ansi.Strip(strings.Join(d.m.panel(corpus.Pages).Draw(120, 60, true), "\n")), "\n")
	d.press("T")
	diagram, _, _ := strings.Cut(d.screen(), "[✓] gave")
	signs := map[string]int{}
	for _, found := range regexp.MustCompile(`([^→│\[\]]+) \[([✓–])\]`).FindAllStringSubmatch(diagram, -1) {
		name, sign := strings.TrimSpace(found[1]), found[2]
		at := slices.IndexFunc(list, func(l string) bool { return strings.Contains(l, strings.TrimSuffix(name, "…")) })
		if at < 0 || !strings.Contains(list[at], " "+sign+"  depth") {
			t.Errorf("%q has %q in the diagram, and in the list not", name, sign)
		}
		signs[sign]++
	}
	if signs["✓"] == 0 || signs["–"] == 0 {
		t.Errorf("signs %v: nothing is compared", signs)
	}
}

// The legend of the map names all that is drawn, and the facts what the flags are.
func TestMapLegendIsWhole(t *testing.T) {
	d := openGuide(t, 80, 24, "webrag", depthQuestion, "3 tab")
	d.mustShow("█ matched the query  T table  C code  M math  N note")
	d = openGuide(t, 120, 40, "webrag", depthQuestion, "3")
	d.mustShow("2 with tables, code or more")
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
