package spans

import (
	"slices"
	"strings"
	"testing"
)

// TestListsWrapAtBlanks looks at every width of a list, which glamour wraps
// otherwise than paragraphs.
func TestListsWrapAtBlanks(t *testing.T) {
	t.Parallel()
	const text = "1. The span must lie inside the *chunk*: 1200 and 1450 of 0.250, a.b, 1,850 and **e.g**.\n2. End."
	want := strings.Fields(text) // the theme writes the signs of the source
	for width := 16; width < 90; width++ {
		r := render(t, text, Options{Width: width, Theme: themes["notty"]})
		got := strings.Join(r.PlainLines(0, r.Height()), "\n")
		if !slices.Equal(strings.Fields(got), want) {
			t.Errorf("width %d parts words:\n%s", width, got)
		}
	}
}

func TestLongPathsPart(t *testing.T) {
	t.Parallel()
	const text = "- a.module.of.many.parts.that.has.a.long.name.indeed and more"
	r := render(t, text, Options{Width: 30, Theme: themes["light"]})
	if first := strings.TrimSpace(r.PlainLines(0, 1)[0]); !strings.HasSuffix(first, ".") {
		t.Errorf("the first line is %q, want it to end at a point", first)
	}
}

func TestPlaceholdersAreNotRead(t *testing.T) {
	t.Parallel()
	const text = "a\uFDD0b\uFDD1 &#xFDD0; `\uFDD2`"
	r := render(t, text, Options{Width: 30, Theme: themes["light"]})
	if got := strings.Join(strings.Fields(r.PlainLines(0, 1)[0]), " "); got != "a\uFFFDb\uFFFD \uFFFD \uFFFD" {
		t.Errorf("shown as %q", got)
	}
	m := r.Mark([]Span{at(t, text, "b", 0)}, reversePalette)
	if got := paintedText(m.Lines(0, 1, 0)); got != "b" {
		t.Errorf("painted %q", got)
	}
}
