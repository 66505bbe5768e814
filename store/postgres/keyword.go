package postgres

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
)

// keywordLimits bound the work of a keyword search.
type keywordLimits struct {
	// matches is the most rows that a search with MatchAuto may have to rank: the
	// cost of a keyword search grows with its matches.
	matches int
	// sampled is how many rows are ranked when even a single term has more
	// matches. Such a term tells little.
	sampled int
	// ranked is the most rows that a search returns.
	ranked int
	// read is the most texts that are read one by one, where there is no index.
	read int
}

func defaultKeywordLimits() keywordLimits {
	return keywordLimits{matches: 20_000, sampled: 5000, ranked: 1000, read: 20_000}
}

// keywordArm is what a store keeps for its keyword searches.
type keywordArm struct {
	limits keywordLimits
	totals atomic.Pointer[keywordTotals]
	scale  atomic.Pointer[rankScale]
	// analyzer makes the terms of texts that have none.
	analyzer store.Analyzer
}

// keywordTotals are the searchable children with terms at a version of the corpus,
// and their terms in all. To sum them up takes 10 ms for 20,000 documents.
type keywordTotals struct {
	version int64
	rows    int
	length  store.FieldCounts
}

// searchKeywords fills in the keyword arm. Beside a vector arm the caller runs it
// in a savepoint, so that its failure costs nothing else.
func (v *View) searchKeywords(ctx context.Context, tx pgx.Tx, spec *store.Search, found *store.Found) error {
	if v.layout.foreign {
		return v.searchTexts(ctx, tx, spec, found)
	}
	q, err := v.keywordQuery(ctx, tx, spec, found)
	if err != nil || q.Bound == 0 || spec.KeywordRows <= 0 {
		return err
	}
	best := bestMatches{limit: v.store.keywords.limits.ranked}
	total, sampled, err := v.eachMatch(ctx, tx, spec, q, found, best.add)
	if err != nil {
		return err
	}
	found.KeywordSampled, found.KeywordMatches = sampled, total
	if sampled && spec.Scope.IsZero() && len(q.Terms) == 1 && len(q.Phrases)+len(q.Without) == 0 && spec.Fields.Heading != 0 && spec.Fields.Title != 0 {
		found.KeywordMatches = q.Terms[0].DF
	}
	rows, hidden, err := v.keywordRows(ctx, tx, q, best.sorted(), spec.KeywordRows)
	if err != nil {
		return err
	}
	found.Keyword = rows
	found.KeywordMatches -= hidden
	found.KeywordReturned = len(rows)
	return nil
}

// keywordQuery looks up the terms of a search, decides which of them find rows,
// and fills in what BM25 needs of the corpus.
func (v *View) keywordQuery(ctx context.Context, tx pgx.Tx, spec *store.Search, found *store.Found) (*keyword.Query, error) {
	q := keyword.NewQuery(spec)
	found.Terms, found.Fields = q.Stats(spec.Terms), spec.Fields
	var batch pgx.Batch
	v.queueFrequencies(&batch, q.Terms)
	totals := v.store.keywords.totals.Load()
	if totals == nil || totals.version != v.meta.Changed {
		totals = &keywordTotals{version: v.meta.Changed}
		v.queueTotals(&batch, totals)
	}
	scale := v.store.keywords.scale.Load()
	if scale == nil {
		scale = new(rankScale)
		queueScale(&batch, scale)
	}
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
		return nil, err
	}
	v.store.keywords.totals.Store(totals)
	v.store.keywords.scale.Store(scale)
	found.KeywordRows = totals.rows
	found.AvgLength = store.MeanLengths(totals.length, totals.rows)
	q.Choose(spec, totals.rows, v.store.keywords.limits.matches)
	found.Terms = q.Stats(spec.Terms)
	return q, nil
}

// queueFrequencies counts the visible children that hold each term.
func (v *View) queueFrequencies(batch *pgx.Batch, terms []keyword.Term) {
	words := make([]string, len(terms))
	at := make(map[string]*keyword.Term, len(terms))
	for i := range terms {
		words[i] = terms[i].Text
		at[words[i]] = &terms[i]
	}
	var p params
	query := "SELECT s.term, sum(s.df)::bigint FROM " + v.layout.table("term_stats") + " s WHERE s.term = ANY(" + p.add(words) + "::text[])"
	if owner := v.store.opts.Owner; owner != "" {
		query += " AND s.owner = " + p.add(owner)
	}
	batch.Queue(query+" GROUP BY s.term", p...).Query(func(rows pgx.Rows) error {
		var term string
		var df int
		_, err := pgx.ForEachRow(rows, []any{&term, &df}, func() error {
			// Another operator of the same name may find what was not asked for.
			if asked := at[term]; asked != nil {
				asked.DF = df
			}
			return nil
		})
		return err
	})
}

// queueTotals sums over the visible documents.
func (v *View) queueTotals(batch *pgx.Batch, totals *keywordTotals) {
	var p params
	conditions := v.visibleDocument(&p)
	sum := func(column string) string { return "coalesce(sum(d." + column + "), 0)::bigint" }
	batch.Queue("SELECT "+sum("term_rows")+", "+sum("term_length")+", "+sum("heading_length")+", "+sum("title_length")+" FROM "+
		v.layout.table("documents")+" d WHERE "+all(conditions), p...).QueryRow(func(row pgx.Row) error {
		return row.Scan(&totals.rows, &totals.length.Body, &totals.length.Heading, &totals.length.Title)
	})
}

// keywordRows returns the first limit of matches that the guard lets through.
// Matches were found among the visible documents; the chunks themselves are only
// looked at here, where they are few. hidden is how many were left out.
func (v *View) keywordRows(ctx context.Context, tx pgx.Tx, q *keyword.Query, matches []match, limit int) (rows []store.KeywordRow, hidden int, err error) {
	limit = min(limit, len(matches))
	for len(rows) < limit && len(matches) > 0 {
		n := min(limit-len(rows), len(matches))
		visible, err := v.visibleAmong(ctx, tx, matches[:n], isOfBodies(q))
		if err != nil {
			return nil, 0, err
		}
		for i := range matches[:n] {
			m := &matches[i]
			names, ok := visible[m.id]
			if !ok {
				hidden++
				continue
			}
			if isOfBodies(q) {
				m.length.Heading, m.length.Title = names.Heading, names.Title
			}
			rows = append(rows, m.row(q))
		}
		matches = matches[n:]
	}
	return rows, hidden, nil
}

// visibleAmong returns those of some children that pass the guard, with the lengths
// of their headings and titles if they are asked for.
func (v *View) visibleAmong(ctx context.Context, tx pgx.Tx, matches []match, named bool) (map[uuid.UUID]store.FieldCounts, error) {
	ids, documents := make([]uuid.UUID, len(matches)), make([]uuid.UUID, len(matches))
	for i := range matches {
		ids[i], documents[i] = matches[i].id, matches[i].document
	}
	var p params
	conditions := append(v.visibleChunk(&p), "c.document_id = ANY("+p.add(documents)+"::uuid[])", "c.id = ANY("+p.add(ids)+"::uuid[])")
	names := "'', ''"
	if named {
		names = v.layout.indexTerms("heading_terms") + ", " + v.layout.indexTerms("title_terms")
	}
	rows, err := tx.Query(ctx, "SELECT c.id, "+names+" FROM "+v.layout.chunksFrom()+" WHERE "+all(conditions), p...)
	if err != nil {
		return nil, fmt.Errorf("guard the rows of a keyword search: %w", err)
	}
	visible := make(map[uuid.UUID]store.FieldCounts, len(matches))
	var id uuid.UUID
	var f keyword.Fields
	_, err = pgx.ForEachRow(rows, []any{&id, &f.Heading, &f.Title}, func() error {
		visible[id] = f.Lengths()
		return nil
	})
	return visible, err
}
