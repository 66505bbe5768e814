package convert

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/webrag/webrag-tui/store"
)

// flow writes the children of n: blocks one by one, and each run of inline
// siblings between them as a paragraph of its own.
func (c *converter) flow(n *html.Node) {
	c.flowFrom(n.FirstChild)
}

func (c *converter) flowFrom(ch *html.Node) {
	for ch != nil && c.step() {
		if isBlock(ch) {
			c.block(ch)
			ch = ch.NextSibling
			continue
		}
		z := runEnd(ch)
		c.run(ch, z)
		ch = z.NextSibling
	}
}

// runEnd is the last of the inline siblings from a on that belong to the same
// paragraph, which two line breaks in a row end.
func runEnd(a *html.Node) *html.Node {
	z, broke := a, a.DataAtom == atom.Br
	for {
		next := z.NextSibling
		if next == nil || isBlock(next) {
			return z
		}
		switch {
		case next.DataAtom == atom.Br:
			if broke {
				return next
			}
			broke = true
		case next.Type == html.TextNode && isBlank(next.Data):
		default:
			broke = false
		}
		z = next
	}
}

// run writes inline siblings as a paragraph.
func (c *converter) run(a, z *html.Node) {
	c.begin(kindRun, a, z, 0)
	for n := a; ; n = n.NextSibling {
		c.inline(n)
		if n == z {
			break
		}
	}
	c.paragraph("")
	c.end()
}

// paragraph writes what was collected, after a marker for headings, and returns
// the offset of its line, or -1 when there is nothing to write.
func (c *converter) paragraph(marker string) int {
	c.inl.finish()
	if len(c.buf) == 0 {
		c.inl.dropByteOrderMark()
	}
	if len(c.inl.buf) == 0 {
		c.inl.reset()
		return -1
	}
	at := c.line()
	c.buf = append(c.buf, marker...)
	mode := modeParagraph
	if marker != "" {
		mode = modeHeading
	}
	c.flush(mode)
	c.done()
	return at
}

func (c *converter) block(n *html.Node) {
	if id := attr(n, "id"); id != "" {
		c.ids = append(c.ids, id)
	}
	if isAdmonition(n) && n.DataAtom != atom.Table {
		c.begin(kindAdmonition, n, n, store.HasAdmonition)
		c.flow(n)
		c.end()
		return
	}
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		c.heading(n)
	case atom.P:
		c.text(n)
	case atom.Pre, atom.Listing, atom.Xmp, atom.Plaintext:
		c.code(n)
	case atom.Ul, atom.Menu, atom.Dir:
		c.list(n, kindUL)
	case atom.Ol:
		c.list(n, kindOL)
	case atom.Dl:
		c.definitions(n)
	case atom.Dt:
		c.term(n)
	case atom.Dd:
		c.within(n, kindDef, 0)
	case atom.Table:
		c.table(n)
	case atom.Blockquote:
		c.quote(n)
	case atom.Hr:
		c.rule(n)
	case atom.Summary, atom.Figcaption, atom.Caption, atom.Legend:
		c.titleLine(n, kindP)
	default:
		c.box(n)
	}
}

// within writes a container as a span.
func (c *converter) within(n *html.Node, k kind, flags store.Flags) {
	c.begin(k, n, n, flags)
	c.flow(n)
	c.end()
}

// box writes a container without a meaning of its own.
func (c *converter) box(n *html.Node) {
	if isMathBox(n) {
		c.mathBlock(n)
		return
	}
	if hasClass(n, "code-block-caption") {
		c.titleLine(n, kindP)
		return
	}
	notes := isNotes(n)
	if notes {
		c.notes++
	}
	c.within(n, kindBox, 0)
	if notes {
		c.notes--
	}
}

// text writes a paragraph element.
func (c *converter) text(n *html.Node) {
	switch {
	case hasClass(n, "admonition-title"):
		c.titleLine(n, kindP)
	case hasClass(n, "rubric"):
		// A heading that the author kept out of the table of contents.
		c.inl.open(markStrong, -1)
		c.collect(n)
		c.inl.close()
		c.begin(kindP, n, n, 0)
		if at := c.paragraph(""); at >= 0 {
			c.keepWithNext(at)
		}
		c.end()
	default:
		c.within(n, kindP, 0)
	}
}

// collect adds the children of n to the paragraph being collected.
func (c *converter) collect(n *html.Node) {
	for ch := n.FirstChild; ch != nil; ch = ch.NextSibling {
		c.inline(ch)
	}
}

// titleLine writes a line that belongs to what follows it.
func (c *converter) titleLine(n *html.Node, k kind) {
	c.begin(k, n, n, 0)
	c.collect(n)
	if at := c.paragraph(""); at >= 0 {
		c.keepWithNext(at)
	}
	c.end()
}

// heading writes a heading. Links in it become plain text, so that the heading's
// text is its line. In an admonition it is the title; in a list or quote, where
// it opens no section, a line in bold.
func (c *converter) heading(n *html.Node) {
	if inAdmonition(n) {
		c.titleLine(n, kindP)
		return
	}
	c.begin(kindHead, n, n, 0)
	defer c.end()
	outer := ""
	if len(c.ids) > 0 {
		outer = c.ids[len(c.ids)-1]
	}
	c.permalink = ""
	c.inl.plainLinks++
	nested := len(c.segs) > 0
	if nested {
		c.inl.open(markStrong, -1)
	}
	c.collect(n)
	if nested {
		c.inl.close()
	}
	c.inl.plainLinks--
	anchor := c.permalink
	switch {
	case anchor != "":
	case attr(n, "id") != "":
		anchor = attr(n, "id")
	case len(c.ids) > 0 && c.ids[len(c.ids)-1] != outer:
		anchor = c.ids[len(c.ids)-1]
	default:
		anchor = outer
	}
	marker := ""
	if !nested {
		marker = "######"[:headingLevel(n)] + " "
	}
	at := c.paragraph(marker)
	switch {
	case at < 0:
	case nested:
		c.keepWithNext(at)
	case anchor != "":
		c.anchors[at] = anchor
	}
}

// rule writes a thematic break, but none at the start of the page, where three
// dashes would open a front matter.
func (c *converter) rule(n *html.Node) {
	if len(c.buf) == 0 {
		return
	}
	c.begin(kindP, n, n, 0)
	c.line()
	c.buf = append(c.buf, "---"...)
	c.done()
	c.end()
}

// quote writes a block quotation.
func (c *converter) quote(n *html.Node) {
	c.begin(kindQuote, n, n, 0)
	tight := c.tight
	c.tight = false
	pushed := c.push("> ", "> ")
	c.flow(n)
	c.pop(pushed)
	c.tight = tight
	c.done()
	c.end()
}

// list writes an ordered or unordered list.
func (c *converter) list(n *html.Node, k kind) {
	flags := store.Flags(0)
	notes := isNotes(n)
	if k == kindOL && !notes && c.notes == 0 && holdsItems(n, 2) {
		flags = store.HasSteps
	}
	if notes {
		c.notes++
		defer func() { c.notes-- }()
	}
	c.begin(k, n, n, flags)
	tight := c.tight
	c.tight = isTight(n)
	number := firstNumber(n)
	for ch := n.FirstChild; ch != nil && c.step(); ch = ch.NextSibling {
		switch {
		case ch.DataAtom == atom.Li:
			marker := "- "
			if k == kindOL {
				marker = strconv.Itoa(number) + ". "
			}
			c.item(ch, marker, number)
			number++
		case isBlock(ch):
			// A list directly in a list belongs to the item before it.
			pushed := c.push("  ", "  ")
			c.block(ch)
			c.pop(pushed)
		case ch.Type == html.TextNode && isBlank(ch.Data):
		default:
			c.run(ch, ch)
		}
	}
	c.tight = tight
	c.done()
	c.end()
}

func (c *converter) item(n *html.Node, marker string, number int) {
	if id := attr(n, "id"); id != "" {
		c.ids = append(c.ids, id)
	}
	c.begin(kindItem, n, n, 0).number = number
	pushed := c.push(marker, strings.Repeat(" ", len(marker)))
	c.flow(n)
	c.pop(pushed)
	c.done()
	c.end()
}

// firstNumber is the number of an ordered list's first item, within what
// markdown allows.
func firstNumber(n *html.Node) int {
	v, err := strconv.Atoi(attr(n, "start"))
	if err != nil || v < 0 || v > 99_999_999 {
		return 1
	}
	return v
}

func holdsItems(n *html.Node, want int) bool {
	for ch := n.FirstChild; ch != nil; ch = ch.NextSibling {
		if ch.DataAtom == atom.Li {
			if want--; want == 0 {
				return true
			}
		}
	}
	return false
}

// isTight reports whether each item of a list is at most one paragraph followed
// by lists, so that no blank lines are needed.
func isTight(n *html.Node) bool {
	for li := n.FirstChild; li != nil; li = li.NextSibling {
		if li.DataAtom != atom.Li {
			if isBlock(li) && li.DataAtom != atom.Ul && li.DataAtom != atom.Ol {
				return false
			}
			continue
		}
		texts, lists, inRun := 0, 0, false
		for ch := li.FirstChild; ch != nil; ch = ch.NextSibling {
			switch {
			case ch.Type == html.TextNode && isBlank(ch.Data):
			case !isBlock(ch):
				if !inRun {
					texts++
				}
				if ch.DataAtom == atom.Br && ch.NextSibling != nil {
					texts++ // maybe two in a row; a blank line harms nobody
				}
				inRun = true
				if lists > 0 {
					return false
				}
			case ch.DataAtom == atom.Ul || ch.DataAtom == atom.Ol:
				if ch.DataAtom == atom.Ol && firstNumber(ch) != 1 {
					return false // only a list that begins with 1 may follow a line directly
				}
				lists++
				inRun = false
			case ch.DataAtom == atom.P && lists == 0:
				texts++
				inRun = false
			default:
				return false
			}
			if texts > 1 {
				return false
			}
		}
	}
	return true
}

// definitions writes a definition list: each term a paragraph, followed by its
// definition, at the indentation of the list itself.
func (c *converter) definitions(n *html.Node) {
	flags := store.HasDefinitionList
	notes := isNotes(n)
	if notes || c.notes > 0 {
		flags = 0
	}
	if notes {
		c.notes++
		defer func() { c.notes-- }()
	}
	tight := c.tight
	c.tight = false
	c.within(n, kindDL, flags)
	c.tight = tight
	c.done()
}

// term writes a dt.
func (c *converter) term(n *html.Node) {
	c.begin(kindTerm, n, n, 0)
	defer c.end()
	c.permalink = ""
	var at int
	switch {
	case isSignature(n):
		c.inl.plainLinks++
		c.codeSpan(n)
		c.inl.plainLinks--
		at = c.paragraph("")
	case holdsBlock(n):
		c.flow(n)
		return
	default:
		c.collect(n)
		at = c.paragraph("")
	}
	if at >= 0 {
		c.keepWithNext(at)
	}
}

func holdsBlock(n *html.Node) bool {
	for ch := n.FirstChild; ch != nil; ch = ch.NextSibling {
		if isBlock(ch) {
			return true
		}
	}
	return false
}

// isSignature reports the declaration of a function, class or option: program
// text, in which markup for emphasis would only hide the names.
func isSignature(n *html.Node) bool {
	if hasClass(n, "sig", "sig-object") {
		return true
	}
	first := firstElement(n)
	return first != nil && hasClass(first, "descname", "descclassname", "sig-name", "sig-prename")
}
