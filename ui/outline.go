package ui

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// outlineEntry is a heading of a page, or a section that has none of its own.
type outlineEntry struct {
	// section is the id of the section that holds it.
	section string
	level   int // 1 to 6
	text    string
	at      int // where it begins, in code points of the section's text
}

// showOutline reads the headings of the page that the selected section is of.
func (m *Model) showOutline() tea.Cmd {
	return m.start(m.session.ReadOutline(m.results.Selected().DocumentID))
}

// outlineOf lists the headings in the texts of a page's sections. A section that
// begins below none of its own goes on with the one before, and is listed so that
// it can be gone to.
func outlineOf(sections []store.Chunk, texts map[string]string) []outlineEntry {
	var all []outlineEntry
	for i := range sections {
		c := &sections[i]
		found := headingsIn(texts[c.ID])
		if len(found) == 0 || found[0].at > 0 {
			all = append(all, outlineEntry{section: c.ID, level: max(1, len(c.HeadingPath)), text: unheaded(c, i > 0)})
			if before := len(all) - 2; before >= 0 {
				all[len(all)-1].level = all[before].level
			}
		}
		for _, h := range found {
			h.section = c.ID
			all = append(all, h)
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

// headingsIn finds the headings of markdown, those of code left out.
func headingsIn(markdown string) []outlineEntry {
	var all []outlineEntry
	fence, at := "", 0
	for line := range strings.Lines(markdown) {
		begins := at
		at += utf8.RuneCountInString(line)
		bare := strings.TrimLeft(line, " ")
		if mark := fenceOf(bare); mark != "" && (fence == "" || mark == fence) {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
			continue
		}
		level := len(bare) - len(strings.TrimLeft(bare, "#"))
		if fence != "" || level == 0 || level > 6 || len(line)-len(bare) > 3 || !strings.HasPrefix(strings.TrimRight(bare[level:], "\r\n")+" ", " ") {
			continue
		}
		text := strings.TrimSpace(strings.TrimRight(strings.TrimSpace(bare[level:]), "#"))
		all = append(all, outlineEntry{level: level, text: wording.Line(placeholder(text)), at: begins})
	}
	return all
}

// onOutline offers the headings of the page that the selected section is of.
func (m *Model) onOutline(d session.Done) tea.Cmd {
	if d.Err != nil {
		return m.say("the outline could not be read: "+d.Err.Error(), true)
	}
	texts := make(map[string]string, len(d.Sections))
	for i := range d.Sections {
		texts[d.Sections[i].ID] = d.Sections[i].ChunkText
	}
	entries := outlineOf(d.Page.Sections, texts)
	switch {
	case m.results.Selected() == nil:
		return nil
	case len(entries) == 0:
		return m.say("this page has no headings", false)
	}
	ranks := map[string]int{}
	if m.session.Result() != nil {
		for i := range m.session.Result().Items {
			ranks[m.session.Result().Items[i].SectionID()] = m.session.Result().Items[i].Rank
		}
	}
	least := 6
	for _, e := range entries {
		least = min(least, e.level)
	}
	present := m.headingHere(entries)
	all := make([]widget.Choice, len(entries))
	for i, e := range entries {
		all[i] = widget.Choice{Value: strconv.Itoa(i), Title: strings.Repeat("  ", e.level-least) + e.text}
		var said []string
		if i == present {
			said = append(said, "here")
		}
		if rank, ok := ranks[e.section]; ok && (i == 0 || entries[i-1].section != e.section) {
			said = append(said, fmt.Sprintf("rank %d", rank))
		}
		all[i].Key = strings.Join(said, "  ")
	}
	c := view.NewChooser("Outline of "+m.suffixes.Strip(d.Page.Document.Title), all, true)
	c.Wide, c.At = 84, max(0, present)
	c.Then = func(value string) tea.Cmd {
		n, err := strconv.Atoi(value)
		if err != nil || n >= len(entries) {
			return nil
		}
		e := entries[n]
		return m.openSection(e.section, landing{to: landAt, at: e.at})
	}
	return m.push(c)
}

// headingHere is the heading above the first visible line, -1 where none is.
func (m *Model) headingHere(entries []outlineEntry) int {
	here := -1
	for i, e := range entries {
		if e.section != m.results.Selected().SectionID() {
			continue
		}
		if here < 0 || m.preview.lineOf(e.at) <= m.preview.Top {
			here = i
		}
	}
	return here
}
