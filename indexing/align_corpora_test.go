package indexing_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	htmltomarkdown "github.com/JohannesKaufmann/html-to-markdown/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/store"
)

// aligned is which of the real pages are read with another converter's markdown:
// every tenth.
const aligned = 10

// TestAnotherConvertersRealPages takes the markdown of real pages from another
// converter: of all of a page, and of the page without its navigation, as services
// that fetch pages do by default. Nearly every section of the content must keep
// its HTML; navigation has none.
func TestAnotherConvertersRealPages(t *testing.T) {
	root := corpora(t)
	if testing.Short() {
		t.Skip("takes a while")
	}
	deriver, tok := newDeriver(t)
	for _, folder := range realPages {
		for _, form := range []struct {
			name  string
			main  bool
			least float64
		}{{"all of the page", false, 0.7}, {"its content", true, 0.95}} {
			set, err := source.Scan(t.Context(), []string{filepath.Join(root, folder)}, source.Options{})
			if err != nil {
				t.Fatal(err)
			}
			n, pages, sections, unmatched, flagged, kept := 0, 0, 0, 0, 0, 0
			omitted := map[string]int{}
			for doc, err := range set.All(t.Context()) {
				if n++; err != nil || n%aligned != 0 {
					continue
				}
				body := doc.HTML
				if form.main {
					body = withoutNavigation(t, body)
				}
				if doc.Markdown, err = htmltomarkdown.ConvertString(body); err != nil {
					t.Fatal(err)
				}
				d, err := deriver.Derive(t.Context(), doc)
				if errors.Is(err, indexing.ErrNoText) {
					continue
				}
				if err == nil {
					err = check(d, tok, 256, 1000)
				}
				if err != nil {
					t.Fatalf("%s: %v", doc.DocPath, err)
				}
				pages++
				sections += d.Foreign
				unmatched += d.Unmatched
				for _, c := range d.Bundle.Chunks {
					switch {
					case c.Level != store.Parent || !c.Flags.Has(store.HTMLPreferred):
					case c.HTMLText != "":
						flagged++
						kept++
					default:
						flagged++
						omitted[c.HTMLOmittedReason]++
						if form.main {
							t.Logf("%s: section %q has no HTML: %s, %.120q", doc.DocPath, c.SectionHeading, c.HTMLOmittedReason, c.ChunkText)
						}
					}
				}
			}
			share := float64(kept) / float64(max(1, flagged))
			t.Logf("%s, %s: %d pages; %d of %d sections have no place; %d of %d flagged ones have HTML (%.3f), omitted %v",
				folder, form.name, pages, unmatched, sections, kept, flagged, share, omitted)
			if pages < 40 || share < form.least {
				t.Errorf("%s, %s: %d of %d flagged sections have HTML", folder, form.name, kept, flagged)
			}
		}
	}
}

// withoutNavigation takes out of a page what services that fetch pages take out.
func withoutNavigation(t *testing.T, page string) string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var gone []*html.Node
	for n := range doc.Descendants() {
		drop := slices.Contains([]atom.Atom{atom.Nav, atom.Header, atom.Footer, atom.Aside, atom.Script, atom.Style}, n.DataAtom)
		for _, a := range n.Attr {
			switch a.Key {
			case "class":
				for class := range strings.FieldsSeq(a.Val) {
					drop = drop || slices.Contains([]string{"sphinxsidebar", "related", "footer", "sidebar", "navbar", "sk-sidebar-toc-wrapper"}, class)
				}
			case "role":
				drop = drop || a.Val == "navigation"
			}
		}
		if drop {
			gone = append(gone, n)
		}
	}
	for _, n := range gone {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
	var b strings.Builder
	if err := html.Render(&b, doc); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
