package reader

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/ui/view"
)

// IsSelecting says that keys extend a selection in the text, while the pane has them.
func (v *View) IsSelecting() bool { return v.shown.passage != nil && v.shown.ready != nil }

// TakePassage ends selecting and returns what was selected, as the source has it, with the
// code point of the page that it begins at; empty where nothing was. ok is false where the
// form that is shown does not say where it stands: selecting goes on then.
func (v *View) TakePassage() (text string, start int, ok bool) {
	p := &v.shown
	if !v.IsSelecting() {
		return "", 0, true
	}
	start, end, ok := p.ready.Origin(p.passage.span())
	if !ok {
		return "", 0, false
	}
	text = offset.NewIndex(p.item.ChunkText).Slice(start, end)
	p.endPassage()
	return text, p.item.CharStart + start, true
}

// Actions are what can be done with a passage of the text.
func (v *View) Actions() []view.Action { return passages{v}.actions() }

// passages selects passages of the text.
type passages struct{ *View }

func (v passages) start() tea.Cmd {
	if !v.shown.startPassage() {
		return v.Say("there is no text to select here", false)
	}
	return v.Focus(Pane) // where it is selected, also from the list
}

func (v passages) extend(lines int) tea.Cmd {
	p := &v.shown
	if line, ok := p.passage.byLine(p.ready.Rendering, lines); ok {
		p.showPassage(line)
	}
	return nil
}

func (v passages) extendByWords(n int) tea.Cmd {
	p := &v.shown
	p.showPassage(p.passage.byWord(p.ready.Rendering, n))
	return nil
}

func (v passages) end() tea.Cmd {
	v.shown.endPassage()
	return nil
}

// copy copies what is selected as the source has it, or as a citation.
func (v passages) copy(cite bool) tea.Cmd {
	p := &v.shown
	it, s := p.item, p.passage.span()
	text := p.ready.Rendering.Slice(s.Start, s.End)
	p.endPassage()
	start, end, ok := p.ready.Origin(s)
	if !cite {
		if ok {
			text = offset.NewIndex(it.ChunkText).Slice(start, end)
		}
		return v.Copy("passage", text)
	}
	if !ok {
		return v.Say("this form does not say where the passage stands in the page; {preview.mode} shows the markdown", true)
	}
	return v.Copy("citation", citationOf(it, citations.PageSpan{URL: it.SourceURL, Start: it.CharStart + start, End: it.CharStart + end}))
}

func (v passages) canSelect() (bool, string) {
	switch {
	case v.shown.item == nil:
		return false, "nothing is selected"
	case v.shown.ready == nil || v.shown.ready.Rendering == nil:
		return false, "the text is not ready yet"
	}
	return true, ""
}

func (v passages) isSelecting() (bool, string) {
	return v.shown.passage != nil, "nothing is being selected; {passage.start} begins"
}

func (v passages) actions() []view.Action {
	return []view.Action{
		{
			ID: "passage.start", Title: "Passage: Select", Short: "select", Help: "Select a passage of the text: by lines, then by words.",
			Keys: []string{"v"}, Contexts: v.needs.Reading, Footer: 13, Enabled: v.canSelect,
			Run: v.start,
		},
		{
			ID: "passage.copy", Title: "Passage: Copy", Short: "copy", Help: "Copy the selected passage, exactly as the source has it.", Outside: true,
			Keys: []string{"y", "enter"}, Contexts: view.Contexts{Passage}, Footer: 100, Enabled: v.isSelecting,
			Run: func() tea.Cmd { return v.copy(false) },
		},
		{
			ID: "passage.cite", Title: "Passage: Copy as a citation", Short: "as citation", Help: "Copy the selected passage with its page, address and span.", Outside: true,
			Keys: []string{"c"}, Contexts: view.Contexts{Passage}, Footer: 90, Enabled: v.isSelecting,
			Run: func() tea.Cmd { return v.copy(true) },
		},
		{
			ID: "passage.down", Title: "Passage: Line down", Short: "a line more", Help: "Extend the selection to the next line.",
			Keys: []string{"j", "down"}, Contexts: view.Contexts{Passage}, Footer: 80, Enabled: v.isSelecting,
			Run: func() tea.Cmd { return v.extend(1) },
		},
		{
			ID: "passage.up", Title: "Passage: Line up", Help: "Draw the selection back by a line, or extend it upwards.",
			Keys: []string{"k", "up"}, Contexts: view.Contexts{Passage}, Enabled: v.isSelecting,
			Run: func() tea.Cmd { return v.extend(-1) },
		},
		{
			ID: "passage.right", Title: "Passage: Word on", Short: "a word more", Help: "Extend the selection by a word.",
			Keys: []string{"l", "right"}, Contexts: view.Contexts{Passage}, Footer: 70, Enabled: v.isSelecting,
			Run: func() tea.Cmd { return v.extendByWords(1) },
		},
		{
			ID: "passage.left", Title: "Passage: Word back", Short: "less", Help: "Draw the selection back by a word.",
			Keys: []string{"h", "left"}, Contexts: view.Contexts{Passage}, Footer: 60, Enabled: v.isSelecting,
			Run: func() tea.Cmd { return v.extendByWords(-1) },
		},
		{
			ID: "passage.end", Title: "Passage: End", Short: "end", Help: "End selecting.",
			Keys: []string{"esc", "v"}, Contexts: view.Contexts{Passage}, Fixed: true, Footer: 95, Enabled: v.isSelecting,
			Run: v.end,
		},
	}
}
