package postings

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/webrag/webrag-tui/store"
)

// ErrDamaged says that bytes are not what this package made.
var ErrDamaged = errors.New("the postings are damaged")

// List is the postings of one term in one segment: their number, then for each the
// distance from the child before, with one of four kinds in the two lowest bits, and
// what its kind leaves open.
type List []byte

// The kinds of a posting: what most of them are like takes no byte.
const (
	kindOnce  = iota // once in the body
	kindBody         // in the body only: how often
	kindAll          // how often in the body, the headings, the title
	kindTitle        // once in the title
	kindBits  = 2
)

// Len is the number of postings.
func (l List) Len() int {
	n, size := binary.Uvarint(l)
	if size <= 0 || n > uint64(len(l)) {
		return 0
	}
	return int(n)
}

// Cursor reads the postings of a list. It is used so:
//
//	for c := l.Cursor(); c.Next(); {
//		// c.Child, c.Counts
//	}
type Cursor struct {
	rest []byte
	left int
	// Child is the number of the child, Counts how often the term is in its fields.
	Child  int32
	Counts store.FieldCounts
	// Damaged says that the list ended before its time.
	Damaged bool
}

// Cursor starts before the first posting.
func (l List) Cursor() Cursor {
	n, size := binary.Uvarint(l)
	if size <= 0 || n > uint64(len(l)-size) {
		return Cursor{Damaged: true}
	}
	return Cursor{rest: l[size:], left: int(n), Child: -1}
}

// Next goes to the next posting, if there is one.
func (c *Cursor) Next() bool {
	if c.left == 0 {
		return false
	}
	c.left--
	v, ok := c.number()
	child := int64(c.Child) + 1 + int64(v>>kindBits)
	if !ok || child > math.MaxInt32 {
		return c.fail()
	}
	c.Child = int32(child)
	switch v & (1<<kindBits - 1) {
	case kindOnce:
		c.Counts = store.FieldCounts{Body: 1}
	case kindTitle:
		c.Counts = store.FieldCounts{Title: 1}
	case kindBody:
		body, ok := c.count()
		c.Counts = store.FieldCounts{Body: body}
		return ok || c.fail()
	default:
		body, ok1 := c.count()
		heading, ok2 := c.count()
		title, ok3 := c.count()
		c.Counts = store.FieldCounts{Body: body, Heading: heading, Title: title}
		return ok1 && ok2 && ok3 || c.fail()
	}
	return true
}

func (c *Cursor) fail() bool {
	c.left, c.Damaged = 0, true
	return false
}

func (c *Cursor) count() (int, bool) {
	v, ok := c.number()
	return int(v), ok && v <= math.MaxInt32
}

// number reads a number below 2³³.
func (c *Cursor) number() (uint64, bool) {
	if len(c.rest) > 0 && c.rest[0] < 0x80 {
		v := uint64(c.rest[0])
		c.rest = c.rest[1:]
		return v, true
	}
	v, size := binary.Uvarint(c.rest)
	if size <= 0 || v>>kindBits > math.MaxInt32 {
		return 0, false
	}
	c.rest = c.rest[size:]
	return v, true
}

// listBuilder makes a list of postings that come in the order of their children.
type listBuilder struct {
	postings []byte
	n        int
	last     int32
}

func (b *listBuilder) add(child int32, counts store.FieldCounts) {
	distance := uint64(child)
	if b.n > 0 {
		distance = uint64(child - b.last - 1)
	}
	b.n, b.last = b.n+1, child
	put := func(v uint64) { b.postings = binary.AppendUvarint(b.postings, v) }
	switch counts {
	case store.FieldCounts{Body: 1}:
		put(distance << kindBits) // kindOnce is 0
	case store.FieldCounts{Title: 1}:
		put(distance<<kindBits | kindTitle)
	case store.FieldCounts{Body: counts.Body}:
		put(distance<<kindBits | kindBody)
		put(uint64(counts.Body))
	default:
		put(distance<<kindBits | kindAll)
		put(uint64(counts.Body))
		put(uint64(counts.Heading))
		put(uint64(counts.Title))
	}
}

// list returns what was added.
func (b *listBuilder) list() List {
	return append(binary.AppendUvarint(make([]byte, 0, len(b.postings)+3), uint64(b.n)), b.postings...)
}
