package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/webrag/webrag-tui/store"
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

// queryTerm is a distinct term of a query.
type queryTerm struct {
	text  string
	df    int
	first int // its first place in the query
	used  bool
}

// keyword runs the keyword arm into found.
func (v *View) keyword(ctx context.Context, sn *snapshot, sel selection, spec store.Search, found *store.Found) error {
	found.KeywordRows = sn.keywordRows
	if sn.keywordRows > 0 {
		found.AvgLength = float64(sn.keywordTerms) / float64(sn.keywordRows)
	}
	terms, places := distinctTerms(spec.Terms)
	if err := v.frequencies(ctx, sn, terms); err != nil {
		return err
	}
	matches := chooseTerms(terms, spec.Match, v.store.limits.matches)
	found.Terms = make([]store.TermStat, len(spec.Terms))
	for i, text := range spec.Terms {
		found.Terms[i] = store.TermStat{Term: text}
		if places[i] >= 0 {
			t := terms[places[i]]
			found.Terms[i].DF, found.Terms[i].Used = t.df, t.used
		}
	}
	if matches == 0 || spec.KeywordRows <= 0 {
		return nil
	}
	rows, err := v.matching(ctx, sn, sel, spec, terms, places, matches, found)
	if err != nil {
		return err
	}
	found.Keyword = bestKeywordRows(rows, found, spec.KeywordRows)
	found.KeywordReturned = len(found.Keyword)
	return nil
}

// distinctTerms returns the different terms of a query and the place of each of
// its words among them, -1 for what cannot be a term and so is in no child.
func distinctTerms(words []string) (terms []queryTerm, places []int) {
	places = make([]int, len(words))
	at := make(map[string]int, len(words))
	for i, w := range words {
		p, ok := at[w]
		switch {
		case ok:
		case !isTerm(w):
			p = -1
			at[w] = p
		default:
			p = len(terms)
			at[w] = p
			terms = append(terms, queryTerm{text: w, first: i})
		}
		places[i] = p
	}
	return terms, places
}

// isTerm reports whether the index keeps s as one token, as it does with all
// that store.Terms makes. Nothing else is put into a MATCH expression.
func isTerm(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
	})
}

// frequencies counts the visible children that hold each term.
func (v *View) frequencies(ctx context.Context, sn *snapshot, terms []queryTerm) error {
	query := `SELECT doc FROM fts_terms WHERE term = ?`
	counting := len(sn.hidden) > 0
	var filter rowFilter
	if counting {
		// The index counts what this owner may not see, too, and a count tells.
		if filter = newRowFilter(sn.in(store.Scope{}), v.store.limits.span); len(filter.seqs) == 0 {
			return nil
		}
		query = `SELECT count(*) FROM fts WHERE fts MATCH ?` + filter.condition
	}
	stmt, err := v.conn.PrepareContext(ctx, query)
	if err != nil {
		return err
	}
	defer stmt.Close()
	for i := range terms {
		arg := terms[i].text
		if counting {
			arg = quoteTerm(arg)
		}
		// fts5vocab has no row for a term that nothing holds.
		err := stmt.QueryRowContext(ctx, append([]any{arg}, filter.args...)...).Scan(&terms[i].df)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	return nil
}

// chooseTerms marks the terms that find rows and returns an upper bound of the
// rows that they match, 0 for none. With MatchAuto that is at most limit, unless
// even the rarest term has more.
func chooseTerms(terms []queryTerm, match store.Match, limit int) (matches int) {
	if match == store.MatchAnd {
		for i := range terms {
			terms[i].used = true
			if i == 0 || terms[i].df < matches {
				matches = terms[i].df
			}
		}
		return matches
	}
	rarest := make([]*queryTerm, 0, len(terms))
	for i := range terms {
		if terms[i].df > 0 {
			rarest = append(rarest, &terms[i])
		}
	}
	slices.SortFunc(rarest, func(a, b *queryTerm) int {
		return cmp.Or(cmp.Compare(a.df, b.df), cmp.Compare(a.first, b.first))
	})
	for _, t := range rarest {
		if match != store.MatchOr && matches > 0 && matches+t.df > limit {
			break
		}
		t.used = true
		matches += t.df
	}
	return matches
}

// matchExpression is the FTS5 query of the used terms.
func matchExpression(terms []queryTerm, match store.Match) string {
	quoted := make([]string, 0, len(terms))
	for _, t := range terms {
		if t.used {
			quoted = append(quoted, quoteTerm(t.text))
		}
	}
	if match == store.MatchAnd {
		return strings.Join(quoted, " AND ")
	}
	return strings.Join(quoted, " OR ")
}

func quoteTerm(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// rowFilter restricts a keyword search to some rows.
type rowFilter struct {
	// condition starts with AND and has args; it is empty for no restriction.
	condition string
	args      []any
	// seqs are the permitted rows.
	seqs []int64
}

// newRowFilter permits the children in a selection.
//
// The rows are looked up in a map of one byte for each row number from the first
// to the last, which costs little to make and to ask, however many rows there
// are; a list would be sorted into a tree for each search. Only if the numbers
// are spread very widely is there a list. Its plus sign keeps FTS5 from starting
// its search anew for each row of the list.
func newRowFilter(sel selection, widest int64) rowFilter {
	var f rowFilter
	for _, sp := range sel.children() {
		for _, x := range sp.doc.part.rows[sp.from:sp.to] {
			if x.terms > 0 {
				f.seqs = append(f.seqs, x.seq)
			}
		}
	}
	if len(f.seqs) == 0 {
		return f
	}
	first, last := slices.Min(f.seqs), slices.Max(f.seqs)
	f.condition = ` AND rowid BETWEEN ? AND ?`
	f.args = []any{first, last}
	if last-first < widest {
		permitted := make([]byte, last-first+1)
		for _, seq := range f.seqs {
			permitted[seq-first] = 1
		}
		f.condition += ` AND substr(?, rowid - ?, 1) = x'01'`
		f.args = append(f.args, permitted, first-1)
		return f
	}
	f.condition += ` AND +rowid IN (SELECT value FROM json_each(?))`
	f.args = append(f.args, jsonList(f.seqs))
	return f
}

func jsonList(seqs []int64) string {
	b, _ := json.Marshal(seqs) // numbers always marshal
	return string(b)
}

// matching returns the rows that the used terms match, with the counts of all
// terms: if there are too many, the best by the index's own rank.
func (v *View) matching(ctx context.Context, sn *snapshot, sel selection, spec store.Search, terms []queryTerm, places []int, matches int, found *store.Found) ([]store.KeywordRow, error) {
	limits := v.store.limits
	var filter rowFilter
	restricted := !spec.Scope.IsZero() || len(sn.hidden) > 0
	if restricted {
		if filter = newRowFilter(sel, limits.span); len(filter.seqs) == 0 {
			return nil, nil
		}
	}
	var inner string
	args := append([]any{matchExpression(terms, spec.Match)}, filter.args...)
	switch {
	case restricted && len(filter.seqs) <= limits.ranked:
		// Reading so few rows costs less than finding those that match.
		inner, args = `SELECT value AS seq FROM json_each(?)`, []any{jsonList(filter.seqs)}
	case matches <= limits.ranked:
		inner = `SELECT rowid AS seq FROM fts WHERE fts MATCH ?` + filter.condition
	case matches > limits.matches && spec.Match != store.MatchOr:
		// A very common term is all there is.
		found.KeywordSampled = true
		inner = `SELECT seq FROM (SELECT rowid AS seq, bm25(fts) AS s FROM fts WHERE fts MATCH ?` + filter.condition +
			` LIMIT ` + strconv.Itoa(limits.sampled) + `) ORDER BY s, seq LIMIT ` + strconv.Itoa(limits.ranked)
	default:
		inner = `SELECT rowid AS seq FROM fts WHERE fts MATCH ?` + filter.condition +
			` ORDER BY rank, rowid LIMIT ` + strconv.Itoa(limits.ranked)
	}
	rows, err := v.conn.QueryContext(ctx,
		`SELECT m.seq, t.terms FROM (`+inner+`) m CROSS JOIN chunk_texts t ON t.seq = m.seq`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	at := make(map[string]int, len(terms))
	for i, t := range terms {
		at[t.text] = i
	}
	counts := make([]int, len(terms))
	var out []store.KeywordRow
	for rows.Next() {
		var seq int64
		var text sql.RawBytes
		if err := rows.Scan(&seq, &text); err != nil {
			return nil, err
		}
		d, r, ok := sn.chunkBySeq(seq)
		if !ok {
			continue // of an owner who is not asking
		}
		clear(counts)
		countIn(text, at, counts)
		if !isMatch(terms, counts, spec.Match) {
			continue
		}
		row := store.KeywordRow{
			ID: d.part.rows[r].id.String(), ParentID: d.part.parentID(r), DocumentID: d.id.String(),
			TF: make([]int, len(places)), Length: int(d.part.rows[r].terms),
		}
		for i, p := range places {
			if p >= 0 {
				row.TF[i] = counts[p]
			}
		}
		out = append(out, row)
	}
	return out, rows.Err()
}

// isMatch reports whether a row with these counts is a match of the used terms.
func isMatch(terms []queryTerm, counts []int, match store.Match) bool {
	some, all := false, true
	for i, t := range terms {
		if t.used {
			some = some || counts[i] > 0
			all = all && counts[i] > 0
		}
	}
	return some && (all || match != store.MatchAnd)
}

// countIn counts the words of text, which single spaces separate, that at has.
func countIn(text []byte, at map[string]int, counts []int) {
	for len(text) > 0 {
		word, rest, _ := bytes.Cut(text, []byte{' '})
		if i, ok := at[string(word)]; ok {
			counts[i]++
		}
		text = rest
	}
}

// countTerms is the number of words that single spaces separate.
func countTerms(terms string) int {
	if terms == "" {
		return 0
	}
	return strings.Count(terms, " ") + 1
}

// bestKeywordRows scores rows and returns the limit best by (score descending,
// chunk id ascending).
func bestKeywordRows(rows []store.KeywordRow, found *store.Found, limit int) []store.KeywordRow {
	for i := range rows {
		for _, share := range found.Shares(rows[i]) {
			rows[i].Score += share
		}
	}
	slices.SortFunc(rows, func(a, b store.KeywordRow) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ID, b.ID))
	})
	return rows[:min(limit, len(rows))]
}
