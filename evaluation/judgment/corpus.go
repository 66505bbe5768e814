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

// documents finds the pages that addresses lead to. First it asks for those addresses, of
// which that of a page comes before other pages' further ones; for what is left it goes
// through all pages, whose addresses may have been written otherwise.
func (v inView) documents(ctx context.Context, addresses []string) ([]*asked, error) {
	wanted := search{left: map[string][]string{}, at: map[string]*asked{}}
	for _, address := range addresses {
		wanted.left[address] = append(wanted.left[address], address)
	}
	for some := range slices.Chunk(addresses, mostRows) {
		var rows []store.Document
		if err := eachDocument(ctx, v.view, store.Scope{SourceURLs: some}, func(d *store.Document) { rows = append(rows, *d) }); err != nil {
			return nil, err
		}
		for i := range rows {
			wanted.take(&rows[i], rows[i].SourceURL)
		}
		for i := range rows {
			wanted.take(&rows[i], append(rows[i].URLAliases, rows[i].URL)...)
		}
	}
	if len(wanted.left) == 0 {
		return wanted.pages, nil
	}
	byKey := map[string][]string{}
	for address := range wanted.left {
		byKey[store.PageKey(address)] = append(byKey[store.PageKey(address)], address)
	}
	wanted.left = byKey
	err := eachDocument(ctx, v.view, store.Scope{}, func(d *store.Document) {
		for _, own := range append([]string{d.SourceURL, d.URL}, d.URLAliases...) {
			wanted.take(d, store.PageKey(own))
		}
	})
	return wanted.pages, err
}

// search looks for pages.
type search struct {
	// left are the addresses that no page was found for yet, by what they are compared by.
	left  map[string][]string
	pages []*asked
	at    map[string]*asked // by the id of the document
}

// take gives a page the addresses that are compared by one of these.
func (s *search) take(d *store.Document, compared ...string) {
	for _, by := range compared {
		found := s.left[by]
		if by == "" || found == nil {
			continue
		}
		delete(s.left, by)
		if s.at[d.ID] == nil {
			s.at[d.ID] = &asked{document: *d}
			s.pages = append(s.pages, s.at[d.ID])
		}
		s.at[d.ID].addresses = append(s.at[d.ID].addresses, found...)
	}
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
	var lines, made []string
	err := eachDocument(ctx, v, store.Scope{}, func(d *store.Document) {
		lines = append(lines, d.SourceURL+"\x00"+d.ContentHash+"\n")
		made = append(made, d.SourceURL+"\x00"+d.DerivedHash+"\n")
		if d.FetchedAt.After(c.Newest) {
			c.Newest = d.FetchedAt
		}
	})
	if err != nil {
		return c, fmt.Errorf("identify corpus %s: %w", name, err)
	}
	m := v.Meta()
	made = append(made, fmt.Sprintf("%q %d %q %v %d\n", m.EmbedderID, m.Dimensions, m.Tokenizer, m.Calibration, v.Version()))
	c.Documents, c.Hash, c.Index = len(lines), sumOf(lines), sumOf(made)
	return c, nil
}

// sumOf is a hash of lines, in whatever order.
func sumOf(lines []string) string {
	slices.Sort(lines)
	sum := sha256.New()
	for _, line := range lines {
		_, _ = io.WriteString(sum, line) // never fails
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// IsSame reports that two corpora have the same pages, whatever they are called.
func (c *Corpus) IsSame(other Corpus) bool {
	return c.Documents == other.Documents && c.Hash == other.Hash
}

// Remember writes into a set that has none which corpus it was made on: the one of a
// view. The name is the caller's.
func (s *Set) Remember(ctx context.Context, name string, v store.View) error {
	if s.Corpus.Hash != "" {
		return nil
	}
	identity, err := Identify(ctx, name, v)
	if err != nil {
		return err
	}
	return s.Change(ctx, func(a *About) { a.Corpus = identity })
}
