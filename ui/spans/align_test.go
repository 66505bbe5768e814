package spans

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/ui/surface"
)

// inHTML is what the HTML of a markdown text looks like when it is shown; empty
// where it is nested too deeply to be converted.
func inHTML(t testing.TB, markdown string) string {
	t.Helper()
	var page bytes.Buffer
	md := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.DefinitionList), goldmark.WithRendererOptions(html.WithUnsafe()))
	if err := md.Convert([]byte(markdown), &page); err != nil {
		t.Fatal(err)
	}
	shown, err := surface.Markdown(page.String())
	if err != nil {
		t.Logf("%.40q: %v", markdown, err)
		return ""
	}
	return shown
}

// alikeText folds a text as the alignment does.
func alikeText(s string) string {
	return strings.Map(alike, norm.NFKD.String(s))
}

// somewhere draws a span of the text that an oracle reads, of whole characters.
func somewhere(rng *rand.Rand, o *oracle, source string) Span {
	start := rng.IntN(o.points.Len())
	from, to := offset.Snap(source, o.points.Byte(start), o.points.Byte(start+1+rng.IntN(60)))
	return Span{Start: o.points.Point(from), End: o.points.Point(to), Level: Found}
}

// crossing is a text, the same in another form, and how spans get there.
type crossing struct {
	from  *oracle
	to    *Rendering
	x     *Alignment
	table bool // the screen shows the characters in another order
}

func newCrossing(t testing.TB, from, to string) *crossing {
	t.Helper()
	c := &crossing{from: newOracle(from), to: render(t, to, Options{Width: 80, Theme: themes["notty"], PlainTeX: true}), x: Align(from, to)}
	c.table = c.from.tables || newOracle(to).tables
	return c
}

// judge paints the place of a span. want is empty for a span without text.
func (c *crossing) judge(s Span) (got, want string, placed bool) {
	want = alikeText(c.from.text(s))
	start, end, placed := c.x.Place(s.Start, s.End)
	if placed {
		m := c.to.Mark([]Span{{Start: start, End: end, Level: Found}}, reversePalette)
		got = alikeText(paintedText(m.Lines(0, c.to.Height(), -1)))
	}
	if c.table {
		got, want = sortedRunes(got), sortedRunes(want)
	}
	return got, want, placed
}

// TestMarksInHTML paints random spans of each snippet on its HTML and compares
// what is painted with the text of the span, which the oracle reads.
func TestMarksInHTML(t *testing.T) {
	t.Parallel()
	var exact tally
	missing := 0
	rng := rand.New(rand.NewPCG(11, 12))
	for _, s := range snippets {
		c := newCrossing(t, s.text, inHTML(t, s.text))
		if len(c.from.runes) == 0 || len(c.x.to.start) == 0 {
			continue
		}
		own := tally{}
		for range 60 {
			got, want, placed := c.judge(somewhere(rng, c.from, s.text))
			if want == "" {
				continue
			}
			own.all++
			if got == want {
				own.exact++
			}
			if !placed {
				missing++
			}
		}
		exact.exact, exact.all = exact.exact+own.exact, exact.all+own.all
		if own.share() < 0.9 {
			t.Logf("%s: %.1f %% of %d spans are exact, %.2f shared", s.name, 100*own.share(), own.all, c.x.Shared())
		}
	}
	t.Logf("%.2f %% of %d spans are painted exactly, %d have no place", 100*exact.share(), exact.all, missing)
	if exact.share() < 0.9 {
		t.Errorf("%.2f %% of %d spans are painted exactly", 100*exact.share(), exact.all)
	}
}

// TestAShiftedAlignmentIsNoticed makes sure that the test above can fail.
func TestAShiftedAlignmentIsNoticed(t *testing.T) {
	t.Parallel()
	var exact tally
	rng := rand.New(rand.NewPCG(13, 14))
	for _, s := range snippets {
		c := newCrossing(t, s.text, inHTML(t, s.text))
		if len(c.x.to.start) < 2 {
			continue
		}
		to := c.x.to
		to.start = append(slices.Clone(to.start[1:]), to.start[len(to.start)-1])
		to.end = append(slices.Clone(to.end[1:]), to.end[len(to.end)-1])
		c.x = newAlignment(c.x.from, to, c.x.runs)
		for range 20 {
			if len(c.from.runes) == 0 {
				break
			}
			got, want, _ := c.judge(somewhere(rng, c.from, s.text))
			if want == "" {
				continue
			}
			exact.all++
			if got == want {
				exact.exact++
			}
		}
	}
	if exact.share() > 0.3 {
		t.Errorf("%.1f %% of spans look exact with an alignment that is off by one", 100*exact.share())
	}
	t.Logf("%.1f %% of %d spans look exact with an alignment that is off by one", 100*exact.share(), exact.all)
}

// Every span of a text is its own place in the same text, but for what nobody
// sees at its ends.
func TestATextAlignsWithItself(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(15, 16))
	for _, s := range snippets {
		o, x := newOracle(s.text), Align(s.text, s.text)
		if len(o.runes) > 0 && x.Shared() != 1 {
			t.Errorf("%s shares %.3f with itself", s.name, x.Shared())
		}
		for range 40 {
			if len(o.runes) == 0 {
				break
			}
			span := somewhere(rng, o, s.text)
			start, end, ok := x.Place(span.Start, span.End)
			want := alikeText(o.text(span))
			got := alikeText(o.text(Span{Start: start, End: end}))
			if strings.Contains(s.text, "$") && strings.Contains(got, want) {
				continue // the letters of a formula in another writing have no places of their own
			}
			if ok != (want != "") || got != want {
				t.Errorf("%s: %d-%d, %q, is placed at %d-%d (%v), %q", s.name, span.Start, span.End, want, start, end, ok, got)
			}
		}
	}
}

// drawForm draws a text and another form of it, with parts of others in it.
func drawForm(t *rapid.T) (from, to string) {
	part := rapid.Custom(func(t *rapid.T) string {
		return snippets[rapid.IntRange(0, len(snippets)-1).Draw(t, "snippet")].text
	})
	parts := rapid.SliceOfN(part, 1, 4).Draw(t, "parts")
	from = strings.Join(parts, "\n\n")
	if rapid.Bool().Draw(t, "other") {
		at := rapid.IntRange(0, len(parts)-1).Draw(t, "at")
		parts = slices.Insert(slices.Clone(parts), at, part.Draw(t, "new"))
	}
	return from, strings.Join(parts, "\n\n")
}

// A place is within the text and not empty, and later spans are never placed
// earlier.
func TestPlacesAreWithinTheTextAndInOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		from, to := drawForm(t)
		x := Align(from, to)
		n, limit := offset.NewIndex(from).Len(), offset.NewIndex(to).Len()
		ends := rapid.SliceOfN(rapid.IntRange(-3, n+3), 2, 8).Draw(t, "ends")
		slices.Sort(ends)
		lastStart, lastEnd := 0, 0
		for i := 2; i <= len(ends)-1; i++ {
			start, end, ok := x.Place(ends[i-2], ends[i])
			if !ok {
				continue
			}
			if start < 0 || end <= start || end > limit {
				t.Fatalf("%d-%d is placed at %d-%d of %d", ends[i-2], ends[i], start, end, limit)
			}
			if start < lastStart || end < lastEnd {
				t.Fatalf("%d-%d is placed at %d-%d, behind %d-%d", ends[i-2], ends[i], start, end, lastStart, lastEnd)
			}
			lastStart, lastEnd = start, end
			back, backEnd, ok := x.Inverse().Place(start, end)
			if ok && (back < 0 || backEnd > n || backEnd <= back) {
				t.Fatalf("%d-%d goes back to %d-%d of %d", start, end, back, backEnd, n)
			}
		}
	})
}

// An exact example: the same words, other signs around them, a caption more.
func TestPlace(t *testing.T) {
	t.Parallel()
	const (
		from = "The **depth** is `multiplied` in.\n\nWith $\\alpha$ at “0.05”, nothing changes.\n"
		to   = "A caption.\n\nThe *depth* is multiplied in.\n\nWith \\\\alpha at \"0.05\", *nothing* changes.\n\nUnrelated words follow it.\n"
	)
	x := Align(from, to)
	a, b := offset.NewIndex(from), offset.NewIndex(to)
	for _, c := range []struct{ span, want string }{
		{"depth", "depth"},
		{"**depth**", "depth"},
		{"`multiplied` in", "multiplied in"},
		{"With $\\alpha$ at", "With \\\\alpha at"},
		{"“0.05”, nothing", "\"0.05\", *nothing"},
		{"changes.\n", "changes."},
		{"**", ""},
		{"\n\n", ""},
	} {
		at := a.Point(strings.Index(from, c.span))
		start, end, ok := x.Place(at, at+len([]rune(c.span)))
		if got := b.Slice(start, end); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%q is placed at %q (%v), want %q", c.span, got, ok, c.want)
		}
	}
	if _, _, ok := Align(from, "Something that has no word of it.").Place(0, 20); ok {
		t.Error("a span has a place in another text")
	}
}

func FuzzAlign(f *testing.F) {
	for _, s := range snippets {
		f.Add(s.text, s.text+"\n\nmore", 1, 9)
	}
	f.Add("| a | b |\n|---|---|\n| c | d |", "c d a b", 0, 100)
	f.Fuzz(func(t *testing.T, from, to string, start, end int) {
		limit := offset.NewIndex(to).Len()
		if start, end, ok := Align(from, to).Place(start, end); ok && (start < 0 || end <= start || end > limit) {
			t.Errorf("placed at %d-%d of %d", start, end, limit)
		}
	})
}
