package sqlite

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/part"
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
	// number is the index of the document in the snapshot's numbered list, and
	// part its chunks; both are set once chunks are loaded.
	number int32
	part   *part.Part
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

func (r ref) id() uuid.UUID { return r.doc.part.Rows[r.row].ID }

func (r ref) compareID(o ref) int { return compareIDs(r.id(), o.id()) }

func sumCounts(a, b store.FieldCounts) store.FieldCounts {
	return store.FieldCounts{Body: a.Body + b.Body, Heading: a.Heading + b.Heading, Title: a.Title + b.Title}
}

func compareIDs(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) }

// chunk returns a row with everything but texts and vector.
func (d *document) chunk(r int32) store.Chunk {
	p := d.part
	x := &p.Rows[r]
	sec := &p.Sections[x.Section]
	c := store.Chunk{
		ID: x.ID.String(), DocumentID: d.id.String(), ParentID: p.ParentID(r),
		Level: store.Child, Index: int(x.Index),
		SectionHeading: sec.Heading, Anchor: sec.Anchor,
		CharStart: int(x.CharStart), CharEnd: int(x.CharEnd),
		TokenStart: int(x.TokenStart), TokenEnd: int(x.TokenEnd),
		Flags: x.Flags, HTMLTokens: int(x.HTMLTokens), HTMLOmittedReason: sec.Omitted,
		Cont:  x.State&part.Cont != 0,
		Depth: d.depth, Title: d.title, Owner: d.owner, SourceURL: d.sourceURL, FetchedAt: d.fetchedAt,
		IngestionID: d.ingestion, EmbedHash: p.EmbedHash(r),
	}
	if x.Parent < 0 {
		c.Level = store.Parent
	}
	if sec.Path != "" {
		// The file's JSON was checked when the row was loaded.
		_ = json.Unmarshal([]byte(sec.Path), &c.HeadingPath)
	}
	return c
}

// idKey is the key of a chunk id in an index. Ids are hashes: their first eight
// bytes are as good as random.
func idKey(id uuid.UUID) uint64 { return binary.BigEndian.Uint64(id[:8]) }
