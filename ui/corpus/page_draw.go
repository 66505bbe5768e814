package corpus

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/wording"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
)

// Hidden implements [view.Pager]. Of a whole page nobody knows: its title says the
// section.
func (v pagePane) Hidden() (above, below int) {
	if v.page.asWhole || v.page.content == nil {
		return 0, 0
	}
	return v.page.Hidden()
}

func (v pagePane) Title() (name, note string) {
	at := v.tree.selected()
	if at == nil {
		return "Page", ""
	}
	name = v.tree.name(at)
	if v.page.asWhole && v.page.content != nil {
		note = v.page.whole.note()
	}
	return name, note
}

func (v pagePane) Draw(w, h int, focused bool) []string {
	s := v.Styles()
	p := &v.page
	switch {
	case v.tree.selected() == nil:
		return widget.Clip(nil, w, h)
	case p.err != nil:
		return widget.Clip(unread(s, p.err, w), w, h)
	case p.content == nil:
		return widget.Clip([]string{"", "  " + s.Faint.Render(s.Signs.Ellipsis)}, w, h)
	case p.asWhole:
		return v.drawWhole(w, h)
	}
	head := v.head()
	var lines []string
	for i := p.Top; i <= len(head)+len(p.content.Sections) && len(lines) < h; i++ {
		if i < len(head) {
			lines = append(lines, head[i])
		} else {
			lines = append(lines, v.line(i-len(head)-1, w, focused))
		}
	}
	return widget.Clip(lines, w, h)
}

// unread says why a page is not shown.
func unread(s *theme.Styles, err error, w int) []string {
	lines := append([]string{""}, widget.Indented(widget.Styled(s.Failure.Render, widget.Wrapped("! The page could not be read.", w-4)), 2)...)
	lines = append(lines, widget.Indented(widget.Styled(s.Text.Render, widget.Wrapped(wording.FirstLine(err), w-4)), 2)...)
	return append(lines, "", "  "+s.Faint.Render("enter tries again."))
}

// head is what stands above the sections of a page: what it is, its map, and
// the queries that reach it.
func (v pagePane) head() []string {
	c := v.page.content
	if c == nil {
		return nil
	}
	lines := append(v.facts(c), "")
	lines = append(lines, v.mapLines(c)...)
	if said := v.queries(c.Document.SourceURL); len(said) > 0 {
		lines = append(append(lines, said...), "")
	}
	s, w := v.Styles(), v.page.w
	return append(lines, " "+widget.Spread(s.Faint.Render("section"), s.Faint.Render(v.sectionColumns(w).row("rank", "tokens", "kinds", "characters")), w-1))
}

// ownMetadata begins the keys that indexing keeps for itself.
const ownMetadata = "webrag:"

// facts say what a page is, in as many lines as they need.
func (v pagePane) facts(c *session.PageContent) []string {
	s, w := v.Styles(), v.page.w-2
	d := &c.Document
	dot := " " + s.Signs.Dot + " "
	flagged, asHTML, passages, sum := 0, 0, 0, 0
	var flags store.Flags
	for i := range c.Sections {
		if c.Sections[i].Flags != 0 {
			flagged++
			flags |= c.Sections[i].Flags
		}
		if c.Sections[i].HTMLTokens > 0 {
			asHTML++
		}
		passages += len(c.Children[i])
		sum += c.Sections[i].Tokens()
	}
	address := wording.ShortURL(d.SourceURL, w)
	line := s.Link.Render(address)
	if wording.IsWebURL(d.SourceURL) {
		line = ansi.SetHyperlink(offset.Address(d.SourceURL)) + line + ansi.ResetHyperlink()
	}
	lines := []string{line}
	facts := []string{wording.Tokens(sum, v.IsEstimated()), wording.Plural(len(c.Sections), "section"), wording.Plural(passages, "passage"), "depth " + strconv.Itoa(d.Depth)}
	if flagged > 0 {
		facts = append(facts, strconv.Itoa(flagged)+" with "+flagWords(flags))
	}
	if asHTML > 0 {
		facts = append(facts, strconv.Itoa(asHTML)+" sent as HTML")
	}
	if !d.FetchedAt.IsZero() {
		facts = append(facts, "fetched "+dayOf(d.FetchedAt))
	}
	if kind := wording.Line(d.DocType); kind != "" {
		facts = append(facts, "type "+kind)
	}
	if language := wording.Line(d.Language); language != "" {
		facts = append(facts, "language "+language)
	}
	if d.StatusCode != 0 {
		facts = append(facts, "status "+strconv.Itoa(d.StatusCode))
	}
	lines = append(lines, widget.Styled(s.Faint.Render, joined(facts, dot, w))...)
	var told []string
	if d.Owner != "" {
		told = append(told, "owner "+wording.Line(d.Owner))
	}
	if len(d.Tags) > 0 {
		told = append(told, "tags "+wording.Line(strings.Join(d.Tags, ", ")))
	}
	for _, k := range slices.Sorted(maps.Keys(d.Metadata)) {
		if strings.HasPrefix(k, ownMetadata) {
			continue
		}
		told = append(told, wording.Line(k)+"="+wording.Line(d.Metadata[k]))
	}
	if len(told) > 0 {
		said := joined(told, dot, w)
		lines = append(lines, widget.Styled(s.Faint.Render, said[:min(3, len(said))])...)
	}
	if says := wording.Line(d.Description); says != "" {
		said := widget.Wrapped(says, w)
		if len(said) > 2 {
			said = []string{said[0], ansi.Truncate(said[1], max(1, w-1), "") + s.Signs.Ellipsis}
		}
		lines = append(lines, widget.Styled(s.Text.Render, said)...)
	}
	for _, capability := range []store.Capability{store.CapSections, store.CapLinks} {
		if why := v.lacks(capability); why != "" {
			lines = append(lines, widget.Styled(s.Faint.Render, widget.Wrapped(wording.Line("no "+string(capability)+": "+why), w))...)
		}
	}
	return widget.Indented(lines, 1)
}

// joined puts words into lines of at most w cells, with a sign between them.
func joined(words []string, between string, w int) []string {
	var lines []string
	for _, word := range words {
		word = ansi.Truncate(word, max(1, w), "…")
		n := len(lines) - 1
		if n >= 0 && ansi.StringWidth(lines[n])+ansi.StringWidth(between)+ansi.StringWidth(word) <= w {
			lines[n] += between + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

func dayOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

// mapLines is the map of a page with its legend.
func (v pagePane) mapLines(c *session.PageContent) []string {
	s, w := v.Styles(), v.page.w-2
	if s.Spoken {
		return nil // the list of sections says the same
	}
	chunks := mapOf(c, v.answer.matched, w)
	if chunks == nil {
		return nil
	}
	lines := chunks.draw(s, v.page.cursor)
	flags, shared := chunks.flagsOf()
	var legend []string
	told := func(words ...string) { legend = append(legend, widget.Styled(s.Faint.Render, words)...) }
	matched := false
	for _, cell := range chunks.cells {
		matched = matched || cell.matched
	}
	if matched {
		block := s.Signs.Blocks[len(s.Signs.Blocks)-1]
		if s.Plain {
			block = "#"
		}
		legend = append(legend, s.Score.Render(block)+s.Faint.Render(" matched the query"))
	}
	if flags == 0 {
		lines = lines[:2]
	} else {
		told(flagLegend(flags, shared)...)
	}
	// What it is drawn from needs no line of its own.
	if all := append([]string{s.Faint.Render("sections to scale, their passages")}, legend...); len(joined(all, "  ", w)) <= max(1, len(joined(legend, "  ", w))) {
		legend = all
	}
	lines = append(lines, joined(legend, "  ", w)...)
	return append(widget.Indented(lines, 1), "")
}

// queriesShown is how many queries of the session stand in the page.
const queriesShown = 5

// queries are the queries of this session that reach the page, the latest
// first.
func (v pagePane) queries(address string) []string {
	past := v.Session().HistoryEntries()
	if len(past) == 0 {
		return nil
	}
	s, w := v.Styles(), v.page.w-2
	var lines []string
	n := 0
	for i := len(past) - 1; i >= 0; i-- {
		rank, ok := past[i].Ranks[address]
		if past[i].Query == v.Session().Query() && v.answer.of != nil { // as it is ranked now, not as it was when it was asked
			rank = v.answer.rankOf(address)
			ok = rank > 0
		}
		if !ok {
			continue
		}
		if n++; n <= queriesShown {
			right := s.Score.Render("rank " + strconv.Itoa(rank))
			room := w - 2 - ansi.StringWidth(right) - 1
			lines = append(lines, widget.Spread("  "+ansi.Truncate(wording.Line(past[i].Query), max(1, room), s.Signs.Ellipsis), right, w))
		}
	}
	if n > queriesShown {
		lines = append(lines, "  "+s.Faint.Render(fmt.Sprintf("and %d more", n-queriesShown)))
	}
	head := s.Faint.Render(fmt.Sprintf("queries of this session that reach it: %d of %d", n, len(past)))
	return widget.Indented(append([]string{ansi.Truncate(head, w, s.Signs.Ellipsis)}, lines...), 1)
}

// line draws a section, or the row that reads the whole page.
func (v pagePane) line(n, w int, focused bool) string {
	s := v.Styles()
	mark, style := widget.Mark(s, n == v.page.cursor, focused, s.Text)
	if n == wholeRow {
		return widget.Spread(mark+style.Render("whole page"), s.KeyName.Render("m")+" ", w)
	}
	return v.sectionLine(n, w, mark, style)
}

// Widths from which on a section's line has room for its range and its flags.
const (
	rangeFrom = 64
	flagsFrom = 36
)

// sectionColumns says which columns stand beside the names of sections.
type sectionColumns struct{ rank, kinds, span bool }

func (v pagePane) sectionColumns(w int) sectionColumns {
	return sectionColumns{len(v.answer.pages) > 0, w >= flagsFrom, w >= rangeFrom}
}

// row puts cells into the columns: numbers to the right, letters to the left.
func (c sectionColumns) row(rank, tokens, kinds, span string) string {
	line := ""
	if c.rank {
		line += widget.FitRight(rank, 6)
	}
	line += widget.FitRight(tokens, 8)
	if c.kinds {
		line += "  " + widget.Padded(kinds, 5)
	}
	if c.span {
		line += widget.FitRight(span, 14)
	}
	return line + " "
}

// sectionWords are what a section's line says of it, in w cells.
type sectionWords struct {
	name string
	// goesOn says that the section goes on under the heading of the one before.
	goesOn bool
	// rank is empty for one that is not in the answer, flags and span where there is no
	// room for them.
	rank, tokens, flags, span string
}

// partOf says which of how many parts of a section that was split one is, from 1.
func partOf(all []store.Chunk, n int) (part, of int) {
	same := func(i int) bool {
		return slices.Equal(all[i].HeadingPath, all[n].HeadingPath) && all[i].Anchor == all[n].Anchor
	}
	first, end := n, n+1
	for first > 0 && same(first-1) {
		first--
	}
	for end < len(all) && same(end) {
		end++
	}
	return n - first + 1, end - first
}

func (v pagePane) wordsOf(n, w int) sectionWords {
	signs, all := &v.Styles().Signs, v.page.content.Sections
	c := &all[n]
	words := sectionWords{name: sectionName(c), tokens: wording.Estimate(c.Tokens(), v.IsEstimated())}
	if part, of := partOf(all, n); of > 1 {
		words.goesOn = part > 1
		words.name += fmt.Sprintf(" %d/%d", part, of)
	}
	if it := v.answer.items[c.ID]; it != nil {
		words.rank = strconv.Itoa(it.Rank)
	}
	if w >= flagsFrom {
		words.flags = lettersOf(c.Flags)
	}
	if w >= rangeFrom {
		words.span = fmt.Sprintf("%d%s%d", c.CharStart, signs.Dash, c.CharEnd)
	}
	return words
}

// Said implements [view.Pane].
func (v pagePane) Said() string {
	p := &v.page
	row := len(v.head()) + 1 + p.cursor
	switch {
	case v.tree.selected() == nil, p.err != nil, p.content == nil, p.asWhole, !p.Has(row), p.cursor >= len(p.content.Sections):
		return ""
	case p.cursor == wholeRow:
		return wording.Aloud("whole page", "m")
	}
	words := v.wordsOf(p.cursor, p.w)
	said := []string{words.name}
	if words.rank != "" {
		said = append(said, "rank "+words.rank)
	}
	said = append(said, wording.Tokens(p.content.Sections[p.cursor].Tokens(), v.IsEstimated()), flagWords(p.content.Sections[p.cursor].Flags))
	if words.span != "" {
		said = append(said, "characters "+words.span)
	}
	return wording.Aloud(said...)
}

func (v pagePane) sectionLine(n, w int, mark string, style lipgloss.Style) string {
	s, p := v.Styles(), &v.page
	words := v.wordsOf(n, w)
	columns := v.sectionColumns(w)
	styled := func(style lipgloss.Style, text string) string {
		if text == "" {
			return ""
		}
		return style.Render(text)
	}
	right := columns.row(styled(s.Score, words.rank), styled(s.Faint, words.tokens), styled(s.Text, words.flags), styled(s.Faint, words.span))
	level := max(0, len(p.content.Sections[n].HeadingPath)-1)
	indent := widget.Indent(level, w/4)
	if words.goesOn {
		style = s.Faint
		if mark != " " {
			style = s.Strong
		}
	}
	room := w - 1 - len(indent) - ansi.StringWidth(right) - 1
	return widget.Spread(mark+indent+widget.Marked(s, wording.CutPath(words.name, room), p.hit, style, room), right, w)
}
