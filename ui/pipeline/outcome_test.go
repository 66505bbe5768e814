package pipeline

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/ui/view/viewtest"
)

// A rank of three digits keeps all of them: cut to two it is another rank.
func TestRanksOfAnOutcomeAreWhole(t *testing.T) {
	v := New(viewtest.New(t))
	for _, value := range []string{"rank 7", "rank 140", "rank 1312", ".302"} {
		v.list.rows = append(v.list.rows, outcomeRow{id: value, name: "Depth", value: value})
	}
	outcomePane{v}.SetSize(116, 1)
	for i, r := range v.list.rows {
		v.list.Top = i
		first := ansi.Strip(outcomePane{v}.Draw(116, 1, true)[0])
		if !strings.Contains(first, r.value+"  ") {
			t.Errorf("the value %q is not in %q", r.value, first)
		}
	}
}
