package trials

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/evaluation/exchange"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// addresses find the page that a document's id means.
type addresses struct {
	template string
	pages    map[string]string // addresses of pages by all of their forms
	// ends are addresses by the last element of their path, with and without its
	// ending; empty where several pages have it.
	ends map[string]string
}

// addressesOf are the addresses of a corpus.
func addressesOf(ctx context.Context, corpus *Corpus, template string) (*addresses, error) {
	view, err := corpus.Store.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer view.Close()
	docs, err := view.Documents(ctx, store.Scope{}, store.Page{})
	if err != nil {
		return nil, err
	}
	a := &addresses{template: template, pages: map[string]string{}, ends: map[string]string{}}
	for i := range docs {
		a.add(&docs[i])
	}
	return a, nil
}

func (a *addresses) add(d *store.Document) {
	page := d.SourceURL
	for _, form := range append([]string{d.URL, store.PageKey(page)}, d.URLAliases...) {
		if form != "" && a.pages[form] == "" {
			a.pages[form] = page
		}
	}
	a.pages[page] = page
	end := lastElement(page)
	for _, form := range []string{end, strings.TrimSuffix(end, path.Ext(end))} {
		if other, ok := a.ends[form]; ok && other != page {
			page = "" // it means none of both
		}
		a.ends[form] = page
		page = d.SourceURL
	}
}

// lastElement is the last element of an address's path.
func lastElement(address string) string {
	address, _, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	address = strings.TrimRight(address, "/")
	end := address[strings.LastIndexAny(address, "/:")+1:]
	if text, err := url.PathUnescape(end); err == nil {
		return text
	}
	return end
}

// find is the page that an id means, empty for none.
func (a *addresses) find(id string) string {
	if a.template != "" {
		if page := a.known(strings.ReplaceAll(a.template, "{}", id)); page != "" {
			return page
		}
	}
	forms := []string{id, source.BEIRAddress(id)}
	if address, chunk, err := exchange.ParseDocno(id); err == nil && chunk == "" {
		forms = append(forms, address)
	}
	for _, form := range forms {
		if page := a.known(form); page != "" {
			return page
		}
	}
	return a.ends[id]
}

func (a *addresses) known(address string) string {
	if page := a.pages[address]; page != "" {
		return page
	}
	return a.pages[store.PageKey(address)]
}

// longestTopic is the most bytes of a line with a query.
const longestTopic = 1 << 20

// readQueries reads queries, which name is called in errors: a line each, with the id, a
// tab and the text, or an object of BEIR with _id and text.
func readQueries(r io.Reader, name string) (queries []exchange.Query, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestTopic)
	seen := map[string]int{}
	for number := 1; lines.Scan(); number++ {
		line := bytes.TrimSpace(bytes.TrimPrefix(lines.Bytes(), []byte("\xef\xbb\xbf")))
		if len(line) == 0 {
			continue
		}
		q, ok := parseQuery(line)
		if !ok {
			return nil, fmt.Errorf("%s:%d: this is no query; a line has an id, a tab and a text, or is an object with _id and text", name, number)
		}
		if before := seen[q.ID]; before > 0 {
			return nil, fmt.Errorf("%s:%d: query %s stands in line %d already; leave one of both out", name, number, offset.Line(q.ID), before)
		}
		seen[q.ID] = number
		queries = append(queries, q)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read queries from %s: %w", name, err)
	}
	return queries, nil
}

func parseQuery(line []byte) (q exchange.Query, ok bool) {
	if line[0] == '{' {
		if json.Unmarshal(line, &q) != nil {
			return q, false
		}
	} else {
		q.ID, q.Text, _ = strings.Cut(string(line), "\t")
	}
	q.ID, q.Text = strings.TrimSpace(q.ID), offset.Trimmed(q.Text)
	return q, q.ID != "" && q.Text != "" && utf8.ValidString(q.ID)
}
