package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/record"
)

// Meta is what the corpus remembers about itself.
func (w *Writer) Meta() store.Meta { return w.meta }

// SetMeta records what the corpus was made with, and makes the column of vectors
// for its dimension. SchemaVersion and Changed of m are the store's own and are
// ignored.
func (w *Writer) SetMeta(ctx context.Context, m store.Meta) error {
	column := w.column
	err := w.inTransaction(ctx, func(tx pgx.Tx) (err error) {
		column, err = w.fitColumn(ctx, tx, m)
		if err != nil {
			return err
		}
		return w.writeMeta(ctx, tx, m)
	})
	if err != nil {
		return w.fail(ctx, "write", err)
	}
	w.column = column
	w.setMeta(m)
	return nil
}

// setMeta takes over m, but for what is the store's own.
func (w *Writer) setMeta(m store.Meta) {
	m.SchemaVersion, m.Changed = w.meta.SchemaVersion, w.meta.Changed
	w.meta = m
}

// fitColumn makes the column of vectors for m and returns what it is then. While
// there are vectors it stays, and another embedder is refused.
func (w *Writer) fitColumn(ctx context.Context, tx pgx.Tx, m store.Meta) (vectorColumn, error) {
	other := m.EmbedderID != w.meta.EmbedderID || m.Dimensions != w.meta.Dimensions
	want := vectorColumn{kind: w.kind, dims: m.Dimensions}
	if m.Dimensions == 0 {
		want = vectorColumn{}
	}
	if !other && w.column == want {
		return w.column, nil
	}
	if w.column.kind != "" {
		if err := w.seesAll("change the embedder"); err != nil {
			return w.column, err
		}
		var vectors bool
		if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM `+w.table("chunks")+` WHERE embedding IS NOT NULL)`).Scan(&vectors); err != nil {
			return w.column, err
		}
		if vectors && other {
			return w.column, &store.MismatchError{Have: w.meta.EmbedderID, HaveDims: w.meta.Dimensions, Want: m.EmbedderID, WantDims: m.Dimensions}
		}
		if vectors {
			return w.column, nil
		}
	}
	if w.column == want {
		return want, nil
	}
	return want, w.makeColumn(ctx, tx, m.Dimensions)
}

// makeColumn replaces the column of vectors by an empty one.
func (w *Writer) makeColumn(ctx context.Context, tx pgx.Tx, dims int) error {
	statements, err := embeddingColumn(w.table("chunks"), w.kind, dims)
	if err != nil {
		return err
	}
	for _, statement := range statements {
		if _, err := tx.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// seesAll refuses what concerns rows of all owners to a role that does not see
// them.
func (w *Writer) seesAll(what string) error {
	if !w.secured {
		return nil
	}
	return fmt.Errorf("row security shows this role only the rows of one owner; to %s, connect with a role that sees all of them (BYPASSRLS)", what)
}

func (w *Writer) writeMeta(ctx context.Context, tx pgx.Tx, m store.Meta) error {
	if m.Dimensions < 0 {
		return fmt.Errorf("%d dimensions", m.Dimensions)
	}
	err := errors.Join(record.CheckText("the embedder's id", m.EmbedderID), record.CheckText("the tokenizer's id", m.Tokenizer),
		record.CheckText("the pipeline's fingerprint", m.Fingerprint), record.CheckText("the calibration's embedder", m.Calibration.EmbedderID))
	if err != nil {
		return err
	}
	var calibration any
	if m.Calibration != (store.Calibration{}) {
		calibration = m.Calibration
	}
	_, err = tx.Exec(ctx, `
		UPDATE `+w.table("corpus_meta")+` SET embedder_id = $1, dimensions = $2, tokenizer = $3, calibration = $4, pipeline_fingerprint = $5
		WHERE id = 1`, record.TextOrNull(m.EmbedderID), m.Dimensions, record.TextOrNull(m.Tokenizer), calibration, record.TextOrNull(m.Fingerprint))
	return err
}

// SetCalibration records a measured cosine scale.
func (w *Writer) SetCalibration(ctx context.Context, c store.Calibration) error {
	m := w.meta
	m.Calibration = c
	return w.SetMeta(ctx, m)
}
