package surface

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

const (
	// maxColumns and maxCells bound a table as it is laid out, holes included.
	maxColumns = 1000
	maxCells   = 50_000
)

// flattenTables makes every table one that markdown can hold: one line for each
// cell, merged cells no wider than the table, the caption before it. Inner
// tables come first, since they end as the text of an outer one's cell.
func flattenTables(doc *html.Node) {
	tables := elements(doc, "table")
	for i := len(tables) - 1; i >= 0; i-- {
		t := tables[i]
		if plainText(t) == "" && len(elements(t, "img", "input")) == 0 {
			remove(t)
			continue
		}
		freeTable(t)
		if within(t, "td", "th") {
			continue // flattened with the cell that it stands in
		}
		liftCaption(t)
		for _, cell := range outerCells(t) {
			flattenCell(cell)
		}
		leadWithFirstRow(t)
		clampSpans(t)
	}
}

// outerCells are the cells of a table without those of tables inside them.
func outerCells(t *html.Node) []*html.Node {
	var cells []*html.Node
	walk(t, func(n *html.Node) bool {
		if isElement(n, "td", "th") {
			cells = append(cells, n)
			return false
		}
		return true
	})
	return cells
}

// freeTable undoes bold, italics and links around a table. The converter gives
// up on tables in them, and no reader misses them.
func freeTable(t *html.Node) {
	for p := t.Parent; p != nil; p = p.Parent {
		if isElement(p, "a", "b", "strong", "i", "em", "del", "s", "strike") {
			rename(p, "div")
		}
	}
}

// liftCaption puts a table's caption before it, as a bold paragraph.
func liftCaption(t *html.Node) {
	for _, c := range elements(t, "caption") {
		text := plainText(c)
		remove(c)
		if text != "" && t.Parent != nil {
			t.Parent.InsertBefore(element("p", element("strong", textNode(text))), t)
		}
	}
}

// leadWithFirstRow makes the first row the header, whatever it is: the converter
// takes the first one with a th and would move it to the top. Headers of other
// rows stay as bold cells.
func leadWithFirstRow(t *html.Node) {
	for _, head := range elements(t, "thead") {
		unwrap(head)
	}
	for i, row := range elements(t, "tr") {
		for _, cell := range elements(row, "th") {
			if i > 0 {
				cell.Data, cell.DataAtom = "td", 0
				if plainText(cell) != "" {
					wrapChildren(cell, "strong")
				}
			}
		}
	}
}

// clampSpans bounds merged cells: none is wider than the widest row of real
// cells and none reaches below the table, and none is merged where the table
// would still be too large. A table that is too large without any merged cell
// is mostly holes; its rows become lines.
func clampSpans(t *html.Node) {
	rows := elements(t, "tr")
	cells := make([][]*html.Node, len(rows))
	columns := 1
	for i, row := range rows {
		cells[i] = elements(row, "td", "th")
		columns = max(columns, len(cells[i]))
	}
	if columns > maxColumns || columns*len(rows) > maxCells {
		unrollTable(t, cells)
		return
	}
	// Merged cells of rows above push a row's own cells to the right. hanging
	// is how many columns they take up in row i, ends how many stop before it.
	hanging, widest := 0, columns
	ends := make([]int, len(rows)+1)
	for i := range cells {
		hanging -= ends[i]
		width, begun := hanging, 0
		for _, cell := range cells[i] {
			across := clampSpan(cell, "colspan", columns)
			down := clampSpan(cell, "rowspan", len(rows)-i)
			width += across
			begun += across
			ends[i+down] += across
		}
		hanging += begun
		widest = max(widest, width)
	}
	if widest <= maxColumns && widest*len(rows) <= maxCells {
		return
	}
	for i := range cells {
		for _, cell := range cells[i] {
			dropAttr(cell, "colspan")
			dropAttr(cell, "rowspan")
		}
	}
}

// unrollTable puts a paragraph for each row in the place of a table.
func unrollTable(t *html.Node, rows [][]*html.Node) {
	lines := element("div")
	for _, cells := range rows {
		line := element("p")
		for i, cell := range cells {
			if i > 0 {
				line.AppendChild(textNode(cellSeparator))
			}
			remove(cell)
			line.AppendChild(cell)
			rename(cell, "span")
		}
		lines.AppendChild(line)
	}
	replace(t, lines)
}

func clampSpan(cell *html.Node, key string, most int) int {
	text := strings.TrimSpace(attr(cell, key))
	dropAttr(cell, key)
	n, err := strconv.Atoi(text)
	if err != nil && len(text) > 9 {
		n = most // more digits than a number has room for
	}
	n = min(max(n, 1), max(most, 1))
	if n > 1 {
		setAttr(cell, key, strconv.Itoa(n))
	}
	return n
}

const (
	// cellBreak stands for a line break or a new paragraph inside a cell.
	cellBreak = " / "
	// cellSeparator stands between cells where there is no table to hold them.
	cellSeparator = " │ "
)

// flattenCell brings what a cell holds onto one line.
func flattenCell(cell *html.Node) {
	for c := cell.FirstChild; c != nil; {
		next := c.NextSibling
		flattenNode(c)
		c = next
	}
	trimBreaks(cell)
	escapePipes(cell)
}

// flattenNode rewrites a node of a cell and all below it without blocks.
func flattenNode(n *html.Node) {
	if n.Type == html.TextNode {
		n.Data = foldSpace(n.Data)
		return
	}
	if n.Type != html.ElementNode {
		return
	}
	if n.Data == "pre" {
		flattenCode(n)
		return
	}
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		flattenNode(c)
		c = next
	}
	switch n.Data {
	case "br", "hr":
		replace(n, textNode(cellBreak))
	case "ul", "ol":
		flattenList(n)
	case "tr", "dt":
		separate(n, ": ")
		unwrap(n)
	case "td", "th", "dd":
		separate(n, cellSeparator)
		unwrap(n)
	case "h1", "h2", "h3", "h4", "h5", "h6":
		separate(n, cellBreak)
		rename(n, "strong")
	case "li":
		// its list decides on the bullet
	case "p", "div", "blockquote", "table", "dl", "section", "figure", "article", "aside", "address", "details", "summary", "figcaption", "header", "footer", "main", "nav":
		separate(n, cellBreak)
		unwrap(n)
	case "thead", "tbody", "tfoot", "caption", "colgroup", "col":
		unwrap(n)
	}
}

// foldSpace makes one space of each run of white space, as a browser shows it.
func foldSpace(s string) string {
	words := strings.Join(strings.Fields(s), " ")
	if words == "" {
		if s == "" {
			return ""
		}
		return " "
	}
	if strings.TrimLeft(s, " \t\r\n\f") != s {
		words = " " + words
	}
	if strings.TrimRight(s, " \t\r\n\f") != s {
		words += " "
	}
	return words
}

// separate puts text between n and what follows it, if anything does.
func separate(n *html.Node, with string) {
	for next := n.NextSibling; next != nil; next = next.NextSibling {
		if next.Type == html.ElementNode || strings.TrimSpace(next.Data) != "" {
			n.Parent.InsertBefore(textNode(with), n.NextSibling)
			return
		}
	}
}

// flattenList writes the items of a list one after another, with bullets or
// numbers.
func flattenList(list *html.Node) {
	number := 1
	if n, err := strconv.Atoi(attr(list, "start")); err == nil {
		number = n
	}
	for c := list.FirstChild; c != nil; {
		next := c.NextSibling
		if isElement(c, "li") {
			bullet := "• "
			if list.Data == "ol" {
				bullet = strconv.Itoa(number) + ". "
				number++
			}
			list.InsertBefore(textNode(" "+bullet), c)
			unwrap(c)
		}
		c = next
	}
	separate(list, " ")
	unwrap(list)
}

// flattenCode makes a code span of a code block, its lines side by side.
func flattenCode(pre *html.Node) {
	var lines []string
	for line := range strings.Lines(rawText(pre)) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	separate(pre, cellBreak)
	if len(lines) == 0 {
		remove(pre)
		return
	}
	replace(pre, element("code", textNode(strings.Join(lines, " ⏎ "))))
}

// trimBreaks removes breaks at the end of a cell, where nothing follows.
func trimBreaks(cell *html.Node) {
	for c := cell.LastChild; c != nil; {
		previous := c.PrevSibling
		if c.Type != html.TextNode || strings.Trim(c.Data, " /") != "" {
			return
		}
		remove(c)
		c = previous
	}
}

// escapePipes escapes the pipes in code spans of a cell: there the converter
// leaves them as they are, and the row would break.
func escapePipes(cell *html.Node) {
	for _, code := range elements(cell, "code", "kbd", "samp", "tt") {
		text := rawText(code)
		if !strings.Contains(text, "|") || within(code, "code", "kbd", "samp", "tt") {
			continue
		}
		for code.FirstChild != nil {
			code.RemoveChild(code.FirstChild)
		}
		code.AppendChild(textNode(strings.ReplaceAll(text, "|", `\|`)))
	}
}
