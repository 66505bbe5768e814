package retrieval

import (
	"slices"

	"github.com/webrag/webrag-tui/store"
)

// mostValues bounds how many values of a scope are looked up one by one.
const mostValues = 64

// valueParts are the values of the conditions that have several, each alone, and
// the documents to leave out: one of them that is not there is a slip that the
// others would hide.
func valueParts(s store.Scope) []scopePart {
	var alone []store.Scope
	each := func(values []string, scope func(one []string) store.Scope) {
		if len(values) < 2 {
			return
		}
		for i := range values[:min(len(values), mostValues)] {
			if !slices.Contains(values[:i], values[i]) {
				alone = append(alone, scope(values[i:i+1]))
			}
		}
	}
	each(s.SourceURLs, func(one []string) store.Scope { return store.Scope{SourceURLs: one} })
	each(s.DocumentIDs, func(one []string) store.Scope { return store.Scope{DocumentIDs: one} })
	each(s.Tags, func(one []string) store.Scope { return store.Scope{Tags: one} })
	for _, m := range s.Meta {
		each(m.Values, func(one []string) store.Scope {
			return store.Scope{Meta: []store.MetaFilter{{Key: m.Key, Values: one}}}
		})
	}
	each(s.SourceTypes, func(one []string) store.Scope { return store.Scope{SourceTypes: one} })
	each(s.Headings, func(one []string) store.Scope { return store.Scope{Headings: one} })
	for i := range s.ExcludeDocumentIDs[:min(len(s.ExcludeDocumentIDs), mostValues)] {
		alone = append(alone, store.Scope{DocumentIDs: s.ExcludeDocumentIDs[i : i+1]})
	}
	var parts []scopePart
	for _, one := range alone {
		parts = append(parts, scopeParts(one)...)
	}
	return parts
}
