package spans

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// replaceHTML turns HTML blocks into paragraphs of their text and takes inline
// tags out. glamour drops tags without a blank, so that words and table cells
// run together.
func (t *tree) replaceHTML() {
	for _, n := range nodes[*ast.HTMLBlock](t.root) {
		p := ast.NewParagraph()
		t.appendHTML(p, n)
		if p.ChildCount() == 0 {
			n.Parent().RemoveChild(n.Parent(), n)
			continue
		}
		n.Parent().ReplaceChild(n.Parent(), n, p)
	}
	for _, n := range nodes[*ast.RawHTML](t.root) {
		tag := string(n.Segments.Value([]byte(t.source)))
		parent := n.Parent()
		if s := separator(html.NewTokenizer(strings.NewReader(tag)), isFlat(n)); s != "" {
			if next, ok := n.NextSibling().(*ast.Text); ok && !t.texts[next].isFixed {
				next.Segment = next.Segment.TrimLeftSpace([]byte(t.source))
			}
			parent.ReplaceChild(parent, n, t.fixed(s))
			continue
		}
		parent.RemoveChild(parent, n)
	}
}

// isFlat reports that a node is inside something of one line, whose text
// glamour collects without its structure.
func isFlat(n ast.Node) bool { return within[*ast.Image](n) || within[*ast.Heading](n) }

// separator is what stands in an inline text for the tag that comes next.
func separator(z *html.Tokenizer, flat bool) string {
	switch z.Next() {
	case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
	default:
		return ""
	}
	name, _ := z.TagName()
	switch lineBreak(atom.Lookup(name)) {
	case noBreak:
		return ""
	case breakLine:
		if !flat && string(name) == "br" {
			return "\n"
		}
	}
	return " "
}

// breaking says what a tag does to the text around it, in rising strength.
type breaking uint8

const (
	noBreak breaking = iota
	breakWord
	breakLine
)

func lineBreak(tag atom.Atom) breaking {
	switch tag {
	case atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Bdo, atom.Cite, atom.Code, atom.Data, atom.Del,
		atom.Dfn, atom.Em, atom.Font, atom.I, atom.Img, atom.Ins, atom.Kbd, atom.Label, atom.Mark,
		atom.Q, atom.S, atom.Samp, atom.Small, atom.Span, atom.Strong, atom.Sub, atom.Sup,
		atom.Time, atom.U, atom.Var, atom.Wbr, 0:
		return noBreak
	case atom.Td, atom.Th:
		return breakWord
	}
	return breakLine
}

// htmlWriter appends the text of an HTML block to a paragraph.
type htmlWriter struct {
	tree      *tree
	paragraph *ast.Paragraph
	pending   breaking
	// hidden is the element whose content is no text, such as a script.
	hidden atom.Atom
}

func (t *tree) appendHTML(p *ast.Paragraph, n *ast.HTMLBlock) {
	lines := n.Lines().Sliced(0, n.Lines().Len())
	if n.HasClosure() {
		lines = append(lines, n.ClosureLine)
	}
	var b strings.Builder
	for _, l := range lines {
		b.Write(l.Value([]byte(t.source)))
	}
	w := &htmlWriter{tree: t, paragraph: p}
	z := html.NewTokenizer(strings.NewReader(b.String()))
	for at := 0; ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return
		}
		length := len(z.Raw())
		if kind == html.TextToken {
			w.text(lines, at, at+length)
		} else {
			w.tag(z, kind)
		}
		at += length
	}
}

func (w *htmlWriter) tag(z *html.Tokenizer, kind html.TokenType) {
	if kind == html.CommentToken || kind == html.DoctypeToken {
		return
	}
	name, _ := z.TagName()
	a := atom.Lookup(name)
	switch {
	case kind == html.EndTagToken && a == w.hidden:
		w.hidden = 0
	case kind == html.StartTagToken && (a == atom.Script || a == atom.Style || a == atom.Template):
		w.hidden = a
	}
	w.pending = max(w.pending, lineBreak(a))
}

// text appends the bytes [from, to) of the joined lines. The lines of a quoted
// block do not follow each other in the source, so each is a node of its own.
func (w *htmlWriter) text(lines []text.Segment, from, to int) {
	if w.hidden != 0 {
		return
	}
	at := 0
	for _, l := range lines {
		padded := at
		at += l.Padding + l.Stop - l.Start
		start := l.Start + max(0, from-padded-l.Padding)
		stop := min(l.Stop, l.Start+to-padded-l.Padding)
		if start < stop && start < l.Stop {
			w.line(start, stop)
		}
	}
}

func (w *htmlWriter) line(start, stop int) {
	s := w.tree.source[start:stop]
	trimmed := strings.TrimLeft(s, " \n")
	if len(trimmed) < len(s) {
		w.pending = max(w.pending, breakWord)
	}
	if trimmed == "" {
		return
	}
	if w.paragraph.ChildCount() > 0 {
		switch w.pending {
		case breakWord:
			w.paragraph.AppendChild(w.paragraph, w.tree.fixed(" "))
		case breakLine:
			w.paragraph.AppendChild(w.paragraph, w.tree.fixed("\n"))
		}
	}
	start = stop - len(trimmed)
	end := start + len(strings.TrimRight(trimmed, " \n"))
	w.paragraph.AppendChild(w.paragraph, w.tree.sourced(start, end, textKind{syntax: htmlText, collapse: true}))
	w.pending = noBreak
	if end < stop {
		w.pending = breakWord
	}
}
