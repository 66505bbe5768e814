package convert

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Head is what a page says about itself in its head element.
type Head struct {
	Title, Description, Language string
	// Canonical and Base are as written, possibly relative.
	Canonical, Base string
	// PublishedTime and ModifiedTime are the page's own words.
	PublishedTime, ModifiedTime string
	// Meta holds the content of all meta elements by lower-case name or
	// property; the first of equal names counts.
	Meta map[string]string
}

// maxMeta bounds the meta elements that are kept; pages have about twenty.
const maxMeta = 256

// ReadHead reads the head of a page without parsing the rest: it stops at the
// first element that belongs to the body.
func ReadHead(page string) Head {
	h := Head{Meta: map[string]string{}}
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			h.settle()
			return h
		case html.StartTagToken, html.SelfClosingTagToken:
			if !h.tag(z) {
				h.settle()
				return h
			}
		}
	}
}

// tag reads one tag and reports whether the head goes on.
func (h *Head) tag(z *html.Tokenizer) bool {
	name, more := z.TagName()
	a := atom.Lookup(name)
	attrs := map[string]string{}
	switch a {
	case atom.Html, atom.Meta, atom.Link, atom.Base:
		for more {
			var k, v []byte
			k, v, more = z.TagAttr()
			if _, ok := attrs[string(k)]; !ok {
				attrs[string(k)] = string(v)
			}
		}
	}
	switch a {
	case atom.Html:
		if h.Language == "" {
			h.Language = oneLine(attrs["lang"])
		}
	case atom.Title:
		if z.Next() == html.TextToken && h.Title == "" {
			h.Title = oneLine(string(z.Text()))
		}
	case atom.Base:
		if h.Base == "" {
			h.Base = strings.TrimSpace(attrs["href"])
		}
	case atom.Link:
		if h.Canonical == "" && strings.EqualFold(strings.TrimSpace(attrs["rel"]), "canonical") {
			h.Canonical = strings.TrimSpace(attrs["href"])
		}
	case atom.Meta:
		h.meta(attrs)
	case atom.Head, atom.Script, atom.Style, atom.Noscript, atom.Template, 0:
	default:
		return false
	}
	return true
}

func (h *Head) meta(attrs map[string]string) {
	name := attrs["name"]
	if name == "" {
		name = attrs["property"]
	}
	if name == "" {
		name = attrs["itemprop"]
	}
	if name == "" && strings.EqualFold(attrs["http-equiv"], "content-language") {
		name = "content-language"
	}
	name = strings.ToLower(strings.TrimSpace(name))
	if _, ok := h.Meta[name]; name == "" || ok || len(h.Meta) >= maxMeta {
		return
	}
	if v := oneLine(attrs["content"]); v != "" {
		h.Meta[name] = v
	}
}

// settle fills the fields that meta elements give.
func (h *Head) settle() {
	fill := func(field *string, names ...string) {
		for _, n := range names {
			if *field == "" {
				*field = h.Meta[n]
			}
		}
	}
	fill(&h.Title, "og:title", "twitter:title", "dc.title", "dcterms.title")
	fill(&h.Description, "description", "og:description", "twitter:description", "dc.description", "dcterms.description")
	fill(&h.Language, "content-language", "language", "dc.language", "dcterms.language", "og:locale")
	fill(&h.PublishedTime, "article:published_time", "datepublished", "dcterms.created", "dc.date.created",
		"dcterms.date", "dc.date", "pubdate", "date")
	fill(&h.ModifiedTime, "article:modified_time", "datemodified", "dcterms.modified", "dc.date.modified",
		"og:updated_time", "last-modified", "revised")
}

// oneLine collapses white space and removes what normalised text may not hold.
func oneLine(s string) string {
	return clean(strings.Join(strings.Fields(s), " "))
}
