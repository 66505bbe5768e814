package citations

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// Page is a document as its sections hold it: joined in order, their texts are its
// markdown.
type Page struct {
	sections []store.Chunk
	// reach[i] is the furthest end of the sections up to i, in code points: those of a
	// stranger's corpus may overlap.
	reach []int
}

// NewPage makes a page of all its sections, read with store.FieldText. It keeps
// the slice and sorts it.
func NewPage(sections []store.Chunk) Page {
	slices.SortStableFunc(sections, func(a, b store.Chunk) int { return a.CharStart - b.CharStart })
	p := Page{sections: sections, reach: make([]int, len(sections))}
	furthest := 0
	for i := range sections {
		furthest = max(furthest, sections[i].CharEnd)
		p.reach[i] = furthest
	}
	return p
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

// at is the first section that has a code point, or -1.
func (p Page) at(point int) int {
	i, _ := slices.BinarySearch(p.reach, point+1)
	if i == len(p.sections) || p.sections[i].CharStart > point {
		return -1
	}
	return i
}

// Cite cuts the code points [start, end) out of the page, or fails with a
// [RangeError]. A span over several sections is attributed to the one in which it
// begins, and has the tokens of all of them.
func (p Page) Cite(start, end int) (Span, error) {
	c := cutter{page: p}
	return c.cite(start, end)
}

// cutter cuts spans out of a page. It keeps the text that it read last: the places of
// a quotation follow each other, and a text is read once for all that are in it.
type cutter struct {
	page        Page
	first, last int // the sections of source
	source      Source
	text        *offset.Index // of source; nil before the first
}

func (c *cutter) cite(start, end int) (Span, error) {
	if first, last := c.page.at(start), c.page.at(end-1); first >= 0 && last >= first {
		if c.text == nil || first != c.first || last != c.last {
			c.read(first, last)
		}
		if span, ok := extract(&c.source, c.text, start, end); ok {
			return span, nil
		}
	}
	return Span{}, &RangeError{Start: start, End: end, Len: c.page.end()}
}

// read reads the text of sections, from first to last.
func (c *cutter) read(first, last int) {
	sections := c.page.sections
	s := FromChunk(&sections[first])
	if last > first {
		var text strings.Builder
		for i := first; i <= last; i++ {
			text.WriteString(sections[i].ChunkText)
		}
		s.ChunkText, s.CharEnd, s.TokenEnd = text.String(), sections[last].CharEnd, sections[last].TokenEnd
	}
	c.first, c.last, c.source, c.text = first, last, s, offset.NewIndex(s.ChunkText)
}

// Find returns the places of a quote in the order of the page. Runs of white space
// and capitals do not matter; the spans have the words of the page. However many
// they are, the text is read once; the error is that of ctx.
func (p Page) Find(ctx context.Context, quote string) ([]Span, error) {
	q, ok := store.NewQuote(quote)
	if !ok {
		return nil, nil
	}
	var spans []Span
	c := cutter{page: p}
	found := q.Passages(p.sections)
	for i := range found {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if span, err := c.cite(found.At(i)); err == nil {
			spans = append(spans, span)
		}
	}
	return spans, nil
}

// leastBeginning is the fewest words that say where a quote was meant to be.
const leastBeginning = 2

// Beginning returns the place of the longest run of words that the quote begins
// with and the page has, and how many words these are; 0 for fewer than two. The
// error is that of ctx.
func (p Page) Beginning(ctx context.Context, quote string) (span Span, words int, err error) {
	all := strings.Fields(quote)
	// What is there with n words is there with fewer.
	for low, high := 1, len(all); low <= high; {
		n := (low + high) / 2
		found, err := p.Find(ctx, strings.Join(all[:n], " "))
		switch {
		case err != nil:
			return Span{}, 0, err
		case len(found) > 0:
			span, words, low = found[0], n, n+1
		default:
			high = n - 1
		}
	}
	if words < leastBeginning {
		return Span{}, 0, nil
	}
	return span, words, nil
}
