package postgres

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/record"
)

// ownedTerm is a key of term_stats; owner is empty for none.
type ownedTerm struct{ term, owner string }

// termCounts say how many searchable children hold a term, or how many more or
// fewer do.
type termCounts map[ownedTerm]int

// add counts the terms of a child as chunk_terms holds them, sign times.
func (n termCounts) add(c *store.Chunk, owner string, sign int) {
	vector, _ := record.TermVector(c)
	n.addVector(vector, owner, sign)
}

func (n termCounts) addVector(vector pgtype.TSVector, owner string, sign int) {
	for i := range vector.Lexemes {
		n[ownedTerm{vector.Lexemes[i].Word, owner}] += sign
	}
}

// countTerms adds what replacing a document does to the counts, but for its new
// chunks. Words that stay do not change them, unless they become another's or the
// document is hidden or shown.
func (p *put) countTerms(n termCounts) {
	if !p.exists {
		return
	}
	old, d := &p.old.Document, &p.bundle.Document
	sameFor := old.Owner == d.Owner && isCounted(old) == isCounted(d)
	staying := make(map[string]bool)
	if sameFor {
		for id := range p.old.chunks {
			staying[id] = true
		}
		for _, id := range p.gone {
			delete(staying, id)
		}
		for _, c := range p.updated {
			delete(staying, c.ID)
		}
	}
	if isCounted(old) {
		for id, c := range p.old.chunks {
			if !staying[id] {
				n.add(c, old.Owner, -1)
			}
		}
	}
	if !isCounted(d) {
		return
	}
	for i := range p.chunks {
		c := &p.chunks[i]
		if _, known := p.old.chunks[c.ID]; known && !staying[c.ID] {
			n.add(c, d.Owner, 1)
		}
	}
}

// isCounted reports whether the children of a document can be found.
func isCounted(d *store.Document) bool { return d.DeletedAt.IsZero() && d.CurrentIngestionID != "" }

// countTerms adds to term_stats what the visible children of documents hold, or
// takes it away (sign 1 or -1), from the rows of chunk_terms: before they are
// hidden or deleted, and after they are shown.
func countTerms(ctx context.Context, tx pgx.Tx, l *layout, documentIDs []string, sign int) error {
	rows, err := tx.Query(ctx, `
		SELECT t.term, coalesce(d.owner, ''), count(*)
		FROM `+l.table("chunk_terms")+` c JOIN `+l.table("documents")+` d ON d.id = c.document_id,
			unnest(tsvector_to_array(c.ts)) t (term)
		WHERE c.document_id = ANY($1::uuid[]) AND d.deleted_at IS NULL AND d.current_ingestion_id IS NOT NULL
		GROUP BY 1, 2`, documentIDs)
	if err != nil {
		return err
	}
	n := make(termCounts)
	var of ownedTerm
	var count int
	_, err = pgx.ForEachRow(rows, []any{&of.term, &of.owner, &count}, func() error {
		n[of] = sign * count
		return nil
	})
	if err != nil {
		return err
	}
	return n.write(ctx, tx, l)
}

// write adds the counts to term_stats.
//
// A cluster has a copy of that table on each server, and changes it by statements
// that name no table of which each has a part: hence the counts are parameters.
// They are in the order of terms, so that two transactions wait for each other's
// rows and not in a circle.
func (n termCounts) write(ctx context.Context, tx pgx.Tx, l *layout) error {
	maps.DeleteFunc(n, func(_ ownedTerm, count int) bool { return count == 0 })
	if len(n) == 0 {
		return nil
	}
	keys := slices.SortedFunc(maps.Keys(n), func(a, b ownedTerm) int {
		return cmp.Or(cmp.Compare(a.term, b.term), cmp.Compare(a.owner, b.owner))
	})
	terms, owners, counts := make([]string, len(keys)), make([]string, len(keys)), make([]int, len(keys))
	fewer := false
	for i, k := range keys {
		terms[i], owners[i], counts[i] = k.term, k.owner, n[k]
		fewer = fewer || counts[i] < 0
	}
	stats := l.table("term_stats")
	var b pgx.Batch
	b.Queue(`INSERT INTO `+stats+` AS s (term, owner, df)
		SELECT h.term, h.owner, h.df FROM unnest($1::text[], $2::text[], $3::int[]) h (term, owner, df)
		ON CONFLICT (term, owner) DO UPDATE SET df = s.df + excluded.df`, terms, owners, counts)
	if fewer {
		// Of a page that is gone no word may stay.
		b.Queue(`DELETE FROM `+stats+` WHERE term = ANY ($1::text[]) AND df <= 0`, terms)
	}
	return tx.SendBatch(ctx, &b).Close()
}
