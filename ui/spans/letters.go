package spans

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"charm.land/glamour/v2/ansi"
	"github.com/webrag/webrag-tui/offset"
)

// letters are the visible characters of a text in the order in which they are
// read, blanks and accents left out and each folded, so that two ways of writing
// the same read alike.
type letters struct {
	read []rune
	// start and end are the code points of the source behind each; neither ever
	// falls.
	start, end []int32
}

// readingWidth is the width at which texts are read to be compared. It decides
// only how deep quotes and lists are shown as such.
const readingWidth = 80

// readLetters reads markdown as Render does, without drawing it. A parser that
// panics is an error.
func readLetters(markdown string) (l letters, err error) {
	defer func() {
		if r := recover(); r != nil {
			l, err = letters{}, fmt.Errorf("read markdown: %v", r)
		}
	}()
	shown := offset.Display(markdown[:cutAt(markdown, maxBytes)])
	o := Options{Width: readingWidth, Theme: ansi.StyleConfig{}, PlainTeX: true}
	units := instrument(parse(withoutPlaceholders(shown.Text), o, narrowTables{}), o).units
	points := pointTable(markdown, shown)
	for i := range units {
		l.add(&units[i], points)
	}
	return l, nil
}

func (l *letters) add(u *unit, points []int32) {
	for i, r := range u.visible {
		from, to := u.source(i, i+utf8.RuneLen(r))
		start, end := points[from], after(points, int32(to))
		if n := len(l.end); n > 0 && (start < l.start[n-1] || end < l.end[n-1]) {
			continue // shown out of order, so it is not part of the reading
		}
		before := len(l.read)
		if r < utf8.RuneSelf {
			l.put(fold(r), start, end)
		} else {
			for _, part := range norm.NFKD.String(string(r)) {
				l.put(alike(part), start, end)
			}
		}
		if i > 0 && before > 0 && unicode.In(r, unicode.Mn, unicode.Me) {
			l.end[before-1] = end // an accent goes with its letter
		}
	}
}

func (l *letters) put(r rune, start, end int32) {
	if r < 0 {
		return
	}
	l.read, l.start, l.end = append(l.read, r), append(l.start, start), append(l.end, end)
}

// alike returns one representative for the characters that converters and
// authors use for each other, -1 for those that are invisible.
func alike(r rune) rune {
	switch r {
	case '‘', '’', '‚', '‛', '′', 'ʼ':
		return '\''
	case '“', '”', '„', '‟', '″', '«', '»':
		return '"'
	case '‐', '‑', '‒', '–', '—', '―', '−':
		return '-'
	case '⁄', '∕':
		return '/'
	}
	if unicode.IsSpace(r) || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return -1
	}
	return fold(r)
}
