package theme

import "strings"

// Signs are the signs that the screen is drawn with, beside words. Each is one
// cell wide in every set, so that a set changes no layout. Panes take their
// signs from here and write none of their own: a screen that is read aloud has
// others.
type Signs struct {
	// Rule is the line above a pane and Seam the line between two; SeamTop to
	// SeamRight are a seam where it meets rules below, above, on both sides, on
	// its left and on its right.
	Rule, Seam                                        string
	SeamTop, SeamFoot, SeamCross, SeamLeft, SeamRight string
	// TopLeft to BottomRight are the corners of a box.
	TopLeft, TopRight, BottomLeft, BottomRight string
	// Branch is a part in a tree, LastBranch the last part, Trunk the line that
	// passes by.
	Branch, LastBranch, Trunk string
	// Marker stands before what is selected, Prompt before what is typed.
	Marker, Prompt string
	// Folded and Unfolded stand before a group.
	Folded, Unfolded string
	// Up and Down say that a rank has risen or fallen, and are followed by the
	// number of places.
	Up, Down string
	// ArrowUp to ArrowRight are directions and keys.
	ArrowUp, ArrowDown, ArrowLeft, ArrowRight string
	// Into stands between the parts of a way, from the whole to the part.
	Into string
	// Heavy is a piece of a line that stands out.
	Heavy string
	// Track is a slider's line, Handle its value and Tick a value at which something
	// changes.
	Track, Handle, Tick string
	// Check says that something holds, Cross that it does not.
	Check, Cross string
	// About stands before an estimate, Times between factors, Minus before what is
	// taken away.
	About, Times, Minus string
	// Dot stands between facts, Bullet before an entry, Dash between two ends,
	// Ellipsis where something is left out or still to come.
	Dot, Bullet, Dash, Ellipsis string
	// Blocks are the eighths of a bar, from one to eight.
	Blocks [8]string
	// Spinner are the steps of what turns while one waits.
	Spinner [4]string
}

// drawn are the signs of a screen that is looked at.
func drawn() Signs {
	return Signs{
		Rule: "─", Seam: "│", SeamTop: "┬", SeamFoot: "┴", SeamCross: "┼", SeamLeft: "┤", SeamRight: "├",
		TopLeft: "┌", TopRight: "┐", BottomLeft: "└", BottomRight: "┘",
		Branch: "├", LastBranch: "└", Trunk: "│",
		Marker: "▌", Prompt: "❯", Folded: "▸", Unfolded: "▾",
		Up: "▲", Down: "▼", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Into: "›",
		Heavy: "━", Track: "─", Handle: "●", Tick: "┆", Check: "✓", Cross: "✗",
		About: "≈", Times: "×", Minus: "−", Dot: "·", Bullet: "•", Dash: "–", Ellipsis: "…",
		Blocks:  [8]string{"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"},
		Spinner: [4]string{"◐", "◓", "◑", "◒"},
	}
}

// spoken are the signs of a screen that is read aloud: lines and bars are silent,
// and what is left says something when it is spoken, such as "+2" for two places
// up and "y" for yes.
func spoken() Signs {
	s := Signs{
		Rule: " ", Seam: " ", SeamTop: " ", SeamFoot: " ", SeamCross: " ", SeamLeft: " ", SeamRight: " ",
		TopLeft: " ", TopRight: " ", BottomLeft: " ", BottomRight: " ",
		Branch: "-", LastBranch: "-", Trunk: " ",
		Marker: ">", Prompt: ">", Folded: "+", Unfolded: "-",
		Up: "+", Down: "-", ArrowUp: "^", ArrowDown: "v", ArrowLeft: "<", ArrowRight: ">", Into: ">",
		Heavy: " ", Track: " ", Handle: " ", Tick: " ", Check: "y", Cross: "n",
		About: "~", Times: "x", Minus: "-", Dot: "-", Bullet: "-", Dash: "-", Ellipsis: ".",
		Spinner: [4]string{" ", " ", " ", " "},
	}
	for i := range s.Blocks {
		s.Blocks[i] = " "
	}
	return s
}

// Line makes a finished line of the screen fit for the set of signs. On a screen
// that is read aloud it replaces what rendered text and others draw with lines,
// blocks and pictures: each by one cell, and nothing that is a letter.
func (s *Styles) Line(line string) string {
	if !s.Spoken || isASCII(line) {
		return line
	}
	before, inEscape := ' ', false
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\x1b':
			inEscape = true
			return r
		case inEscape:
			inEscape = r == '[' || r < '@' // a style ends with a letter
			return r
		}
		out := spokenRune(r, before)
		before = r
		return out
	}, line)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func spokenRune(r, before rune) rune {
	switch {
	case r == '▌' && before == ' ': // before a row, not within a bar
		return '>'
	case r >= '─' && r <= '▟': // lines and blocks
		return ' '
	}
	switch r {
	case '…':
		return '.'
	case '·', '•', '–', '—', '−', '▼', '▾':
		return '-'
	case '▲', '▸':
		return '+'
	case '↑':
		return '^'
	case '↓':
		return 'v'
	case '→', '›', '❯', '»':
		return '>'
	case '←', '‹', '«':
		return '<'
	case '✓':
		return 'y'
	case '✗':
		return 'n'
	case '⚠':
		return '!'
	case '×':
		return 'x'
	case '≈':
		return '~'
	case '≥':
		return '>'
	case '≤':
		return '<'
	case '“', '”', '„':
		return '"'
	case '‘', '’':
		return '\''
	case '¶':
		return 'p'
	case '●', '○', '◐', '◓', '◑', '◒', '▣', '◆', '■', '□':
		return ' '
	}
	return r
}
