package store

import (
	"slices"
	"time"
)

// Scope restricts a request to some documents and sections: all conditions
// hold, and within one any value will do. The zero value is the whole corpus.
//
// An empty list is no condition, nil or not, as the specifications have it: a form
// that names nothing asks for everything. Who computes a list and finds nothing to
// allow must therefore not ask at all.
type Scope struct {
	// SourceURLs matches documents by canonical URL, requested URL or alias.
	SourceURLs []string
	// DocumentIDs matches by id; ExcludeDocumentIDs leaves documents out.
	DocumentIDs, ExcludeDocumentIDs []string
	// Tags matches documents that bear one of them.
	Tags []string
	// Meta are conditions on metadata, each on a key of its own: all hold.
	Meta []MetaFilter
	// SourceTypes are among "web", "upload" and "text".
	SourceTypes []string
	// Headings matches sections whose SectionHeading or one of whose HeadingPath
	// is one of them in lower case. A child is in scope when its parent is, and a
	// document when one of its sections is: statistics then sum over sections.
	Headings []string
	// CreatedAfter and CreatedBefore bound FetchedAt, both exclusive; zero is no
	// bound. A document without a time is outside of every bound.
	CreatedAfter, CreatedBefore time.Time
	// MaxDepth is the greatest link distance, nil for any.
	MaxDepth *int
}

// What a [Placement] calls the condition of a scope that leaves a chunk out. The
// first three are of [AbsentScope], the others of [AbsentFilter].
const (
	ConditionSourceURL  = "source URL"
	ConditionDocument   = "document"
	ConditionExcluded   = "excluded document"
	ConditionTag        = "tag"
	ConditionMeta       = "metadata" // followed by a space and the key
	ConditionSourceType = "source type"
	ConditionCreated    = "date"
	ConditionMaxDepth   = "depth"
	ConditionHeading    = "heading"
)

// The metadata keys that have a name of their own in queries.
const (
	MetaModule      = "module"
	MetaChapter     = "chapter"
	MetaContentType = "content_type"
)

// MetaFilter is a condition on one metadata key: its value is one of Values. A
// document without the key does not match. Without Values it is no condition.
type MetaFilter struct {
	Key    string
	Values []string
}

// IsZero reports whether the scope is the whole corpus.
func (s Scope) IsZero() bool {
	return len(s.SourceURLs) == 0 && len(s.DocumentIDs) == 0 && len(s.ExcludeDocumentIDs) == 0 &&
		len(s.Tags) == 0 && len(s.SourceTypes) == 0 && len(s.Headings) == 0 &&
		!slices.ContainsFunc(s.Meta, func(m MetaFilter) bool { return len(m.Values) > 0 }) &&
		s.CreatedAfter.IsZero() && s.CreatedBefore.IsZero() && s.MaxDepth == nil
}
