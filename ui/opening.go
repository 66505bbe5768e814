package ui

import (
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/reader"
	"github.com/webrag/webrag-tui/ui/view"
)

// openedSection is a section that is read without the query having found it, or
// of which a span is cited.
type openedSection struct {
	item *retrieval.Item
	// span is what is cited of it; without characters, nothing is.
	span citations.PageSpan
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
func (m navigation) openItem(it *retrieval.Item, span citations.PageSpan, l reader.Landing) tea.Cmd {
	m.leaveTyping()
	left := m.leavePlace()
	m.opened = nil
	if o := (&openedSection{item: it, span: span}); o.cites() || !m.hasFound(it.ChunkID) {
		m.opened = o
	}
	m.list(it.ChunkID)
	m.results.Select(it.ChunkID)
	m.reader.Land(it.ChunkID, l) // its marks may have changed
	cmd := m.showView(viewExplore)
	if left && !m.opened.cites() {
		cmd = tea.Batch(cmd, m.say(m.Keyed("{trail.back} goes back to where you were"), false))
	}
	return tea.Batch(cmd, m.focusOn(panePreview))
}

// hasFound reports that the query returned a section.
func (m navigation) hasFound(id string) bool {
	r := m.session.Result()
	return r != nil && slices.ContainsFunc(r.Items, func(it retrieval.Item) bool { return it.ChunkID == id })
}

// going is what the session reads a section for.
type going struct {
	land reader.Landing
	span citations.PageSpan
}

// openSection reads a section of the corpus, and shows it.
func (m navigation) openSection(id string, l reader.Landing) tea.Cmd {
	if it := m.results.Section(id); it != nil && (m.opened == nil || m.opened.item.ChunkID != id) {
		return m.openItem(it, citations.PageSpan{}, l)
	}
	m.going = going{land: l}
	return m.start(m.session.ReadSection(id))
}

// Take implements [view.Taker].
func (m navigation) Take(d session.Done) tea.Cmd {
	switch d.Kind {
	case session.KindSection:
		return m.onVisited(d, "section could not be read")
	case session.KindAddress:
		return m.onVisited(d, "address could not be opened")
	case session.KindSpan:
		return m.onSpan(d)
	default:
		return nil
	}
}

// onVisited shows a section that was read to be gone to; what says what could not be read.
func (m navigation) onVisited(d session.Done, what string) tea.Cmd {
	if d.Err != nil {
		return m.say("the "+what+": "+d.Err.Error(), true)
	}
	it := session.ItemOf(d.Section)
	m.session.SetPart(it)
	return m.openItem(it, citations.PageSpan{}, m.going.land)
}

// openSpan fetches the section that holds a span.
func (m navigation) openSpan(s citations.PageSpan) tea.Cmd {
	m.going = going{span: s}
	return m.start(m.session.ReadSpan(s.URL, s.Start))
}

func (m navigation) onSpan(d session.Done) tea.Cmd {
	if d.Err != nil {
		return m.say("the span could not be opened: "+d.Err.Error(), true)
	}
	it, span := session.ItemOf(d.Section), m.going.span
	m.session.SetPart(it)
	cmd := m.openItem(it, span, reader.Landing{})
	if m.opened.cites() {
		m.reader.ShowAsSent()
	}
	if span.End > it.CharEnd {
		return tea.Batch(cmd, m.say("the span goes on in the next section", false))
	}
	return cmd
}

// closeSpan takes the opened section off the list and goes back to the row that
// was selected before it.
func (m navigation) closeSpan() tea.Cmd {
	m.opened = nil
	keep, top := "", -1
	if it := m.results.Selected(); it != nil {
		keep = it.ChunkID
	}
	if !m.hasFound(keep) {
		if v := m.trail.results(); v != nil {
			keep, top = v.id(), v.listTop
		}
	}
	m.list(keep)
	if top >= 0 {
		m.results.ScrollTo(top)
	}
	m.reader.ShowAnew()
	return nil
}

// openAddress opens the section of the corpus that an address means.
func (m navigation) openAddress(address string) tea.Cmd {
	m.going = going{land: reader.At(0)}
	return m.start(m.session.ReadAddress(address))
}

// errNoAddress says that nothing was typed.
var errNoAddress = errors.New("type the address of a page")

func (m navigation) promptAddress() tea.Cmd {
	return m.push(view.NewPrompt("Open a page of the corpus", "its address; #NAME goes to a heading", "", func(s string) error {
		if strings.TrimSpace(s) == "" {
			return errNoAddress
		}
		return nil
	}, func(text string) tea.Cmd { return m.openAddress(strings.TrimSpace(text)) }))
}
