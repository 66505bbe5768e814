package surface

import (
	"regexp"
	"slices"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"
)

// dropNoise removes what belongs to a page but not to its text.
func dropNoise(doc *html.Node) {
	walk(doc, func(n *html.Node) bool {
		switch {
		case isElement(n, "script", "style", "button", "template", "svg", "select", "textarea"),
			hasClass(n, "headerlink", "linenos", "mw-editsection", "boring"),
			isElement(n, "a") && slices.Contains([]string{"¶", "#", "§"}, strings.TrimSpace(rawText(n))):
			remove(n)
			return false
		case isElement(n, "var"):
			rename(n, "em") // the converter takes it for code
		}
		return true
	})
}

// languageClass finds the language in a class name of a code block or of one of
// the elements around it.
var languageClass = regexp.MustCompile(`^(?:language|lang|highlight|brush:)-?([a-z][a-z0-9+#_.-]*)$`)

// shownLanguages are the names that colour schemes know, for names that
// generators of documentation use. An empty one means that the language is
// unknown.
var shownLanguages = map[string]string{
	"python3": "python", "pycon": "python", "pycon3": "python", "ipython3": "python", "ipython": "python",
	"default": "", "none": "", "text": "", "plain": "", "source": "", "output": "", "notranslate": "",
}

// nameLanguages puts the language of each code block where the converter looks
// for it, since many pages give it to an element further out.
func nameLanguages(doc *html.Node) {
	for _, pre := range elements(doc, "pre") {
		language := languageOf(pre)
		for _, n := range append(elements(pre, "code"), pre) {
			dropAttr(n, "class")
		}
		if language != "" {
			setAttr(pre, "class", "language-"+language)
		}
	}
}

func languageOf(pre *html.Node) string {
	candidates := append(elements(pre, "code"), pre)
	for p, up := pre.Parent, 0; p != nil && up < 3; p, up = p.Parent, up+1 {
		candidates = append(candidates, p)
	}
	for _, n := range candidates {
		names := classes(n)
		for _, key := range []string{"data-lang", "data-language"} {
			if v := strings.ToLower(strings.TrimSpace(attr(n, key))); v != "" {
				names = append(names, "language-"+v)
			}
		}
		for _, name := range names {
			m := languageClass.FindStringSubmatch(name)
			if m == nil {
				continue
			}
			if shown, ok := shownLanguages[m[1]]; ok {
				return shown
			}
			return m[1]
		}
	}
	return ""
}

// admonitionNames are class names that make a box with a title of an element.
var admonitionNames = []string{
	"note", "warning", "tip", "important", "caution", "danger", "hint", "attention", "error", "seealso", "todo", "example",
	"theorem", "lemma", "proof", "definition", "corollary", "remark", "proposition",
}

// admonitionKind is the name of the box that an element is, empty for none.
func admonitionKind(n *html.Node) string {
	if !isElement(n, "div", "section", "aside", "details") {
		return ""
	}
	kind := ""
	for _, c := range classes(n) {
		switch {
		case slices.Contains(admonitionNames, c):
			return c
		case c == "admonition" || c == "callout" || c == "alert":
			kind = "note"
		}
		for _, prefix := range []string{"admonition-", "alert-", "callout-"} {
			if name, ok := strings.CutPrefix(c, prefix); ok && name != "" && name != "title" {
				return name
			}
		}
	}
	return kind
}

// quoteAdmonitions makes a quotation with a bold title of each note, warning
// and theorem.
func quoteAdmonitions(doc *html.Node) {
	var boxes []*html.Node
	walk(doc, func(n *html.Node) bool {
		if admonitionKind(n) != "" {
			boxes = append(boxes, n)
		}
		return true
	})
	for _, box := range boxes {
		kind := admonitionKind(box)
		title := takeTitle(box, kind)
		rename(box, "blockquote")
		box.InsertBefore(element("p", element("strong", textNode(title))), box.FirstChild)
	}
}

// takeTitle removes a box's own title and returns it; without one it is the
// name of the box.
func takeTitle(box *html.Node, kind string) string {
	for c := box.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
				break
			}
			continue
		}
		text := plainText(c)
		named := hasClass(c, "admonition-title", "title", "callout-title", "alert-heading") ||
			isElement(c, "h1", "h2", "h3", "h4", "h5", "h6", "summary") || strings.EqualFold(text, kind)
		if named && text != "" {
			remove(c)
			return text
		}
		break
	}
	return strings.ToUpper(kind[:1]) + kind[1:]
}

// titleDetails opens what a page folds away: a terminal has no fold for it.
func titleDetails(doc *html.Node) {
	for _, n := range elements(doc, "summary") {
		rename(n, "p")
		if !holdsBlock(n) {
			wrapChildren(n, "strong")
		}
	}
	for _, n := range elements(doc, "details") {
		rename(n, "div")
	}
}

// holdsBlock reports whether a block stands below n, n itself not counted.
func holdsBlock(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if len(elements(c, blockNames...)) > 0 {
			return true
		}
	}
	return false
}

// captionFigures makes paragraphs of a figure's caption, in italics.
func captionFigures(doc *html.Node) {
	for _, n := range elements(doc, "figcaption") {
		rename(n, "p")
		if !holdsBlock(n) && plainText(n) != "" {
			wrapChildren(n, "em")
		}
	}
}

// cutLinks keeps the text of links that lead nowhere from a terminal: those
// within the page, and those that run something.
func cutLinks(doc *html.Node) {
	for _, a := range elements(doc, "a", "img") {
		dropAttr(a, "title") // never drawn, and longer than the text
	}
	for _, a := range elements(doc, "a") {
		href := strings.ToLower(strings.TrimSpace(attr(a, "href")))
		scheme, _, hasScheme := strings.Cut(href, ":")
		runs := hasScheme && slices.Contains([]string{"javascript", "data", "vbscript"}, scheme)
		if href == "" || strings.HasPrefix(href, "#") || runs {
			unwrap(a)
		}
	}
}

// renderQuote writes a quotation. The converter's own leaves the lines of code
// blocks, and so the rest of the section, outside of it.
func renderQuote(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	body := renderedChildren(ctx, n)
	if len(body) == 0 {
		return converter.RenderSuccess
	}
	write(w, "\n\n")
	for i, line := range bodyLines(body, "> ") {
		if i > 0 {
			write(w, "\n")
		}
		write(w, ">")
		if len(line) > 0 {
			write(w, " ", string(line))
		}
	}
	write(w, "\n\n")
	return converter.RenderSuccess
}
