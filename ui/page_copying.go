package ui

import (
	"github.com/webrag/webrag-tui/ui/view"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/widget"
)

// What the copy menu of a page offers.
const (
	copyPageAddress = "address"
	copyPageTitle   = "title with its address"
	copySectionID   = "section's id"
)

func (m *Model) pageCopyActions() []view.Action {
	return []view.Action{
		{
			ID: "pages.copy", Title: "Pages: Copy", Short: "copy", Help: "Copy the address or the title of the selected page, or the id of the selected section.", Outside: true,
			Keys: []string{"y"}, Contexts: inTree.And(inPage), Footer: 25, Enabled: m.canCopyPage, Run: m.openPageCopyMenu,
		},
	}
}

func (m *Model) canCopyPage() (bool, string) {
	return m.corpusView.tree.selected() != nil, "no page is selected"
}

// sectionOfPage is the section that the pane of the page stands on, or nil.
func (m *Model) sectionOfPage() *store.Chunk {
	p := &m.corpusView.page
	if m.focus != panePage || p.content == nil || p.cursor < 0 || p.cursor >= len(p.content.Sections) {
		return nil
	}
	return &p.content.Sections[p.cursor]
}

func (m *Model) openPageCopyMenu() tea.Cmd {
	page := m.corpusView.tree.selected()
	address, none := page.URL, "no section is selected"
	if s := m.sectionOfPage(); s != nil {
		none = ""
		place := citations.Place{Section: s.SectionHeading, SourceURL: address, Anchor: s.Anchor}
		if n := len(s.HeadingPath); n > 0 {
			place.Section = s.HeadingPath[n-1]
		}
		address = citations.Cite(place, citations.Links{}).URL
	}
	c := view.NewChooser("Copy", []widget.Choice{
		{Value: copyPageAddress, Title: "Address of the page", Key: "u"},
		{Value: copyPageTitle, Title: "Title with its address", Key: "t"},
		{Value: copySectionID, Title: "Id of the section", Key: "i", Off: none},
	}, false)
	c.Then = func(what string) tea.Cmd {
		switch what {
		case copyPageTitle:
			return m.clip(what, page.Title+"\n"+address+"\n")
		case copySectionID:
			s := m.sectionOfPage()
			if s == nil {
				return nil // the chooser has it off
			}
			return m.clip(what, s.ID)
		}
		return m.clip(what, address)
	}
	return m.push(c)
}
