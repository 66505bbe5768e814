package convert

import (
	"github.com/webrag/webrag-tui/store"
)

// markup is an inline element that markdown has signs for.
type markup uint8

const (
	markEm markup = iota
	markStrong
	markStrike
	markLink
)

// eventKind says what an event of a paragraph is.
type eventKind uint8

const (
	eventChar  eventKind = iota // a character of the text that may be syntax
	eventOpen                   // signs of our own go here
	eventClose                  // and end here
)

// event is a place in a paragraph where something may have to be inserted: a
// backslash before a character, or our own signs. It is small, because each character
// of a page may need one.
type event struct {
	pos  int32
	kind eventKind
	mark markup
	// drop leaves the signs out; escape puts a backslash before the character.
	drop, escape bool
	mate         int32 // index of the other end, -1 until it is closed
	link         int32 // index into inline.targets for links, else -1
}

// at is where the event's signs or character stand.
func (e *event) at() int { return int(e.pos) }

// inline collects one paragraph. Text is gathered without escapes, together with
// the places where escapes and signs may go; what is needed there depends on the
// whole paragraph and is decided when it is written.
type inline struct {
	buf     []byte
	events  []event
	stack   []openMarkup
	targets []string // link addresses
	extra   int      // their total length
	marks   []inlineMark

	space bool // white space is due before the next content
	brk   bool // a line break is due

	// own says which signs of ours the paragraph holds, so that equal
	// characters of its text have to be escaped.
	ownCode, ownMath bool
	codeEnd          int // offset after a code span with a fence of one, or 0
	mathEnd          int // offset after a formula, or 0
	plainLinks       int // depth of elements whose links become plain text
	cell             bool
}

// openMarkup is an element whose end has not come. Its signs are placed before
// its first content, so that white space stays outside of them.
type openMarkup struct {
	mark  markup
	link  int
	event int // index of its opening event, -1 before its first content
	begin int // offset of its first content
	skip  bool
}

// inlineMark is a formula, an image, or the beginning of a link's text.
type inlineMark struct {
	pos, end int
	flags    store.Flags
	link     Link // TargetURL or Anchor is set for a link
	isLink   bool
}

func (t *inline) reset() {
	t.buf = t.buf[:0]
	t.events = t.events[:0]
	t.stack = t.stack[:0]
	t.targets = t.targets[:0]
	t.marks = t.marks[:0]
	t.space, t.brk, t.ownCode, t.ownMath = false, false, false, false
	t.extra, t.codeEnd, t.mathEnd = 0, 0, 0
}

// finish reports whether the paragraph holds anything.
func (t *inline) finish() bool {
	for len(t.stack) > 0 {
		t.close()
	}
	return len(t.buf) > 0
}

// start comes before each piece of content.
func (t *inline) start() {
	if len(t.buf) > 0 {
		switch last := t.buf[len(t.buf)-1]; {
		case t.brk:
			t.buf = append(t.buf, '\n')
		case t.space && last != '\n':
			t.buf = append(t.buf, ' ')
		}
	}
	t.brk, t.space = false, false
	for i := range t.stack {
		o := &t.stack[i]
		if o.event >= 0 {
			continue
		}
		o.begin = len(t.buf)
		o.event = len(t.events)
		t.events = append(t.events, event{
			pos: int32(len(t.buf)), kind: eventOpen, mark: o.mark, drop: o.skip, mate: -1, link: int32(o.link),
		})
	}
}

// text adds text, its white space collapsed.
func (t *inline) text(s string) {
	for i := 0; i < len(s); {
		if isSpace(s[i]) {
			t.space = true
			i++
			continue
		}
		if t.space || t.brk || len(t.stack) > 0 {
			t.start()
		}
		from := i
		for i < len(s) && !isSpace(s[i]) {
			switch s[i] {
			case '*', '_', '`', '[', ']', '<', '&', '$', '~', '\\', '!':
				t.events = append(t.events, event{pos: int32(len(t.buf) + i - from), kind: eventChar, mate: -1, link: -1})
			case '|':
				if t.cell {
					t.events = append(t.events, event{
						pos: int32(len(t.buf) + i - from), kind: eventChar, mate: -1, link: -1, escape: true,
					})
				}
			}
			i++
		}
		t.buf = append(t.buf, s[from:i]...)
	}
}

// lineBreak adds a line break; several in a row are one.
func (t *inline) lineBreak() {
	t.brk = !t.cell
	t.space = t.space || t.cell
}

// open begins an element with signs. Emphasis in emphasis of the same kind adds
// nothing and gets none.
func (t *inline) open(m markup, link int) {
	skip := false
	for i := range t.stack {
		if t.stack[i].mark == m && !t.stack[i].skip {
			skip = true
		}
	}
	t.stack = append(t.stack, openMarkup{mark: m, link: link, event: -1, skip: skip})
}

// close ends the innermost element and returns the offset of its first content,
// or -1 when it had none.
func (t *inline) close() int {
	o := t.stack[len(t.stack)-1]
	t.stack = t.stack[:len(t.stack)-1]
	if o.event < 0 {
		return -1
	}
	t.events[o.event].mate = int32(len(t.events))
	t.events = append(t.events, event{
		pos: int32(len(t.buf)), kind: eventClose, mark: o.mark, drop: o.skip, mate: int32(o.event), link: int32(o.link),
	})
	return o.begin
}

func (t *inline) addRaw(s string) {
	if !t.cell {
		t.buf = append(t.buf, s...)
		return
	}
	for i := range len(s) {
		if s[i] == '|' {
			t.buf = append(t.buf, '\\')
		}
		t.buf = append(t.buf, s[i])
	}
}

// code adds a code span of text whose white space is collapsed already. Spans
// that touch become one: side by side their fences would be read as longer ones.
func (t *inline) code(s string) {
	if s == "" {
		return
	}
	t.start()
	run := longestRun(s, '`')
	touches := t.codeEnd > 0 && t.codeEnd == len(t.buf)
	if touches && (len(t.events) == 0 || t.events[len(t.events)-1].at() < t.codeEnd) {
		if run == 0 {
			t.buf = t.buf[:len(t.buf)-1]
			t.addRaw(s)
			t.buf = append(t.buf, '`')
			t.codeEnd = len(t.buf)
			return
		}
	}
	if n := len(t.buf); n > 0 && t.buf[n-1] == '`' && t.ownCode && !t.linkSignsAtEnd() {
		t.buf = append(t.buf, ' ')
		t.moveEvents(n)
	}
	t.ownCode = true
	fence := run + 1
	for range fence {
		t.buf = append(t.buf, '`')
	}
	pad := s[0] == '`' || s[len(s)-1] == '`'
	if pad {
		t.buf = append(t.buf, ' ')
	}
	t.addRaw(s)
	if pad {
		t.buf = append(t.buf, ' ')
	}
	for range fence {
		t.buf = append(t.buf, '`')
	}
	t.codeEnd = 0
	if fence == 1 {
		t.codeEnd = len(t.buf)
	}
}

// linkSignsAtEnd reports whether the signs of a link stand at the end of the
// paragraph. Those of emphasis may be left out.
func (t *inline) linkSignsAtEnd() bool {
	for i := len(t.events) - 1; i >= 0 && t.events[i].at() == len(t.buf); i-- {
		if t.events[i].mark == markLink && t.events[i].kind != eventChar {
			return true
		}
	}
	return false
}

// moveEvents moves the opening signs at an offset, the last but one of the
// paragraph, behind the space that was put there.
func (t *inline) moveEvents(pos int) {
	for i := len(t.events) - 1; i >= 0 && t.events[i].at() == pos && t.events[i].kind == eventOpen; i-- {
		t.events[i].pos++
	}
}

// longestRun is the length of the longest run of b in s.
func longestRun(s string, b byte) int {
	longest, n := 0, 0
	for i := range len(s) {
		if s[i] != b {
			n = 0
			continue
		}
		n++
		longest = max(longest, n)
	}
	return longest
}

// formula adds TeX between dollar signs, two for a displayed formula.
func (t *inline) formula(tex string, display bool) {
	t.start()
	if t.mathEnd > 0 && t.mathEnd == len(t.buf) {
		t.buf = append(t.buf, ' ')
	}
	at := len(t.buf)
	sign := "$"
	if display {
		sign = "$$"
	}
	t.buf = append(t.buf, sign...)
	t.addRaw(tex)
	t.buf = append(t.buf, sign...)
	t.ownMath = true
	t.mathEnd = len(t.buf)
	t.marks = append(t.marks, inlineMark{pos: at, end: len(t.buf), flags: store.HasMath})
}

// image adds an image with an address that is ready for markdown.
func (t *inline) image(alt, address string) {
	t.start()
	at := len(t.buf)
	t.buf = append(t.buf, "!["...)
	pending := false
	for i := range len(alt) {
		b := alt[i]
		if isSpace(b) {
			pending = true
			continue
		}
		if pending && t.buf[len(t.buf)-1] != '[' {
			t.buf = append(t.buf, ' ')
		}
		pending = false
		switch b {
		case '[', ']', '\\', '`', '<', '*', '_', '&':
			t.buf = append(t.buf, '\\')
		case '|':
			if t.cell {
				t.buf = append(t.buf, '\\')
			}
		}
		t.buf = append(t.buf, b)
	}
	t.buf = append(t.buf, "]("...)
	t.buf = append(t.buf, address...)
	t.buf = append(t.buf, ')')
	t.marks = append(t.marks, inlineMark{pos: at, end: len(t.buf), flags: store.HasImage})
}
