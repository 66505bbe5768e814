package spans

import "unicode"

// LineSpan returns the code points of the source from the first to the last that
// a line shows. It is false for a line that shows none.
func (r *Rendering) LineSpan(i int) (start, end int, ok bool) {
	if i < 0 || i >= len(r.lines) {
		return 0, 0, false
	}
	l := &r.lines[i]
	return int(l.start), int(l.end), l.start < l.end
}

// Words returns the spans of the visible words, in the order of the source: what
// stands between blanks or markup.
func (r *Rendering) Words() []Span {
	p := r.prose()
	var words []Span
	open := false
	at := 0
	for _, c := range p.text {
		place := p.at[at]
		at++
		if unicode.IsSpace(c) {
			open = false
			continue
		}
		if !open {
			words = append(words, Span{Start: int(place.start)})
			open = true
		}
		words[len(words)-1].End = int(place.end)
	}
	return words
}

// Slice returns the source between two code points.
func (r *Rendering) Slice(start, end int) string { return r.points.Slice(start, end) }
