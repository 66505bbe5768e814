package surface

import (
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"
)

// renderCheckbox writes the box of a task list; other inputs are no text.
func renderCheckbox(_ converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	if !strings.EqualFold(attr(n, "type"), "checkbox") {
		return converter.RenderSuccess
	}
	if hasAttr(n, "checked") {
		write(w, "[x]")
	} else {
		write(w, "[ ]")
	}
	if next := n.NextSibling; next != nil && next.Type == html.TextNode && strings.HasPrefix(next.Data, " ") {
		return converter.RenderSuccess // the page has its own space
	}
	write(w, " ")
	return converter.RenderSuccess
}
