package rerank

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	render "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxMarkup is how much of a text is read for a reranker, in bytes. Models read
// a few thousand characters; the rest would be stripped for nothing.
const maxMarkup = 64 << 10

// withoutMarkup returns the words of markdown, of HTML or of both mixed: no
// signs, no addresses, a line for each block.
func withoutMarkup(source string) string {
	if len(source) > maxMarkup {
		source = strings.ToValidUTF8(source[:maxMarkup], "")
	}
	// As HTML first, because an element of a page may begin in one block of
	// markdown and end in another. Nobody renders it, so that it may be unsafe.
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough), goldmark.WithRendererOptions(render.WithUnsafe()))
	var page bytes.Buffer
	if err := md.Convert([]byte(source), &page); err != nil {
		return source // rendering into memory does not fail; markup is better than nothing
	}
	return wordsOf(&page)
}

// wordsOf returns the text of HTML that a reader sees.
func wordsOf(page *bytes.Buffer) string {
	var b strings.Builder
	hidden := atom.Atom(0) // the element whose text is not shown
	kept := 0              // elements around in which a line is a line
	for z := html.NewTokenizer(page); z.Next() != html.ErrorToken; {
		switch t := z.Token(); t.Type {
		case html.TextToken:
			switch {
			case hidden != 0:
			case kept > 0:
				b.WriteString(t.Data)
			default:
				b.WriteString(strings.ReplaceAll(t.Data, "\n", " "))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			b.WriteString(tagBreak(t.DataAtom))
			switch t.DataAtom {
			case atom.Script, atom.Style:
				hidden = t.DataAtom
			case atom.Pre:
				kept++
			case atom.Img:
				b.WriteString(altOf(t))
			}
		case html.EndTagToken:
			b.WriteString(tagBreak(t.DataAtom))
			switch t.DataAtom {
			case hidden:
				hidden = 0
			case atom.Pre:
				kept = max(0, kept-1)
			}
		}
	}
	var lines []string
	for line := range strings.Lines(b.String()) {
		if words := strings.Fields(line); len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return strings.Join(lines, "\n")
}

// tagBreak is what stands for a tag: elements that are blocks end a line, cells a
// word, and the others nothing, since they may stand inside of a word.
func tagBreak(tag atom.Atom) string {
	switch tag {
	case atom.Td, atom.Th:
		return " "
	case atom.P, atom.Div, atom.Section, atom.Article, atom.Aside, atom.Details, atom.Summary, atom.Figure, atom.Figcaption,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Ol, atom.Li, atom.Dl, atom.Dt, atom.Dd,
		atom.Table, atom.Thead, atom.Tbody, atom.Tr, atom.Caption, atom.Pre, atom.Blockquote, atom.Br, atom.Hr:
		return "\n"
	}
	return ""
}

func altOf(t html.Token) string {
	for _, a := range t.Attr {
		if a.Key == "alt" {
			return a.Val
		}
	}
	return ""
}
