package offset

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Writer writes text to a terminal, or to what may end up on one, and lets nothing
// through that a terminal would obey: it replaces what [Display] replaces, but for
// tabs. Of control sequences only those pass that it was given. It writes what
// [Line], [Display] and [JSON] have made as it is: it is the net below them, for what
// was forgotten.
//
// A character or sequence may be split between two calls of Write; its beginning
// waits for the rest. It is not safe for use from several goroutines.
type Writer struct {
	w       io.Writer
	allowed []string
	// waiting is the beginning of a character or of an allowed sequence.
	waiting []byte
	err     error
}

// NewWriter returns a writer to w that lets the given sequences pass.
func NewWriter(w io.Writer, allowed ...string) *Writer { return &Writer{w: w, allowed: allowed} }

// Err is the first error of writing, for those who write much and ask at the end.
func (t *Writer) Err() error { return t.err }

// Write writes text. It returns the number of bytes of text that were taken.
func (t *Writer) Write(text []byte) (int, error) {
	rest := text
	if len(t.waiting) > 0 {
		rest = slices.Concat(t.waiting, text)
	}
	var out bytes.Buffer
	out.Grow(len(rest))
	for len(rest) > 0 {
		n, waits := t.sequence(rest)
		if waits || n == 0 && !utf8.FullRune(rest) {
			break
		}
		if n > 0 {
			out.Write(rest[:n])
			rest = rest[n:]
			continue
		}
		r, size := utf8.DecodeRune(rest)
		if s, replaced := visible(r, size); replaced && r != '\n' && r != '\t' {
			out.WriteString(s)
		} else {
			out.Write(rest[:size])
		}
		rest = rest[size:]
	}
	t.waiting = append([]byte(nil), rest...)
	if _, err := t.w.Write(out.Bytes()); err != nil {
		t.err = cmp.Or(t.err, err)
		return 0, err
	}
	return len(text), nil
}

// Address returns a URL as a terminal's hyperlink (OSC 8) may hold it: bytes from 32
// to 126 and nothing else, as the specification of these links has it. All others are
// percent-encoded, which leads to the same place.
func Address(url string) string {
	isOther := func(r rune) bool { return r < 0x20 || r > 0x7e }
	if strings.IndexFunc(url, isOther) < 0 {
		return url
	}
	var out strings.Builder
	for i := range len(url) {
		if c := url[i]; isOther(rune(c)) {
			fmt.Fprintf(&out, "%%%02X", c)
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}

// sequence returns the length of the allowed sequence that text begins with, 0 for
// none, and whether text is only the beginning of one.
func (t *Writer) sequence(text []byte) (n int, waits bool) {
	if text[0] != '\x1b' {
		return 0, false
	}
	for _, s := range t.allowed {
		if bytes.HasPrefix(text, []byte(s)) {
			return len(s), false
		}
		waits = waits || strings.HasPrefix(s, string(text[:min(len(text), len(s))]))
	}
	return 0, waits
}
