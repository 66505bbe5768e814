package convert

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// plain writes the text of a page that cannot be parsed: paragraphs, without any
// structure and without a source map. It reads the page as a stream, so nesting
// is no matter.
func (c *converter) plain(page string) error {
	z := html.NewTokenizer(strings.NewReader(page))
	hidden := atom.Atom(0) // the element whose text is not shown
	for c.step() {
		switch z.Next() {
		case html.ErrorToken:
			c.paragraph("")
			return c.err
		case html.TextToken:
			if hidden == 0 {
				c.inl.text(clean(string(z.Text())))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			a := atom.Lookup(name)
			c.tagBreak(a)
			switch a {
			case atom.Script, atom.Style, atom.Title, atom.Noscript, atom.Textarea, atom.Iframe:
				hidden = a
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			a := atom.Lookup(name)
			c.tagBreak(a)
			if a == hidden {
				hidden = 0
			}
		}
	}
	return c.err
}

// tagBreak ends the paragraph at the tags of blocks.
func (c *converter) tagBreak(a atom.Atom) {
	switch {
	case a == atom.Br:
		c.inl.lineBreak()
	case a != 0 && isBlock(&html.Node{Type: html.ElementNode, DataAtom: a}):
		c.paragraph("")
	}
}
