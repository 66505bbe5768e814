package score

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Draw implements [view.Pane].
func (v *View) Draw(w, h int, _ bool) []string {
	s := v.Styles()
	if v.item == nil {
		words := "What a score is made of stands here, once a section is selected."
		if v.needs.IsOnPage() {
			words = v.Keyed("A page is selected, which has no score of its own: {results.fold} unfolds it.")
		}
		said := widget.Styled(s.Faint.Render, widget.Wrapped(words, w-2))
		return widget.Clip(append([]string{""}, widget.Indented(said, 1)...), w, h)
	}
	lines := v.Lines()
	v.pager.Resize(v.pager.Height, len(lines))
	return v.drawn.Keep(window{v.count, v.w, v.pager}, func() []string {
		return widget.Clip(lines[v.pager.Top:v.pager.Until()], v.w, v.pager.Height)
	})
}

// Lines are all lines of the section, of which Draw shows those that there is room for.
func (v *View) Lines() []string {
	if v.item == nil {
		return nil
	}
	now := v.Session()
	of := subject{
		item: v.item, of: now.Result(), focused: v.focused, withText: v.item.ChunkText != "",
		version: v.version, params: now.Params(), query: now.Query(), isEstimated: v.IsEstimated(), w: v.w, styles: v.Styles(),
	}
	if v.lines == nil || of != v.made {
		v.made = of
		v.lines = v.linesOf(&v.made)
		v.count++
	}
	return v.lines
}

// linesOf makes all lines of a section.
func (v *View) linesOf(p *subject) []string {
	s, room := p.styles, p.w-2
	if room <= 0 {
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
	if x := v.Session().Examination(); x.Item == it {
		add(v.wordLines(p.query, it, p.focused, room))
		add(breakpointLines(s, x, room))
	}
	add(armLines(s, it, p.of, room))
	add(rest)
	add(pathLines(s, "how edges lead here", it.GraphContext, it.Explanation, &p.params, room))
	add(pathLines(s, "edges lead here, too", it.EdgesIn, it.Explanation, &p.params, room))
	add(p.placeLines(room))
	matches := p.matchLines(room)
	add(matches)
	v.said = -1
	if p.focused >= 0 && p.focused < len(it.Matches) && len(matches) > 0 {
		v.said = len(lines) - len(matches) + 1 + p.focused // below the heading
	}
	return lines
}

// placeLines says where the section stands in the result and in the budget.
func (p *subject) placeLines(room int) []string {
	s, it := p.styles, p.item
	var lines []string
	if p.of != nil && it.Why == nil && it.Rank > 0 {
		if p.of.Mode == param.ModeFullContext {
			lines = append(lines, widget.Wrapped(fmt.Sprintf("section %d of %d in reading order", it.Rank, len(p.of.Items)), room)...)
			lines = append(lines, widget.Styled(s.Faint.Render, widget.Wrapped("Full context: the whole corpus fits, so nothing was selected by a score.", room))...)
		} else {
			lines = append(lines, fmt.Sprintf("rank %d of %d · %s", it.Rank, len(p.of.Items), wording.Tokens(it.Tokens(), p.isEstimated)))
		}
		// What is ranked above it has taken its part of the budget first.
		used := max(it.CumulativeTokens, it.Tokens())
		budget := fmt.Sprintf("budget %s of %s, %s in all", wording.Estimate(used, p.isEstimated), wording.Count(p.of.Budget), wording.Estimate(p.of.Tokens, p.isEstimated))
		if p.of.Budget >= param.Unlimited {
			budget = fmt.Sprintf("no budget, %s in all", wording.Tokens(p.of.Tokens, p.isEstimated))
		}
		lines = append(lines, widget.Wrapped(budget, room)...)
	}
	if it.Surface == retrieval.SurfaceHTML {
		lines = append(lines, widget.Styled(s.Faint.Render, widget.Wrapped("sent as HTML, "+wording.Tokens(it.HTMLTokens, p.isEstimated), room))...)
	}
	return lines
}

// matchLines lists the passages that matched, with the numbers that stand beside
// them in the preview.
func (p *subject) matchLines(room int) []string {
	s, it := p.styles, p.item
	if len(it.Matches) == 0 {
		return nil
	}
	spelled := room >= spelledWidth
	head := "passages that matched"
	if p.of != nil && p.of.Mode == param.ModeFullContext {
		head = "nearest passages, not used"
	}
	lines := []string{s.Strong.Render(ansi.Truncate(head, room, "…"))}
	best := 0.0
	for i := range it.Matches {
		best = max(best, it.Matches[i].Similarity)
	}
	keywords := false
	for i, m := range it.Matches {
		mark, style := widget.Mark(s, i == p.focused, true, s.Text)
		keywords = keywords || m.KeywordRank > 0
		number, block, ranks, value := matchWords(it, i, spelled)
		left := mark + style.Render(fmt.Sprintf("%2s  %-4s", number, block)) + s.Faint.Render(ranks)
		if !hasCosine(&m) {
			lines = append(lines, widget.Spread(left, s.Faint.Render(value), room))
			continue
		}
		b := widget.Bar(m.Similarity, best, 6, s.Plain)
		right := s.Bars[wording.Level(m.Similarity, 0, best)].Render(b) + strings.Repeat(" ", 6-ansi.StringWidth(b)) + s.Score.Render(fmt.Sprintf(" %5s", value))
		lines = append(lines, widget.Spread(left, right, room))
	}
	legend := "cosine; ¶ block of the section, "
	if it.ParentID != "" { // of which it is a passage, and named by another number
		legend = "cosine; "
	}
	switch {
	case spelled:
		legend += "ranks among all passages"
	case keywords:
		legend += "v rank among all passages, k rank by words"
	default:
		legend += "v rank among all passages"
	}
	return append(lines, widget.Styled(s.Faint.Render, widget.Wrapped(legend, room))...)
}

// Said implements [view.Pane]: it says the match that the text stands on, once the pane
// is scrolled to it.
func (v *View) Said() string {
	p := &v.pager
	if v.Lines() == nil || v.said < 0 || !p.Has(v.said) {
		return ""
	}
	number, block, ranks, value := matchWords(v.item, v.focused, true)
	return wording.Aloud(number, block, ranks, value)
}

// hasCosine reports that a match was found by its cosine: others were found by the words
// alone.
func hasCosine(m *retrieval.Match) bool { return m.Rank > 0 || m.KeywordRank == 0 }

// matchWords are the number of a match, the block of text in which it stands, empty while
// the text is not there and for what is a passage itself, its ranks, and what it was found by.
func matchWords(it *retrieval.Item, i int, spelled bool) (number, block, ranks, value string) {
	m := &it.Matches[i]
	if it.ChunkText != "" && it.ParentID == "" {
		block = fmt.Sprintf("¶%d", paragraph(it.ChunkText, m.CharStart-it.CharStart))
	}
	value = fmt.Sprintf("BM25 %.2f", m.BM25)
	if hasCosine(m) {
		value = strings.TrimSpace(wording.Score(m.Similarity))
	}
	return strconv.Itoa(i + 1), block, matchRanks(m, spelled), value
}

// spelledWidth is the room from which the ranks of a match are written out.
const spelledWidth = 44

// matchRanks are the places of a passage among those that each arm found.
func matchRanks(m *retrieval.Match, spelled bool) string {
	nearest, words := "v", "k"
	if spelled {
		nearest, words = "vector ", "keyword "
	}
	var ranks []string
	if hasCosine(m) {
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
