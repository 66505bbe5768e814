package rendering

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Placeholder is roughly how markdown reads once it is rendered: what is shown for
// the moment until it is. It knows lines and the commonest signs, in one pass
// and without a parser, because the screen waits for it.
func Placeholder(markdown string) string {
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\r\n")
		bare := strings.TrimLeft(line, " \t")
		if mark := fenceOf(bare); mark != "" && (fence == "" || mark == fence) {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
			continue
		}
		switch {
		case fence != "":
			b.WriteString("  " + line)
		case strings.HasPrefix(bare, "|") && strings.Trim(bare, "|:- \t") == "":
			continue // the line below the head of a table
		default:
			b.WriteString(line[:len(line)-len(bare)])
			plainLine(&b, bare)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// fenceOf is the sign with which a line opens or closes a block of code.
func fenceOf(line string) string {
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(line, mark) {
			return mark
		}
	}
	return ""
}

// plainLine writes a line without the signs at its begin and within it.
func plainLine(b *strings.Builder, line string) {
	for strings.HasPrefix(line, ">") {
		b.WriteString("  ")
		line = strings.TrimPrefix(line[1:], " ")
	}
	if text := strings.TrimLeft(line, "#"); len(line)-len(text) <= 6 && strings.HasPrefix(text, " ") {
		line = strings.TrimLeft(text, " ")
	}
	for _, bullet := range []string{"- ", "* ", "+ "} {
		if text, ok := strings.CutPrefix(line, bullet); ok {
			b.WriteString("- ")
			line = text
			break
		}
	}
	if cells, ok := strings.CutPrefix(line, "|"); ok {
		cells = strings.TrimSuffix(strings.TrimSpace(cells), "|")
		line = strings.NewReplacer(`\|`, "|", "|", "  ").Replace(cells)
	}
	plainWords(b, line)
}

// plainWords writes text without emphasis, code signs, escapes and the targets
// of links.
func plainWords(b *strings.Builder, s string) {
	lastLink := strings.LastIndex(s, "](")
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && s[i+1] < utf8.RuneSelf && unicode.In(rune(s[i+1]), unicode.P, unicode.S):
			i++
			b.WriteByte(s[i])
		case c == '`', c == '*':
		case c == '!' && strings.HasPrefix(s[i+1:], "["):
		case c == '[' && i < lastLink:
		case strings.HasPrefix(s[i:], "]("):
			i += targetLength(s[i:]) - 1
		default:
			b.WriteByte(c)
		}
	}
}

// longestTarget bounds the search for the end of what only looks like a link.
const longestTarget = 1 << 10

// targetLength is the length of "](target)", with which s begins, or 1 if it
// does not end.
func targetLength(s string) int {
	depth := 0
	for i := 1; i < min(len(s), longestTarget); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 1
}
