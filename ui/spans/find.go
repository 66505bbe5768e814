package spans

import (
	"sort"
	"strings"
	"unicode"
)

// prose is the text of a rendering for searching: its visible words in the
// order of the source, folded, with one blank where words are apart.
type prose struct {
	text string
	// at has the byte of each character of text and where its source is.
	at []proseRune
}

type proseRune struct {
	byteStart  int
	start, end int32 // code points of the source
}

func newProse(units []unit, points []int32) prose {
	var (
		p prose
		b strings.Builder
	)
	for i := range units {
		u := &units[i]
		if i > 0 && (units[i-1].container != u.container || units[i-1].end != u.start) {
			at := after(points, int32(units[i-1].end))
			p.at = append(p.at, proseRune{byteStart: b.Len(), start: at, end: at})
			b.WriteByte(' ')
		}
		for j, r := range u.visible {
			start, end := u.source(j, j+len(string(r)))
			p.at = append(p.at, proseRune{
				byteStart: b.Len(),
				start:     points[start], end: after(points, int32(end)),
			})
			b.WriteRune(fold(r))
		}
	}
	p.text = b.String()
	return p
}

// Find returns the spans of the source whose text reads like query, in source
// order: case and the kind and number of blanks do not matter, and markup
// between words is passed over. The spans have the level Found and do not
// overlap. A query of blanks finds nothing.
func (r *Rendering) Find(query string) []Span {
	wanted := strings.Map(fold, strings.Join(strings.Fields(query), " "))
	if wanted == "" {
		return nil
	}
	p := r.prose()
	var found []Span
	for from := 0; ; {
		at := strings.Index(p.text[from:], wanted)
		if at < 0 {
			return found
		}
		from += at
		first, last := p.index(from), p.index(from+len(wanted)-1)
		from += len(wanted)
		found = append(found, Span{Start: int(p.at[first].start), End: int(p.at[last].end), Level: Found})
	}
}

// index returns the character that byte b of the text belongs to.
func (p *prose) index(b int) int {
	return sort.Search(len(p.at), func(i int) bool { return p.at[i].byteStart > b }) - 1
}

// fold returns one representative for all cases of a letter.
func fold(r rune) rune {
	least := r
	if r > unicode.MaxASCII {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
	}
	if 'A' <= least && least <= 'Z' {
		least += 'a' - 'A'
	}
	return least
}
