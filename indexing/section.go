package indexing

// section is a range of the text that stands for itself: a heading and what is
// under it, or the text before the first heading.
type section struct{ start, end int }

// outline holds a document's headings and what follows from them.
type outline struct {
	blocks []block
	// heads are the indices of the heading blocks.
	heads []int
	// split is the level whose headings open sections, 0 without headings.
	split int
}

func newOutline(blocks []block) outline {
	o := outline{blocks: blocks}
	var count [7]int
	for i := range blocks {
		if blocks[i].kind == kindHeading {
			o.heads = append(o.heads, i)
			count[blocks[i].level]++
		}
	}
	o.split = splitLevel(count)
	return o
}

// splitLevel chooses the level that sections are made of, from the number of
// headings of each. h2 are sections. A page whose only h1 is its title and that
// goes on with deeper headings is cut at those. Else the topmost level is.
func splitLevel(count [7]int) int {
	smallest := func(from int) int {
		for level := from; level < len(count); level++ {
			if count[level] > 0 {
				return level
			}
		}
		return 0
	}
	switch {
	case count[2] > 0:
		return 2
	case count[1] == 1 && smallest(3) > 0:
		return smallest(3)
	default:
		return smallest(1)
	}
}

// sections cuts the document. Every heading of the split level or above opens a
// section, so that a later h1 never joins the h2 before it; but a heading with
// nothing under it, directly followed by a deeper one, goes with that.
func (o *outline) sections(textLen int) []section {
	var starts []int
	onlyHeadings, level := false, 0
	for i := range o.blocks {
		b := &o.blocks[i]
		opens := b.kind == kindHeading && b.level <= o.split
		switch {
		case i == 0:
			starts = append(starts, b.start)
			onlyHeadings = b.kind == kindHeading
		case opens && !(onlyHeadings && b.level > level):
			starts = append(starts, b.start)
			onlyHeadings = true
		case b.kind != kindHeading:
			onlyHeadings = false
		}
		if b.kind == kindHeading {
			level = b.level
		}
	}
	out := make([]section, len(starts))
	for i, start := range starts {
		out[i] = section{start: start, end: textLen}
		if i+1 < len(starts) {
			out[i].end = starts[i+1]
		}
	}
	return out
}

// place says where in the outline a chunk begins.
type place struct {
	// heading is the nearest heading above of the levels that sections are named
	// by; path are the headings of all levels down to the chunk.
	heading string
	path    []string
	// at is the block index of the innermost heading, -1 for none.
	at int
}

// places walks the document once: it is asked with ascending starts.
type places struct {
	o *outline
	// run is the deepest level of the headings that a chunk begins with and that
	// count as its own: all of them for a child, those that open sections for a
	// parent, which may go on with siblings of a deeper one.
	run   int
	next  int // into o.heads
	stack []int
}

// at returns the place of a chunk in bytes [start, end). The headings that the
// chunk itself begins with count.
func (p *places) at(start, end int) place {
	for p.next < len(p.o.heads) {
		h := p.o.heads[p.next]
		if p.o.blocks[h].start >= end || p.o.blocks[h].start > start && !p.leads(h, start) {
			break
		}
		level := p.o.blocks[h].level
		for len(p.stack) > 0 && p.o.blocks[p.stack[len(p.stack)-1]].level >= level {
			p.stack = p.stack[:len(p.stack)-1]
		}
		p.stack = append(p.stack, h)
		p.next++
	}
	out := place{at: -1}
	naming := max(2, p.o.split)
	for _, h := range p.stack {
		b := &p.o.blocks[h]
		if b.title == "" {
			continue
		}
		out.path = append(out.path, b.title)
		out.at = h
		if b.level <= naming {
			out.heading = b.title
		}
	}
	return out
}

// leads says that only headings stand between start and the heading at block h,
// each deeper than the one before.
func (p *places) leads(h, start int) bool {
	if p.o.blocks[h].level > p.run {
		return false
	}
	for i := h; i > 0 && p.o.blocks[i].start > start; i-- {
		before := &p.o.blocks[i-1]
		if before.kind != kindHeading || before.level >= p.o.blocks[i].level {
			return false
		}
	}
	return true
}
