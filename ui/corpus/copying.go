package corpus

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

// sectionInFocus is the section that the pane of the page stands on, nil where another pane
// has the keys.
func (v *View) sectionInFocus() *store.Chunk {
	if v.Focused() != Page {
		return nil
	}
	return v.page.section()
}

func (v *View) openCopyMenu() tea.Cmd {
	page := v.tree.selected()
	address, none := page.URL, "no section is selected"
	if s := v.sectionInFocus(); s != nil {
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
			return v.Copy(what, page.Title+"\n"+address+"\n")
		case copySectionID:
			s := v.sectionInFocus()
			if s == nil {
				return nil // the chooser has it off
			}
			return v.Copy(what, s.ID)
		}
		return v.Copy(what, address)
	}
	return v.Push(c)
}
