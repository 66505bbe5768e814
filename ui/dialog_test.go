package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
)

// A dialog is as wide as it was told, whatever a page is called: a letter may take
// two cells, or none.
func TestADialogIsAsWideAsItWasTold(t *testing.T) {
	s, err := theme.New("", theme.Options{Dark: true})
	if err != nil {
		t.Fatal(err)
	}
	words := rapid.Map(rapid.SliceOf(rapid.SampledFrom([]string{"a", " ", "日", "…", "e\u0301", "👨\u200d👩\u200d👧", "✈\ufe0f"})), func(parts []string) string {
		return strings.Join(parts, "")
	})
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.IntRange(7, 90).Draw(t, "w")
		title, hint := words.Draw(t, "title"), words.Draw(t, "hint")
		for i, l := range widget.Frame(s, title, []string{words.Draw(t, "line")}, hint, w) {
			if n := ansi.StringWidth(l); n != w {
				t.Fatalf("line %d has %d cells of %d: %q", i, n, w, ansi.Strip(l))
			}
		}
	})
	if l := ansi.Strip(widget.Frame(s, "日本語のページ", nil, "", 40)[0]); l != "┌─ 日本語のページ ─────────────────────┐" {
		t.Errorf("a title that had room is cut: %s", l)
	}
}
