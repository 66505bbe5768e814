package spans

import (
	"net/url"
	"path"
	"strings"

	"github.com/webrag/webrag-tui/offset"
	"github.com/yuin/goldmark/ast"
	astext "github.com/yuin/goldmark/extension/ast"
)

// noLink is a target that glamour neither prints nor links.
const noLink = "#"

// repair changes what glamour would render badly or what could not be mapped.
// Only node kinds that glamour knows may be put into the tree: for others it
// prints a warning to stdout and then calls a nil renderer.
func (t *tree) repair(width int, narrow narrowTables) {
	t.flatten(nestingFor(width))
	t.replaceHTML()
	t.replaceStrings()
	t.relinkAutoLinks()
	t.shortenTableLinks()
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
			kind.hyperlink = string(n.URL([]byte(t.source)))
			if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(kind.hyperlink), "mailto:") {
				kind.hyperlink = "mailto:" + kind.hyperlink
			}
		}
		link := ast.NewLink()
		link.Destination = []byte(noLink)
		link.AppendChild(link, t.sourced(start, start+len(label), kind))
		n.Parent().ReplaceChild(n.Parent(), n, link)
	}
}

// shortenTableLinks keeps targets out of table cells: glamour would print them
// in the cell, or number them and list them below the table, where equal links
// share a number and so could not be told apart.
func (t *tree) shortenTableLinks() {
	for _, table := range nodes[*astext.Table](t.root) {
		for _, n := range nodes[*ast.Link](table) {
			target := string(n.Destination)
			n.Destination = []byte(noLink)
			if target == noLink {
				continue
			}
			for _, txt := range nodes[*ast.Text](n) {
				k := t.texts[txt]
				k.hyperlink = target
				t.texts[txt] = k
			}
		}
		for _, n := range nodes[*ast.Image](table) {
			if len(n.Text([]byte(t.source))) == 0 { //nolint:staticcheck // glamour renders what this returns
				n.AppendChild(n, t.fixed(offset.Line(path.Base(string(n.Destination)))))
			}
			n.Destination = nil
		}
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

// hyperlink returns the sequences that open and close a link to target, empty
// if target is no URL. The target is spelled so that neither glamour's second
// reading of entities and escapes nor the search for parameters changes it.
func hyperlink(target string) (open, shut string) {
	u, err := url.Parse(target)
	if err != nil || target == "" {
		return "", ""
	}
	s := strings.NewReplacer(";", "%3B", `\`, "%5C", "&", "&amp;").Replace(u.String())
	return "\x1b]8;;" + s + "\x07", closeLink
}

const closeLink = "\x1b]8;;\x07"
