package sqlite

import (
	"context"
	"errors"
	"fmt"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/vector"
)

// StageVectors keeps vectors of a new embedder beside the present ones, by chunk
// id, in one transaction; an empty one stands for none. Ids that no visible child
// has are left out: their page changed meanwhile. Staging with another embedder
// drops what was staged.
func (w *Writer) StageVectors(ctx context.Context, embedderID string, vectors map[string][]float32) error {
	if embedderID == "" {
		return errors.New("stage vectors: no embedder id")
	}
	for id, v := range vectors {
		if len(v) == 0 {
			continue
		}
		if err := store.CheckUnit(v); err != nil {
			return fmt.Errorf("stage vectors of %s: chunk %s: %w", embedderID, id, err)
		}
	}
	err := w.transact(ctx, func() error {
		var staged string
		if err := w.conn.QueryRowContext(ctx, `SELECT coalesce(staged_embedder_id, '') FROM corpus_meta`).Scan(&staged); err != nil {
			return err
		}
		if staged != embedderID {
			if err := w.dropStaged(ctx, embedderID); err != nil {
				return err
			}
		}
		insert, err := w.conn.PrepareContext(ctx, `
			INSERT OR REPLACE INTO staged_vectors (seq, v)
			SELECT seq, ?1 FROM chunks WHERE id = ?2 AND parent_id IS NOT NULL AND (?3 = '' OR owner = ?3)`)
		if err != nil {
			return err
		}
		defer insert.Close()
		for id, v := range vectors {
			if _, err := insert.ExecContext(ctx, vector.Encode(v), id, w.store.owner); err != nil {
				return err
			}
		}
		return nil
	})
	return fail(ctx, "stage vectors in", w.store.path, err)
}

// dropStaged empties the staging table for another embedder, or for none.
func (w *Writer) dropStaged(ctx context.Context, embedderID string) error {
	if _, err := w.conn.ExecContext(ctx, `DELETE FROM staged_vectors`); err != nil {
		return err
	}
	_, err := w.conn.ExecContext(ctx, `UPDATE corpus_meta SET staged_embedder_id = ?`, textOrNull(embedderID))
	return err
}

// Staged returns the ids of the chunks that this embedder has staged a vector for,
// or that there is none.
func (w *Writer) Staged(ctx context.Context, embedderID string) (map[string]bool, error) {
	rows, err := w.conn.QueryContext(ctx, `
		SELECT c.id FROM corpus_meta m CROSS JOIN staged_vectors s JOIN chunks c ON c.seq = s.seq
		WHERE m.staged_embedder_id = ?1 AND (?2 = '' OR c.owner = ?2)`, embedderID, w.store.owner)
	if err != nil {
		return nil, fail(ctx, "read", w.store.path, err)
	}
	defer rows.Close()
	ids := make(map[string]bool)
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fail(ctx, "read", w.store.path, err)
		}
		ids[id] = true
	}
	if err := rows.Err(); err != nil {
		return nil, fail(ctx, "read", w.store.path, err)
	}
	return ids, nil
}

// SwitchEmbedder replaces all vectors by the staged ones of m.EmbedderID, and
// the meta by m, in one transaction. Documents that were made by the former
// pipeline are from then on those of m.Fingerprint.
func (w *Writer) SwitchEmbedder(ctx context.Context, m store.Meta) error {
	err := w.change(ctx, func(changed int64) error {
		if err := w.checkStaged(ctx, m); err != nil {
			return err
		}
		for _, step := range []struct {
			query string
			args  []any
		}{
			{`DELETE FROM vectors`, nil},
			{`INSERT INTO vectors (seq, v) SELECT seq, v FROM staged_vectors WHERE length(v) > 0 ORDER BY seq`, nil},
			{`UPDATE chunks SET embedded = NOT embedded WHERE embedded <> (seq IN (SELECT seq FROM vectors))`, nil},
			{
				`UPDATE documents SET changed = ?, pipeline_fingerprint =
				CASE WHEN pipeline_fingerprint IS ? THEN ? ELSE pipeline_fingerprint END`,
				[]any{changed, textOrNull(w.meta.Fingerprint), textOrNull(m.Fingerprint)},
			},
			// Nobody could read these to embed them; without the hash, indexing
			// their page again writes them anew.
			{`UPDATE documents SET derived_hash = NULL WHERE deleted_at IS NOT NULL`, nil},
		} {
			if _, err := w.conn.ExecContext(ctx, step.query, step.args...); err != nil {
				return err
			}
		}
		if err := w.writeMeta(ctx, m); err != nil {
			return err
		}
		if err := packAll(ctx, w.conn); err != nil {
			return err
		}
		return w.dropStaged(ctx, "")
	})
	if err != nil {
		return fail(ctx, "switch the embedder of", w.store.path, err)
	}
	m.SchemaVersion, m.Changed = w.meta.SchemaVersion, w.meta.Changed
	w.meta = m
	return nil
}

// checkStaged refuses to switch unless every child with a vector or an embed hash
// has a staged vector of the embedder and its dimension, or is known to get none.
func (w *Writer) checkStaged(ctx context.Context, m store.Meta) error {
	var staged string
	var missing, wrong int
	err := w.conn.QueryRowContext(ctx, `SELECT
		(SELECT coalesce(staged_embedder_id, '') FROM corpus_meta),
		(SELECT count(*) FROM chunks WHERE (embedded OR embed_hash IS NOT NULL) AND seq NOT IN (SELECT seq FROM staged_vectors)
			AND document_id NOT IN (SELECT id FROM documents WHERE deleted_at IS NOT NULL)),
		(SELECT count(*) FROM staged_vectors WHERE length(v) NOT IN (0, ?))`, 4*m.Dimensions).Scan(&staged, &missing, &wrong)
	switch {
	case err != nil:
		return err
	case missing > 0:
		return fmt.Errorf("%d chunks have no vector of %s yet; embed and stage them first", missing, m.EmbedderID)
	case staged != "" && staged != m.EmbedderID:
		return fmt.Errorf("the staged vectors are of %q, not of %q", staged, m.EmbedderID)
	case wrong > 0:
		return fmt.Errorf("%d staged vectors of %s do not have %d dimensions", wrong, m.EmbedderID, m.Dimensions)
	}
	return nil
}
