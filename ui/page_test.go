package ui

import (
	"context"
	"hash/maphash"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/spans"
)

// renderedPage makes the page of a section as the preview does.
func renderedPage(t *testing.T, it *retrieval.Item, f form) *page {
	t.Helper()
	styles, err := theme.New("", theme.Options{Dark: true})
	if err != nil {
		t.Fatal(err)
	}
	p, err := jobFor(it, f, 60, styles, nil, maphash.MakeSeed()).run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLinksAreResolvedAgainstTheirPage(t *testing.T) {
	t.Parallel()
	it := &retrieval.Item{ChunkID: "x", SourceURL: guideURL + "ranking", ChunkText: "The [budget](/budget.html) ends above it."}
	r := renderedPage(t, it, formRendered).rendering
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
	p, err := jobFor(it, formRendered, 60, styles, nil, maphash.MakeSeed()).run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.TrimSpace(p.rendering.PlainLines(0, 1)[0]), "Call `f(x)`, see [image: a cat cat.png]."; got != want {
		t.Errorf("shown as %q, want %q", got, want)
	}
}
