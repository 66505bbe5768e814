package judgment

import (
	"bytes"
	"sort"
	"unicode"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/store"
)

// mostPlaces is how many places of one quote are looked at: of a letter that was quoted
// there may be a million.
const mostPlaces = 1000

// stretch is text of a page in the form in which quotes are looked for: runs of
// white space are one space.
type stretch struct {
	// section is the id of the only section that the stretch is of, where offsets do not
	// tell one from another; else empty.
	section string
	bytes   []byte
	// points[i] is the code point of the page that byte i came from.
	points []int32
}

// layOut joins the sections of a page, which are in its order. They are one stretch, so that
// a quote may go from one into the next; but where two begin at the same place, as all do
// in a corpus that has no offsets, each is its own.
func layOut(sections []store.Chunk) []stretch {
	starts := map[int]bool{}
	apart, length := false, 0
	for i := range sections {
		if c := &sections[i]; c.ChunkText != "" {
			length += len(c.ChunkText) + 1
			apart = apart || starts[c.CharStart]
			starts[c.CharStart] = true
		}
	}
	page := make([]stretch, 1, len(sections)+1)
	if !apart {
		page[0] = stretch{bytes: make([]byte, 0, length), points: make([]int32, 0, length)}
	}
	end := 0
	for i := range sections {
		c := &sections[i]
		if apart {
			page, end = append(page, stretch{section: c.ID}), 0
		}
		t := &page[len(page)-1]
		if c.CharStart > end {
			t.add(' ', end) // something stands between both
		}
		end = t.addText(c.ChunkText, c.CharStart)
	}
	return page
}

// addText appends a text that starts at a code point of the page, and returns the code
// point after it.
func (t *stretch) addText(s string, point int) int {
	for _, r := range s {
		t.add(r, point)
		point++
	}
	return point
}

func (t *stretch) add(r rune, point int) {
	if r < utf8.RuneSelf && r > ' ' {
		t.bytes, t.points = append(t.bytes, byte(r)), append(t.points, int32(point))
		return
	}
	if unicode.IsSpace(r) {
		if n := len(t.bytes); n > 0 && t.bytes[n-1] == ' ' {
			return
		}
		r = ' '
	}
	before := len(t.bytes)
	t.bytes = utf8.AppendRune(t.bytes, r)
	for range len(t.bytes) - before {
		t.points = append(t.points, int32(point))
	}
}

// place is where a quote stands: code points of the page.
type place struct {
	section    string
	start, end int
}

func (t *stretch) at(i, length int) place {
	return place{t.section, int(t.points[i]), int(t.points[i+length-1]) + 1}
}

// locate finds a quote, which is collapsed, on a page: where it stood if it still does,
// else as near to there as it stands.
func locate(page []stretch, quote []byte, start, end int) (best place, _ State) {
	exact := 0
	for i := range page {
		if p, ok := page[i].stands(quote, start, end); ok {
			if exact++; exact == 1 {
				best = p
			}
		}
	}
	switch exact {
	case 0:
	case 1:
		return best, Exact
	default:
		return best, Ambiguous // nothing tells these sections apart
	}
	n := 0
	for i := range page {
		t := &page[i]
		for from := 0; n < mostPlaces; n++ {
			at := bytes.Index(t.bytes[from:], quote)
			if at < 0 {
				break
			}
			p := t.at(from+at, len(quote))
			if n == 0 || distance(p.start, start) < distance(best.start, start) {
				best = p
			}
			from += at + 1
		}
	}
	switch n {
	case 0:
		return best, Orphaned
	case 1:
		return best, Moved
	}
	return best, Ambiguous
}

func distance(a, b int) int { return max(a-b, b-a) }

// stands reports that the quote is where it stood, but for white space around it.
func (t *stretch) stands(quote []byte, start, end int) (p place, ok bool) {
	i := sort.Search(len(t.points), func(i int) bool { return int(t.points[i]) >= start })
	if i < len(t.bytes) && t.bytes[i] == ' ' {
		i++
	}
	if i >= len(t.bytes) || !bytes.HasPrefix(t.bytes[i:], quote) {
		return p, false
	}
	p = t.at(i, len(quote))
	before := p.start == start || i > 0 && t.bytes[i-1] == ' ' && int(t.points[i-1]) <= start
	i += len(quote)
	after := p.end == end || end > p.end && i < len(t.bytes) && t.bytes[i] == ' ' && (i+1 == len(t.points) || int(t.points[i+1]) >= end)
	return p, before && after
}
