package citations

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

// Links says how addresses are made of document paths. The zero value stands for
// DefaultBaseURL and SlugSpec.
type Links struct {
	BaseURL string
	Slug    Slug
}

// Cite makes the citation of a place. A document with a path gets the address
// that BuildURL makes of it, any other the page's own, with the section's anchor.
func Cite(p Place, l Links) Citation {
	c := Citation{Title: p.Title, Section: p.Section, Module: p.Module, Chapter: p.Chapter}
	if p.DocPath == "" {
		c.URL = pageURL(p.SourceURL, p.Anchor)
		return c
	}
	base := l.BaseURL
	if base == "" {
		base = DefaultBaseURL
	}
	c.URL = BuildURL(base, p.DocPath, p.Section, l.Slug)
	return c
}
