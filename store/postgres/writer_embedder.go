package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/record"
)

// Known returns the stored vectors of children whose embed text has one of the
// hashes, if the store's owner may see them.
func (w *Writer) Known(ctx context.Context, hashes []string) (map[string][]float32, error) {
	known := make(map[string][]float32)
	hashes = slices.DeleteFunc(slices.Clone(hashes), func(hash string) bool { return record.CheckText("it", hash) != nil })
	err := w.read(ctx, func(q reader) error {
		if len(hashes) == 0 || w.column.kind == "" {
			return nil
		}
		rows, err := q.Query(ctx, `
			SELECT k.embed_hash, k.embedding::real[] FROM (
				SELECT DISTINCT ON (c.embed_hash) c.embed_hash, c.embedding
				FROM `+w.table("chunks")+` c JOIN `+w.table("documents")+` d ON d.id = c.document_id
				WHERE c.embed_hash = ANY ($1) AND c.embedding IS NOT NULL
					AND c.owner IS NOT DISTINCT FROM d.owner AND ($2 = '' OR c.owner = $2)
			) k`, hashes, w.store.opts.Owner)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var hash string
			var v []float32
			if err := rows.Scan(&hash, &v); err != nil {
				return err
			}
			if len(v) == w.meta.Dimensions && store.CheckUnit(v) == nil {
				known[hash] = v // a damaged vector is not known, and is made anew
			}
		}
		return rows.Err()
	})
	if err != nil {
		return nil, w.fail(ctx, "read", err)
	}
	return known, nil
}

// StageVectors keeps vectors of a new embedder beside the present ones, by chunk
// id, in one transaction; an empty one stands for none. Ids that no visible child
// has are left out: their page changed meanwhile. Staging with another embedder
// drops what was staged.
func (w *Writer) StageVectors(ctx context.Context, embedderID string, vectors map[string][]float32) error {
	if embedderID == "" {
		return errors.New("stage vectors: no embedder id")
	}
	if err := record.CheckText("the embedder's id", embedderID); err != nil {
		return fmt.Errorf("stage vectors: %w", err)
	}
	for id, v := range vectors {
		if len(v) == 0 {
			continue
		}
		err := store.CheckUnit(v)
		if err == nil && len(v) > maxHalfDims {
			_, err = embeddingType(kindVector, len(v))
		}
		if err != nil {
			return fmt.Errorf("stage vectors of %s: chunk %s: %w", embedderID, id, err)
		}
	}
	err := w.inTransaction(ctx, func(tx pgx.Tx) error {
		var staged string
		if err := tx.QueryRow(ctx, `SELECT coalesce(staged_embedder_id, '') FROM `+w.table("corpus_meta")+` WHERE id = 1 FOR UPDATE`).Scan(&staged); err != nil {
			return err
		}
		if staged != embedderID {
			if err := w.seesAll("embed with another model"); err != nil {
				return err
			}
			if err := w.dropStaged(ctx, tx, embedderID); err != nil {
				return err
			}
		}
		return w.stage(ctx, tx, vectors)
	})
	return w.fail(ctx, "stage vectors in", err)
}

// stage writes the vectors of those chunks that take one.
func (w *Writer) stage(ctx context.Context, tx pgx.Tx, vectors map[string][]float32) error {
	ids := onlyIDs(slices.Sorted(maps.Keys(vectors)))
	rows, err := tx.Query(ctx, `
		SELECT document_id::text, id::text FROM `+w.table("chunks")+`
		WHERE id = ANY ($1::uuid[]) AND parent_id IS NOT NULL AND ($2 = '' OR owner = $2)`, ids, w.store.opts.Owner)
	if err != nil {
		return err
	}
	type place struct{ document, id string }
	places, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (p place, err error) {
		err = row.Scan(&p.document, &p.id)
		return p, err
	})
	if err != nil {
		return err
	}
	var b pgx.Batch
	for _, p := range places {
		var v any
		if vector := vectors[p.id]; len(vector) > 0 {
			v = pgvector.NewVector(vector)
		}
		b.Queue(`INSERT INTO `+w.table("staged_vectors")+` (document_id, id, embedding) VALUES ($1, $2, $3)
			ON CONFLICT (document_id, id) DO UPDATE SET embedding = excluded.embedding`, p.document, p.id, v)
	}
	return tx.SendBatch(ctx, &b).Close()
}

// dropStaged empties the staging table for another embedder, or for none.
func (w *Writer) dropStaged(ctx context.Context, tx pgx.Tx, embedderID string) error {
	if _, err := tx.Exec(ctx, `DELETE FROM `+w.table("staged_vectors")); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `UPDATE `+w.table("corpus_meta")+` SET staged_embedder_id = $1 WHERE id = 1`, record.TextOrNull(embedderID))
	return err
}

// Staged returns the ids of the chunks that this embedder has staged a vector for,
// or that there is none.
func (w *Writer) Staged(ctx context.Context, embedderID string) (map[string]bool, error) {
	ids := make(map[string]bool)
	if err := record.CheckText("the embedder's id", embedderID); err != nil {
		return nil, w.fail(ctx, "read", err)
	}
	err := w.read(ctx, func(q reader) error {
		rows, err := q.Query(ctx, `
			SELECT c.id::text FROM `+w.table("staged_vectors")+` s
			JOIN `+w.table("chunks")+` c ON c.document_id = s.document_id AND c.id = s.id
			WHERE ($2 = '' OR c.owner = $2)
				AND EXISTS (SELECT 1 FROM `+w.table("corpus_meta")+` m WHERE m.staged_embedder_id = $1)`, embedderID, w.store.opts.Owner)
		if err != nil {
			return err
		}
		list, err := pgx.CollectRows(rows, pgx.RowTo[string])
		for _, id := range list {
			ids[id] = true
		}
		return err
	})
	if err != nil {
		return nil, w.fail(ctx, "read", err)
	}
	return ids, nil
}

// SwitchEmbedder replaces all vectors by the staged ones of m.EmbedderID, and
// the meta by m, in one transaction. Documents that were made by the former
// pipeline are from then on those of m.Fingerprint. The index goes with the former
// vectors; Finish or Close makes it anew.
func (w *Writer) SwitchEmbedder(ctx context.Context, m store.Meta) error {
	column := vectorColumn{kind: w.kind, dims: m.Dimensions}
	err := w.change(ctx, func(tx pgx.Tx, changed int64) error {
		if err := w.seesAll("switch the embedder"); err != nil {
			return err
		}
		if err := w.checkStaged(ctx, tx, m); err != nil {
			return err
		}
		// Documents first, as long as readers are not in the way.
		_, err := tx.Exec(ctx, `UPDATE `+w.table("documents")+` SET changed = $1, pipeline_fingerprint =
			CASE WHEN pipeline_fingerprint IS NOT DISTINCT FROM $2 THEN $3 ELSE pipeline_fingerprint END,
			derived_hash = CASE WHEN deleted_at IS NULL THEN derived_hash END`,
			// Nobody could read the deleted ones to embed them; without the hash,
			// indexing their page again writes them anew.
			changed, record.TextOrNull(w.meta.Fingerprint), record.TextOrNull(m.Fingerprint))
		if err != nil {
			return err
		}
		if err := w.makeColumn(ctx, tx, m.Dimensions); err != nil {
			return err
		}
		if m.Dimensions > 0 {
			of, err := embeddingType(w.kind, m.Dimensions)
			if err != nil {
				return err
			}
			_, err = tx.Exec(ctx, `UPDATE `+w.table("chunks")+` c SET embedding = s.embedding::`+of+`
				FROM `+w.table("staged_vectors")+` s WHERE s.document_id = c.document_id AND s.id = c.id AND s.embedding IS NOT NULL`)
			if err != nil {
				return err
			}
		}
		if err := w.writeMeta(ctx, tx, m); err != nil {
			return err
		}
		return w.dropStaged(ctx, tx, "")
	})
	if err != nil {
		return w.fail(ctx, "switch the embedder of", err)
	}
	if m.Dimensions == 0 {
		column = vectorColumn{}
	}
	w.column = column
	w.setMeta(m)
	return nil
}

// checkStaged refuses to switch unless every child with a vector or an embed hash
// has a staged vector of the embedder and its dimension, or is known to get none.
func (w *Writer) checkStaged(ctx context.Context, tx pgx.Tx, m store.Meta) error {
	embedded := ""
	if w.column.kind != "" {
		embedded = "c.embedding IS NOT NULL OR "
	}
	var staged string
	var missing, wrong int
	err := tx.QueryRow(ctx, `SELECT
		(SELECT coalesce(staged_embedder_id, '') FROM `+w.table("corpus_meta")+` WHERE id = 1),
		(SELECT count(*) FROM `+w.table("chunks")+` c JOIN `+w.table("documents")+` d ON d.id = c.document_id
			LEFT JOIN `+w.table("staged_vectors")+` s ON s.document_id = c.document_id AND s.id = c.id
			WHERE d.deleted_at IS NULL AND s.id IS NULL AND (`+embedded+`c.embed_hash IS NOT NULL)),
		(SELECT count(*) FROM `+w.table("staged_vectors")+` WHERE vector_dims(embedding) <> $1)`, m.Dimensions).Scan(&staged, &missing, &wrong)
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
