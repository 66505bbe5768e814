package theme

import (
	"slices"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// Signs are the signs that the screen is drawn with, beside words. Each is one cell wide.
// Panes take their signs from here and write none of their own. On a screen that is read
// aloud [Styles.Line] makes words of them.
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
	// Check says that something holds, Cross that it does not; Watched stands before a query
	// that is on the watch list.
	Check, Cross, Watched string
	// About stands before an estimate, Times between factors, Minus before what is
	// taken away.
	About, Times, Minus string
	// Dot stands between facts, Bullet before an entry, Dash between two ends,
	// Ellipsis where something is left out or still to come.
	Dot, Bullet, Dash, Ellipsis string
	// Blocks are the eighths of a bar, from one to eight.
	Blocks [8]string
	// Heights are the eighths of a column, from one to eight.
	Heights [8]string
	// Spinner are the steps of what turns while one waits.
	Spinner [4]string
}

// drawn are the signs.
func drawn() Signs {
	return Signs{
		Rule: "─", Seam: "│", SeamTop: "┬", SeamFoot: "┴", SeamCross: "┼", SeamLeft: "┤", SeamRight: "├",
		TopLeft: "┌", TopRight: "┐", BottomLeft: "└", BottomRight: "┘",
		Branch: "├", LastBranch: "└", Trunk: "│",
		Marker: "▌", Prompt: "❯", Folded: "▸", Unfolded: "▾",
		Up: "▲", Down: "▼", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Into: "›",
		Heavy: "━", Track: "─", Handle: "●", Tick: "┆", Check: "✓", Cross: "✗", Watched: "★",
		About: "≈", Times: "×", Minus: "−", Dot: "·", Bullet: "•", Dash: "–", Ellipsis: "…",
		Blocks:  [8]string{"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"},
		Heights: [8]string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
		Spinner: [4]string{"◐", "◓", "◑", "◒"},
	}
}

// Line makes a finished line of the screen fit for the set of styles. On a screen that is
// read aloud signs become words, and lines, blocks and pictures are silent: "▲3" is "up
// 3", "58 → 20" is "58 to 20", and parts behind a dot follow a comma. What that takes is
// taken from the blanks between columns, so that these stay where they are, else from
// those up to room cells, which the line may have; where there are none, as in a line of a
// text, it keeps its width with a sign for each sign.
func (s *Styles) Line(line string, room int) string {
	if !s.Spoken || isASCII(line) {
		return line
	}
	said := speak(line, true)
	if ansi.StringWidth(said) <= ansi.StringWidth(line) {
		return said
	}
	if said = strings.TrimRight(said, " "); ansi.StringWidth(said) <= room {
		return said
	}
	return speak(line, false)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// spoken is a line while its signs become words.
type spoken struct {
	runes, out []rune
	// last is the place in out of what was last written to be seen, before the rune that
	// this is; owed are the cells by which out is longer than what it stands for.
	last   int
	before rune
	owed   int
}

// speak replaces what says nothing aloud: by words, or by a sign of one cell.
func speak(line string, words bool) string {
	l := spoken{runes: []rune(line), last: -1, before: ' '}
	inEscape := false
	for i := 0; i < len(l.runes); i++ {
		r := l.runes[i]
		switch {
		case r == '\x1b':
			inEscape = true
			l.out = append(l.out, r)
			continue
		case inEscape:
			inEscape = r == '[' || r < '@' // a style ends with a letter
			l.out = append(l.out, r)
			continue
		}
		by := string(spokenRune(r, l.before))
		switch {
		case l.follows(r):
			by = ","
		case words:
			by = l.word(i, by)
		}
		l.write(i, by)
		l.before = r
	}
	// What is still owed is taken from the blanks that came before, from the last ones on.
	for i := len(l.out) - 2; i > 0 && l.owed > 0; i-- {
		if l.out[i-1] == ' ' && l.out[i] == ' ' && l.out[i+1] == ' ' {
			l.out = slices.Delete(l.out, i, i+1)
			l.owed--
		}
	}
	return string(l.out)
}

// write puts a text in the place of the rune at i, and what is owed for it, or was saved
// by it, into the blanks that come next.
func (l *spoken) write(i int, by string) {
	if by == "" {
		return
	}
	if r := l.runes[i]; r == ' ' && l.before == ' ' && l.after(i) == ' ' {
		if l.owed > 0 {
			l.owed--
			return
		}
		by = strings.Repeat(" ", 1-l.owed)
		l.owed = 0
	} else {
		l.owed += ansi.StringWidth(by) - ansi.StringWidth(string(r))
	}
	l.out = append(l.out, []rune(by)...)
	l.last = len(l.out) - 1
}

// after is what is seen after the rune at i; what is beyond the line is blank.
func (l *spoken) after(i int) rune {
	inEscape := false
	for _, r := range l.runes[i+1:] {
		switch {
		case r == '\x1b':
			inEscape = true
		case inEscape:
			inEscape = r == '[' || r < '@'
		default:
			return r
		}
	}
	return ' '
}

// follows says that a rune sets what follows off from what it stands behind, and takes
// the blank between away.
func (l *spoken) follows(r rune) bool {
	if r != '·' && r != '›' && r != '‹' || l.before != ' ' || l.last < 0 || l.out[l.last] != ' ' {
		return false
	}
	l.out = append(l.out[:l.last], l.out[l.last+1:]...)
	l.owed--
	l.last = -1
	return true
}

// word is how the sign at i is said between its neighbours; by is the sign of one cell
// that stands for it otherwise.
func (l *spoken) word(i int, by string) string {
	next := l.after(i)
	switch l.runes[i] {
	case '…':
		return "..."
	case '–':
		if l.isColumn(next) {
			return "none"
		}
		if l.before >= '0' && l.before <= '9' && next >= '0' && next <= '9' {
			return " to "
		}
	case '→':
		return l.spaced("to", next)
	case '←':
		return l.spaced("from", next)
	case '↑', '▲':
		return l.spaced("up", next)
	case '↓', '▼':
		return l.spaced("down", next)
	case '▸':
		return l.spaced("folded", next)
	case '✓':
		return l.spaced("yes", next)
	case '✗':
		return l.spaced("no", next)
	case '★':
		return l.spaced("watched", next)
	case '≈':
		return l.spaced("about", next)
	case '≥':
		return l.spaced("at least", next)
	case '≤':
		return l.spaced("at most", next)
	case '×':
		if l.before == ' ' && next == ' ' {
			return "times"
		}
	}
	return by
}

// isColumn says that the sign at hand is all there is of a column or of a part of a list.
func (l *spoken) isColumn(next rune) bool {
	seen := strings.TrimRight(ansi.Strip(string(l.out)), " ")
	gap := len(ansi.Strip(string(l.out))) - len(seen)
	return (next == ' ' || next == ',') && (gap > 1 || gap == 1 && strings.HasSuffix(seen, ","))
}

// spaced sets a word off from its neighbours.
func (l *spoken) spaced(word string, next rune) string {
	if !setOff(l.before) {
		word = " " + word
	}
	if !setOff(next) {
		word += " "
	}
	return word
}

// setOff says that a word may stand beside a rune.
func setOff(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != '"'
}

// spokenRune is the sign of one cell for a rune.
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
	case '·', '›', '‹':
		return ','
	case '•', '–', '—', '−', '▼':
		return '-'
	case '▲', '▸':
		return '+'
	case '▾':
		return ' '
	case '↑':
		return '^'
	case '↓':
		return 'v'
	case '→', '❯', '»':
		return '>'
	case '←', '«':
		return '<'
	case '✓':
		return 'y'
	case '✗':
		return 'n'
	case '★':
		return '*'
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
