package postgres

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// settle looks up the documents that a scope's addresses lead to. Later conditions
// of this view for the same addresses name these documents instead: an index finds
// their chunks, and the planner knows how many there are. Without it the conditions
// are as right.
func (v *View) settle(ctx context.Context, tx pgx.Tx, s store.Scope) error {
	if len(s.SourceURLs) == 0 {
		return nil
	}
	of := settledKey(s.SourceURLs)
	if _, ok := v.settled[of]; ok {
		return nil
	}
	var p params
	condition := v.hasAddress(&p, s.SourceURLs)
	if keys := pageKeys(s.SourceURLs); keys != nil && !v.layout.foreign {
		condition += " AND d.id IN (SELECT a.document_id FROM " + v.layout.table("addresses") + " a WHERE a.key = ANY(" + p.add(keys) + "::text[]))"
	}
	rows, err := tx.Query(ctx, "SELECT d.id FROM "+v.layout.table("documents")+" d WHERE "+condition, p...)
	if err != nil {
		return err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return err
	}
	if v.settled == nil {
		v.settled = make(map[string][]uuid.UUID)
	}
	v.settled[of] = ids
	return nil
}

// settledKey is the key of addresses in View.settled: no address that a document
// can have holds a zero byte.
func settledKey(urls []string) string { return strings.Join(urls, "\x00") }

// atAddress is the condition that d, whose id is also in a column, has one of the
// addresses.
func (v *View) atAddress(p *params, urls []string, id string) string {
	if ids, ok := v.settled[settledKey(urls)]; ok {
		return id + " = ANY(" + p.add(ids) + "::uuid[])"
	}
	return v.hasAddress(p, urls)
}

// hasAddress is atAddress by the addresses themselves.
func (v *View) hasAddress(p *params, urls []string) string {
	l := v.layout
	at := p.add(storable(urls)) + "::text[]"
	same := []string{"d.source_url = ANY(" + at + ")"}
	if l.documents["url"] {
		same = append(same, "d.url = ANY("+at+")")
		if slices.Contains(urls, "") {
			same = append(same, "d.url IS NULL")
		}
	}
	if l.documents["url_aliases"] {
		same = append(same, "d.url_aliases && "+at)
	}
	return "(" + strings.Join(same, " OR ") + ")"
}

// pageKeys returns the keys of addresses, nil if one of them has none.
func pageKeys(urls []string) []string {
	keys := make([]string, len(urls))
	for i, url := range urls {
		if keys[i] = store.PageKey(url); keys[i] == "" {
			return nil
		}
	}
	return keys
}
