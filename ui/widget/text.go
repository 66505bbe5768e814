package widget

import (
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Wrapped breaks a sentence into lines of at most w cells.
func Wrapped(s string, w int) []string {
	if w <= 0 {
		return nil
	}
	words := strings.Split(s, " ")
	for i, word := range words {
		if strings.HasPrefix(strings.TrimLeft(word, "('\"“‘"), "--") {
			words[i] = strings.ReplaceAll(word, "-", heldHyphen)
		}
	}
	var lines []string
	for line := range strings.SplitSeq(ansi.Wrap(strings.Join(words, " "), w, ""), "\n") {
		if ansi.StringWidth(line) > w { // by the blank that it begins or ends with
			line = ansi.Hardwrap(strings.TrimRight(line, " "), w, true)
		}
		lines = append(lines, strings.Split(strings.ReplaceAll(line, heldHyphen, "-"), "\n")...)
	}
	return lines
}

// heldHyphen stands for a hyphen that no line is to break at: half of "--owner"
// means nothing. It is a private code point, one cell wide.
const heldHyphen = "\ue02d"

// Styled renders each of some lines, in place.
func Styled(style func(...string) string, lines []string) []string {
	for i := range lines {
		lines[i] = style(lines[i])
	}
	return lines
}

// Indented puts n spaces before each of some lines, in place.
func Indented(lines []string, n int) []string {
	for i := range lines {
		lines[i] = strings.Repeat(" ", n) + lines[i]
	}
	return lines
}

// blocks are the eighths of a cell, from one to eight.
var blocks = [...]string{"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"}

// Bar draws part of whole in at most w cells, in eighths of a cell, or in whole
// "#" where it is plain. What is not nothing gets at least the smallest piece,
// and only the whole fills a plain bar: rounded up, the next best would.
func Bar(part, whole float64, w int, plain bool) string {
	if whole <= 0 || part <= 0 || w <= 0 || math.IsNaN(part/whole) {
		return ""
	}
	share := min(part/whole, 1)
	if plain {
		return strings.Repeat("#", max(1, int(share*float64(w))))
	}
	eighths := max(1, int(math.Round(share*float64(w*8))))
	s := strings.Repeat(blocks[7], eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += blocks[rest-1]
	}
	return s
}

// FitRight puts text at the right end of w cells.
func FitRight(s string, w int) string {
	return strings.Repeat(" ", max(0, w-ansi.StringWidth(s))) + ansi.Truncate(s, w, "")
}

// CutLeft shortens text to a width by what stands first.
func CutLeft(s string, width int) string {
	over := ansi.StringWidth(s) - width
	if over <= 0 || width < 1 {
		return ansi.Truncate(s, max(0, width), "…")
	}
	return ansi.TruncateLeft(s, over+1, "…")
}

// CutAtWord shortens a sentence to a width, at the end of a word where there is
// one in the second half.
func CutAtWord(s string, w int) string {
	if ansi.StringWidth(s) <= w {
		return s
	}
	cut := ansi.Truncate(s, max(0, w-2), "")
	if at := strings.LastIndexByte(cut, ' '); at > len(cut)/2 {
		cut = cut[:at]
	}
	return strings.TrimRight(cut, " ,;:–-") + " …"
}
