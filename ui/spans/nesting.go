package spans

import (
	"github.com/yuin/goldmark/ast"
	astext "github.com/yuin/goldmark/extension/ast"
)

// maxNesting is how many quotes and lists may stand in each other. glamour wraps
// the text of each once more, so its time grows with the third power of the
// depth: a line of "> > > …" would keep it busy for hours.
const maxNesting = 8

// nestingFor returns how many levels fit a width. When their indentation leaves
// no room, glamour stops wrapping.
func nestingFor(width int) int { return max(1, min(maxNesting, width/8)) }

// flatten puts the paragraphs of quotes and lists that are nested deeper than
// limit in their place, one below the other.
func (t *tree) flatten(limit int) {
	var deep []ast.Node
	level := 0
	_ = ast.Walk(t.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n.(type) {
		case *ast.Blockquote, *ast.List, *astext.DefinitionList:
		default:
			return ast.WalkContinue, nil
		}
		if !entering {
			level--
			return ast.WalkContinue, nil
		}
		level++
		if level > limit {
			deep = append(deep, n)
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	for _, n := range deep {
		parent := n.Parent()
		for _, leaf := range leaves(n) {
			parent.InsertBefore(parent, n, leaf)
		}
		parent.RemoveChild(parent, n)
	}
}

// leaves lists the blocks below n that hold text themselves. Text blocks of
// tight lists become paragraphs, which keep apart.
func leaves(n ast.Node) []ast.Node {
	var found []ast.Node
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || c == n || c.Type() != ast.TypeBlock {
			return ast.WalkContinue, nil
		}
		_, isTable := c.(*astext.Table)
		if first := c.FirstChild(); !isTable && first != nil && first.Type() == ast.TypeBlock {
			return ast.WalkContinue, nil
		}
		found = append(found, c)
		return ast.WalkSkipChildren, nil
	})
	for i, c := range found {
		switch c.(type) {
		case *ast.TextBlock, *astext.DefinitionTerm:
			p := ast.NewParagraph()
			move(c, p)
			found[i] = p
		}
	}
	return found
}
