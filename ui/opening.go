package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/results"
)

// openedSection is a section that is read without the query having found it, or
// of which a span is cited.
type openedSection struct {
	item *retrieval.Item
	// span is what is cited of it; without characters, nothing is.
	span Span
}

// cites says that a span is painted as a citation.
func (o *openedSection) cites() bool { return o != nil && o.span.Start < o.span.End }

// alone is a section of an older result, without what that result said of it.
func alone(it *retrieval.Item) *openedSection {
	c := *it
	c.Rank, c.Score, c.Matches, c.Explanation, c.Why = 0, 0, nil, nil, nil
	return &openedSection{item: &c}
}

// openItem shows a section in the preview: in its row if the query found it,
// otherwise above the results. The place that is left can be gone back to.
func (m *Model) openItem(it *retrieval.Item, span Span, l landing) tea.Cmd {
	m.leaveTyping()
	left := m.leavePlace()
	m.opened = nil
	if o := (&openedSection{item: it, span: span}); o.cites() || m.session.Result() == nil || !holds(results.GroupsOf(m.session.Result().Items), it.ChunkID) {
		m.opened = o
	}
	m.list(it.ChunkID)
	m.selectSection(it.ChunkID)
	m.preview.item = nil // its marks may have changed
	l.id = it.ChunkID
	m.preview.land = l
	cmd := m.showView(viewExplore)
	if left && !m.opened.cites() {
		cmd = tea.Batch(cmd, m.say(m.keyed("{trail.back} goes back to where you were"), false))
	}
	return tea.Batch(cmd, m.focusOn(panePreview))
}

// selectSection puts the cursor on the row of a section, unfolding its page, and
// reports whether there is one.
func (m *Model) selectSection(id string) bool {
	p := &m.results
	if p.RowWith(id) < 0 {
		for _, g := range p.Groups {
			if holds([]results.Group{g}, id) && p.Folded[g.URL] {
				delete(p.Folded, g.URL)
				p.Build()
			}
		}
	}
	at := p.RowWith(id)
	if at >= 0 {
		p.GoTo(at)
	}
	return at >= 0
}

// sectionOpened brings a section that is to be read.
type sectionOpened struct {
	gen   int
	chunk store.Chunk
	land  landing
	err   error
}

// openSection reads a section of the corpus, and shows it.
func (m *Model) openSection(id string, l landing) tea.Cmd {
	if m.selectable(id) {
		return m.openItem(m.results.Rows[m.results.RowWith(id)].Item, Span{}, l)
	}
	ctx, gen := m.opening.begin(m.ctx)
	r := m.session.Corpus().Reader
	return func() tea.Msg { return readSection(ctx, r, gen, id, l) }
}

// selectable says that the list has a row for a section, which the query found.
func (m *Model) selectable(id string) bool {
	at := m.results.RowWith(id)
	return at >= 0 && m.results.Rows[at].Kind == results.Section && (m.opened == nil || m.opened.item.ChunkID != id)
}

func readSection(ctx context.Context, r session.Reader, gen int, id string, l landing) sectionOpened {
	c, err := r.Section(ctx, id)
	return sectionOpened{gen: gen, chunk: c, land: l, err: err}
}

func (msg sectionOpened) arrive(m *Model) tea.Cmd {
	if msg.gen != m.opening.gen {
		return nil
	}
	if msg.err != nil {
		return m.say("the section could not be read: "+msg.err.Error(), true)
	}
	m.texts.keep(msg.chunk)
	return m.openItem(itemOf(msg.chunk), Span{}, msg.land)
}

// openSpan fetches the section that holds a span.
func (m *Model) openSpan(s Span) tea.Cmd {
	ctx, gen := m.opening.begin(m.ctx)
	return spanCmd(ctx, gen, m.session.Corpus().Reader, s)
}

func (m *Model) onSpan(msg spanOpened) tea.Cmd {
	if msg.gen != m.opening.gen {
		return nil
	}
	if msg.err != nil {
		return m.say("the span could not be opened: "+msg.err.Error(), true)
	}
	it := itemOf(msg.chunk)
	cmd := m.openItem(it, msg.span, landing{})
	if m.opened.cites() {
		m.preview.form, m.preview.tentative = formHTML, true
	}
	if msg.span.End > it.CharEnd {
		return tea.Batch(cmd, m.say("the span goes on in the next section", false))
	}
	return cmd
}

// closeSpan takes the opened section off the list and goes back to the row that
// was selected before it.
func (m *Model) closeSpan() tea.Cmd {
	m.opened = nil
	keep, top := "", -1
	if it := m.results.Selected(); it != nil {
		keep = it.ChunkID
	}
	if m.session.Result() == nil || !holds(results.GroupsOf(m.session.Result().Items), keep) {
		if v := m.trail.results(); v != nil {
			keep, top = v.id(), v.listTop
		}
	}
	m.list(keep)
	if top >= 0 {
		m.results.Top = top
		m.results.ShowCursor()
	}
	m.preview.item = nil
	return nil
}
