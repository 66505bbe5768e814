package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/record"
)

// Delete removes documents with everything that belongs to them, in one
// transaction, and returns how many there were. What the store's owner may not
// see is left alone.
func (w *Writer) Delete(ctx context.Context, documentIDs ...string) (int, error) {
	n, err := w.changeDocuments(ctx, documentIDs, "true", func(tx pgx.Tx, ids []string, _ int64) error {
		if err := countTerms(ctx, tx, w.layout, ids, -1); err != nil {
			return err
		}
		for _, id := range ids {
			stale, err := w.links.removing(ctx, tx, id)
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `DELETE FROM `+w.table("documents")+` WHERE id = $1`, id); err != nil {
				return err
			}
			if err := w.links.relink(ctx, tx, stale); err != nil {
				return err
			}
		}
		return nil
	})
	return n, w.fail(ctx, "delete from", err)
}

// SoftDelete hides documents, in one transaction, and returns how many it hid.
func (w *Writer) SoftDelete(ctx context.Context, documentIDs ...string) (int, error) {
	n, err := w.changeDocuments(ctx, documentIDs, "deleted_at IS NULL", func(tx pgx.Tx, ids []string, changed int64) error {
		if err := countTerms(ctx, tx, w.layout, ids, -1); err != nil {
			return err
		}
		if err := w.setDeleted(ctx, tx, ids, record.Moment(time.Now()), changed); err != nil {
			return err
		}
		return w.hidden(ctx, tx, ids)
	})
	return n, w.fail(ctx, "delete from", err)
}

// Restore shows soft-deleted documents again.
func (w *Writer) Restore(ctx context.Context, documentIDs ...string) (int, error) {
	n, err := w.changeDocuments(ctx, documentIDs, "deleted_at IS NOT NULL", func(tx pgx.Tx, ids []string, changed int64) error {
		if err := w.setDeleted(ctx, tx, ids, nil, changed); err != nil {
			return err
		}
		if err := w.hidden(ctx, tx, ids); err != nil {
			return err
		}
		return countTerms(ctx, tx, w.layout, ids, 1)
	})
	return n, w.fail(ctx, "restore documents of", err)
}

// hidden lets links follow the hiding or showing of documents.
func (w *Writer) hidden(ctx context.Context, tx pgx.Tx, ids []string) error {
	for _, id := range ids {
		if err := w.links.hidden(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) setDeleted(ctx context.Context, tx pgx.Tx, ids []string, when any, changed int64) error {
	_, err := tx.Exec(ctx, `UPDATE `+w.table("documents")+` SET deleted_at = $2, changed = $3 WHERE id = ANY ($1::uuid[])`, ids, when, changed)
	return err
}

// changeDocuments runs do for those of the documents that the store's owner may
// see and that fulfil a condition, in the order of their ids, and returns how many
// they are. Without any nothing changes.
func (w *Writer) changeDocuments(ctx context.Context, ids []string, condition string, do func(tx pgx.Tx, ids []string, changed int64) error) (n int, err error) {
	if ids = onlyIDs(ids); len(ids) == 0 {
		return 0, nil
	}
	var next int64
	err = w.inTransaction(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `
			SELECT id::text FROM `+w.table("documents")+`
			WHERE id = ANY ($1::uuid[]) AND ($2 = '' OR owner = $2) AND `+condition+` ORDER BY id`, ids, w.store.opts.Owner)
		if err != nil {
			return err
		}
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if n = len(found); n == 0 || err != nil {
			return err
		}
		if next, err = w.count(ctx, tx, 1); err != nil {
			return err
		}
		return do(tx, found, next)
	})
	if err != nil {
		w.links.forget()
		return 0, err
	}
	if n > 0 {
		w.meta.Changed = next
	}
	return n, nil
}

// onlyIDs drops what is not an id, which the server would refuse.
func onlyIDs(ids []string) (valid []string) {
	for _, id := range ids {
		if _, ok := store.ParseID(id); ok {
			valid = append(valid, id)
		}
	}
	return valid
}
