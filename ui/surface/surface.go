// Package surface turns the HTML surface of a section into markdown that reads
// well on a terminal.
//
// A section whose markdown loses structure is handed to a language model as
// HTML. To show it, its sanitised html_text is converted to markdown and drawn
// like any other text. A general converter gets most of a page right and some
// of it badly: formulas fall into letters, tables with lists in their cells
// collapse, indices stand on the line. This package rewrites those parts of the
// tree first and leaves the rest to html-to-markdown:
//
//	md, err := surface.Markdown(section.HTMLText)
//
// The result is for display only. Offsets of citations never refer to it.
package surface

import (
	"errors"
	"fmt"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
)

// maxBytes is the largest input that is converted. Sections are far smaller;
// what is larger comes from a database that somebody else wrote, and drawing it
// would take longer than anybody waits for a preview.
const maxBytes = 512 << 10

// ErrTooLarge is returned for HTML that is too large to be shown as a section.
var ErrTooLarge = errors.New("the HTML is too large to show")

// Markdown converts the HTML of a section to markdown for display. Blank HTML
// gives an empty string.
//
// It fails for HTML of more than 512 KiB ([ErrTooLarge]) and for HTML that the
// parser refuses, such as one nested deeper than 512 elements. The caller then
// shows the section's markdown and says so. Markdown may be called from several
// goroutines.
func Markdown(text string) (md string, err error) {
	if len(text) > maxBytes {
		return "", ErrTooLarge
	}
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return "", fmt.Errorf("parse HTML: %w", err)
	}
	// The converter is somebody else's code on somebody else's text: if it
	// panics, the section is shown in another form and the program goes on.
	defer func() {
		if p := recover(); p != nil {
			md, err = "", fmt.Errorf("convert HTML: %v", p)
		}
	}()
	prepare(doc)
	out, err := newConverter().ConvertNode(doc)
	if err != nil {
		return "", fmt.Errorf("convert HTML: %w", err)
	}
	return string(out), nil
}

// prepare rewrites what the converter would get wrong. Formulas come before
// indices, because MathML has its own, and everything comes before tables,
// because what is left in a cell must fit on one line.
func prepare(doc *html.Node) {
	dropNoise(doc)
	replaceMath(doc)
	replaceScripts(doc)
	nameLanguages(doc)
	quoteAdmonitions(doc)
	titleDetails(doc)
	captionFigures(doc)
	cutLinks(doc)
	flattenTables(doc)
}

// newConverter builds a converter. It costs microseconds, so each call has its
// own and nothing is shared.
func newConverter() *converter.Converter {
	conv := converter.NewConverter(converter.WithPlugins(
		base.NewBasePlugin(),
		commonmark.NewCommonmarkPlugin(),
		strikethrough.NewStrikethroughPlugin(),
		table.NewTablePlugin(
			table.WithHeaderPromotion(true),
			table.WithSpanCellBehavior(table.SpanBehaviorEmpty),
			table.WithNewlineBehavior(table.NewlineBehaviorPreserve),
			table.WithPresentationTables(true),
			table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal),
		),
	))
	conv.Register.RendererFor("dl", converter.TagTypeBlock, renderDefinitions, converter.PriorityEarly)
	conv.Register.RendererFor("blockquote", converter.TagTypeBlock, renderQuote, converter.PriorityEarly)
	conv.Register.RendererFor("input", converter.TagTypeInline, renderCheckbox, converter.PriorityEarly)
	return conv
}
