package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// scorePane takes the score of one section apart.
type scorePane struct {
	w int
	widget.Pager
	item *retrieval.Item
	// of is the result that the item belongs to, nil for an opened span alone.
	of *retrieval.Result
	// focused is the match that the preview stands on, -1 for none.
	focused int
	// estimated marks counts of tokens that another tokenizer made.
	estimated bool
	withText  bool     // the item's text was there when lines were drawn
	lines     []string // all of them; nil until drawn
	version   int      // of lines
	drawn     widget.Drawing[scoreLook]

	// more is what was found out about the section beyond its ranking, as of a
	// version of it; params are what it was ranked by, query what for.
	more   *explaining
	moreOf int
	params param.Params
	query  string
}

func (p *scorePane) show(it *retrieval.Item, of *retrieval.Result, focused int) {
	if p.item == nil || it == nil || p.item.ChunkID != it.ChunkID {
		p.Top = 0
	}
	// The text of a section under a cut comes when it is selected.
	withText := it != nil && it.ChunkText != ""
	if p.item != it || p.of != of || p.focused != focused || p.withText != withText {
		p.lines = nil
	}
	p.item, p.of, p.focused, p.withText = it, of, focused, withText
}

// explain gives the pane what is known beyond the ranking.
func (p *scorePane) explain(x *explaining, params param.Params, query string) {
	if p.more != x || p.moreOf != x.version || p.params != params || p.query != query {
		p.lines = nil
	}
	p.more, p.moreOf, p.params, p.query = x, x.version, params, query
}

func (p *scorePane) setSize(w, h int) {
	if w != p.w {
		p.lines = nil
	}
	p.w, p.Height = w, h
}

func (p *scorePane) view(s *theme.Styles) []string {
	if p.lines == nil {
		p.lines = p.draw(s)
		p.version++
	}
	p.Resize(p.Height, len(p.lines))
	return p.drawn.Keep(scoreLook{p.version, p.w, p.Pager}, func() []string {
		shown := slices.Clone(p.lines[p.Top:p.Until()])
		p.More(s, shown, wording.Plural)
		return widget.Clip(shown, p.w, p.Height)
	})
}

// scoreLook is all that the visible part of the lines depends on.
type scoreLook struct {
	version, w int
	shown      widget.Pager
}

// draw makes all lines of the pane.
func (p *scorePane) draw(s *theme.Styles) []string {
	room := p.w - 2
	if p.item == nil || room <= 0 {
		return []string{}
	}
	var lines []string
	add := func(block []string) {
		if len(block) == 0 {
			return
		}
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		for _, l := range block {
			lines = append(lines, " "+l)
		}
	}
	it := p.item
	var rest []string // of the tree
	switch {
	case it.Why != nil:
		var floor param.Floor
		if p.of != nil {
			floor = p.of.Floor
		}
		add(whyLines(s, it, floor, room))
	case it.Explanation != nil:
		// Where there are steps to be drawn, the tree is what they stand for.
		tree := explanationLines(s, it.Explanation, &p.params, room)
		if steps := waterfallLines(s, it.Explanation, room); steps != nil {
			head := headLines(s, it.Explanation, &p.params, room)
			add(head)
			add(steps)
			rest = append([]string{s.Strong.Render(ansi.Truncate("how it was made", room, s.Signs.Ellipsis))}, tree[len(head):]...)
		} else {
			add(tree)
		}
	case p.of == nil || it.Rank == 0:
		add(widget.Styled(s.Faint.Render, widget.Wrapped("Opened by its place: no query returned it, so it has no score.", room)))
	}
	if p.more != nil && p.more.Item == it {
		add(wordLines(s, p.more, p.query, it, p.focused, room))
		add(turnLines(s, p.more, room))
	}
	add(armLines(s, it, p.of, room))
	add(rest)
	add(pathLines(s, "how edges lead here", it.GraphContext, it.Explanation, &p.params, room))
	add(pathLines(s, "edges lead here, too", it.EdgesIn, it.Explanation, &p.params, room))
	add(p.placeLines(s, room))
	add(p.matchLines(s, room))
	return lines
}

// placeLines says where the section stands in the result and in the budget.
func (p *scorePane) placeLines(s *theme.Styles, room int) []string {
	it := p.item
	var lines []string
	if p.of != nil && it.Why == nil && it.Rank > 0 {
		if p.of.Mode == param.ModeFullContext {
			lines = append(lines, widget.Wrapped(fmt.Sprintf("section %d of %d in reading order", it.Rank, len(p.of.Items)), room)...)
			lines = append(lines, widget.Styled(s.Faint.Render, widget.Wrapped("Full context: the whole corpus fits, so nothing was selected by a score.", room))...)
		} else {
			lines = append(lines, fmt.Sprintf("rank %d of %d · %s", it.Rank, len(p.of.Items), wording.Tokens(it.Tokens(), p.estimated)))
		}
		// What is ranked above it has taken its part of the budget first.
		used := max(it.CumulativeTokens, it.Tokens())
		budget := fmt.Sprintf("budget %s of %s, %s in all", wording.Estimate(used, p.estimated), wording.Count(p.of.Budget), wording.Estimate(p.of.Tokens, p.estimated))
		if p.of.Budget >= param.Unlimited {
			budget = fmt.Sprintf("no budget, %s in all", wording.Tokens(p.of.Tokens, p.estimated))
		}
		lines = append(lines, widget.Wrapped(budget, room)...)
	}
	if it.Surface == retrieval.SurfaceHTML {
		lines = append(lines, widget.Styled(s.Faint.Render, widget.Wrapped("sent as HTML, "+wording.Tokens(it.HTMLTokens, p.estimated), room))...)
	}
	return lines
}

// matchLines lists the passages that matched, with the numbers that stand beside
// them in the preview.
func (p *scorePane) matchLines(s *theme.Styles, room int) []string {
	it := p.item
	if len(it.Matches) == 0 {
		return nil
	}
	spelled := room >= spelledWidth
	head := "children that matched"
	if p.of != nil && p.of.Mode == param.ModeFullContext {
		head = "nearest children, not used"
	}
	lines := []string{s.Strong.Render(ansi.Truncate(head, room, "…"))}
	best := 0.0
	for i := range it.Matches {
		best = max(best, it.Matches[i].Similarity)
	}
	keywords := false
	for i, m := range it.Matches {
		mark, style := widget.Mark(s, i == p.focused, true, s.Text)
		para := ""
		if it.ChunkText != "" {
			para = fmt.Sprintf("¶%d", paragraph(it.ChunkText, m.CharStart-it.CharStart))
		}
		keywords = keywords || m.KeywordRank > 0
		ranks := matchRanks(m, spelled)
		left := mark + style.Render(fmt.Sprintf("%2s  %-4s", strconv.Itoa(i+1), para)) + s.Faint.Render(ranks)
		if m.Rank == 0 && m.KeywordRank > 0 { // no cosine: the words alone found it
			lines = append(lines, widget.Spread(left, s.Faint.Render(fmt.Sprintf("BM25 %.2f", m.BM25)), room))
			continue
		}
		b := widget.Bar(m.Similarity, best, 6, s.Plain)
		right := s.Bars[wording.Level(m.Similarity, 0, best)].Render(b) + strings.Repeat(" ", 6-ansi.StringWidth(b)) + s.Score.Render(fmt.Sprintf(" %5s", wording.Score(m.Similarity)))
		lines = append(lines, widget.Spread(left, right, room))
	}
	legend := "cosine; ¶ block of the section, # rank among all children"
	switch {
	case spelled:
		legend = "cosine; ¶ block of the section, ranks among all children"
	case keywords:
		legend += ", k rank by words"
	}
	return append(lines, widget.Styled(s.Faint.Render, widget.Wrapped(legend, room))...)
}

// spelledWidth is the room from which the ranks of a match are written out.
const spelledWidth = 44

// matchRanks are the places of a passage among those that each arm found.
func matchRanks(m retrieval.Match, spelled bool) string {
	nearest, words := "#", "k"
	if spelled {
		nearest, words = "vector ", "keyword "
	}
	var ranks []string
	if m.Rank > 0 || m.KeywordRank == 0 {
		ranks = append(ranks, nearest+strconv.Itoa(m.Rank))
	}
	if m.KeywordRank > 0 {
		ranks = append(ranks, words+strconv.Itoa(m.KeywordRank))
	}
	if spelled {
		return strings.Join(ranks, ", ")
	}
	return strings.Join(ranks, " ")
}

// paragraph is the number, from 1, of the block of text that holds a code point;
// blocks are divided by blank lines.
func paragraph(text string, point int) int {
	n, newlines, at := 1, 0, 0
	started := false
	for _, r := range text {
		if r == '\n' {
			newlines++
		} else if r != ' ' && r != '\t' {
			if newlines > 1 && started {
				n++
			}
			newlines, started = 0, true
		}
		if at >= point && newlines == 0 {
			break
		}
		at++
	}
	return n
}
