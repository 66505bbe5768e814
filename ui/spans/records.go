package spans

import (
	"github.com/yuin/goldmark/ast"
	astext "github.com/yuin/goldmark/extension/ast"
)

// replaceTable lays a table out as one paragraph per row, each cell on a line
// of its own behind its column's name. In narrow panes a grid cuts its cells to
// a character and its headers to an ellipsis.
func (t *tree) replaceTable(table *astext.Table) {
	parent := table.Parent()
	header, _ := table.FirstChild().(*astext.TableHeader)
	shown := false // the names have their place in the source only once
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		if row.Kind() != astext.KindTableRow {
			continue
		}
		if p := t.record(header, row, shown); p.ChildCount() > 0 {
			parent.InsertBefore(parent, table, p)
			shown = true
		}
	}
	if !shown && header != nil {
		p := ast.NewParagraph()
		for c := header.FirstChild(); c != nil; c = c.NextSibling() {
			t.startLine(p)
			move(c, p)
		}
		parent.InsertBefore(parent, table, p)
	}
	parent.RemoveChild(parent, table)
}

func (t *tree) record(header *astext.TableHeader, row ast.Node, repeated bool) *ast.Paragraph {
	p := ast.NewParagraph()
	var name ast.Node
	if header != nil {
		name = header.FirstChild()
	}
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		// All names are shown in the first record, whether or not they have a
		// cell there, so that each has its place.
		if c.ChildCount() > 0 || !repeated && name != nil && name.ChildCount() > 0 {
			t.startLine(p)
			if name != nil && name.ChildCount() > 0 {
				p.AppendChild(p, t.name(name, repeated))
				p.AppendChild(p, t.fixed(": "))
			}
			move(c, p)
		}
		if name != nil {
			name = name.NextSibling()
		}
	}
	return p
}

func (t *tree) startLine(p *ast.Paragraph) {
	if p.ChildCount() > 0 {
		p.AppendChild(p, t.fixed("\n"))
	}
}

// name copies the text of a header cell in bold.
func (t *tree) name(cell ast.Node, repeated bool) ast.Node {
	strong := ast.NewEmphasis(2)
	for _, n := range nodes[*ast.Text](cell) {
		k := t.texts[n]
		if n.IsRaw() || within[*ast.CodeSpan](n) {
			k.syntax = literalText
		}
		k.silent = repeated
		strong.AppendChild(strong, t.sourced(n.Segment.Start, n.Segment.Stop, k))
	}
	return strong
}

// move appends the children of a node to a paragraph.
func move(from ast.Node, to *ast.Paragraph) {
	for c := from.FirstChild(); c != nil; {
		next := c.NextSibling()
		to.AppendChild(to, c)
		c = next
	}
}
