package spans

import (
	"strings"
	"unicode"
	"unicode/utf8"

	xansi "github.com/charmbracelet/x/ansi"
)

// stretch is a range of bytes, its end excluded.
type stretch struct{ from, to int }

// hardWrapped finds the paragraphs of prose in preformatted text that somebody's editor has
// wrapped, where they have lines of more than room cells. To wrap these again would leave every
// other line with one word, so their line breaks are blanks. What has another structure is
// left out: code, tables, lists, logs.
func hardWrapped(text string, room int) (found []stretch) {
	var lines []string
	from, at := 0, 0
	end := func() {
		if isHardWrapped(lines, room) {
			found = append(found, stretch{from, at})
		}
		lines = nil
	}
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			end()
		} else {
			if len(lines) == 0 {
				from = at
			}
			lines = append(lines, strings.TrimRight(line, " \r\n"))
		}
		at += len(line)
	}
	end()
	return found
}

// The bounds of what counts as hard-wrapped prose.
const (
	leastWide  = 40 // cells of the longest line
	mostRagged = 8  // cells by which a line may be shorter than an editor would have made it
	mostSigns  = 20 // letters for each sign that prose has seldom
)

// isHardWrapped says that lines are one paragraph of prose: as an editor wraps it, the first
// word of each line had no room on the line before.
func isHardWrapped(lines []string, room int) bool {
	if len(lines) < 2 {
		return false
	}
	indent, longest, lower, signs, letters := indentOf(lines[0]), 0, 0, 0, 0
	for i, line := range lines {
		own := line[min(indent, len(line)):]
		first, _ := utf8.DecodeRuneInString(own)
		switch {
		case indentOf(line) != indent, strings.Contains(own, "\t"), hasColumns(own):
			return false
		case !unicode.IsLetter(first) && !unicode.IsDigit(first) && !strings.ContainsRune("\"'(“‘", first):
			return false
		case i > 0 && unicode.IsLower(first):
			lower++
		}
		longest = max(longest, xansi.StringWidth(line))
		for _, r := range own {
			switch {
			case unicode.IsLetter(r):
				letters++
			case strings.ContainsRune("{}[]=;<>|\\$#@_/+*&^~", r):
				signs++
			}
		}
	}
	if longest <= room || longest < leastWide || 2*lower < len(lines)-1 || signs*mostSigns > letters {
		return false
	}
	for i, line := range lines[1:] {
		word, _, _ := strings.Cut(strings.TrimLeft(line, " "), " ")
		if xansi.StringWidth(lines[i])+1+xansi.StringWidth(word) <= longest-mostRagged {
			return false
		}
	}
	return true
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// hasColumns says that blanks part what is in a line, but for two after a sentence.
func hasColumns(line string) bool {
	for at := 1; at < len(line); at++ {
		if i := strings.Index(line[at:], "  "); i < 0 {
			return false
		} else if at += i; !strings.ContainsRune(".!?:", rune(line[at-1])) || strings.HasPrefix(line[at:], "   ") {
			return true
		}
	}
	return false
}
