package postgres

import (
	"context"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// readingOrder is the order of parents in listings: pages by depth and address,
// and there as they are read. An address compares byte by byte.
const readingOrder = `c.depth, c.source_url COLLATE "C", c.document_id, c.chunk_index, c.id`

// Chunks returns the chunks of ids that exist, in the order of ids.
func (v *View) Chunks(ctx context.Context, ids []string, fields store.Fields) (chunks []store.Chunk, err error) {
	err = v.do(ctx, "read chunks of", func(tx pgx.Tx) error {
		chunks, err = v.chunks(ctx, tx, ids, fields)
		return err
	})
	return chunks, err
}

// chunks returns the chunks of ids that exist, in the order of ids.
func (v *View) chunks(ctx context.Context, tx pgx.Tx, ids []string, fields store.Fields) ([]store.Chunk, error) {
	known := parseIDs(ids)
	if len(known) == 0 {
		return nil, nil
	}
	var p params
	conditions := append(v.visibleChunk(&p), "c.id = ANY("+p.add(known)+"::uuid[])")
	chunks, err := queryChunks(ctx, tx, "SELECT "+v.layout.chunkColumns(fields)+" FROM "+v.layout.chunksFrom()+" WHERE "+all(conditions), p)
	if err != nil {
		return nil, err
	}
	place := places(ids)
	slices.SortFunc(chunks, func(a, b store.Chunk) int { return place[a.ID] - place[b.ID] })
	return chunks, nil
}

// places returns where each id first stands in a list.
func places(ids []string) map[string]int {
	place := make(map[string]int, len(ids))
	for i, id := range ids {
		if _, ok := place[id]; !ok {
			place[id] = i
		}
	}
	return place
}

func queryChunks(ctx context.Context, tx pgx.Tx, query string, p params) ([]store.Chunk, error) {
	rows, err := tx.Query(ctx, query, p...)
	if err != nil {
		return nil, err
	}
	var read store.Reading
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (store.Chunk, error) {
		c, err := scanChunk(row)
		if err == nil {
			err = read.Check(&c)
		}
		return c, err
	})
}

// Parents returns the parents in scope by (depth, source URL, index).
func (v *View) Parents(ctx context.Context, scope store.Scope, fields store.Fields, page store.Page) (chunks []store.Chunk, err error) {
	err = v.do(ctx, "list sections of", func(tx pgx.Tx) error {
		if err := v.settle(ctx, tx, scope); err != nil {
			return err
		}
		var p params
		conditions := append(append(v.visibleDocument(&p), v.visibleSection()...), v.scopedParent(&p, scope)...)
		conditions = append(conditions, "c.chunk_level = 'parent'")
		chunks, err = queryChunks(ctx, tx, "SELECT "+v.layout.chunkColumns(fields)+" FROM "+v.layout.chunksFrom()+
			" WHERE "+all(conditions)+" ORDER BY "+readingOrder+bounds(page), p)
		return err
	})
	return chunks, err
}

// bounds cuts a page out of a listing.
func bounds(page store.Page) string {
	s := ""
	if page.Limit > 0 {
		s += " LIMIT " + strconv.Itoa(page.Limit)
	}
	if page.Offset > 0 {
		s += " OFFSET " + strconv.Itoa(page.Offset)
	}
	return s
}

// Children returns the children of parents, in the order of parentIDs and by
// index.
func (v *View) Children(ctx context.Context, parentIDs []string, fields store.Fields) (chunks []store.Chunk, err error) {
	err = v.do(ctx, "read passages of", func(tx pgx.Tx) error {
		chunks, err = v.children(ctx, tx, parentIDs, fields)
		return err
	})
	return chunks, err
}

// children returns the children of parents, in the order of parentIDs and by
// index.
func (v *View) children(ctx context.Context, tx pgx.Tx, parentIDs []string, fields store.Fields) ([]store.Chunk, error) {
	known := parseIDs(parentIDs)
	if len(known) == 0 {
		return nil, nil
	}
	var p params
	conditions := append(v.visibleChunk(&p), "p.id = ANY("+p.add(known)+"::uuid[])")
	chunks, err := queryChunks(ctx, tx, "SELECT "+v.layout.chunkColumns(fields)+" FROM "+v.layout.table("chunks")+
		" p JOIN "+v.layout.table("chunks")+" c ON c.document_id = p.document_id AND c.parent_id = p.id JOIN "+
		v.layout.table("documents")+" d ON d.id = c.document_id WHERE "+all(conditions)+" ORDER BY c.chunk_index, c.id", p)
	if err != nil {
		return nil, err
	}
	place := places(parentIDs)
	slices.SortStableFunc(chunks, func(a, b store.Chunk) int { return place[a.ParentID] - place[b.ParentID] })
	return chunks, nil
}

// Within reports which of the chunks are in scope.
func (v *View) Within(ctx context.Context, scope store.Scope, ids []string) (within map[string]bool, err error) {
	known := parseIDs(ids)
	if len(known) == 0 {
		return map[string]bool{}, nil
	}
	err = v.do(ctx, "look for chunks of", func(tx pgx.Tx) error {
		if err := v.settle(ctx, tx, scope); err != nil {
			return err
		}
		var p params
		conditions := append(v.visibleChunk(&p), v.scopedChunk(&p, scope)...)
		conditions = append(conditions, "c.id = ANY("+p.add(known)+"::uuid[])")
		rows, err := tx.Query(ctx, "SELECT c.id FROM "+v.layout.chunksFrom()+" WHERE "+all(conditions), p...)
		if err != nil {
			return err
		}
		found, err := pgx.CollectRows(rows, scanID)
		within = make(map[string]bool, len(found))
		for _, id := range found {
			within[id] = true
		}
		return err
	})
	return within, err
}
