package pipeline

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

// What is found are the candidates of the stage that is looked at, from both panes.
var (
	_ view.Finder = stagesPane{}
	_ view.Finder = outcomePane{}
)

// Search implements [view.Finder]. What is folded is found, too.
func (v *View) Search(words string) {
	l := &v.list
	if (words == "") != (l.hit == "") {
		l.hit = words
		l.keepInSight()
		l.put(l.text, l.groups)
	}
	l.search(words)
	if i, n := widget.HitAt(l.hits, l.At); n > 0 {
		l.goTo(l.hits[i-1])
	}
}

// Found implements [view.Finder].
func (v *View) Found() (at, of int) { return widget.HitAt(v.list.hits, v.list.At) }

// Step implements [view.Finder].
func (v *View) Step(n int) tea.Cmd {
	v.list.goTo(widget.NextOf(v.list.hits, v.list.At, n))
	return nil
}

// Stops implements [view.Finder].
func (v *View) Stops() int { return len(v.list.hits) }

// search finds the rows of candidates with words in what names them, or in what decided;
// empty ends it.
func (l *outcomeList) search(words string) {
	l.hit, l.hits = words, nil
	for i := range l.rows {
		if l.rows[i].kind != candidateRow {
			continue
		}
		if c := l.candidateOf(i); widget.FoldIndex(c.way(), words) >= 0 || widget.FoldIndex(c.value, words) >= 0 || widget.FoldIndex(c.into, words) >= 0 {
			l.hits = append(l.hits, i)
		}
	}
}

// goTo puts the cursor on a row.
func (l *outcomeList) goTo(row int) {
	if row >= 0 {
		l.At = row
		l.scroll(true)
	}
}
