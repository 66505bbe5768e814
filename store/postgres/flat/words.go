package flat

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
)

// mostRanked is the most rows that a search by words returns.
const mostRanked = 1000

// readTexts are the rows of a table, as far as they were read, that hold a word of
// a query.
type readTexts struct {
	query *keyword.Query
	held  []readText
}

type readText struct {
	id, source string
	fields     keyword.Fields
	// outside says that it is not in scope.
	outside bool
}

// searchWords searches the words of texts that it reads one by one.
func (v *View) searchWords(ctx context.Context, tx pgx.Tx, spec *store.Search, found *store.Found) error {
	read, err := v.readTexts(ctx, tx, spec, found)
	if err != nil {
		return err
	}
	rows := read.matches()
	found.KeywordMatches = len(rows)
	found.Keyword = keyword.Best(rows, found, min(max(spec.KeywordRows, 0), mostRanked))
	found.KeywordReturned = len(found.Keyword)
	return nil
}

// matches are the rows in scope that match, without their scores.
func (r *readTexts) matches() []store.KeywordRow {
	if r.query.Bound == 0 {
		return nil
	}
	counter := keyword.NewCounter(r.query)
	var rows []store.KeywordRow
	for i := range r.held {
		t := &r.held[i]
		if t.outside || !counter.Count(&t.fields) {
			continue
		}
		rows = append(rows, store.KeywordRow{
			ID: t.id, DocumentID: t.source,
			TF: r.query.Frequencies(counter.Counts), Length: t.fields.Lengths(),
		})
	}
	return rows
}

// readTexts reads the texts of all rows if they are few enough, else those in scope
// up to the bound, makes terms of them and counts. The frequencies are then the
// table's, or those of what was read.
func (v *View) readTexts(ctx context.Context, tx pgx.Tx, spec *store.Search, found *store.Found) (*readTexts, error) {
	read := &readTexts{query: keyword.NewQuery(spec)}
	q := read.query
	found.Terms, found.Fields = q.Stats(spec.Terms), spec.Fields
	if !spec.Unindexed {
		return nil, errors.New(v.table.missing[store.CapKeyword])
	}
	found.KeywordUnindexed = true
	sql, p, sampled, err := v.textsToRead(ctx, tx, spec.Scope)
	if err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, sql, p...)
	if err != nil {
		return nil, err
	}
	counter := keyword.NewCounter(q.OfAllFields())
	phrases := spec.Match == store.MatchWebsearch && len(q.Terms) == 0 // then any text may hold one
	terms := keyword.Texts{Analyzer: &v.store.analyzer}
	var sum store.FieldCounts
	n := 0
	var id, source, text, heading, title string
	var within bool
	_, err = pgx.ForEachRow(rows, []any{&id, &source, &text, &heading, &title, &within}, func() error {
		if n++; n > v.store.mostRead {
			sampled = true
			return nil
		}
		fields := terms.Of(text, heading, title)
		length := fields.Lengths()
		if length.Sum() == 0 {
			return nil
		}
		found.KeywordRows++
		sum = sum.Plus(length)
		counter.Count(&fields)
		holds := phrases
		for i, count := range counter.Counts {
			if count.Sum() > 0 {
				q.Terms[i].DF++
				holds = true
			}
		}
		if holds {
			read.held = append(read.held, readText{id: id, source: source, fields: fields, outside: !within})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read texts without an index of words: %w", err)
	}
	found.AvgLength = store.MeanLengths(sum, found.KeywordRows)
	found.KeywordSampled = sampled
	q.Choose(spec, found.KeywordRows, v.store.mostRead)
	found.Terms = q.Stats(spec.Terms)
	return read, nil
}

// wordColumns are those that are searched by words: those of the body, of the heading
// and of the title.
const wordColumns = "c.content, coalesce(c.heading, ''), coalesce(c.title, '')"

// textsToRead asks for rows with their texts, and whether they are in scope;
// sampled says that they are not those of the whole table.
func (v *View) textsToRead(ctx context.Context, tx pgx.Tx, scope store.Scope) (sql string, p params, sampled bool, err error) {
	n, err := searched{v}.AtMost(ctx, tx, store.Scope{}, v.store.mostRead+1)
	if err != nil {
		return "", nil, false, err
	}
	from := v.from(&p)
	scoped := all(v.table.scoped(&p, scope))
	most := " LIMIT " + strconv.Itoa(v.store.mostRead+1)
	sql = "SELECT c.id::text, c.source, " + wordColumns + ", "
	if n <= v.store.mostRead {
		return sql + "coalesce(" + scoped + ", false) FROM " + from + most, p, false, nil
	}
	return sql + "true FROM " + from + " WHERE " + scoped + most, p, true, nil
}
