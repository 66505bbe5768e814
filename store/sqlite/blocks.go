package sqlite

import (
	"slices"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/quantise"
)

// blockRows is the number of vectors in a block.
const blockRows = 1024

// vectorBlocks are the bytes of unit vectors in memory, numbered by slots, in blocks of
// blockRows that are allocated once and never moved. Their floats stay in the file.
//
// A value is immutable in what it holds: slots below its size never change.
// Appending returns a larger value that shares the blocks and writes only
// beyond the size, where no other value reads, as long as each value is
// appended to at most once.
type vectorBlocks struct {
	dims   int
	size   int // slots in use
	blocks []byteBlock
	// floats are those that were read of late.
	floats *floatCache
}

func newBlocks(dims int) vectorBlocks { return vectorBlocks{dims: dims, floats: &floatCache{}} }

// byteBlock is the vectors of a block as bytes.
type byteBlock struct {
	rows  []int8
	notes []quantise.Note
}

// grown returns blocks with room for n more slots, counted as in use.
func (b vectorBlocks) grown(n int) vectorBlocks {
	b.size += n
	if need := (b.size + blockRows - 1) / blockRows; need > len(b.blocks) {
		b.blocks = slices.Grow(slices.Clip(b.blocks), need-len(b.blocks))
		for len(b.blocks) < need {
			b.blocks = append(b.blocks, byteBlock{make([]int8, blockRows*quantise.Stride(b.dims)), make([]quantise.Note, blockRows)})
		}
	}
	return b
}

// encode makes the bytes of a slot from its vector.
func (b vectorBlocks) encode(slot int, v []float32) {
	row, note := b.run(slot, slot+1)
	note[0] = quantise.Encode(row, v)
}

// run returns the bytes of the vectors from a slot to the end of its block or to slot
// end, and what is known of each.
func (b vectorBlocks) run(slot, end int) (rows []int8, notes []quantise.Note) {
	from, first, stride := b.blocks[slot/blockRows], slot%blockRows, quantise.Stride(b.dims)
	last := first + min(end-slot, blockRows-first)
	return from.rows[first*stride : last*stride], from.notes[first:last]
}

// runs calls do with the runs of n slots.
func (b vectorBlocks) runs(slot, n int, do func(rows []int8, notes []quantise.Note)) {
	for end := slot + n; slot < end; {
		rows, notes := b.run(slot, end)
		do(rows, notes)
		slot += len(notes)
	}
}

// copy fills n slots with those of other blocks.
func (b vectorBlocks) copy(slot int, from vectorBlocks, first, n int) {
	from.runs(first, n, func(rows []int8, notes []quantise.Note) {
		b.runs(slot, len(notes), func(r []int8, m []quantise.Note) {
			copy(r, rows)
			copy(m, notes)
			rows, notes = rows[len(r):], notes[len(m):]
			slot += len(m)
		})
	})
}

// pack returns n slots as the bytes that the file keeps of them.
func (b vectorBlocks) pack(slot, n int) []byte {
	rows, notes := make([]int8, 0, n*quantise.Stride(b.dims)), make([]quantise.Note, 0, n)
	b.runs(slot, n, func(r []int8, m []quantise.Note) { rows, notes = append(rows, r...), append(notes, m...) })
	return quantise.Append(make([]byte, 0, quantise.Size(n, b.dims)), rows, notes)
}

// unpack fills n slots from what pack made of them, and reports whether it can be that.
func (b vectorBlocks) unpack(slot, n int, packed []byte) bool {
	if len(packed) != quantise.Size(n, b.dims) {
		return false
	}
	whole, first := true, 0
	b.runs(slot, n, func(rows []int8, notes []quantise.Note) {
		whole = whole && quantise.Read(rows, notes, packed, first, n)
		first += len(notes)
	})
	return whole
}

// mismatch reports a vector of the wrong dimension.
func mismatch(m store.Meta, wantID string, wantDims int) error {
	return &store.MismatchError{Have: m.EmbedderID, HaveDims: m.Dimensions, Want: wantID, WantDims: wantDims}
}
