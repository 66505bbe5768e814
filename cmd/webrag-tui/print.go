package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
)

// output is standard output with its colours cut to what it can show: none in a
// pipe, none with NO_COLOR.
func (a *app) output() io.Writer {
	w := colorprofile.NewWriter(a.out, a.environ)
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
	// approx marks counts of tokens as estimates.
	approx bool
}

// result prints the sections grouped by page, as the model would get them.
func (p *printer) result(corpus string, res *retrieval.Result) {
	p.header(corpus, res)
	best := res.TopScore()
	for at := 0; at < len(res.Items); {
		end := at
		for end < len(res.Items) && res.Items[end].SourceURL == res.Items[at].SourceURL {
			end++
		}
		p.page(res.Items[at:end], best)
		at = end
	}
	if res.IsEmpty() {
		fmt.Fprintln(p.w, "\nnothing found")
	}
	if len(res.Below) > 0 && res.IsEmpty() {
		fmt.Fprintln(p.w, "nearest below the cut:")
		for i := range res.Below[:min(3, len(res.Below))] {
			it := &res.Below[i]
			fmt.Fprintf(p.w, "  %s  %s\n", score(it.RawSimilarity), offset.Line(itemTitle(it)))
		}
	}
}

func (p *printer) header(corpus string, res *retrieval.Result) {
	parts := []string{
		offset.Line(corpus),
		plural(res.Stats.TotalDocuments, "page"), plural(res.Stats.TotalParentChunks, "section"), p.tokens(thousands(res.Stats.TotalTokens)) + " tokens",
	}
	if res.Mode == retrieval.ModeFullContext {
		parts = append(parts, fmt.Sprintf("full context: all of it, %s tokens", p.tokens(thousands(res.Tokens))))
	} else {
		parts = append(parts, fmt.Sprintf("chunk mode: %d children → %d → %s, %s of %s tokens", res.ChildrenFound, res.ChildrenKept,
			plural(len(res.Items), "section"), p.tokens(thousands(res.Tokens)), thousands(res.Budget)))
	}
	parts = append(parts, fmt.Sprintf("embed %s, search %s", millis(res.Timing.Embed), millis(res.Timing.Search)))
	fmt.Fprintln(p.w, faint+strings.Join(parts, " · ")+plain)
}

// tokens marks a count as an estimate where it is one.
func (p *printer) tokens(count string) string {
	if p.approx {
		return "≈" + count
	}
	return count
}

func (p *printer) page(items []retrieval.Item, best float64) {
	first := &items[0]
	title := first.Title
	if title == "" {
		title = first.SourceURL
	}
	sections := plural(len(items), "section")
	fmt.Fprintf(p.w, "\n%s%s%s  %s%s · depth %d · %s%s\n", bold, offset.Line(title), plain, faint, offset.Line(first.SourceURL), first.Depth, sections, plain)
	for i := range items {
		p.section(&items[i], best)
	}
}

func (p *printer) section(it *retrieval.Item, best float64) {
	heading := it.SectionHeading
	if n := len(it.HeadingPath); n > 0 {
		heading = it.HeadingPath[n-1]
	}
	if heading == "" {
		heading = "(no heading)"
	}
	value := pad(bar(it.Score, best), barMax) + " " + score(it.Score)
	if !it.HasRaw {
		value = nearness(it)
	}
	fmt.Fprintf(p.w, "%4d  %s  %s  %s%d–%d, %s tokens%s\n", it.Rank, value, offset.Line(heading),
		faint, it.CharStart, it.CharEnd, p.tokens(fmt.Sprint(it.Tokens())), plain)
	if p.text {
		for line := range strings.Lines(offset.Display(it.SelectedText()).Text) {
			fmt.Fprintf(p.w, "      │ %s\n", strings.TrimRight(line, "\n"))
		}
	} else if quote := excerpt(it); quote != "" {
		fmt.Fprintf(p.w, "      %s%s%s\n", faint, quote, plain)
	}
	if p.explain && it.Explanation != nil {
		p.tree(it.Explanation, "      ", "", "")
	}
}

// nearness stands for the score of full context, which is 1 for every section:
// the cosine of the nearest child, in faint because nothing was chosen by it.
func nearness(it *retrieval.Item) string {
	if len(it.Matches) == 0 {
		return strings.Repeat(" ", barMax+5)
	}
	return faint + pad("nearest", barMax) + " " + score(it.Matches[0].Similarity) + plain
}

// tree draws an explanation with the arithmetic of each number.
func (p *printer) tree(e *retrieval.Explanation, indent, branch, below string) {
	line := fmt.Sprintf("%s%s%.6g  %s", indent, branch, e.Value, offset.Line(e.Label))
	if e.Formula != "" {
		line += "   " + faint + offset.Line(e.Formula) + plain
	}
	if e.Scale != "" {
		line += "  " + faint + "[" + offset.Line(e.Scale) + "]" + plain
	}
	fmt.Fprintln(p.w, line)
	for i, child := range e.Children {
		if i == len(e.Children)-1 {
			p.tree(child, indent+below, "└ ", "  ")
		} else {
			p.tree(child, indent+below, "├ ", "│ ")
		}
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
	parts := append([]string{it.Title}, it.HeadingPath...)
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
	return strings.Replace(fmt.Sprintf("%.3f", v), "0.", ".", 1)
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1000), ".0") + "k"
}

func millis(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}
