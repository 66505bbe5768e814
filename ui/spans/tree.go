package spans

import (
	"net/url"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// tree is a parsed document that glamour can render, with what its nodes alone
// do not say.
type tree struct {
	source string
	root   ast.Node
	base   *url.URL // of relative links, nil for none
	// texts has an entry for each text node that is not markdown of the source.
	texts map[*ast.Text]textKind
	// formulas are the displayed ones, which glamour sees as code.
	formulas *formulas
	// table numbers the tables of the document.
	table map[ast.Node]int
}

// textKind tells how the text of a node is read.
type textKind struct {
	syntax syntax
	// fixed text is written as it is and has no source.
	fixed   string
	isFixed bool
	// label is a word that stands for the node's text.
	label string
	// hyperlink is the address that the words link to, empty for none.
	hyperlink string
	// silent words show source text a second time and are not mapped.
	silent bool
	// collapse makes one blank of several, as browsers do.
	collapse bool
}

// parse reads a displayed text and prepares it. Tables whose numbers are in
// narrow are turned into one record per row.
func parse(source string, o Options, narrow narrowTables) *tree {
	found := newFormulas()
	t := &tree{
		source:   source,
		root:     markdown(found).Parser().Parse(text.NewReader([]byte(source))),
		base:     baseURL(o.Base),
		texts:    map[*ast.Text]textKind{},
		formulas: found,
		table:    map[ast.Node]int{},
	}
	t.repair(o.Width, narrow)
	return t
}

// markdown is the dialect that is read: GitHub's with definition lists and TeX.
func markdown(f *formulas) goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.GFM, extension.DefinitionList, f),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	)
}

// fixed returns a text node that shows s and has no source.
func (t *tree) fixed(s string) *ast.Text {
	n := ast.NewTextSegment(text.NewSegment(0, 0))
	t.texts[n] = textKind{isFixed: true, fixed: s}
	return n
}

// sourced returns a text node over source[start:end].
func (t *tree) sourced(start, end int, k textKind) *ast.Text {
	n := ast.NewTextSegment(text.NewSegment(start, end))
	t.texts[n] = k
	return n
}

// nodes lists the nodes below n for which keep holds, in document order. The
// tree may be changed while ranging over the list.
func nodes[T ast.Node](n ast.Node) []T {
	var found []T
	// The walker cannot fail: nothing here returns an error.
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(T); ok && entering {
			found = append(found, t)
		}
		return ast.WalkContinue, nil
	})
	return found
}

func within[T ast.Node](n ast.Node) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		if _, ok := p.(T); ok {
			return true
		}
	}
	return false
}
