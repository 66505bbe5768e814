package spans

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/webrag/webrag-tui/offset"
	"github.com/yuin/goldmark/util"
)

// unit is a run of visible characters without blanks, usually a word: what one
// invisible tag marks. All positions are bytes of the displayed text.
type unit struct {
	visible    string
	start, end int
	// starts holds, for each byte of visible and one past it, where its source
	// starts. It is nil when visible is the source itself.
	starts    []int32
	container int32
}

// wholeUnit is the unit of a word that stands for a range as a whole.
func wholeUnit(visible string, start, end int) *unit {
	u := &unit{visible: visible, start: start, end: end, starts: make([]int32, len(visible)+1)}
	for i := range visible {
		u.starts[i] = int32(start)
	}
	u.starts[len(visible)] = int32(end)
	return u
}

// source returns the range of the displayed text behind the bytes [from, to) of
// the visible word. What stands for a longer source (an entity, an escape) is
// never cut.
func (u *unit) source(from, to int) (start, end int) {
	if u.starts == nil {
		return u.start + from, u.start + to
	}
	start = int(u.starts[from])
	for to < len(u.visible) && u.starts[to] == u.starts[to-1] {
		to++
	}
	return start, int(u.starts[to])
}

// syntax says which notations a text still carries.
type syntax uint8

const (
	markdownText syntax = iota // entities and backslash escapes
	htmlText                   // entities
	literalText                // none: code
	texText                    // commands, where all of them are known
)

// chars is decoded text: what the reader sees and where each byte came from.
type chars struct {
	visible []byte
	starts  []int32 // as long as visible
	altered bool    // visible differs from the source
}

func (c *chars) add(s string, at int) {
	for i := range len(s) {
		c.visible = append(c.visible, s[i])
		c.starts = append(c.starts, int32(at))
	}
	c.altered = true
}

func (c *chars) copy(s string, at int) {
	for i := range len(s) {
		c.visible = append(c.visible, s[i])
		c.starts = append(c.starts, int32(at+i))
	}
}

// decode reads source[start:end] as the reader would see it. Entities may spell
// control characters, so what they decode to is made safe again.
func decode(source string, start, end int, sx syntax) *chars {
	if sx == texText {
		if c, ok := plainTeX(source[start:end]); ok {
			for i := range c.starts {
				c.starts[i] += int32(start)
			}
			return c
		}
		sx = literalText
	}
	c := &chars{
		visible: make([]byte, 0, end-start),
		starts:  make([]int32, 0, end-start),
	}
	text := source[:end]
	for i := start; i < end; {
		switch {
		case text[i] == '\n':
			c.copy(" ", i)
			i++
		case text[i] == '\\' && sx == markdownText && i+1 < end && util.IsPunct(text[i+1]):
			c.add(text[i+1:i+2], i)
			i += 2
		case text[i] == '&' && sx != literalText:
			s, n := entity(text[i:])
			if n == 0 {
				c.copy("&", i)
				i++
				continue
			}
			c.add(offset.Line(s), i)
			i += n
		default:
			_, n := utf8.DecodeRuneInString(text[i:])
			c.copy(text[i:i+n], i)
			i += n
		}
	}
	return c
}

// longestEntity is "&CounterClockwiseContourIntegral;".
const longestEntity = 33

// entity decodes the character reference that text starts with; n is its length
// in bytes, 0 if it is none.
func entity(text string) (decoded string, n int) {
	semicolon := strings.IndexByte(text[:min(len(text), longestEntity)], ';')
	if semicolon < 2 {
		return "", 0
	}
	ref := text[:semicolon+1]
	if ref[1] == '#' {
		digits, base := ref[2:semicolon], 10
		if strings.HasPrefix(digits, "x") || strings.HasPrefix(digits, "X") {
			digits, base = digits[1:], 16
		}
		code, err := strconv.ParseUint(digits, base, 31)
		if err != nil || len(digits) > 7 {
			return "", 0
		}
		return withoutPlaceholders(string(util.ToValidRune(rune(code)))), len(ref)
	}
	e, ok := util.LookUpHTML5EntityByName(ref[1:semicolon])
	if !ok {
		return "", 0
	}
	return withoutPlaceholders(string(e.Characters)), len(ref)
}

// words splits decoded text into units and the blanks between them. before is
// the blank text in front of the unit; the last call may have no unit.
func (c *chars) words(end int, emit func(before string, u *unit)) {
	var (
		blankFrom  = 0
		wordFrom   = -1
		visible    = string(c.visible)
		characters = graphemes.FromString(visible)
	)
	flush := func(to int) {
		if wordFrom < 0 {
			return
		}
		emit(visible[blankFrom:wordFrom], c.unit(visible, wordFrom, to, end))
		wordFrom, blankFrom = -1, to
	}
	for characters.Next() {
		r, _ := utf8.DecodeRuneInString(characters.Value())
		switch blank := unicode.IsSpace(r); {
		case blank:
			flush(characters.Start())
		case wordFrom < 0:
			wordFrom = characters.Start()
		}
	}
	flush(len(visible))
	if blankFrom < len(visible) {
		emit(visible[blankFrom:], nil)
	}
}

func (c *chars) unit(visible string, from, to, end int) *unit {
	after := end
	if to < len(c.starts) {
		after = int(c.starts[to])
	}
	u := &unit{visible: visible[from:to], start: int(c.starts[from]), end: after}
	if u.end-u.start == len(u.visible) && !c.altered {
		return u
	}
	u.starts = make([]int32, 0, to-from+1)
	u.starts = append(u.starts, c.starts[from:to]...)
	u.starts = append(u.starts, int32(after))
	return u
}
