package citations

import (
	"fmt"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/store"
)

// Page is a document as its sections hold it: joined in order, their texts are its
// markdown.
type Page struct{ sections []store.Chunk }

// NewPage makes a page of all its sections, read with store.FieldText. It keeps
// the slice and sorts it.
func NewPage(sections []store.Chunk) Page {
	slices.SortStableFunc(sections, func(a, b store.Chunk) int { return a.CharStart - b.CharStart })
	return Page{sections}
}

// RangeError reports offsets between which a page has no text.
type RangeError struct {
	// Start and End were asked for, in code points; the page ends at Len.
	Start, End, Len int
}

func (e *RangeError) Error() string {
	switch {
	case e.End <= e.Start:
		return fmt.Sprintf("%d-%d is no span: it must end after it begins", e.Start, e.End)
	default:
		return fmt.Sprintf("%d-%d is not within the page, which has the characters 0 to %d", e.Start, e.End, e.Len)
	}
}

// end is the code point after the last one.
func (p Page) end() int {
	if len(p.sections) == 0 {
		return 0
	}
	return p.sections[len(p.sections)-1].CharEnd
}

// Cite cuts the code points [start, end) out of the page, or fails with a
// [RangeError]. A span over several sections is attributed to the one in which it
// begins, and has the tokens of all of them.
func (p Page) Cite(start, end int) (Span, error) {
	outside := &RangeError{Start: start, End: end, Len: p.end()}
	first := slices.IndexFunc(p.sections, func(c store.Chunk) bool { return c.CharStart <= start && start < c.CharEnd })
	last := slices.IndexFunc(p.sections, func(c store.Chunk) bool { return c.CharStart < end && end <= c.CharEnd })
	if first < 0 || last < first {
		return Span{}, outside
	}
	s := FromChunk(&p.sections[first])
	if last > first {
		var text strings.Builder
		for i := first; i <= last; i++ {
			text.WriteString(p.sections[i].ChunkText)
		}
		s.ChunkText, s.CharEnd, s.TokenEnd = text.String(), p.sections[last].CharEnd, p.sections[last].TokenEnd
	}
	span, ok := Extract(s, start, end)
	if !ok {
		return Span{}, outside
	}
	return span, nil
}

// Find returns the places of a quote in the order of the page. Runs of white space
// and capitals do not matter; the spans have the words of the page.
func (p Page) Find(quote string) []Span {
	q, ok := store.NewQuote(quote)
	if !ok {
		return nil
	}
	var spans []Span
	found := q.Passages(p.sections)
	for i := range found {
		if span, err := p.Cite(found.At(i)); err == nil {
			spans = append(spans, span)
		}
	}
	return spans
}

// leastBeginning is the fewest words that say where a quote was meant to be.
const leastBeginning = 2

// Beginning returns the place of the longest run of words that the quote begins
// with and the page has, and how many words these are; false for fewer than two.
func (p Page) Beginning(quote string) (span Span, words int, ok bool) {
	all := strings.Fields(quote)
	has := func(n int) []Span { return p.Find(strings.Join(all[:n], " ")) }
	// What is there with n words is there with fewer.
	missing := 1
	for low, high := 1, len(all); low <= high; missing = low {
		if n := (low + high) / 2; len(has(n)) > 0 {
			low = n + 1
		} else {
			high = n - 1
		}
	}
	if words = missing - 1; words < leastBeginning {
		return Span{}, 0, false
	}
	return has(words)[0], words, true
}
