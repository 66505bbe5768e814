package judgment

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"github.com/webrag/webrag-tui/store"
)

// What is read of a corpus at once: rows of documents, and tokens of texts.
const (
	mostRows   = 1000
	mostTokens = 1 << 20
)

// InView asks a view of a corpus, as long as that is open.
func InView(v store.View) Pages { return inView{v} }

type inView struct{ view store.View }

// asked is a page with the addresses by which it was asked for.
type asked struct {
	document  store.Document
	addresses []string
}

// EachPage implements [Pages]: an address may be any of a page's, and may differ from it
// as [store.PageKey] lets it.
func (v inView) EachPage(ctx context.Context, addresses []string, each func(address, page string, sections []store.Chunk) error) error {
	pages, err := v.documents(ctx, addresses)
	if err != nil {
		return err
	}
	for len(pages) > 0 {
		n, tokens := 0, 0
		for n == 0 || n < len(pages) && n < mostRows && tokens+pages[n].document.TokenCount <= mostTokens {
			tokens += pages[n].document.TokenCount
			n++
		}
		if err := v.texts(ctx, pages[:n], each); err != nil {
			return err
		}
		pages = pages[n:]
	}
	return nil
}

// texts reads the sections of pages, and calls each with them.
func (v inView) texts(ctx context.Context, pages []*asked, each func(address, page string, sections []store.Chunk) error) error {
	ids := make([]string, len(pages))
	for i, p := range pages {
		ids[i] = p.document.ID
	}
	parents, err := v.view.Parents(ctx, store.Scope{DocumentIDs: ids}, store.FieldText, store.Page{})
	if err != nil {
		return err
	}
	sections := map[string][]store.Chunk{}
	for _, c := range parents {
		sections[c.DocumentID] = append(sections[c.DocumentID], c)
	}
	for _, p := range pages {
		of := sections[p.document.ID]
		slices.SortStableFunc(of, func(a, b store.Chunk) int { return cmp.Compare(a.Index, b.Index) })
		for _, address := range p.addresses {
			if err := each(address, p.document.SourceURL, of); err != nil {
				return err
			}
		}
	}
	return nil
}

// documents finds the pages that addresses lead to. First it asks for those addresses; for
// what is left it goes through all pages, whose addresses may have been written otherwise.
func (v inView) documents(ctx context.Context, addresses []string) ([]*asked, error) {
	left := map[string][]string{} // by what is compared
	for _, address := range addresses {
		left[address] = append(left[address], address)
	}
	var pages []*asked
	at := map[string]*asked{}
	take := func(key func(string) string) func(d *store.Document) {
		return func(d *store.Document) {
			for _, own := range append([]string{d.SourceURL, d.URL}, d.URLAliases...) {
				k := key(own)
				found := left[k]
				if own == "" || found == nil {
					continue
				}
				delete(left, k)
				if at[d.ID] == nil {
					at[d.ID] = &asked{document: *d}
					pages = append(pages, at[d.ID])
				}
				at[d.ID].addresses = append(at[d.ID].addresses, found...)
			}
		}
	}
	for some := range slices.Chunk(addresses, mostRows) {
		if err := eachDocument(ctx, v.view, store.Scope{SourceURLs: some}, take(func(address string) string { return address })); err != nil {
			return nil, err
		}
	}
	if len(left) == 0 {
		return pages, nil
	}
	byKey := map[string][]string{}
	for _, address := range addresses {
		if left[address] != nil {
			byKey[store.PageKey(address)] = append(byKey[store.PageKey(address)], address)
		}
	}
	left = byKey
	return pages, eachDocument(ctx, v.view, store.Scope{}, take(store.PageKey))
}

// eachDocument calls each with the documents in scope.
func eachDocument(ctx context.Context, v store.View, scope store.Scope, each func(*store.Document)) error {
	for from := 0; ; from += mostRows {
		rows, err := v.Documents(ctx, scope, store.Page{Offset: from, Limit: mostRows})
		if err != nil {
			return err
		}
		for i := range rows {
			each(&rows[i])
		}
		if len(rows) < mostRows {
			return nil
		}
	}
}

// Identify says which version of a corpus a view shows, so that what was judged or
// measured on one is not taken for that of another. The name is the caller's.
func Identify(ctx context.Context, name string, v store.View) (Corpus, error) {
	c := Corpus{Name: name}
	var lines []string
	err := eachDocument(ctx, v, store.Scope{}, func(d *store.Document) {
		lines = append(lines, d.SourceURL+"\x00"+d.ContentHash+"\n")
		if d.FetchedAt.After(c.Newest) {
			c.Newest = d.FetchedAt
		}
	})
	if err != nil {
		return c, fmt.Errorf("identify corpus %s: %w", name, err)
	}
	slices.Sort(lines)
	sum := sha256.New()
	for _, line := range lines {
		_, _ = io.WriteString(sum, line) // never fails
	}
	c.Documents, c.Hash = len(lines), hex.EncodeToString(sum.Sum(nil))
	return c, nil
}

// IsSame reports that two corpora have the same pages, whatever they are called.
func (c *Corpus) IsSame(other Corpus) bool {
	return c.Documents == other.Documents && c.Hash == other.Hash
}
