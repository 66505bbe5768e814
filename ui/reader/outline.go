package reader

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/rendering"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// outlineEntry is a heading of a page, or a section that has none of its own.
type outlineEntry struct {
	// section is the id of the section that holds it.
	section string
	rendering.Heading
}

// showOutline reads the headings of the page that the selected section is of.
func (v leads) showOutline() tea.Cmd {
	return v.Begin(v.Session().ReadOutline(v.Item().DocumentID))
}

// outlineOf lists the headings in the texts of a page's sections. A section that
// begins below none of its own goes on with the one before, and is listed so that
// it can be gone to.
func outlineOf(sections []store.Chunk, texts map[string]string) []outlineEntry {
	var all []outlineEntry
	for i := range sections {
		c := &sections[i]
		found := rendering.HeadingsIn(texts[c.ID])
		if len(found) == 0 || found[0].At > 0 {
			all = append(all, outlineEntry{c.ID, rendering.Heading{Level: max(1, len(c.HeadingPath)), Text: unheaded(c, i > 0)}})
			if before := len(all) - 2; before >= 0 {
				all[len(all)-1].Level = all[before].Level
			}
		}
		for _, h := range found {
			all = append(all, outlineEntry{c.ID, h})
		}
	}
	return all
}

// unheaded names a section whose text begins without a heading.
func unheaded(c *store.Chunk, goesOn bool) string {
	name := wording.Heading(&retrieval.Item{HeadingPath: c.HeadingPath, SectionHeading: c.SectionHeading, Title: c.Title})
	if goesOn {
		return name + ", continued"
	}
	return name
}

// offerOutline offers the headings of the page that the selected section is of.
func (v leads) offerOutline(d session.Done) tea.Cmd {
	if d.Err != nil {
		return v.Say("the outline could not be read: "+d.Err.Error(), true)
	}
	texts := make(map[string]string, len(d.Sections))
	for i := range d.Sections {
		texts[d.Sections[i].ID] = d.Sections[i].ChunkText
	}
	entries := outlineOf(d.Page.Sections, texts)
	switch {
	case v.Item() == nil:
		return nil
	case len(entries) == 0:
		return v.Say("this page has no headings", false)
	}
	ranks := map[string]int{}
	if v.Session().Result() != nil {
		for i := range v.Session().Result().Items {
			ranks[v.Session().Result().Items[i].SectionID()] = v.Session().Result().Items[i].Rank
		}
	}
	least := 6
	for _, e := range entries {
		least = min(least, e.Level)
	}
	present := v.headingHere(entries)
	all := make([]widget.Choice, len(entries))
	for i, e := range entries {
		all[i] = widget.Choice{Value: strconv.Itoa(i), Title: strings.Repeat("  ", e.Level-least) + e.Text}
		var said []string
		if i == present {
			said = append(said, "here")
		}
		if rank, ok := ranks[e.section]; ok && (i == 0 || entries[i-1].section != e.section) {
			said = append(said, fmt.Sprintf("rank %d", rank))
		}
		all[i].Key = strings.Join(said, "  ")
	}
	c := view.NewChooser("Outline of "+v.PageTitle(d.Page.Document.Title), all, true)
	c.Wide, c.At = 84, max(0, present)
	c.Then = func(value string) tea.Cmd {
		n, err := strconv.Atoi(value)
		if err != nil || n >= len(entries) {
			return nil
		}
		e := entries[n]
		return v.OpenSection(e.section, e.At)
	}
	return v.Push(c)
}

// headingHere is the heading above the first visible line, -1 where none is.
func (v leads) headingHere(entries []outlineEntry) int {
	here := -1
	for i, e := range entries {
		if e.section != v.Item().SectionID() {
			continue
		}
		if here < 0 || v.shown.lineOf(e.At) <= v.shown.Top {
			here = i
		}
	}
	return here
}
