package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/linking"
	"github.com/webrag/webrag-tui/store/sqlite/internal/links"
	"github.com/webrag/webrag-tui/store/sqlite/internal/notes"
	"github.com/webrag/webrag-tui/store/sqlite/internal/prepared"
	"github.com/webrag/webrag-tui/store/sqlite/internal/vector"
)

// Writer changes a corpus; a corpus has one at a time, on the whole machine. It
// implements store.Writer and is used by one goroutine.
type Writer struct {
	store  *Store
	lock   *file.Lock
	db     *sql.DB
	conn   *sql.Conn
	meta   store.Meta
	put    putStatements
	stmts  *prepared.Statements
	tables *links.Tables
	links  *linking.Linker
	notes  notes.Reader
	closed bool
	// tail counts the chunks that may be in no segment of the keyword index yet, and
	// dirty says that chunks were written or removed.
	tail  int
	dirty bool
	// erasing says that documents were removed, of which nothing is to be left.
	erasing bool
	// batched says that a transaction of several changes is open.
	batched bool
	// unsynced says that transactions were committed that a loss of power could undo.
	unsynced bool
}

var (
	_ store.Writer       = (*Writer)(nil)
	_ store.ChildCounter = (*Writer)(nil)
	_ store.BatchPutter  = (*Writer)(nil)
)

// Write opens the one writer. It fails with store.ErrReadOnly on a corpus that
// may not be written, and with store.ErrLocked while another process, or another
// writer of this one, holds the corpus.
func (s *Store) Write(ctx context.Context) (store.Writer, error) {
	if s.readOnly {
		return nil, fmt.Errorf("write corpus %s: %w; make the file and its folder writable, or copy it to where they are", s.path, store.ErrReadOnly)
	}
	held, err := lock(s.path)
	if err != nil {
		return nil, err
	}
	w := &Writer{store: s, lock: held}
	if err := w.begin(ctx); err != nil {
		_ = w.Close()
		return nil, fail(ctx, "write", s.path, err)
	}
	return w, nil
}

func (w *Writer) begin(ctx context.Context) (err error) {
	if err := w.store.checkPlace(); err != nil {
		return err
	}
	if w.db, w.conn, err = openWriting(ctx, w.store.path, "rw", w.store.timeout); err != nil {
		return err
	}
	if w.meta, _, err = readMeta(ctx, w.conn); err != nil {
		return err
	}
	if steps, _ := stepsOf(w.meta.SchemaVersion); steps > len(migrations()) {
		return fmt.Errorf("%w of the program meanwhile: it has schema version %d now; update the program", store.ErrNewerSchema, w.meta.SchemaVersion)
	}
	summed := isSummed(w.meta.SchemaVersion)
	if err := w.addSums(ctx); err != nil {
		return err
	}
	if !summed {
		// What another program writes into pages with sums is found by them.
		if err := w.mendKeywords(ctx); err != nil {
			return err
		}
	}
	err = w.conn.QueryRowContext(ctx, `SELECT count(*) FROM chunks
		WHERE seq > (SELECT coalesce(max(last), 0) FROM term_segments) AND term_count > 0`).Scan(&w.tail)
	if err != nil {
		return err
	}
	w.stmts = prepared.New(w.conn)
	w.tables = links.New(w.stmts)
	w.links = linking.New(w.tables, linking.DefaultPages)
	w.put, err = prepareStatements(ctx, w.conn)
	return err
}

// mendKeywords builds the keyword index anew if it is not that of the chunks, as
// after a change by another program.
func (w *Writer) mendKeywords(ctx context.Context) error {
	wrong, err := examineSegments(ctx, w.conn)
	if err == nil && wrong != "" {
		err = w.transact(ctx, func() error { return segmentWriter{w.conn}.rebuild(ctx) })
	}
	return err
}

// PutAll implements [store.BatchPutter]. When ctx ends, what was written until then is kept.
func (w *Writer) PutAll(ctx context.Context, bundles []store.Bundle) (changed []bool, err error) {
	for some := range store.Batches(bundles) {
		var stored []bool
		err := w.batch(ctx, func(whole context.Context) error {
			for i := range some {
				if ctx.Err() != nil {
					return nil //nolint:nilerr // what was stored stays, and the run ends behind it
				}
				one, err := w.Put(whole, some[i])
				if err != nil {
					return err
				}
				stored = append(stored, one)
			}
			return nil
		})
		if err != nil {
			// One after the other, so that those before the one at fault are stored.
			stored, err = store.PutEach(ctx, w, some)
		}
		if changed = append(changed, stored...); err == nil && len(stored) < len(some) {
			err = fail(ctx, "write", w.store.path, context.Cause(ctx))
		}
		if err != nil {
			return changed, err
		}
	}
	return changed, nil
}

// batch makes one transaction of all that do changes by the writer. It is not cut short
// when ctx ends; do is to look at it between two changes.
func (w *Writer) batch(ctx context.Context, do func(ctx context.Context) error) error {
	before, tail, dirty, erasing := w.meta, w.tail, w.dirty, w.erasing
	whole := context.WithoutCancel(ctx)
	err := w.transact(ctx, func() error {
		w.batched = true
		defer func() { w.batched = false }()
		return do(whole)
	})
	if err != nil {
		w.meta, w.tail, w.dirty, w.erasing = before, tail, dirty, erasing
		w.links.Forget()
	}
	return err
}

// transact runs do in a transaction, which is rolled back also if the file was
// removed or replaced: what is written then is seen by nobody.
func (w *Writer) transact(ctx context.Context, do func() error) error {
	if w.batched {
		return do()
	}
	err := inTransaction(ctx, w.conn, func() error {
		if err := do(); err != nil {
			return err
		}
		return w.store.checkPlace()
	})
	w.unsynced = w.unsynced || err == nil
	return err
}

// sync brings all that was committed to the disk. Until then a loss of power may
// undo the last transactions, each of them whole.
func (w *Writer) sync(ctx context.Context) error {
	if _, err := w.conn.ExecContext(ctx, `PRAGMA synchronous = FULL`); err != nil {
		return err
	}
	// A commit is what syncs the log, and there is none where nothing is written.
	err := w.transact(ctx, func() error {
		_, err := w.conn.ExecContext(ctx, `UPDATE corpus_meta SET changed = changed`)
		return err
	})
	if err != nil {
		return err
	}
	// An emptied log cannot be taken for that of another file which is put in the
	// place of this one. It stays where somebody is reading just now, who needs it.
	_, err = w.conn.ExecContext(ctx, `PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)`)
	if hasCode(err, sqlite3.SQLITE_BUSY) || hasCode(err, sqlite3.SQLITE_LOCKED) {
		err = nil
	}
	return err
}

// change runs do in a transaction with the next value of the change counter.
func (w *Writer) change(ctx context.Context, do func(changed int64) error) error {
	next := w.meta.Changed + 1
	err := w.transact(ctx, func() error {
		if err := do(next); err != nil {
			return err
		}
		_, err := w.stmts.ExecContext(ctx, `UPDATE corpus_meta SET changed = ?`, next)
		return err
	})
	if err == nil {
		w.meta.Changed, w.dirty = next, true
	}
	return err
}

// Meta is what the corpus remembers about itself.
func (w *Writer) Meta() store.Meta { return w.meta }

// SetMeta records what the corpus was made with. SchemaVersion and Changed of m
// are the store's own and are ignored.
func (w *Writer) SetMeta(ctx context.Context, m store.Meta) error {
	if m.EmbedderID != w.meta.EmbedderID || m.Dimensions != w.meta.Dimensions {
		var vectors bool
		if err := w.conn.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM vectors)`).Scan(&vectors); err != nil {
			return fail(ctx, "write", w.store.path, err)
		}
		if vectors {
			return fmt.Errorf("write corpus %s: %w", w.store.path, mismatch(w.meta, m.EmbedderID, m.Dimensions))
		}
	}
	if err := w.transact(ctx, func() error { return w.writeMeta(ctx, m) }); err != nil {
		return fail(ctx, "write", w.store.path, err)
	}
	m.SchemaVersion, m.Changed = w.meta.SchemaVersion, w.meta.Changed
	w.meta = m
	return nil
}

func (w *Writer) writeMeta(ctx context.Context, m store.Meta) error {
	if m.Dimensions < 0 {
		return fmt.Errorf("%d dimensions", m.Dimensions)
	}
	var calibration any
	if m.Calibration != (store.Calibration{}) {
		b, err := json.Marshal(m.Calibration)
		if err != nil {
			return fmt.Errorf("calibration: %w", err)
		}
		calibration = string(b)
	}
	_, err := w.conn.ExecContext(ctx, `
		UPDATE corpus_meta SET embedder_id = ?, dimensions = ?, tokenizer = ?, calibration = ?, pipeline_fingerprint = ?`,
		textOrNull(m.EmbedderID), m.Dimensions, textOrNull(m.Tokenizer), calibration, textOrNull(m.Fingerprint))
	return err
}

// SetCalibration records a measured cosine scale.
func (w *Writer) SetCalibration(ctx context.Context, c store.Calibration) error {
	m := w.meta
	m.Calibration = c
	return w.SetMeta(ctx, m)
}

// Document returns the stored row with this id, without its chunks, if the
// store's owner may see it.
func (w *Writer) Document(ctx context.Context, id string) (store.Document, bool, error) {
	docs, err := readDocuments(ctx, w.stmts, []string{id})
	if err != nil {
		return store.Document{}, false, fail(ctx, "read", w.store.path, err)
	}
	d, ok := docs[id]
	if !ok || !w.store.sees(d.Owner) {
		return store.Document{}, false, nil
	}
	return d, true, nil
}

// Known returns the stored vectors of visible children whose embed text has one
// of the hashes.
func (w *Writer) Known(ctx context.Context, hashes []string) (map[string][]float32, error) {
	list, err := json.Marshal(hashes)
	if err != nil {
		return nil, fmt.Errorf("known vectors: %w", err)
	}
	known := make(map[string][]float32)
	rows, err := w.stmts.QueryContext(ctx, `
		SELECT c.embed_hash, v.v FROM json_each(?1) h
		CROSS JOIN chunks c ON c.embed_hash = h.value JOIN documents d ON d.id = c.document_id
		JOIN vectors v ON v.seq = c.seq
		WHERE c.owner IS d.owner AND (?2 = '' OR c.owner = ?2)`, string(list), w.store.owner)
	if err != nil {
		return nil, fail(ctx, "read", w.store.path, err)
	}
	defer rows.Close()
	for rows.Next() {
		var hash string
		var blob sql.RawBytes
		if err := rows.Scan(&hash, &blob); err != nil {
			return nil, fail(ctx, "read", w.store.path, err)
		}
		if known[hash] != nil {
			continue
		}
		v := make([]float32, w.meta.Dimensions)
		if vector.Decode(v, blob) == nil && store.CheckUnit(v) == nil {
			known[hash] = v // a damaged vector is not known, and is made anew
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fail(ctx, "read", w.store.path, err)
	}
	return known, nil
}

// CountChildren counts the children that a view shows, by what documents say of theirs.
func (w *Writer) CountChildren(ctx context.Context) (n int, err error) {
	const shown = `SELECT coalesce(sum(child_count), 0) FROM documents WHERE deleted_at IS NULL AND (?1 = '' OR owner = ?1)`
	err = w.conn.QueryRowContext(ctx, `SELECT (`+shown+`) - (`+shown+` AND current_ingestion_id IS NULL)`, w.store.owner).Scan(&n)
	return n, fail(ctx, "count the passages of", w.store.path, err)
}

// View reads what this writer has written so far.
func (w *Writer) View(ctx context.Context) (store.View, error) { return w.store.Read(ctx) }

// Delete removes documents with everything that belongs to them, in one
// transaction, and returns how many there were. What the store's owner may not
// see is left alone. When the writer is closed, none of their words is left in the
// file, unless somebody is reading it just then: the log is emptied by the next.
func (w *Writer) Delete(ctx context.Context, documentIDs ...string) (int, error) {
	docs, err := readDocuments(ctx, w.conn, documentIDs)
	if err != nil {
		return 0, fail(ctx, "delete from", w.store.path, err)
	}
	for id, d := range docs {
		if !w.store.sees(d.Owner) {
			delete(docs, id)
		}
	}
	if len(docs) == 0 {
		return 0, nil
	}
	err = w.change(ctx, func(changed int64) error {
		for id := range docs {
			stale, err := w.links.Removing(ctx, id)
			if err != nil {
				return err
			}
			// What belongs to it goes with the document.
			_, err = w.conn.ExecContext(ctx, `
				DELETE FROM documents WHERE id = ?1;
				INSERT OR REPLACE INTO removed (document_id, changed) VALUES (?1, ?2)`, id, changed)
			if err != nil {
				return err
			}
			if err := w.links.Relink(ctx, stale); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		w.links.Forget()
		return 0, fail(ctx, "delete from", w.store.path, err)
	}
	w.erasing = true
	return len(docs), nil
}

// finish leaves the keyword index tidy and all that was written on the disk.
func (w *Writer) finish() error {
	ctx := context.Background() // that of a call may have ended
	if w.dirty || w.tail > 0 {
		err := w.transact(ctx, func() error {
			words := segmentWriter{w.conn}
			if err := words.tidy(ctx); err != nil || !w.erasing {
				return err
			}
			return words.erase(ctx)
		})
		if err != nil {
			return err
		}
	}
	if !w.unsynced {
		return nil
	}
	return w.sync(ctx)
}

// Close ends the writer and lets others write.
func (w *Writer) Close() error {
	if w.closed {
		return nil
	}
	w.closed = true
	errs := []error{w.finish()}
	if w.stmts != nil {
		w.stmts.Close()
	}
	if w.conn != nil {
		w.put.close()
		w.notes.Close()
		errs = append(errs, w.conn.Close())
	}
	if w.db != nil {
		errs = append(errs, w.db.Close())
	}
	errs = append(errs, w.lock.Release())
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close the writer of corpus %s: %w", w.store.path, plain(err))
	}
	return nil
}
