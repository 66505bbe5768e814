package indexing

import "sort"

// cutter turns a document's blocks into the cut points of parents and children.
// The ceilings are hard: no parent and no child ever exceeds them.
type cutter struct {
	text    string
	blocks  []block
	tokens  *tokens
	keep    func(b *block) bool // keeps with the block after it
	opens   func(b *block) bool // begins something of its own, such as a caption
	term    func(b *block) bool // is a term of a definition list
	child   int                 // most tokens of a child
	parent  int                 // most tokens of a parent
	literal bool                // each block is a child
}

// tinyChild is the length, in tokens, up to which an entry of a definition list
// takes in the next one. Entries that share a vector are found by none of their
// terms: in a glossary one of a pair scored .25 for a question that its own
// vector answers with .38.
const tinyChild = 24

// groupSize is how many consecutive children make a parent where no headings do.
const groupSize = 4

// cutParents returns the ends of the parents, ascending; the last is the text's
// length.
func (c *cutter) cutParents(o *outline) []int {
	var ends []int
	for _, s := range o.sections(len(c.text)) {
		switch {
		case o.split == 0:
			ends = c.group(ends, s)
		case c.tokens.in(s.start, s.end) <= c.parent:
			ends = append(ends, s.end)
		default:
			ends = c.pack(ends, s)
		}
	}
	return ends
}

// join returns the ends of ranges after neighbours were joined from the first on,
// as long as they stay within a number of tokens together. Any two neighbours that
// remain are over it.
func (c *cutter) join(start int, ends []int, tokens int) []int {
	out := ends[:0]
	for _, end := range ends {
		if n := len(out); n > 0 && c.tokens.in(start, end) <= tokens {
			out[n-1] = end
			continue
		} else if n > 0 {
			start = out[n-1]
		}
		out = append(out, end)
	}
	return out
}

// group makes parents of consecutive children.
func (c *cutter) group(ends []int, s section) []int {
	start, n, last := s.start, 0, s.start
	for _, end := range c.cutChildren(s.start, s.end) {
		if n == groupSize || n > 0 && c.tokens.in(start, end) > c.parent {
			ends = append(ends, last)
			start, n = last, 0
		}
		n++
		last = end
	}
	return append(ends, s.end)
}

// boundary is a place where an oversize section may be cut.
type boundary struct {
	at    int
	score int
	// forced says that a block too big for one parent begins here: it starts a
	// parent of its own.
	forced bool
}

// Scores of a boundary by what stands around it; insideBlock is the last resort.
const (
	insideBlock    = 1
	afterParagraph = 2
	afterCode      = 3
	beforeH4       = 4
	beforeH3       = 5
)

// slack is the share of the ceiling that packing may give up for a better cut.
const slack = 0.25

// pack cuts a section over the ceiling: as much as fits, then back to the best
// boundary among the last quarter. Neither a heading nor a line that ends in a
// colon is the last of a parent. A larger ceiling never gives more parents,
// because each cut depends on the ceiling only through how far it may reach.
func (c *cutter) pack(ends []int, s section) []int {
	bounds := c.boundaries(s)
	for start := s.start; ; {
		if c.tokens.in(start, s.end) <= c.parent {
			return append(ends, s.end)
		}
		start = c.best(bounds, start)
		ends = append(ends, start)
	}
}

// best returns the end of the parent that begins at start.
func (c *cutter) best(bounds []boundary, start int) int {
	first := sort.Search(len(bounds), func(i int) bool { return bounds[i].at > start })
	limit := c.tokens.at(start) + c.parent
	low := limit - int(slack*float64(c.parent))
	best, score := start, 0
	for _, b := range bounds[first:] {
		at := c.tokens.at(b.at)
		if at > limit {
			break
		}
		switch {
		case at < low:
			best = b.at
		case b.score >= score:
			best, score = b.at, b.score
		}
		if b.forced {
			return b.at
		}
	}
	return best
}

// boundaries lists the places where a section may be cut. Blocks that keep with
// the next form a unit with it; a unit over the ceiling is cut like children.
func (c *cutter) boundaries(s section) []boundary {
	var out []boundary
	lo, hi := c.span(s.start, s.end)
	for i := lo; i < hi; {
		j := i
		for j+1 < hi && c.keep(&c.blocks[j]) {
			j++
		}
		start, end := c.blocks[i].start, c.blocks[j].end
		if i == lo {
			start = s.start
		}
		if c.tokens.in(start, end) > c.parent {
			if n := len(out); n > 0 {
				out[n-1].forced = true
			}
			cuts := c.cutChildren(start, end)
			for _, cut := range cuts[:len(cuts)-1] {
				out = append(out, boundary{at: cut, score: insideBlock})
			}
		}
		score := afterParagraph
		switch {
		case j+1 < hi && c.blocks[j+1].kind == kindHeading && c.blocks[j+1].level <= 3:
			score = beforeH3
		case j+1 < hi && c.blocks[j+1].kind == kindHeading:
			score = beforeH4
		case c.blocks[j].kind == kindFence || c.blocks[j].kind == kindTable:
			score = afterCode
		}
		out = append(out, boundary{at: end, score: score})
		i = j + 1
	}
	return out
}

// span returns the block indices [lo, hi) that overlap a byte range.
func (c *cutter) span(start, end int) (lo, hi int) {
	lo = sort.Search(len(c.blocks), func(i int) bool { return c.blocks[i].end > start })
	hi = sort.Search(len(c.blocks), func(i int) bool { return c.blocks[i].start >= end })
	return lo, hi
}

// cutChildren returns the ends of the children of a range, ascending; the last
// is its end. Whole blocks merge while they fit, but a heading begins a child. So
// does a term, unless the one before is tiny, and a caption or the title of an
// admonition unless it is under a quarter of the target. What announces a block
// joins it, and a block that is too long alone is split.
func (c *cutter) cutChildren(start, end int) []int {
	k := childCutter{cutter: c, from: start, leading: true, tail: -1}
	lo, hi := c.span(start, end)
	for i := lo; i < hi; i++ {
		b := &c.blocks[i]
		k.add(b, max(b.start, start), min(b.end, end))
	}
	if n := len(k.ends); n == 0 || k.ends[n-1] < end {
		k.ends = append(k.ends, end)
	}
	return k.ends
}

// childCutter is the state of cutting one range into children.
type childCutter struct {
	*cutter
	ends []int
	from int // start of the present child
	// leading says that the present child is empty or has only blocks that keep
	// with the next, its headings each deeper than the one before; level is the
	// last one's.
	leading bool
	level   int
	// tail is where the blocks at the end of the present child begin that keep
	// with the next, -1 when its last block does not.
	tail int
	// sealed says that nothing may join the present child.
	sealed bool
}

func (k *childCutter) cut(at int) {
	if at > k.from {
		k.ends = append(k.ends, at)
		k.from = at
	}
	k.leading, k.level, k.tail, k.sealed = true, 0, -1, false
}

// add takes the part [from, to) of block b, which follows what was added last.
func (k *childCutter) add(b *block, from, to int) {
	heading := b.kind == kindHeading
	switch {
	case k.sealed, k.literal, heading && (!k.leading || b.level <= k.level):
		k.cut(from)
	case !k.leading && k.opens(b) && k.tokens.in(k.from, from) > k.least(b):
		k.cut(from)
	case k.tail > k.from && k.tokens.in(k.from, to) > k.child && (!whole(b) || k.tokens.in(k.tail, to) <= k.child):
		k.cut(k.tail)
	}
	switch {
	case k.tokens.in(k.from, to) <= k.child:
	case k.tokens.in(from, to) <= k.child:
		k.addTight(b, from, to)
	default:
		k.addLong(b, from, to)
	}
	keeps := k.keep(b)
	switch {
	case !keeps:
		k.leading, k.tail = false, -1
	case k.tail < 0:
		k.tail = from
	}
	if heading {
		k.level = b.level
	}
}

// least is how many tokens the present child may have for b to join it although
// it begins something of its own.
func (k *childCutter) least(b *block) int {
	if k.term(b) {
		return min(tinyChild, k.child/4)
	}
	return k.child / 4
}

// addTight takes a block that fits into a child, but not behind what is there.
func (k *childCutter) addTight(b *block, from, to int) {
	if !k.leading || whole(b) {
		k.cut(from)
		return
	}
	// Only what announces it stands before it: better to cut the text than to leave them
	// alone, if a fair part of it can stay with them.
	room := k.child - k.tokens.in(k.from, from)
	if room < k.child/4 {
		k.cut(from)
		return
	}
	k.splitBlock(b, from, to, room)
}

// addLong takes a block that fits into no child.
func (k *childCutter) addLong(b *block, from, to int) {
	room := k.child - k.tokens.in(k.from, from)
	if !k.leading || room < k.child/4 {
		k.cut(from)
		room = k.child
	}
	k.splitBlock(b, from, to, room)
	// What is left of a long block stands alone, unless it is a mere scrap.
	k.sealed = k.tokens.in(k.from, to) > k.child/8
}

func (k *childCutter) splitBlock(b *block, from, to, room int) {
	s := splitter{tokens: k.tokens, limit: k.child, prose: b.kind != kindFence && b.kind != kindIndented}
	for _, at := range s.split(from, to, room) {
		k.cut(at)
	}
	k.leading = false
}

// whole says that a block loses its meaning when it is cut.
func whole(b *block) bool { return b.kind == kindFence || b.kind == kindTable }
