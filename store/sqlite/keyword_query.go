package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/webrag/webrag-tui/store"
)

// keywordQuery is what a search's keyword arm looks for.
type keywordQuery struct {
	// terms are the different terms of the query, and places where each of its
	// words is among them, -1 for what cannot be a term and so is in no child.
	terms  []queryTerm
	places []int
	match  store.Match
	// phrases must occur and without must not: runs of terms, joined by spaces.
	phrases, without []string
	// bound is an upper bound of the number of matches, 0 when there is none.
	bound int
}

// queryTerm is a distinct term of a query.
type queryTerm struct {
	text  string
	df    int
	first int // its first place in the query
	used  bool
}

// isConjunction reports whether a match asks for all terms.
func isConjunction(m store.Match) bool { return m == store.MatchAnd || m == store.MatchWebsearch }

// keywordQuery looks up the terms of a search and decides which of them find
// rows.
func (v *View) keywordQuery(ctx context.Context, sn *snapshot, spec *store.Search) (*keywordQuery, error) {
	q := &keywordQuery{match: spec.Match}
	q.terms, q.places = distinctTerms(spec.Terms)
	if err := v.frequencies(ctx, sn, q.terms); err != nil {
		return nil, err
	}
	q.bound = chooseTerms(q.terms, q.match, v.store.limits.matches)
	if isConjunction(q.match) && slices.Contains(q.places, -1) {
		q.bound = 0
	}
	if q.match != store.MatchWebsearch {
		return q, nil
	}
	for _, phrase := range spec.Phrases {
		switch {
		case len(phrase) == 0:
		case slices.ContainsFunc(phrase, func(s string) bool { return !isTerm(s) }):
			q.bound = 0
		default:
			q.phrases = append(q.phrases, strings.Join(phrase, " "))
			if len(q.terms) == 0 {
				q.bound = sn.keywordRows
			}
		}
	}
	for _, run := range spec.Excluded {
		// What cannot be in a child excludes none.
		if !slices.ContainsFunc(strings.Split(run, " "), func(s string) bool { return !isTerm(s) }) {
			q.without = append(q.without, run)
		}
	}
	return q, nil
}

// stats describes the words of the query.
func (q *keywordQuery) stats(words []string) []store.TermStat {
	out := make([]store.TermStat, len(words))
	for i, text := range words {
		out[i] = store.TermStat{Term: text}
		if p := q.places[i]; p >= 0 {
			out[i].DF, out[i].Used = q.terms[p].df, q.terms[p].used
		}
	}
	return out
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

// isTerm reports whether the index keeps s as one token, unchanged, as it does with
// all that store.Terms makes. Nothing else is put into a MATCH expression: the
// index would take a capital of ASCII for its small letter.
func isTerm(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return 'A' <= r && r <= 'Z' || r != '_' && !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
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
	if isConjunction(match) {
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

// expression is the FTS5 query.
func (q *keywordQuery) expression() string {
	operator := " OR "
	if isConjunction(q.match) {
		operator = " AND "
	}
	operands := make([]string, 0, len(q.terms)+len(q.phrases))
	for _, t := range q.terms {
		if t.used {
			operands = append(operands, quoteTerm(t.text))
		}
	}
	for _, phrase := range q.phrases {
		operands = append(operands, quoteTerm(phrase))
	}
	e := strings.Join(operands, operator)
	if len(q.without) == 0 {
		return e
	}
	excluded := make([]string, len(q.without))
	for i, run := range q.without {
		excluded[i] = quoteTerm(run)
	}
	return "(" + e + ") NOT (" + strings.Join(excluded, " OR ") + ")"
}

func quoteTerm(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// count counts the query's terms in a child's, and reports whether the child is a
// match.
func (q *keywordQuery) count(text []byte, at map[string]int, counts []int) bool {
	clear(counts)
	countIn(text, at, counts)
	some, all := len(q.phrases) > 0, true
	for i, t := range q.terms {
		if t.used {
			some = some || counts[i] > 0
			all = all && counts[i] > 0
		}
	}
	if !some || !all && isConjunction(q.match) {
		return false
	}
	return !slices.ContainsFunc(q.phrases, func(run string) bool { return !hasRun(text, run) }) &&
		!slices.ContainsFunc(q.without, func(run string) bool { return hasRun(text, run) })
}

// numbers maps the terms to their places in counts.
func (q *keywordQuery) numbers() map[string]int {
	at := make(map[string]int, len(q.terms))
	for i, t := range q.terms {
		at[t.text] = i
	}
	return at
}

// hasRun reports whether the terms of run follow one another in text. Single
// spaces separate both.
func hasRun(text []byte, run string) bool {
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(run))
		if i < 0 {
			return false
		}
		start := from + i
		end := start + len(run)
		if (start == 0 || text[start-1] == ' ') && (end == len(text) || text[end] == ' ') {
			return true
		}
		from = start + 1
	}
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
