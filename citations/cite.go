package citations

import "strings"

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

// Links says how addresses are made.
type Links struct {
	// BaseURL begins the address of every document that has a path, such as
	// [TextbookBaseURL]. Empty, every page has its own address.
	BaseURL string
	// Slug makes the fragments; the zero value stands for SlugSpec.
	Slug Slug
}

// Cite makes the citation of a place. Its address is the page's own, a local file's
// too, with the anchor of the section or, where the page gives its headings none,
// the slug of the heading. With a base it is what BuildURL makes of the document's
// path, and so it is, relative to whatever base, of a document without an address.
func Cite(p Place, l Links) Citation {
	c := Citation{Title: p.Title, Section: p.Section, Module: p.Module, Chapter: p.Chapter}
	switch {
	case p.DocPath != "" && (l.BaseURL != "" || p.SourceURL == ""):
		c.URL = BuildURL(l.BaseURL, p.DocPath, p.Section, l.Slug)
	case p.Anchor == "" && !strings.Contains(p.SourceURL, "#"):
		c.URL = pageURL(p.SourceURL, l.Slug.Of(p.Section))
	default:
		c.URL = pageURL(p.SourceURL, p.Anchor)
	}
	return c
}
