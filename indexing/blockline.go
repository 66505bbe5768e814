package indexing

import (
	"regexp"
	"strings"
)

// lineEnd returns the offset after the newline that ends the line at pos.
func lineEnd(text string, pos int) int {
	if n := strings.IndexByte(text[pos:], '\n'); n >= 0 {
		return pos + n + 1
	}
	return len(text)
}

// trimNewline steps back over the newline before pos.
func trimNewline(text string, pos int) int {
	if pos > 0 && text[pos-1] == '\n' {
		return pos - 1
	}
	return pos
}

// indentation returns the column of the first character of the line that is
// neither space nor tab, and its offset. Tabs stop at multiples of four.
func indentation(text string, pos, end int) (col, i int) {
	for i = pos; i < end; i++ {
		switch text[i] {
		case ' ':
			col++
		case '\t':
			col += 4 - col%4
		default:
			return col, i
		}
	}
	return col, i
}

// paddingAfter measures the white space behind a list marker that ends at
// column col: its width in columns and the offset after it.
func paddingAfter(text string, i, end, col int) (width, j int) {
	at := col
	for j = i; j < end; j++ {
		switch text[j] {
		case ' ':
			at++
		case '\t':
			at += 4 - at%4
		default:
			return at - col, j
		}
	}
	return at - col, j
}

// atxHeading reads "## Title ##". Its level is 0 when the line is none.
func atxHeading(line string) (level int, title string) {
	for level < len(line) && line[level] == '#' {
		level++
	}
	if level == 0 || level > 6 {
		return 0, ""
	}
	rest := line[level:]
	if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0, ""
	}
	rest = strings.Trim(rest, " \t")
	// Closing marks count only behind a space: "# C#" is about C#.
	body := strings.TrimRight(rest, "#")
	if body == "" {
		return level, ""
	}
	if len(body) < len(rest) && (body[len(body)-1] == ' ' || body[len(body)-1] == '\t') {
		rest = strings.TrimRight(body, " \t")
	}
	return level, rest
}

// underline returns 1 for a line of "=", 2 for one of "-", else 0.
func underline(line string) int {
	line = strings.TrimRight(line, " \t")
	switch {
	case line == "":
		return 0
	case strings.Trim(line, "=") == "":
		return 1
	case strings.Trim(line, "-") == "":
		return 2
	}
	return 0
}

// isRule reports a thematic break: three or more of one of "*-_", spaced freely.
func isRule(line string) bool {
	_, ok := rule(line)
	return ok
}

// rule is isRule, and says how far it had to read. Where it is none, no mark on the way
// there begins one either.
func rule(line string) (read int, ok bool) {
	c, n := line[0], 0
	if c != '*' && c != '-' && c != '_' {
		return 0, false
	}
	for i := range len(line) {
		switch line[i] {
		case c:
			n++
		case ' ', '\t':
		default:
			return i, false
		}
	}
	return len(line), n >= 3
}

// listMarker reads a bullet or a number: its width, and whether nothing follows.
func listMarker(line string) (width int, blank, ok bool) {
	switch line[0] {
	case '-', '+', '*':
		width = 1
	default:
		for width < len(line) && width < 10 && '0' <= line[width] && line[width] <= '9' {
			width++
		}
		if width == 0 || width > 9 || width == len(line) || line[width] != '.' && line[width] != ')' {
			return 0, false, false
		}
		width++
	}
	rest := line[width:]
	if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0, false, false
	}
	return width, strings.TrimLeft(rest, " \t") == "", true
}

// startsAtOne says that a list marker is a bullet or the number one, which may
// interrupt a paragraph.
func startsAtOne(line string) bool {
	digits := strings.TrimLeft(line, "0123456789")
	if len(digits) == len(line) {
		return true
	}
	return strings.TrimLeft(line[:len(line)-len(digits)], "0") == "1"
}

// opensFence reads an opening code fence.
func opensFence(line string) (fenceMarker, bool) {
	if line == "" || line[0] != '`' && line[0] != '~' {
		return fenceMarker{}, false
	}
	run := 0
	for run < len(line) && line[run] == line[0] {
		run++
	}
	if run < 3 || line[0] == '`' && strings.IndexByte(line[run:], '`') >= 0 {
		return fenceMarker{}, false
	}
	return fenceMarker{char: line[0], run: run}, true
}

func closesFence(line string, m fenceMarker) bool {
	run := 0
	for run < len(line) && line[run] == m.char {
		run++
	}
	return run >= m.run && strings.Trim(line[run:], " \t") == ""
}

// isDelimiterRow reports the second line of a table: "| --- | :-: |".
func isDelimiterRow(line string) bool {
	dash, pipe := false, false
	for i := range len(line) {
		switch line[i] {
		case '-':
			dash = true
		case '|':
			pipe = true
		case ':', ' ', '\t':
		default:
			return false
		}
	}
	if !dash || !pipe {
		return false
	}
	for _, cell := range strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|") {
		cell = strings.TrimSpace(cell)
		if cell = strings.TrimSuffix(strings.TrimPrefix(cell, ":"), ":"); cell == "" || strings.Trim(cell, "-") != "" {
			return false
		}
	}
	return true
}

// countCells counts the cells of a table row; an escaped pipe is text.
func countCells(row string) int {
	row = strings.TrimSpace(row)
	row = strings.TrimPrefix(row, "|")
	n, escaped := 1, false
	for i := range len(row) {
		switch {
		case escaped:
			escaped = false
		case row[i] == '\\':
			escaped = true
		case row[i] == '|' && i < len(row)-1:
			n++
		}
	}
	return n
}

var definitionLine = regexp.MustCompile(`^ {0,3}\[[^\]\n]+\]:`)

// isDefinition reports a paragraph that begins with a link definition, which is
// no text that could be a heading.
func isDefinition(paragraph string) bool { return definitionLine.MatchString(paragraph) }

// htmlBlockTags are the elements that begin an HTML block of the sixth kind, as
// CommonMark lists them.
const htmlBlockTags = " address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr track ul "

var (
	rawTag      = regexp.MustCompile(`(?i)^<(script|pre|style|textarea)(\s|>|$)`)
	blockTag    = regexp.MustCompile(`^</?([a-zA-Z][a-zA-Z0-9]*)(\s|/?>|$)`)
	completeTag = regexp.MustCompile(`^(<[a-zA-Z][a-zA-Z0-9-]*(\s+[a-zA-Z_:][a-zA-Z0-9_.:-]*(\s*=\s*([^\s"'=<>` + "`" + `]+|'[^']*'|"[^"]*"))?)*\s*/?>|</[a-zA-Z][a-zA-Z0-9-]*\s*>)\s*$`)
	rawTagEnd   = regexp.MustCompile(`(?i)</(script|pre|style|textarea)>`)
)

// htmlBlockType returns which of CommonMark's seven kinds of HTML block the line
// begins, or 0.
func htmlBlockType(line string) int {
	if len(line) < 2 || line[0] != '<' {
		return 0
	}
	switch {
	case rawTag.MatchString(line):
		return 1
	case strings.HasPrefix(line, "<!--"):
		return 2
	case line[1] == '?':
		return 3
	case strings.HasPrefix(line, "<![CDATA["):
		return 5
	case len(line) > 2 && line[1] == '!' && ('a' <= line[2]|0x20 && line[2]|0x20 <= 'z'):
		return 4
	}
	if m := blockTag.FindStringSubmatch(line); m != nil && strings.Contains(htmlBlockTags, " "+strings.ToLower(m[1])+" ") {
		return 6
	}
	if completeTag.MatchString(line) {
		return 7
	}
	return 0
}

// htmlBlockEnds says that the line ends a block of kinds 1 to 5. Kinds 6 and 7
// end at a blank line.
func htmlBlockEnds(t int, line string) bool {
	switch t {
	case 1:
		return rawTagEnd.MatchString(line)
	case 2:
		return strings.Contains(line, "-->")
	case 3:
		return strings.Contains(line, "?>")
	case 4:
		return strings.Contains(line, ">")
	case 5:
		return strings.Contains(line, "]]>")
	}
	return false
}

var explicitIDPattern = regexp.MustCompile(`[ \t]*\{#([^}\s]+)[^}]*\}$`)

// permalinkPattern is the link of a heading to itself, as converters of HTML
// leave it behind: [¶](#depth "Permalink to this heading").
var permalinkPattern = regexp.MustCompile(`[ \t]*\[(?:¶|§|#|\\#|🔗|)\]\([^()\s#]*#([^()\s]+)(?:[ \t]+"[^"]*")?\)$`)

// explicitID takes "{#id}" off a heading, as MkDocs, Hugo and Pandoc write it, or
// its permalink.
func explicitID(title string) (rest, id string) {
	m := explicitIDPattern.FindStringSubmatchIndex(title)
	if m == nil {
		m = permalinkPattern.FindStringSubmatchIndex(title)
	}
	if m == nil {
		return title, ""
	}
	return title[:m[0]], unescape(title[m[2]:m[3]])
}
