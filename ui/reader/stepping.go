package reader

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/wording"
)

// Search implements [view.Finder]. What is searched for is looked for in other forms and
// sections, too.
func (v *View) Search(words string) {
	v.words = words
	if words != "" || len(v.shown.hits) > 0 {
		v.shown.setHits(v.shown.search(words))
	}
}

// Found implements [view.Finder].
func (v *View) Found() (at, of int) {
	if len(v.shown.hits) == 0 {
		return 0, 0
	}
	return v.shown.focus + 1, len(v.shown.stops)
}

// Stops implements [view.Finder]: those that this form cannot show count as well.
func (v *View) Stops() int {
	if v.marksElsewhere() {
		return v.shown.lost
	}
	return len(v.shown.stops)
}

// Step implements [view.Finder]. After the last match of a section come those of the next
// one. From a form without marks it goes to the form that has them.
func (v *View) Step(n int) tea.Cmd {
	if v.marksElsewhere() {
		v.ShowRendered()
		return v.Say("rendered, which the marks refer to; {preview.mode} for the other forms", false)
	}
	return stepping{v}.inText(n)
}

// stepping goes from mark to mark.
type stepping struct{ *View }

// inText goes to the next mark of the text. Matches go on in the next section
// that has some, and say so; other marks go round the end.
func (v stepping) inText(n int) tea.Cmd {
	p := &v.shown
	if at := p.focus + n; p.onMatches() && p.focus >= 0 && (at < 0 || at >= len(p.stops)) {
		if cmd, gone := v.toSection(n); gone {
			return cmd
		}
	}
	switch round := p.step(n); {
	case !round || len(p.stops) < 2:
		return nil
	case n > 0:
		return v.Say("from the top", false)
	default:
		return v.Say("from the end", false)
	}
}

// onMatches says that n and N step through the passages that the query matched.
func (p *shownSection) onMatches() bool {
	if len(p.stops) == 0 {
		return false
	}
	mark := p.marked.Span(p.stops[0])
	return kindOf(mark.Level) == markMatch && mark.Label != ""
}

// toSection goes to the first match of the next section of the list, or to the
// last one of the section before.
func (v stepping) toSection(n int) (cmd tea.Cmd, gone bool) {
	all := slices.Collect(v.needs.List.Matched())
	here := slices.Index(all, v.needs.List.Selected())
	if here < 0 || len(all) < 2 {
		return nil, false
	}
	next := (here + n + len(all)) % len(all)
	to, said := landFirst, "next section"
	switch {
	case n < 0 && next > here:
		to, said = landLast, "from the end: the last section"
	case n < 0:
		to, said = landLast, "section before"
	case next < here:
		said = "from the top: the first section"
	}
	it := all[next]
	v.needs.List.Select(it.ChunkID)
	v.shown.land, v.shown.landOn = Landing{to: to}, it.ChunkID
	return v.Say(fmt.Sprintf("%s: %s", said, wording.PathOf(it, v.TitleSuffixes())), false), true
}

// inAll says which of all matches in the list the reader stands on, and how
// many there are; at is 0 when it stands on none.
func (v stepping) inAll() (at, all int) {
	if !v.shown.onMatches() {
		return 0, 0
	}
	selected := v.needs.List.Selected()
	for it := range v.needs.List.Matched() {
		if it == selected && v.shown.focus >= 0 {
			at = all + v.FocusedMatch() + 1
		}
		all += len(it.Matches)
	}
	return at, all
}
