package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/indexing/edges"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// findDocuments returns the documents that are named by id or address, deleted
// ones too, each once. Every name that is nobody's is told, with the nearest
// address, and errNothing returned.
func (a *app) findDocuments(ctx context.Context, v store.View, refs []string) ([]store.Document, error) {
	docs, err := v.Documents(ctx, store.Scope{}, store.Page{})
	if err != nil {
		return nil, err
	}
	deleted, err := v.Deleted(ctx)
	if err != nil {
		return nil, err
	}
	docs = append(docs, deleted...)
	byID := make(map[string]store.Document, len(docs))
	for i := range docs {
		byID[docs[i].ID] = docs[i]
	}
	byAddress := edges.Pages(docs)
	var found []store.Document
	unknown := false
	for _, ref := range refs {
		d, ok := byID[ref]
		if !ok {
			d, ok = byAddress[store.PageKey(ref)]
		}
		if !ok {
			unknown = true
			fmt.Fprintf(a.err, "webrag-tui: there is no document %s%s\n", offset.Line(shellWord(ref)), offset.Line(nearDocument(ref, docs)))
			continue
		}
		if !slices.ContainsFunc(found, func(f store.Document) bool { return f.ID == d.ID }) {
			found = append(found, d)
		}
	}
	if unknown {
		return nil, errNothing
	}
	return found, nil
}

// longestRef bounds the names for which a near one is looked for.
const longestRef = 300

// nearDocument suggests the address that was meant: the shortest one that holds
// the words, else the one that takes the fewest edits.
func nearDocument(ref string, docs []store.Document) string {
	const list = "; 'webrag-tui docs list' prints all"
	if ref == "" || len(ref) > longestRef {
		return list
	}
	near := ""
	addresses := make([]string, 0, len(docs))
	for i := range docs {
		url := docs[i].SourceURL
		addresses = append(addresses, url)
		if strings.Contains(strings.ToLower(url), strings.ToLower(ref)) && (near == "" || len(url) < len(near)) {
			near = url
		}
	}
	if near == "" {
		var ok bool
		if near, ok = config.Nearest(ref, addresses); !ok {
			return list
		}
	}
	return "; did you mean " + shellWord(near) + "?"
}
