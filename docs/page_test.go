package docs_test

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/goccy/go-yaml"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"

	"github.com/webrag/webrag-tui/docs"
)

// page is a page of the guide, or a fixture in the same form, as a reader sees
// it.
type page struct {
	path, title, description, language string
	tags                               []string
	// depth is -1 when the page does not say.
	depth int
	root  *html.Node
	// anchors are the fragments that a link can name.
	anchors map[string]bool
}

// guidePages reads all pages of the guide.
func guidePages(t *testing.T) map[string]*page {
	t.Helper()
	pages := map[string]*page{}
	err := fs.WalkDir(docs.Guide, "guide", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !isPage(name) {
			return err
		}
		raw, err := docs.Guide.ReadFile(name)
		if err != nil {
			return err
		}
		pages[name] = readPage(t, name, raw)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) < 9 {
		t.Fatalf("the guide has %d pages", len(pages))
	}
	return pages
}

func isPage(name string) bool { return slices.Contains([]string{".md", ".html"}, path.Ext(name)) }

// frontMatter is what a markdown page says about itself.
type frontMatter struct {
	Title, Description string
	Depth              *int
	Tags               []string
}

func readPage(t *testing.T, name string, raw []byte) *page {
	t.Helper()
	p := &page{path: name, depth: -1, anchors: map[string]bool{}}
	if path.Ext(name) == ".md" {
		raw = p.readMarkdown(t, raw)
	}
	root, err := html.Parse(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	p.root = root
	if path.Ext(name) == ".html" {
		p.readHead(t)
	}
	for _, n := range p.all("h1", "h2", "h3", "h4") {
		id := attr(n, "id")
		if id == "" {
			id = slug(textOf(n))
		}
		if p.anchors[id] {
			t.Errorf("%s: two headings have the anchor %q", name, id)
		}
		p.anchors[id] = true
	}
	return p
}

// readMarkdown takes the front matter off and returns the rest as HTML.
func (p *page) readMarkdown(t *testing.T, raw []byte) []byte {
	t.Helper()
	if rest, ok := bytes.CutPrefix(raw, []byte("---\n")); ok {
		matter, body, found := bytes.Cut(rest, []byte("\n---\n"))
		var fm frontMatter
		if err := yaml.Unmarshal(matter, &fm); err != nil || !found {
			t.Fatalf("%s: front matter: %v", p.path, err)
		}
		p.title, p.description, p.tags = fm.Title, fm.Description, fm.Tags
		if fm.Depth != nil {
			p.depth = *fm.Depth
		}
		raw = body
	}
	var out bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert(raw, &out); err != nil {
		t.Fatalf("%s: %v", p.path, err)
	}
	return out.Bytes()
}

func (p *page) readHead(t *testing.T) {
	t.Helper()
	for _, n := range p.all("html", "title", "meta") {
		switch {
		case n.Data == "html":
			p.language = attr(n, "lang")
		case n.Data == "title":
			p.title = textOf(n)
		case attr(n, "name") == "description":
			p.description = attr(n, "content")
		case attr(n, "name") == "keywords":
			p.tags = strings.Split(attr(n, "content"), ",")
		case attr(n, "name") == "webrag:depth":
			depth, err := strconv.Atoi(attr(n, "content"))
			if err != nil {
				t.Errorf("%s: depth: %v", p.path, err)
			}
			p.depth = depth
		}
	}
}

// all returns the page's elements with one of the names, in document order.
func (p *page) all(names ...string) []*html.Node { return below(p.root, names...) }

func below(n *html.Node, names ...string) []*html.Node {
	var found []*html.Node
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && slices.Contains(names, d.Data) {
			found = append(found, d)
		}
	}
	return found
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// textOf is the text below n with white space collapsed.
func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// text is the visible text of the page.
func (p *page) text() string { return textOf(p.body()) }

func (p *page) body() *html.Node {
	for _, name := range []string{"main", "body"} {
		if n := p.all(name); len(n) > 0 {
			return n[0]
		}
	}
	return p.root
}

// section is the text under one heading of the first or second level.
type section struct{ heading, text string }

func (p *page) sections() []section {
	list := []section{{}}
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		if n.Type == html.ElementNode && (n.Data == "h1" || n.Data == "h2") {
			list = append(list, section{heading: textOf(n)})
		}
		if n.Type == html.TextNode {
			list[len(list)-1].text += n.Data
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			visit(c)
		}
	}
	visit(p.body())
	for i := range list {
		list[i].text = strings.Join(strings.Fields(list[i].text), " ")
	}
	return slices.DeleteFunc(list, func(s section) bool { return s.text == "" })
}

// table is the page's table with this header, without the header.
func (p *page) table(t *testing.T, header ...string) [][]string {
	t.Helper()
	for _, n := range p.all("table") {
		var rows [][]string
		for _, tr := range below(n, "tr") {
			var row []string
			for _, cell := range below(tr, "td", "th") {
				row = append(row, textOf(cell))
			}
			rows = append(rows, row)
		}
		if len(rows) > 1 && slices.Equal(rows[0], header) {
			return rows[1:]
		}
	}
	t.Fatalf("%s has no table with the header %q", p.path, header)
	return nil
}

var notInSlugs = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// slug is the anchor that a heading without one gets from its words.
func slug(heading string) string {
	heading = notInSlugs.ReplaceAllString(strings.Map(unicode.ToLower, heading), "")
	return strings.ReplaceAll(heading, " ", "-")
}
