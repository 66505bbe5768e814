package judgment

import (
	"context"
	"fmt"
	"time"

	"github.com/webrag/webrag-tui/offset"
)

// Expected is a query with the page that must be among its results.
type Expected struct {
	Query string
	// Page is the address, empty for none in particular.
	Page string
}

// CreateExpected makes a set of queries that each have a page that must come, as on a watch
// list: of each page it says that it answers the query, with the highest grade. A query
// that is there several times is one with several pages. Ids are made of the texts.
func CreateExpected(ctx context.Context, sets, name string, about About, list []Expected, by Judge, at time.Time) (*Set, error) {
	s, err := Create(sets, name, about)
	if err != nil {
		return nil, err
	}
	var queries []Query
	place := map[string]int{}
	of := make([]int, len(list))
	for i, e := range list {
		text := offset.Trimmed(e.Query)
		if _, ok := place[text]; !ok {
			place[text] = len(queries)
			queries = append(queries, Query{Text: text})
		}
		of[i] = place[text]
	}
	if queries, err = s.AddQueries(ctx, queries...); err != nil {
		return s, fmt.Errorf("make a query set: %w", err)
	}
	var records []Record
	for i, e := range list {
		if e.Page != "" {
			records = append(records, Record{Key: PageKey(queries[of[i]].ID, e.Page), Grade: Grade(s.MaxGrade()), Judge: by, JudgedAt: at})
		}
	}
	return s, s.Append(ctx, records...)
}
