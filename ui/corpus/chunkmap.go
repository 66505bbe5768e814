package corpus

import (
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/theme"
)

// chunkMap is a page cut into cells of a line, to scale: where its sections
// begin, where their children are, and what is in them.
type chunkMap struct {
	// length is that of the page in code points, at least 1.
	length int
	cells  []chunkCell
}

// chunkCell is the part of a page that one cell stands for.
type chunkCell struct {
	// section is the last one that has a part in the cell, -1 where there is none;
	// begins says that one begins here.
	section int
	begins  bool
	// child says that a child has a part in the cell, and childBegins that one
	// begins here; matched, that one of those matched the query, and matchedEnds
	// that such a one has its last cell here, of several.
	child, childBegins, matched, matchedEnds bool
	// flags are those of the children that begin here, or of the section where it
	// has no children.
	flags store.Flags
}

// mapOf draws a page to scale on w cells. It is nil without cells or sections.
func mapOf(c *session.PageContent, matched map[string]bool, w int) *chunkMap {
	length := c.Length()
	if w <= 0 || length <= 0 {
		return nil
	}
	m := &chunkMap{length: length, cells: make([]chunkCell, w)}
	for i := range m.cells {
		m.cells[i].section = -1
	}
	for i := range c.Sections {
		section := &c.Sections[i]
		from, to := m.cellsOf(section.CharStart, section.CharEnd)
		for at := from; at <= to; at++ {
			m.cells[at].section = i
			m.cells[at].matched = m.cells[at].matched || matched[section.ID]
		}
		m.cells[from].begins = true
		if len(c.Children[i]) == 0 {
			m.cells[from].flags |= section.Flags
		}
		for j := range c.Children[i] {
			child := &c.Children[i][j]
			first, last := m.cellsOf(max(child.CharStart, section.CharStart), min(child.CharEnd, section.CharEnd))
			for at := first; at <= last; at++ {
				m.cells[at].child = true
				m.cells[at].matched = m.cells[at].matched || matched[child.ID]
			}
			m.cells[first].childBegins = true
			m.cells[last].matchedEnds = m.cells[last].matchedEnds || matched[child.ID] && last > first
			m.cells[first].flags |= child.Flags
		}
	}
	return m
}

// cellOf is the cell that a code point of the page lies in.
//
//	cell = ⌊at × cells / length⌋    ⌊1204 × 38 / 2914⌋ = 15
func (m *chunkMap) cellOf(at int) int {
	return max(0, min(len(m.cells)-1, at*len(m.cells)/m.length))
}

// cellsOf are the first and the last cell of a range of code points; an empty
// one has the cell in which it lies.
func (m *chunkMap) cellsOf(start, end int) (first, last int) {
	first = m.cellOf(start)
	return first, max(first, m.cellOf(end-1))
}

// flagLetters are the letters of flags, in the order in which they are listed.
var flagLetters = [...]struct {
	flag               store.Flags
	letter, name, many string
}{
	{store.HasTable, "T", "table", "tables"},
	{store.HasCode, "C", "code", "code"},
	{store.HasMath, "M", "math", "math"},
	{store.HasDefinitionList, "D", "definitions", "definitions"},
	{store.HasAdmonition, "N", "note", "notes"},
	{store.HasSteps, "S", "steps", "steps"},
	{store.HasImage, "I", "image", "images"},
}

// lettersOf are the letters of the flags that are set.
func lettersOf(f store.Flags) string {
	var b strings.Builder
	for _, l := range flagLetters {
		if f.Has(l.flag) {
			b.WriteString(l.letter)
		}
	}
	return b.String()
}

// severalFlags stands in a cell with more flags than one.
const severalFlags = "+"

// draw draws the map in three lines: sections, children, flags. The section
// under the cursor stands out; -1 is none.
func (m *chunkMap) draw(s *theme.Styles, current int) []string {
	g := &s.Signs
	var sections, children, flags signLine
	// A child that is followed by another leaves a gap.
	block, last := g.Blocks[len(g.Blocks)-1], g.Blocks[len(g.Blocks)-3]
	if s.Plain {
		block, last = "#", "#"
	}
	for i, c := range m.cells {
		style, sign := &s.Faint, g.Rule
		switch {
		case c.section < 0:
			sign = " "
		case i == 0, c.begins && m.cells[i-1].section < 0:
			sign = g.Branch
		case i == len(m.cells)-1, !c.begins && m.cells[i+1].section < 0:
			sign = g.SeamLeft
		case c.begins:
			sign = g.SeamCross
		}
		if c.section >= 0 && c.section == current {
			style = &s.Title
			if sign == g.Rule {
				sign = g.Heavy
			}
		}
		sections.put(style, sign)

		switch {
		case c.matchedEnds:
			children.put(&s.Score, last)
		case c.matched:
			children.put(&s.Score, block)
		case c.childBegins:
			children.put(&s.Faint, g.Tick)
		default:
			children.put(nil, " ")
		}

		switch letters := lettersOf(c.flags); len(letters) {
		case 0:
			flags.put(nil, " ")
		case 1:
			flags.put(&s.Text, letters)
		default:
			flags.put(&s.Text, severalFlags)
		}
	}
	return []string{sections.String(), children.String(), flags.String()}
}

// signLine is a line of single signs, in which neighbours of one style are drawn
// together: styling costs about as much for one sign as for a hundred.
type signLine struct {
	done  strings.Builder
	run   strings.Builder
	style *lipgloss.Style // nil for none
}

func (l *signLine) put(style *lipgloss.Style, sign string) {
	if style != l.style {
		l.end()
		l.style = style
	}
	l.run.WriteString(sign)
}

func (l *signLine) end() {
	if l.style == nil {
		l.done.WriteString(l.run.String())
	} else {
		l.done.WriteString(l.style.Render(l.run.String()))
	}
	l.run.Reset()
}

func (l *signLine) String() string {
	l.end()
	return l.done.String()
}

// flagsOf are all flags of a page, and whether several share a cell.
func (m *chunkMap) flagsOf() (all store.Flags, shared bool) {
	for _, c := range m.cells {
		all |= c.flags
		shared = shared || len(lettersOf(c.flags)) > 1
	}
	return all, shared
}

// flagLegend says what the letters of flags mean.
func flagLegend(f store.Flags, shared bool) []string {
	var parts []string
	for _, l := range flagLetters {
		if f.Has(l.flag) {
			parts = append(parts, l.letter+" "+l.name)
		}
	}
	if shared {
		parts = append(parts, severalFlags+" several")
	}
	return parts
}

// flagsNamed is how many flags are named in a sentence.
const flagsNamed = 2

// flagWords name flags in a sentence: "tables or math".
func flagWords(f store.Flags) string {
	var words []string
	for _, l := range flagLetters {
		if f.Has(l.flag) {
			words = append(words, l.many)
		}
	}
	if len(words) > flagsNamed {
		words = append(words[:flagsNamed:flagsNamed], "more")
	}
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, "")
}
