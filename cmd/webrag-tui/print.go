package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

// output is standard output with its colours cut to what it can show: none in a
// pipe, none with NO_COLOR.
func (a *app) output() io.Writer {
	w := colorprofile.NewWriter(a.process.out, a.environ)
	w.Forward = a.out
	if a.noColor {
		w.Profile = min(w.Profile, colorprofile.ASCII)
	}
	return w
}

const (
	bold  = "\x1b[1m"
	faint = "\x1b[2m"
	plain = "\x1b[22m"
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
	case len(res.Below) == 0:
		fmt.Fprintln(p.w, "\n"+phrase.NothingFound)
		return
	case res.Below[0].Why != nil && res.Below[0].Why.Reason == phrase.ReasonBelowFloor:
		fmt.Fprintf(p.w, "\n%s\n", phrase.NothingAbove.With(res.Floor.String()))
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

// foundWords are the rows of the arms and what became of them: "60 children → 12
// → 5 sections", "vector 15, keyword 9 → 5 sections".
func foundWords(res *retrieval.Result) string {
	rows := fmt.Sprintf("%d children", res.ChildrenFound)
	if res.ChildrenFound == 1 {
		rows = "1 child"
	}
	if res.Terms != nil {
		rows = fmt.Sprintf("vector %d, keyword %d", res.ChildrenFound, res.KeywordFound)
	}
	if !res.Floor.Off {
		rows += fmt.Sprintf(" → %d", res.ChildrenKept)
	}
	what := "section"
	if len(res.Items) > 0 && res.Items[0].Level == store.Child {
		what = "passage"
	}
	return rows + " → " + plural(len(res.Items), what)
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
	scale := ""
	for i := range items {
		if i > 0 && items[i].Scale != scale {
			return ""
		}
		scale = items[i].Scale
	}
	return scale
}

func (p *printer) page(items []retrieval.Item, best float64) {
	first := &items[0]
	title := first.Title
	if title == "" {
		title = first.SourceURL
	}
	what := "section"
	if first.Level == store.Child {
		what = "passage"
	}
	fmt.Fprintf(p.w, "\n%s%s%s  %s%s · depth %d · %s%s\n", bold, offset.Line(title), plain, faint, offset.Line(first.SourceURL), first.Depth,
		plural(len(items), what), plain)
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
	quote := []rune(strings.Join(strings.Fields(offset.Line(text)), " "))
	if len(quote) > excerptRunes {
		return string(quote[:excerptRunes]) + "…"
	}
	return string(quote)
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

func pad(s string, cells int) string {
	return s + strings.Repeat(" ", max(0, cells-len([]rune(s))))
}

// score is a score for lists: three decimals without the leading zero.
func score(v float64) string {
	text := fmt.Sprintf("%.3f", v)
	if rest, ok := strings.CutPrefix(text, "0."); ok {
		return "." + rest
	}
	if rest, ok := strings.CutPrefix(text, "-0."); ok {
		return "-." + rest
	}
	return text
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	if n < 999_950 {
		return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1000), ".0") + "k"
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1e6), ".0") + "M"
}

func millis(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}
