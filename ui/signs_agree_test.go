package ui

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/ui/corpus"
)

// A page has the same sign in the list as in the diagram, which say what it means.
func TestTraversalSignsAgree(t *testing.T) {
	d := openGuide(t, 160, 60, "webrag", depthQuestion, "3")
	d.mustShow("✓ gave evidence  – did not")
	list := strings.Split(ansi.Strip(strings.Join(d.panel(corpus.Pages).Draw(120, 60, true), "\n")), "\n")
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
