package postgres

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/webrag/webrag-tui/store"
)

// flagColumns are the columns of the bits of store.Flags, from the lowest.
var flagColumns = [...]string{
	"has_table", "has_code", "has_math", "has_definition_list", "has_admonition", "has_steps", "has_image",
}

// chunkColumns are the select list that scanChunk reads, for alias c and the
// fields asked for: a text that was not asked for is not read at all. What is
// absent or unexpectedly NULL comes as empty.
func (l *layout) chunkColumns(fields store.Fields) string {
	has := l.chunks
	text := func(name string) string { return "coalesce(" + column(has, "c", name, "NULL::text") + ", '')" }
	number := func(name string) string { return "coalesce(" + column(has, "c", name, "0") + ", 0)" }
	list := func(name string) string { return "array_remove(" + column(has, "c", name, "NULL::text[]") + ", NULL)" }
	images := column(has, "c", "image_refs", column(has, "c", "image_refs_json", "NULL")) + "::text"
	embedding := "NULL::real[]"
	if has["embedding"] && l.vector.kind != "" {
		embedding = "c.embedding::real[]"
	}
	asked := func(field store.Fields, expression, otherwise string) string {
		if fields&field == 0 {
			return otherwise
		}
		return expression
	}
	return strings.Join([]string{
		"c.id", "c.document_id", column(has, "c", "parent_id", "NULL::uuid"), text("chunk_level"), number("chunk_index"),
		text("section_heading"), l.headingPath(list), text("anchor"),
		l.flags(), "coalesce(" + column(has, "c", "cont", "false") + ", false)",
		number("char_start"), number("char_end"), number("token_start"), number("token_end"),
		number("html_tokens"), text("html_omitted_reason"),
		number("depth"), text("title"), text("owner"), text("source_url"), column(has, "c", "fetched_at", "NULL::timestamptz"),
		text("ingestion_id"), text("embed_hash"),
		asked(store.FieldText, text("chunk_text"), "''"),
		asked(store.FieldText, images, "NULL::text"),
		asked(store.FieldText, list("anchors"), "NULL::text[]"),
		asked(store.FieldHTML, text("html_text"), "''"),
		asked(store.FieldTerms, text("terms"), "''"),
		asked(store.FieldTerms, l.indexTerms("heading_terms"), "''"),
		asked(store.FieldTerms, l.indexTerms("title_terms"), "''"),
		asked(store.FieldEmbedding, embedding, "NULL::real[]"),
	}, ", ")
}

// indexTerms are the terms of a chunk in a field that only the index of words keeps.
func (l *layout) indexTerms(column string) string {
	if l.foreign {
		return "''"
	}
	return "coalesce((SELECT t." + column + " FROM " + l.table("chunk_terms") + " t WHERE t.document_id = c.document_id AND t.id = c.id), '')"
}

// headingPath is the way to a section. A database that keeps only one heading, as
// markdown with its signs, has that without them.
func (l *layout) headingPath(list func(name string) string) string {
	if l.chunks["heading_path"] || !l.chunks["section_heading"] {
		return list("heading_path")
	}
	return `array_remove(ARRAY[nullif(btrim(ltrim(c.section_heading, '# '), E' \t\r\n'), '')], NULL)`
}

// flags is the sum of the bits of store.Flags.
func (l *layout) flags() string {
	sum := "0"
	for i, name := range flagColumns {
		if l.chunks[name] {
			sum += fmt.Sprintf(" + CASE WHEN c.%s THEN %d ELSE 0 END", name, 1<<i)
		}
	}
	return sum
}

// scanChunk reads a row of chunkColumns.
func scanChunk(row pgx.CollectableRow) (store.Chunk, error) {
	var c store.Chunk
	var id, document, parent pgtype.UUID
	var flags int
	var fetched pgtype.Timestamptz
	var images pgtype.Text
	err := row.Scan(&id, &document, &parent, (*string)(&c.Level), &c.Index,
		&c.SectionHeading, &c.HeadingPath, &c.Anchor, &flags, &c.Cont,
		&c.CharStart, &c.CharEnd, &c.TokenStart, &c.TokenEnd, &c.HTMLTokens, &c.HTMLOmittedReason,
		&c.Depth, &c.Title, &c.Owner, &c.SourceURL, &fetched, &c.IngestionID, &c.EmbedHash,
		&c.ChunkText, &images, &c.Anchors, &c.HTMLText, &c.Terms, &c.HeadingTerms, &c.TitleTerms, &c.Embedding)
	if err != nil {
		return store.Chunk{}, err
	}
	c.ID, c.DocumentID, c.ParentID = idText(id), idText(document), idText(parent)
	c.Flags, c.FetchedAt, c.ImageRefs = store.Flags(flags), instant(fetched), parseImages(images.String)
	return c, nil
}

// idText returns an id as it is written here, empty for NULL.
func idText(id pgtype.UUID) string {
	if !id.Valid {
		return ""
	}
	return uuid.UUID(id.Bytes).String()
}

// instant returns a time in UTC, zero for NULL and for the infinities.
func instant(t pgtype.Timestamptz) time.Time {
	if !t.Valid || t.InfinityModifier != pgtype.Finite {
		return time.Time{}
	}
	return t.Time.UTC()
}

// parseImages reads the images of a chunk, as a JSON array of objects. Indexers
// that keep an image's caption and title beside its alternative text have one of
// them where that is empty. What is no such object is no image.
func parseImages(text string) []store.ImageRef {
	if text == "" {
		return nil
	}
	var elements []json.RawMessage
	if json.Unmarshal([]byte(text), &elements) != nil {
		return nil
	}
	var images []store.ImageRef
	for _, element := range elements {
		var image struct {
			store.ImageRef
			Caption string `json:"caption"`
			Title   string `json:"title"`
		}
		if json.Unmarshal(element, &image) != nil {
			continue
		}
		for _, words := range []string{image.Caption, image.Title} {
			if image.Alt == "" {
				image.Alt = words
			}
		}
		images = append(images, image.ImageRef)
	}
	return images
}
