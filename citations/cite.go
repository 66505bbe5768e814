package citations

import (
	"cmp"
	"strings"
)

// Place names the section that an excerpt comes from, as far as it is known.
type Place struct {
	// Title is the page's, Section the nearest heading above.
	Title, Section string
	// DocPath is the file's path below the folder that was indexed; it is empty
	// for a web page.
	DocPath string
	// SourceURL is the page's address, Anchor the section's fragment in it,
	// without "#".
	SourceURL, Anchor string
	// Module and Chapter are what the document's metadata says, if it does.
	Module, Chapter string
}

// Citation attributes an excerpt: what to show, and where a click leads.
type Citation struct {
	Title   string `json:"title"`
	Section string `json:"section"`
	URL     string `json:"url"`
	Module  string `json:"module"`
	Chapter string `json:"chapter"`
}

// Links says how addresses are made of document paths.
type Links struct {
	// BaseURL begins the address of every document that has a path. Empty, a
	// page of the web keeps its own address, and DefaultBaseURL begins those of
	// the others.
	BaseURL string
	// Slug makes the fragments; the zero value stands for SlugSpec.
	Slug Slug
}

// Cite makes the citation of a place. Its address is the page's own with the
// section's anchor, or what BuildURL makes of the document's path: where the
// page has no address that a browser could open, or where a base was chosen.
func Cite(p Place, l Links) Citation {
	c := Citation{Title: p.Title, Section: p.Section, Module: p.Module, Chapter: p.Chapter}
	if p.DocPath == "" || l.BaseURL == "" && isWeb(p.SourceURL) {
		c.URL = pageURL(p.SourceURL, p.Anchor)
	} else {
		c.URL = BuildURL(cmp.Or(l.BaseURL, DefaultBaseURL), p.DocPath, p.Section, l.Slug)
	}
	return c
}

// address is that of a citation, but of a local file without a chosen base its
// own: nobody has put it below DefaultBaseURL.
func (l Links) address(p Place) string {
	if l.BaseURL == "" && p.SourceURL != "" {
		return pageURL(p.SourceURL, p.Anchor)
	}
	return Cite(p, l).URL
}

// isWeb says that an address is one of the web: the others name a file or a text
// on the machine that indexed it.
func isWeb(address string) bool {
	scheme, rest, _ := strings.Cut(address, "://")
	return rest != "" && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http"))
}
