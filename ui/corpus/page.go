package corpus

import (
	"strings"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/rendering"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/widget"
)

// shownPage is one page of the corpus: what it is made of, or the whole of it.
type shownPage struct {
	w            int
	widget.Pager // over what stands above the sections, and their rows
	// id is the page that is shown, due the one that is being waited for.
	id, due string
	resting view.Work // the pause before reading
	content *session.PageContent
	err     error
	kept    view.Latest[*session.PageContent]

	cursor int // a section, or [wholeRow]
	// wanted is the section to go to once the page is read, empty for none.
	wanted string
	hit    string

	asWhole bool
	whole   wholePage
}

// section is the one under the cursor, or nil.
func (p *shownPage) section() *store.Chunk {
	if p.content == nil || p.cursor < 0 || p.cursor >= len(p.content.Sections) {
		return nil
	}
	return &p.content.Sections[p.cursor]
}

// pagesRemembered is how many pages are kept, without their texts.
const pagesRemembered = 16

// follow keeps the page pane on the page under the cursor.
func (v pagePane) follow() tea.Cmd {
	p := &v.page
	at := v.tree.selected()
	if at == nil {
		return nil
	}
	if at.ID != p.id {
		v.Session().StopReading(session.KindPage, session.KindPageTexts)
		p.id, p.due, p.err = at.ID, "", nil
		p.content, _ = p.kept.Of(at.ID)
		p.cursor, p.Top, p.hit = 0, 0, ""
		p.whole.clear()
		v.arrived()
	}
	if p.content != nil || p.err != nil || p.due == p.id {
		return nil
	}
	p.due = p.id
	return p.resting.Rest(v.After, view.RestPause, func() tea.Cmd { return v.Begin(v.Session().ReadPage(p.id)) })
}

// take takes the page under the cursor.
func (v pagePane) take(d session.Done) tea.Cmd {
	p := &v.page
	if d.ID != p.id {
		return nil
	}
	p.content, p.err = d.Page, d.Err
	if p.content != nil {
		p.kept.Keep(p.id, p.content, pagesRemembered)
	}
	v.arrived()
	return v.followWhole()
}

// arrived goes to the first section of a page, or to the one that is wanted.
func (v pagePane) arrived() {
	p := &v.page
	if p.content == nil {
		return
	}
	v.Session().StopReading(session.KindPageTexts)
	p.whole.begin(p.content)
	p.cursor, p.Top = 0, 0
	for i := range p.content.Sections {
		if p.content.Sections[i].ID == p.wanted {
			p.cursor, p.wanted = i, ""
			p.whole.at = place{section: i}
		}
	}
	v.goToSection(p.cursor)
}

// wholeRow is the place of the cursor on the row that reads the whole page.
const wholeRow = -1

// goToSection puts the cursor on a section, or on [wholeRow], and keeps it on the
// screen with what stands above the first row that it can be on.
func (v pagePane) goToSection(n int) {
	p := &v.page
	if p.content == nil {
		return
	}
	p.cursor = max(wholeRow, min(n, len(p.content.Sections)-1))
	if v.Focused() != Page {
		p.Top = 0 // what the page is, until somebody looks at its sections
		return
	}
	if p.cursor <= 0 {
		p.Top = 0 // with what stands above
	}
	first := len(v.head()) + 1 // of the sections
	p.Show(first + p.cursor)
	p.Resize(p.Height, first+len(p.content.Sections))
}

// pagePane is one page of the corpus.
type pagePane struct{ *View }

func (v pagePane) SetSize(w, h int) {
	p := &v.page
	p.w, p.Height = w, h
	p.whole.setSize(w, h)
	v.goToSection(p.cursor)
}

// Measure implements [view.Measured]: the whole page is read, its parts are looked over.
func (v pagePane) Measure() int {
	if v.page.asWhole {
		return rendering.Measure
	}
	return 0
}

func (v pagePane) Move(verb widget.Verb) {
	p := &v.page
	switch {
	case p.content == nil:
	case p.asWhole && (verb == widget.Home || verb == widget.End):
		p.whole.end(verb.Rows(0))
	case p.asWhole:
		p.whole.scrollBy(verb.Lines(p.Height))
	case verb.Turns():
		p.Top += verb.Lines(0)
		p.Resize(p.Height, len(v.head())+1+len(p.content.Sections))
	default:
		v.goToSection(p.cursor + verb.Rows(p.Height))
	}
}

func (v pagePane) Click(_, y int) tea.Cmd {
	p := &v.page
	if p.asWhole || p.content == nil {
		return nil
	}
	n := p.Top + y - len(v.head()) - 1
	switch {
	case n < wholeRow || n >= len(p.content.Sections):
	case n == p.cursor:
		return v.open()
	default:
		v.goToSection(n)
	}
	return nil
}

// Selected is the section under the cursor, else the page.
func (v pagePane) Selected() (chunk view.Chunk, ok bool) {
	page, ok := pagesPane(v).Selected()
	if s := v.page.section(); s != nil {
		return view.Chunk{ID: s.ID, Section: s.ID, Page: page.Page}, true
	}
	return page, ok
}

func (v pagePane) Search(words string) {
	p := &v.page
	if p.asWhole {
		p.whole.seek(words)
		return
	}
	p.hit = words
	if hits := v.foundSections(); words != "" && len(hits) > 0 {
		at, _ := widget.HitAt(hits, p.cursor)
		v.goToSection(hits[at-1])
	}
}

// Found implements [view.Finder]: before anything is typed, nothing is.
func (v pagePane) Found() (at, of int) {
	p := &v.page
	switch {
	case p.asWhole && p.whole.hit != "":
		return p.whole.found()
	case p.asWhole, p.hit == "":
		return 0, 0
	}
	return widget.HitAt(v.foundSections(), p.cursor)
}

// foundSections are the sections whose heading has what is searched for; while
// nothing is, those in the answer.
func (v pagePane) foundSections() []int {
	p := &v.page
	if p.content == nil {
		return nil
	}
	var found []int
	for i := range p.content.Sections {
		c := &p.content.Sections[i]
		if p.hit != "" && widget.FoldIndex(sectionName(c), p.hit) >= 0 || p.hit == "" && v.answer.items[c.ID] != nil {
			found = append(found, i)
		}
	}
	return found
}

// Step goes to the next place that was found or, while nothing is searched for,
// that matched the query.
func (v pagePane) Step(n int) tea.Cmd {
	p := &v.page
	if p.asWhole {
		p.whole.step(n)
	} else {
		v.goToSection(widget.NextOf(v.foundSections(), p.cursor, n))
	}
	return nil
}

func (v pagePane) Stops() int {
	if v.page.asWhole {
		return len(v.page.whole.stops())
	}
	return len(v.foundSections())
}

// sectionName is the last heading above a section.
func sectionName(c *store.Chunk) string {
	if n := len(c.HeadingPath); n > 0 && strings.TrimSpace(c.HeadingPath[n-1]) != "" {
		return wording.Line(c.HeadingPath[n-1])
	}
	if h := wording.Line(c.SectionHeading); h != "" {
		return h
	}
	return "(without heading)"
}

// open opens what the cursor is on: the whole page here, or a section in
// the explorer.
func (v pagePane) open() tea.Cmd {
	p := &v.page
	if v.failure() != nil {
		return v.retryPages()
	}
	if p.content == nil {
		return nil
	}
	if p.asWhole {
		return v.openSection(p.whole.at.section)
	}
	if p.cursor == wholeRow {
		return v.toggleWhole()
	}
	return v.openSection(p.cursor)
}

// openSection shows a section of the page in the explorer.
func (v pagePane) openSection(n int) tea.Cmd {
	p := &v.page
	if n >= len(p.content.Sections) {
		return nil
	}
	id := p.content.Sections[n].ID
	v.came = id
	return v.OpenSection(id, -1)
}
