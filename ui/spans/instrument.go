package spans

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/glamour/v2/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// noInk keeps glamour from reading a backslash or an ampersand together with
// what follows it. Texts are decoded here, and glamour decodes entities and
// escapes again, once or several times depending on where the text is. The
// sequence sets the default underline colour, which changes nothing, and is
// taken out of the result.
const noInk = "\x1b[59m"

// inert makes glamour read a text as it is.
var inert = strings.NewReplacer(`\`, `\`+noInk, "&", "&"+noInk)

// ink opens the tag of unit id: an underline colour, which no theme uses and
// which every writer of glamour and lipgloss carries along when it wraps, pads
// and indents. noInk closes it. It never reaches the terminal: only the
// rendering that is decoded and thrown away has it.
func ink(id int) string {
	return fmt.Sprintf("\x1b[58;2;%d;%d;%dm", id>>16&0xFF, id>>8&0xFF, id&0xFF)
}

// slot is a place in the tree whose text is replaced before rendering, once by
// the text that is shown and once by the same text with tags.
type slot struct {
	set          func(text.Segment)
	plain, inked text.Segment
}

// script is a tree ready to be rendered both ways.
type script struct {
	tree         *tree
	slots        []slot
	plain, inked []byte
	units        []unit // unit i has ink i+1
	// tableOf has the number of the table for each container, -1 for none.
	tableOf  []int
	headings []heading
}

// heading is a heading of the document; at is a byte of the displayed text.
type heading struct {
	level int
	text  string
	at    int
}

// instrument replaces each text of the tree. Parsing is over by then, so no tag
// can break the syntax.
func instrument(t *tree, theme *ansi.StyleConfig) *script {
	s := &script{tree: t}
	s.walk(t.root, -1, newHighlighter(theme))
	return s
}

func (s *script) walk(n ast.Node, table int, h *highlighter) {
	if number, ok := s.tree.table[n]; ok {
		table = number
	}
	if n.Type() == ast.TypeBlock {
		s.tableOf = append(s.tableOf, table)
	}
	first := len(s.units)
	switch n := n.(type) {
	case *ast.Text:
		s.text(n)
	case *ast.FencedCodeBlock:
		language := string(n.Language([]byte(s.tree.source)))
		n.Info = nil
		s.code(n, language, h)
		return
	case *ast.CodeBlock:
		language := ""
		if _, ok := s.tree.formulas.blocks[n]; ok {
			language = "tex"
		}
		s.code(n, language, h)
		return
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		s.walk(c, table, h)
	}
	if n, ok := n.(*ast.Heading); ok {
		s.heading(n, s.units[first:])
	}
}

func (s *script) heading(n *ast.Heading, units []unit) {
	if len(units) == 0 {
		return
	}
	var b strings.Builder
	for i, u := range units {
		if i > 0 && u.start > units[i-1].end {
			b.WriteByte(' ')
		}
		b.WriteString(u.visible)
	}
	s.headings = append(s.headings, heading{level: n.Level, text: b.String(), at: units[0].start})
}

// put opens a slot; write fills both of its texts.
func (s *script) put(set func(text.Segment), write func()) {
	plain, inked := len(s.plain), len(s.inked)
	write()
	s.slots = append(s.slots, slot{
		set:   set,
		plain: text.NewSegment(plain, len(s.plain)),
		inked: text.NewSegment(inked, len(s.inked)),
	})
}

// raw adds what is no source text to both texts.
func (s *script) raw(text string) {
	s.plain = append(s.plain, text...)
	s.inked = append(s.inked, text...)
}

// word adds a unit to both texts.
func (s *script) word(u *unit, silent bool) {
	u.container = int32(len(s.tableOf)) - 1
	open, shut := "", noInk
	if !silent {
		s.units = append(s.units, *u)
		open = ink(len(s.units))
	}
	s.inked = append(s.inked, open...)
	joined := len(u.visible) <= maxJoined
	for i := range len(u.visible) {
		c := u.visible[i]
		if at := strings.IndexByte(breakpoints, c); joined && at >= 0 {
			s.raw(string(firstStandIn + rune(at)))
			continue
		}
		s.plain = append(s.plain, c)
		s.inked = append(s.inked, c)
		if c == '\\' || c == '&' {
			s.plain = append(s.plain, noInk...)
			if silent {
				s.inked = append(s.inked, noInk...)
			} else {
				s.inked = append(s.inked, open...)
			}
		}
	}
	if !silent {
		s.inked = append(s.inked, shut...)
	}
}

func (s *script) text(n *ast.Text) {
	kind := s.tree.texts[n]
	if n.IsRaw() || within[*ast.CodeSpan](n) {
		kind.syntax = literalText
	}
	segment := n.Segment
	open, shut := hyperlink(kind.hyperlink, !within[*ast.Image](n)) // of images glamour decodes nothing
	s.put(func(g text.Segment) { n.Segment = g }, func() {
		if kind.isFixed {
			s.raw(open + inert.Replace(kind.fixed) + shut)
			return
		}
		s.raw(open)
		if kind.label != "" {
			s.word(standIn(kind.label, segment.Start, segment.Stop), kind.silent)
			return
		}
		s.raw(strings.Repeat(" ", segment.Padding))
		c := decode(s.tree.source, segment.Start, segment.Stop, kind.syntax)
		c.words(segment.Stop, func(before string, u *unit) {
			if kind.collapse && before != "" {
				before = " "
			}
			s.raw(before)
			if u != nil {
				s.word(u, kind.silent)
			}
		})
		s.raw(shut)
	})
}

// codeOf returns the text of a code block with the blanks that its lines are
// padded with.
func (s *script) codeOf(n ast.Node) code {
	var c code
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		for range line.Padding {
			c.add(" ", line.Start)
		}
		c.add(s.tree.source[line.Start:line.Stop], line.Start)
		if line.ForceNewline && !strings.HasSuffix(s.tree.source[:line.Stop], "\n") {
			c.add("\n", line.Stop)
		}
	}
	return c
}

// code is the text of a code block and the source byte of each of its bytes.
type code struct {
	text []byte
	at   []int
}

func (c *code) add(text string, at int) {
	for i := range len(text) {
		c.text = append(c.text, text[i])
		c.at = append(c.at, at+i)
	}
}

// code replaces the lines of a code block. Its tokens carry their colours along,
// so the theme that renders them has no highlighting of its own.
func (s *script) code(n ast.Node, language string, h *highlighter) {
	c := s.codeOf(n)
	set := func(g text.Segment) {
		lines := text.NewSegments()
		lines.Append(g)
		n.SetLines(lines)
	}
	s.put(set, func() {
		from := 0
		for _, t := range h.tokens(language, c) {
			to := from + len(t.text)
			s.plain = append(s.plain, t.open...)
			s.token(c, from, to)
			if t.open != "" {
				s.plain = append(s.plain, resetStyle...)
			}
			from = to
		}
	})
}

func (s *script) token(c code, from, to int) {
	word := from
	flush := func(end int) {
		if word < end {
			s.word(&unit{
				visible: string(c.text[word:end]),
				start:   c.at[word], end: c.at[end-1] + 1,
			}, false)
		}
	}
	characters := graphemes.FromBytes(c.text[from:to])
	for characters.Next() {
		r, _ := utf8.DecodeRune(characters.Value())
		if unicode.IsSpace(r) {
			flush(from + characters.Start())
			s.raw(string(characters.Value()))
			word = from + characters.End()
		}
	}
	flush(to)
}
