package ui

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/ui/corpus"
)

// A page with a rank in the list has given evidence in the diagram, one with a dash none.
func TestTraversalSignsAgree(t *testing.T) {
	d := openGuide(t, 160, 60, "webrag", depthQuestion, "3")
	d.mustShow("✓ evidence  – none")
	list := strings.Split(ansi.Strip(strings.Join(d.panel(corpus.Pages).Draw(120, 60, true), "\n")), "\n")
	d.press("T tab")
	diagram, _, _ := strings.Cut(d.screen(), "[✓] gave")
	signs := map[string]int{}
	for _, found := range regexp.MustCompile(`([^→│\[\]]+) \[([✓–])\]`).FindAllStringSubmatch(diagram, -1) {
		name, sign := strings.TrimSpace(found[1]), found[2]
		rank := map[string]string{"✓": `[0-9]+`, "–": "–"}[sign]
		listed := regexp.MustCompile(regexp.QuoteMeta(strings.TrimSuffix(name, "…")) + `.* ` + rank + ` +\d `)
		if !slices.ContainsFunc(list, listed.MatchString) {
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
