package spans

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/glamour/v2/ansi"
	xansi "github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/yuin/goldmark/ast"
	astext "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// inset is how many cells a block takes from the width of what is in it.
func (s *script) inset(n ast.Node) int {
	switch n.(type) {
	case *ast.Document:
		return inset(s.theme.Document)
	case *ast.Blockquote:
		return inset(s.theme.BlockQuote)
	case *astext.DefinitionList:
		return inset(s.theme.DefinitionList)
	case *ast.List:
		style := s.theme.List.StyleBlock
		if within[*ast.List](n) {
			style.Indent = &s.theme.List.LevelIndent
		}
		return inset(style)
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		style := s.theme.CodeBlock.StyleBlock
		return inset(ansi.StyleBlock{Indent: style.Indent}) + inset(ansi.StyleBlock{Indent: style.Margin})
	}
	return 0
}

func inset(b ansi.StyleBlock) int {
	cells := uint(0)
	if b.Indent != nil {
		cells += *b.Indent
	}
	if b.Margin != nil {
		cells += 2 * *b.Margin
	}
	return int(cells) //nolint:gosec // a few cells
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
	// end is one past the source of a text that was altered, 0 for what is the
	// source itself.
	end int
}

func (c *code) add(text string, at int) {
	for i := range len(text) {
		c.text = append(c.text, text[i])
		c.at = append(c.at, at+i)
	}
}

// code replaces the lines of a code block. Its tokens carry their colours along,
// so the theme that renders them has no highlighting of its own.
func (s *script) code(n ast.Node, language string, room int, h *highlighter) {
	s.writeCode(n, s.codeOf(n), language, room, h)
}

// formula replaces the lines of a displayed formula, by plain text where it is
// simple.
func (s *script) formula(n ast.Node, room int, h *highlighter) {
	c := s.codeOf(n)
	plain, ok := plainTeX(string(c.text))
	if !s.tex || !ok || len(plain.visible) == 0 {
		s.writeCode(n, c, "tex", room, h)
		return
	}
	shown := code{text: plain.visible, end: c.at[len(c.at)-1] + 1}
	for _, at := range plain.starts {
		shown.at = append(shown.at, c.at[at])
	}
	s.writeCode(n, shown, "", room, h)
}

func (s *script) writeCode(n ast.Node, c code, language string, room int, h *highlighter) {
	set := func(g text.Segment) {
		lines := text.NewSegments()
		lines.Append(g)
		n.SetLines(lines)
	}
	s.put(set, func() {
		w := codeWriter{script: s, code: c, room: room}
		if language == "" || language == "text" {
			w.prose = hardWrapped(string(c.text), room)
		}
		from := 0
		for _, t := range h.tokens(language, c) {
			to := from + len(t.text)
			s.plain = append(s.plain, t.open...)
			w.token(from, to)
			if t.open != "" {
				s.plain = append(s.plain, resetStyle...)
			}
			from = to
		}
	})
}

// codeWriter writes code and wraps its lines, because glamour wraps them without
// their indentation.
type codeWriter struct {
	script *script
	code   code
	room   int // cells of a line
	// prose are the paragraphs that are wrapped anew, those not yet written.
	prose []stretch

	column int
	hang   int    // cells before the rest of a wrapped line
	blank  string // not yet written: it is left out where a line ends
	begun  bool   // the line has a word
}

func (w *codeWriter) token(from, to int) {
	word := from
	characters := graphemes.FromBytes(w.code.text[from:to])
	for characters.Next() {
		s := string(characters.Value())
		if r, _ := utf8.DecodeRuneInString(s); !unicode.IsSpace(r) {
			continue
		}
		w.word(word, from+characters.Start())
		word = from + characters.End()
		switch {
		case s == "\n" && w.joins(word):
			w.blank = " "
			continue
		case s != "\n" && w.joins(word) && w.begun && w.blank == " ":
			continue // the indentation of the next line, or a second blank after a sentence
		case s == "\n":
			w.script.raw("\n")
			w.column, w.blank, w.begun = 0, "", false
			continue
		}
		w.blank += s
	}
	w.word(word, to)
}

// joins says that the next line goes on in the same one: the text before a byte is in a
// paragraph that does not end there.
func (w *codeWriter) joins(at int) bool {
	for len(w.prose) > 0 && at >= w.prose[0].to {
		w.prose = w.prose[1:]
	}
	return len(w.prose) > 0 && at > w.prose[0].from
}

// leastRoom is where wrapping would leave a few letters on each line.
const leastRoom = 8

func (w *codeWriter) word(from, to int) {
	if from >= to {
		return
	}
	indent, width := xansi.StringWidth(w.blank), w.width(from, to)
	if !w.begun {
		w.hang = min(indent+hang, w.room/2)
		if w.joins(to) {
			w.hang = min(indent, w.room/2)
		}
	}
	if w.begun && w.room >= leastRoom && w.column+indent+width > w.room {
		w.wrap()
	} else {
		w.script.raw(w.blank)
		w.column += indent
	}
	w.blank, w.begun = "", true
	for w.room >= leastRoom && w.column+width > w.room && w.column < w.room {
		part := w.part(from, to)
		w.unit(from, part)
		w.wrap()
		from, width = part, w.width(part, to)
	}
	w.unit(from, to)
	w.column += width
}

func (w *codeWriter) wrap() {
	w.script.raw("\n" + strings.Repeat(" ", w.hang))
	w.column = w.hang
}

func (w *codeWriter) width(from, to int) int { return xansi.StringWidth(string(w.code.text[from:to])) }

// part is where to part a word that is too long for a line: behind the last sign
// in what fits, unless that leaves little on the line.
func (w *codeWriter) part(from, to int) int {
	end, column := from, w.column
	characters := graphemes.FromBytes(w.code.text[from:to])
	for characters.Next() {
		column += xansi.StringWidth(string(characters.Value()))
		if column > w.room && end > from {
			break
		}
		end = from + characters.End()
	}
	if sign := strings.LastIndexAny(string(w.code.text[from:end]), ".,;:/(&?=_-"); sign > (end-from)/3 {
		end = from + sign + 1
	}
	return end
}

func (w *codeWriter) unit(from, to int) {
	if from >= to {
		return
	}
	u := &unit{
		visible: string(w.code.text[from:to]),
		start:   w.code.at[from], end: w.code.at[to-1] + 1,
	}
	if w.code.end > 0 {
		u.end = w.code.end
		if to < len(w.code.at) {
			u.end = w.code.at[to]
		}
		for _, at := range w.code.at[from:to] {
			u.starts = append(u.starts, int32(at)) //nolint:gosec // texts are shorter than 64 KB
		}
		u.starts = append(u.starts, int32(u.end)) //nolint:gosec // as above
	}
	w.script.word(u, false)
}
