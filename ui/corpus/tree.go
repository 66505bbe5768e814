package corpus

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/widget"
)

// pageTree are the pages that were read so far, and which page each of them was
// first reached from. What leads to a page is less deep, or as deep and above it
// in the address, so that there is no way round.
type pageTree struct {
	pages       []session.PageEntry // by depth and address, each once
	byID        map[string]int
	widget.Tree // of indexes into pages
	// linked is the first page of each depth that links to an address.
	linked map[linkTo]int
	// linksOf is how many of the pages, from the first on, have their links in.
	linksOf int
	// byLinks is how many pages hang where a link has them.
	byLinks int
}

// linkTo is a link from some page of a depth.
type linkTo struct {
	key   string
	depth int
}

// add takes a further block of pages. One that is there already, as when pages
// are written while they are being read, stays as it is.
func (t *pageTree) add(pages []session.PageEntry) {
	if t.byID == nil {
		t.byID, t.linked = map[string]int{}, map[linkTo]int{}
	}
	for _, p := range pages {
		if _, ok := t.byID[p.ID]; !ok {
			t.byID[p.ID] = len(t.pages)
			t.pages = append(t.pages, p)
		}
	}
	t.arrange()
}

// link takes the links of the pages that follow those with links.
func (t *pageTree) link(keys [][]string) {
	for _, of := range keys {
		if t.linksOf >= len(t.pages) {
			break
		}
		for _, key := range of {
			to := linkTo{key, t.pages[t.linksOf].Depth}
			if _, ok := t.linked[to]; !ok {
				t.linked[to] = t.linksOf
			}
		}
		t.linksOf++
	}
	t.arrange()
}

// deepest is the greatest depth of the pages that were read.
func (t *pageTree) deepest() int {
	if len(t.pages) == 0 {
		return 0
	}
	return t.pages[len(t.pages)-1].Depth
}

// linksWanted are the pages whose links are to be read next, at most n: those
// that have not been, as long as there are pages one step deeper.
func (t *pageTree) linksWanted(n int) []string {
	var ids []string
	for i := t.linksOf; i < len(t.pages) && len(ids) < n && t.pages[i].Depth < t.deepest(); i++ {
		ids = append(ids, t.pages[i].ID)
	}
	return ids
}

// arrange finds the parent of each page anew: the first page one step nearer
// that links to it, else the page above it in the address.
func (t *pageTree) arrange() {
	n := len(t.pages)
	stems, above := make([]string, n), make(map[string][]int, n)
	for i := range t.pages {
		stems[i] = stem(t.pages[i])
		above[stems[i]] = append(above[stems[i]], i)
	}
	parent := make([]int, n)
	t.byLinks = 0
	for i := range t.pages {
		at := t.linkedFrom(i)
		if at >= 0 {
			t.byLinks++
		} else {
			at = t.under(i, stems[i], above)
		}
		parent[i] = at
	}
	t.Hang(parent)
}

func (t *pageTree) linkedFrom(i int) int {
	first := -1
	for _, key := range t.pages[i].Keys {
		if at, ok := t.linked[linkTo{key, t.pages[i].Depth - 1}]; ok && (first < 0 || at < first) {
			first = at
		}
	}
	return first
}

// under is the page with the longest address above that of a page, which is not
// deeper than it.
func (t *pageTree) under(i int, stem string, above map[string][]int) int {
	for {
		cut := strings.LastIndexByte(stem, '/')
		if cut <= 0 || strings.HasSuffix(stem[:cut], "/") {
			return -1 // only the host is left
		}
		stem = stem[:cut]
		for _, at := range above[stem] {
			if t.pages[at].Depth <= t.pages[i].Depth {
				return at
			}
		}
	}
}

// pageExtensions are left out of addresses before they are compared as paths:
// "guide.html" stands above "guide/ranking.html".
var pageExtensions = [...]string{".html", ".htm", ".xhtml", ".md", ".markdown", ".mdx", ".rst", ".txt", ".pdf"}

// stem is the address of a page as a path. The index of a folder has that of the
// folder.
func stem(p session.PageEntry) string {
	if len(p.Keys) == 0 {
		return p.URL
	}
	s, _, _ := strings.Cut(p.Keys[0], "?")
	if ext := path.Ext(s); slices.Contains(pageExtensions[:], strings.ToLower(ext)) {
		s = strings.TrimSuffix(s, ext)
	}
	if cut := strings.LastIndexByte(s, '/'); cut > 0 && isIndex(s[cut+1:]) {
		s = s[:cut]
	}
	return s
}

// isIndex says that a page of this name, without its extension, is that of its folder.
func isIndex(name string) bool {
	switch strings.ToLower(name) {
	case "index", "readme", "_index":
		return true
	}
	return false
}

// pageOrder is what the table is sorted by.
type pageOrder int

const (
	orderTitle pageOrder = iota
	orderDepth
	orderTokens
	orderDate
	orderURL

	orderCount
)

func (o pageOrder) String() string {
	return [...]string{"title", "depth", "tokens", "date", "address"}[o]
}

// sorted lists the pages as a table: names from A on, numbers and dates from the
// lowest, or the other way round.
func (t *pageTree) sorted(by pageOrder, reversed bool, named func(*session.PageEntry) string) []widget.TreeRow {
	rows := make([]widget.TreeRow, len(t.pages))
	names := make([]string, len(t.pages))
	for i := range t.pages {
		rows[i].Node = i
		if by == orderTitle {
			names[i] = strings.ToLower(named(&t.pages[i]))
		}
	}
	slices.SortStableFunc(rows, func(x, y widget.TreeRow) int {
		a, b := &t.pages[x.Node], &t.pages[y.Node]
		var c int
		switch by {
		case orderTitle:
			c = strings.Compare(names[x.Node], names[y.Node])
		case orderDepth:
			c = cmp.Compare(a.Depth, b.Depth)
		case orderTokens:
			c = cmp.Compare(a.Tokens, b.Tokens)
		case orderDate:
			c = a.Fetched.Compare(b.Fetched)
		}
		if c == 0 {
			c = strings.Compare(a.URL, b.URL)
		}
		if reversed {
			c = -c
		}
		return c
	})
	return rows
}
