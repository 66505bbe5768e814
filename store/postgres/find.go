package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/webrag/webrag-tui/store"
)

// findLimit is how many chunks Find returns when no limit is given.
const findLimit = 100

// Find returns the chunks that q means, best first, and how many there are.
func (v *View) Find(ctx context.Context, q store.FindQuery) (chunks []store.Chunk, total int, err error) {
	find := v.findID
	switch {
	case q.ChunkID != "" && q.SourceURL == "" && q.Quote == "":
	case q.SourceURL != "" && q.ChunkID == "" && q.Quote == "":
		find = v.findURL
	case q.Quote != "" && q.ChunkID == "" && q.SourceURL == "":
		find = v.findQuote
	default:
		return nil, 0, v.store.db.Fail(ctx, "look for a chunk of", errors.New("exactly one of chunk id, source URL and quote can be looked for"))
	}
	limit := q.Limit
	if limit <= 0 {
		limit = findLimit
	}
	err = v.do(ctx, "look for a chunk of", func(tx pgx.Tx) error {
		ids, err := find(ctx, tx, q)
		if err != nil {
			return err
		}
		total = len(ids)
		chunks, err = v.chunks(ctx, tx, ids[:min(limit, total)], 0)
		return err
	})
	return chunks, total, err
}

func (v *View) findID(ctx context.Context, tx pgx.Tx, q store.FindQuery) ([]string, error) {
	chunks, err := v.chunks(ctx, tx, []string{q.ChunkID}, 0)
	if err != nil || len(chunks) == 0 || q.Level != "" && chunks[0].Level != q.Level {
		return nil, err
	}
	return []string{q.ChunkID}, nil
}

// findURL finds the sections of a page, or their children. An address that no
// document has exactly is looked for as links are.
func (v *View) findURL(ctx context.Context, tx pgx.Tx, q store.FindQuery) ([]string, error) {
	address, fragment, _ := strings.Cut(q.SourceURL, "#")
	docs, err := v.named(ctx, tx, q.Scope, address, q.SourceURL)
	if err != nil || len(docs) == 0 {
		return nil, err
	}
	fields := store.Fields(0)
	if fragment != "" {
		fields = store.FieldText
	}
	var p params
	conditions := append(append(v.visibleDocument(&p), v.visibleSection()...), v.scopedParent(&p, store.Scope{Headings: q.Scope.Headings})...)
	conditions = append(conditions, "c.chunk_level = 'parent'", "c.document_id = ANY("+p.add(docs)+"::uuid[])")
	parents, err := queryChunks(ctx, tx, "SELECT "+v.layout.chunkColumns(fields)+" FROM "+v.layout.chunksFrom()+
		" WHERE "+all(conditions)+" ORDER BY "+readingOrder, p)
	if err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(parents))
	for len(parents) > 0 {
		n := slices.IndexFunc(parents, func(c store.Chunk) bool { return c.DocumentID != parents[0].DocumentID })
		if n < 0 {
			n = len(parents)
		}
		page := chunkIDs(parents[:n])
		if fragment != "" {
			at := store.LinkTarget(fragment, parents[:n])
			meant := page[at]
			page = slices.Insert(slices.Delete(page, at, at+1), 0, meant)
		}
		ids = append(ids, page...)
		parents = parents[n:]
	}
	if q.Level != store.Child {
		return ids, nil
	}
	children, err := v.children(ctx, tx, ids, 0)
	return chunkIDs(children), err
}

func chunkIDs(chunks []store.Chunk) []string {
	ids := make([]string, len(chunks))
	for i := range chunks {
		ids[i] = chunks[i].ID
	}
	return ids
}

// named returns the documents in scope that have one of two addresses, which only
// differ by a fragment; if there is none, those with an address of the same key.
func (v *View) named(ctx context.Context, tx pgx.Tx, scope store.Scope, address, whole string) ([]uuid.UUID, error) {
	key := store.PageKey(address)
	if key == "" {
		return nil, nil // an absent address, which every document has that has no other
	}
	l := v.layout
	var p params
	conditions := append(v.visibleDocument(&p), v.scopedDocument(&p, scope)...)
	if !l.foreign {
		conditions = append(conditions, "d.id IN (SELECT a.document_id FROM "+l.table("addresses")+" a WHERE a.key = "+p.add(key)+")")
	}
	rows, err := tx.Query(ctx, "SELECT d.id, coalesce(d.source_url, ''), coalesce("+column(l.documents, "d", "url", "NULL::text")+", ''), "+
		column(l.documents, "d", "url_aliases", "NULL::text[]")+" FROM "+l.table("documents")+" d WHERE "+all(conditions), p...)
	if err != nil {
		return nil, err
	}
	var exact, alike []uuid.UUID
	var id uuid.UUID
	var source, url string
	var aliases []pgtype.Text
	_, err = pgx.ForEachRow(rows, []any{&id, &source, &url, &aliases}, func() error {
		addresses := []string{source, url}
		for _, a := range aliases {
			addresses = append(addresses, a.String)
		}
		switch {
		case slices.Contains(addresses, address) || slices.Contains(addresses, whole):
			exact = append(exact, id)
		case slices.ContainsFunc(addresses, func(a string) bool { return store.PageKey(a) == key }):
			alike = append(alike, id)
		}
		return nil
	})
	if len(exact) > 0 {
		return exact, err
	}
	return alike, err
}
