package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/spans"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// markKind is what a mark marks. Of those on a page, the highest kind is the one
// that n and N step through.
type markKind uint8

const (
	markMatch markKind = iota
	markCited
	markFound
)

func kindOf(l spans.Level) markKind {
	switch l {
	case spans.Found:
		return markFound
	case spans.Citation:
		return markCited
	default:
		return markMatch
	}
}

// previewPane shows one section.
type previewPane struct {
	w, h int
	item *retrieval.Item
	form form
	// tentative says that the reader did not choose the form: it gives way where
	// the opened span has no place in it.
	tentative bool
	// page is the finished text, nil until it is rendered; raw stands in for it.
	page *page
	raw  []string
	// look is what the marks were painted with. fresh is set until the reader
	// has been brought to the first mark.
	look  *theme.Styles
	fresh bool
	// land is where in its section the reader is to arrive.
	land landing
	// loading is set while the texts of the section are being fetched.
	loading bool

	marks []spans.Span // matches and citations, as ranges of the section's text
	lost  int          // marks that have no place in this form
	hits  []spans.Span // what was found
	// passage is what is being selected, nil for nothing.
	passage *passage
	marked  *spans.Marked
	// stops are the marks that n and N step through, as indexes of marked.
	// focus is an index into stops, -1 without any.
	stops        []int
	focus        int
	widget.Pager // over the lines of the text
	// crumbs is set where the title above already says where the section stands.
	crumbs bool
	// keyed names keys in sentences.
	keyed    func(string) string
	suffixes session.TitleSuffixes
	// estimated marks counts of tokens that another tokenizer made.
	estimated bool
	drawn     widget.Drawing[previewLook]
}

// show changes to another section. The same section in another ranking keeps its
// place; if other passages of it matched, they are marked anew.
func (p *previewPane) show(it *retrieval.Item, marks []spans.Span) {
	same := p.item != nil && it != nil && p.item.ChunkID == it.ChunkID && p.item.ChunkText == it.ChunkText && p.item.HTMLText == it.HTMLText
	changed := !slices.Equal(p.marks, marks)
	p.item, p.marks = it, marks
	switch {
	case !same:
		p.reset()
	case changed && p.look != nil:
		p.paint(p.look)
	}
}

// previewLook is all that a drawing of the section depends on.
type previewLook struct {
	item            *retrieval.Item
	form            form
	page            *page
	marked          *spans.Marked
	w, h, mark      int
	shown           widget.Pager
	loading, crumbs bool
	styles          *theme.Styles
}

// reset forgets the page and where in it the reader stood.
func (p *previewPane) reset() {
	p.page, p.marked, p.raw, p.hits, p.stops, p.passage = nil, nil, nil, nil, nil, nil
	p.Top, p.focus, p.fresh, p.lost = 0, -1, true, 0
}

// setPage puts the finished text in place and, for a newly shown section, goes
// to what is marked.
func (p *previewPane) setPage(pg *page, s *theme.Styles) {
	before := 0
	if p.page != nil {
		before = p.height()
	}
	p.page, p.raw = pg, nil
	p.paint(s)
	switch {
	case p.fresh:
		p.fresh = false
		p.arriveBy(p.land)
	case before > 0:
		// Laid out for another width: about the same place.
		p.Top = p.Top * p.height() / before
	}
	p.refit()
}

// paint lays the marks over the page.
func (p *previewPane) paint(s *theme.Styles) {
	p.stops, p.marked, p.look, p.lost = nil, nil, s, 0
	if p.page == nil {
		p.focus = -1
		return
	}
	if p.page.rendering == nil {
		p.focus, p.lost = -1, len(p.marks)
		return
	}
	placed := p.page.place(p.marks)
	p.lost = len(p.marks) - len(placed)
	placed = append(placed, p.hits...)
	if p.passage != nil {
		placed = append(placed, p.passage.span())
	}
	p.marked = p.page.rendering.Mark(placed, palette(s))
	active := markMatch
	for i := range p.marked.Len() {
		active = max(active, kindOf(p.marked.Span(i).Level))
	}
	for i := range p.marked.Len() {
		if l := p.marked.Span(i).Level; kindOf(l) == active && l != spans.Selected {
			p.stops = append(p.stops, i)
		}
	}
	p.focus = min(p.focus, len(p.stops)-1)
}

// misses says that the shown form cannot show the opened span.
func (p *previewPane) misses() bool {
	cited := func(s spans.Span) bool { return kindOf(s.Level) == markCited }
	return p.page.rendering == nil || slices.ContainsFunc(p.marks, cited) && !slices.ContainsFunc(p.page.place(p.marks), cited)
}

// firstStop is the strongest match, or the first citation or hit.
func (p *previewPane) firstStop() int {
	for i, at := range p.stops {
		if p.marked.Span(at).Label == bestLabel {
			return i
		}
	}
	return 0
}

// focused is the mark that the reader stands on.
func (p *previewPane) focused() (spans.Span, bool) {
	if p.marked == nil || p.focus < 0 || p.focus >= len(p.stops) {
		return spans.Span{}, false
	}
	return p.marked.Span(p.stops[p.focus]), true
}

// setHits replaces what was found in the shown text.
func (p *previewPane) setHits(hits []spans.Span, s *theme.Styles) {
	p.hits = hits
	p.focus = -1
	p.paint(s)
	if len(hits) > 0 && len(p.stops) > 0 {
		p.focus = 0
		p.reveal()
	}
}

// search finds words in the text.
func (p *previewPane) search(words string) []spans.Span {
	if p.page == nil || p.page.rendering == nil {
		return nil
	}
	return p.page.rendering.Find(words)
}

// steps is the number of marks that n and N step through.
func (p *previewPane) steps() int { return len(p.stops) }

// step goes to the next mark, round the end, and reports whether it went round.
func (p *previewPane) step(n int) (round bool) {
	if len(p.stops) == 0 {
		return false
	}
	if p.focus < 0 && n < 0 {
		p.focus = 0
	}
	at := p.focus + n
	p.focus = (at%len(p.stops) + len(p.stops)) % len(p.stops)
	p.reveal()
	return at != p.focus
}

// reveal scrolls so that the focused mark stands in the upper third, unless it
// is in sight already.
func (p *previewPane) reveal() {
	if _, ok := p.focused(); !ok {
		return
	}
	first, last := p.marked.At(p.stops[p.focus])
	h := p.textHeight()
	if p.Height = h; !p.Has(first) || !p.Has(last) {
		p.Top = first - h/3
	}
	p.refit()
}

func (p *previewPane) setSize(w, h int) {
	if w != p.w {
		p.raw = nil
	}
	p.w, p.h = w, h
	p.refit()
}

// notice is what the reader should know about the shown form, empty mostly.
// quiet marks one that is no warning.
func (p *previewPane) notice() (said string, quiet bool) {
	switch pg := p.page; {
	case pg == nil:
		return "", true
	case pg.aligned == nil || p.lost == 0:
		return pg.notice, pg.quiet
	}
	who := fmt.Sprintf("%d of %d marks have", p.lost, len(p.marks))
	switch {
	case len(p.marks) == 1:
		who = "the mark has"
	case p.lost == len(p.marks):
		who = "the marks have"
	case p.lost == 1:
		who = fmt.Sprintf("1 of %d marks has", len(p.marks))
	}
	return who + " no place in this form · {preview.mode} shows the markdown", false
}

// textWidth is the width that texts are laid out for in a pane of w cells.
func textWidth(w int) int {
	return max(w-previewLeft-previewRight-spans.GutterWidth, spans.MinWidth)
}

// The blank columns beside the text.
const (
	previewLeft  = 1
	previewRight = 1
)

// headHeight is the number of lines above the text.
func (p *previewPane) headHeight() int {
	switch {
	case p.item == nil:
		return 0
	case p.h < 8 && p.crumbs:
		return 0
	case p.h < 8:
		return 1
	case p.crumbs:
		return 2
	default:
		return 3
	}
}

func (p *previewPane) textHeight() int {
	h := p.h - p.headHeight()
	if said, _ := p.notice(); said != "" {
		h--
	}
	return max(h, 0)
}

// height is the number of lines of the text.
func (p *previewPane) height() int {
	if p.page != nil && p.page.rendering != nil {
		return p.page.rendering.Height()
	}
	return len(p.rawLines())
}

// refit keeps the window in the text, whose height changes with its form.
func (p *previewPane) refit() { p.Resize(p.textHeight(), p.height()) }

// rawLimit is how much of a text, in bytes, stands in for it while it is being
// rendered.
const rawLimit = 16 << 10

// rawLines is the text, wrapped: without its markup until it is rendered, and as
// it is where it cannot be.
func (p *previewPane) rawLines() []string {
	if p.item == nil {
		return nil
	}
	if p.raw == nil {
		text := begun(p.item.ChunkText)
		if p.page == nil && p.form != formSource {
			text = placeholder(text)
		}
		p.raw = rawLines(text, p.w)
	}
	return p.raw
}

// begun is as much of a text as stands in for it.
func begun(text string) string {
	if len(text) > rawLimit {
		return strings.ToValidUTF8(text[:rawLimit], "") + "…"
	}
	return text
}

// rawLines are the lines of a text, as it is, in a pane of w cells.
func rawLines(text string, w int) []string {
	return strings.Split(ansi.Wrap(wording.Display(text), max(1, w-previewLeft-previewRight-spans.GutterWidth), ""), "\n")
}

// title names the section and counts its marks.
func (p *previewPane) title() string {
	if p.item == nil {
		return ""
	}
	return wording.Heading(p.item)
}

func (p *previewPane) counter() string {
	if len(p.stops) == 0 {
		return ""
	}
	names := [...]string{"match", "citation", "found"}
	kind := kindOf(p.marked.Span(p.stops[0]).Level)
	if p.marked.Span(p.stops[0]).Label == "" { // as matches have
		names[markMatch] = "word"
	}
	if p.focus < 0 {
		return fmt.Sprintf("%s –/%d", names[kind], len(p.stops))
	}
	return fmt.Sprintf("%s %d/%d", names[kind], p.focus+1, len(p.stops))
}

func (p *previewPane) view(s *theme.Styles) []string {
	if p.item == nil {
		return widget.Clip(nil, p.w, p.h)
	}
	p.refit()
	look := previewLook{p.item, p.form, p.page, p.marked, p.w, p.h, p.focus, p.Pager, p.loading, p.crumbs, s}
	return p.drawn.Keep(look, func() []string { return p.draw(s) })
}

func (p *previewPane) draw(s *theme.Styles) []string {
	lines := p.head(s)
	left := strings.Repeat(" ", previewLeft)
	if said, quiet := p.notice(); said != "" {
		said = p.keyed(said)
		if quiet {
			said = s.Faint.Render(said)
		} else {
			said = s.Warning.Render("! " + said)
		}
		notice := left + strings.Repeat(" ", spans.GutterWidth) + said
		if n := len(lines); n > 0 && lines[n-1] == "" {
			lines = append(lines[:n-1], notice, "") // the blank line belongs before the text
		} else {
			lines = append(lines, notice)
		}
	}
	switch {
	case p.loading:
		lines = append(lines, left+strings.Repeat(" ", spans.GutterWidth)+s.Faint.Render("…"))
	case p.marked != nil:
		focus := -1
		if p.focus >= 0 && len(p.stops) > 1 { // alone it needs no telling apart
			focus = p.stops[p.focus]
		}
		for _, line := range p.marked.Lines(p.Top, p.Until(), focus) {
			lines = append(lines, left+line+"\x1b[m")
		}
	default:
		for _, line := range p.rawLines()[p.Top:p.Until()] {
			lines = append(lines, left+strings.Repeat(" ", spans.GutterWidth)+line)
		}
	}
	return widget.Clip(lines, p.w, p.h)
}

// head is where the section stands: its trail, its address, and what it is.
func (p *previewPane) head(s *theme.Styles) []string {
	if p.headHeight() == 0 {
		return nil
	}
	it := p.item
	indent := strings.Repeat(" ", previewLeft+spans.GutterWidth)
	room := p.w - len(indent) - 1
	way := indent + s.Strong.Render(widget.CutLeft(wording.Trail(it, p.suffixes), room))
	if p.headHeight() == 1 {
		return []string{way}
	}
	facts := strings.Join(sectionFacts(it, p.estimated), " · ")
	if ansi.StringWidth(facts) > room/2 {
		facts = wording.Tokens(it.Tokens(), p.estimated)
	}
	address := s.Link.Render(wording.ShortURL(it.SourceURL, room-ansi.StringWidth(facts)-2))
	if wording.IsWebURL(it.SourceURL) {
		address = ansi.SetHyperlink(offset.Address(linkTarget(it))) + address + ansi.ResetHyperlink()
	}
	lines := []string{indent + widget.Spread(address, s.Faint.Render(facts), room), ""}
	if p.crumbs {
		return lines
	}
	return append([]string{way}, lines...)
}

// sectionFacts says what a section is in a few words.
func sectionFacts(it *retrieval.Item, estimated bool) []string {
	facts := []string{fmt.Sprintf("%d–%d", it.CharStart, it.CharEnd), wording.Tokens(it.Tokens(), estimated)}
	for _, f := range []struct {
		flag store.Flags
		name string
	}{
		{store.HasTable, "table"},
		{store.HasCode, "code"},
		{store.HasMath, "math"},
		{store.HasDefinitionList, "definitions"},
		{store.HasAdmonition, "note"},
		{store.HasSteps, "steps"},
		{store.HasImage, "image"},
	} {
		if it.Flags.Has(f.flag) {
			facts = append(facts, f.name)
		}
	}
	return facts
}

// palette gives the marks of a theme to the painter.
func palette(s *theme.Styles) spans.Palette {
	style := func(m theme.Mark) spans.Style {
		return spans.Style{Foreground: m.Foreground, Background: m.Background, Bold: m.Bold, Underline: m.Underline, Reverse: m.Reverse}
	}
	return spans.Palette{
		Styles: map[spans.Level]spans.Style{
			spans.MatchWeak: style(s.MatchWeak), spans.MatchMedium: style(s.MatchMedium), spans.MatchStrong: style(s.MatchStrong),
			spans.Selected: {Reverse: true},
			spans.Found:    style(s.Found), spans.Citation: style(s.Cited),
		},
		Twice: style(s.Twice), Focus: style(s.Focus), Gutter: style(s.Gutter),
	}
}

// bestLabel is the label of the match with the highest similarity.
const bestLabel = "1"

// matchMarks are the matches of a section, numbered by similarity, in three
// steps between low and high.
func matchMarks(it *retrieval.Item, low, high float64) []spans.Span {
	marks := make([]spans.Span, 0, len(it.Matches))
	for i, m := range it.Matches {
		marks = append(marks, spans.Span{
			Start: m.CharStart - it.CharStart, End: m.CharEnd - it.CharStart,
			Level: spans.MatchWeak + spans.Level(wording.Level(m.Similarity, low, high)),
			Label: strconv.Itoa(i + 1),
		})
	}
	return marks
}
