package main

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

const (
	// excerptRunes is how much of a matched passage is shown.
	excerptRunes = 160
	// barMax is the width of a full score bar in cells.
	barMax = 8
)

// printer writes a result for people. Everything that comes from the corpus
// passes through offset.Line or offset.Display first.
type printer struct {
	w             io.Writer
	explain, text bool
	// search says how the search was done, too.
	search bool
	// approx marks counts of tokens as estimates.
	approx bool
	// top is how many results are printed, the best of them; 0 prints all.
	top int
	// arms shows where each item stands in the arms: their places are not its score.
	arms bool
}

// result prints what came back in its order, under a line for each page.
func (p *printer) result(corpus string, size corpusSize, res *retrieval.Result) {
	p.header(corpus, size, res)
	if p.search {
		p.asked(res.Trace)
	}
	p.arms = slices.ContainsFunc(res.Items, func(it retrieval.Item) bool {
		return it.Keyword != nil || it.Rerank != nil || hasEdges(&it)
	})
	best := res.TopScore()
	items := p.best(res.Items)
	for at := 0; at < len(items); {
		end := at
		for end < len(items) && items[end].SourceURL == items[at].SourceURL {
			end++
		}
		p.page(items[at:end], best)
		at = end
	}
	if n := len(res.Items) - len(items); n > 0 {
		fmt.Fprintf(p.w, "\n%s%d more; without --top all are printed%s\n", faint, n, plain)
	}
	if res.IsEmpty() {
		p.nearest(res)
	}
}

// nearest shows what came nearest where nothing came back.
func (p *printer) nearest(res *retrieval.Result) {
	switch {
	case len(res.NearMisses) == 0:
		fmt.Fprintln(p.w, "\n"+phrase.NothingFound)
		return
	case res.NearMisses[0].Why != nil && res.NearMisses[0].Why.Reason == phrase.ReasonBelowFloor:
		fmt.Fprintf(p.w, "\n%s\n", phrase.NothingAbove.With(res.Floor.Said()))
	default:
		fmt.Fprintln(p.w, "\n"+phrase.NothingPassed)
	}
	for _, it := range res.Nearest() {
		value := it.Score
		if it.HasRaw {
			value = it.RawSimilarity
		}
		fmt.Fprintf(p.w, "  %s  %s  %s%s%s\n", score(value), offset.Line(itemTitle(it)), faint, offset.Line(it.SourceURL), plain)
	}
}

// asked prints what the trace says about the search by vectors: how a database was
// asked, and with what plan it answered.
func (p *printer) asked(t *retrieval.Trace) {
	if t == nil {
		return
	}
	for i := range t.Stages {
		if t.Stages[i].Name != param.StageVector {
			continue
		}
		for _, note := range t.Stages[i].Notes {
			fmt.Fprintf(p.w, "  %s%s%s\n", faint, offset.Display(note).Text, plain)
		}
	}
}

func (p *printer) header(corpus string, size corpusSize, res *retrieval.Result) {
	parts := append([]string{offset.Line(corpus)}, size.words(p.tokens)...)
	if size.scope.Documents == 0 || isBlank(res) {
		fmt.Fprintln(p.w, faint+strings.Join(parts, " · ")+plain)
		return
	}
	if res.Mode == param.ModeFullContext {
		parts = append(parts, fmt.Sprintf("full context: all of it, %s tokens", p.tokens(thousands(res.Tokens))))
	} else {
		parts = append(parts, "chunk mode: "+foundWords(res), p.spent(res))
	}
	parts = append(parts, fmt.Sprintf("embed %s, search %s", millis(res.Timing.Embed), millis(res.Timing.Search)))
	if scale := commonScale(res.Items); scale != "" && res.Mode == param.ModeChunk {
		parts = append(parts, "scores: "+offset.Line(scale))
	}
	fmt.Fprintln(p.w, faint+strings.Join(parts, " · ")+plain)
}

// best are the items that are printed, in their order.
func (p *printer) best(items []retrieval.Item) []retrieval.Item {
	if p.top == 0 {
		return items
	}
	return slices.DeleteFunc(slices.Clone(items), func(it retrieval.Item) bool { return it.Rank > p.top })
}

// isBlank says that there was nothing to ask.
func isBlank(res *retrieval.Result) bool {
	return slices.ContainsFunc(res.Notices, func(n retrieval.Notice) bool { return n.Code == phrase.NoticeEmptyQuery.Code })
}

// foundWords are the rows of the arms and what became of them: "60 passages → 12
// → 5 sections", "vector 15, keyword 9 → 5 sections".
func foundWords(res *retrieval.Result) string {
	rows := plural(res.ChildrenFound, "passage")
	if res.Terms != nil {
		rows = fmt.Sprintf("vector %d, keyword %d", res.ChildrenFound, res.KeywordFound)
	}
	if !res.Floor.Off {
		rows += fmt.Sprintf(" → %d", res.ChildrenKept)
	}
	return rows + " → " + levelWords(res.Items)
}

// levelWords count items as what they are: "5 sections", "1 passage".
func levelWords(items []retrieval.Item) string {
	if len(items) > 0 && items[0].Level == store.Child {
		return plural(len(items), "passage")
	}
	return plural(len(items), "section")
}

// spent says how much of the budget the result takes.
func (p *printer) spent(res *retrieval.Result) string {
	if res.Budget >= param.Unlimited {
		return p.tokens(thousands(res.Tokens)) + " tokens"
	}
	return fmt.Sprintf("%s of %s tokens", p.tokens(thousands(res.Tokens)), thousands(res.Budget))
}

// tokens marks a count as an estimate where it is one.
func (p *printer) tokens(count string) string {
	if p.approx {
		return "≈" + count
	}
	return count
}

// commonScale is the scale of all scores, empty when they have several.
func commonScale(items []retrieval.Item) string {
	if len(items) == 0 || slices.ContainsFunc(items, func(it retrieval.Item) bool { return it.Scale != items[0].Scale }) {
		return ""
	}
	return items[0].Scale
}

func (p *printer) page(items []retrieval.Item, best float64) {
	first := &items[0]
	title := cmp.Or(first.Title, first.SourceURL)
	fmt.Fprintf(p.w, "\n%s%s%s  %s%s · depth %d · %s%s\n", bold, offset.Line(title), plain, faint, offset.Line(first.SourceURL), first.Depth,
		levelWords(items), plain)
	for i := range items {
		p.item(&items[i], best)
	}
}

// markdownLink is a link or image, of which an excerpt keeps the label.
var markdownLink = regexp.MustCompile(`!?\[([^\]\n]*)\]\([^)\s]*\)`)

// excerpt is the beginning of the best matched passage.
func excerpt(it *retrieval.Item) string {
	if len(it.Matches) == 0 || it.ChunkText == "" {
		return ""
	}
	m := it.Matches[0]
	text := offset.NewIndex(it.ChunkText).Slice(m.CharStart-it.CharStart, m.CharEnd-it.CharStart)
	text = markdownLink.ReplaceAllString(text, "$1")
	return beginning(offset.Line(text), excerptRunes)
}

// beginning is the first characters of a text, on one line.
func beginning(text string, most int) string {
	words := []rune(strings.Join(strings.Fields(text), " "))
	if len(words) > most {
		return string(words[:most]) + "…"
	}
	return string(words)
}

func itemTitle(it *retrieval.Item) string {
	path := it.HeadingPath
	if len(path) > 0 && path[0] == it.Title {
		path = path[1:]
	}
	parts := append([]string{it.Title}, path...)
	return strings.Join(parts, " › ")
}

// bar draws a score in eighth blocks, scaled to the best one shown.
func bar(value, best float64) string {
	if best <= 0 || value <= 0 {
		return ""
	}
	eighths := int(value/best*barMax*8 + 0.5)
	partial := []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}
	return strings.Repeat("█", eighths/8) + partial[eighths%8]
}
