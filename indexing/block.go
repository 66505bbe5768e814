package indexing

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// kind is what a block of markdown is, as far as cutting cares.
type kind uint8

const (
	kindParagraph kind = iota
	kindHeading
	kindFence
	kindTable
	kindList
	kindQuote
	kindIndented
	kindHTML
	kindRule
)

// block is a byte range of the text. Blocks partition it: blank lines belong to
// the block before them, those at the beginning to the first block.
type block struct {
	start, end int
	// content is where the block ends without its trailing blank lines.
	content int
	kind    kind
	// level is 1 to 6 for headings that may open a section, title their text
	// and id the explicit fragment of "# Title {#id}".
	level     int
	title, id string
	// nested says that a fence stands in a list.
	nested bool
}

// scanBlocks splits normalised markdown into blocks. Unlike the syntax tree of
// a markdown parser its ranges leave nothing out, and its time is linear in any
// input. It knows containers as far as needed to tell a heading that opens a
// section from a "#" in a list, a quote or code. Behind more than maxBlocks it reads
// no further: what follows belongs to the last one.
func scanBlocks(text string) []block {
	s := scanner{text: text, open: -1}
	for pos := 0; pos < len(text) && len(s.blocks) <= maxBlocks; {
		next := lineEnd(text, pos)
		s.line(pos, next)
		pos = next
	}
	s.close()
	if len(s.blocks) == 0 {
		return nil
	}
	s.blocks[0].start = 0
	for i := range s.blocks {
		if i+1 < len(s.blocks) {
			s.blocks[i].end = s.blocks[i+1].start
		} else {
			s.blocks[i].end = len(text)
		}
	}
	return s.blocks
}

// maxSetextLines and maxSetextBytes bound the paragraph that an underline turns
// into a heading. Licence texts underline whole paragraphs; those are headings
// to a markdown parser and to no reader.
const (
	maxSetextLines = 3
	maxSetextBytes = 200
)

// scanner is a state machine over lines.
type scanner struct {
	text   string
	blocks []block

	// open is the start of the block that is being read, -1 between blocks;
	// last is the end of its last line without the newline.
	open, last int
	openKind   kind
	// lines counts the lines of an open top-level paragraph; lastLine is the
	// start of its last one.
	lines, lastLine int
	// definition says that the paragraph which begins one byte before definitionAt
	// begins with a link definition.
	definition   bool
	definitionAt int
	// paragraph says that the last line left a paragraph open, anywhere, which
	// decides about lazy continuation and what may interrupt.
	paragraph bool
	// items are the content columns of the open list items, outermost first.
	items []int
	// quoteFence is the marker of the code fence that is open inside a quote.
	quoteFence fenceMarker

	fence    fenceMarker // of the open fence, zero outside
	htmlType int         // 1 to 7 inside an HTML block, else 0

	closers map[byte][]closer
}

// fenceMarker is a run of backticks or tildes and the number of list items
// around it.
type fenceMarker struct {
	char  byte
	run   int
	depth int
}

func (s *scanner) begin(k kind, start int) {
	s.close()
	s.open, s.openKind = start, k
	s.lines = 0
}

// extend continues the open block of kind k with a line, or begins one.
func (s *scanner) extend(k kind, start, end int) {
	if s.open < 0 || s.openKind != k {
		s.begin(k, start)
	}
	s.lines++
	s.lastLine = start
	s.last = end
}

// close ends the open block at its last line.
func (s *scanner) close() {
	if s.open < 0 {
		return
	}
	s.blocks = append(s.blocks, block{
		start: s.open, content: s.last, kind: s.openKind,
		nested: s.openKind == kindFence && s.fence.depth > 0,
	})
	s.open = -1
}

func (s *scanner) line(pos, next int) {
	end := next
	if end > pos && s.text[end-1] == '\n' {
		end--
	}
	col, i := indentation(s.text, pos, end)
	// Lines of other white space, such as a form feed, are paragraphs to a
	// markdown parser and nothing to a reader.
	blank := i == end || (s.text[i] < ' ' || s.text[i] >= utf8.RuneSelf) && strings.TrimSpace(s.text[i:end]) == ""

	if s.fence.char != 0 && s.fenceLine(i, end, col, blank) {
		return
	}
	if s.htmlType > 0 && s.htmlLine(i, end, blank) {
		return
	}
	if blank {
		s.close()
		s.paragraph, s.quoteFence = false, fenceMarker{}
		return
	}

	matched := 0
	for matched < len(s.items) && col >= s.items[matched] {
		matched++
	}
	rel := col
	if matched > 0 {
		rel -= s.items[matched-1]
	}
	if matched < len(s.items) {
		if s.paragraph && (rel >= 4 || !s.interrupts(i, end)) {
			s.extend(s.openKindOr(kindList), pos, end)
			return
		}
		s.items = s.items[:matched]
		s.paragraph = false
	}
	if rel >= 4 {
		s.indentedLine(pos, end)
		return
	}
	s.containers(pos, i, end, col)
}

// openKindOr is the kind of the open block, or k when there is none.
func (s *scanner) openKindOr(k kind) kind {
	if s.open >= 0 {
		return s.openKind
	}
	return k
}

// indentedLine handles a line that is indented too far to begin anything: it
// continues a paragraph, or is code.
func (s *scanner) indentedLine(pos, end int) {
	switch {
	case s.paragraph:
		s.extend(s.openKindOr(kindParagraph), pos, end)
	case len(s.items) > 0:
		s.extend(kindList, pos, end)
	default:
		s.extend(kindIndented, pos, end)
	}
}

// containers strips list and quote markers from a line, then reads its leaf.
// i is its first character, at column col.
func (s *scanner) containers(pos, i, end, col int) {
	for noRule := i; ; {
		rest := s.text[i:end]
		if len(s.items) == 0 && s.setextUnderline(end, rest) {
			return
		}
		if rest[0] == '>' {
			s.quoteLine(pos, end, rest)
			return
		}
		s.quoteFence = fenceMarker{}
		// A line may be a marker behind a marker all along: it is read once for a rule.
		if i >= noRule {
			read, ok := rule(rest)
			if ok {
				s.leafRule(pos, end)
				return
			}
			noRule = i + read
		}
		width, blankItem, ok := listMarker(rest)
		if ok && s.paragraph && (blankItem || !startsAtOne(rest)) {
			ok = false // neither may interrupt a paragraph
		}
		if !ok {
			break
		}
		s.paragraph = false
		s.extend(kindList, pos, end)
		pad, j := paddingAfter(s.text, i+width, end, col+width)
		if blankItem || pad > 4 { // nothing, or indented code
			s.items = append(s.items, col+width+1)
			return
		}
		col += width + pad
		s.items = append(s.items, col)
		i = j
	}
	s.leaf(pos, i, end)
}

// leafRule handles a thematic break, which ends whatever was open.
func (s *scanner) leafRule(pos, end int) {
	s.paragraph = false
	if len(s.items) > 0 {
		s.extend(kindList, pos, end)
		return
	}
	s.begin(kindRule, pos)
	s.last = end
	s.close()
}

// quoteLine handles a line that begins with ">". Nothing in a quote opens a
// section, so only what decides about the next line is looked at.
func (s *scanner) quoteLine(pos, end int, rest string) {
	if len(s.items) > 0 {
		s.extend(kindList, pos, end)
	} else {
		s.extend(kindQuote, pos, end)
	}
	inner := rest
	for strings.HasPrefix(inner, ">") {
		inner = strings.TrimLeft(inner[1:], " \t")
	}
	if s.quoteFence.char != 0 {
		if closesFence(inner, s.quoteFence) {
			s.quoteFence = fenceMarker{}
		}
		s.paragraph = false
		return
	}
	if m, ok := opensFence(inner); ok {
		s.quoteFence, s.paragraph = m, false
		return
	}
	level, _ := atxHeading(inner)
	s.paragraph = inner != "" && level == 0 && !isRule(inner)
}

// leaf handles a line without container markers from byte i on.
func (s *scanner) leaf(pos, i, end int) {
	rest := s.text[i:end]
	nested := len(s.items) > 0
	if m, ok := opensFence(rest); ok && (nested || !s.swallows(pos, m)) {
		s.beginFence(pos)
		m.depth = len(s.items)
		s.last = end
		s.fence, s.paragraph = m, false
		return
	}
	if level, title := atxHeading(rest); level > 0 {
		s.paragraph = false
		if nested {
			s.extend(kindList, pos, end)
			return
		}
		s.begin(kindHeading, pos)
		s.last = end
		s.close()
		s.heading(level, title)
		return
	}
	if !nested {
		if t := htmlBlockType(rest); t > 0 && (t < 7 || !s.paragraph) {
			s.begin(kindHTML, pos)
			s.last = end
			s.paragraph = false
			s.htmlType = t
			if htmlBlockEnds(t, rest) {
				s.htmlType = 0
				s.close()
			}
			return
		}
		if s.tableDelimiter(pos, end, rest) {
			return
		}
	}
	k := kindParagraph
	switch {
	case nested:
		k = kindList
	case s.paragraph && s.open >= 0:
		k = s.openKind // a lazy line of a quote, a row of a table
	}
	s.extend(k, pos, end)
	s.paragraph = true
}

// paragraphOnly says that a top-level paragraph is open.
func (s *scanner) paragraphOnly() bool {
	return s.paragraph && s.open >= 0 && s.openKind == kindParagraph
}

// beginFence begins a fence block at pos. A list marker on the same line goes
// with it, and the items before stay a block of their own.
func (s *scanner) beginFence(pos int) {
	if s.open == pos {
		s.openKind = kindFence
		return
	}
	if s.open >= 0 && s.lastLine == pos {
		s.last = trimNewline(s.text, pos)
	}
	s.begin(kindFence, pos)
}

// fenceLine reads a line inside a fence and reports whether it belonged to it.
func (s *scanner) fenceLine(i, end, col int, blank bool) bool {
	if !blank {
		if s.fence.depth > 0 && col < s.items[s.fence.depth-1] {
			// The list item around the fence has ended, and the fence with it.
			s.close()
			s.fence = fenceMarker{}
			return false
		}
		s.last = end
		if (s.fence.depth > 0 || col < 4) && closesFence(s.text[i:end], s.fence) {
			s.close()
			s.fence = fenceMarker{}
		}
	}
	return true
}

func (s *scanner) htmlLine(i, end int, blank bool) bool {
	if s.htmlType >= 6 && blank {
		s.htmlType = 0
		return false
	}
	if !blank {
		s.last = end
	}
	if s.htmlType < 6 && htmlBlockEnds(s.htmlType, s.text[i:end]) {
		s.htmlType = 0
		s.close()
	}
	return true
}

// setextUnderline turns the open paragraph into a heading when rest, which ends
// at byte end, underlines it. A paragraph that is too long for a heading stays one, with its underline.
func (s *scanner) setextUnderline(end int, rest string) bool {
	level := underline(rest)
	if level == 0 || !s.paragraphOnly() || s.defines() {
		return false
	}
	long := s.lines > maxSetextLines || s.last-s.open > maxSetextBytes
	title := strings.Join(strings.Fields(s.text[s.open:s.last]), " ")
	s.last = end
	s.paragraph = false
	s.close()
	if !long {
		s.blocks[len(s.blocks)-1].kind = kindHeading
		s.heading(level, title)
	}
	return true
}

// defines says that the open paragraph begins with a link definition. Its first line
// alone decides, and is read once, however many underlines follow.
func (s *scanner) defines() bool {
	if s.definitionAt != s.open+1 {
		s.definitionAt, s.definition = s.open+1, isDefinition(s.text[s.open:s.last])
	}
	return s.definition
}

// heading fills in the block that was closed last.
func (s *scanner) heading(level int, title string) {
	b := &s.blocks[len(s.blocks)-1]
	b.level = level
	title, b.id = explicitID(title)
	b.title = shorten(plainInline(title), maxHeading)
}

// tableDelimiter begins a table when the line is a delimiter row under a header
// row of as many cells. The header row leaves the paragraph it ended.
func (s *scanner) tableDelimiter(pos, end int, rest string) bool {
	if !s.paragraphOnly() || !isDelimiterRow(rest) {
		return false
	}
	header := s.text[s.lastLine:trimNewline(s.text, pos)]
	if countCells(header) != countCells(rest) {
		return false
	}
	if s.lastLine > s.open {
		start := s.lastLine
		s.last = trimNewline(s.text, start)
		s.begin(kindTable, start)
	}
	s.openKind = kindTable
	s.last = end
	return true
}

// interrupts says whether the line from byte i on begins a block that ends an
// open paragraph of an inner container. There any list marker does.
func (s *scanner) interrupts(i, end int) bool {
	rest := s.text[i:end]
	if rest[0] == '>' || isRule(rest) {
		return true
	}
	if level, _ := atxHeading(rest); level > 0 {
		return true
	}
	if _, ok := opensFence(rest); ok {
		return true
	}
	if _, _, ok := listMarker(rest); ok {
		return true
	}
	t := htmlBlockType(rest)
	return t > 0 && t < 7
}

// closer is a line that could end a fence: its offset, and the longest run of
// such lines from it to the end of the text.
type closer struct{ pos, longest int }

// swallows says that a fence opened at pos would never close and take in more
// than half of the text: then its marker is taken for text.
func (s *scanner) swallows(pos int, m fenceMarker) bool {
	if 2*(len(s.text)-pos) <= len(s.text) {
		return false
	}
	if s.closers == nil {
		s.findClosers()
	}
	list := s.closers[m.char]
	i := sort.Search(len(list), func(i int) bool { return list[i].pos > pos })
	return i == len(list) || list[i].longest < m.run
}

func (s *scanner) findClosers() {
	s.closers = map[byte][]closer{}
	for pos := 0; pos < len(s.text); {
		next := lineEnd(s.text, pos)
		line := strings.Trim(s.text[pos:next], " \t\n")
		if len(line) >= 3 && (line[0] == '`' || line[0] == '~') && strings.Trim(line, line[:1]) == "" {
			s.closers[line[0]] = append(s.closers[line[0]], closer{pos: pos, longest: len(line)})
		}
		pos = next
	}
	for _, list := range s.closers {
		for i := len(list) - 2; i >= 0; i-- {
			list[i].longest = max(list[i].longest, list[i+1].longest)
		}
	}
}
