package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// pagePane shows one page of the corpus: what it is made of, or the whole of it.
type pagePane struct {
	w            int
	widget.Pager // over what stands above the sections, and their rows
	// id is the page that is shown, due the one that is being waited for.
	id, due string
	resting int // generation of the pause before reading
	content *session.PageContent
	err     error
	kept    keptPages

	cursor int // a section, or [wholeRow]
	// wanted is the section to go to once the page is read, empty for none.
	wanted string
	hit    string

	asWhole bool
	whole   wholePane
}

// keptPages are the pages that were read last.
type keptPages struct {
	byID   map[string]*session.PageContent
	oldest []string
}

// pagesRemembered is how many pages are kept, without their texts.
const pagesRemembered = 16

func (k *keptPages) keep(id string, c *session.PageContent) {
	if k.byID == nil {
		k.byID = map[string]*session.PageContent{}
	}
	if _, ok := k.byID[id]; !ok {
		k.oldest = append(k.oldest, id)
	}
	k.byID[id] = c
	if len(k.oldest) > pagesRemembered {
		delete(k.byID, k.oldest[0])
		k.oldest = slices.Delete(k.oldest, 0, 1)
	}
}

// pageDue says that the cursor has rested on a page.
type pageDue struct{ gen int }

// followPage keeps the page pane on the page under the cursor.
func (m *Model) followPage() tea.Cmd {
	v := &m.corpusView
	p := &v.page
	at := v.tree.selected()
	if at == nil {
		return nil
	}
	if at.ID != p.id {
		m.session.StopReading(session.KindPage)
		p.id, p.due, p.err, p.content = at.ID, "", nil, p.kept.byID[at.ID]
		p.cursor, p.Top, p.hit = 0, 0, ""
		p.whole = wholePane{w: p.whole.w, h: p.whole.h}
		m.arrived()
	}
	if p.content != nil || p.err != nil || p.due == p.id {
		return nil
	}
	p.due = p.id
	p.resting++
	return m.after(previewPause, pageDue{p.resting})
}

func (msg pageDue) arrive(m *Model) tea.Cmd {
	p := &m.corpusView.page
	if msg.gen != p.resting || m.session.Corpus() == nil {
		return nil
	}
	return m.start(m.session.ReadPage(p.id))
}

// onPage takes the page under the cursor.
func (m *Model) onPage(d session.Done) tea.Cmd {
	p := &m.corpusView.page
	if d.ID != p.id {
		return nil
	}
	p.content, p.err = d.Page, d.Err
	if p.content != nil {
		p.kept.keep(p.id, p.content)
	}
	m.arrived()
	return m.followWhole()
}

// arrived goes to the first section of a page, or to the one that is wanted.
func (m *Model) arrived() {
	p := &m.corpusView.page
	if p.content == nil {
		return
	}
	m.session.StopReading(session.KindPageTexts)
	p.whole.begin(p.content)
	p.cursor, p.Top = 0, 0
	for i := range p.content.Sections {
		if p.content.Sections[i].ID == p.wanted {
			p.cursor, p.wanted = i, ""
			p.whole.at = place{section: i}
		}
	}
	m.goToSection(p.cursor)
}

// wholeRow is the place of the cursor on the row that reads the whole page.
const wholeRow = -1

// goToSection puts the cursor on a section, or on [wholeRow], and keeps it on the
// screen with what stands above the first row that it can be on.
func (m *Model) goToSection(n int) {
	p := &m.corpusView.page
	if p.content == nil {
		return
	}
	p.cursor = max(wholeRow, min(n, len(p.content.Sections)-1))
	if m.focus != panePage {
		p.Top = 0 // what the page is, until somebody looks at its sections
		return
	}
	if p.cursor <= 0 {
		p.Top = 0 // with what stands above
	}
	first := len(m.pageHead()) + 1 // of the sections
	p.Show(first + p.cursor)
	p.Resize(p.Height, first+len(p.content.Sections))
}

// pagePanel is one page of the corpus.
type pagePanel struct{ *Model }

func (m pagePanel) SetSize(w, h int) {
	p := &m.corpusView.page
	p.w, p.Height = w, h
	p.whole.setSize(w, h)
	m.goToSection(p.cursor)
}

func (m pagePanel) Move(v widget.Verb) {
	p := &m.corpusView.page
	switch {
	case p.content == nil:
	case p.asWhole && (v == widget.Home || v == widget.End):
		p.whole.end(v.Rows(0))
	case p.asWhole:
		p.whole.scrollBy(v.Lines(p.Height))
	case v.Turns():
		p.Top += v.Lines(0)
		p.Resize(p.Height, len(m.pageHead())+1+len(p.content.Sections))
	default:
		m.goToSection(p.cursor + v.Rows(p.Height))
	}
}

func (m pagePanel) Click(_, y int) tea.Cmd {
	p := &m.corpusView.page
	if p.asWhole || p.content == nil {
		return nil
	}
	n := p.Top + y - len(m.pageHead()) - 1
	switch {
	case n < wholeRow || n >= len(p.content.Sections):
	case n == p.cursor:
		return m.enterPageRow()
	default:
		m.goToSection(n)
	}
	return nil
}

func (m pagePanel) Search(words string) {
	p := &m.corpusView.page
	if p.asWhole {
		p.whole.seek(words)
		return
	}
	p.hit = words
	if hits := m.foundSections(); words != "" && len(hits) > 0 {
		at, _ := widget.HitAt(hits, p.cursor)
		m.goToSection(hits[at-1])
	}
}

func (m pagePanel) Found() (at, of int) {
	p := &m.corpusView.page
	if p.asWhole {
		return p.whole.found()
	}
	return widget.HitAt(m.foundSections(), p.cursor)
}

// foundSections are the sections whose heading has what is searched for; while
// nothing is, those in the answer.
func (m *Model) foundSections() []int {
	p := &m.corpusView.page
	if p.content == nil {
		return nil
	}
	var found []int
	for i := range p.content.Sections {
		c := &p.content.Sections[i]
		if p.hit != "" && widget.FoldIndex(sectionName(c), p.hit) >= 0 || p.hit == "" && m.corpusView.answer.items[c.ID] != nil {
			found = append(found, i)
		}
	}
	return found
}

// step goes to the next place that was found or, while nothing is searched for,
// that matched the query.
func (m pagePanel) Step(n int) {
	p := &m.corpusView.page
	if p.asWhole {
		p.whole.step(n)
		return
	}
	m.goToSection(widget.NextOf(m.foundSections(), p.cursor, n))
}

func (m pagePanel) Stops() int {
	if m.corpusView.page.asWhole {
		return len(m.corpusView.page.whole.stops())
	}
	return len(m.foundSections())
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

// enterPageRow opens what the cursor is on: the whole page here, or a section in
// the explorer.
func (m *Model) enterPageRow() tea.Cmd {
	p := &m.corpusView.page
	if m.corpusFailure() != nil {
		return m.retryPages()
	}
	if p.content == nil {
		return nil
	}
	if p.asWhole {
		return m.exploreSection(p.whole.at.section)
	}
	if p.cursor == wholeRow {
		return m.toggleWhole()
	}
	return m.exploreSection(p.cursor)
}

// exploreSection shows a section of the page in the explorer.
func (m *Model) exploreSection(n int) tea.Cmd {
	p := &m.corpusView.page
	if n >= len(p.content.Sections) {
		return nil
	}
	id := p.content.Sections[n].ID
	m.corpusView.came = id
	return m.openSection(id, landing{})
}
