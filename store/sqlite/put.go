package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/links"
	"github.com/webrag/webrag-tui/store/sqlite/internal/prepared"
)

// putStatements are prepared once for a writer.
type putStatements struct {
	insertChunk, insertTexts, insertVector *sql.Stmt
	updateChunk, updateTexts               *sql.Stmt
	deleteVector, deleteChunk, unstage     *sql.Stmt
}

func prepareStatements(ctx context.Context, conn *sql.Conn) (p putStatements, err error) {
	for _, s := range []struct {
		stmt  **sql.Stmt
		query string
	}{
		{&p.insertChunk, `INSERT INTO chunks (id, document_id, ` + chunkColumns + `) VALUES (?, ?` + marks(chunkColumns) + `)`},
		{&p.insertTexts, `INSERT INTO chunk_texts (seq, ` + textColumns + `) VALUES (?` + marks(textColumns) + `)`},
		{&p.insertVector, `INSERT OR REPLACE INTO vectors (seq, v) VALUES (?, ?)`},
		{&p.updateChunk, `UPDATE chunks SET (` + chunkColumns + `) = (` + marks(chunkColumns)[2:] + `) WHERE seq = ?`},
		{&p.updateTexts, `UPDATE chunk_texts SET (` + textColumns + `) = (` + marks(textColumns)[2:] + `) WHERE seq = ?`},
		{&p.deleteVector, `DELETE FROM vectors WHERE seq = ?`},
		{&p.deleteChunk, `DELETE FROM chunks WHERE seq = ?`},
		{&p.unstage, `DELETE FROM staged_vectors WHERE seq = ?`},
	} {
		if *s.stmt, err = conn.PrepareContext(ctx, s.query); err != nil { //nolint:sqlclosecheck // close closes them all
			return p, err
		}
	}
	return p, nil
}

// marks returns ", ?" for each column.
func marks(columns string) string { return strings.Repeat(", ?", strings.Count(columns, ",")+1) }

func (p putStatements) close() {
	for _, s := range []*sql.Stmt{
		p.insertChunk, p.insertTexts, p.insertVector, p.updateChunk, p.updateTexts, p.deleteVector, p.deleteChunk, p.unstage,
	} {
		if s != nil {
			_ = s.Close()
		}
	}
}

// chunkRow is a chunk as its columns.
type chunkRow struct {
	seq          int64
	id           string
	chunk, texts []any
	vector       []byte
	hash         any
}

// Put replaces a document as a whole, in one transaction. Chunks that are equal
// stay as they are, others are updated, inserted or deleted; then all get the
// document's ingestion id. The sums over the chunks are the store's own.
func (w *Writer) Put(ctx context.Context, b store.Bundle) (changed bool, err error) {
	d := &b.Document
	rows, children, err := w.check(&b)
	if err != nil {
		return false, fmt.Errorf("write document %s (%s): %w", d.ID, d.SourceURL, err)
	}
	columns := encodeDocument(d, children)
	changed, err = w.replace(ctx, &b, columns, rows)
	if err != nil {
		return false, fail(ctx, "write document "+d.SourceURL+" to", w.store.path, err)
	}
	return changed, nil
}

func (w *Writer) replace(ctx context.Context, b *store.Bundle, columns []any, rows []chunkRow) (bool, error) {
	d := &b.Document
	// Only this writer writes, so that what is read here still holds below.
	stored, exists, err := w.storedDocument(ctx, d.ID)
	if err != nil {
		return false, err
	}
	if exists {
		if owner, _ := stored[ownerColumn].(string); !w.store.sees(owner) {
			return false, fmt.Errorf("it belongs to another owner than %q", w.store.owner)
		}
	}
	same := exists && slices.Equal(stored, columns)
	if same && d.DerivedHash != "" {
		return false, nil
	}
	old, err := storedChunks(ctx, w.stmts, d.ID)
	if err != nil {
		return false, err
	}
	links, err := storedLinks(ctx, w.stmts, d.ID)
	if err != nil {
		return false, err
	}
	sameLinks := slices.Equal(links, b.Links)
	if same && sameLinks && sameChunks(old, rows) {
		sameEdges, err := sameEdges(ctx, w.stmts, b)
		if err != nil || sameEdges {
			return false, err
		}
	}
	before, err := w.links.Stored(ctx, d.ID)
	if err != nil {
		return false, err
	}
	tail := w.tail
	err = w.change(ctx, func(changed int64) error {
		if err := writeDocument(ctx, w.stmts, d, columns, changed, exists); err != nil {
			return err
		}
		if err := w.writeChunks(ctx, d, old, rows); err != nil {
			return err
		}
		if err := writePack(ctx, w.conn, w.meta.Dimensions, b, rows); err != nil {
			return err
		}
		if !sameLinks {
			if err := w.writeLinks(ctx, b); err != nil {
				return err
			}
		}
		return w.links.Replaced(ctx, b, before)
	})
	if err != nil {
		w.links.Forget()
		w.tail = tail
	}
	return err == nil, err
}

// storedDocument returns the columns of a document as encodeDocument gives them.
func (w *Writer) storedDocument(ctx context.Context, id string) (columns []any, exists bool, err error) {
	columns = make([]any, strings.Count(documentColumns, ",")+1)
	err = w.stmts.Scan(ctx, `SELECT `+documentColumns+` FROM documents WHERE id = ?`, pointers(columns), id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	return columns, err == nil, err
}

func pointers(values []any) []any {
	p := make([]any, len(values))
	for i := range values {
		p[i] = &values[i]
	}
	return p
}

// storedChunks returns the chunks of a document by id.
func storedChunks(ctx context.Context, conn querier, documentID string) (map[string]*chunkRow, error) {
	rows, err := conn.QueryContext(ctx, `
		SELECT c.seq, c.id, v.v, c.embed_hash, `+textColumns+`, `+chunkColumns+`
		FROM chunks c JOIN chunk_texts t ON t.seq = c.seq LEFT JOIN vectors v ON v.seq = c.seq
		WHERE c.document_id = ?`, documentID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	old := make(map[string]*chunkRow)
	for rows.Next() {
		r := &chunkRow{
			chunk: make([]any, strings.Count(chunkColumns, ",")+1),
			texts: make([]any, strings.Count(textColumns, ",")+1),
		}
		to := append([]any{&r.seq, &r.id, &r.vector, &r.hash}, pointers(r.texts)...)
		if err := rows.Scan(append(to, pointers(r.chunk)...)...); err != nil {
			return nil, err
		}
		old[r.id] = r
	}
	return old, rows.Err()
}

func storedLinks(ctx context.Context, conn querier, documentID string) ([]store.Link, error) {
	rows, err := conn.QueryContext(ctx, `
		SELECT chunk_id, target_url, coalesce(anchor, ''), coalesce(text, '')
		FROM links WHERE document_id = ? ORDER BY rowid`, documentID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var links []store.Link
	for rows.Next() {
		var l store.Link
		if err := rows.Scan(&l.ChunkID, &l.TargetURL, &l.Anchor, &l.Text); err != nil {
			return nil, err
		}
		links = append(links, l)
	}
	return links, rows.Err()
}

// sameEdges reports whether the edges of a document's structure are stored. One
// that was imported over is not structure's any more.
func sameEdges(ctx context.Context, conn querier, b *store.Bundle) (bool, error) {
	rows, err := conn.QueryContext(ctx, links.SelectEdge+` FROM chunk_edges e WHERE e.document_id = ? AND e.origin IN (?, ?)`,
		b.Document.ID, string(store.OriginStructure), string(store.OriginImport))
	if err != nil {
		return false, err
	}
	defer rows.Close()
	stored := make(map[string]store.Edge)
	structure := 0
	for rows.Next() {
		e, err := links.ScanEdge(rows)
		if err != nil {
			return false, err
		}
		stored[e.ID] = e
		if e.Origin == store.OriginStructure {
			structure++
		}
	}
	for _, e := range b.Edges {
		switch o, ok := stored[e.ID]; {
		case !ok:
			return false, nil
		case o == e:
			structure--
		case o.Origin != store.OriginImport:
			return false, nil
		}
	}
	return structure == 0, rows.Err()
}

func (r *chunkRow) equal(o *chunkRow) bool {
	return slices.Equal(r.chunk, o.chunk) && slices.Equal(r.texts, o.texts) && bytes.Equal(r.vector, o.vector)
}

func sameChunks(old map[string]*chunkRow, rows []chunkRow) bool {
	if len(old) != len(rows) {
		return false
	}
	return !slices.ContainsFunc(rows, func(r chunkRow) bool {
		o := old[r.id]
		return o == nil || !r.equal(o)
	})
}

func writeDocument(ctx context.Context, stmts *prepared.Statements, d *store.Document, columns []any, changed int64, exists bool) error {
	names := documentColumns + ", " + visitColumns
	values := slices.Concat(columns, encodeVisit(d, changed), []any{d.ID})
	query := `INSERT INTO documents (` + names + `, id) VALUES (` + marks(names)[2:] + `, ?)`
	if exists {
		query = `UPDATE documents SET (` + names + `) = (` + marks(names)[2:] + `) WHERE id = ?`
	}
	if _, err := stmts.ExecContext(ctx, query, values...); err != nil {
		return err
	}
	_, err := stmts.ExecContext(ctx, `DELETE FROM removed WHERE document_id = ?`, d.ID)
	return err
}

// writeChunks makes the stored chunks those of rows.
func (w *Writer) writeChunks(ctx context.Context, d *store.Document, old map[string]*chunkRow, rows []chunkRow) error {
	gone := maps.Clone(old)
	for i := range rows {
		delete(gone, rows[i].id)
	}
	for _, o := range gone {
		if _, err := w.put.deleteChunk.ExecContext(ctx, o.seq); err != nil {
			return err
		}
	}
	for i := range rows {
		var err error
		if o := old[rows[i].id]; o != nil {
			err = w.updateChunk(ctx, o, &rows[i])
		} else {
			err = w.insertChunk(ctx, d.ID, &rows[i])
		}
		if err != nil {
			return fmt.Errorf("chunk %s: %w", rows[i].id, err)
		}
	}
	_, err := w.stmts.ExecContext(ctx, `UPDATE chunks SET ingestion_id = ?, fetched_at = ? WHERE document_id = ?`,
		textOrNull(d.CurrentIngestionID), encodeTime(d.FetchedAt), d.ID)
	if err != nil {
		return err
	}
	if w.tail < w.store.mostTail {
		return nil
	}
	w.tail = 0
	return segmentWriter{w.conn}.addTail(ctx)
}

// terms are the chunk's keyword terms by field, nil for none.
func (r *chunkRow) terms() [3]any { return [3]any{r.texts[0], r.texts[5], r.texts[6]} }

// insertChunk writes a new chunk and gives it its seq.
func (w *Writer) insertChunk(ctx context.Context, documentID string, r *chunkRow) error {
	res, err := w.put.insertChunk.ExecContext(ctx, append([]any{r.id, documentID}, r.chunk...)...)
	if err != nil {
		return err
	}
	if r.seq, err = res.LastInsertId(); err != nil {
		return err
	}
	if r.terms() != [3]any{} {
		w.tail++
	}
	if _, err := w.put.insertTexts.ExecContext(ctx, append([]any{r.seq}, r.texts...)...); err != nil {
		return err
	}
	if r.vector == nil {
		return nil
	}
	_, err = w.put.insertVector.ExecContext(ctx, r.seq, r.vector)
	return err
}

// renumber gives a chunk whose terms change a new number, and with it all that goes
// by it: a segment of the keyword index says for ever what it says of a number.
func (w *Writer) renumber(ctx context.Context, r *chunkRow) error {
	var next int64
	err := w.stmts.Scan(ctx, `UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'chunks' RETURNING seq`, []any{&next})
	if err != nil {
		return err
	}
	_, err = w.conn.ExecContext(ctx, `
		PRAGMA defer_foreign_keys = ON;
		UPDATE chunks SET seq = ?1 WHERE seq = ?2;
		UPDATE chunk_texts SET seq = ?1 WHERE seq = ?2;
		UPDATE vectors SET seq = ?1 WHERE seq = ?2;
		UPDATE staged_vectors SET seq = ?1 WHERE seq = ?2`, next, r.seq)
	r.seq = next
	w.tail++
	return err
}

// updateChunk writes those of a chunk's rows that differ, and gives r the seq of
// old.
func (w *Writer) updateChunk(ctx context.Context, old, r *chunkRow) error {
	r.seq = old.seq
	if old.terms() != r.terms() {
		if err := w.renumber(ctx, r); err != nil {
			return err
		}
	}
	if !slices.Equal(old.chunk, r.chunk) {
		if _, err := w.put.updateChunk.ExecContext(ctx, append(slices.Clone(r.chunk), r.seq)...); err != nil {
			return err
		}
	}
	if !slices.Equal(old.texts, r.texts) {
		if _, err := w.put.updateTexts.ExecContext(ctx, append(slices.Clone(r.texts), r.seq)...); err != nil {
			return err
		}
	}
	if old.hash != r.hash {
		// A vector staged for the former text is not one for this.
		if _, err := w.put.unstage.ExecContext(ctx, r.seq); err != nil {
			return err
		}
	}
	var err error
	switch {
	case bytes.Equal(old.vector, r.vector):
	case r.vector == nil:
		_, err = w.put.deleteVector.ExecContext(ctx, r.seq)
	default:
		_, err = w.put.insertVector.ExecContext(ctx, r.seq, r.vector)
	}
	return err
}

func (w *Writer) writeLinks(ctx context.Context, b *store.Bundle) error {
	if _, err := w.stmts.ExecContext(ctx, `DELETE FROM links WHERE document_id = ?`, b.Document.ID); err != nil {
		return err
	}
	for _, l := range b.Links {
		_, err := w.stmts.ExecContext(ctx, `
			INSERT INTO links (document_id, chunk_id, target_url, target_key, anchor, text, discovered_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			b.Document.ID, l.ChunkID, l.TargetURL, store.PageKey(l.TargetURL), textOrNull(l.Anchor), textOrNull(l.Text), encodeTime(b.Document.FetchedAt))
		if err != nil {
			return err
		}
	}
	return nil
}
