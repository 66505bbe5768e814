package indexing

import (
	"context"
	"errors"
	"fmt"
)

// Bounds of one page. Of 2,500 real pages of documentation (make corpora) the one with
// the most has 694 sections and 3,515 passages, in 1.9 MB. A page of the greatest size as
// dense as the densest of them would have 10,600 sections, some of which would be joined,
// and 21,000 passages. What is far beyond was written to exhaust whoever indexes it, or
// is data.
const (
	// MaxSections, and MaxPassages with it, are the most that a page is cut into. Of a page
	// with more, neighbours are joined as long as they fit into one; what then still
	// has more is refused.
	MaxSections = 8_000
	MaxPassages = 32_000 // see MaxSections
	// maxBlocks is the most paragraphs, headings and so on of a page.
	maxBlocks = 400_000
	// maxHeading is the most runes of a heading or title, which all passages under it
	// repeat. The line itself stays as it is.
	maxHeading = 400
	// maxHeader is the longest head of a table or code block, in bytes, that is
	// embedded with each further piece of it.
	maxHeader = 2048
	// maxAddresses is how many bytes the addresses of a page's links and images have
	// together. Resolved they are as long as the page's own, however short they are in
	// it.
	maxAddresses = 64 << 20
)

// ErrTooManyParts is the error of a page that would be cut into more sections or
// passages than [MaxSections] and [MaxPassages], or has too many paragraphs to be cut.
var ErrTooManyParts = errors.New("too many parts for one page: split it into several pages")

// ErrLongAddress is the error of a page whose address is longer than 2,048 bytes.
var ErrLongAddress = errors.New("its address is longer than 2,048 bytes")

// maxAliases is the most further addresses of a page.
const maxAliases = 1_000

// ErrManyAliases is the error of a page with more than 1,000 further addresses.
var ErrManyAliases = errors.New("more url_aliases than the 1,000 that a page may have: name those that links or questions use")

// parts cuts the page: the ends of its parents, and for each the ends of its
// children. Where there are more than a page may have, neighbours are joined.
func (w *derivation) parts(ctx context.Context) (parents []int, children [][]int, err error) {
	c := w.page.cutter(&w.o)
	parents = c.cutParents(&w.page.outline)
	if len(parents) > MaxSections {
		parents = c.join(0, parents, c.parent)
	}
	if len(parents) > MaxSections {
		return nil, nil, fmt.Errorf("%d sections: %w", len(parents), ErrTooManyParts)
	}
	children = make([][]int, len(parents))
	passages, start := 0, 0
	for i, end := range parents {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		children[i] = c.cutChildren(start, end)
		passages += len(children[i])
		start = end
	}
	if passages > MaxPassages {
		passages, start = 0, 0
		for i, end := range parents {
			children[i] = c.join(start, children[i], c.child)
			passages += len(children[i])
			start = end
		}
	}
	if passages > MaxPassages {
		return nil, nil, fmt.Errorf("%d passages: %w", passages, ErrTooManyParts)
	}
	return parents, children, nil
}
