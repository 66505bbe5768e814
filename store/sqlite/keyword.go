package sqlite

import (
	"context"
	"database/sql"
	"strconv"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
)

// keywordLimits bound the work of a keyword search.
type keywordLimits struct {
	// matches is the number of rows that a search with MatchAuto may have to
	// rank: the cost of a keyword search grows with its matches. It is absolute;
	// a share of the corpus would take away ordinary words of a small one.
	matches int
	// sampled is how many rows are ranked when even a single term has more
	// matches: the first of the file. Such a term tells little, and ranking
	// 20,000 rows for it takes twice as long as a query may.
	sampled int
	// ranked is how many rows are scored in Go, chosen by the keyword index's
	// own rank.
	ranked int
	// span bounds the map of a rowFilter, in bytes.
	span int64
}

func defaultKeywordLimits() keywordLimits {
	return keywordLimits{matches: 20_000, sampled: 5000, ranked: 1000, span: 1 << 24}
}

// keyword runs the keyword arm into found.
func (v *View) keyword(ctx context.Context, sn *snapshot, sel selection, spec *store.Search, found *store.Found) error {
	describeCorpus(sn, spec, found)
	q, err := v.keywordQuery(ctx, sn, spec)
	if err != nil {
		return err
	}
	found.Terms = q.Stats(spec.Terms)
	if q.Bound == 0 || spec.KeywordRows <= 0 {
		return nil
	}
	m, err := v.matching(ctx, sn, sel, spec, q, false)
	if err != nil {
		return err
	}
	found.KeywordSampled, found.KeywordMatches = m.sampled, m.total
	found.Keyword = keyword.Best(m.rows, found, spec.KeywordRows)
	found.KeywordReturned = len(found.Keyword)
	return nil
}

// describeCorpus fills in what BM25 needs of the corpus. The terms have no counts
// yet, so that a search whose counting fails still names them.
func describeCorpus(sn *snapshot, spec *store.Search, found *store.Found) {
	found.KeywordRows, found.Fields = sn.keywordRows, spec.Fields
	found.AvgLength = store.MeanLengths(sn.keywordTerms, sn.keywordRows)
	found.Terms = make([]store.TermStat, len(spec.Terms))
	for i, text := range spec.Terms {
		found.Terms[i].Term = text
	}
}

// matches are the rows that a keyword query matches.
type matches struct {
	// rows have the counts of all terms. They are all that match, or the best by
	// the index's own rank.
	rows []store.KeywordRow
	// total is how many match, as far as was counted; sampled says that not all of
	// them were looked at.
	total   int
	sampled bool
}

// matching returns the rows that match. If there are too many, it ranks only the
// best by the index's own rank, unless all are wanted; even then a very common
// term has only a sample of its rows.
func (v *View) matching(ctx context.Context, sn *snapshot, sel selection, spec *store.Search, q *keyword.Query, all bool) (matches, error) {
	limits := v.store.limits
	var filter rowFilter
	restricted := !spec.Scope.IsZero() || len(sn.hidden) > 0
	if restricted {
		if filter = newRowFilter(sel, limits.span); len(filter.seqs) == 0 {
			return matches{}, nil
		}
	}
	args := append([]any{expression(q)}, filter.args...)
	from := ` FROM fts WHERE fts MATCH ?` + filter.condition
	ranked := ` LIMIT ` + strconv.Itoa(limits.ranked)
	var inner string
	cut, sampled := false, false
	switch {
	case restricted && len(filter.seqs) <= limits.ranked:
		// Reading so few rows costs less than finding those that match.
		inner, args = `SELECT value AS seq, 0 AS n FROM json_each(?)`, []any{jsonList(filter.seqs)}
	case q.Bound <= limits.ranked, all && q.Bound <= limits.matches:
		inner = `SELECT rowid AS seq, 0 AS n` + from
	case q.Bound > limits.matches && q.Match != store.MatchOr:
		// A very common term is all there is.
		cut, sampled = true, true
		inner = `SELECT seq, 0 AS n FROM (SELECT rowid AS seq, bm25(fts) AS s` + from +
			` LIMIT ` + strconv.Itoa(limits.sampled) + `) ORDER BY s, seq` + ranked
	case keyword.IsConjunction(q.Match):
		// Finding the rows is the work here, so that they are counted on the way.
		inner = `SELECT seq, count(*) OVER () AS n FROM (SELECT rowid AS seq, bm25(fts) AS s` + from + `) ORDER BY s, seq` + ranked
	default:
		// Where many rows match, a second look that counts them costs less than a
		// window over them.
		cut = true
		inner = `SELECT rowid AS seq, 0 AS n` + from + ` ORDER BY rank, rowid` + ranked
	}
	rows, read, counted, err := v.keywordRows(ctx, sn, q, inner, args)
	if err != nil {
		return matches{}, err
	}
	m := matches{rows: rows, total: max(counted, len(rows))}
	if cut && read == limits.ranked {
		m.sampled = sampled
		err = v.countMatches(ctx, q, &m, from, args, restricted)
	}
	return m, err
}

// countMatches counts the matches of a query of which not all were read: those in
// the sample if there is one, and none then if a scope would make that dear.
func (v *View) countMatches(ctx context.Context, q *keyword.Query, m *matches, from string, args []any, restricted bool) error {
	switch {
	case !restricted && len(q.Terms) == 1 && len(q.Phrases)+len(q.Without) == 0:
		m.total = q.Terms[0].DF
		return nil
	case !m.sampled:
		return v.conn.QueryRowContext(ctx, `SELECT count(*)`+from, args...).Scan(&m.total)
	case restricted:
		return nil
	}
	err := v.conn.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1`+from+` LIMIT `+strconv.Itoa(v.store.limits.sampled)+`)`, args...).Scan(&m.total)
	m.sampled = m.total == v.store.limits.sampled
	return err
}

// keywordRows reads the terms of the children that a query for seq and n returns.
// read is how many those were, matches or not, and counted the last n.
func (v *View) keywordRows(ctx context.Context, sn *snapshot, q *keyword.Query, inner string, args []any) (out []store.KeywordRow, read, counted int, err error) {
	rows, err := v.conn.QueryContext(ctx, `SELECT m.seq, m.n, t.terms, t.heading_terms, t.title_terms FROM (`+inner+`) m CROSS JOIN chunk_texts t ON t.seq = m.seq`, args...)
	if err != nil {
		return nil, 0, 0, err
	}
	defer rows.Close()
	r := newRowReader(sn, q)
	for rows.Next() {
		var seq int64
		var body, heading, title sql.RawBytes
		if err := rows.Scan(&seq, &counted, &body, &heading, &title); err != nil {
			return nil, 0, 0, err
		}
		read++
		if row, ok := r.row(seq, &keyword.Fields{Body: body, Heading: heading, Title: title}); ok {
			out = append(out, row)
		}
	}
	return out, read, counted, rows.Err()
}

// rowReader makes keyword rows of children.
type rowReader struct {
	snapshot *snapshot
	query    *keyword.Query
	counter  keyword.Counter
}

func newRowReader(sn *snapshot, q *keyword.Query) rowReader {
	return rowReader{sn, q, keyword.NewCounter(q)}
}

// row returns the row of the child with a number of the file, unless it may not be
// seen or is no match.
func (r *rowReader) row(seq int64, f *keyword.Fields) (store.KeywordRow, bool) {
	d, at, ok := r.snapshot.chunkBySeq(seq)
	if !ok || !r.counter.Count(f) {
		return store.KeywordRow{}, false
	}
	x := &d.part.rows[at]
	return store.KeywordRow{
		ID: x.id.String(), ParentID: d.part.parentID(at), DocumentID: d.id.String(),
		TF: r.query.Frequencies(r.counter.Counts), Length: x.lengths(),
	}, true
}
