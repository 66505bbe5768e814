package reader

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/ui/spans"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

// passage is a part of the shown text that is being selected, in code points of
// what its rendering was made of.
type passage struct {
	// from and to are the line that the selection began with, head its other end.
	from, to int
	head     int
}

// span is what is selected: down to the head, or up to it.
func (s *passage) span() spans.Span {
	if s.head < s.from {
		return spans.Span{Start: s.head, End: s.to, Level: spans.Selected}
	}
	return spans.Span{Start: s.from, End: max(s.head, s.from), Level: spans.Selected}
}

// startPassage selects the line of the focused mark if it can be seen, else the
// first visible line with text.
func (v *View) startPassage() tea.Cmd {
	p := &v.shown
	r := p.ready.Rendering
	line := p.Top
	if p.focus >= 0 && p.focus < len(p.stops) {
		if at, _ := p.marked.At(p.stops[p.focus]); p.Has(at) {
			line = at
		}
	}
	for ; line < r.Height(); line++ {
		if start, end, ok := r.LineSpan(line); ok {
			p.passage = &passage{from: start, to: end, head: end}
			p.paint()
			return nil
		}
	}
	return v.Say("there is no text to select here", false)
}

// extendPassage moves the head of the selection by a line.
func (v *View) extendPassage(n int) tea.Cmd {
	p := &v.shown
	s, r := p.passage, p.ready.Rendering
	up := s.head < s.from
	from, to := 0, r.Height()
	step := 1
	if n < 0 {
		from, to, step = r.Height()-1, -1, -1
	}
	for i := from; i != to; i += step {
		start, end, ok := r.LineSpan(i)
		switch {
		case !ok:
		case n > 0 && up && start > s.head:
			s.head = start
			if start >= s.from {
				s.head = s.to
			}
			return v.showPassage(i)
		case n > 0 && !up && end > s.head:
			s.head = end
			return v.showPassage(i)
		case n < 0 && up && start < s.head, n < 0 && !up && s.head <= s.to && start < s.from:
			s.head = start
			return v.showPassage(i)
		case n < 0 && !up && s.head > s.to && end < s.head:
			s.head = max(end, s.to)
			return v.showPassage(i)
		}
	}
	return nil
}

// extendWord moves the head of the selection by a word.
func (v *View) extendWord(n int) tea.Cmd {
	s, r := v.shown.passage, v.shown.ready.Rendering
	words := r.Words()
	up := s.head < s.from
	end := func(w spans.Span) int {
		if up {
			return w.Start
		}
		return w.End
	}
	if n > 0 {
		for _, w := range words {
			if end(w) > s.head {
				s.head = end(w)
				break
			}
		}
		if up && s.head >= s.from {
			s.head = s.to
		}
	} else {
		for i := len(words) - 1; i >= 0; i-- {
			w := words[i]
			if e := end(w); e < s.head {
				s.head = e
				if !up && e <= s.from {
					s.head = w.Start // beyond where it began: it goes on upwards
				}
				break
			}
		}
	}
	return v.showPassage(r.LineOf(max(0, s.head-1)))
}

// showPassage paints the selection, with the line of its head in sight.
func (v *View) showPassage(line int) tea.Cmd {
	p := &v.shown
	p.paint()
	p.Show(line)
	p.refit()
	return nil
}

func (v *View) endPassage() tea.Cmd {
	v.shown.passage = nil
	v.shown.paint()
	return nil
}

// copyPassage copies what is selected as the source has it, or as a citation.
func (v *View) copyPassage(cite bool) tea.Cmd {
	p := &v.shown
	it, s := p.item, p.passage.span()
	text := p.ready.Rendering.Slice(s.Start, s.End)
	v.endPassage()
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
	return v.Copy("citation", citationOf(it, Span{URL: it.SourceURL, Start: it.CharStart + start, End: it.CharStart + end}))
}

// IsSelecting says that keys extend a selection in the text, while the pane has them.
func (v *View) IsSelecting() bool { return v.shown.passage != nil && v.shown.ready != nil }

// passageNote counts what is selected, for the title.
func (p *shownSection) passageNote() string {
	s := p.passage.span()
	words := len(strings.Fields(p.ready.Rendering.Slice(s.Start, s.End)))
	return fmt.Sprintf("selected %s, %s", wording.Plural(words, "word"), wording.Plural(s.End-s.Start, "character"))
}

func (v *View) canSelect() (bool, string) {
	switch {
	case v.shown.item == nil:
		return false, "nothing is selected"
	case v.shown.ready == nil || v.shown.ready.Rendering == nil:
		return false, "the text is not ready yet"
	}
	return true, ""
}

func (v *View) isSelecting() (bool, string) {
	return v.shown.passage != nil, v.Keyed("nothing is being selected; {passage.start} begins")
}

// Actions are what can be done with a passage of the text.
func (v *View) Actions() []view.Action {
	return []view.Action{
		{
			ID: "passage.start", Title: "Passage: Select", Short: "select", Help: "Select a passage of the text: by lines, then by words.",
			Keys: []string{"v"}, Contexts: view.Contexts{Pane}, Footer: 13, Enabled: v.canSelect,
			Run: v.startPassage,
		},
		{
			ID: "passage.copy", Title: "Passage: Copy", Short: "copy", Help: "Copy the selected passage, exactly as the source has it.", Outside: true,
			Keys: []string{"y", "enter"}, Contexts: view.Contexts{Passage}, Footer: 100, Enabled: v.isSelecting,
			Run: func() tea.Cmd { return v.copyPassage(false) },
		},
		{
			ID: "passage.cite", Title: "Passage: Copy as a citation", Short: "as citation", Help: "Copy the selected passage with its page, address and span.", Outside: true,
			Keys: []string{"c"}, Contexts: view.Contexts{Passage}, Footer: 90, Enabled: v.isSelecting,
			Run: func() tea.Cmd { return v.copyPassage(true) },
		},
		{
			ID: "passage.down", Title: "Passage: Line down", Short: "a line more", Help: "Extend the selection to the next line.",
			Keys: []string{"j", "down"}, Contexts: view.Contexts{Passage}, Footer: 80, Enabled: v.isSelecting,
			Run: func() tea.Cmd { return v.extendPassage(1) },
		},
		{
			ID: "passage.up", Title: "Passage: Line up", Help: "Draw the selection back by a line, or extend it upwards.",
			Keys: []string{"k", "up"}, Contexts: view.Contexts{Passage}, Enabled: v.isSelecting,
			Run: func() tea.Cmd { return v.extendPassage(-1) },
		},
		{
			ID: "passage.right", Title: "Passage: Word on", Short: "a word more", Help: "Extend the selection by a word.",
			Keys: []string{"l", "right"}, Contexts: view.Contexts{Passage}, Footer: 70, Enabled: v.isSelecting,
			Run: func() tea.Cmd { return v.extendWord(1) },
		},
		{
			ID: "passage.left", Title: "Passage: Word back", Short: "less", Help: "Draw the selection back by a word.",
			Keys: []string{"h", "left"}, Contexts: view.Contexts{Passage}, Footer: 60, Enabled: v.isSelecting,
			Run: func() tea.Cmd { return v.extendWord(-1) },
		},
		{
			ID: "passage.end", Title: "Passage: End", Short: "end", Help: "End selecting.",
			Keys: []string{"esc", "v"}, Contexts: view.Contexts{Passage}, Fixed: true, Footer: 95, Enabled: v.isSelecting,
			Run: v.endPassage,
		},
	}
}
