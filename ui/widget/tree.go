package widget

import "strings"

// Tree is what hangs from what, with what is folded. Its nodes are numbered from 0 by
// whoever keeps them. The tree of Lip Gloss is a drawing of all its nodes at once; this
// one gives rows to a [List].
type Tree struct {
	// Parent is what each node hangs from, -1 for a root.
	Parent   []int
	children [][]int
	roots    []int
	folded   map[int]bool
}

// TreeRow is a visible node: how many others it hangs under, and whether any hang
// from it.
type TreeRow struct {
	Node, Level int
	Inner       bool
}

// Hang gives all nodes their places: parent is what each hangs from, -1 for a root.
// There must be no way round. What is folded stays so.
func (t *Tree) Hang(parent []int) {
	t.Parent, t.children, t.roots = parent, make([][]int, len(parent)), nil
	for node, up := range parent {
		if up < 0 {
			t.roots = append(t.roots, node)
		} else {
			t.children[up] = append(t.children[up], node)
		}
	}
}

// Rows are the nodes from the roots on, each before what hangs from it, without what
// hangs from folded ones.
func (t *Tree) Rows() []TreeRow {
	rows := make([]TreeRow, 0, len(t.Parent))
	var walk func(nodes []int, level int)
	walk = func(nodes []int, level int) {
		for _, n := range nodes {
			rows = append(rows, TreeRow{n, level, len(t.children[n]) > 0})
			if !t.folded[n] {
				walk(t.children[n], level+1)
			}
		}
	}
	walk(t.roots, 0)
	return rows
}

// Folded says that what hangs from a node is hidden.
func (t *Tree) Folded(node int) bool { return t.folded[node] }

// Fold folds a node, or unfolds it.
func (t *Tree) Fold(node int) {
	if t.folded == nil {
		t.folded = map[int]bool{}
	}
	t.folded[node] = !t.folded[node]
}

// Reveal unfolds all that a node hangs from.
func (t *Tree) Reveal(node int) {
	for up := t.Parent[node]; up >= 0; up = t.Parent[up] {
		delete(t.folded, up)
	}
}

// Indent is the blank before a row of a level, at most so many cells wide: deep rows
// keep room for their names.
func Indent(level, most int) string { return strings.Repeat(" ", min(2*level, most)) }
