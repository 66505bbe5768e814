package convert

import (
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/webrag/webrag-tui/store"
)

const (
	// maxColumns is the widest table; cells beyond it are left out.
	maxColumns = 1000
	// maxCells bounds rows times columns. Beyond it cells span nothing and short
	// rows stay short, so that the markdown is no larger than the cells.
	maxCells = 50_000
	// maxRepeat is the longest cell, in bytes, that is repeated in the rows that
	// it spans.
	maxRepeat = 200
)

// tableShape is what one look at a table says about it.
type tableShape struct {
	rows, columns int
	caption       *html.Node
	headed        bool // the first row is the header
	layout        bool // the table only arranges its contents
	plain         bool // spans are ignored
}

// table writes a table in GFM, its caption before it. A table that only arranges
// its contents, or whose cells markdown cannot hold, becomes their sequence.
func (c *converter) table(n *html.Node) {
	shape := c.shape(n)
	if isAdmonition(n) && shape.layout {
		c.begin(kindAdmonition, n, n, store.HasAdmonition)
		c.linear(n)
		c.end()
		return
	}
	if shape.layout {
		c.begin(kindBox, n, n, 0)
		c.linear(n)
		c.end()
		return
	}
	tight := c.tight
	c.tight = false
	c.begin(kindTable, n, n, store.HasTable)
	c.open[len(c.open)-1].headed = shape.headed
	if shape.caption != nil {
		c.titleLine(shape.caption, kindCaption)
	}
	g := grid{c: c, shape: shape, carry: make([]carried, shape.columns)}
	eachRow(n, func(tr *html.Node) bool {
		g.row(tr)
		return c.step()
	})
	c.tight = tight
	c.done()
	c.end()
}

// linear writes the contents of a layout table cell by cell.
func (c *converter) linear(n *html.Node) {
	for ch := n.FirstChild; ch != nil && c.step(); ch = ch.NextSibling {
		switch ch.DataAtom {
		case atom.Tbody, atom.Thead, atom.Tfoot, atom.Tr:
			c.linear(ch)
		case atom.Td, atom.Th, atom.Caption:
			c.within(ch, kindBox, 0)
		case atom.Colgroup, atom.Col:
		default:
			if ch.Type == html.ElementNode {
				c.block(ch)
			}
		}
	}
}

// eachRow calls f with the rows of a table in order until it returns false.
func eachRow(table *html.Node, f func(tr *html.Node) bool) {
	for ch := table.FirstChild; ch != nil; ch = ch.NextSibling {
		switch ch.DataAtom {
		case atom.Tr:
			if !f(ch) {
				return
			}
		case atom.Tbody, atom.Thead, atom.Tfoot:
			for tr := ch.FirstChild; tr != nil; tr = tr.NextSibling {
				if tr.DataAtom == atom.Tr && !f(tr) {
					return
				}
			}
		}
	}
}

func isCell(n *html.Node) bool { return n.DataAtom == atom.Td || n.DataAtom == atom.Th }

// spanOf reads colspan or rowspan.
func spanOf(cell *html.Node, key string) int {
	v := attr(cell, key)
	if v == "" {
		return 1
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 {
		if len(v) > 4 && v[0] >= '1' && v[0] <= '9' {
			return maxColumns // too many digits for a number
		}
		return 1
	}
	return min(n, maxColumns)
}

// shape measures a table.
func (c *converter) shape(n *html.Node) tableShape {
	var s tableShape
	headers, lists := 0, false
	carry := make([]int, 0, 8) // rows that a cell above still covers, by column
	widest := 0                // cells of the widest row, spans ignored
	for ch := n.FirstChild; ch != nil; ch = ch.NextSibling {
		if ch.DataAtom == atom.Caption && s.caption == nil {
			s.caption = ch
		}
	}
	eachRow(n, func(tr *html.Node) bool {
		column, cells, heads := 0, 0, 0
		s.plain = s.plain || (s.rows+1)*len(carry) > maxCells
		for cell := tr.FirstChild; cell != nil; cell = cell.NextSibling {
			if !isCell(cell) {
				continue
			}
			cells++
			if cell.DataAtom == atom.Th {
				heads++
			}
			layout, list := holdsLayout(cell)
			s.layout = s.layout || layout
			lists = lists || list
			if s.plain {
				continue
			}
			for column < len(carry) && carry[column] > 0 {
				carry[column]--
				column++
			}
			width, height := spanOf(cell, "colspan"), spanOf(cell, "rowspan")
			for range width {
				if column >= maxColumns {
					break
				}
				if column == len(carry) {
					carry = append(carry, 0)
				}
				carry[column] = height - 1
				column++
			}
		}
		for ; !s.plain && column < len(carry); column++ {
			carry[column] = max(0, carry[column]-1)
		}
		headers += heads
		if s.rows == 0 {
			s.headed = cells > 0 && (heads == cells && cells > 1 || tr.Parent.DataAtom == atom.Thead)
		}
		s.rows++
		widest = max(widest, cells)
		return c.step()
	})
	s.columns = len(carry)
	if s.plain || s.rows*s.columns > maxCells {
		s.plain = true
		s.columns = min(widest, maxColumns)
	}
	role := attr(n, "role")
	s.layout = s.layout || widest <= 1 || role == "presentation" || role == "none" ||
		headers == 0 && s.rows == 1 && lists || hasClass(n, "highlighttable", "indextable")
	return s
}

// holdsLayout reports whether a cell holds what a line of a table cannot: a
// table, code, or a heading; and whether it holds a list.
func holdsLayout(cell *html.Node) (layout, list bool) {
	if ch := cell.FirstChild; ch == nil || ch == cell.LastChild && ch.Type == html.TextNode {
		return false, false
	}
	for d := range cell.Descendants() {
		switch d.DataAtom {
		case atom.Table, atom.Pre:
			return true, list
		case atom.H1, atom.H2, atom.H3:
			layout = true
		case atom.Ul, atom.Ol, atom.Dl:
			list = true
		}
	}
	return layout, list
}

// grid places cells in the rows and columns of a table.
type grid struct {
	c     *converter
	shape tableShape
	carry []carried
	rows  int
}

// carried is a cell that covers its column in the rows below.
type carried struct {
	rows int
	text string
}

// row writes a table row; the first also writes the delimiter row, after an
// empty header when the table has none.
func (g *grid) row(tr *html.Node) {
	c := g.c
	if g.rows == 0 && !g.shape.headed {
		c.line()
		for range g.shape.columns {
			c.buf = append(c.buf, "| "...)
		}
		c.buf = append(c.buf, '|')
		g.delimiter()
	}
	if id := attr(tr, "id"); id != "" {
		c.ids = append(c.ids, id)
	}
	c.begin(kindRow, tr, tr, 0)
	if g.rows > 0 || !g.shape.headed {
		c.sep = 1
	}
	c.line()
	c.buf = append(c.buf, '|')
	column := 0
	for cell := tr.FirstChild; cell != nil; cell = cell.NextSibling {
		if !isCell(cell) {
			continue
		}
		column = g.covered(column)
		if column >= g.shape.columns {
			break
		}
		at := len(c.buf)
		c.cell(cell)
		to := len(c.buf)
		c.buf = append(c.buf, " |"...)
		width, height := 1, 1
		if !g.shape.plain {
			width, height = spanOf(cell, "colspan"), spanOf(cell, "rowspan")
		}
		for i := range width {
			if column >= g.shape.columns {
				break
			}
			if i > 0 {
				c.buf = append(c.buf, " |"...)
			}
			g.carry[column] = carried{rows: height - 1}
			if i == 0 && height > 1 && to-at <= maxRepeat {
				g.carry[column].text = string(c.buf[at:to])
			}
			column++
		}
	}
	if !g.shape.plain {
		for column < g.shape.columns {
			if next := g.covered(column); next > column {
				column = next
				continue
			}
			c.buf = append(c.buf, " |"...)
			column++
		}
	}
	if g.rows == 0 && g.shape.headed {
		g.delimiter()
	}
	g.rows++
	c.done()
	c.end()
}

// covered repeats the cells from above that cover the columns from one on, and
// returns the first that is free.
func (g *grid) covered(column int) int {
	for column < g.shape.columns && g.carry[column].rows > 0 {
		k := &g.carry[column]
		k.rows--
		g.c.buf = append(g.c.buf, k.text...)
		g.c.buf = append(g.c.buf, " |"...)
		column++
	}
	return column
}

func (g *grid) delimiter() {
	g.c.next()
	for range g.shape.columns {
		g.c.buf = append(g.c.buf, "|---"...)
	}
	g.c.buf = append(g.c.buf, '|')
}

// cell writes one cell as a line.
func (c *converter) cell(n *html.Node) {
	if id := attr(n, "id"); id != "" {
		c.ids = append(c.ids, id)
	}
	c.begin(kindCell, n, n, 0)
	c.inl.cell = true
	c.collect(n)
	if c.inl.finish() {
		c.buf = append(c.buf, ' ')
		c.startSpans(len(c.buf))
		c.placeTargets(len(c.buf))
		c.flush(modeCell)
	}
	c.inl.reset()
	c.inl.cell = false
	c.end()
}
