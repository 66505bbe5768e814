package offset

import (
	"fmt"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// tabStop is the distance of two tab stops in cells. Terminals use eight; four
// keeps indented code inside narrow panes.
const tabStop = 4

// Displayed is a text made safe to draw, with the list of its edits. It is
// immutable and may be used from several goroutines.
//
// Positions are bytes here, because ranges of both texts are cut from Go
// strings; use an [Index] of the original for code points.
type Displayed struct {
	// Text contains line feeds but no other control character, no invalid byte
	// and no bidi control.
	Text  string
	edits []edit
}

// edit is one replaced run, in bytes of both texts.
type edit struct {
	source, sourceLen int
	shown, shownLen   int
}

// Display replaces what a terminal would interpret instead of showing: a byte
// order mark at the start is dropped, CRLF and lone CR become LF, other control
// characters become visible pictures (U+2400 and following, U+FFFD for C1),
// each invalid byte becomes one U+FFFD, U+2028 and U+2029 become a space, bidi
// controls are spelled out (⟨U+202E⟩), and a tab becomes blanks up to the next
// column that is a multiple of four.
//
// Unlike [Document] it changes nothing that is stored.
func Display(text string) *Displayed {
	d := &Displayed{Text: text}
	if isPlain(text) {
		return d
	}
	w := displayWriter{d: d}
	w.out.Grow(len(text) + len(text)/8)
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\t':
			w.replace(i, 1, strings.Repeat(" ", tabStop-w.column()%tabStop))
		case r == '\n':
			w.out.WriteByte('\n')
			w.startLine()
		case r == '\r':
			if strings.HasPrefix(text[i:], "\r\n") {
				n = 2
			}
			w.replace(i, n, "\n")
			w.startLine()
		case r == '\uFEFF' && i == 0:
			w.replace(i, n, "")
		default:
			if s, ok := visible(r, n); ok {
				w.replace(i, n, s)
			} else {
				w.out.WriteString(text[i : i+n])
			}
		}
		i += n
	}
	d.Text = w.out.String()
	return d
}

// isPlain reports that Display would change nothing, which is the usual case
// and saves the copy.
func isPlain(text string) bool {
	for i, r := range text {
		if r == '\n' {
			continue
		}
		if r == '\uFEFF' && i == 0 {
			return false
		}
		n := utf8.RuneLen(r)
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			n = 1
		}
		if _, ok := visible(r, n); ok {
			return false
		}
	}
	return true
}

// visible returns what stands for a rune that a terminal would interpret. size
// is the number of bytes the rune was decoded from, 1 for an invalid byte.
func visible(r rune, size int) (string, bool) {
	switch {
	case r == utf8.RuneError && size == 1:
		return "\uFFFD", true
	case r < ' ':
		return string(0x2400 + r), true
	case r == 0x7F:
		return "\u2421", true
	case r >= 0x80 && r <= 0x9F:
		return "\uFFFD", true
	case r == '\u2028' || r == '\u2029':
		return " ", true
	case r >= '\u202A' && r <= '\u202E', r >= '\u2066' && r <= '\u2069':
		return fmt.Sprintf("⟨U+%04X⟩", r), true
	}
	return "", false
}

type displayWriter struct {
	d   *Displayed
	out strings.Builder
	// cells is the column that the output reached at the byte measured. Only
	// tabs ask for it, so lines without tabs are never measured.
	cells, measured int
}

func (w *displayWriter) startLine() { w.cells, w.measured = 0, w.out.Len() }

func (w *displayWriter) column() int {
	w.cells += displaywidth.String(w.out.String()[w.measured:])
	w.measured = w.out.Len()
	return w.cells
}

func (w *displayWriter) replace(source, sourceLen int, s string) {
	w.d.edits = append(w.d.edits, edit{
		source: source, sourceLen: sourceLen,
		shown: w.out.Len(), shownLen: len(s),
	})
	w.out.WriteString(s)
}

// SourceStart returns the byte of the original at which a range starts that
// starts at the given byte of the displayed text. Inside a replacement that is
// where the replaced run starts. Positions outside the text are clamped.
func (d *Displayed) SourceStart(shown int) int {
	shown = clamp(shown, len(d.Text))
	i := sort.Search(len(d.edits), func(i int) bool { return d.edits[i].shown > shown }) - 1
	if i < 0 {
		return shown
	}
	e := d.edits[i]
	if shown < e.shown+e.shownLen {
		return e.source
	}
	return e.source + e.sourceLen + shown - e.shown - e.shownLen
}

// SourceEnd returns the byte of the original at which a range ends that ends at
// the given byte of the displayed text. Inside a replacement that is where the
// replaced run ends. Positions outside the text are clamped.
func (d *Displayed) SourceEnd(shown int) int {
	shown = clamp(shown, len(d.Text))
	i := sort.Search(len(d.edits), func(i int) bool { return d.edits[i].shown >= shown }) - 1
	if i < 0 {
		return shown
	}
	e := d.edits[i]
	if shown <= e.shown+e.shownLen {
		return e.source + e.sourceLen
	}
	return e.source + e.sourceLen + shown - e.shown - e.shownLen
}

func clamp(n, limit int) int { return max(0, min(n, limit)) }

// Trimmed is [Line] without the blanks at its ends.
func Trimmed(text string) string { return strings.TrimSpace(Line(text)) }

// Line returns text as one line that is safe to draw, for titles, paths, error
// texts and window titles: each line break and tab becomes a space, everything
// else is replaced as by [Display].
func Line(text string) string {
	text = strings.TrimPrefix(text, "\uFEFF")
	if isPlain(text) && !strings.Contains(text, "\n") {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		s, replaced := visible(r, n)
		switch {
		case strings.HasPrefix(text[i:], "\r\n"):
			n = 2
			out.WriteByte(' ')
		case r == '\n', r == '\r', r == '\t':
			out.WriteByte(' ')
		case replaced:
			out.WriteString(s)
		default:
			out.WriteString(text[i : i+n])
		}
		i += n
	}
	return out.String()
}

// Folded returns text as one line of words: control characters are dropped and white
// space becomes single spaces.
func Folded(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.Fields(text), " ")
}
