//go:build linux

package main

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// marker stands in every sequence that an attack smuggles in, so that the
// program's own sequences are told from it.
const marker = "PWN3D"

// number is marker for sequences that only take numbers.
const number = "31337"

// smuggled are control sequences that must never reach a terminal.
var smuggled = []string{
	"\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(marker)) + "\a", // writes the clipboard
	"\x1b]0;" + marker + "\x1b\\",                                           // sets the title
	"\x1b]8;id=" + marker + ";http://x.example/\x1b\\link\x1b]8;;\x1b\\",    // a link
	"\x1b[" + number + "m\x1b[" + number + "H\x1b[?" + number + "h",         // colour, cursor, mode
	"\x1bP$q" + marker + "\x1b\\",                                           // asks the terminal something that it types back
	"\x1b_" + marker + "\x1b\\\x1b^" + marker + "\x1b\\\x1bX" + marker + "\x1b\\",
	"\u009d0;" + marker + "\u009c\u009b" + number + "m", // C1, as UTF-8
	"\x9d0;" + marker + "\x9c\x9b" + number + "m",       // C1, as bytes
	"\r" + marker + "\b\x7f\x00\x07\x0b\x0c\x0e\x0f",    // overwrites what stands there
	"\u202e" + marker + "\u202c\u2066\u2069\u200f",      // turns the direction round
	"\x1b]52;c;" + strings.Repeat(marker, 50),           // has no end
	"\x1bc\x1b[2J\x1b7\x1b8\x1b(0\x1b#8",                // resets, wipes, other letters
}

// plain says which character of a command's output a terminal would obey. JSON,
// which escapes nothing but the ASCII ones, must not hold them either; the marks
// of direction are data there.
func plain(s string) error {
	json := strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[")
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		bad := ""
		switch {
		case r == utf8.RuneError && size == 1:
			bad = "the invalid byte"
		case r == '\n', r == '\t':
		case r < 0x20, r >= 0x7f && r < 0xa0:
			bad = "the control character"
		case !json && (r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069):
			bad = "the mark of direction"
		}
		if bad != "" {
			return fmt.Errorf("holds %s %q, in %q", bad, s[i:i+size], around(s, i))
		}
		i += size
	}
	return nil
}

func around(s string, i int) string { return s[max(0, i-30):min(len(s), i+40)] }

// sequence is one of a terminal's: a string (OSC, DCS, APC, PM, SOS) with its
// end, or a CSI.
var sequence = regexp.MustCompile(`(?s)\x1b([\]P_^X])(.*?)(?:\x1b\\|\a)|\x1b\[([0-9:;<=>?]*)[ -/]*([@-~])`)

// drawn says what in the bytes that the explorer sent to its terminal is not its
// own: a sequence with a marker in it, a link that is no plain address, or a
// control character that no sequence explains.
func drawn(raw string) error {
	for _, at := range sequence.FindAllStringSubmatchIndex(raw, -1) {
		whole := raw[at[0]:at[1]]
		if at[2] < 0 {
			if strings.Contains(whole, number) {
				return fmt.Errorf("the terminal was sent %q", whole)
			}
			continue
		}
		kind, text := raw[at[2]:at[3]], raw[at[4]:at[5]]
		link, isLink := strings.CutPrefix(text, "8;")
		switch {
		case kind == "]" && isLink:
			id, address, _ := strings.Cut(link, ";")
			if strings.Contains(id, marker) || strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
				return fmt.Errorf("the terminal was sent the link %q", address)
			}
			if scheme, _, _ := strings.Cut(address, ":"); address != "" && scheme != "http" && scheme != "https" && scheme != "file" && scheme != "mailto" {
				return fmt.Errorf("the terminal was sent the link %q", address)
			}
		case strings.Contains(text, marker), strings.Contains(text, base64.StdEncoding.EncodeToString([]byte(marker))):
			return fmt.Errorf("the terminal was sent %q", whole)
		}
	}
	rest := sequence.ReplaceAllString(raw, "")
	for i, r := range rest {
		switch {
		case r == utf8.RuneError && i+utf8.UTFMax < len(rest) && rest[i] != "\uFFFD"[0]:
			return fmt.Errorf("the terminal was sent the byte %q, in %q", rest[i], around(rest, i))
		case r >= 0x80 && r < 0xa0, r == 0x7f, r == 0, r == '\a', r == 0x0b, r == 0x0c,
			r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return fmt.Errorf("the terminal was sent %q, in %q", r, around(rest, i))
		}
	}
	if i := strings.Index(rest, "\x1b]52"); i >= 0 {
		return fmt.Errorf("the terminal was sent %q", around(rest, i))
	}
	return nil
}
