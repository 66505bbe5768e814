package record

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/pgvector/pgvector-go"
	pgxvector "github.com/pgvector/pgvector-go/pgx"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
)

// TextOrNull returns NULL for the empty string, which stands for an absent
// value.
func TextOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func intOrNull(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

// listOrNull returns NULL for an empty list.
func listOrNull[T any](list []T) any {
	if len(list) == 0 {
		return nil
	}
	return list
}

func mapOrNull(m map[string]string) any {
	if len(m) == 0 {
		return nil
	}
	return m
}

// Moment is an instant as the server keeps it: in UTC, to the microsecond.
func Moment(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Microsecond)
}

// TimeOrNull is a moment, or NULL for none.
func TimeOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return Moment(t)
}

// IDOrNull encodes an id, which was checked, for COPY.
func IDOrNull(s string) any {
	if s == "" {
		return nil
	}
	return pgtype.UUID{Bytes: uuid.MustParse(s), Valid: true}
}

// halfVector is the type of a column of vectors of half precision.
const halfVector = "halfvec"

// VectorOrNull encodes a vector for a column of a type, "vector" or "halfvec".
func VectorOrNull(v []float32, kind string) any {
	switch {
	case v == nil:
		return nil
	case kind == halfVector:
		return pgvector.NewHalfVector(v)
	}
	return pgvector.NewVector(v)
}

// asStored is a vector as a column gives it back.
func asStored(v []float32, kind string) ([]float32, error) {
	if v == nil || kind != halfVector {
		return v, nil
	}
	var codec pgxvector.HalfVectorCodec
	half := pgvector.NewHalfVector(v)
	b, err := codec.PlanEncode(nil, 0, pgtype.BinaryFormatCode, half).Encode(half, nil)
	if err != nil {
		return nil, err
	}
	err = codec.PlanScan(nil, 0, pgtype.BinaryFormatCode, &half).Scan(b, &half)
	return half.Slice(), err
}

// DocumentColumns are the columns of a document without its id, in the order of
// DocumentValues.
func DocumentColumns() []string {
	return []string{
		"url", "source_url", "url_aliases", "title", "description", "language", "status_code", "published_time", "modified_time",
		"doc_type", "source_type", "filename", "doc_path", "content_hash", "derived_hash", "pipeline_fingerprint", "owner",
		"metadata", "tags", "fetched_at", "indexed_at", "deleted_at", "current_ingestion_id", "depth",
		"token_count", "parent_count", "child_count", "term_rows", "term_length", "heading_length", "title_length", "changed",
	}
}

// Sums are those of a document that store.Document does not have.
type Sums struct {
	Children, TermRows int
	Length             store.FieldCounts
}

// Sum adds up the chunks of a document.
func Sum(chunks []store.Chunk) (s Sums) {
	for i := range chunks {
		if chunks[i].Level == store.Child {
			s.Children++
		}
		s.AddTerms(&chunks[i])
	}
	return s
}

// AddTerms adds the words of a child, if it has any.
func (s *Sums) AddTerms(c *store.Chunk) {
	if HasTerms(c) {
		f := keyword.Of(c)
		s.TermRows++
		s.Length = s.Length.Plus(f.Lengths())
	}
}

// DocumentValues are the values of DocumentColumns; changed is the change counter.
func DocumentValues(d *store.Document, s Sums, changed int64) []any {
	return []any{
		TextOrNull(d.URL), d.SourceURL, listOrNull(d.URLAliases), TextOrNull(d.Title), TextOrNull(d.Description), TextOrNull(d.Language),
		intOrNull(d.StatusCode), TextOrNull(d.PublishedTime), TextOrNull(d.ModifiedTime),
		TextOrNull(d.DocType), TextOrNull(d.SourceType), TextOrNull(d.Filename), TextOrNull(d.DocPath), TextOrNull(d.ContentHash),
		TextOrNull(d.DerivedHash), TextOrNull(d.PipelineFingerprint), TextOrNull(d.Owner),
		mapOrNull(d.Metadata), listOrNull(d.Tags), TimeOrNull(d.FetchedAt), TimeOrNull(d.IndexedAt), TimeOrNull(d.DeletedAt),
		TextOrNull(d.CurrentIngestionID), d.Depth,
		d.TokenCount, d.ParentCount, s.Children, s.TermRows, s.Length.Body, s.Length.Heading, s.Length.Title, changed,
	}
}

// ChunkColumns are the columns of a chunk that its document's content decides,
// without its ids and its vector, in the order of ChunkValues.
func ChunkColumns() []string {
	return []string{
		"parent_id", "chunk_level", "chunk_index", "section_heading", "heading_path", "anchor", "anchors", "chunk_text", "html_text",
		"has_table", "has_code", "has_math", "has_definition_list", "has_admonition", "has_steps", "has_image", "cont",
		"char_start", "char_end", "token_start", "token_end", "html_tokens", "html_omitted_reason", "image_refs", "terms", "embed_hash",
		"depth", "title", "owner", "source_url",
	}
}

// ChunkValues are the values of ChunkColumns.
func ChunkValues(c *store.Chunk) []any {
	return []any{
		IDOrNull(c.ParentID), string(c.Level), c.Index, TextOrNull(c.SectionHeading), listOrNull(c.HeadingPath), TextOrNull(c.Anchor),
		listOrNull(c.Anchors), c.ChunkText, TextOrNull(c.HTMLText),
		c.Flags.Has(store.HasTable), c.Flags.Has(store.HasCode), c.Flags.Has(store.HasMath), c.Flags.Has(store.HasDefinitionList),
		c.Flags.Has(store.HasAdmonition), c.Flags.Has(store.HasSteps), c.Flags.Has(store.HasImage), c.Cont,
		c.CharStart, c.CharEnd, c.TokenStart, c.TokenEnd, intOrNull(c.HTMLTokens), TextOrNull(c.HTMLOmittedReason),
		listOrNull(c.ImageRefs), TextOrNull(c.Terms), TextOrNull(c.EmbedHash),
		c.Depth, TextOrNull(c.Title), TextOrNull(c.Owner), c.SourceURL,
	}
}

// NormalDocument is a document as comparing needs it: without what changes at each
// visit to an unchanged page, which is written along with other changes, never
// alone.
func NormalDocument(d store.Document) store.Document {
	d.StatusCode, d.PublishedTime, d.ModifiedTime, d.CurrentIngestionID, d.Changed = 0, "", "", "", 0
	d.FetchedAt, d.IndexedAt = time.Time{}, time.Time{}
	d.DeletedAt = Moment(d.DeletedAt)
	d.URLAliases, d.Tags = slices.Clone(d.URLAliases), slices.Clone(d.Tags)
	if len(d.URLAliases) == 0 {
		d.URLAliases = nil
	}
	if len(d.Tags) == 0 {
		d.Tags = nil
	}
	d.Metadata = maps.Clone(d.Metadata)
	if len(d.Metadata) == 0 {
		d.Metadata = nil
	}
	return d
}

// NormalChunk is a chunk as it will be stored, but for what all chunks of a
// document get at once: its ingestion and the time of the fetch.
func NormalChunk(c store.Chunk, d *store.Document, kind string) (store.Chunk, error) {
	c.Depth, c.Title, c.Owner, c.SourceURL = d.Depth, d.Title, d.Owner, d.SourceURL
	c.IngestionID, c.FetchedAt = "", time.Time{}
	if len(c.HeadingPath) == 0 {
		c.HeadingPath = nil
	}
	if len(c.Anchors) == 0 {
		c.Anchors = nil
	}
	if len(c.ImageRefs) == 0 {
		c.ImageRefs = nil
	}
	var err error
	c.Embedding, err = asStored(c.Embedding, kind)
	return c, err
}

// CheckText refuses what the server cannot keep in a text.
func CheckText(what, s string) error {
	switch {
	case strings.IndexByte(s, 0) >= 0:
		return fmt.Errorf("%s has a NUL character, which PostgreSQL cannot keep; remove it", what)
	case !utf8.ValidString(s):
		return fmt.Errorf("%s is not valid UTF-8, which PostgreSQL cannot keep; convert it", what)
	}
	return nil
}

// CheckTexts refuses a bundle with a text that the server would refuse in the
// middle of the transaction, naming it.
func CheckTexts(b *store.Bundle) error {
	d := &b.Document
	for _, t := range []struct{ what, text string }{
		{"source URL", d.SourceURL},
		{"URL", d.URL},
		{"title", d.Title},
		{"description", d.Description},
		{"language", d.Language},
		{"published time", d.PublishedTime},
		{"modified time", d.ModifiedTime},
		{"type", d.DocType},
		{"source type", d.SourceType},
		{"file name", d.Filename},
		{"path", d.DocPath},
		{"content hash", d.ContentHash},
		{"derived hash", d.DerivedHash},
		{"pipeline's fingerprint", d.PipelineFingerprint},
		{"owner", d.Owner},
		{"ingestion id", d.CurrentIngestionID},
		{"alias", strings.Join(d.URLAliases, " ")},
		{"tag", strings.Join(d.Tags, " ")},
	} {
		if err := CheckText("its "+t.what, t.text); err != nil {
			return err
		}
	}
	for key, value := range d.Metadata {
		if err := CheckText(fmt.Sprintf("its metadata %q", key), key+" "+value); err != nil {
			return err
		}
	}
	for i := range b.Chunks {
		c := &b.Chunks[i]
		for _, t := range []struct{ what, text string }{
			{"text", c.ChunkText},
			{"HTML", c.HTMLText},
			{"heading", c.SectionHeading},
			{"heading path", strings.Join(c.HeadingPath, " ")},
			{"anchor", c.Anchor + " " + strings.Join(c.Anchors, " ")},
			{"keyword terms", c.Terms + " " + c.HeadingTerms + " " + c.TitleTerms},
			{"embed hash", c.EmbedHash},
			{"reason for no HTML", c.HTMLOmittedReason},
		} {
			if err := CheckText(fmt.Sprintf("chunk %d (%s): its %s", i, c.ID, t.what), t.text); err != nil {
				return err
			}
		}
		for _, image := range c.ImageRefs {
			if err := CheckText(fmt.Sprintf("chunk %d (%s): an image", i, c.ID), image.URL+" "+image.Alt); err != nil {
				return err
			}
		}
	}
	for i, l := range b.Links {
		if err := CheckText(fmt.Sprintf("link %d", i), l.TargetURL+" "+l.Anchor+" "+l.Text); err != nil {
			return err
		}
	}
	for i, e := range b.Edges {
		if err := CheckText(fmt.Sprintf("edge %d: its description", i), e.Description); err != nil {
			return err
		}
	}
	return nil
}
