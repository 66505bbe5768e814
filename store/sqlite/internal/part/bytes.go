package part

import (
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/webrag/webrag-tui/store"
)

// ErrDamaged is the error for bytes that Encode did not make.
var ErrDamaged = errors.New("the packed chunks of a document are damaged")

// format is the first byte, for whoever changes what follows it.
const format = 1

// leastRow is how many bytes a row takes at least: its id and ten numbers.
const leastRow = 16 + 10

// Encode writes a part as bytes, about 30 for a parent with its headings and 60 for a
// child. Owner and ingestion are those of its document: a part of another owner or
// ingestion than the document has is none.
func (p *Part) Encode(owner, ingestion string) []byte {
	b := make([]byte, 0, 64+32*len(p.Sections)+64*len(p.Rows))
	b = append(b, format)
	text := make([]byte, 0, 64)
	note := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		text = append(text, s...)
	}
	note(owner)
	note(ingestion)
	for _, n := range []int{p.Stale, p.Parents, len(p.Rows), len(p.Sections), len(p.oddHashes)} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for i := range p.Sections {
		s := &p.Sections[i]
		note(s.Heading)
		note(s.Anchor)
		note(s.Path)
		note(s.Omitted)
	}
	for _, r := range slices.Sorted(maps.Keys(p.oddHashes)) {
		b = binary.AppendUvarint(b, uint64(r))
		note(p.oddHashes[r])
	}
	var last Row
	for r := range p.Rows {
		x := &p.Rows[r]
		for _, n := range [...]int64{
			x.Seq - last.Seq, int64(x.Index), int64(x.CharStart - last.CharStart), int64(x.CharEnd - x.CharStart),
			int64(x.TokenStart - last.TokenStart), int64(x.TokenEnd - x.TokenStart), int64(x.Parent - last.Parent),
			int64(x.Section - last.Section), int64(x.HTMLTokens),
		} {
			b = binary.AppendVarint(b, n)
		}
		b = binary.AppendUvarint(b, uint64(x.Flags))
		b = append(b, byte(x.State))
		b = append(b, x.ID[:]...)
		last = *x
	}
	for i, h := range p.hashes {
		if r := int32(p.Parents + i); p.Rows[r].State&Hashed != 0 && p.oddHashes[r] == "" {
			b = append(b, h[:]...)
		}
	}
	return append(b, text...)
}

// Decode is the part that Encode made b of, with its document's owner and ingestion.
// It fails with ErrDamaged for any bytes that would not do for a part, and keeps
// nothing of b.
func Decode(b []byte) (p *Part, owner, ingestion string, err error) {
	d := decoder{b: b}
	if d.byte() != format {
		return nil, "", "", ErrDamaged
	}
	// Lengths come first and the texts last, in the same order.
	lengths := make([]int, 0, 16)
	note := func() { lengths = append(lengths, d.count(math.MaxInt32)) }
	note()
	note()
	p = &Part{Stale: d.count(math.MaxInt32), Parents: d.count(math.MaxInt32)}
	rows, sections, odd := d.count(len(b)/leastRow), d.count(len(b)/4), d.count(len(b)/2)
	if d.failed || p.Parents > rows || odd > rows-p.Parents {
		return nil, "", "", ErrDamaged
	}
	lengths = slices.Grow(lengths, 4*sections+odd)
	for range 4 * sections {
		note()
	}
	oddRows := make([]int32, odd)
	for i := range oddRows {
		oddRows[i] = int32(d.count(rows - 1))
		note()
	}
	if err := d.rows(p, rows, sections); err != nil {
		return nil, "", "", err
	}
	if !d.hashes(p, oddRows) {
		return nil, "", "", ErrDamaged
	}
	text := d.texts(lengths)
	if d.failed {
		return nil, "", "", ErrDamaged
	}
	owner, ingestion = text(), text()
	p.Sections = make([]Section, sections)
	for i := range p.Sections {
		p.Sections[i] = Section{Heading: text(), Anchor: text(), Path: text(), Omitted: text()}
	}
	for _, r := range oddRows {
		p.oddHashes[r] = text()
		if p.oddHashes[r] == "" {
			return nil, "", "", ErrDamaged
		}
	}
	p.nameVectors()
	return p, owner, ingestion, nil
}

// decoder reads bytes from their beginning. What it returns after a failure is zero.
type decoder struct {
	b      []byte
	failed bool
}

func (d *decoder) byte() byte {
	if len(d.b) == 0 {
		d.failed = true
		return 0
	}
	x := d.b[0]
	d.b = d.b[1:]
	return x
}

func (d *decoder) take(n int) []byte {
	if n > len(d.b) {
		d.failed = true
		return nil
	}
	x := d.b[:n]
	d.b = d.b[n:]
	return x
}

// count reads a number from 0 to most.
func (d *decoder) count(most int) int {
	x, n := binary.Uvarint(d.b)
	if n <= 0 || most < 0 || x > uint64(most) {
		d.failed = true
		return 0
	}
	d.b = d.b[n:]
	return int(x)
}

func (d *decoder) number() int64 {
	if len(d.b) > 0 && d.b[0] < 0x80 { // most are of one byte
		x := int64(d.b[0]>>1) ^ -int64(d.b[0]&1)
		d.b = d.b[1:]
		return x
	}
	x, n := binary.Varint(d.b)
	if n <= 0 {
		d.failed = true
		return 0
	}
	d.b = d.b[n:]
	return x
}

// rows reads n rows, which refer to some sections.
func (d *decoder) rows(p *Part, n, sections int) error {
	p.Rows = make([]Row, n)
	var last struct{ seq, charStart, tokenStart, parent, section int64 }
	for r := range p.Rows {
		x := &p.Rows[r]
		last.seq += d.number()
		index := d.number()
		last.charStart += d.number()
		charEnd := last.charStart + d.number()
		last.tokenStart += d.number()
		tokenEnd := last.tokenStart + d.number()
		before := last.parent
		last.parent += d.number()
		last.section += d.number()
		htmlTokens := d.number()
		flags := d.count(math.MaxUint8)
		state := State(d.byte())
		id := d.take(len(x.ID))
		if d.failed || store.CheckPlace(index, last.charStart, charEnd, last.tokenStart, tokenEnd, htmlTokens) != nil {
			return ErrDamaged
		}
		// Parents come first and have none; their children follow in their order.
		isParent := r < p.Parents
		switch {
		case last.section < 0 || last.section >= int64(sections), state > Cont|Embedded|Hashed,
			isParent && (state&Hashed != 0 || last.parent != -1),
			!isParent && (last.parent < max(before, 0) || last.parent >= int64(p.Parents)):
			return ErrDamaged
		}
		*x = Row{
			Seq: last.seq, Index: int32(index), CharStart: int32(last.charStart), CharEnd: int32(charEnd),
			TokenStart: int32(last.tokenStart), TokenEnd: int32(tokenEnd), Parent: int32(last.parent),
			Section: int32(last.section), HTMLTokens: int32(htmlTokens), Flags: store.Flags(flags), State: state,
		}
		copy(x.ID[:], id)
	}
	return nil
}

// hashes reads the hashes of the children that have one, but for those of odd rows.
func (d *decoder) hashes(p *Part, odd []int32) bool {
	p.hashes = make([][32]byte, len(p.Rows)-p.Parents)
	for i, r := range odd {
		if int(r) < p.Parents || p.Rows[r].State&Hashed == 0 || i > 0 && r <= odd[i-1] {
			return false
		}
	}
	if len(odd) > 0 {
		p.oddHashes = make(map[int32]string, len(odd))
	}
	for i := range p.hashes {
		r := int32(p.Parents + i)
		if len(odd) > 0 && odd[0] == r {
			odd = odd[1:]
		} else if p.Rows[r].State&Hashed != 0 {
			copy(p.hashes[i][:], d.take(len(p.hashes[i])))
		}
	}
	return !d.failed
}

// texts returns what gives one text after the other; all share one string.
func (d *decoder) texts(lengths []int) func() string {
	sum := 0
	for _, n := range lengths {
		sum += n
		if sum > len(d.b) {
			break
		}
	}
	if sum != len(d.b) {
		d.failed = true
		return nil
	}
	all := string(d.b)
	return func() string {
		s := all[:lengths[0]]
		all, lengths = all[lengths[0]:], lengths[1:]
		return s
	}
}
