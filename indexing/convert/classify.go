package convert

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Elements are asked for the same attributes many times, above all those that
// hold many others. These bounds keep a page from making each question costly.
const (
	maxAttributes = 64      // attributes of an element that are looked at
	maxTokens     = 2 << 10 // bytes of an attribute that are read as words
	maxLook       = 1 << 10 // nodes in an element that are looked at for its kind
	maxFormula    = 32 << 10
)

// attr returns the value of an attribute, empty when there is none.
func attr(n *html.Node, key string) string {
	for i := range min(len(n.Attr), maxAttributes) {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val
		}
	}
	return ""
}

// eachToken calls f with the words of an attribute value until f returns false.
func eachToken(value string, f func(token string) bool) {
	value = value[:min(len(value), maxTokens)]
	for value != "" {
		i := 0
		for i < len(value) && isSpace(value[i]) {
			i++
		}
		j := i
		for j < len(value) && !isSpace(value[j]) {
			j++
		}
		if j > i && !f(value[i:j]) {
			return
		}
		value = value[j:]
	}
}

// hasClass reports whether n has one of the classes.
func hasClass(n *html.Node, classes ...string) bool {
	found := false
	eachToken(attr(n, "class"), func(token string) bool {
		for _, c := range classes {
			if token == c {
				found = true
				return false
			}
		}
		return true
	})
	return found
}

// isSpace reports the white space of HTML. A no-break space is none.
func isSpace(b byte) bool {
	switch b {
	case ' ', '\t', '\n', '\r', '\f':
		return true
	}
	return false
}

func isBlank(s string) bool {
	for i := range len(s) {
		if !isSpace(s[i]) {
			return false
		}
	}
	return true
}

// isBlock reports whether an element starts on a line of its own.
func isBlock(n *html.Node) bool {
	if n.Type != html.ElementNode || n.Namespace != "" {
		return false
	}
	switch n.DataAtom {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Caption,
		atom.Center, atom.Dd, atom.Details, atom.Dialog, atom.Dir, atom.Div, atom.Dl, atom.Dt,
		atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.Frameset,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr,
		atom.Html, atom.Legend, atom.Li, atom.Listing, atom.Main, atom.Menu, atom.Nav, atom.Ol,
		atom.P, atom.Plaintext, atom.Pre, atom.Search, atom.Section, atom.Summary, atom.Table,
		atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr, atom.Ul, atom.Xmp:
		return true
	}
	return false
}

// headingLevel is 1 to 6, or 0 for anything else.
func headingLevel(n *html.Node) int {
	switch n.DataAtom {
	case atom.H1:
		return 1
	case atom.H2:
		return 2
	case atom.H3:
		return 3
	case atom.H4:
		return 4
	case atom.H5:
		return 5
	case atom.H6:
		return 6
	}
	return 0
}

// isDropped reports whether an element is no content: scripts, controls, and
// what is on the page to move around in it.
func isDropped(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script:
		return !strings.HasPrefix(attr(n, "type"), "math/tex")
	case atom.Nav, atom.Footer, atom.Button, atom.Svg, atom.Style, atom.Template, atom.Noscript,
		atom.Head, atom.Link, atom.Meta, atom.Title, atom.Base, atom.Iframe, atom.Frame, atom.Object,
		atom.Embed, atom.Applet, atom.Audio, atom.Video, atom.Canvas, atom.Map, atom.Input,
		atom.Select, atom.Textarea, atom.Datalist, atom.Progress, atom.Meter, atom.Noframes, atom.Noembed:
		return true
	case atom.Form:
		return !holdsHeading(n)
	case 0:
		if strings.HasPrefix(n.Data, "mjx-") {
			return n.Data != "mjx-container" && n.Data != "mjx-assistive-mml"
		}
	}
	for i := range min(len(n.Attr), maxAttributes) {
		a := &n.Attr[i]
		switch a.Key {
		case "class":
			if classDropped(n, a.Val) {
				return true
			}
		case "id":
			switch a.Val {
			case "siteSub", "contentSub", "jump-to-nav", "catlinks", "p-lang-btn", "toc", "mw-navigation":
				return true
			}
		case "role":
			switch a.Val {
			case "navigation", "contentinfo", "search", "banner":
				return true
			}
		case "hidden":
			return true
		}
	}
	return false
}

func classDropped(n *html.Node, value string) bool {
	dropped, contents, local := false, false, false
	eachToken(value, func(token string) bool {
		switch token {
		case "related", "sphinxsidebar", "navheader", "navfooter", "toc", "noprint", "linenos", "boring",
			"viewcode-link", "toctree-expand", "clearer", "skip-link",
			"mw-editsection", "navbox", "navbox-styles", "mw-jump-link", "printfooter", "catlinks",
			"mw-indicators", "vector-dropdown", "vector-page-toolbar", "mw-empty-elt":
			dropped = true
		case "contents":
			contents = true
		case "local", "topic":
			local = true
		}
		return !dropped
	})
	// The table of contents that docutils writes into a page.
	return dropped || contents && local && n.DataAtom == atom.Div
}

// holdsHeading reports whether a form is the page itself, as some servers wrap
// it, and not a search box.
func holdsHeading(n *html.Node) bool {
	for d := range n.Descendants() {
		if headingLevel(d) > 0 {
			return true
		}
	}
	return false
}

// isPermalink reports a link that a generator put beside a heading or term so
// that readers can copy its address.
func isPermalink(n *html.Node) bool {
	if n.DataAtom != atom.A {
		return false
	}
	named := false
	eachToken(attr(n, "class"), func(token string) bool {
		switch token {
		case "headerlink", "permalink", "hash-link", "anchorjs-link", "direct-link":
			named = true
		case "anchor", "mark":
			named = shortText(n)
		}
		return !named
	})
	if named {
		return true
	}
	if !strings.HasPrefix(attr(n, "href"), "#") || n.FirstChild == nil || n.FirstChild != n.LastChild ||
		n.FirstChild.Type != html.TextNode {
		return false
	}
	switch n.FirstChild.Data {
	case "¶", "#", "§", "🔗":
		return true
	case "Jump to navigation", "Jump to search", "Skip to content", "Skip to main content":
		return true
	}
	return false
}

// shortText reports whether the words of n are a sign and not a name: some pages
// give the link of a whole heading the same class.
func shortText(n *html.Node) bool {
	total := 0
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			total += len(strings.TrimSpace(d.Data))
		}
		if total > len("[§]") {
			return false
		}
	}
	return true
}

// isAdmonition reports whether n is a note, warning or the like.
func isAdmonition(n *html.Node) bool { return hasAdmonitionClass(n, IsAdmonitionClass) }

func hasAdmonitionClass(n *html.Node, is func(class string) bool) bool {
	switch n.DataAtom {
	case atom.Div, atom.Aside, atom.Section, atom.Blockquote, atom.P, atom.Details, atom.Table:
	default:
		return false
	}
	found := false
	eachToken(attr(n, "class"), func(token string) bool {
		found = is(token)
		return !found
	})
	return found
}

// IsAdmonitionClass reports whether a class, one word of a class attribute, marks
// what bears it as a note, warning or the like: it contains one of the words that
// the indexing specification lists, as bd-callout-warning does, or is one of some
// more. Names of other things that contain such a word do not count: footnote,
// infobox, information, tooltip and the like, and the title of an admonition.
func IsAdmonitionClass(token string) bool {
	if isAdmonitionName(token) {
		return true
	}
	if token = strings.ToLower(token); token == "admonition-title" {
		return false
	}
	for _, other := range otherThings {
		token = strings.ReplaceAll(token, other, "")
	}
	for _, word := range admonitionWords {
		if strings.Contains(token, word) {
			return true
		}
	}
	return false
}

// admonitionWords are the words of the specification.
var admonitionWords = []string{"admonition", "note", "warning", "tip", "important", "caution", "danger", "info"}

// otherThings are words that contain one of admonitionWords and mean something
// else. Their order matters where one is part of another.
var otherThings = []string{
	"footnote", "endnote", "noteref", "notebook", "infobox", "infographic", "information", "tooltip", "multiple",
}

// isAdmonitionName reports the classes that are known to name an admonition as a
// whole. The heading in one of these is its title and no section.
func isAdmonitionName(token string) bool {
	switch token {
	case "admonition", "note", "warning", "tip", "important", "caution", "danger", "info",
		"callout", "alert", "hint", "attention", "deprecated", "seealso", "theorem", "lemma", "corollary", "proposition":
		return true
	}
	return strings.HasPrefix(token, "admonition-") && token != "admonition-title" ||
		strings.HasPrefix(token, "alert-") || strings.HasPrefix(token, "callout-")
}

// isNotes reports a list of footnotes or references, which is no procedure and
// defines no terms.
func isNotes(n *html.Node) bool {
	if attr(n, "role") == "doc-endnotes" {
		return true
	}
	return hasClass(n, "footnote", "footnotes", "citation", "citations", "references", "reflist", "footnote-list")
}

// inAdmonition reports whether n is the title row of an admonition: its child,
// or its grandchild for generators that wrap the title.
func inAdmonition(n *html.Node) bool {
	for p, i := n.Parent, 0; p != nil && i < 2; p, i = p.Parent, i+1 {
		if hasAdmonitionClass(p, isAdmonitionName) {
			return firstElement(p) == n || p != n.Parent && firstElement(p) == n.Parent
		}
	}
	return false
}

func firstElement(n *html.Node) *html.Node {
	for ch := n.FirstChild; ch != nil; ch = ch.NextSibling {
		if ch.Type == html.ElementNode {
			return ch
		}
	}
	return nil
}
