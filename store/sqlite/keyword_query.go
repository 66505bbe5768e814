package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
)

// keywordQuery looks up the terms of a search and decides which of them find
// rows.
func (v *View) keywordQuery(ctx context.Context, sn *snapshot, spec *store.Search) (*keyword.Query, error) {
	q := keyword.NewQuery(spec)
	if err := v.frequencies(ctx, sn, q.Terms); err != nil {
		return nil, err
	}
	q.Choose(spec, sn.keywordRows, v.store.limits.matches)
	return q, nil
}

// frequencies counts the visible children that hold each term.
func (v *View) frequencies(ctx context.Context, sn *snapshot, terms []keyword.Term) error {
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
		arg := terms[i].Text
		if counting {
			arg = quoteTerm(arg)
		}
		// fts5vocab has no row for a term that nothing holds.
		err := stmt.QueryRowContext(ctx, append([]any{arg}, filter.args...)...).Scan(&terms[i].DF)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	return nil
}

// expression is the FTS5 query.
func expression(q *keyword.Query) string {
	operator := " OR "
	if keyword.IsConjunction(q.Match) {
		operator = " AND "
	}
	operands := make([]string, 0, len(q.Terms)+len(q.Phrases))
	for _, t := range q.Terms {
		if t.Used {
			operands = append(operands, quoteTerm(t.Text))
		}
	}
	for _, phrase := range q.Phrases {
		operands = append(operands, quoteTerm(phrase))
	}
	columns := "{terms"
	if q.Fields.Heading != 0 {
		columns += " heading_terms"
	}
	if q.Fields.Title != 0 {
		columns += " title_terms"
	}
	columns += "} : "
	e := columns + "(" + strings.Join(operands, operator) + ")"
	if len(q.Without) == 0 {
		return e
	}
	excluded := make([]string, len(q.Without))
	for i, run := range q.Without {
		excluded[i] = quoteTerm(run)
	}
	return e + " NOT " + columns + "(" + strings.Join(excluded, " OR ") + ")"
}

func quoteTerm(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
