package ui

import (
	"context"
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

// outlineRead brings the outline of a page.
type outlineRead struct {
	gen     int
	title   string
	entries []outlineEntry
	err     error
}

// showOutline reads the headings of the page that the selected section is of.
func (m *Model) showOutline() tea.Cmd {
	ctx, gen := m.opening.begin(m.ctx)
	r, it := m.session.Corpus().Reader, m.results.Selected()
	return func() tea.Msg { return readOutline(ctx, r, gen, it.DocumentID) }
}

func readOutline(ctx context.Context, r session.Reader, gen int, page string) outlineRead {
	content, err := r.Page(ctx, page)
	if err != nil {
		return outlineRead{gen: gen, err: err}
	}
	ids := make([]string, len(content.Sections))
	for i := range content.Sections {
		ids[i] = content.Sections[i].ID
	}
	found, err := r.SectionTexts(ctx, ids)
	if err != nil {
		return outlineRead{gen: gen, err: err}
	}
	texts := make(map[string]string, len(found))
	for i := range found {
		texts[found[i].ID] = found[i].ChunkText
	}
	return outlineRead{gen: gen, title: content.Document.Title, entries: outlineOf(content.Sections, texts)}
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

func (msg outlineRead) arrive(m *Model) tea.Cmd {
	it := m.results.Selected()
	switch {
	case msg.gen != m.opening.gen || it == nil:
		return nil
	case msg.err != nil:
		return m.say("the outline could not be read: "+msg.err.Error(), true)
	case len(msg.entries) == 0:
		return m.say("this page has no headings", false)
	}
	ranks := map[string]int{}
	if m.session.Result() != nil {
		for i := range m.session.Result().Items {
			ranks[sectionID(&m.session.Result().Items[i])] = m.session.Result().Items[i].Rank
		}
	}
	least := 6
	for _, e := range msg.entries {
		least = min(least, e.level)
	}
	present := m.headingHere(msg.entries)
	all := make([]widget.Choice, len(msg.entries))
	for i, e := range msg.entries {
		all[i] = widget.Choice{Value: strconv.Itoa(i), Title: strings.Repeat("  ", e.level-least) + e.text}
		var said []string
		if i == present {
			said = append(said, "here")
		}
		if rank, ok := ranks[e.section]; ok && (i == 0 || msg.entries[i-1].section != e.section) {
			said = append(said, fmt.Sprintf("rank %d", rank))
		}
		all[i].Key = strings.Join(said, "  ")
	}
	c := view.NewChooser("Outline of "+m.tails.Strip(msg.title), all, true)
	c.Wide, c.At = 84, max(0, present)
	c.Then = func(value string) tea.Cmd {
		n, err := strconv.Atoi(value)
		if err != nil || n >= len(msg.entries) {
			return nil
		}
		e := msg.entries[n]
		return m.openSection(e.section, landing{to: landAt, at: e.at})
	}
	return m.push(c)
}

// headingHere is the heading above the first visible line, -1 where none is.
func (m *Model) headingHere(entries []outlineEntry) int {
	here := -1
	for i, e := range entries {
		if e.section != sectionID(m.results.Selected()) {
			continue
		}
		if here < 0 || m.preview.lineOf(e.at) <= m.preview.Top {
			here = i
		}
	}
	return here
}
