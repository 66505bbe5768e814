package sqlite

import (
	"context"
	"slices"
	"time"

	"github.com/webrag/webrag-tui/store"
)

// Deleted returns the soft-deleted documents by (depth, source URL).
func (v *View) Deleted(ctx context.Context) ([]store.Document, error) {
	ids, err := v.deletedIDs(ctx)
	if err != nil {
		return nil, fail(ctx, "list deleted documents of", v.store.path, err)
	}
	var out []store.Document
	for some := range slices.Chunk(ids, 500) {
		byID, err := readDocuments(ctx, v.conn, some)
		if err != nil {
			return nil, fail(ctx, "list deleted documents of", v.store.path, err)
		}
		for _, id := range some {
			out = append(out, byID[id])
		}
	}
	return out, nil
}

// Hidden counts what no read returns, once for each version of the corpus.
func (v *View) Hidden(ctx context.Context) (store.Hidden, error) {
	sn, err := v.loaded(ctx, nil)
	if err != nil {
		return store.Hidden{}, err
	}
	if known := sn.hidden.Load(); known != nil {
		return *known, nil
	}
	var h store.Hidden
	err = v.conn.QueryRowContext(ctx, `
		SELECT count(*) FILTER (WHERE deleted_at IS NOT NULL), count(*) FILTER (WHERE deleted_at IS NULL)
		FROM documents WHERE (deleted_at IS NOT NULL OR current_ingestion_id IS NULL) AND (?1 = '' OR owner = ?1)`,
		v.store.owner).Scan(&h.Deleted, &h.Unfinished)
	if err != nil {
		return store.Hidden{}, fail(ctx, "count what is hidden of", v.store.path, err)
	}
	for _, d := range sn.docs {
		h.Stale += d.part.Stale
	}
	sn.hidden.Store(&h)
	return h, nil
}

func (v *View) deletedIDs(ctx context.Context) ([]string, error) {
	rows, err := v.conn.QueryContext(ctx, `
		SELECT id FROM documents WHERE deleted_at IS NOT NULL AND (?1 = '' OR owner = ?1)
		ORDER BY depth, source_url, id`, v.store.owner)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// SoftDelete hides documents, in one transaction, and returns how many it hid.
func (w *Writer) SoftDelete(ctx context.Context, documentIDs ...string) (int, error) {
	return w.setDeleted(ctx, true, documentIDs)
}

// Restore shows soft-deleted documents again.
func (w *Writer) Restore(ctx context.Context, documentIDs ...string) (int, error) {
	return w.setDeleted(ctx, false, documentIDs)
}

// setDeleted hides documents or shows them again. Their rows stay, in the keyword
// index too.
func (w *Writer) setDeleted(ctx context.Context, deleted bool, ids []string) (n int, err error) {
	doing := "restore documents of"
	var when any
	if deleted {
		doing, when = "delete from", encodeTime(time.Now())
	}
	docs, err := readDocuments(ctx, w.conn, ids)
	if err != nil {
		return 0, fail(ctx, doing, w.store.path, err)
	}
	for id, d := range docs {
		if !w.store.sees(d.Owner) || d.DeletedAt.IsZero() != deleted {
			delete(docs, id)
		}
	}
	if len(docs) == 0 {
		return 0, nil
	}
	err = w.change(ctx, func(changed int64) error {
		for id := range docs {
			if _, err := w.conn.ExecContext(ctx, `UPDATE documents SET deleted_at = ?, changed = ? WHERE id = ?`, when, changed, id); err != nil {
				return err
			}
			if err := w.links.Hidden(ctx, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		w.links.Forget()
		return 0, fail(ctx, doing, w.store.path, err)
	}
	return len(docs), nil
}
