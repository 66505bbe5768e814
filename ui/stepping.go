package ui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/wording"
)

// stepInText goes to the next mark of the text. Matches go on in the next section
// that has some, and say so; other marks go round the end.
func (m *Model) stepInText(n int) tea.Cmd {
	p := &m.preview
	if at := p.focus + n; p.onMatches() && p.focus >= 0 && (at < 0 || at >= len(p.stops)) {
		if cmd, gone := m.stepSection(n); gone {
			return cmd
		}
	}
	switch round := p.step(n); {
	case !round || len(p.stops) < 2:
		return nil
	case n > 0:
		return m.say("from the top", false)
	default:
		return m.say("from the end", false)
	}
}

// onMatches says that n and N step through the passages that the query matched.
func (p *previewPane) onMatches() bool {
	if len(p.stops) == 0 {
		return false
	}
	mark := p.marked.Span(p.stops[0])
	return kindOf(mark.Level) == markMatch && mark.Label != ""
}

// stepSection goes to the first match of the next section of the list, or to the
// last one of the section before.
func (m *Model) stepSection(n int) (cmd tea.Cmd, gone bool) {
	matched := slices.Collect(m.results.Matched())
	here := slices.Index(matched, m.results.Selected())
	if here < 0 || len(matched) < 2 {
		return nil, false
	}
	next := (here + n + len(matched)) % len(matched)
	to, said := landFirst, "next section"
	switch {
	case n < 0 && next > here:
		to, said = landLast, "from the end: the last section"
	case n < 0:
		to, said = landLast, "section before"
	case next < here:
		said = "from the top: the first section"
	}
	it := matched[next]
	m.results.Select(it.ChunkID)
	m.preview.land = landing{id: it.ChunkID, to: to}
	return m.say(fmt.Sprintf("%s: %s", said, wording.Heading(it)), false), true
}

// matchInAll says which of all matches in the list the preview stands on, and how
// many there are; at is 0 when it stands on none.
func (m *Model) matchInAll() (at, all int) {
	if !m.preview.onMatches() {
		return 0, 0
	}
	for it := range m.results.Matched() {
		if it == m.results.Selected() && m.preview.focus >= 0 {
			at = all + m.preview.focus + 1
		}
		all += len(it.Matches)
	}
	return at, all
}
