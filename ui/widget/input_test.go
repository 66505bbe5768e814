package widget

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/theme"
)

// A placeholder of wide characters takes the cells that it has, and nothing else.
func TestWidePlaceholders(t *testing.T) {
	s, err := theme.New(theme.Lamp, theme.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"余", "日本語の質問", "ask the corpus"} {
		in := NewInput()
		in.Placeholder = text
		line := ansi.Strip(in.Line(s, 40))
		if !strings.Contains(line, text) || strings.ContainsRune(line, 0) || ansi.StringWidth(line) != 40 {
			t.Errorf("%q is drawn as %q", text, line)
		}
	}
}
