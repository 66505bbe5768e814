package judgment

import (
	"context"
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/store"
)

// leastVerbatim is how many terms a query has that can be told from one of the words that a
// page is made of.
const leastVerbatim = 2

// QuestionMarks end questions, in several scripts.
const QuestionMarks = "?？؟⸮"

// Verbatim are the ids of the queries, in the order of the set, that stand in a page with
// something relevant to them as they are, but for case, white space and a question mark at
// their end. Any search by words finds these, whatever its settings: they are no question
// that somebody asked who did not know the page. Queries of one term are left out. It
// reads each of the pages once.
func (s *Set) Verbatim(ctx context.Context, a *Anchors, corpus Pages, keep Keep) ([]string, error) {
	of := map[string][]string{} // ids of queries by page
	var addresses []string
	for i := range a.Judgments {
		j := &a.Judgments[i]
		if grade, ok := j.Grade(keep); !ok || grade <= 0 {
			continue
		}
		if of[j.Page] == nil {
			addresses = append(addresses, j.Page)
		}
		of[j.Page] = append(of[j.Page], j.QueryID)
	}
	texts := map[string]string{}
	for _, q := range s.Queries {
		texts[q.ID] = q.Text
	}
	stand := map[string]bool{}
	err := corpus.EachPage(ctx, addresses, func(address, _ string, sections []store.Chunk) error {
		has := Saying(sections)
		for _, id := range of[address] {
			stand[id] = stand[id] || has(texts[id])
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("look for the queries of %s in their pages: %w", s.Folder, err)
	}
	var ids []string
	for _, q := range s.Queries {
		if stand[q.ID] {
			ids = append(ids, q.ID)
		}
	}
	return ids, nil
}

// Saying tells whether a query stands in a page with these sections as it is, but for
// case, white space and a question mark at its end. One of a single term never does.
func Saying(sections []store.Chunk) func(query string) bool {
	var b strings.Builder
	for i := range sections {
		b.WriteString(sections[i].ChunkText)
	}
	page := store.Fold(b.String())
	return func(query string) bool {
		return len(store.Terms(query)) >= leastVerbatim && strings.Contains(page, strings.TrimRight(store.Fold(query), QuestionMarks+" "))
	}
}
