package spans

import (
	"fmt"
	"strings"

	"charm.land/glamour/v2/ansi"
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
	theme        ansi.StyleConfig
	tex          bool // simple formulas as plain text
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
func instrument(t *tree, o Options) *script {
	s := &script{tree: t, theme: shownTheme(o.Theme), tex: o.PlainTeX}
	s.walk(t.root, -1, o.Width, newHighlighter(&o.Theme))
	return s
}

// walk is told the number of the table that it is in and the cells that glamour
// has left for a line.
func (s *script) walk(n ast.Node, table, room int, h *highlighter) {
	if number, ok := s.tree.table[n]; ok {
		table = number
	}
	room -= s.inset(n)
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
		s.code(n, language, room, h)
		return
	case *ast.CodeBlock:
		language := ""
		if _, ok := s.tree.formulas.blocks[n]; ok {
			s.formula(n, room, h)
			return
		}
		s.code(n, language, room, h)
		return
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		s.walk(c, table, room, h)
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
			s.raw(string(firstPlaceholder + rune(at)))
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
	if span, ok := n.Parent().(*ast.CodeSpan); ok && s.tex && s.tree.formulas.inline[span] && span.ChildCount() == 1 {
		kind.syntax = texText // one that is wrapped comes in pieces
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
			s.word(wholeUnit(kind.label, segment.Start, segment.Stop), kind.silent)
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
