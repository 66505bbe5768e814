package surface

import (
	"bytes"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/marker"
	"golang.org/x/net/html"
)

// definitionIndent is what the lines of a definition below its first stand in.
const definitionIndent = "  "

// renderDefinitions writes a definition list as terms, each on its line, and
// definitions behind a colon. A term without a definition and a definition
// without a term are paragraphs.
func renderDefinitions(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	var terms []string
	defined := false // whether the last thing written was a definition
	for _, child := range definitionParts(n) {
		body := renderedChildren(ctx, child)
		switch {
		case len(body) == 0:
		case isElement(child, "dt"):
			if defined {
				terms, defined = nil, false
			}
			terms = append(terms, termLine(body))
		case len(terms) == 0:
			write(w, "\n\n", string(body), "\n\n")
		default:
			if defined {
				write(w, "\n\n", ": ")
			} else {
				write(w, "\n\n", strings.Join(terms, "\n"), "\n: ")
			}
			write(w, string(indented(body)))
			defined = true
		}
	}
	if len(terms) > 0 && !defined {
		write(w, "\n\n", "**", strings.Join(terms, "**\n\n**"), "**")
	}
	write(w, "\n\n")
	return converter.RenderSuccess
}

// definitionParts are the dt and dd of a list, also where pages group them.
func definitionParts(n *html.Node) []*html.Node {
	var parts []*html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case isElement(c, "dt", "dd"):
			parts = append(parts, c)
		case isElement(c, "div", "span", "p"):
			parts = append(parts, definitionParts(c)...)
		}
	}
	return parts
}

func renderedChildren(ctx converter.Context, n *html.Node) []byte {
	var buf bytes.Buffer
	ctx.RenderChildNodes(ctx, &buf, n)
	return ctx.UnEscapeContent(bytes.TrimSpace(buf.Bytes()))
}

// termLine puts a term on one line: the next line would be another term.
func termLine(body []byte) string {
	body = bytes.ReplaceAll(body, marker.BytesMarkerCodeBlockNewline, []byte(" "))
	return strings.Join(strings.Fields(string(body)), " ")
}

// indented sets all lines but the first in.
func indented(body []byte) []byte {
	lines := bodyLines(body, definitionIndent)
	for i, line := range lines {
		if i > 0 && len(line) > 0 {
			lines[i] = append([]byte(definitionIndent), line...)
		}
	}
	return bytes.Join(lines, []byte("\n"))
}

// bodyLines are the lines of a rendered body, at most one blank line in a row.
// The lines inside code blocks, which the converter marks until the end so that
// no step changes them, get the prefix here.
func bodyLines(body []byte, prefix string) [][]byte {
	mark := marker.BytesMarkerCodeBlockNewline
	body = bytes.ReplaceAll(body, mark, append(bytes.Clone(mark), prefix...))
	var lines [][]byte
	for line := range bytes.SplitSeq(body, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			if len(lines) > 0 && len(lines[len(lines)-1]) == 0 {
				continue
			}
			line = nil
		}
		lines = append(lines, line)
	}
	return lines
}

// write writes to the converter's buffer, which does not fail.
func write(w converter.Writer, parts ...string) {
	for _, p := range parts {
		_, _ = w.WriteString(p)
	}
}
