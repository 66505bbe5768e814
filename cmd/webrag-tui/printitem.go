package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// item prints one result: its place, where it stands, and how it was found.
func (p *printer) item(it *retrieval.Item, best float64) {
	value := pad(bar(it.Score, best), barMax) + " " + score(it.Score)
	if isFlat(it) {
		value = nearness(it)
	}
	fmt.Fprintf(p.w, "%4d  %s  %s%s  %s%d–%d, %s tokens%s\n", it.Rank, value, offset.Line(headingOf(it)), partWords(it),
		faint, it.CharStart, it.CharEnd, p.tokens(fmt.Sprint(it.Tokens())), plain)
	if p.text {
		p.quoted(it.SelectedText())
	} else if quote := excerpt(it); quote != "" {
		fmt.Fprintf(p.w, "      %s%s%s\n", faint, quote, plain)
	}
	p.found(it)
	if p.explain && it.Explanation != nil {
		p.tree(it.Explanation, "      ", "", "", "")
	}
}

// headingOf is the nearest heading above an item, for a passage under that of its
// section; where there is none, the words by which it is known.
func headingOf(it *retrieval.Item) string {
	heading := it.SectionHeading
	if n := len(it.HeadingPath); n > 0 {
		heading = it.HeadingPath[n-1]
	}
	switch {
	case heading == "":
		return nameWords(session.Opening(excerpt(it)))
	case it.Level == store.Child && it.SectionHeading != "" && it.SectionHeading != heading:
		return it.SectionHeading + " › " + heading
	default:
		return heading
	}
}

// isFlat reports that the score is that of full context, which says nothing.
func isFlat(it *retrieval.Item) bool {
	return !it.HasRaw && it.Vector == nil && it.Keyword == nil && it.Hop == 0 && it.Rerank == nil
}

// partWords say which part of its section a chunk is.
func partWords(it *retrieval.Item) string {
	switch {
	case it.Level != store.Child:
		return ""
	case len(it.Merged) > 1:
		return fmt.Sprintf(" · parts %d–%d", it.ChunkIndex+1, it.ChunkIndex+len(it.Merged))
	default:
		return fmt.Sprintf(" · part %d", it.ChunkIndex+1)
	}
}

// found prints which arms, edges and reranker brought an item where it is. Where
// similarity alone did, the scores say it.
func (p *printer) found(it *retrieval.Item) {
	var parts []string
	if p.arms && it.Vector != nil {
		parts = append(parts, fmt.Sprintf("vec #%d %s", it.Vector.Rank, score(it.Vector.Score)))
	}
	if it.Keyword != nil {
		parts = append(parts, fmt.Sprintf("kw #%d %.2f", it.Keyword.Rank, it.Keyword.Score))
	}
	if r := it.Rerank; r != nil {
		parts = append(parts, rerankWords(r))
	}
	if len(parts) > 0 {
		fmt.Fprintf(p.w, "      %s%s%s\n", faint, strings.Join(parts, " · "), plain)
	}
	p.paths("", it.GraphContext)
	p.paths("also ", it.EdgesIn)
}

// paths prints the best way to an item, and all of them with an explanation.
func (p *printer) paths(before string, paths []retrieval.GraphPath) {
	shown := min(1, len(paths))
	if p.explain {
		shown = len(paths)
	}
	for i := range paths[:shown] {
		more := ""
		if n := len(paths) - shown; n > 0 {
			more = fmt.Sprintf(", %d more", n)
		}
		p.path(before, &paths[i], more)
	}
}

func hasEdges(it *retrieval.Item) bool { return len(it.GraphContext)+len(it.EdgesIn) > 0 }

func rerankWords(r *retrieval.RerankPlace) string {
	if !r.Scored {
		return "not scored by " + offset.Line(r.By)
	}
	words := fmt.Sprintf("reranked %s by %s", score(r.Score), offset.Line(r.By))
	if r.Before != r.After {
		words += fmt.Sprintf(", was #%d", r.Before)
	}
	return words
}

// path prints an edge that led to an item: from where, why, and what it added.
func (p *printer) path(before string, g *retrieval.GraphPath, more string) {
	from := cmp.Or(g.FromHeading, g.FromChunkID)
	line := fmt.Sprintf("← %s%s from “%s”", before, g.Relation, from)
	if g.Reversed {
		line = fmt.Sprintf("→ %s%s of “%s”, walked back", before, g.Relation, from)
	}
	if g.Description != "" {
		line += ": " + g.Description
	}
	fmt.Fprintf(p.w, "      %s%s · hop %d, adds %s%s%s\n", faint, offset.Line(line), g.Hop, score(g.Term), more, plain)
}

// nearness stands for the score of full context, which is 1 for every section:
// the cosine of the nearest child, in faint because nothing was chosen by it.
func nearness(it *retrieval.Item) string {
	if len(it.Matches) == 0 {
		return strings.Repeat(" ", barMax+5)
	}
	return faint + pad("nearest", barMax) + " " + score(it.Matches[0].Similarity) + plain
}

// tree draws an explanation with the arithmetic of each number. A note stands
// beside the arithmetic and is drawn faint. What every result would repeat is left
// out: a scale that is that of the number above, a depth that changes nothing, and
// the parts of one that its formula says. JSON has all of it.
func (p *printer) tree(e *retrieval.Explanation, indent, branch, below, scaleAbove string) {
	e = withoutIdleDepth(e)
	line := fmt.Sprintf("%.6g  %s", e.Value, offset.Line(e.Label))
	if e.Op == retrieval.OpNote {
		line = faint + line
	}
	if how := howWords(e); how != "" {
		line += "   " + faint + offset.Line(how) + plain
	}
	if e.Scale != "" && e.Scale != scaleAbove {
		line += "  " + faint + "[" + offset.Line(e.Scale) + "]" + plain
	}
	if e.Op == retrieval.OpNote {
		line += plain
	}
	fmt.Fprintln(p.w, indent+branch+line)
	if isDepth(e) {
		return
	}
	for i, child := range e.Children {
		if i == len(e.Children)-1 {
			p.tree(child, indent+below, "└ ", "  ", e.Scale)
		} else {
			p.tree(child, indent+below, "├ ", "│ ", e.Scale)
		}
	}
}

// isDepth says that a number is the multiplier of a depth.
func isDepth(e *retrieval.Explanation) bool {
	return e.Op == retrieval.OpClamp && e.IsMultiplier()
}

// withoutIdleDepth is what a depth multiplies where that is by 1.
func withoutIdleDepth(e *retrieval.Explanation) *retrieval.Explanation {
	if e.Op == retrieval.OpProduct && len(e.Children) == 2 && isDepth(e.Children[1]) && e.Children[1].Value == 1 {
		return e.Children[0]
	}
	return e
}

// howWords are the formula of a number, or where it has none its operation over
// the numbers below it.
func howWords(e *retrieval.Explanation) string {
	if e.Formula != "" {
		return e.Formula
	}
	var values []string
	for _, child := range e.Children {
		if child.Op != retrieval.OpNote {
			values = append(values, fmt.Sprintf("%.6g", child.Value))
		}
	}
	if len(values) < 2 {
		return ""
	}
	switch e.Op {
	case retrieval.OpSum:
		return strings.Join(values, " + ")
	case retrieval.OpProduct:
		return strings.Join(values, " × ")
	case retrieval.OpQuotient:
		return strings.Join(values, " / ")
	case retrieval.OpMax, retrieval.OpClamp:
		return "max(" + strings.Join(values, ", ") + ")"
	default:
		return ""
	}
}
