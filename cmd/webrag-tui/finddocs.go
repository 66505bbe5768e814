package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// findDocuments returns the documents that are named by id or address, deleted
// ones too, each once. Every name that is nobody's is told, with the nearest
// address, and errNothing returned; a name of several documents is an error that
// lists them. An exact address comes before one that only leads to the same page,
// which is told; where exactly is set, as for what must not meet another document,
// it is an error.
func (a *app) findDocuments(ctx context.Context, v store.View, refs []string, exactly bool) ([]store.Document, error) {
	named, err := a.nameDocuments(ctx, v, refs)
	if err != nil {
		return nil, err
	}
	var found []store.Document
	for _, n := range named {
		ref, near := file.ShellWord(n.ref), file.ShellWord(n.doc.SourceURL)
		switch {
		case !n.isExact && exactly:
			return nil, fmt.Errorf("there is no document %s, so nothing was done; did you mean %s?", ref, near)
		case !n.isExact:
			a.note("there is no %s; %s is taken for it", ref, near)
		}
		found = append(found, n.doc)
	}
	return found, nil
}

// namedDoc is a document and the name by which it was found.
type namedDoc struct {
	ref     string
	doc     store.Document
	isExact bool
}

func (a *app) nameDocuments(ctx context.Context, v store.View, refs []string) ([]namedDoc, error) {
	docs, err := v.Documents(ctx, store.Scope{}, store.Page{})
	if err != nil {
		return nil, err
	}
	deleted, err := v.Deleted(ctx)
	if err != nil {
		return nil, err
	}
	docs = append(docs, deleted...)
	var found []namedDoc
	unknown := false
	for _, ref := range refs {
		meant, isExact := meantBy(ref, docs)
		switch {
		case len(meant) == 0:
			unknown = true
			fmt.Fprintf(a.err, "webrag-tui: there is no document %s%s\n", offset.Line(file.ShellWord(ref)), offset.Line(nearDocument(ref, docs)))
			continue
		case len(meant) > 1:
			return nil, severalMeant(ref, meant)
		}
		if !slices.ContainsFunc(found, func(f namedDoc) bool { return f.doc.ID == meant[0].ID }) {
			found = append(found, namedDoc{ref, *meant[0], isExact})
		}
	}
	if unknown {
		return nil, errNothing
	}
	return found, nil
}

// meantBy returns the documents that a name means: the one with this id, else
// those with exactly this address, else those with one of the same
// [store.PageKey]. In both a page's own address comes before the further ones that
// another page may claim.
func meantBy(ref string, docs []store.Document) (meant []*store.Document, isExact bool) {
	key := store.PageKey(ref)
	alike := func(address string) bool { return address != "" && store.PageKey(address) == key }
	same := func(address string) bool { return address != "" && address == ref }
	for i, is := range []func(d *store.Document) bool{
		func(d *store.Document) bool { return d.ID == ref },
		func(d *store.Document) bool { return same(d.SourceURL) },
		func(d *store.Document) bool { return same(d.URL) || slices.ContainsFunc(d.URLAliases, same) },
		func(d *store.Document) bool { return alike(d.SourceURL) },
		func(d *store.Document) bool { return alike(d.URL) || slices.ContainsFunc(d.URLAliases, alike) },
	} {
		for j := range docs {
			if is(&docs[j]) {
				meant = append(meant, &docs[j])
			}
		}
		if len(meant) > 0 {
			return meant, i < 3
		}
	}
	return nil, false
}

// severalMeant says that a name means several documents, and how each is named
// alone.
func severalMeant(ref string, meant []*store.Document) error {
	const most = 8
	var list []string
	oneAddress, owners := true, map[string]bool{}
	for _, d := range meant {
		owner := "of nobody"
		if d.Owner != "" {
			owner = "of owner " + file.ShellWord(d.Owner)
		}
		list = append(list, fmt.Sprintf("%s %s (id %s)", file.ShellWord(d.SourceURL), owner, d.ID))
		oneAddress = oneAddress && d.SourceURL == meant[0].SourceURL
		owners[d.Owner] = true
	}
	if n := len(list) - most; n > 0 {
		list = append(list[:most], fmt.Sprintf("%d more", n))
	}
	how := "give the address as 'webrag-tui docs list' prints it, or the id"
	switch {
	case oneAddress && len(owners) == len(meant):
		how = "give the id, or --owner"
	case oneAddress:
		how = "give the id"
	}
	return fmt.Errorf("%s names %d documents: %s; %s", file.ShellWord(ref), len(meant), strings.Join(list, ", "), how)
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
	return "; did you mean " + file.ShellWord(near) + "?"
}
