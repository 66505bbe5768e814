package sqlite

import (
	"slices"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/quantise"
)

// blockRows is the number of vectors in a block.
const blockRows = 1024

// vectorBlocks are unit vectors in memory, numbered by slots, in blocks of
// blockRows that are allocated once and never moved.
//
// A value is immutable in what it holds: slots below its size never change.
// Appending returns a larger value that shares the blocks and writes only
// beyond the size, where no other value reads, as long as each value is
// appended to at most once.
type vectorBlocks struct {
	dims   int
	size   int // slots in use
	blocks [][]float32
	bytes  []byteBlock
}

// byteBlock is the vectors of a block as bytes, which a search reads first.
type byteBlock struct {
	rows  []int8
	notes []quantise.Note
}

// grown returns blocks with room for n more slots, counted as in use.
func (b vectorBlocks) grown(n int) vectorBlocks {
	b.size += n
	if need := (b.size + blockRows - 1) / blockRows; need > len(b.blocks) {
		b.blocks = slices.Grow(slices.Clip(b.blocks), need-len(b.blocks))
		b.bytes = slices.Grow(slices.Clip(b.bytes), need-len(b.bytes))
		for len(b.blocks) < need {
			b.blocks = append(b.blocks, make([]float32, blockRows*b.dims))
			b.bytes = append(b.bytes, byteBlock{make([]int8, blockRows*quantise.Stride(b.dims)), make([]quantise.Note, blockRows)})
		}
	}
	return b
}

// at returns the vector in a slot. It must not be changed.
func (b vectorBlocks) at(slot int) []float32 {
	start := slot % blockRows * b.dims
	return b.blocks[slot/blockRows][start : start+b.dims : start+b.dims]
}

// encode makes the bytes of a slot from its vector.
func (b vectorBlocks) encode(slot int) {
	to, at, stride := b.bytes[slot/blockRows], slot%blockRows, quantise.Stride(b.dims)
	to.notes[at] = quantise.Encode(to.rows[at*stride:][:stride], b.at(slot))
}

// byteRun returns the bytes of the vectors from a slot to the end of its block or to
// slot end, and what is known of each.
func (b vectorBlocks) byteRun(slot, end int) (rows []int8, notes []quantise.Note) {
	from, first, stride := b.bytes[slot/blockRows], slot%blockRows, quantise.Stride(b.dims)
	last := first + min(end-slot, blockRows-first)
	return from.rows[first*stride : last*stride], from.notes[first:last]
}

// run returns the vectors from a slot to the end of its block or to slot end,
// one after the other, and their number.
func (b vectorBlocks) run(slot, end int) (vectors []float32, n int) {
	first := slot % blockRows
	n = min(end-slot, blockRows-first)
	return b.blocks[slot/blockRows][first*b.dims : (first+n)*b.dims], n
}

// mismatch reports a vector of the wrong dimension.
func mismatch(m store.Meta, wantID string, wantDims int) error {
	return &store.MismatchError{Have: m.EmbedderID, HaveDims: m.Dimensions, Want: wantID, WantDims: wantDims}
}
