package input

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of what passes; what a terminal says of itself, of keys and of the mouse is
// shorter by far.
const (
	// mostParameters is the number of parameters of a sequence: more than 32 end the
	// library that reads keys.
	mostParameters = 30
	// mostHeader is the length in bytes of all parameters of a sequence, and mostText
	// that of the text in one: the library reads from its beginning for each piece
	// that comes, as long as it has no end.
	mostHeader = 256
	mostText   = 4096
	// mostPaste is the length of a paste in bytes, which the library keeps until its end.
	mostPaste = 1 << 20
	// mostKey is the length in bytes of what one key, or one move of the mouse, types.
	mostKey = 32
)

// The bytes that sequences are made of: ECMA-48, 5.3 to 5.6, and for pastes the
// bracketed paste mode of xterm.
const (
	esc = 0x1b
	// interrupt is what ctrl+c types.
	interrupt = 0x03
	bel       = 0x07
	can       = 0x18
	sub       = 0x1a

	stringEnd = "\x1b\\"
	pasteEnd  = "\x1b[201~"
	// noKey is a final byte that makes a sequence one that no key types.
	noKey = 'z'
)

// withTilde are the parameters with which a sequence may end in a tilde: those of
// keys, and those of a paste exactly as terminals write them. The library takes
// others, such as 0200, 200:1 or 4294967496, for the beginning of a paste too.
var withTilde = regexp.MustCompile(`^([0-9]{0,2}([;:][0-9;:]*)?|20[01])$`)

// state is where in what a terminal types a filter is.
type state uint8

const (
	ground     state = iota
	escaped          // after ESC
	header           // the parameters and intermediate bytes of a sequence of control, or of a device's string
	cutHeader        // the rest of a header that is cut off
	mouse            // the three bytes by which an old mouse tells where it is
	text             // the text of a string: of an operating system's, a device's or a program's
	textEsc          // after ESC in one, which ends it, and with a backslash also itself
	cutText          // the rest of a text that is cut off
	cutTextEsc       // after ESC in one
	pasted           // a paste
	cutPaste         // the rest of a paste that is cut off
)

// filter lets ordinary input through as it is, byte by byte and at once, and makes the
// rest harmless. The zero value is ready to be used.
type filter struct {
	state state
	// fresh says that the ESC of the sequence came in the same piece: what came in an
	// earlier one was perhaps typed by hand, and taken for single keys.
	fresh bool
	// single says that the piece is one byte, as if it were typed by hand.
	single bool
	// insists says that the piece is ctrl+c, and nothing else: a second one that comes
	// so is meant, and no part of a paste.
	insists bool
	// device and system tell DCS and OSC from other sequences.
	device, system bool
	// header is what came of the sequence after its beginning, size how long a text or
	// paste is.
	header []byte
	size   int
	// told says that the ESC of a text was let through.
	told bool
	// letter are the first bytes of a letter, and matched is how much of the end of a
	// paste was seen.
	letter  []byte
	matched int
}

// feed appends what is to be read of a piece of input, at most three times as much and
// 16 bytes. Paused says that the terminal was silent before it for so long that the user,
// not the terminal, must have paused.
func (f *filter) feed(out, piece []byte, paused bool) []byte {
	insists := len(piece) == 1 && piece[0] == interrupt
	if paused || insists && f.insists && (f.state == pasted || f.state == cutPaste) {
		out = f.resume(out, piece)
	}
	f.fresh, f.single, f.insists = false, len(piece) == 1, insists
	for _, c := range piece {
		out = f.step(out, c)
	}
	if (f.state == textEsc || f.state == cutTextEsc) && !f.told {
		f.told = true // it may be the key
		out = append(out, esc)
	}
	return out
}

// resume goes on after a pause: strings have no end any more, and neither has a paste,
// if what comes is what a key types.
func (f *filter) resume(out, piece []byte) []byte {
	switch f.state {
	case mouse:
		out = append(out, noKey)
		f.state = ground
	case cutHeader, text, textEsc, cutText, cutTextEsc:
		f.state = ground
	case pasted, cutPaste:
		if len(piece) > mostKey || bytes.Contains(append([]byte(pasteEnd[:f.matched]), piece...), []byte(pasteEnd)) {
			break
		}
		if f.state == pasted {
			out = append(out, pasteEnd...)
		}
		f.state, f.matched, f.letter = ground, 0, nil
	}
	return out
}

// step takes one byte.
func (f *filter) step(out []byte, c byte) []byte {
	switch f.state {
	case escaped, header:
		if c < utf8.RuneSelf {
			f.letter = nil
			break
		}
		if f.state == header && f.fresh {
			out = f.end(out)
		}
		// What is no letter is left out, and the sequence goes on as if it had not come.
		before := len(out)
		if out = f.character(out, c); len(out) > before || f.state == header && f.fresh {
			f.state = ground
		}
		return out
	}
	switch f.state {
	case ground:
		if c == esc {
			f.state, f.fresh, f.letter = escaped, true, nil
			f.header = f.header[:0]
			return append(out, c)
		}
		return f.character(out, c)
	case escaped:
		return f.escape(out, c)
	case header:
		return f.parameter(out, c)
	case cutHeader:
		if isParameter(c) || isIntermediate(c) {
			return out
		}
		if isFinal(c) {
			f.state = ground
			return out
		}
	case mouse:
		if c >= ' ' {
			return f.where(out, c)
		}
		out = append(out, noKey)
	case text, cutText:
		return f.text(out, c)
	case textEsc, cutTextEsc:
		return f.afterText(out, c)
	case pasted, cutPaste:
		return f.paste(out, c)
	}
	f.state = ground // what was begun is broken
	return f.step(out, c)
}

// character lets through ASCII, and the letters of UTF-8 as a whole. Other bytes are
// no letters; one of them would begin a sequence, as ESC and a second byte do.
func (f *filter) character(out []byte, c byte) []byte {
	if c < utf8.RuneSelf {
		f.letter = nil
		return append(out, c)
	}
	if utf8.RuneStart(c) {
		f.letter = nil
	} else if len(f.letter) == 0 {
		return out
	}
	f.letter = append(f.letter, c)
	if !utf8.FullRune(f.letter) {
		return out
	}
	// The sign for a letter that could not be read counts as none: the library waits
	// for more of it.
	if r, _ := utf8.DecodeRune(f.letter); r != utf8.RuneError {
		out = append(out, f.letter...)
	}
	f.letter = nil
	return out
}

// escape takes what comes after ESC.
func (f *filter) escape(out []byte, c byte) []byte {
	inside := len(f.header) > 0 // of intermediate bytes
	f.header = f.header[:0]
	f.device, f.system, f.size, f.told = c == 'P', c == ']', 0, false
	switch {
	case c == esc:
		f.fresh = true
	case isIntermediate(c):
		f.header = append(f.header, c)
	case inside && opensSequence(c):
		// The key of ESC and an intermediate byte, and a character: but one of the
		// library's decoders takes both for the beginning of a sequence.
		f.state = ground
		return append(out, esc, '[', noKey, c)
	case c == '[' || c == 'P':
		f.state = header
	case opensSequence(c):
		f.state = text
	default:
		f.state = ground
		return f.character(out, c)
	}
	return append(out, c)
}

// parameter takes what comes after ESC [ or ESC P, up to the final byte.
func (f *filter) parameter(out []byte, c byte) []byte {
	last := byte(0)
	if len(f.header) > 0 {
		last = f.header[len(f.header)-1]
	}
	switch {
	case isParameter(c) && !isIntermediate(last) || isIntermediate(c):
		f.header = append(f.header, c)
		if len(f.header) > mostHeader || separators(f.header) >= mostParameters {
			f.state = cutHeader
			if f.device {
				f.state = cutText
			}
			return f.end(out)
		}
		return append(out, c)
	case isFinal(c) && f.device:
		f.state = text
		return append(out, c)
	case isFinal(c):
		f.state = ground
		return f.final(out, c)
	}
	// Broken. Without an end the library would keep it with all that follows.
	if f.fresh {
		out = f.end(out)
	}
	f.state = ground
	return f.step(out, c)
}

// end ends a sequence after its parameters as one that no key types.
func (f *filter) end(out []byte) []byte {
	out = append(out, noKey)
	if f.device {
		out = append(out, stringEnd...)
	}
	return out
}

// final takes the last byte of a sequence of control.
func (f *filter) final(out []byte, c byte) []byte {
	switch {
	case c == '_':
		// A key in the form of Windows, with how often it is typed: the program does not
		// turn that form on.
		c = noKey
	case c == '~' && !withTilde.Match(f.header):
		c = noKey
	case c == '~' && string(f.header) == "200":
		f.state, f.size, f.matched = pasted, 0, 0
	case c == 'M' && len(f.header) > 0 && f.header[0] != '<':
		c = noKey // the library takes the three bytes that follow for a mouse, be they half a letter
	case c == 'M' && len(f.header) == 0 && f.single:
		return append(out, esc, '[', noKey, c) // typed by hand: a letter
	case c == 'M' && len(f.header) == 0:
		f.state = mouse
		return out
	}
	return append(out, c)
}

// where takes one of the three bytes, from 32 on, that say where an old mouse is. One
// that would begin a sequence is nowhere.
func (f *filter) where(out []byte, c byte) []byte {
	f.header = append(f.header, c)
	if len(f.header) < 3 {
		return out
	}
	f.state = ground
	if slices.ContainsFunc(f.header, func(c byte) bool { return c >= 0x80 && c < 0xa0 }) {
		return append(out, noKey)
	}
	return append(append(out, 'M'), f.header...)
}

// text takes what is in a string.
func (f *filter) text(out []byte, c byte) []byte {
	isCut := f.state == cutText
	switch {
	case c == esc && isCut:
		f.state, f.told = cutTextEsc, false
		return out
	case c == esc:
		f.state, f.told = textEsc, false
		return out
	case c == bel && f.system, (c == can || c == sub) && !f.device:
		f.state = ground
	case c >= utf8.RuneSelf:
		return out // what a terminal says is ASCII; one of these would end it
	default:
		f.size++
	}
	switch {
	case isCut:
		return out
	case f.size > mostText:
		f.state = cutText
		return append(out, stringEnd...)
	}
	return append(out, c)
}

// afterText takes what comes after ESC in a string. The library takes any ESC for an
// end of it, and would lose the one of what comes next.
func (f *filter) afterText(out []byte, c byte) []byte {
	isCut := f.state == cutTextEsc
	if c == '\\' {
		f.state = ground
		switch {
		case f.told:
			return append(out, c)
		case isCut:
			return out
		}
		return append(out, stringEnd...)
	}
	if !isCut && !f.told {
		out = append(out, stringEnd...)
	}
	if !isCut || !f.told {
		out = append(out, esc)
	}
	f.state, f.fresh, f.header = escaped, true, f.header[:0]
	return f.step(out, c)
}

// paste takes what is pasted. The library looks for sequences in it, and takes some for
// its end, or for a string that hides its end: without ESC there are none.
func (f *filter) paste(out []byte, c byte) []byte {
	if c == esc {
		f.letter = nil
	}
	if c == pasteEnd[f.matched] {
		if f.matched++; f.matched < len(pasteEnd) {
			return out
		}
		f.matched = 0
		if f.state == pasted {
			out = append(out, pasteEnd...)
		}
		f.state = ground
		return out
	}
	seen := []byte(pasteEnd[min(1, f.matched):f.matched])
	f.matched = 0
	if c == esc {
		f.matched = 1
	} else {
		seen = append(seen, c)
	}
	for _, c := range seen {
		before := len(out)
		if f.state == pasted {
			out = f.character(out, c)
		}
		if f.size += len(out) - before; f.size >= mostPaste && f.state == pasted {
			f.state = cutPaste
			out = append(out, pasteEnd...)
		}
	}
	return out
}

// opensSequence says that a byte after ESC begins a sequence of control or a string.
func opensSequence(c byte) bool { return strings.IndexByte("[P]X^_", c) >= 0 }

func isParameter(c byte) bool    { return c >= '0' && c <= '?' }
func isIntermediate(c byte) bool { return c >= ' ' && c <= '/' }
func isFinal(c byte) bool        { return c >= '@' && c <= '~' }

// separators is the number of bytes that separate parameters.
func separators(header []byte) int {
	return bytes.Count(header, []byte(";")) + bytes.Count(header, []byte(":"))
}
