package sqlite

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
)

// document is what memory holds of a page: what its chunks repeat and what
// scopes and sums ask for. It is immutable.
type document struct {
	id        uuid.UUID
	url       string
	sourceURL string
	aliases   []string
	title     string
	owner     string
	ingestion string
	// sourceType, tags and metadata are here for scopes only.
	sourceType string
	tags       []string
	metadata   map[string]string
	fetchedAt  time.Time
	depth      int
	tokens     int
	parents    int
	children   int
	// stale counts the chunks of another ingestion, once chunks are loaded.
	stale int
	// number is the index of the document in the snapshot's numbered list, and
	// part its chunks; both are set once chunks are loaded.
	number int32
	part   *part
}

// compareDocuments orders documents as listings do: by depth and source URL,
// and by id where two owners have the same page.
func compareDocuments(a, b *document) int {
	if c := cmp.Compare(a.depth, b.depth); c != 0 {
		return c
	}
	if c := strings.Compare(a.sourceURL, b.sourceURL); c != 0 {
		return c
	}
	return compareIDs(a.id, b.id)
}

func (r ref) id() uuid.UUID { return r.doc.part.rows[r.row].id }

func (r ref) compareID(o ref) int { return compareIDs(r.id(), o.id()) }

func compareIDs(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) }

// part is the chunks of one version of a document, without texts.
type part struct {
	// rows are the parents by index, then the children by parent and index.
	rows     []row
	parents  int
	sections []section
	// hashes[i] is the embed hash of rows[parents+i] if it is 64 hexadecimal
	// digits; any other is in oddHashes, by row.
	hashes    [][32]byte
	oddHashes map[int32]string
	// The vectors of the embedded children are in slots [slot, slot+vectors) in
	// the order of rows. If some children are not embedded, vectorRows names the
	// row of each vector.
	slot       int
	vectors    int
	vectorRows []int32
}

// row is what memory holds of a chunk beside its vector: 64 bytes.
type row struct {
	id                   uuid.UUID
	seq                  int64
	charStart, charEnd   int32
	tokenStart, tokenEnd int32
	index                int32
	// parent is the parent's row, -1 for a parent.
	parent     int32
	section    int32
	htmlTokens int32
	flags      store.Flags
	state      rowState
}

func sumCounts(a, b store.FieldCounts) store.FieldCounts {
	return store.FieldCounts{Body: a.Body + b.Body, Heading: a.Heading + b.Heading, Title: a.Title + b.Title}
}

// rowState holds the booleans of a chunk.
type rowState uint8

const (
	rowCont rowState = 1 << iota
	rowEmbedded
	rowHashed
)

// section is what the chunks below one heading share.
type section struct {
	heading, anchor string
	// path is the heading path as the file keeps it: a JSON array, or "".
	path string
	// omitted is the reason for having no HTML. Few values exist, and the chunks
	// of a section rarely differ in it.
	omitted string
}

// rowOf returns the row of the i-th vector.
func (p *part) rowOf(i int) int32 {
	if p.vectorRows != nil {
		return p.vectorRows[i]
	}
	return int32(p.parents + i)
}

// vectorOf returns the slot of a row's vector, or -1.
func (p *part) vectorOf(r int32) int {
	if p.rows[r].state&rowEmbedded == 0 {
		return -1
	}
	if p.vectorRows == nil {
		return p.slot + int(r) - p.parents
	}
	i, _ := slices.BinarySearch(p.vectorRows, r)
	return p.slot + i
}

// childrenOf returns the range of rows that hold the children of parent.
func (p *part) childrenOf(parent int32) (from, to int) {
	children := p.rows[p.parents:]
	find := func(parent int32) int {
		i, _ := slices.BinarySearchFunc(children, parent, func(r row, want int32) int { return cmp.Compare(r.parent, want) })
		return p.parents + i
	}
	return find(parent), find(parent + 1)
}

// parentOf returns the row of a chunk's parent, or the row itself for a parent.
func (p *part) parentOf(r int32) int32 {
	if parent := p.rows[r].parent; parent >= 0 {
		return parent
	}
	return r
}

// vectorsOf returns the range of vectors, counted within the part, of a range of
// children's rows.
func (p *part) vectorsOf(from, to int) (first, end int) {
	if p.vectorRows == nil {
		return from - p.parents, to - p.parents
	}
	first, _ = slices.BinarySearch(p.vectorRows, int32(from))
	end, _ = slices.BinarySearch(p.vectorRows, int32(to))
	return first, end
}

// parentID is the id of a row's parent, empty for a parent.
func (p *part) parentID(r int32) string {
	if parent := p.rows[r].parent; parent >= 0 {
		return p.rows[parent].id.String()
	}
	return ""
}

// embedHash is the embed hash of a row, empty for none.
func (p *part) embedHash(r int32) string {
	if p.rows[r].state&rowHashed == 0 {
		return ""
	}
	if h, ok := p.oddHashes[r]; ok {
		return h
	}
	h := p.hashes[int(r)-p.parents]
	return hex.EncodeToString(h[:])
}

// chunk returns a row with everything but texts and vector.
func (d *document) chunk(r int32) store.Chunk {
	p := d.part
	x := &p.rows[r]
	sec := &p.sections[x.section]
	c := store.Chunk{
		ID: x.id.String(), DocumentID: d.id.String(), ParentID: p.parentID(r),
		Level: store.Child, Index: int(x.index),
		SectionHeading: sec.heading, Anchor: sec.anchor,
		CharStart: int(x.charStart), CharEnd: int(x.charEnd),
		TokenStart: int(x.tokenStart), TokenEnd: int(x.tokenEnd),
		Flags: x.flags, HTMLTokens: int(x.htmlTokens), HTMLOmittedReason: sec.omitted,
		Cont:  x.state&rowCont != 0,
		Depth: d.depth, Title: d.title, Owner: d.owner, SourceURL: d.sourceURL, FetchedAt: d.fetchedAt,
		IngestionID: d.ingestion, EmbedHash: p.embedHash(r),
	}
	if x.parent < 0 {
		c.Level = store.Parent
	}
	if sec.path != "" {
		// The file's JSON was checked when the row was loaded.
		_ = json.Unmarshal([]byte(sec.path), &c.HeadingPath)
	}
	return c
}

// idKey is the key of a chunk id in an index. Ids are hashes: their first eight
// bytes are as good as random.
func idKey(id uuid.UUID) uint64 { return binary.BigEndian.Uint64(id[:8]) }
