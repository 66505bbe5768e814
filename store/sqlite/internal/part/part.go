// Package part is the chunks of one document as memory holds them, without texts and
// vectors, and the bytes in which a corpus keeps them: one row of the file for each
// document, so that loading a corpus does not read one for each chunk.
package part

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
)

// Part is the chunks of one version of a document. It is immutable once it is made,
// but for Slot.
type Part struct {
	// Rows are the parents by index, then the children by parent and index.
	Rows     []Row
	Parents  int
	Sections []Section
	// Stale counts the chunks that are of another ingestion than the document, which
	// are not among Rows.
	Stale int
	// hashes[i] is the embed hash of Rows[Parents+i] if it is 64 hexadecimal
	// digits; any other is in oddHashes, by row.
	hashes    [][32]byte
	oddHashes map[int32]string
	// The vectors of the embedded rows are in slots [Slot, Slot+Vectors) in the
	// order of Rows. If they are not those of all children, vectorRows names the row
	// of each vector.
	Slot       int
	Vectors    int
	vectorRows []int32
}

// Row is what memory holds of a chunk beside its vector: 64 bytes.
type Row struct {
	ID                   uuid.UUID
	Seq                  int64
	CharStart, CharEnd   int32
	TokenStart, TokenEnd int32
	Index                int32
	// Parent is the parent's row, -1 for a parent.
	Parent     int32
	Section    int32
	HTMLTokens int32
	Flags      store.Flags
	State      State
}

// State holds the booleans of a chunk.
type State uint8

// The booleans.
const (
	Cont State = 1 << iota
	Embedded
	// Hashed says that there is an embed hash.
	Hashed
)

// Section is what the chunks below one heading share.
type Section struct {
	Heading, Anchor string
	// Path is the heading path as the file keeps it: a JSON array, or "".
	Path string
	// Omitted is the reason for having no HTML. Few values exist, and the chunks
	// of a section rarely differ in it.
	Omitted string
}

// Headings returns the heading path.
func (s *Section) Headings() []string {
	if s.Path == "" {
		return nil
	}
	if !strings.ContainsRune(s.Path, '\\') && len(s.Path) > len(`[""]`) && s.Path[0] == '[' {
		// As this store writes it, a path without escapes holds no quote but those
		// around its elements.
		return strings.Split(s.Path[2:len(s.Path)-2], `","`)
	}
	var path []string
	_ = json.Unmarshal([]byte(s.Path), &path) // what is not JSON names no heading
	return path
}

// RowOf returns the row of the i-th vector.
func (p *Part) RowOf(i int) int32 {
	if p.vectorRows != nil {
		return p.vectorRows[i]
	}
	return int32(p.Parents + i)
}

// VectorOf returns the slot of a row's vector, or -1.
func (p *Part) VectorOf(r int32) int {
	if p.Rows[r].State&Embedded == 0 {
		return -1
	}
	if p.vectorRows == nil {
		return p.Slot + int(r) - p.Parents
	}
	i, _ := slices.BinarySearch(p.vectorRows, r)
	return p.Slot + i
}

// ChildrenOf returns the range of rows that hold the children of parent.
func (p *Part) ChildrenOf(parent int32) (from, to int) {
	children := p.Rows[p.Parents:]
	find := func(parent int32) int {
		i, _ := slices.BinarySearchFunc(children, parent, func(r Row, want int32) int { return cmp.Compare(r.Parent, want) })
		return p.Parents + i
	}
	return find(parent), find(parent + 1)
}

// ParentOf returns the row of a chunk's parent, or the row itself for a parent.
func (p *Part) ParentOf(r int32) int32 {
	if parent := p.Rows[r].Parent; parent >= 0 {
		return parent
	}
	return r
}

// VectorsOf returns the range of vectors, counted within the part, of a range of
// children's rows.
func (p *Part) VectorsOf(from, to int) (first, end int) {
	if p.vectorRows == nil {
		return from - p.Parents, to - p.Parents
	}
	first, _ = slices.BinarySearch(p.vectorRows, int32(from))
	end, _ = slices.BinarySearch(p.vectorRows, int32(to))
	return first, end
}

// ParentID is the id of a row's parent, empty for a parent.
func (p *Part) ParentID(r int32) string {
	if parent := p.Rows[r].Parent; parent >= 0 {
		return p.Rows[parent].ID.String()
	}
	return ""
}

// EmbedHash is the embed hash of a row, empty for none.
func (p *Part) EmbedHash(r int32) string {
	if p.Rows[r].State&Hashed == 0 {
		return ""
	}
	if h, ok := p.oddHashes[r]; ok {
		return h
	}
	h := p.hashes[int(r)-p.Parents]
	return hex.EncodeToString(h[:])
}

// nameVectors counts the vectors, and fills vectorRows unless they are those of all
// children.
func (p *Part) nameVectors() {
	parents := 0
	for r := range p.Rows {
		if p.Rows[r].State&Embedded != 0 {
			p.Vectors++
			if r < p.Parents {
				parents++
			}
		}
	}
	if parents == 0 && p.Vectors == len(p.Rows)-p.Parents {
		return
	}
	p.vectorRows = make([]int32, 0, p.Vectors)
	for r := range p.Rows {
		if p.Rows[r].State&Embedded != 0 {
			p.vectorRows = append(p.vectorRows, int32(r))
		}
	}
}
