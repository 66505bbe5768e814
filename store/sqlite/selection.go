package sqlite

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/part"
)

// matcher decides what is in a scope.
type matcher struct {
	urls, tags, types, headings map[string]bool
	ids, without                map[uuid.UUID]bool
	meta                        []metaCondition
	after, before               time.Time
	maxDepth                    *int
}

// metaCondition is a condition on one metadata key, and what it is called.
type metaCondition struct {
	key, name string
	values    map[string]bool
}

func newMatcher(scope store.Scope) matcher {
	m := matcher{
		urls: stringSet(scope.SourceURLs), tags: stringSet(scope.Tags), types: stringSet(scope.SourceTypes), headings: lowerSet(scope.Headings),
		ids: idSet(scope.DocumentIDs), without: idSet(scope.ExcludeDocumentIDs),
		after: scope.CreatedAfter, before: scope.CreatedBefore, maxDepth: scope.MaxDepth,
	}
	for _, f := range scope.Meta {
		if len(f.Values) > 0 {
			m.meta = append(m.meta, metaCondition{f.Key, store.ConditionMeta + " " + f.Key, stringSet(f.Values)})
		}
	}
	return m
}

// stringSet returns nil for an empty list, which is no condition.
func stringSet(list []string) map[string]bool {
	if len(list) == 0 {
		return nil
	}
	set := make(map[string]bool, len(list))
	for _, s := range list {
		set[s] = true
	}
	return set
}

// lowerSet is stringSet for headings. An empty one is an absent one, which nobody
// asks for.
func lowerSet(list []string) map[string]bool {
	if len(list) == 0 {
		return nil
	}
	set := make(map[string]bool, len(list))
	for _, s := range list {
		if s != "" {
			set[strings.ToLower(s)] = true
		}
	}
	return set
}

// idSet is stringSet for ids. What is not an id of this store matches nothing.
func idSet(ids []string) map[uuid.UUID]bool {
	if len(ids) == 0 {
		return nil
	}
	set := make(map[uuid.UUID]bool, len(ids))
	for _, s := range ids {
		if id, ok := store.ParseID(s); ok {
			set[id] = true
		}
	}
	return set
}

// refuses returns the first condition that a document does not meet, empty for
// none. Headings are not a document's.
func (m *matcher) refuses(d *document) string {
	switch {
	case m.urls != nil && !m.urls[d.sourceURL] && !m.urls[d.url] && !containsAny(d.aliases, m.urls):
		return store.ConditionSourceURL
	case m.ids != nil && !m.ids[d.id]:
		return store.ConditionDocument
	case m.without[d.id]:
		return store.ConditionExcluded
	case m.tags != nil && !containsAny(d.tags, m.tags):
		return store.ConditionTag
	}
	for _, c := range m.meta {
		if value, ok := d.metadata[c.key]; !ok || !c.values[value] {
			return c.name
		}
	}
	switch {
	case m.types != nil && !m.types[d.sourceType]:
		return store.ConditionSourceType
	case !m.after.IsZero() && !d.fetchedAt.After(m.after),
		!m.before.IsZero() && (d.fetchedAt.IsZero() || !d.fetchedAt.Before(m.before)):
		return store.ConditionCreated
	case m.maxDepth != nil && d.depth > *m.maxDepth:
		return store.ConditionMaxDepth
	}
	return ""
}

func containsAny(list []string, set map[string]bool) bool {
	return slices.ContainsFunc(list, func(s string) bool { return set[s] })
}

// admits reports whether a chunk of a document is in scope.
func (m *matcher) admits(d *document, r int32) bool {
	return m.refuses(d) == "" && (m.headings == nil || m.isUnder(&d.part.Sections[d.part.Rows[d.part.ParentOf(r)].Section]))
}

// isUnder reports whether a section has one of the headings.
func (m *matcher) isUnder(s *part.Section) bool {
	if len(m.headings) == 0 {
		return false
	}
	return m.headings[strings.ToLower(s.Heading)] || slices.ContainsFunc(s.Headings(), func(h string) bool {
		return m.headings[strings.ToLower(h)]
	})
}

// selection is what a scope leaves of a snapshot.
type selection struct {
	// docs are in the order of listings.
	docs []*document
	// parents are, for each of docs, the rows of the parents in scope; nil stands
	// for all of all documents.
	parents [][]int32
}

// in returns what is in scope. Headings ask for a snapshot that is loaded.
func (s *snapshot) in(scope store.Scope) selection {
	if scope.IsZero() {
		return selection{docs: s.docs}
	}
	m := newMatcher(scope)
	var out selection
	for _, d := range s.docs {
		if m.refuses(d) != "" {
			continue
		}
		if m.headings == nil {
			out.docs = append(out.docs, d)
			continue
		}
		if parents := m.parents(d.part); len(parents) > 0 {
			out.docs = append(out.docs, d)
			out.parents = append(out.parents, parents)
		}
	}
	return out
}

// parents returns the rows of the parents under one of the headings.
func (m *matcher) parents(p *part.Part) []int32 {
	var rows []int32
	last, under := int32(-1), false
	for r := range p.Parents {
		if s := p.Rows[r].Section; s != last {
			last, under = s, m.isUnder(&p.Sections[s])
		}
		if under {
			rows = append(rows, int32(r))
		}
	}
	return rows
}

// eachParent calls do with each parent.
func (s selection) eachParent(do func(d *document, r int32)) {
	for i, d := range s.docs {
		if s.parents == nil {
			for r := range d.part.Parents {
				do(d, int32(r))
			}
			continue
		}
		for _, r := range s.parents[i] {
			do(d, r)
		}
	}
}

// span is a range of a document's rows, all of them children.
type span struct {
	doc      *document
	from, to int
}

// children returns where the children are, without empty spans.
func (s selection) children() []span {
	spans := make([]span, 0, len(s.docs))
	add := func(d *document, from, to int) {
		if n := len(spans); n > 0 && spans[n-1].doc == d && spans[n-1].to == from {
			spans[n-1].to = to
		} else if from < to {
			spans = append(spans, span{d, from, to})
		}
	}
	for i, d := range s.docs {
		if s.parents == nil {
			add(d, d.part.Parents, len(d.part.Rows))
			continue
		}
		for _, r := range s.parents[i] {
			from, to := d.part.ChildrenOf(r)
			add(d, from, to)
		}
	}
	return spans
}

// scanned returns where the children of a selection are in the order of their
// vectors, which is that of memory.
func (s *snapshot) scanned(sel selection) []span {
	if sel.parents == nil && len(sel.docs) == len(s.docs) {
		// There is no need to sort: the list by number is that order.
		sel.docs = slices.DeleteFunc(slices.Clone(s.numbered), func(d *document) bool { return d == nil })
		return sel.children()
	}
	spans := sel.children()
	slices.SortFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.doc.number, b.doc.number), cmp.Compare(a.from, b.from))
	})
	return spans
}

// stats sums over what is in scope.
func (s selection) stats() store.Stats {
	st := store.Stats{Documents: len(s.docs)}
	if s.parents == nil {
		for _, d := range s.docs {
			st.Parents += d.parents
			st.Children += d.children
			st.Tokens += d.tokens
		}
		return st
	}
	s.eachParent(func(d *document, r int32) {
		from, to := d.part.ChildrenOf(r)
		st.Parents++
		st.Children += to - from
		st.Tokens += int(d.part.Rows[r].TokenEnd - d.part.Rows[r].TokenStart)
	})
	return st
}
