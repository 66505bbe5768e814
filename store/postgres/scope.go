package postgres

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
)

// scopedDocument are the conditions on d of a scope, leaving out its headings.
// What the database has no column for is empty in every document, and matches as
// that.
func (v *View) scopedDocument(p *params, s store.Scope) []string { return v.scopedBy(p, s, "d.id") }

// scopedBy is scopedDocument where a column is the document's id, too: that of the
// table whose index is to find the documents named.
func (v *View) scopedBy(p *params, s store.Scope, id string) []string {
	l := v.layout
	text := func(name string) string { return column(l.documents, "d", name, "NULL::text") }
	list := func(name string) string { return column(l.documents, "d", name, "NULL::text[]") }
	var conditions []string
	add := func(condition string) { conditions = append(conditions, condition) }
	if len(s.SourceURLs) > 0 {
		add(v.atAddress(p, s.SourceURLs, id))
	}
	if len(s.DocumentIDs) > 0 {
		add(id + " = ANY(" + p.add(parseIDs(s.DocumentIDs)) + "::uuid[])")
	}
	if out := parseIDs(s.ExcludeDocumentIDs); len(out) > 0 {
		add("d.id <> ALL(" + p.add(out) + "::uuid[])")
	}
	if len(s.Tags) > 0 {
		add(list("tags") + " && " + p.add(storable(s.Tags)) + "::text[]")
	}
	for _, m := range s.Meta {
		if len(m.Values) == 0 {
			continue
		}
		if !isStorable(m.Key) {
			add("false")
			continue
		}
		add(column(l.documents, "d", "metadata", "NULL::jsonb") + " ->> " + p.add(m.Key) + "::text = ANY(" + p.add(storable(m.Values)) + "::text[])")
	}
	if len(s.SourceTypes) > 0 {
		add(isOneOf(p, text("source_type"), s.SourceTypes))
	}
	fetched := column(l.documents, "d", "fetched_at", "NULL::timestamptz")
	if !s.CreatedAfter.IsZero() {
		add(fetched + " > " + p.add(kept(s.CreatedAfter)) + "::timestamptz")
	}
	if !s.CreatedBefore.IsZero() {
		// Of what is kept to the microsecond, as much is before a time as before the
		// next whole microsecond.
		add(fetched + " < " + p.add(kept(s.CreatedBefore.Add(time.Microsecond-time.Nanosecond))) + "::timestamptz")
	}
	if s.MaxDepth != nil {
		add("coalesce(" + column(l.documents, "d", "depth", "0") + ", 0) <= " + p.add(int64(*s.MaxDepth)) + "::bigint")
	}
	return conditions
}

// scopedChunk are all conditions of a scope, on c and d. A child is in scope when
// its parent is; one without a parent decides for itself.
func (v *View) scopedChunk(p *params, s store.Scope) []string {
	conditions := v.scopedBy(p, s, "c.document_id")
	if len(s.Headings) > 0 {
		conditions = append(conditions, "EXISTS (SELECT FROM "+v.layout.table("chunks")+
			" s WHERE s.document_id = c.document_id AND s.id = coalesce(c.parent_id, c.id) AND "+v.underHeading(p, "s", s.Headings)+")")
	}
	return conditions
}

// scopedParent is scopedChunk where c is a parent.
func (v *View) scopedParent(p *params, s store.Scope) []string {
	conditions := v.scopedBy(p, s, "c.document_id")
	if len(s.Headings) > 0 {
		conditions = append(conditions, v.underHeading(p, "c", s.Headings))
	}
	return conditions
}

// isOneOf is the condition that a column, which is NULL for the empty string, has
// one of the values.
func isOneOf(p *params, column string, values []string) string {
	condition := column + " = ANY(" + p.add(storable(values)) + "::text[])"
	for _, s := range values {
		if s == "" {
			return "(" + condition + " OR " + column + " IS NULL)"
		}
	}
	return condition
}

// storable returns what of a list a database can hold; the rest is in no row.
func storable(list []string) []string {
	some := make([]string, 0, len(list))
	for _, s := range list {
		if isStorable(s) {
			some = append(some, s)
		}
	}
	return some
}

// isStorable reports whether s can be a text in a database at all.
func isStorable(s string) bool {
	return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0
}

// kept returns a time as a database keeps it, in its range and to the
// microsecond.
func kept(t time.Time) time.Time {
	first, last := time.Date(-4000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(200000, 1, 1, 0, 0, 0, 0, time.UTC)
	switch {
	case t.Before(first):
		return first
	case t.After(last):
		return last
	}
	return t.UTC().Truncate(time.Microsecond)
}

// parseIDs returns the ids of a list, without what can be none of a corpus.
func parseIDs(ids []string) []uuid.UUID {
	parsed := make([]uuid.UUID, 0, len(ids))
	for _, s := range ids {
		if id, ok := parseID(s); ok {
			parsed = append(parsed, id)
		}
	}
	return parsed
}

// parseID returns an id as it is written here: 36 characters, letters small.
func parseID(s string) (uuid.UUID, bool) {
	if len(s) != 36 || strings.ToLower(s) != s {
		return uuid.UUID{}, false
	}
	id, err := uuid.Parse(s)
	return id, err == nil
}
