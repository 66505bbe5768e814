package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/webrag/webrag-tui/store"
)

// listingOrder is the order of documents in listings.
const listingOrder = `d.depth, d.source_url COLLATE "C", d.id`

// documentColumns are the select list that scanDocument reads, for alias d.
func (l *layout) documentColumns() string {
	has := l.documents
	text := func(name string) string { return "coalesce(" + column(has, "d", name, "NULL::text") + ", '')" }
	number := func(name string) string { return "coalesce(" + column(has, "d", name, "0") + ", 0)" }
	list := func(name string) string { return "array_remove(" + column(has, "d", name, "NULL::text[]") + ", NULL)" }
	when := func(name string) string { return column(has, "d", name, "NULL::timestamptz") }
	return strings.Join([]string{
		"d.id", text("url"), text("source_url"), list("url_aliases"), text("title"), text("description"), text("language"),
		number("status_code"), text("published_time"), text("modified_time"), text("doc_type"), text("source_type"),
		text("filename"), text("doc_path"), text("content_hash"), text("derived_hash"), text("pipeline_fingerprint"),
		text("owner"), column(has, "d", "metadata", "NULL") + "::text", list("tags"),
		when("fetched_at"), when("indexed_at"), when("deleted_at"), text("current_ingestion_id"),
		number("depth"), number("token_count"), number("parent_count"), number("changed"),
	}, ", ")
}

// scanDocument reads a row of documentColumns.
func scanDocument(row pgx.CollectableRow) (store.Document, error) {
	var d store.Document
	var id pgtype.UUID
	var metadata pgtype.Text
	var fetched, indexed, deleted pgtype.Timestamptz
	err := row.Scan(&id, &d.URL, &d.SourceURL, &d.URLAliases, &d.Title, &d.Description, &d.Language,
		&d.StatusCode, &d.PublishedTime, &d.ModifiedTime, &d.DocType, &d.SourceType,
		&d.Filename, &d.DocPath, &d.ContentHash, &d.DerivedHash, &d.PipelineFingerprint,
		&d.Owner, &metadata, &d.Tags, &fetched, &indexed, &deleted, &d.CurrentIngestionID,
		&d.Depth, &d.TokenCount, &d.ParentCount, &d.Changed)
	if err != nil {
		return store.Document{}, err
	}
	if err := store.CheckAddress(d.SourceURL); err != nil {
		return store.Document{}, fmt.Errorf("document %s: %w: %w", idText(id), err, store.ErrForeign)
	}
	d.ID, d.Metadata = idText(id), parseMetadata(metadata.String)
	d.FetchedAt, d.IndexedAt, d.DeletedAt = instant(fetched), instant(indexed), instant(deleted)
	return d, nil
}

// parseMetadata reads an object of strings. Any other value is its JSON, as a
// scope compares it; null is none.
func parseMetadata(text string) map[string]string {
	if text == "" {
		return nil
	}
	var values map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &values) != nil || len(values) == 0 {
		return nil
	}
	metadata := make(map[string]string, len(values))
	for key, value := range values {
		var s *string
		switch err := json.Unmarshal(value, &s); {
		case err != nil:
			metadata[key] = string(value)
		case s != nil:
			metadata[key] = *s
		}
	}
	return metadata
}

func queryDocuments(ctx context.Context, tx pgx.Tx, query string, p params) ([]store.Document, error) {
	rows, err := tx.Query(ctx, query, p...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanDocument)
}

// Documents returns the documents in scope by (depth, source URL).
func (v *View) Documents(ctx context.Context, scope store.Scope, page store.Page) (docs []store.Document, err error) {
	err = v.do(ctx, "list documents of", func(tx pgx.Tx) error {
		var p params
		docs, err = queryDocuments(ctx, tx, "SELECT "+v.layout.documentColumns()+" FROM "+v.layout.table("documents")+
			" d WHERE "+v.inScope(&p, scope)+" ORDER BY "+listingOrder+bounds(page), p)
		if err != nil || v.layout.documents["parent_count"] {
			return err
		}
		sums, err := v.documentSums(ctx, tx)
		if err != nil {
			return err
		}
		for i := range docs {
			sum := sums[docs[i].ID]
			docs[i].ParentCount, docs[i].TokenCount = sum.Parents, sum.Tokens
		}
		return nil
	})
	return docs, err
}

// inScope are all conditions on d for what is visible and in scope: of headings,
// that one of its sections is.
func (v *View) inScope(p *params, scope store.Scope) string {
	conditions := append(v.visibleDocument(p), v.scopedDocument(p, scope)...)
	if len(scope.Headings) > 0 {
		section := append(v.visibleSection(), v.underHeading(p, "c", scope.Headings))
		conditions = append(conditions, "EXISTS (SELECT FROM "+v.layout.table("chunks")+
			" c WHERE c.document_id = d.id AND c.chunk_level = 'parent' AND "+all(section)+")")
	}
	return all(conditions)
}

// Deleted returns the soft-deleted documents by (depth, source URL).
func (v *View) Deleted(ctx context.Context) (docs []store.Document, err error) {
	if !v.layout.documents["deleted_at"] {
		return nil, nil
	}
	err = v.do(ctx, "list deleted documents of", func(tx pgx.Tx) error {
		var p params
		conditions := append(v.ownDocument(&p), "d.deleted_at IS NOT NULL")
		docs, err = queryDocuments(ctx, tx, "SELECT "+v.layout.documentColumns()+" FROM "+v.layout.table("documents")+
			" d WHERE "+all(conditions)+" ORDER BY "+listingOrder, p)
		return err
	})
	return docs, err
}

// Hidden counts what no read returns.
func (v *View) Hidden(ctx context.Context) (hidden store.Hidden, err error) {
	if v.layout.foreign {
		return store.Hidden{}, nil
	}
	err = v.do(ctx, "count what is hidden of", func(tx pgx.Tx) error {
		hidden, err = v.countHidden(ctx, tx)
		return err
	})
	return hidden, err
}

// hiddenCache keeps what is hidden at one version: it takes a scan of all
// documents and chunks to find out.
type hiddenCache struct {
	mu      sync.Mutex
	known   bool
	version int64
	hidden  store.Hidden
}

// countHidden counts what is hidden, and the chunks of former ingestions of what
// is visible.
func (v *View) countHidden(ctx context.Context, tx pgx.Tx) (hidden store.Hidden, err error) {
	cache := &v.store.hidden
	cache.mu.Lock()
	defer cache.mu.Unlock()
	if cache.known && cache.version == v.meta.Changed {
		return cache.hidden, nil
	}
	var p params
	own := v.ownDocument(&p)
	err = tx.QueryRow(ctx, "SELECT count(*) FILTER (WHERE d.deleted_at IS NOT NULL), "+
		"count(*) FILTER (WHERE d.deleted_at IS NULL AND d.current_ingestion_id IS NULL) FROM "+
		v.layout.table("documents")+" d WHERE "+all(own), p...).Scan(&hidden.Deleted, &hidden.Unfinished)
	if err != nil {
		return store.Hidden{}, err
	}
	p = nil
	conditions := append(v.visibleDocument(&p), "c.owner IS NOT DISTINCT FROM d.owner", "c.ingestion_id IS DISTINCT FROM d.current_ingestion_id")
	err = tx.QueryRow(ctx, "SELECT count(*) FROM "+v.layout.chunksFrom()+" WHERE "+all(conditions), p...).Scan(&hidden.Stale)
	if err != nil {
		return store.Hidden{}, err
	}
	cache.known, cache.version, cache.hidden = true, v.meta.Changed, hidden
	return hidden, nil
}
