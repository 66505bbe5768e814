package flat

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/webrag/webrag-tui/store"
)

// charsPerToken is how many characters a token is taken for: nothing counts those
// of the model, and about so many are in one of English.
const charsPerToken = 4

// chunkColumns are what scanChunk reads. index is the expression of a row's place
// in its document.
func (t *table) chunkColumns(fields store.Fields, index string) string {
	asked := func(field store.Fields, expression, otherwise string) string {
		if fields&field == 0 {
			return otherwise
		}
		return expression
	}
	return strings.Join([]string{
		"c.id::text", "c.source", index, "coalesce(c.title, '')", "coalesce(c.heading, '')", "c.created", "char_length(c.content)",
		"CASE WHEN coalesce(c.heading, '') = '' THEN left(c.content, " + strconv.Itoa(nameRead) + ") ELSE '' END",
		asked(store.FieldText, "c.content", "''"),
		asked(store.FieldEmbedding, "c.embedding::real[]", "NULL::real[]"),
	}, ", ")
}

// A passage without a heading is named by its first words, of at most nameRead
// characters nameChars.
const (
	nameRead  = 200
	nameChars = 60
)

// firstWords quotes what a text begins with, empty for one without words.
func firstWords(text string) string {
	line := []rune(strings.Join(strings.Fields(strings.TrimLeft(strings.ToValidUTF8(text, ""), "# \t\r\n")), " "))
	switch {
	case len(line) == 0:
		return ""
	case len(line) <= nameChars:
		return "“" + string(line) + "”"
	default:
		return "“" + strings.TrimSpace(string(line[:nameChars-1])) + "…”"
	}
}

// scanChunk reads a row of chunkColumns. Each row is a section: what is searched
// and what is read is the same.
func scanChunk(row pgx.CollectableRow) (store.Chunk, error) {
	c := store.Chunk{Level: store.Parent}
	var created pgtype.Timestamptz
	var begins string
	err := row.Scan(&c.ID, &c.DocumentID, &c.Index, &c.Title, &c.SectionHeading, &created, &c.CharEnd, &begins, &c.ChunkText, &c.Embedding)
	if name := firstWords(begins); name != "" {
		c.HeadingPath = []string{name}
	}
	c.SourceURL, c.FetchedAt = c.DocumentID, instant(created)
	c.TokenEnd = (c.CharEnd + charsPerToken - 1) / charsPerToken
	return c, err
}

// instant returns a time in UTC, zero for NULL and for the infinities.
func instant(t pgtype.Timestamptz) time.Time {
	if !t.Valid || t.InfinityModifier != pgtype.Finite {
		return time.Time{}
	}
	return t.Time.UTC()
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

// Chunks returns the chunks of ids that exist, in the order of ids. Their Index is
// 0: to know it, all rows of the document would have to be read.
func (v *View) Chunks(ctx context.Context, ids []string, fields store.Fields) (chunks []store.Chunk, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	err = v.do(ctx, "read passages of", func(tx pgx.Tx) error {
		chunks, err = v.chunks(ctx, tx, ids, fields)
		return err
	})
	return chunks, err
}

func (v *View) chunks(ctx context.Context, tx pgx.Tx, ids []string, fields store.Fields) ([]store.Chunk, error) {
	var p params
	from := v.from(&p)
	chunks, err := queryChunks(ctx, tx, "SELECT "+v.table.chunkColumns(fields, "0")+" FROM "+from+" WHERE "+v.table.id.among(&p, ids), p)
	if err != nil {
		return nil, err
	}
	place := make(map[string]int, len(ids))
	for i, id := range slices.Backward(ids) {
		place[id] = i
	}
	slices.SortFunc(chunks, func(a, b store.Chunk) int { return place[a.ID] - place[b.ID] })
	return chunks, nil
}

// Parents returns the rows in scope by (source, id).
func (v *View) Parents(ctx context.Context, scope store.Scope, fields store.Fields, page store.Page) (chunks []store.Chunk, err error) {
	err = v.do(ctx, "list passages of", func(tx pgx.Tx) error {
		var p params
		from := v.from(&p)
		// A place in a document does not depend on the rest of the scope.
		documents := v.table.scoped(&p, store.Scope{
			SourceURLs: scope.SourceURLs, DocumentIDs: scope.DocumentIDs, ExcludeDocumentIDs: scope.ExcludeDocumentIDs,
		})
		numbered := "(SELECT c.*, row_number() OVER (PARTITION BY c.source ORDER BY " + v.table.id.key + ") - 1 AS index FROM " +
			from + " WHERE " + all(documents) + ") c"
		chunks, err = queryChunks(ctx, tx, "SELECT "+v.table.chunkColumns(fields, "c.index")+" FROM "+numbered+
			" WHERE "+all(v.table.scoped(&p, scope))+` ORDER BY c.source COLLATE "C", c.index`+bounds(page), p)
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

// Within reports which of the rows are in scope.
func (v *View) Within(ctx context.Context, scope store.Scope, ids []string) (within map[string]bool, err error) {
	err = v.do(ctx, "look for passages of", func(tx pgx.Tx) error {
		var p params
		from := v.from(&p)
		conditions := append(v.table.scoped(&p, scope), v.table.id.among(&p, ids))
		rows, err := tx.Query(ctx, "SELECT c.id::text FROM "+from+" WHERE "+all(conditions), p...)
		if err != nil {
			return err
		}
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		within = make(map[string]bool, len(found))
		for _, id := range found {
			within[id] = true
		}
		return err
	})
	return within, err
}
