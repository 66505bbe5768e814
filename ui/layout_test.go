package ui

import (
	"cmp"
	"image"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/ui/view"
)

// drawLayout draws a layout at a scale of 1:5 by 1:2, by the cell in the left
// upper corner of each piece: Results, Preview, Score, their titles in lower
// case, Header, Query, Notice, Footer; a seam hides what it stands in.
func drawLayout(l layout) string {
	letter := func(p image.Point) string {
		for _, r := range []struct {
			name string
			rect image.Rectangle
		}{{"H", l.header}, {"Q", l.query}, {"N", l.notice}, {"F", l.footer}} {
			if p.In(r.rect) {
				return r.name
			}
		}
		for _, s := range l.Seams {
			if s.Overlaps(image.Rect(p.X, p.Y, p.X+5, p.Y+1)) {
				return "|"
			}
		}
		for _, s := range l.Slots {
			name := map[view.Context]string{paneResults: "R", panePreview: "P", paneScore: "S", paneTune: "T"}[s.Pane]
			if p.In(s.Title) {
				return strings.ToLower(name)
			}
			if p.In(s.Body) {
				return name
			}
		}
		return "."
	}
	var b strings.Builder
	for y := 0; y < l.size.Y; y += 2 {
		for x := 0; x < l.size.X; x += 5 {
			b.WriteString(letter(image.Pt(x, y)))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// To add a case, let it fail and paste what it drew.
func TestLayout(t *testing.T) {
	for _, c := range []struct {
		name string
		w, h int
		a    arranging
		want string
	}{
		{"too narrow", 39, 30, arranging{}, tooSmallDrawing(39, 30)},
		{"too low", 80, 9, arranging{}, tooSmallDrawing(80, 9)},
		{"the smallest", 40, 10, arranging{}, `
HHHHHHHH
rrrrrrrr
RRRRRRRR
RRRRRRRR
NNNNNNNN
`},
		{"one pane, the focused", 79, 12, arranging{focus: panePreview}, `
HHHHHHHHHHHHHHHH
pppppppppppppppp
PPPPPPPPPPPPPPPP
PPPPPPPPPPPPPPPP
PPPPPPPPPPPPPPPP
NNNNNNNNNNNNNNNN
`},
		{"stacked", 80, 24, arranging{}, `
HHHHHHHHHHHHHHHH
rrrrrrrrrrrrrrrr
RRRRRRRRRRRRRRRR
RRRRRRRRRRRRRRRR
RRRRRRRRRRRRRRRR
pppppppppppppppp
PPPPPPPPPPPPPPPP
PPPPPPPPPPPPPPPP
PPPPPPPPPPPPPPPP
PPPPPPPPPPPPPPPP
PPPPPPPPPPPPPPPP
NNNNNNNNNNNNNNNN
`},
		{"stacked with the score as a drawer", 80, 24, arranging{score: true}, `
HHHHHHHHHHHHHHHH
rrrrrrrrr|ssssss
RRRRRRRRR|SSSSSS
RRRRRRRRR|SSSSSS
RRRRRRRRR|SSSSSS
ppppppppp|SSSSSS
PPPPPPPPP|SSSSSS
PPPPPPPPP|SSSSSS
PPPPPPPPP|SSSSSS
PPPPPPPPP|SSSSSS
PPPPPPPPP|SSSSSS
NNNNNNNNNNNNNNNN
`},
		{"side by side with the score", 120, 32, arranging{score: true}, `
HHHHHHHHHHHHHHHHHHHHHHHH
rrrrrrrrr|pppppppppppppp
RRRRRRRRR|PPPPPPPPPPPPPP
RRRRRRRRR|PPPPPPPPPPPPPP
RRRRRRRRR|PPPPPPPPPPPPPP
RRRRRRRRR|PPPPPPPPPPPPPP
RRRRRRRRR|PPPPPPPPPPPPPP
RRRRRRRRR|PPPPPPPPPPPPPP
RRRRRRRRR|PPPPPPPPPPPPPP
SSSSSSSSS|PPPPPPPPPPPPPP
SSSSSSSSS|PPPPPPPPPPPPPP
SSSSSSSSS|PPPPPPPPPPPPPP
SSSSSSSSS|PPPPPPPPPPPPPP
SSSSSSSSS|PPPPPPPPPPPPPP
SSSSSSSSS|PPPPPPPPPPPPPP
NNNNNNNNNNNNNNNNNNNNNNNN
`},
		{"side by side, low: the score is a drawer", 120, 16, arranging{score: true}, `
HHHHHHHHHHHHHHHHHHHHHHHH
rrrrrr|pppppppppp|ssssss
RRRRRR|PPPPPPPPPP|SSSSSS
RRRRRR|PPPPPPPPPP|SSSSSS
RRRRRR|PPPPPPPPPP|SSSSSS
RRRRRR|PPPPPPPPPP|SSSSSS
RRRRRR|PPPPPPPPPP|SSSSSS
NNNNNNNNNNNNNNNNNNNNNNNN
`},
		{"three columns", 150, 30, arranging{score: true}, `
HHHHHHHHHHHHHHHHHHHHHHHHHHHHHH
rrrrrrrrrr|pppppppppppp|ssssss
RRRRRRRRRR|PPPPPPPPPPPP|SSSSSS
RRRRRRRRRR|PPPPPPPPPPPP|SSSSSS
RRRRRRRRRR|PPPPPPPPPPPP|SSSSSS
RRRRRRRRRR|PPPPPPPPPPPP|SSSSSS
RRRRRRRRRR|PPPPPPPPPPPP|SSSSSS
RRRRRRRRRR|PPPPPPPPPPPP|SSSSSS
RRRRRRRRRR|PPPPPPPPPPPP|SSSSSS
RRRRRRRRRR|PPPPPPPPPPPP|SSSSSS
RRRRRRRRRR|PPPPPPPPPPPP|SSSSSS
RRRRRRRRRR|PPPPPPPPPPPP|SSSSSS
RRRRRRRRRR|PPPPPPPPPPPP|SSSSSS
RRRRRRRRRR|PPPPPPPPPPPP|SSSSSS
NNNNNNNNNNNNNNNNNNNNNNNNNNNNNN
`},
		{"upright screens are stacked", 100, 60, arranging{}, strings.Repeat("\n", 1) + stackedDrawing},
		{"zoomed", 120, 16, arranging{focus: panePreview, zoomed: true, score: true}, `
HHHHHHHHHHHHHHHHHHHHHHHH
pppppppppppppppppppppppp
PPPPPPPPPPPPPPPPPPPPPPPP
PPPPPPPPPPPPPPPPPPPPPPPP
PPPPPPPPPPPPPPPPPPPPPPPP
PPPPPPPPPPPPPPPPPPPPPPPP
PPPPPPPPPPPPPPPPPPPPPPPP
NNNNNNNNNNNNNNNNNNNNNNNN
`},
		{"a zoomed text keeps a measure, in the middle", 200, 12, arranging{focus: panePreview, zoomed: true, measure: previewOf(100)}, `
HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH
pppppppppppppppppppppppppppppppppppppppp
..........PPPPPPPPPPPPPPPPPPPP..........
..........PPPPPPPPPPPPPPPPPPPP..........
..........PPPPPPPPPPPPPPPPPPPP..........
NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN
`},
		{"parameters beside a list above the preview", 100, 30, arranging{tune: true}, `
HHHHHHHHHHHHHHHHHHHH
rrrrrrrrrrr|tttttttt
RRRRRRRRRRR|TTTTTTTT
RRRRRRRRRRR|TTTTTTTT
RRRRRRRRRRR|TTTTTTTT
RRRRRRRRRRR|TTTTTTTT
RRRRRRRRRRR|TTTTTTTT
RRRRRRRRRRR|TTTTTTTT
ppppppppppp|TTTTTTTT
PPPPPPPPPPP|TTTTTTTT
PPPPPPPPPPP|TTTTTTTT
PPPPPPPPPPP|TTTTTTTT
PPPPPPPPPPP|TTTTTTTT
PPPPPPPPPPP|TTTTTTTT
NNNNNNNNNNNNNNNNNNNN
`},
		{"parameters on a low screen", 100, 18, arranging{tune: true}, `
HHHHHHHHHHHHHHHHHHHH
rrrrrrr|ppppp|tttttt
RRRRRRR|PPPPP|TTTTTT
RRRRRRR|PPPPP|TTTTTT
RRRRRRR|PPPPP|TTTTTT
RRRRRRR|PPPPP|TTTTTT
RRRRRRR|PPPPP|TTTTTT
RRRRRRR|PPPPP|TTTTTT
NNNNNNNNNNNNNNNNNNNN
`},
		{"parameters beside a preview that keeps its width", 160, 30, arranging{tune: true}, `
HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH
rrrrrrrrrrrrrrrrrrrrrr|ttttttttt
RRRRRRRRRRRRRRRRRRRRRR|TTTTTTTTT
RRRRRRRRRRRRRRRRRRRRRR|TTTTTTTTT
RRRRRRRRRRRRRRRRRRRRRR|TTTTTTTTT
RRRRRRRRRRRRRRRRRRRRRR|TTTTTTTTT
RRRRRRRRRRRRRRRRRRRRRR|TTTTTTTTT
RRRRRRRRRRRRRRRRRRRRRR|TTTTTTTTT
pppppppppppppppppppppp|TTTTTTTTT
PPPPPPPPPPPPPPPPPPPPPP|TTTTTTTTT
PPPPPPPPPPPPPPPPPPPPPP|TTTTTTTTT
PPPPPPPPPPPPPPPPPPPPPP|TTTTTTTTT
PPPPPPPPPPPPPPPPPPPPPP|TTTTTTTTT
PPPPPPPPPPPPPPPPPPPPPP|TTTTTTTTT
NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN
`},
		{"a moved split", 120, 16, arranging{split: 20}, `
HHHHHHHHHHHHHHHHHHHHHHHH
rrrrrrrrrrrrrr|ppppppppp
RRRRRRRRRRRRRR|PPPPPPPPP
RRRRRRRRRRRRRR|PPPPPPPPP
RRRRRRRRRRRRRR|PPPPPPPPP
RRRRRRRRRRRRRR|PPPPPPPPP
RRRRRRRRRRRRRR|PPPPPPPPP
NNNNNNNNNNNNNNNNNNNNNNNN
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.a.focus = cmp.Or(c.a.focus, paneResults)
			got := "\n" + drawLayout(layoutFor(c.w, c.h, c.a))
			if got != c.want {
				t.Errorf("got%s\nwant%s", got, c.want)
			}
		})
	}
}

// previewOf is the measure of the preview.
func previewOf(w int) func(view.Context) int {
	return func(p view.Context) int {
		if p == panePreview {
			return w
		}
		return 0
	}
}

// tooSmallDrawing shows nothing.
func tooSmallDrawing(w, h int) string {
	return "\n" + strings.Repeat(strings.Repeat(".", (w+4)/5)+"\n", (h+1)/2)
}

var stackedDrawing = strings.Repeat("H", 20) + "\n" + strings.Repeat("r", 20) + "\n" +
	strings.Repeat(strings.Repeat("R", 20)+"\n", 11) + strings.Repeat(strings.Repeat("P", 20)+"\n", 16) +
	strings.Repeat("N", 20) + "\n"

// Every cell of a screen that is large enough belongs to exactly one piece.
func TestLayoutCoversTheScreen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(minWidth, 220).Draw(t, "w"), rapid.IntRange(minHeight, 70).Draw(t, "h")
		l := layoutFor(w, h, arranging{
			focus: rapid.SampledFrom([]view.Context{paneResults, panePreview, paneScore}).Draw(t, "focus"), score: rapid.Bool().Draw(t, "score"),
			tune: rapid.Bool().Draw(t, "tune"), strip: h >= stripHeight && rapid.Bool().Draw(t, "strip"), zoomed: rapid.Bool().Draw(t, "zoomed"), split: rapid.IntRange(-view.MostSplit, view.MostSplit).Draw(t, "split"),
		})
		pieces := []image.Rectangle{l.header, l.query, l.notice, l.footer, l.strip}
		for _, s := range l.Slots {
			pieces = append(pieces, s.Title, s.Body)
			if s.Body.Dx() < 4 || s.Body.Dy() < 1 {
				t.Fatalf("pane %s has %v", s.Pane, s.Body)
			}
		}
		pieces = append(pieces, l.Seams...)
		area := 0
		for i, a := range pieces {
			area += a.Dx() * a.Dy()
			if !a.In(image.Rect(0, 0, w, h)) {
				t.Fatalf("%v leaves the screen", a)
			}
			for _, b := range pieces[i+1:] {
				if a.Overlaps(b) {
					t.Fatalf("%v and %v overlap", a, b)
				}
			}
		}
		if area != w*h {
			t.Fatalf("%d of %d cells are covered", area, w*h)
		}
	})
}
