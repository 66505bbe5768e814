package surface

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// walk visits the elements below n in document order, n included. A visitor
// may change, move or remove the element that it was given and what is below;
// it returns false to keep out of the element.
func walk(n *html.Node, visit func(*html.Node) bool) {
	if n.Type == html.ElementNode && !visit(n) {
		return
	}
	for c := n.FirstChild; c != nil; {
		// The visitor may take c out of the tree, and its place with it.
		next := c.NextSibling
		walk(c, visit)
		c = next
	}
}

// elements returns the elements below n with one of the names, in document
// order. It is a snapshot: the tree may be changed while it is read.
func elements(n *html.Node, names ...string) []*html.Node {
	var found []*html.Node
	walk(n, func(e *html.Node) bool {
		if slices.Contains(names, e.Data) {
			found = append(found, e)
		}
		return true
	})
	return found
}

func isElement(n *html.Node, names ...string) bool {
	return n != nil && n.Type == html.ElementNode && slices.Contains(names, n.Data)
}

// within reports whether n stands inside an element with one of the names.
func within(n *html.Node, names ...string) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if isElement(p, names...) {
			return true
		}
	}
	return false
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Namespace == "" && a.Key == key {
			return a.Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}

func setAttr(n *html.Node, key, val string) {
	dropAttr(n, key)
	n.Attr = append(n.Attr, html.Attribute{Key: key, Val: val})
}

func dropAttr(n *html.Node, key string) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}

// classes are the tokens of an element's class attribute, in lower case.
func classes(n *html.Node) []string { return strings.Fields(strings.ToLower(attr(n, "class"))) }

func hasClass(n *html.Node, names ...string) bool {
	return slices.ContainsFunc(classes(n), func(c string) bool { return slices.Contains(names, c) })
}

// rawText is the text below n as it stands.
func rawText(n *html.Node) string {
	var b strings.Builder
	var collect func(*html.Node)
	collect = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			collect(c)
		}
	}
	collect(n)
	return b.String()
}

// plainText is the text below n on one line.
func plainText(n *html.Node) string { return strings.Join(strings.Fields(rawText(n)), " ") }

func element(name string, children ...*html.Node) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: name}
	for _, c := range children {
		n.AppendChild(c)
	}
	return n
}

func textNode(s string) *html.Node { return &html.Node{Type: html.TextNode, Data: s} }

func remove(n *html.Node) {
	if n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
}

func replace(old, with *html.Node) {
	if old.Parent != nil {
		old.Parent.InsertBefore(with, old)
		old.Parent.RemoveChild(old)
	}
}

// unwrap puts the children of n in its place.
func unwrap(n *html.Node) {
	if n.Parent == nil {
		return
	}
	for n.FirstChild != nil {
		c := n.FirstChild
		n.RemoveChild(c)
		n.Parent.InsertBefore(c, n)
	}
	n.Parent.RemoveChild(n)
}

// rename makes another element of n, without its attributes.
func rename(n *html.Node, name string) {
	n.Data, n.DataAtom, n.Namespace, n.Attr = name, 0, "", nil
}

// wrapChildren puts all children of n into one new element.
func wrapChildren(n *html.Node, name string) {
	inner := element(name)
	for n.FirstChild != nil {
		c := n.FirstChild
		n.RemoveChild(c)
		inner.AppendChild(c)
	}
	n.AppendChild(inner)
}

// blockNames are the elements that begin a line of their own.
var blockNames = []string{
	"address", "article", "aside", "blockquote", "details", "dd", "div", "dl", "dt", "figcaption", "figure", "footer",
	"h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table", "ul",
}
