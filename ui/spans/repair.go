package spans

import (
	"net/url"
	"path"
	"strings"

	"github.com/webrag/webrag-tui/offset"
	"github.com/yuin/goldmark/ast"
	astext "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// noLink is a target that glamour neither prints nor links.
const noLink = "#"

// repair changes what glamour would render badly or what could not be mapped.
// Only node kinds that glamour knows may be put into the tree: for others it
// prints a warning to stdout and then calls a nil renderer.
func (t *tree) repair(width int, narrow narrowTables) {
	t.nameAlerts()
	t.flatten(nestingFor(width))
	t.replaceHTML()
	t.replaceStrings()
	t.relinkAutoLinks()
	t.hideTargets()
	t.breakLines()
	for i, table := range nodes[*astext.Table](t.root) {
		t.table[table] = i
		if narrow[i] {
			t.replaceTable(table)
		}
	}
	t.separateParagraphs()
}

// replaceStrings makes text nodes of string nodes, a kind glamour registers but
// cannot render.
func (t *tree) replaceStrings() {
	for _, n := range nodes[*ast.String](t.root) {
		n.Parent().ReplaceChild(n.Parent(), n, t.fixed(offset.Line(string(n.Value))))
	}
}

// relinkAutoLinks makes ordinary links of bare URLs and addresses, whose text
// glamour takes from the URL and not from a node.
func (t *tree) relinkAutoLinks() {
	for _, n := range nodes[*ast.AutoLink](t.root) {
		// The label begins at the node's position or a bracket or blank later.
		label := string(n.Label([]byte(t.source)))
		from := max(n.Pos(), 0)
		at := strings.Index(t.source[from:], label)
		if at < 0 {
			continue
		}
		start := from + at
		kind := textKind{syntax: literalText}
		if !within[*ast.Image](n) {
			target := string(n.URL([]byte(t.source)))
			if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(target), "mailto:") {
				target = "mailto:" + target
			}
			kind.hyperlink = t.absolute(target)
		}
		link := ast.NewLink()
		link.Destination = []byte(noLink)
		link.AppendChild(link, t.sourced(start, start+len(label), kind))
		n.Parent().ReplaceChild(n.Parent(), n, link)
	}
}

// hideTargets leaves of links and images what is read: their addresses become
// hyperlinks of the terminal. glamour would print them behind the text or, in
// tables, number them and list them below, where equal links could not be told
// apart. What has no text shows its target.
func (t *tree) hideTargets() {
	// A link around an image is the outer of the two, so it comes second.
	for _, n := range nodes[*ast.Image](t.root) {
		if len(n.Text([]byte(t.source))) == 0 { //nolint:staticcheck // glamour renders what this returns
			n.AppendChild(n, t.fixed(offset.Line(path.Base(string(n.Destination)))))
		} else if target := imageTarget(string(n.Destination)); target != "" && !within[*ast.Link](n) {
			n.AppendChild(n, t.fixed(" "+target))
		}
		t.link(n, n.Destination)
		n.Destination = nil
	}
	for _, n := range nodes[*ast.Link](t.root) {
		target := n.Destination
		n.Destination = []byte(noLink)
		if string(target) == noLink {
			continue
		}
		if n.ChildCount() == 0 {
			n.AppendChild(n, t.fixed(offset.Line(string(target))))
		}
		t.link(n, target)
	}
}

// imageTargetWidth is the most characters of an image's address that are shown.
const imageTargetWidth = 48

// imageTarget is the address of an image as it is shown behind its words: no
// terminal draws the image, and not every one says where a hyperlink leads. Data
// that stands for an address is left out.
func imageTarget(target string) string {
	if i := strings.IndexByte(target, ':'); i >= 0 && strings.EqualFold(target[:i], "data") {
		return ""
	}
	r := []rune(offset.Line(target))
	if over := len(r) - imageTargetWidth; over > 0 {
		r = append([]rune{'…'}, r[over+1:]...)
	}
	return string(r)
}

// link makes the text below n lead to a target as it is written.
func (t *tree) link(n ast.Node, target []byte) {
	address := t.absolute(string(util.URLEscape(target, true)))
	for _, txt := range nodes[*ast.Text](n) {
		k := t.texts[txt]
		k.hyperlink = address
		t.texts[txt] = k
	}
}

// breakLines makes soft breaks blanks and keeps hard ones. glamour has one
// switch for both.
func (t *tree) breakLines() {
	for _, n := range nodes[*ast.Text](t.root) {
		if !n.SoftLineBreak() && !n.HardLineBreak() {
			continue
		}
		s := " "
		if n.HardLineBreak() && !within[*ast.Image](n) {
			s = "\n"
		}
		n.SetSoftLineBreak(false)
		n.SetHardLineBreak(false)
		n.Parent().InsertAfter(n.Parent(), n, t.fixed(s))
	}
}

// separateParagraphs puts an empty line between the paragraphs of one list
// item, which glamour glues together without even a blank.
func (t *tree) separateParagraphs() {
	for _, n := range nodes[*ast.Paragraph](t.root) {
		if n.Parent().Kind() != ast.KindListItem {
			continue
		}
		switch n.PreviousSibling().(type) {
		case nil:
		case *ast.Paragraph, *ast.TextBlock:
			n.InsertBefore(n, n.FirstChild(), t.fixed("\n\n"))
		default:
			n.InsertBefore(n, n.FirstChild(), t.fixed("\n"))
		}
	}
}

// absolute returns the address that a target leads to, empty if that is none of
// the web and the mail: the terminal opens what it is given.
func (t *tree) absolute(target string) string {
	u, err := url.Parse(target)
	if err != nil {
		return ""
	}
	if !u.IsAbs() {
		if t.base == nil {
			return ""
		}
		u = t.base.ResolveReference(u)
	}
	if !isWeb(u) && u.Scheme != "mailto" {
		return ""
	}
	return u.String()
}

func isWeb(u *url.URL) bool { return (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" }

// baseURL reads the address of a page, nil if nothing can be resolved against it.
func baseURL(page string) *url.URL {
	if u, err := url.Parse(page); err == nil && isWeb(u) {
		return u
	}
	return nil
}

// hyperlink returns the sequences that open and close a link to an address,
// nothing for an empty one. It is spelled so that the search for parameters
// does not change it and, where it is decoded, neither does glamour's second
// reading of entities and escapes.
func hyperlink(address string, decoded bool) (open, shut string) {
	if address == "" {
		return "", ""
	}
	s := strings.NewReplacer(";", "%3B", `\`, "%5C").Replace(offset.Address(address))
	if decoded {
		s = strings.ReplaceAll(s, "&", "&amp;")
	}
	return "\x1b]8;;" + s + "\x07", closeLink
}

const closeLink = "\x1b]8;;\x07"
