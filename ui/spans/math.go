package spans

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxInlineMath is how long, in bytes, a formula within a line of text can be.
// It bounds the search for the end of what only looks like one.
const maxInlineMath = 1 << 10

// formulas reads TeX between dollar signs as code, so that its underscores and
// stars are no emphasis: $x_1$ within text, and $$ … $$ also as a block. It
// serves one document.
type formulas struct {
	// blocks has the displayed formulas; true for those that have ended.
	blocks map[*ast.CodeBlock]bool
	// inline has those within text.
	inline map[*ast.CodeSpan]bool
}

func newFormulas() *formulas {
	return &formulas{blocks: map[*ast.CodeBlock]bool{}, inline: map[*ast.CodeSpan]bool{}}
}

// Extend registers the parsers: blocks before fences, and text after code
// spans, which can hold dollar signs.
func (f *formulas) Extend(m goldmark.Markdown) {
	m.Parser().AddOptions(
		parser.WithBlockParsers(util.Prioritized(mathBlocks{f}, 650)),
		parser.WithInlineParsers(util.Prioritized(mathSpans{f}, 150)),
	)
}

var displayMark = []byte("$$")

// mathBlocks reads formulas that begin a line with "$$" and end one with it.
type mathBlocks struct{ found *formulas }

func (mathBlocks) Trigger() []byte                             { return []byte{'$'} }
func (mathBlocks) CanInterruptParagraph() bool                 { return true }
func (mathBlocks) CanAcceptIndentedLine() bool                 { return false }
func (mathBlocks) Close(ast.Node, text.Reader, parser.Context) {}

func (b mathBlocks) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	from := pc.BlockOffset()
	if from < 0 || !bytes.HasPrefix(line[from:], displayMark) {
		return nil, parser.NoChildren
	}
	from += len(displayMark)
	rest := bytes.TrimRight(line[from:], " \n")
	end, closed := bytes.CutSuffix(rest, displayMark)
	switch {
	case closed && bytes.Contains(end, displayMark), !closed && bytes.Contains(rest, displayMark):
		return nil, parser.NoChildren // several formulas, or one with text behind it
	case closed:
		rest = end
	case !endsFormula(reader.Source()[segment.Stop:]):
		return nil, parser.NoChildren
	}
	node := ast.NewCodeBlock()
	start := segment.Start - segment.Padding + from
	appendTeX(node, text.NewSegment(start, start+len(rest)), reader.Source())
	b.found.blocks[node] = closed
	reader.AdvanceToEOL()
	return node, parser.NoChildren
}

func (b mathBlocks) Continue(n ast.Node, reader text.Reader, _ parser.Context) parser.State {
	node, ok := n.(*ast.CodeBlock)
	if !ok || b.found.blocks[node] {
		return parser.Close
	}
	line, segment := reader.PeekLine()
	rest, closed := bytes.CutSuffix(bytes.TrimRight(line, " \n"), displayMark)
	if !closed && len(rest) == 0 {
		b.found.blocks[node] = true // no formula has an empty line
		return parser.Close
	}
	start := segment.Start - segment.Padding
	appendTeX(node, text.NewSegment(max(start, segment.Start), start+len(rest)), reader.Source())
	reader.AdvanceToEOL()
	if closed {
		b.found.blocks[node] = true
		return parser.Close
	}
	return parser.Continue | parser.NoChildren
}

// endsFormula reports that one of the lines of a text, up to an empty one, ends
// with "$$" and nothing before it does.
func endsFormula(rest []byte) bool {
	for line := range bytes.Lines(rest) {
		line = bytes.TrimRight(bytes.TrimLeft(line, "> "), " \n")
		if at := bytes.Index(line, displayMark); at >= 0 || len(line) == 0 {
			return at >= 0 && at == len(line)-len(displayMark)
		}
	}
	return false
}

// appendTeX adds a line of TeX to a block, without the blanks around it.
func appendTeX(n *ast.CodeBlock, s text.Segment, source []byte) {
	s = s.TrimLeftSpace(source)
	if s = s.TrimRightSpace(source); s.Start >= s.Stop {
		return
	}
	s.ForceNewline = true
	n.Lines().Append(s)
}

// mathSpans reads formulas within text. Amounts of money are none: the signs of
// a formula have no blank inside and neither letter nor digit outside.
type mathSpans struct{ found *formulas }

func (mathSpans) Trigger() []byte { return []byte{'$'} }

func (m mathSpans) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	if isWordRune(before) || before == '$' {
		return nil
	}
	line, _ := block.PeekLine()
	marks := 1
	if bytes.HasPrefix(line, displayMark) {
		marks = 2
	}
	at, position := block.Position()
	block.Advance(marks)
	node := ast.NewCodeSpan()
	for length := 0; length < maxInlineMath; {
		line, segment := block.PeekLine()
		if line == nil {
			break
		}
		if node.ChildCount() == 0 && (len(line) == 0 || line[0] == '$' || marks == 1 && util.IsSpace(line[0])) {
			break
		}
		end := formulaEnd(line[:min(len(line), maxInlineMath-length)], marks)
		if end == noFormula {
			break
		}
		if end >= 0 {
			if s := segment.WithStop(segment.Start + end); !s.IsEmpty() {
				node.AppendChild(node, ast.NewRawTextSegment(s))
			}
			block.Advance(end + marks)
			trimFormula(node, block.Source())
			m.found.inline[node] = true
			return node
		}
		node.AppendChild(node, ast.NewRawTextSegment(segment))
		length += len(line)
		block.AdvanceLine()
	}
	block.SetPosition(at, position)
	return nil
}

// What formulaEnd says when no formula ends in a line, and when what looked like
// one is none: another begins within it.
const (
	goesOn    = -1
	noFormula = -2
)

// formulaEnd is the byte of a line at which the signs stand that end a formula.
func formulaEnd(line []byte, marks int) int {
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\':
			i++
		case line[i] != '$':
		case marks == 2:
			if bytes.HasPrefix(line[i:], displayMark) {
				return i
			}
		case i > 0 && util.IsSpace(line[i-1]):
			return noFormula
		default:
			if next, _ := utf8.DecodeRune(line[i+1:]); next != '$' && !isWordRune(next) {
				return i
			}
		}
	}
	return goesOn
}

// trimFormula takes the blanks off the ends of a formula.
func trimFormula(n *ast.CodeSpan, source []byte) {
	if first, ok := n.FirstChild().(*ast.Text); ok {
		first.Segment = first.Segment.TrimLeftSpace(source)
	}
	if last, ok := n.LastChild().(*ast.Text); ok {
		last.Segment = last.Segment.TrimRightSpace(source)
	}
}

func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
