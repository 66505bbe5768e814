package convert

import (
	"bytes"
	"sort"
	"unicode"
	"unicode/utf8"
)

// resolve decides which signs of ours stay and which characters of the text are
// escaped. A character is escaped only where it would be read as syntax: what
// has no partner in its paragraph is left alone.
func (t *inline) resolve() {
	if len(t.events) == 0 {
		return
	}
	var n [128]int // characters of the text that may be syntax
	for i := range t.events {
		if t.events[i].kind == eventChar {
			n[t.buf[t.events[i].at()]]++
		}
	}
	if n['~'] > 0 {
		// Not even an escaped tilde beside the signs is read alike everywhere.
		t.dropStrikes()
	}
	t.settleEmphasis()
	ownStar := false
	for i := range t.events {
		e := &t.events[i]
		switch {
		case e.kind == eventChar, e.drop:
		case e.mark == markEm, e.mark == markStrong:
			ownStar = true
		}
	}
	if n['*'] > 0 {
		t.escapeDelimiters('*', ownStar)
	}
	if n['_'] > 1 {
		t.escapeDelimiters('_', false)
	}
	stars := n['`'] > 0 && (t.ownCode || t.runs('`') > 1)
	strikes := n['~'] > 0 && t.runs('~') > 1
	dollars := n['$'] > 0 && (t.ownMath || t.pairedDollars())
	for i := range t.events {
		e := &t.events[i]
		if e.kind != eventChar {
			continue
		}
		switch t.buf[e.at()] {
		case '`':
			e.escape = stars
		case '~':
			e.escape = strikes
		case '$':
			e.escape = dollars
		case '<':
			next := t.byteAt(e.at() + 1)
			e.escape = next == '/' || next == '!' || next == '?' || isLetter(next)
		case '&':
			e.escape = isEntity(t.buf[e.at():])
		case ']':
			e.escape = t.byteAt(e.at()+1) == '('
		case '!':
			e.escape = t.linkOpensAt(i, e.at()+1)
		case '\\':
			next := t.byteAt(e.at() + 1)
			e.escape = next == 0 || next == '\n' || isPunct(next) || t.eventAt(i, e.at()+1)
		}
	}
	t.balanceBrackets()
}

func (t *inline) dropStrikes() {
	for i := range t.events {
		if e := &t.events[i]; e.kind != eventChar && e.mark == markStrike {
			e.drop = true
		}
	}
}

// settleEmphasis drops the signs that would not be read as emphasis where they
// stand: outside they need white space or punctuation, inside neither white
// space. Dropping some changes the neighbours of others, so it is repeated, and
// what does not settle goes altogether.
func (t *inline) settleEmphasis() {
	const passes = 3
	for pass := 0; ; pass++ {
		changed := false
		for i := range t.events {
			e := &t.events[i]
			if e.drop || e.kind == eventChar || e.mark == markLink {
				continue
			}
			if pass == passes || !t.fits(i) {
				e.drop = true
				t.events[e.mate].drop = true
				changed = true
			}
		}
		if !changed {
			return
		}
	}
}

// fits reports whether the signs of event i are read as we mean them.
func (t *inline) fits(i int) bool {
	e := &t.events[i]
	// Signs at the same place are one run to a reader of markdown.
	mixed := false
	before, after := false, false // a link's bracket stands there
	for j := i - 1; j >= 0 && t.events[j].at() == e.at() && t.events[j].kind != eventChar; j-- {
		if t.events[j].drop {
			continue
		}
		if t.events[j].mark == markLink {
			before = true
			break
		}
		mixed = mixed || t.events[j].kind != e.kind
	}
	for j := i + 1; j < len(t.events) && t.events[j].at() == e.at() && t.events[j].kind != eventChar; j++ {
		if t.events[j].drop {
			continue
		}
		if t.events[j].mark == markLink {
			after = true
			break
		}
		mixed = mixed || t.events[j].kind != e.kind
	}
	if mixed {
		return false
	}
	prev, next := t.runesAround(e.at())
	outer, inner, outerBracket, innerBracket := prev, next, before, after
	if e.kind == eventClose {
		outer, inner, outerBracket, innerBracket = next, prev, after, before
	}
	if !innerBracket && unicode.IsSpace(inner) {
		return false
	}
	return outerBracket || unicode.IsSpace(outer) || unicode.IsPunct(outer)
}

// runesAround returns the characters before and after an offset; the ends of the
// paragraph count as white space.
func (t *inline) runesAround(pos int) (prev, next rune) {
	prev, next = ' ', ' '
	if pos > 0 {
		prev, _ = utf8.DecodeLastRune(t.buf[:pos])
	}
	if pos < len(t.buf) {
		next, _ = utf8.DecodeRune(t.buf[pos:])
	}
	return prev, next
}

// escapeDelimiters escapes the stars or underscores of the text that could open
// or close emphasis, if one that opens comes before one that closes.
func (t *inline) escapeDelimiters(b byte, always bool) {
	opened, paired := false, always
	for pass := range 2 {
		for i := 0; i < len(t.events); i++ {
			e := &t.events[i]
			if e.kind != eventChar || t.buf[e.at()] != b {
				continue
			}
			end := e.at() + 1
			for end < len(t.buf) && t.buf[end] == b && !t.signsAt(end) {
				end++
			}
			opens, closes := t.flanks(b, e.at(), end)
			if pass == 0 {
				paired = paired || opened && closes
				opened = opened || opens
			}
			for ; i < len(t.events) && t.events[i].at() < end; i++ {
				if pass == 1 && t.events[i].kind == eventChar {
					t.events[i].escape = opens || closes
				}
			}
			i--
		}
		if !paired {
			return
		}
	}
}

// flanks reports whether the run of delimiters at [start, end) can open and
// close emphasis, by the rules of CommonMark.
func (t *inline) flanks(b byte, start, end int) (opens, closes bool) {
	prev, _ := t.runesAround(start)
	_, next := t.runesAround(end)
	prevSpace, nextSpace := unicode.IsSpace(prev), unicode.IsSpace(next)
	prevPunct, nextPunct := isPunctRune(prev), isPunctRune(next)
	left := !nextSpace && (!nextPunct || prevSpace || prevPunct)
	right := !prevSpace && (!prevPunct || nextSpace || nextPunct)
	// Signs of ours that stand beside the run are punctuation to a reader.
	if t.signsAt(start) || t.signsAt(end) {
		return true, true
	}
	if b == '_' {
		return left && (!right || prevPunct), right && (!left || nextPunct)
	}
	return left, right
}

// signsAt reports whether signs of ours are inserted at an offset.
func (t *inline) signsAt(pos int) bool {
	for i := t.eventsFrom(pos); i < len(t.events) && t.events[i].at() == pos; i++ {
		if e := &t.events[i]; e.kind != eventChar && !e.drop {
			return true
		}
	}
	return false
}

// eventsFrom is the index of the first event at or after an offset.
func (t *inline) eventsFrom(pos int) int {
	return sort.Search(len(t.events), func(i int) bool { return t.events[i].at() >= pos })
}

// eventAt reports whether the event after i inserts signs at pos.
func (t *inline) eventAt(i, pos int) bool {
	for j := i + 1; j < len(t.events) && t.events[j].at() <= pos; j++ {
		if e := &t.events[j]; e.at() == pos && e.kind != eventChar && !e.drop {
			return true
		}
	}
	return false
}

// linkOpensAt reports whether a link of ours opens at pos.
func (t *inline) linkOpensAt(i, pos int) bool {
	for j := i + 1; j < len(t.events) && t.events[j].at() <= pos; j++ {
		if e := &t.events[j]; e.at() == pos && e.kind == eventOpen && e.mark == markLink && !e.drop {
			return true
		}
	}
	return false
}

// runs counts the runs of b among the characters of the text.
func (t *inline) runs(b byte) int {
	n, last := 0, -2
	for i := range t.events {
		if e := &t.events[i]; e.kind == eventChar && t.buf[e.at()] == b {
			if e.at() != last+1 || t.events[i-1].kind != eventChar {
				n++
			}
			last = e.at()
		}
	}
	return n
}

// pairedDollars reports whether two dollar signs of the text could enclose a
// formula: nothing but white space keeps them from it.
func (t *inline) pairedDollars() bool {
	opened := false
	for i := range t.events {
		e := &t.events[i]
		if e.kind != eventChar || t.buf[e.at()] != '$' {
			continue
		}
		prev, next := t.byteBefore(e.at()), t.byteAt(e.at()+1)
		if opened && !isSpace(prev) && (next < '0' || next > '9') {
			return true
		}
		opened = opened || next != 0 && !isSpace(next)
	}
	return false
}

// balanceBrackets escapes the brackets in the text of a link of ours when they
// are not in pairs, because they would end it early or never.
func (t *inline) balanceBrackets() {
	for i := 0; i < len(t.events); i++ {
		e := &t.events[i]
		if e.kind != eventOpen || e.mark != markLink || e.drop {
			continue
		}
		depth, pairs := 0, true
		for j := i + 1; j < int(e.mate); j++ {
			if in := &t.events[j]; in.kind == eventChar {
				switch t.buf[in.at()] {
				case '[':
					depth++
				case ']':
					depth--
					pairs = pairs && depth >= 0 && !in.escape
				}
			}
		}
		if !pairs || depth != 0 {
			for j := i + 1; j < int(e.mate); j++ {
				if in := &t.events[j]; in.kind == eventChar && (t.buf[in.at()] == '[' || t.buf[in.at()] == ']') {
					in.escape = true
				}
			}
		}
		i = int(e.mate) - 1
	}
}

func (t *inline) byteAt(i int) byte {
	if i >= len(t.buf) {
		return 0
	}
	return t.buf[i]
}

func (t *inline) byteBefore(i int) byte {
	if i == 0 {
		return ' '
	}
	return t.buf[i-1]
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// isPunct reports the characters that a backslash can escape.
func isPunct(b byte) bool {
	return b > ' ' && b < 0x7f && !isLetter(b) && (b < '0' || b > '9')
}

func isPunctRune(r rune) bool {
	if r < utf8.RuneSelf {
		return isPunct(byte(r))
	}
	return unicode.IsPunct(r) || unicode.IsSymbol(r)
}

// isEntity reports whether s begins with what would be read as a character
// reference.
func isEntity(s []byte) bool {
	const longest = 33 // the longest name has 31 letters
	semi := bytes.IndexByte(s[:min(len(s), longest)], ';')
	if semi < 2 {
		return false
	}
	for i, b := range s[1:semi] {
		if !isLetter(b) && (b < '0' || b > '9') && (b != '#' || i != 0) {
			return false
		}
	}
	return true
}

// lineSyntax returns the index of the character of a line that must be escaped
// so that the line is no heading, list item, quote, fence, rule, table or the
// like, or -1. first says that the line begins its paragraph.
func lineSyntax(line []byte, first bool) int {
	if len(line) == 0 {
		return -1
	}
	rest := func(i int) bool { return i >= len(line) || line[i] == ' ' }
	switch b := line[0]; b {
	case '>':
		return 0
	case '#':
		n := 0
		for n < len(line) && line[n] == '#' {
			n++
		}
		if n <= 6 && rest(n) {
			return 0
		}
	case '-', '+', '*', '_', '=':
		if (b == '-' || b == '+' || b == '*') && rest(1) || onlyOf(line, b) && (b != '=' || !first) {
			return 0
		}
		if b == '-' && !first && onlyAmong(line, "|-: ") {
			return 0
		}
	case '|', ':':
		if !first && onlyAmong(line, "|-: ") || b == ':' && rest(1) {
			return 0
		}
	case '`', '~':
		if len(line) >= 3 && line[1] == b && line[2] == b {
			return 0
		}
	case '[':
		// The definition of a link or footnote, or the box of a task.
		if bytes.Contains(line, []byte("]:")) || len(line) >= 3 && line[2] == ']' && bytes.IndexByte([]byte(" xX"), line[1]) >= 0 {
			return 0
		}
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		n := 0
		for n < len(line) && line[n] >= '0' && line[n] <= '9' {
			n++
		}
		if n <= 9 && n < len(line) && (line[n] == '.' || line[n] == ')') && rest(n+1) {
			return n
		}
	}
	return -1
}

// onlyOf reports a line of one character and spaces.
func onlyOf(line []byte, b byte) bool {
	for _, c := range line {
		if c != b && c != ' ' {
			return false
		}
	}
	return true
}

func onlyAmong(line []byte, set string) bool {
	return len(bytes.Trim(line, set)) == 0 && bytes.IndexByte(line, '-') >= 0
}
