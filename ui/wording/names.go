package wording

import (
	"cmp"
	"strings"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
)

// Names are what the pages and sections of one list are called, so that no two look alike.
type Names struct {
	suffixes session.TitleSuffixes
	// pages are the names of pages by address, apart those that have their address in it.
	pages map[string]string
	apart map[string]bool
	// sections are the names of those that would look alike otherwise, by id.
	sections map[string]string
}

// addressCells is how much is shown of an address that stands for a title.
const addressCells = 40

// NamesOf names the sections of a list and their pages, each as often as it likes. Pages are
// called by their titles, and where several have the same one also by that of their addresses
// in which they differ.
func NamesOf(items []*retrieval.Item, t session.TitleSuffixes) *Names {
	n := &Names{suffixes: t, pages: map[string]string{}, apart: map[string]bool{}, sections: map[string]string{}}
	alike := map[string][]string{} // the pages of each title
	for _, it := range items {
		if _, known := n.pages[it.SourceURL]; known || it.SourceURL == "" {
			continue
		}
		name := t.Strip(it.Title)
		if n.pages[it.SourceURL] = name; name == "" {
			n.pages[it.SourceURL] = ShortURL(it.SourceURL, addressCells)
			continue
		}
		alike[name] = append(alike[name], it.SourceURL)
	}
	for name, urls := range alike {
		if len(urls) < 2 {
			continue
		}
		shared := SharedFolder(urls)
		for _, url := range urls {
			n.pages[url], n.apart[url] = Apart(name, url[shared:]), true
		}
	}
	n.tellApart(items)
	return n
}

// rowLook is what is seen of a section's path, but for the words that only make it more
// distinct; page is empty where the path leaves it out.
type rowLook struct {
	page, own     string
	part, passage int
}

// tellApart finds the sections whose paths would look alike.
func (n *Names) tellApart(items []*retrieval.Item) {
	same := make(map[rowLook][]*retrieval.Item, len(items))
	seen := make(map[string]bool, len(items))
	for _, it := range items {
		if seen[it.ChunkID] {
			continue
		}
		seen[it.ChunkID] = true
		look := rowLook{n.Page(it.SourceURL, it.Title), unparted(it), it.Part, 0}
		if it.ParentID != "" {
			look.passage = it.ChunkIndex + 1
		}
		if strings.HasPrefix(look.page, look.own) && !n.apart[it.SourceURL] {
			look.page = ""
		}
		same[look] = append(same[look], it)
	}
	for _, alike := range same {
		if len(alike) < 2 {
			continue
		}
		whole := func(it *retrieval.Item) string { return wayTo(n.Page(it.SourceURL, it.Title), it, "") }
		for i, name := range distinct(alike, n.path, whole, func(it *retrieval.Item) string {
			return wayTo(n.Page(it.SourceURL, it.Title), it, headless(it))
		}, func(it *retrieval.Item) string {
			return wayTo(n.Page(it.SourceURL, it.Title), it, cmp.Or(quoted(it), headless(it)))
		}) {
			n.sections[alike[i].ChunkID] = name
		}
	}
}

// Page is what a page is called: its title, or its address where it has none.
func (n *Names) Page(url, title string) string {
	if name, ok := n.pages[url]; ok {
		return name
	}
	return cmp.Or(n.suffixes.Strip(title), ShortURL(url, addressCells))
}

// Of is what a section is called, after its page.
func (n *Names) Of(it *retrieval.Item) string {
	if name, ok := n.sections[it.ChunkID]; ok {
		return name
	}
	return n.path(it)
}

func (n *Names) path(it *retrieval.Item) string {
	page := n.Page(it.SourceURL, it.Title)
	if n.apart[it.SourceURL] && strings.HasPrefix(page, unparted(it)) { // it says more than the heading
		return wayTo(page, it, opening(it))
	}
	return Path(page, it)
}

// wayTo is the whole way to a section from a page that is called so, and at its end what tells
// the section from others, if anything does. A page that begins as the first heading does
// stands for it.
func wayTo(page string, it *retrieval.Item, end string) string {
	way := []string{page}
	headings := lines(it.HeadingPath)
	if len(headings) == 0 {
		headings = lines([]string{it.SectionHeading})
	}
	for i, h := range headings {
		if i > 0 || !strings.HasPrefix(page, h) {
			way = append(way, h)
		}
	}
	return strings.Join(lines(append(way, end)), TrailSign) + part(it)
}

// Headless is a section that has no heading of its own, as the beginning of a page.
const Headless = "(without heading)"

// headless is [Headless] for such a section, else empty.
func headless(it *retrieval.Item) string {
	if n := len(it.HeadingPath); n > 0 && Line(it.HeadingPath[n-1]) != "" || Line(it.SectionHeading) != "" {
		return ""
	}
	return Headless
}

// distinct calls things by the first of their names by which no two look alike, else by the
// last.
func distinct[T any](all []T, names ...func(T) string) []string {
	called, same := make([]string, len(all)), make(map[string][]int, len(all))
	for i, one := range all {
		called[i] = names[0](one)
		same[called[i]] = append(same[called[i]], i)
	}
	if len(names) == 1 {
		return called
	}
	for _, alike := range same {
		if len(alike) < 2 {
			continue
		}
		some := make([]T, len(alike))
		for k, i := range alike {
			some[k] = all[i]
		}
		for k, name := range distinct(some, names[1:]...) {
			called[alike[k]] = name
		}
	}
	return called
}
