package convert

import (
	"bytes"
	"context"

	"golang.org/x/net/html"

	"github.com/webrag/webrag-tui/store"
)

const (
	// maxNest is how deep lists and quotes indent; what is deeper is written at
	// this depth. Without a bound the indentation of hostile pages outgrows them.
	maxNest = 8
	// checkEvery is the number of nodes between two looks at the context.
	checkEvery = 1024
)

// converter holds the state of one conversion.
type converter struct {
	ctx      context.Context
	err      error // set once; everything returns when it is
	steps    int
	maxOut   int
	resolver *resolver

	buf   []byte
	sep   int  // newlines due before the next line: 1, or 2 for a blank line
	tight bool // blocks of the enclosing list have no blank lines between them
	segs  []segment

	open      []span // the spans being written, outermost first
	unstarted int    // index in open of the first that wrote nothing yet
	pending   []span // closed spans whose parent is open
	arena     []span

	inl       inline
	ids       []string // fragments met since the last line began
	permalink string   // fragment of the last permalink met

	anchors map[int]string
	targets []Target
	keep    []int
	links   []Link
	linked  int // the length of all their addresses
	marks   []mark
	notes   int // depth of footnote and reference lists
}

// segment is one level of line prefix: a list item's marker or a quote's sign.
type segment struct {
	first, rest string
	used        bool
}

func newConverter(ctx context.Context, size int, r *resolver) *converter {
	return &converter{
		ctx:      ctx,
		maxOut:   8*size + 1<<20,
		resolver: r,
		buf:      make([]byte, 0, size/3+64),
		anchors:  map[int]string{},
	}
}

// maxLinked is the most bytes that the addresses of a page's links have together, each
// of which the base of the page may lengthen by 2 KB.
const maxLinked = 32 << 20

// step counts a node and reports whether to go on.
func (c *converter) step() bool {
	if c.err != nil {
		return false
	}
	c.steps++
	if c.steps%checkEvery == 0 {
		c.err = c.ctx.Err()
	}
	if len(c.buf)+len(c.inl.buf)+c.inl.extra > c.maxOut || max(c.linked, c.inl.extra) > min(c.maxOut, maxLinked) {
		c.err = errAmplified
	}
	return c.err == nil
}

// keepLink keeps a link. Its address may be much longer than what the page says of it,
// which is relative to a base.
func (c *converter) keepLink(l Link) {
	c.linked += len(l.TargetURL)
	c.links = append(c.links, l)
}

// line begins a line that starts a block, after the separation that is due, and
// returns its offset. All open spans that wrote nothing yet begin here.
func (c *converter) line() int {
	if len(c.buf) > 0 {
		c.buf = append(c.buf, '\n')
		if c.sep > 1 {
			c.blank()
			c.buf = append(c.buf, '\n')
		}
	}
	at := len(c.buf)
	c.startSpans(at)
	c.placeTargets(at)
	c.prefix()
	return at
}

// startSpans lets the open spans that wrote nothing yet begin at an offset.
func (c *converter) startSpans(at int) {
	for i := c.unstarted; i < len(c.open); i++ {
		c.open[i].start = at
	}
	c.unstarted = len(c.open)
}

func (c *converter) placeTargets(at int) {
	for _, id := range c.ids {
		c.targets = append(c.targets, Target{At: at, ID: id})
	}
	c.ids = c.ids[:0]
}

// next begins a further line of the same block.
func (c *converter) next() {
	c.buf = append(c.buf, '\n')
	c.prefix()
}

// done ends a block.
func (c *converter) done() {
	c.sep = 2
	if c.tight {
		c.sep = 1
	}
}

func (c *converter) prefix() {
	for i := range c.segs {
		s := &c.segs[i]
		if s.used {
			c.buf = append(c.buf, s.rest...)
			continue
		}
		s.used = true
		c.buf = append(c.buf, s.first...)
	}
}

// blank writes the prefix of an empty line. Levels that wrote nothing yet are
// not part of it: the line stands before them.
func (c *converter) blank() {
	at := len(c.buf)
	for i := range c.segs {
		if c.segs[i].used {
			c.buf = append(c.buf, c.segs[i].rest...)
		}
	}
	c.buf = c.buf[:at+len(bytes.TrimRight(c.buf[at:], " "))]
}

// indent is the width in bytes of the prefix of lines that are not first.
func (c *converter) indent() int {
	n := 0
	for i := range c.segs {
		n += len(c.segs[i].rest)
	}
	return n
}

// push adds a level of line prefix and reports whether it did; only then must
// the caller pop it.
func (c *converter) push(first, rest string) bool {
	if len(c.segs) >= maxNest {
		return false
	}
	c.segs = append(c.segs, segment{first: first, rest: rest})
	return true
}

func (c *converter) pop(pushed bool) {
	if pushed {
		c.segs = c.segs[:len(c.segs)-1]
	}
}

// begin opens a span for the siblings a to z.
func (c *converter) begin(k kind, a, z *html.Node, flags store.Flags) *span {
	c.open = append(c.open, span{start: -1, kids: len(c.pending), a: a, z: z, kind: k, flags: flags})
	return &c.open[len(c.open)-1]
}

// end closes the innermost span. A span that wrote nothing leaves no trace.
func (c *converter) end() {
	s := c.open[len(c.open)-1]
	c.open = c.open[:len(c.open)-1]
	c.unstarted = min(c.unstarted, len(c.open))
	if s.start < 0 {
		return
	}
	s.end = len(c.buf)
	kids := c.pending[s.kids:]
	c.pending = c.pending[:s.kids]
	if len(kids) == 1 && kids[0].kind == kindRun && s.kind != kindItem {
		// The run is all there is, so the node itself is the leaf.
		kids = kids[1:]
	}
	s.kids = len(c.arena)
	c.arena = append(c.arena, kids...)
	s.kidsEnd = len(c.arena)
	s.underneath = s.flags
	for _, k := range kids {
		s.underneath |= k.underneath
	}
	c.pending = append(c.pending, s)
}

// keepWithNext notes that the line at an offset belongs to what follows it.
func (c *converter) keepWithNext(at int) { c.keep = append(c.keep, at) }

// finish returns the page.
func (c *converter) finish() *Page {
	root := span{end: len(c.buf), kids: len(c.arena)}
	c.arena = append(c.arena, c.pending...)
	root.kidsEnd = len(c.arena)
	for _, s := range c.pending {
		root.underneath |= s.underneath
	}
	if len(c.buf) > 0 {
		c.buf = append(c.buf, '\n')
	}
	c.placeTargets(len(c.buf))
	return &Page{
		Markdown:     string(c.buf),
		Anchors:      c.anchors,
		Targets:      c.targets,
		KeepWithNext: c.keep,
		Links:        c.links,
		spans:        c.arena,
		root:         root,
		marks:        c.marks,
		resolver:     c.resolver,
	}
}
