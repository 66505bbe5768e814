package part

import (
	"cmp"
	"encoding/hex"
	"slices"

	"github.com/google/uuid"
)

// Chunk is a chunk as it is read, before those of its document are together.
type Chunk struct {
	Row
	// ParentID is zero for a parent.
	ParentID uuid.UUID
	Under    Section
	Hash     string
}

// Assemble makes a part of the chunks of a document, which it sorts. A child whose
// parent is not among them is left out.
func Assemble(chunks []Chunk) *Part {
	own, parents := sortChunks(chunks)
	p := &Part{Parents: parents, Rows: make([]Row, len(own)), hashes: make([][32]byte, len(own)-parents)}
	for r := range own {
		x := &own[r]
		x.Section = p.intern(x.Under)
		if r >= parents {
			p.hashes[r-parents] = p.setHash(x, int32(r))
		}
		p.Rows[r] = x.Row
	}
	p.Sections = slices.Clip(p.Sections)
	p.nameVectors()
	return p
}

// sortChunks brings chunks into the order of Part.Rows, sets the parent's row of each
// child, and leaves out the children without one. The first parents are parents.
func sortChunks(own []Chunk) (kept []Chunk, parents int) {
	slices.SortFunc(own, func(x, y Chunk) int {
		if c := compareBool(x.ParentID != uuid.Nil, y.ParentID != uuid.Nil); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(x.Index, y.Index), cmp.Compare(x.Seq, y.Seq))
	})
	parents, _ = slices.BinarySearchFunc(own, true, func(x Chunk, want bool) int {
		return compareBool(x.ParentID != uuid.Nil, want)
	})
	rows := make(map[uuid.UUID]int32, parents)
	for r := range own[:parents] {
		own[r].Parent = -1
		rows[own[r].ID] = int32(r)
	}
	kept = own[:parents]
	for i := parents; i < len(own); i++ {
		if r, ok := rows[own[i].ParentID]; ok {
			own[i].Parent = r
			kept = append(kept, own[i])
		}
	}
	// Stable, so that the children of a parent stay in the order of index.
	slices.SortStableFunc(kept[parents:], func(x, y Chunk) int { return cmp.Compare(x.Parent, y.Parent) })
	return kept, parents
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// intern returns the number of a section. Chunks of one section follow each
// other, and the children begin again where the parents did.
func (p *Part) intern(s Section) int32 {
	n := len(p.Sections)
	if n > 0 && p.Sections[n-1] == s {
		return int32(n - 1)
	}
	if i := slices.Index(p.Sections[max(0, n-maxSectionSearch):], s); i >= 0 {
		return int32(max(0, n-maxSectionSearch) + i)
	}
	p.Sections = append(p.Sections, s)
	return int32(n)
}

// maxSectionSearch bounds the search for an equal section, so that a document
// of thousands of sections is assembled in linear time.
const maxSectionSearch = 64

// setHash marks a row that has an embed hash and returns what goes into hashes.
func (p *Part) setHash(x *Chunk, r int32) (h [32]byte) {
	if x.Hash == "" {
		return h
	}
	x.State |= Hashed
	if len(x.Hash) == 2*len(h) {
		if _, err := hex.Decode(h[:], []byte(x.Hash)); err == nil && hex.EncodeToString(h[:]) == x.Hash {
			return h
		}
	}
	if p.oddHashes == nil {
		p.oddHashes = make(map[int32]string)
	}
	p.oddHashes[r] = x.Hash
	return [32]byte{}
}
