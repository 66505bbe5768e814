package spans

import (
	"charm.land/glamour/v2/ansi"
)

const (
	// MinWidth is the least width that text is wrapped to. Below it glamour's
	// lines are wider than asked for.
	MinWidth = 10

	// GutterWidth is the number of cells in front of each line of
	// [Marked.Lines]: a bar, two cells for the label and a blank.
	GutterWidth = 4
)

// Options of a rendering. Equal options and text give equal output.
type Options struct {
	// Width is the width in cells that text is wrapped to. Smaller ones than
	// MinWidth are treated as MinWidth.
	Width int
	// Theme styles the text, code too if it has syntax colours. Themes that
	// change case are refused. A theme without a document colour gives much
	// shorter lines, as glamour styles each padding blank on its own.
	Theme ansi.StyleConfig
	// Base is the address of the page that the text is of. Relative links are
	// resolved against it; without a web address here they lead nowhere.
	Base string
	// PlainTeX shows simple formulas as plain text, x_1 as x₁. The signs of its
	// own notation are not on the screen then, so that no mark can be seen to
	// end at one.
	PlainTeX bool
}

// Span is a range of code points of the source, half open.
type Span struct {
	Start, End int
	Level      Level
	// Label is drawn in the gutter beside the first painted line ("1"), empty
	// for none. Two cells of it are shown.
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
	Selected
)

// Palette gives the styles that marks are painted with.
type Palette struct {
	Styles map[Level]Style
	// Twice is added to text that several spans cover.
	Twice Style
	// Focus is added to the span that n and N stand on.
	Focus Style
	// Gutter styles the bars and labels beside marked lines.
	Gutter Style
}

// Style is what painting adds to a cell. Zero colours leave the cell's own, so
// that marks can do without colour.
type Style struct {
	Foreground, Background   string // "#rrggbb", an ANSI number, or empty
	Bold, Underline, Reverse bool
}
