package rendering

import (
	"context"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/spans"
)

// renderedSection renders a section for lines of 60 cells.
func renderedSection(t *testing.T, it *retrieval.Item, f Form) *Section {
	t.Helper()
	styles, err := theme.New("", theme.Options{Dark: true})
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewCache(1).Job(it, f, 60, styles, nil).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLinksAreResolvedAgainstTheirPage(t *testing.T) {
	t.Parallel()
	it := &retrieval.Item{ChunkID: "x", SourceURL: "https://guide.example/docs/ranking", ChunkText: "The [budget](/budget.html) ends above it."}
	r := renderedSection(t, it, Rendered).Rendering
	if got := strings.TrimSpace(r.PlainLines(0, 1)[0]); got != "The budget ends above it." {
		t.Errorf("shown as %q, want the label only", got)
	}
	line := r.Mark(nil, spans.Palette{}).Lines(0, 1, -1)[0]
	if want := "\x1b]8;;https://guide.example/budget.html\a"; !strings.Contains(line, want) {
		t.Errorf("%q does not lead to the page's site", line)
	}
}

func TestSignsStandForColours(t *testing.T) {
	t.Parallel()
	styles, err := theme.New(theme.Mono, theme.Options{})
	if err != nil {
		t.Fatal(err)
	}
	it := &retrieval.Item{ChunkID: "x", ChunkText: "Call `f(x)`, see ![a cat](cat.png)."}
	p, err := NewCache(1).Job(it, Rendered, 60, styles, nil).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.TrimSpace(p.Rendering.PlainLines(0, 1)[0]), "Call `f(x)`, see [image: a cat cat.png]."; got != want {
		t.Errorf("shown as %q, want %q", got, want)
	}
}
