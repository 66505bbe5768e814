package spans

import (
	"fmt"
	"strings"
	"testing"

	xansi "github.com/charmbracelet/x/ansi"
)

func tableOf(cells ...string) string {
	return "| parameter | type | description |\n|---|---|---|\n| " + strings.Join(cells, " | ") + " |\n"
}

func drawnAt(t *testing.T, source string, width int) string {
	t.Helper()
	l, err := typeset(t.Context(), source, Options{Width: width})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, r := range l.rows {
		fmt.Fprintln(&b, strings.TrimRight(xansi.Strip(r.styled), " "))
	}
	return b.String()
}

// A word that a line has room for is broken in no table, however narrow its column is.
func TestWordsOfTablesStayWhole(t *testing.T) {
	words := []string{"keyword_unindexed", "float/int/string"}
	source := tableOf(words[0], words[1], "How many rows of the keyword search a configuration may interconnect")
	for width := 30; width <= 100; width++ {
		for _, word := range append(words, "configuration", "interconnect") {
			if drawn := drawnAt(t, source, width); !strings.Contains(drawn, word) {
				t.Fatalf("at a width of %d %s is broken:\n%s", width, word, drawn)
			}
		}
	}
	if drawn := drawnAt(t, source, 100); !strings.Contains(drawn, "│") {
		t.Errorf("what has room is no grid:\n%s", drawn)
	}
}

// A word that no line has room for, one at its hyphen, and a script without blanks are no
// reason to give a table up.
func TestTablesThatStayGrids(t *testing.T) {
	for _, cell := range []string{strings.Repeat("x", 120), "a state-of-the-art, best-in-class and long-since-proven way", strings.Repeat("決定木は単純である", 6)} {
		if drawn := drawnAt(t, tableOf("a", "b", cell), 50); !strings.Contains(drawn, "│") {
			t.Errorf("%s is in no grid:\n%s", cell, drawn)
		}
	}
}
