package postgres

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/webrag/webrag-tui/store"
)

// quotePages is how many pages are read at once to look for a quote in them.
const quotePages = 64

// quoted is a chunk that a quote overlaps.
type quoted struct {
	id              string
	document, place int // the place of its document in listings, and its own there
	isParent        bool
	whole           bool // the quote is in it from end to end
}

// findQuote finds the chunks that hold a quote, and those that it spans. The
// database says which documents can have it, and their texts decide.
func (v *View) findQuote(ctx context.Context, tx pgx.Tx, q store.FindQuery) ([]string, error) {
	quote, ok := store.NewQuote(q.Quote)
	if !ok || !isStorable(quote.String()) {
		return nil, nil
	}
	if err := v.settle(ctx, tx, q.Scope); err != nil {
		return nil, err
	}
	var found []quoted
	for _, candidates := range []func(context.Context, pgx.Tx, store.Quote, store.Scope) ([]uuid.UUID, error){v.likely, v.possible} {
		docs, err := candidates(ctx, tx, quote, q.Scope)
		if err != nil {
			return nil, err
		}
		for from := 0; from < len(docs); from += quotePages {
			some, err := v.quotedIn(ctx, tx, docs[from:min(from+quotePages, len(docs))], quote, q)
			if err != nil {
				return nil, err
			}
			for _, x := range some {
				x.document += from
				found = append(found, x)
			}
		}
		// Only if no likely document has it are all read that may have it: words may
		// have been cut.
		if len(found) > 0 {
			break
		}
	}
	slices.SortFunc(found, func(a, b quoted) int {
		return cmp.Or(-compareBool(a.whole, b.whole), compareBool(a.isParent, b.isParent),
			cmp.Compare(a.document, b.document), cmp.Compare(a.place, b.place))
	})
	ids := make([]string, len(found))
	for i, x := range found {
		ids[i] = x.id
	}
	return ids, nil
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// likely returns the documents in scope that hold the rarest word of a quote, of
// those that stand in it as a whole. There is none for a quote of few words, and
// none where no index of words is.
func (v *View) likely(ctx context.Context, tx pgx.Tx, quote store.Quote, scope store.Scope) ([]uuid.UUID, error) {
	terms := store.Terms(quote.Within())
	if v.layout.foreign || len(terms) == 0 {
		return nil, nil
	}
	var p params
	owner := ""
	if o := v.store.opts.Owner; o != "" {
		owner = " AND s.owner = " + p.add(o)
	}
	var rarest string
	err := tx.QueryRow(ctx, "SELECT coalesce((SELECT s.term FROM "+v.layout.table("term_stats")+" s WHERE s.term = ANY("+p.add(terms)+"::text[])"+owner+
		" GROUP BY s.term HAVING sum(s.df) > 0 ORDER BY sum(s.df), s.term LIMIT 1), '')", p...).Scan(&rarest)
	if err != nil || rarest == "" {
		return nil, err
	}
	p = nil
	with := "d.id IN (SELECT t.document_id FROM " + v.layout.table("chunk_terms") + " t WHERE t.ts @@ " + p.add(quoteLexeme(rarest)) + "::tsquery)"
	return v.listed(ctx, tx, v.inScope(&p, scope)+" AND "+with, p)
}

// possible returns the documents in scope whose texts have the quote's runs of
// characters without white space. A run may go from one section into the next.
func (v *View) possible(ctx context.Context, tx pgx.Tx, quote store.Quote, scope store.Scope) ([]uuid.UUID, error) {
	var p params
	has := mayHold(&p, `string_agg(c.chunk_text, '' ORDER BY c.chunk_index, c.id)`, quote)
	section := append(v.visibleSection(), "c.parent_id IS NULL", "c.document_id = d.id")
	return v.listed(ctx, tx, v.inScope(&p, scope)+" AND (SELECT "+has+" FROM "+v.layout.table("chunks")+" c WHERE "+all(section)+")", p)
}

// listed returns the documents that meet a condition, in the order of listings.
func (v *View) listed(ctx context.Context, tx pgx.Tx, condition string, p params) ([]uuid.UUID, error) {
	rows, err := tx.Query(ctx, "SELECT d.id FROM "+v.layout.table("documents")+" d WHERE "+condition+" ORDER BY "+listingOrder, p...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// pageChunk is what of a chunk decides whether a quote is in it.
type pageChunk struct {
	store.Chunk
	inScope bool
}

// quotedIn returns the chunks of documents that the quote is in or spans.
func (v *View) quotedIn(ctx context.Context, tx pgx.Tx, docs []uuid.UUID, quote store.Quote, q store.FindQuery) ([]quoted, error) {
	place := make(map[string]int, len(docs))
	for i, id := range docs {
		place[id.String()] = i
	}
	var p params
	inScope := "true"
	if len(q.Scope.Headings) > 0 {
		inScope = v.underHeading(&p, "c", q.Scope.Headings)
	}
	conditions := append(v.visibleChunk(&p), "c.document_id = ANY("+p.add(docs)+"::uuid[])")
	rows, err := tx.Query(ctx, "SELECT c.id, c.document_id, c.parent_id, coalesce(c.chunk_level, ''), c.chunk_index, c.char_start, c.char_end, "+
		"CASE WHEN c.parent_id IS NULL THEN coalesce(c.chunk_text, '') ELSE '' END, coalesce("+inScope+", false) FROM "+
		v.layout.chunksFrom()+" WHERE "+all(conditions), p...)
	if err != nil {
		return nil, err
	}
	pages := make([][]pageChunk, len(docs))
	var id, document, parent pgtype.UUID
	var c pageChunk
	_, err = pgx.ForEachRow(rows, []any{&id, &document, &parent, (*string)(&c.Level), &c.Index, &c.CharStart, &c.CharEnd, &c.ChunkText, &c.inScope}, func() error {
		c.ID, c.ParentID = idText(id), idText(parent)
		i := place[idText(document)]
		pages[i] = append(pages[i], c)
		return nil
	})
	if err != nil {
		return nil, err
	}
	var found []quoted
	for i, page := range pages {
		for _, x := range quotedOn(page, quote, q.Level) {
			x.document = i
			found = append(found, x)
		}
	}
	return found, nil
}

// quotedOn returns the chunks of one document that the quote is in or spans.
func quotedOn(page []pageChunk, quote store.Quote, level store.Level) []quoted {
	slices.SortFunc(page, func(a, b pageChunk) int {
		return cmp.Or(compareBool(a.ParentID != "", b.ParentID != ""), cmp.Compare(a.Index, b.Index), strings.Compare(a.ID, b.ID))
	})
	var parents []store.Chunk
	at := make(map[string]int)
	for i := range page {
		if page[i].ParentID == "" {
			at[page[i].ID] = i
			parents = append(parents, page[i].Chunk)
		}
	}
	passages := quote.Passages(parents)
	if len(passages) == 0 {
		return nil
	}
	var found []quoted
	for i := range page {
		c := &page[i]
		section, isParent := i, c.Level == store.Parent
		if s, ok := at[c.ParentID]; ok {
			section = s
		}
		if !page[section].inScope || level != "" && isParent != (level == store.Parent) {
			continue
		}
		if some, whole := passages.Meet(c.CharStart, c.CharEnd); some {
			// The children of a section follow one another, and sections do.
			found = append(found, quoted{id: c.ID, place: section*len(page) + i, isParent: isParent, whole: whole})
		}
	}
	return found
}
