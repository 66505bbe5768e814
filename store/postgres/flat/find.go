package flat

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// findLimit is how many chunks Find returns when no limit is given.
const findLimit = 100

// Find returns the rows that q means, by (source, id), and how many there are.
func (v *View) Find(ctx context.Context, q store.FindQuery) (chunks []store.Chunk, total int, err error) {
	const doing = "look for a passage of"
	find := v.findID
	switch {
	case q.ChunkID != "" && q.SourceURL == "" && q.Quote == "":
	case q.SourceURL != "" && q.ChunkID == "" && q.Quote == "":
		find = v.findSource
	case q.Quote != "" && q.ChunkID == "" && q.SourceURL == "":
		find = v.findQuote
	default:
		return nil, 0, v.store.db.Fail(ctx, doing, errors.New("exactly one of chunk id, source URL and quote can be looked for"))
	}
	if q.Level == store.Child {
		return nil, 0, nil
	}
	err = v.do(ctx, doing, func(tx pgx.Tx) error {
		ids, err := find(ctx, tx, q)
		if err != nil {
			return err
		}
		total = len(ids)
		chunks, err = v.chunks(ctx, tx, ids[:min(cmp.Or(max(q.Limit, 0), findLimit), total)], 0)
		return err
	})
	return chunks, total, err
}

func (v *View) findID(ctx context.Context, tx pgx.Tx, q store.FindQuery) ([]string, error) {
	var p params
	return v.ids(ctx, tx, v.from(&p)+" WHERE "+v.table.id.among(&p, []string{q.ChunkID}), p)
}

// ids returns the ids of rows in the order of listings.
func (v *View) ids(ctx context.Context, tx pgx.Tx, from string, p params) ([]string, error) {
	rows, err := tx.Query(ctx, "SELECT c.id::text FROM "+from+` ORDER BY c.source COLLATE "C", `+v.table.id.key, p...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// findSource finds the rows of a source. One that no row has exactly is looked for
// as links are.
func (v *View) findSource(ctx context.Context, tx pgx.Tx, q store.FindQuery) ([]string, error) {
	address, _, _ := strings.Cut(q.SourceURL, "#")
	bySource := func(sources []string) ([]string, error) {
		var p params
		from := v.from(&p)
		conditions := append(v.table.scoped(&p, q.Scope), v.table.sourceIn(&p, sources))
		return v.ids(ctx, tx, from+" WHERE "+all(conditions), p)
	}
	if ids, err := bySource([]string{q.SourceURL, address}); err != nil || len(ids) > 0 {
		return ids, err
	}
	key := store.PageKey(address)
	if key == "" {
		return nil, nil
	}
	var p params
	rows, err := tx.Query(ctx, "SELECT DISTINCT c.source FROM "+v.from(&p)+" WHERE "+all(v.table.scoped(&p, q.Scope)), p...)
	if err != nil {
		return nil, err
	}
	sources, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	alike := slices.DeleteFunc(sources, func(s string) bool { return store.PageKey(s) != key })
	if len(alike) == 0 {
		return nil, nil
	}
	return bySource(alike)
}

// findQuote finds the rows that hold a quote from end to end. What follows a row in
// its page cannot be told, as rows of other programs overlap.
func (v *View) findQuote(ctx context.Context, tx pgx.Tx, q store.FindQuery) ([]string, error) {
	quote, ok := store.NewQuote(q.Quote)
	if !ok || !isStorable(quote.String()) {
		return nil, nil
	}
	var p params
	from := v.from(&p)
	conditions := append(v.table.scoped(&p, q.Scope), mayHold(&p, quote))
	rows, err := tx.Query(ctx, "SELECT c.id::text, c.content FROM "+from+" WHERE "+all(conditions)+` ORDER BY c.source COLLATE "C", `+v.table.id.key, p...)
	if err != nil {
		return nil, err
	}
	var ids []string
	var id, text string
	_, err = pgx.ForEachRow(rows, []any{&id, &text}, func() error {
		if len(quote.Passages([]store.Chunk{{ChunkText: text}})) > 0 {
			ids = append(ids, id)
		}
		return nil
	})
	return ids, err
}

// mayHold is a condition that is true wherever a quote is in a row: it looks for
// the quote's longest runs of letters that have just one small form.
func mayHold(p *params, quote store.Quote) string {
	runs := strings.FieldsFunc(quote.String(), func(r rune) bool {
		// These have a capital outside of ASCII, which the server does not write small.
		return unicode.IsSpace(r) || r >= utf8.RuneSelf || r == 'k' || r == 's' || r == 'i'
	})
	slices.SortFunc(runs, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	runs = slices.Compact(runs)
	var conditions []string
	for _, run := range runs[:min(len(runs), 4)] {
		conditions = append(conditions, `strpos(lower(c.content COLLATE "C"), `+p.add(run)+"::text) > 0")
	}
	return all(conditions)
}
