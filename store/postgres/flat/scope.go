package flat

import (
	"slices"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/store"
)

// scoped are the conditions of a scope on c. What a table has no column for is
// empty in every row, and matches as that.
func (t *table) scoped(p *params, s store.Scope) []string {
	var conditions []string
	add := func(condition string) { conditions = append(conditions, condition) }
	if len(s.SourceURLs) > 0 {
		add(t.sourceIn(p, s.SourceURLs))
	}
	if len(s.DocumentIDs) > 0 {
		add(t.sourceIn(p, s.DocumentIDs))
	}
	if out := storable(s.ExcludeDocumentIDs); len(out) > 0 {
		add("c.source <> ALL(" + p.add(out) + "::text[])")
	}
	if len(s.Tags) > 0 {
		add("false")
	}
	for _, m := range s.Meta {
		if len(m.Values) == 0 {
			continue
		}
		if t.mapping.Metadata.IsZero() || !isStorable(m.Key) {
			add("false")
			continue
		}
		add("c.metadata ->> " + p.add(m.Key) + "::text = ANY(" + p.add(storable(m.Values)) + "::text[])")
	}
	if len(s.SourceTypes) > 0 && !slices.Contains(s.SourceTypes, "") {
		add("false")
	}
	if !s.CreatedAfter.IsZero() {
		add("c.created > " + p.add(kept(s.CreatedAfter)) + "::timestamptz")
	}
	if !s.CreatedBefore.IsZero() {
		// Of what is kept to the microsecond, as much is before a time as before the
		// next whole microsecond.
		add("c.created < " + p.add(kept(s.CreatedBefore.Add(time.Microsecond-time.Nanosecond))) + "::timestamptz")
	}
	if s.MaxDepth != nil && *s.MaxDepth < 0 {
		add("false")
	}
	if len(s.Headings) > 0 {
		add("lower(c.heading) = ANY(" + p.add(lowered(s.Headings)) + "::text[])")
	}
	return conditions
}

// lowered returns headings in small letters. The empty one is an absent one, which
// nobody asks for.
func lowered(headings []string) []string {
	low := []string{}
	for _, h := range storable(headings) {
		if h != "" {
			low = append(low, strings.ToLower(h))
		}
	}
	return low
}

// sourceIn is the condition that a row's source is one of some. It is about the
// address as it stands in the table, so that an index of that serves.
func (t *table) sourceIn(p *params, sources []string) string {
	known := storable(sources)
	i := slices.Index(known, t.unsourced())
	if i < 0 {
		return "c.address = ANY(" + p.add(known) + "::text[])"
	}
	return "(c.address = ANY(" + p.add(known) + "::text[]) OR c.address IS NULL OR c.address = '')"
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
