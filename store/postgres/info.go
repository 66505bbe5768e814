package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
)

// markSQL makes the text of layout.mark from the names of tables in parameter $1:
// it changes when one of them is made anew, gets a column or an index, or when an
// index becomes valid or the type of the vectors another one.
const markSQL = `(SELECT string_agg(concat_ws('/', c.oid, c.relnatts,
		(SELECT concat(a.atttypid, ':', a.atttypmod) FROM pg_attribute a
			WHERE a.attrelid = c.oid AND a.attname = 'embedding' AND NOT a.attisdropped),
		(SELECT string_agg(i.indexrelid::text, ',' ORDER BY i.indexrelid) FROM pg_index i
			WHERE i.indrelid = c.oid AND i.indisvalid AND i.indisready)), ' ' ORDER BY c.oid)
	FROM unnest($1::text[]) AS name JOIN pg_class c ON c.oid = to_regclass(name))`

// marked are the tables that markSQL is asked about. Those of ours only change
// with their schema's version, except for the vectors.
func (l *layout) marked() []string {
	if l.foreign {
		return []string{l.table("documents"), l.table("chunks"), l.table("link_candidates")}
	}
	return []string{l.table("chunks")}
}

func readMark(ctx context.Context, q catalog.Querier, l *layout) (mark string, err error) {
	err = q.QueryRow(ctx, "SELECT coalesce("+markSQL+", '')", l.marked()).Scan(&mark)
	return mark, err
}

// readInfo reads what Info answers, meta among it, in one round trip. If the
// tables turn out to have changed, the view gets a layout of what they are now,
// and so do the views after it.
func (v *View) readInfo(ctx context.Context, tx pgx.Tx) (store.Info, error) {
	read := v.readOwn
	if v.layout.foreign {
		read = v.readWebRAG
	}
	meta, hasOwners, mark, err := read(ctx, tx)
	if err != nil {
		return store.Info{}, err
	}
	if mark != v.layout.mark {
		l, err := readLayout(ctx, tx, v.store.db.Argument())
		if err != nil {
			return store.Info{}, err
		}
		if l.readOnly == "" && v.layout.readOnly == standbyOnly {
			l.readOnly = standbyOnly
		}
		v.layout = l
		v.store.layout.Store(l)
	}
	if v.layout.foreign {
		meta = v.store.remembered(meta, v.layout.vector.dims)
	}
	return v.store.describe(v.layout, meta, hasOwners), nil
}

// lostVectors says that a corpus of ours has had vectors and has no column of them
// any more, as after DROP EXTENSION vector CASCADE; empty if that is not so.
func (l *layout) lostVectors(meta store.Meta) string {
	if l.foreign || meta.Dimensions == 0 || l.vector.kind != "" {
		return ""
	}
	return vectorsGone(l.vector.index.why)
}

func vectorsGone(why string) string {
	return "its vectors are gone: " + why + "; restore the database from a backup, or index into an empty one"
}

// describe puts together what Info answers.
func (s *Store) describe(l *layout, meta store.Meta, hasOwners bool) store.Info {
	warnings := slices.Clip(l.warnings)
	if lost := l.lostVectors(meta); lost != "" {
		warnings = append(warnings, lost)
	}
	return store.Info{
		Name:      s.db.Name(),
		Location:  s.db.Location(),
		Meta:      meta,
		ReadOnly:  l.readOnly != "",
		Owner:     s.opts.Owner,
		HasOwners: hasOwners,
		Missing:   maps.Clone(l.missing),
		Foreign:   l.foreign,
		Unindexed: l.unindexed,
		Warnings:  warnings,
		Advice:    l.advice,
	}
}

// readOwn reads what a corpus of ours keeps about itself.
func (v *View) readOwn(ctx context.Context, tx pgx.Tx) (m store.Meta, hasOwners bool, mark string, err error) {
	err = tx.QueryRow(ctx, `
		SELECT schema_version, coalesce(embedder_id, ''), dimensions, coalesce(tokenizer, ''),
			coalesce(calibration, '{}'), coalesce(pipeline_fingerprint, ''), changed,
			EXISTS (SELECT 1 FROM `+v.layout.table("documents")+` WHERE owner IS NOT NULL), coalesce(`+markSQL+`, '')
		FROM `+v.layout.table("corpus_meta"), v.layout.marked()).Scan(&m.SchemaVersion, &m.EmbedderID, &m.Dimensions,
		&m.Tokenizer, &m.Calibration, &m.Fingerprint, &m.Changed, &hasOwners, &mark)
	if errors.Is(err, pgx.ErrNoRows) {
		err = fmt.Errorf("%w: its table corpus_meta is empty; index into another database", store.ErrNotCorpus)
	}
	if err != nil {
		return store.Meta{}, false, "", err
	}
	if err := store.CheckMeta(&m); err != nil {
		return store.Meta{}, false, "", err
	}
	switch known := len(steps()); {
	case m.SchemaVersion > known:
		err = fmt.Errorf("%w of the program: it has schema version %d, this program knows %d; update the program",
			store.ErrNewerSchema, m.SchemaVersion, known)
	case m.SchemaVersion < known:
		err = fmt.Errorf("it was made by an older version (schema version %d, now %d); bring it up to date with 'webrag-tui migrate' and the same --corpus",
			m.SchemaVersion, known)
	}
	return m, hasOwners, mark, err
}
