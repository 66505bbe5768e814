package convert

import (
	"errors"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

var errNoBody = errors.New("the page has no body")

// page converts a parsed page.
func (c *converter) page(doc *html.Node) error {
	root, body := contentRoot(doc)
	if root == nil {
		return errNoBody
	}
	c.prune(root)
	if title := pageTitle(root); title != nil {
		c.prune(title)
		c.block(title)
	}
	c.flow(root)
	if c.err == nil && len(c.buf) == 0 && root != body && body != nil && !isMain(root) {
		// An id that is usual for content held something else. A main part that
		// is empty means an empty page: around it there is only navigation.
		c.prune(body)
		c.flow(body)
	}
	return c.err
}

// isMain reports the landmark of a page's content.
func isMain(n *html.Node) bool { return n.DataAtom == atom.Main || attr(n, "role") == "main" }

// pageTitle returns the heading that MediaWiki puts beside its content instead
// of into it.
func pageTitle(root *html.Node) *html.Node {
	if attr(root, "id") != "mw-content-text" {
		return nil
	}
	for p, i := root, 0; p != nil && i < 3; p, i = p.Parent, i+1 {
		for s := p.PrevSibling; s != nil; s = s.PrevSibling {
			if s.DataAtom == atom.H1 {
				return s
			}
		}
	}
	return nil
}

// contentRoot finds the part of a page that is its content: by the landmarks of
// HTML, then by the ids of common generators, then a lone article, then body.
func contentRoot(doc *html.Node) (root, body *html.Node) {
	var main, article, content *html.Node
	articles := 0
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.DataAtom {
		case atom.Body:
			body = n
		case atom.Main:
			return n, firstNonNil(body, n)
		case atom.Article:
			articles++
			if article == nil {
				article = n
			}
		}
		for i := range n.Attr {
			switch a := &n.Attr[i]; a.Key {
			case "role":
				if a.Val == "main" && n.DataAtom != atom.Body {
					return n, firstNonNil(body, n)
				}
			case "id":
				switch a.Val {
				case "mw-content-text", "page-content", "apicontent":
					if main == nil {
						main = n
					}
				case "content":
					if content == nil {
						content = n
					}
				}
			}
		}
	}
	if articles != 1 {
		// Several articles are the entries of a list; one alone is not the page.
		article = nil
	}
	return firstNonNil(main, article, content, body), body
}

func firstNonNil(nodes ...*html.Node) *html.Node {
	for _, n := range nodes {
		if n != nil {
			return n
		}
	}
	return nil
}

// prune removes from the tree what is no content, so that neither the markdown
// nor the rendered HTML ever sees it, and reports whether n holds a block. An
// inline element that does is made a div: its blocks end the lines around them.
func (c *converter) prune(n *html.Node) bool {
	blocks := false
	for ch := n.FirstChild; ch != nil; {
		next := ch.NextSibling
		switch ch.Type {
		case html.TextNode:
		case html.ElementNode:
			if !c.step() {
				return blocks
			}
			typeset := isTypeset(ch)
			if isDropped(ch) || isFallbackImage(ch) || typeset && isDrawnTwice(ch) {
				n.RemoveChild(ch)
				break
			}
			if typeset {
				undraw(ch)
			}
			if ch.Namespace != "" {
				break
			}
			holds := c.prune(ch)
			if isBlock(ch) {
				blocks = true
			} else if holds {
				ch.DataAtom = atom.Div
				blocks = true
			}
		default:
			n.RemoveChild(ch)
		}
		ch = next
	}
	return blocks
}

// isFallbackImage reports the picture of a formula that stands beside the
// formula itself.
func isFallbackImage(n *html.Node) bool {
	if n.DataAtom != atom.Img || n.PrevSibling == nil {
		return false
	}
	return hasClass(n, "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display") &&
		mathElement(n.PrevSibling) != nil
}
