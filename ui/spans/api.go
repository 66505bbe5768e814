package spans

import (
	"context"

	"charm.land/glamour/v2/ansi"
)

// Options of a rendering. Equal options and text give equal output.
type Options struct {
	// Width is the width in cells that text is wrapped to, at least MinWidth.
	Width int
	// Theme styles the text. Themes that change case are refused.
	Theme ansi.StyleConfig
	// Chroma is false for themes without syntax colours.
}

// Span is a range of code points of the source, half open.
type Span struct {
	Start, End int
	Level      Level
	// Label is drawn in the gutter beside the first painted line ("1"), empty
	// for none.
	Label string
}

// Level is a kind of mark; higher levels win where spans overlap.
type Level int

// The levels.
const (
	MatchWeak Level = iota + 1
	MatchMedium
	MatchStrong
	Found
	Citation
)

// Palette gives the styles that marks are painted with.
type Palette struct {
	Styles map[Level]Style
	// Focus is added to the span that n and N stand on.
	Focus Style
}

// Style is what painting adds to a cell. Zero colours leave the cell's own.
type Style struct {
	Foreground, Background   string // "#rrggbb", an ANSI number, or empty
	Bold, Underline, Reverse bool
}

// Rendering is finished text with its source map. It is immutable.
type Rendering struct{}

// Render renders markdown (code points are counted in exactly this string). It
// never fails: where the map cannot be exact, Approximate says so.
func Render(ctx context.Context, markdown string, o Options) (*Rendering, error) {
	panic("being built")
}

// Source lays out the text itself, wrapped, with line numbers, for the source
// views.
func Source(text string, width int) *Rendering { panic("being built") }

// Height is the number of lines.
func (r *Rendering) Height() int { panic("being built") }

// Approximate reports that marks may cover more than their spans.
func (r *Rendering) Approximate() bool { panic("being built") }

// Marked is a rendering with spans laid over it.
type Marked struct{}

// Mark prepares spans for painting: they are clamped, snapped to graphemes and
// sorted by source position.
func (r *Rendering) Mark(spans []Span, p Palette) *Marked { panic("being built") }

// Len is the number of spans; At says where the i-th (in source order) is
// painted: first and last line.
func (m *Marked) Len() int                   { panic("being built") }
func (m *Marked) At(i int) (first, last int) { panic("being built") }

// Lines paints the lines [from, to); focus is the index of the focused span or
// -1. Each line is at most the rendering's width plus the gutter.
func (m *Marked) Lines(from, to, focus int) []string { panic("being built") }
