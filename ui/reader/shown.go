package reader

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/rendering"
	"github.com/webrag/webrag-tui/ui/spans"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// shownSection is one section as it is shown.
type shownSection struct {
	view.Shell
	w, h int
	item *retrieval.Item
	form rendering.Form
	// tentative says that the reader did not choose the form: it gives way where
	// the opened span has no place in it.
	tentative bool
	// ready is the finished text, nil until it is rendered; raw stands in for it.
	ready *rendering.Section
	raw   []string
	// painted is the look that the marks were painted with. fresh is set until the reader
	// has been brought to the first mark.
	painted *theme.Styles
	fresh   bool
	// anew is set where it is to be shown as if another one had been shown before.
	anew bool
	// land is where in the section landOn the reader is to arrive.
	land   Landing
	landOn string
	// loading is set while the texts of the section are being fetched.
	loading bool

	marks []spans.Span // matches and citations, as ranges of the section's text
	lost  int          // marks that have no place in this form
	hits  []spans.Span // what was found
	// passage is what is being selected, nil for nothing.
	passage *passage
	marked  *spans.Marked
	// stops are the marks that n and N step through, as indexes of marked: matches by their
	// numbers, from the best, others in the order of the text. focus is an index into stops,
	// -1 without any.
	stops        []int
	focus        int
	widget.Pager // over the lines of the text
	drawn        widget.Drawing[look]
}

// show changes to another section. The same section in another ranking keeps its
// place; if other passages of it matched, they are marked anew.
func (p *shownSection) show(it *retrieval.Item, marks []spans.Span) {
	same := !p.anew && p.item != nil && it != nil && p.item.ChunkID == it.ChunkID && p.item.ChunkText == it.ChunkText && p.item.HTMLText == it.HTMLText
	changed := !slices.Equal(p.marks, marks)
	p.item, p.marks, p.anew = it, marks, false
	switch {
	case !same:
		p.reset()
	case changed && p.painted != nil:
		p.paint()
	}
}

// look is all that a drawing of the section depends on.
type look struct {
	item            *retrieval.Item
	form            rendering.Form
	ready           *rendering.Section
	marked          *spans.Marked
	w, h, mark      int
	shown           widget.Pager
	loading, single bool
	styles          *theme.Styles
}

// reset forgets the finished text and where in it the reader stood.
func (p *shownSection) reset() {
	p.ready, p.marked, p.raw, p.hits, p.stops, p.passage = nil, nil, nil, nil, nil, nil
	p.Top, p.focus, p.fresh, p.lost = 0, -1, true, 0
}

// setReady puts the finished text in place and, for a newly shown section, goes
// to what is marked.
func (p *shownSection) setReady(ready *rendering.Section) {
	at, ok := p.topPoint()
	inSight := p.inSight()
	p.ready, p.raw = ready, nil
	p.paint()
	switch {
	case p.fresh:
		p.fresh = false
		p.arriveBy(p.land)
	case ok && ready.Rendering != nil: // laid out for another width
		p.Top = ready.Rendering.LineOf(at)
	}
	p.refit()
	p.keepInSight(inSight)
}

// topPoint is the code point that the first visible line with text begins with; ok says
// whether there is one.
func (p *shownSection) topPoint() (at int, ok bool) {
	if p.ready == nil || p.ready.Rendering == nil {
		return 0, false
	}
	for line := p.Top; line < p.height(); line++ {
		if at, _, ok = p.ready.Rendering.LineSpan(line); ok {
			return at, true
		}
	}
	return 0, false
}

// inSight says that the beginning of the focused mark is visible.
func (p *shownSection) inSight() bool {
	if _, ok := p.focused(); !ok {
		return false
	}
	first, _ := p.marked.At(p.stops[p.focus])
	return p.Has(first)
}

// keepInSight scrolls to the focused mark where that was in sight, and is not any more or not
// to its end.
func (p *shownSection) keepInSight(was bool) {
	if was {
		p.reveal()
	}
}

// paint lays the marks over the text.
func (p *shownSection) paint() {
	p.stops, p.marked, p.painted, p.lost = nil, nil, p.Styles(), 0
	if p.ready == nil {
		p.focus = -1
		return
	}
	if p.ready.Rendering == nil {
		p.focus, p.lost = -1, len(p.marks)
		return
	}
	placed := p.ready.Place(p.marks)
	p.lost = len(p.marks) - len(placed)
	placed = append(placed, p.hits...)
	if p.passage != nil {
		placed = append(placed, p.passage.span())
	}
	p.marked = p.ready.Rendering.Mark(placed, rendering.Palette(p.Styles()))
	active := markMatch
	for i := range p.marked.Len() {
		active = max(active, kindOf(p.marked.Span(i).Level))
	}
	for i := range p.marked.Len() {
		if l := p.marked.Span(i).Level; kindOf(l) == active && l != spans.Selected {
			p.stops = append(p.stops, i)
		}
	}
	if active == markMatch {
		slices.SortStableFunc(p.stops, func(a, b int) int {
			return cmp.Compare(numberOf(p.marked.Span(a)), numberOf(p.marked.Span(b)))
		})
	}
	p.focus = min(p.focus, len(p.stops)-1)
}

// focused is the mark that the reader stands on.
func (p *shownSection) focused() (spans.Span, bool) {
	if p.marked == nil || p.focus < 0 || p.focus >= len(p.stops) {
		return spans.Span{}, false
	}
	return p.marked.Span(p.stops[p.focus]), true
}

// setHits replaces what was found in the shown text.
func (p *shownSection) setHits(hits []spans.Span) {
	p.hits = hits
	p.focus = -1
	p.paint()
	if len(hits) > 0 && len(p.stops) > 0 {
		p.focus = 0
		p.reveal()
	}
}

// search finds words in the text.
func (p *shownSection) search(words string) []spans.Span {
	if p.ready == nil || p.ready.Rendering == nil {
		return nil
	}
	return p.ready.Rendering.Find(words)
}

// step goes to the next mark, round the end, and reports whether it went round.
func (p *shownSection) step(n int) (round bool) {
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
func (p *shownSection) reveal() {
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

func (p *shownSection) setSize(w, h int) {
	if w != p.w {
		p.raw = nil
	}
	inSight := p.inSight()
	p.w, p.h = w, h
	p.refit()
	p.keepInSight(inSight)
}

// notice is what the reader should know about the shown form, empty mostly.
// quiet marks one that is no warning.
func (p *shownSection) notice() (said string, quiet bool) {
	switch r := p.ready; {
	case r == nil:
		return "", true
	case !r.IsAligned() || p.lost == 0:
		return r.Notice, r.Quiet
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

// headHeight is the number of lines above the text.
func (p *shownSection) headHeight() int {
	switch {
	case p.item == nil:
		return 0
	case p.h < 8 && p.IsSingle():
		return 0
	case p.h < 8:
		return 1
	case p.IsSingle():
		return 2
	default:
		return 3
	}
}

func (p *shownSection) textHeight() int {
	h := p.h - p.headHeight()
	if said, _ := p.notice(); said != "" {
		h--
	}
	return max(h, 0)
}

// height is the number of lines of the text.
func (p *shownSection) height() int {
	if p.ready != nil && p.ready.Rendering != nil {
		return p.ready.Rendering.Height()
	}
	return len(p.rawLines())
}

// lineOf is the line that shows a character of the section's text.
func (p *shownSection) lineOf(at int) int {
	if p.ready == nil {
		return 0
	}
	return p.ready.LineOf(at)
}

// refit keeps the window in the text, whose height changes with its form.
func (p *shownSection) refit() { p.Resize(p.textHeight(), p.height()) }

// rawLines is the text, wrapped: without its markup until it is rendered, and as
// it is where it cannot be.
func (p *shownSection) rawLines() []string {
	if p.item == nil {
		return nil
	}
	if p.raw == nil {
		text := rendering.Beginning(p.item.ChunkText)
		if p.ready == nil && p.form != rendering.Source {
			text = rendering.Placeholder(text)
		}
		p.raw = rendering.RawLines(text, p.w)
	}
	return p.raw
}

// title names the section and counts its marks.
func (p *shownSection) title() string {
	if p.item == nil {
		return ""
	}
	return wording.Brief(p.item)
}

// counter says which mark the reader stands on: a match by the number that stands beside
// it, of all that the section has, also those that have no place in this form.
func (p *shownSection) counter() string {
	if len(p.stops) == 0 {
		return ""
	}
	if mark, ok := p.focused(); ok && p.onMatches() {
		return fmt.Sprintf("match %d/%d", numberOf(mark), len(p.item.Matches))
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

func (p *shownSection) view() []string {
	if p.item == nil {
		return widget.Clip(nil, p.w, p.h)
	}
	p.refit()
	now := look{p.item, p.form, p.ready, p.marked, p.w, p.h, p.focus, p.Pager, p.loading, p.IsSingle(), p.Styles()}
	return p.drawn.Keep(now, p.draw)
}

func (p *shownSection) draw() []string {
	s := p.Styles()
	lines := p.head()
	left := strings.Repeat(" ", rendering.Left)
	if said, quiet := p.notice(); said != "" {
		said = p.Keyed(said)
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
func (p *shownSection) head() []string {
	if p.headHeight() == 0 {
		return nil
	}
	it, s := p.item, p.Styles()
	indent := strings.Repeat(" ", rendering.Left+spans.GutterWidth)
	room := p.w - len(indent) - 1
	way := indent + s.Strong.Render(wording.CutPath(wording.Trail(it, p.TitleSuffixes()), room))
	if p.headHeight() == 1 {
		return []string{way}
	}
	facts := strings.Join(sectionFacts(it, p.IsEstimated()), " · ")
	if ansi.StringWidth(facts) > room/2 {
		facts = wording.Tokens(it.Tokens(), p.IsEstimated())
	}
	address := s.Link.Render(wording.ShortURL(it.SourceURL, room-ansi.StringWidth(facts)-2))
	if wording.IsWebURL(it.SourceURL) {
		address = ansi.SetHyperlink(offset.Address(AddressOf(it))) + address + ansi.ResetHyperlink()
	}
	lines := []string{indent + widget.Spread(address, s.Faint.Render(facts), room), ""}
	if p.IsSingle() {
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
