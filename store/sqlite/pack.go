package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"modernc.org/sqlite"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/examine"
	"github.com/webrag/webrag-tui/store/sqlite/internal/part"
	"github.com/webrag/webrag-tui/store/sqlite/internal/quantise"
)

// packedSchema keeps, of each document, what memory holds of its chunks as one value,
// and of their vectors the bytes that a search compares as another: both follow from
// chunks and vectors, and are written with them in one transaction. Loading a corpus
// reads these, a quarter of its vectors, and one row of the file for each document.
//
// A table of that name is one that a newer version of the program left to an older one,
// which did not keep it in step.
const packedSchema = `
DROP TABLE IF EXISTS packs;
CREATE TABLE packs (
	document_id TEXT PRIMARY KEY NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
	rows        BLOB NOT NULL,
	codes       BLOB NOT NULL
) STRICT;
`

// leastRead is the number of steps from which on a corpus is read as it is where it may
// not be lifted: what came later only makes reading fast.
const leastRead = 4

// isRead says that this program reads a corpus of a version as it is.
func isRead(version int) bool {
	steps, _ := stepsOf(version)
	return steps >= leastRead && steps <= len(migrations())
}

// packingStep is the index of the step that makes packs.
func packingStep() int {
	return slices.IndexFunc(migrations(), func(m migration) bool { return m.schema == packedSchema })
}

// hasPacks says that a corpus of a version has packs.
func hasPacks(version int) bool {
	steps, _ := stepsOf(version)
	return steps > packingStep()
}

// mostPacked is how long a value of packs may be, so that a row can have two. A longer
// document has none, and is read chunk by chunk.
const mostPacked = store.MostRow / 4

// packedAtOnce is how many documents are packed at a time.
const packedAtOnce = 100

// pack is a row of packs.
type pack struct {
	documentID  string
	rows, codes []byte
}

func (d *document) pack(codes []byte) pack {
	return pack{d.id.String(), d.part.Encode(d.owner, d.ingestion), codes}
}

// idList are ids as a statement takes them.
func idList(ids []string) string {
	list, _ := json.Marshal(ids) // strings always marshal
	return string(list)
}

func (p *pack) isTooLong() bool { return len(p.rows) > mostPacked || len(p.codes) > mostPacked }

func (p *pack) write(ctx context.Context, conn *sql.Conn) error {
	if p.isTooLong() {
		_, err := conn.ExecContext(ctx, `DELETE FROM packs WHERE document_id = ?`, p.documentID)
		return err
	}
	_, err := conn.ExecContext(ctx, `INSERT INTO packs (document_id, rows, codes) VALUES (?1, ?2, ?3)
		ON CONFLICT (document_id) DO UPDATE SET rows = ?2, codes = ?3`, p.documentID, p.rows, p.codes)
	return err
}

// packs gives those documents their parts, and the vectors of these slots, that the
// file has packed and that are of the present owner and ingestion. Others are left to
// unpacked. Without only, the whole table is read.
func (l *loader) packs(ctx context.Context, docs []*document, only []string, vectors vectorBlocks, read func(done int)) (vectorBlocks, error) {
	if !l.packed {
		return vectors, nil
	}
	query, args := `SELECT document_id, rows, codes FROM packs`, []any(nil)
	if only != nil {
		query, args = query+` WHERE document_id IN (SELECT value FROM json_each(?))`, []any{idList(only)}
	} else {
		if _, err := l.conn.ExecContext(ctx, `PRAGMA `+loadCache); err != nil {
			return vectors, err
		}
		// Whatever becomes of the context: the connection is used on.
		defer func() { _, _ = l.conn.ExecContext(context.WithoutCancel(ctx), `PRAGMA `+readCache) }()
	}
	rows, err := l.conn.QueryContext(ctx, query, args...)
	if err != nil {
		return vectors, err
	}
	defer rows.Close()
	byID := make(map[uuid.UUID]*document, len(docs))
	for _, d := range docs {
		byID[d.id] = d
	}
	first, told := vectors.size, 0
	for rows.Next() {
		var id, packed, codes sql.RawBytes
		if err := rows.Scan(&id, &packed, &codes); err != nil {
			return vectors, err
		}
		u, err := uuid.ParseBytes(id)
		d := byID[u]
		if err != nil || d == nil {
			continue // its document may not be seen
		}
		p, owner, ingestion, err := decodePacked(packed)
		if err != nil || owner != d.owner || ingestion != d.ingestion || len(codes) != quantise.Size(p.Vectors, l.dims) {
			continue
		}
		p.Slot = vectors.size
		if grown := vectors.grown(p.Vectors); grown.unpack(p.Slot, p.Vectors, codes) {
			vectors, d.part = grown, p
		}
		if done := vectors.size - first; done-told >= 4096 {
			told = done
			read(done)
		}
	}
	return vectors, rows.Err()
}

func decodePacked(b []byte) (*part.Part, string, string, error) {
	if len(b) > mostPacked {
		return nil, "", "", part.ErrDamaged
	}
	return part.Decode(b)
}

// unpacked gives the documents that have none yet their parts, and the vectors of these
// slots, from the tables of chunks and vectors.
func (l *loader) unpacked(ctx context.Context, docs []*document, vectors vectorBlocks) (vectorBlocks, error) {
	var left []*document
	var only []string
	for _, d := range docs {
		if d.part == nil {
			left, only = append(left, d), append(only, d.id.String())
		}
	}
	if len(left) == 0 {
		return vectors, nil
	}
	if len(left) > maxOnly {
		only = nil
	}
	found, err := l.chunks(ctx, left, only)
	if err != nil {
		return vectors, err
	}
	for i, d := range left {
		d.part = part.Assemble(found[i].chunks)
		d.part.Stale, d.part.Slot = found[i].stale, vectors.size
		vectors = vectors.grown(d.part.Vectors)
	}
	return vectors, l.encode(ctx, left, only, vectors)
}

// maxOnly is for how many documents rows are looked up one document after the other; a
// whole table is read faster.
const maxOnly = 1000

// readPacking reads of documents what decides which chunks are theirs.
func readPacking(ctx context.Context, conn *sql.Conn, after int64) (docs []*document, last int64, err error) {
	rows, err := conn.QueryContext(ctx, `SELECT rowid, id, source_url, coalesce(owner, ''), coalesce(current_ingestion_id, '')
		FROM documents WHERE rowid > ? ORDER BY rowid LIMIT ?`, after, packedAtOnce)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var d document
		var id string
		if err := rows.Scan(&last, &id, &d.sourceURL, &d.owner, &d.ingestion); err != nil {
			return nil, 0, err
		}
		if d.id, err = uuid.Parse(id); err == nil {
			docs = append(docs, &d)
		}
	}
	return docs, last, rows.Err()
}

// eachPack makes the packs of all documents from the tables of chunks and vectors. Of
// those in which something is damaged there is none.
func eachPack(ctx context.Context, conn *sql.Conn, do func(p pack, d *document) error) error {
	l := loader{conn: conn}
	if err := conn.QueryRowContext(ctx, `SELECT dimensions FROM corpus_meta`).Scan(&l.dims); err != nil {
		return err
	}
	for after := int64(0); ; {
		docs, last, err := readPacking(ctx, conn, after)
		if err != nil || last == 0 {
			return err
		}
		after = last
		if err := l.packEach(ctx, docs, do); err != nil {
			return err
		}
	}
}

func (l *loader) packEach(ctx context.Context, docs []*document, do func(p pack, d *document) error) error {
	vectors, err := l.unpacked(ctx, docs, newBlocks(l.dims))
	var e *sqlite.Error
	switch {
	case err == nil:
	case ctx.Err() != nil || errors.As(err, &e):
		return err
	case len(docs) == 1:
		return nil
	default:
		for _, d := range docs {
			d.part = nil
			if err := l.packEach(ctx, []*document{d}, do); err != nil {
				return err
			}
		}
		return nil
	}
	for _, d := range docs {
		if err := do(d.pack(vectors.pack(d.part.Slot, d.part.Vectors)), d); err != nil {
			return err
		}
	}
	return nil
}

// packAll packs all documents anew.
func packAll(ctx context.Context, conn *sql.Conn) error {
	if _, err := conn.ExecContext(ctx, `DELETE FROM packs`); err != nil {
		return err
	}
	return eachPack(ctx, conn, func(p pack, _ *document) error { return p.write(ctx, conn) })
}

// writePack packs a document that was written.
func writePack(ctx context.Context, conn *sql.Conn, dims int, b *store.Bundle, rows []chunkRow) error {
	d := document{owner: b.Document.Owner, ingestion: b.Document.CurrentIngestionID}
	var err error
	if d.id, err = uuid.Parse(b.Document.ID); err != nil {
		return fmt.Errorf("document id %q: %w", b.Document.ID, err)
	}
	chunks := make([]part.Chunk, len(rows))
	floats := make(map[int64][]float32, len(rows))
	for i := range rows {
		if chunks[i], err = packed(&b.Chunks[i], rows[i].seq); err != nil {
			return fmt.Errorf("chunk %s: %w", rows[i].id, err)
		}
		floats[rows[i].seq] = b.Chunks[i].Embedding
	}
	d.part = part.Assemble(chunks)
	stride := quantise.Stride(dims)
	codes, notes := make([]int8, stride*d.part.Vectors), make([]quantise.Note, d.part.Vectors)
	for i := range notes {
		notes[i] = quantise.Encode(codes[i*stride:][:stride], floats[d.part.Rows[d.part.RowOf(i)].Seq])
	}
	p := d.pack(quantise.Append([]byte{}, codes, notes))
	return p.write(ctx, conn)
}

// packed is a chunk as it comes back from the table of chunks.
func packed(c *store.Chunk, seq int64) (part.Chunk, error) {
	s := scannedChunk{
		seq: seq, id: c.ID, parentID: c.ParentID, index: int64(c.Index), heading: c.SectionHeading, anchor: c.Anchor,
		omitted: c.HTMLOmittedReason, flags: int64(c.Flags), charStart: int64(c.CharStart), charEnd: int64(c.CharEnd),
		tokenStart: int64(c.TokenStart), tokenEnd: int64(c.TokenEnd), htmlTokens: int64(c.HTMLTokens), hash: c.EmbedHash,
	}
	if len(c.HeadingPath) > 0 {
		path, err := json.Marshal(c.HeadingPath)
		if err != nil {
			return part.Chunk{}, err
		}
		s.path = string(path)
	}
	if c.Cont {
		s.state |= int64(part.Cont)
	}
	if c.Embedding != nil {
		s.state |= int64(part.Embedded)
	}
	return s.raw()
}

// examinePacks holds the packs against the tables that they are made of, and tells only
// what is wrong.
func examinePacks(ctx context.Context, conn *sql.Conn) ([]store.Check, error) {
	var version, dims int
	if err := conn.QueryRowContext(ctx, `SELECT schema_version, dimensions FROM corpus_meta`).Scan(&version, &dims); err != nil || !hasPacks(version) {
		return nil, err
	}
	missing := 0
	var wrong []string
	err := eachPack(ctx, conn, func(p pack, d *document) error {
		var kept pack
		err := conn.QueryRowContext(ctx, `SELECT rows, codes FROM packs WHERE document_id = ?`, p.documentID).Scan(&kept.rows, &kept.codes)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			if !p.isTooLong() {
				missing++
			}
			return nil
		case err == nil && !(bytes.Equal(kept.rows, p.rows) && quantise.Same(kept.codes, p.codes, d.part.Vectors, dims)):
			wrong = append(wrong, d.sourceURL)
		}
		return err
	})
	if err != nil || missing+len(wrong) == 0 {
		return nil, err
	}
	c := store.Check{Name: "packs", State: store.CheckWarning, Fix: "copy the corpus, which makes them anew: webrag-tui copy --from FILE --to OTHER"}
	c.Found = fmt.Sprintf("documents without, which are read chunk by chunk: %d", missing)
	if len(wrong) > 0 {
		c.State = store.CheckBroken
		c.Found = fmt.Sprintf("what a search reads is not what the rows say, documents: %d, such as %s", len(wrong), strings.Join(wrong[:min(len(wrong), examine.MostComplaints)], ", "))
	}
	return []store.Check{c}, nil
}
