package whynot

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/sahilm/fuzzy"

	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// entry is a page or a section that can be picked.
type entry struct {
	// name is the way to it, address its page's; both in one line, safe to draw.
	name, address string
	low           string // what is matched, in lower case
	section       session.SectionName
	page          bool
	// shared says that other pages have the title of its page.
	shared bool
}

func (e *entry) target() whynot.Target {
	if e.page {
		return whynot.Target{SourceURL: e.section.SourceURL}
	}
	return whynot.Target{ChunkID: e.section.ChunkID}
}

// key is what an entry is known by among results: its page or its section.
func (e *entry) key() string {
	if e.page {
		return e.section.SourceURL
	}
	return cmp.Or(e.section.Within, e.section.ChunkID)
}

// catalogue is what can be picked of one version of a corpus. It is never changed.
type catalogue struct {
	version int64
	all     []entry
	more    int // sections beyond the limit
	partial bool
}

// entriesOf puts every page before its sections.
func entriesOf(list session.SectionList, t session.TitleSuffixes) *catalogue {
	e := &catalogue{version: list.Version, more: list.More, partial: list.Partial}
	last, pages := "", map[string]int{} // how many have a title
	add := func(n session.SectionName, name string, page bool) {
		address := wording.ShortURL(n.SourceURL, 1<<10)
		e.all = append(e.all, entry{name: name, address: address, low: strings.ToLower(name + " " + address), section: n, page: page})
	}
	names := wording.SectionTrails(list.Sections, t)
	for i := range list.Sections {
		n := list.Sections[i]
		if n.SourceURL != last || i == 0 {
			title := t.Strip(n.Title)
			if title == "" {
				title = wording.ShortURL(n.SourceURL, 80)
			}
			add(n, title, true)
			last = n.SourceURL
			pages[n.Title]++
		}
		add(n, names[i], false)
	}
	for i := range e.all {
		e.all[i].shared = pages[e.all[i].section.Title] > 1
	}
	return e
}

const (
	// matchedAtOnce is how many entries are matched while a key is handled.
	matchedAtOnce = 2000
	// matchesMost is how many matches are listed.
	matchesMost = 200
	// quoteLength is the least length of what is taken for a quote before it is
	// taken for a name.
	quoteLength = 25
	// leastQuote is the least length of what can be looked for in the texts.
	leastQuote = 3
)

// matches are indexes of entries, best first. loose says that they do not hold
// the words, only their letters in that order.
type matches struct {
	at    []int
	loose bool
}

// match finds the entries that hold all the words, or if none does those that
// hold the letters in their order. Without text it finds the pages.
//
// Of entries that are as close, those that came nearest the result stand first. It ends early
// when ctx does, with what it has found by then.
func (e *catalogue) match(ctx context.Context, text string, nearby map[string]nearMiss) matches {
	if looksLikeAddress(text) {
		text, _, _ = strings.Cut(wording.ShortURL(text, 1<<10), "#")
	}
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 {
		var pages []int
		for i := range e.all {
			if e.all[i].page {
				pages = append(pages, i)
			}
		}
		return matches{at: pages}
	}
	// Pages come before sections, as long as they are as close.
	var best [4][]int
	for i := range e.all {
		if ctx.Err() != nil {
			break
		}
		low := e.all[i].low
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(low, w) }) {
			n := e.all[i].closeness(words)
			best[n] = append(best[n], i)
		}
	}
	place := func(i int) int { return cmp.Or(nearby[e.all[i].key()].at, math.MaxInt) }
	for _, like := range best {
		slices.SortStableFunc(like, func(a, b int) int { return cmp.Compare(place(a), place(b)) })
	}
	if found := slices.Concat(best[0], best[1], best[2], best[3]); len(found) > 0 {
		return matches{at: found[:min(len(found), matchesMost)]}
	}
	var loose []int
	for _, like := range fuzzy.FindFromIter(strings.Join(words, ""), e.until(ctx)) {
		if loose = append(loose, like.Index); len(loose) == matchesMost {
			break
		}
	}
	return matches{at: loose, loose: true}
}

// closeness is 0 for a page in whose title every word begins a word, 1 for an entry
// whose last name begins with the first word, 2 for one in which every word begins a
// word, 3 for others.
func (e *entry) closeness(words []string) int {
	name := strings.ToLower(e.name)
	leaf := name
	if at := strings.LastIndex(name, wording.TrailSign); at >= 0 {
		leaf = name[at+len(wording.TrailSign):]
	}
	begun := !slices.ContainsFunc(words, func(w string) bool { return !beginsAWord(name, w) })
	switch {
	case begun && e.page:
		return 0
	case strings.HasPrefix(leaf, words[0]):
		return 1
	case begun:
		return 2
	}
	return 3
}

// beginsAWord reports whether a word of name begins with start: reset is a word of
// “git-reset(1)”.
func beginsAWord(name, start string) bool {
	for at := 0; ; {
		i := strings.Index(name[at:], start)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(name[:at+i])
		if at+i == 0 || !unicode.IsLetter(before) && !unicode.IsDigit(before) {
			return true
		}
		_, wide := utf8.DecodeRuneInString(name[at+i:])
		at += i + wide
	}
}

// until goes through what is matched of the entries, in their order, until ctx ends.
func (e *catalogue) until(ctx context.Context) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range e.all {
			if ctx.Err() != nil || !yield(e.all[i].low) {
				return
			}
		}
	}
}

// row is a line that can be chosen: an entry, or what is typed taken for an
// address or a quote.
type row struct {
	entry  *entry
	target whynot.Target
	// here names the selected section, which is among the results; near is what kept
	// out a page that came near them.
	here, near string
}

// nearPage is a page that is not in the result, and what kept the best of it out.
type nearPage struct{ url, kept string }

// nearMiss is a page or section that is not in the result: which of them came nearest, from
// 1, and what kept it out.
type nearMiss struct {
	at   int
	kept string
}

// picker narrows the sections by what is typed.
type picker struct {
	input   widget.Input
	entries *catalogue
	failed  string
	// ranks are those of what is in the result, by chunk and by page.
	ranks map[string]int
	// here is the selected section where that is among the results, else nil: the
	// first row as long as nothing is typed.
	here *row
	// near are the pages that are not in the result and came nearest, the nearest
	// first: before all others as long as nothing is typed.
	near []nearPage
	// nearby are these and the sections that came near, by address and by id.
	nearby map[string]nearMiss
	rows   []row
	// capped says that more match than are listed.
	capped bool
	// left is what was picked last: the cursor stands on it again as long as the text is the
	// same.
	left whynot.Target
	widget.List
}

func (p *picker) text() string { return strings.TrimSpace(p.input.Value()) }

func (p *picker) narrow() {
	var found matches
	if p.entries != nil {
		found = p.entries.match(context.Background(), p.text(), p.nearby) // they are few
	}
	p.list(p.text(), found)
}

// list makes rows of what matches a text, and of the text itself.
func (p *picker) list(text string, found matches) {
	p.rows, p.At, p.Top = nil, 0, 0
	first := 0
	p.capped = len(found.at) == matchesMost && text != ""
	if p.here != nil && text == "" {
		p.rows = append(p.rows, *p.here)
	}
	add := func(rows ...row) {
		for _, one := range rows {
			if !slices.ContainsFunc(p.rows, func(r row) bool { return r.target == one.target }) {
				p.rows = append(p.rows, one)
			}
		}
	}
	var entries []row
	for _, i := range found.at {
		e := &p.entries.all[i]
		entries = append(entries, row{entry: e, target: e.target(), near: p.nearby[e.key()].kept})
	}
	if text == "" {
		entries = p.nearestFirst(entries)
		first = len(p.rows) // something is missed: the selected section is there
	}
	quote := row{target: whynot.Target{Quote: text}}
	switch isNamed := len(entries) > 0 && !found.loose; {
	case looksLikeAddress(text):
		add(p.address(text)...)
		if isNamed {
			add(entries...)
		}
		if len(p.rows) == 0 {
			add(row{target: whynot.Target{SourceURL: text}})
		}
		if found.loose {
			add(entries...)
		}
	case !isNamed && len([]rune(text)) > quoteLength && strings.Contains(text, " "):
		add(quote)
		add(entries...)
	default:
		add(entries...)
		if len([]rune(text)) >= leastQuote {
			add(quote)
		}
	}
	p.Total = len(p.rows)
	if at := slices.IndexFunc(p.rows, func(r row) bool { return r.target == p.left }); at >= 0 {
		first = at
	}
	p.Go(first)
}

// nearestFirst puts the pages first that came near the result.
func (p *picker) nearestFirst(pages []row) []row {
	at := make(map[string]int, len(p.near)) // from 1
	for i, n := range p.near {
		at[n.url] = i + 1
	}
	for i := range pages {
		if n := at[pages[i].entry.section.SourceURL]; n > 0 {
			pages[i].near = p.near[n-1].kept
		}
	}
	slices.SortStableFunc(pages, func(a, b row) int {
		x, y := at[a.entry.section.SourceURL], at[b.entry.section.SourceURL]
		if x > 0 && y > 0 {
			return cmp.Compare(x, y)
		}
		return cmp.Compare(min(y, 1), min(x, 1))
	})
	return pages
}

// address finds what an address means: the section of its fragment, or the page.
func (p *picker) address(text string) []row {
	if p.entries == nil {
		return nil
	}
	_, fragment, _ := strings.Cut(text, "#")
	key := store.PageKey(text)
	var page []row
	for i := range p.entries.all {
		e := &p.entries.all[i]
		switch {
		case store.PageKey(e.section.SourceURL) != key:
		case e.page:
			page = []row{{entry: e, target: e.target()}}
		case fragment != "" && e.section.Anchor == fragment:
			return append([]row{{entry: e, target: e.target()}}, page...)
		}
	}
	return page
}

// handle types, moves and chooses. chosen is nil while nothing is; changed says
// that the text is another.
func (p *picker) handle(msg tea.Msg) (chosen *row, changed bool) {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch v := view.MotionsTyped[key.String()]; {
		case v != 0:
			p.Go(p.At + v.Rows(max(1, p.Height-1)))
			return nil, false
		case key.String() == "enter" && p.At < len(p.rows):
			return &p.rows[p.At], false
		case key.String() == "enter":
			return nil, false
		}
	}
	if changed = p.input.Type(msg); changed {
		p.left = whynot.Target{}
	}
	return nil, changed
}

// view draws the line that is typed into, a line about it, and the rows.
func (p *picker) view(s *theme.Styles, w, h int) []string {
	p.input.SetWidth(max(1, w-5))
	input := s.Accent.Render(" "+s.Signs.Prompt+" ") + p.input.View()
	lines := []string{widget.Fit(input, w)}
	about := "type the name of a page or section; or paste a URL, or a sentence of the text"
	if w < 84 {
		about = "type a name, or paste a URL or a sentence"
	}
	sign := s.Signs.Check + " in the result, with its rank"
	if p.text() == "" && len(p.rows) > 0 && ansi.StringWidth(about)+3+ansi.StringWidth(sign) <= w-4 {
		about = widget.Spread(about, sign, w-4)
	}
	style := s.Faint
	switch {
	case p.failed != "":
		about, style = p.failed, s.Warning
	case p.entries == nil:
		about = "reading the names of the sections " + s.Signs.Ellipsis
	case p.text() != "":
		about = p.counted()
	}
	lines = append(lines, "   "+style.Render(ansi.Truncate(about, max(1, w-4), s.Signs.Ellipsis)), "")
	p.Resize(max(1, h-len(lines)), len(p.rows))
	for i := p.Top; i < p.Until(); i++ {
		lines = append(lines, p.line(s, i, w))
	}
	if len(p.rows) == 0 && p.text() != "" {
		lines = append(lines, s.Faint.Render("   nothing of that name"))
	}
	return lines
}

// counted says how many match.
func (p *picker) counted() string {
	n := 0
	for i := range p.rows {
		if p.rows[i].entry != nil {
			n++
		}
	}
	said := "nothing of that name"
	switch {
	case p.capped:
		said = fmt.Sprintf("the best %s; more match", wording.Count(n))
	case n > 0:
		said = wording.Count(n) + " found"
	}
	if p.entries.partial {
		said += ", of the sections that the recording knows"
	}
	if p.entries.more > 0 {
		said += fmt.Sprintf(", of the first %s; the other %s are found by their address or text", wording.Plural(mostListed, "section"), wording.Count(p.entries.more))
	}
	return said
}

func (p *picker) line(s *theme.Styles, i, w int) string {
	row := &p.rows[i]
	mark, style := widget.Mark(s, i == p.At, true, s.Text)
	if row.here != "" {
		said := widget.Fit(mark+" "+s.Up.Render(s.Signs.Check)+s.Faint.Render(widget.Fit(wording.Count(p.ranks[row.target.ChunkID]), 3)), 6) + style.Render("the selected section: why it is here")
		room := w - ansi.StringWidth(said) - 4
		if room < 12 {
			return widget.Fit(said, w)
		}
		return widget.Spread(said, s.Faint.Render(wording.CutPath(row.here, room))+" ", w)
	}
	if row.entry == nil {
		verb, what := "find this text: ", row.target.Quote
		if row.target.SourceURL != "" {
			verb, what = "the page at ", row.target.SourceURL
		}
		return widget.Fit(mark+"     "+s.Faint.Render(verb)+style.Render(ansi.Truncate(wording.Line(what), max(1, w-8-len(verb)), s.Signs.Ellipsis)), w)
	}
	e := row.entry
	in := "    "
	if rank := p.ranks[e.key()]; rank > 0 {
		in = s.Up.Render(s.Signs.Check) + s.Faint.Render(widget.Fit(wording.Count(rank), 3))
	}
	right := ""
	// The name tells more than what kept it out, and that more than the address.
	name := wording.CutPath(e.name, max(8, w-8))
	room := w - 8 - ansi.StringWidth(name)
	if near := ansi.Truncate(row.near, max(0, room-2), s.Signs.Ellipsis); near == row.near || p.text() == "" {
		right = near
	}
	if left := room - ansi.StringWidth(right) - 4; p.needsAddress(e) && left >= min(leastAddress, ansi.StringWidth(e.address)) && w >= 60 && !s.Spoken {
		right = strings.TrimSuffix(wording.ShortURL(e.address, left)+"  "+right, "  ")
	}
	return widget.Spread(mark+" "+in+style.Render(name), s.Faint.Render(right)+" ", w)
}

// leastAddress is what is worth showing of an address, in cells.
const leastAddress = 12

// needsAddress says that an entry is told from others by the address of its page, or was found
// by it.
func (p *picker) needsAddress(e *entry) bool {
	name := strings.ToLower(e.name)
	return e.shared || slices.ContainsFunc(strings.Fields(strings.ToLower(p.text())), func(w string) bool { return !strings.Contains(name, w) })
}

// click chooses the row at a line of the picker.
func (p *picker) click(y int) *row {
	const above = 3
	i, ok := p.RowOf(y - above)
	if !ok {
		return nil
	}
	p.At = i
	return &p.rows[i]
}

// looksLikeAddress reports whether a text is an address rather than words.
func looksLikeAddress(s string) bool {
	return !strings.ContainsAny(s, " \t") && (strings.Contains(s, "://") || strings.Contains(s, "/") || strings.HasPrefix(s, "file:") || strings.HasPrefix(s, "www."))
}
