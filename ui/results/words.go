package results

import (
	"fmt"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/ui/wording"
)

// said is the row under the cursor in words, empty where it is not in sight.
func (d drawing) said() string {
	if d.At < 0 || d.At >= d.Until() || !d.Has(d.At) {
		return ""
	}
	switch r := &d.rows[d.At]; r.kind {
	case pageRow:
		g, fold := &d.groups[r.group], "unfolded"
		if d.folded[g.url] {
			fold = "folded"
		}
		facts, score := d.pageWords(g)
		return wording.Aloud(fold, d.pageName(g.url, g.title), facts[0], score)
	case sectionRow:
		return d.saidSection(r)
	case belowRow:
		return wording.Aloud(d.name(r), strings.TrimSpace(d.failedValue(r.item)))
	case goneRow:
		return wording.Aloud(d.name(r), d.goneWhy(r.item), goneRank(r.item))
	}
	return ""
}

func (d drawing) saidSection(r *row) string {
	it := r.item
	if it.Rank == 0 { // opened, not found
		facts, _ := d.pageWords(&d.groups[r.group])
		return wording.Aloud(d.name(r), facts[0])
	}
	score := ""
	if value, ok := d.scoreOf(it); ok {
		score = wording.Score(value)
	}
	move, _ := wording.Movement(d.s, d.changes.shifts[it.ChunkID])
	delta, _ := d.delta(it.ChunkID)
	grade := ""
	if d.gradedWide[0] > 0 {
		if _, grade = d.graded(it); grade != "" {
			grade = "graded " + grade
		}
	}
	return wording.Aloud(strconv.Itoa(it.Rank)+" "+d.name(r), grade, delta, move, score)
}

// name is what a row is called and found by: a section with its page before it, unless that
// stands above.
func (p *list) name(r *row) string {
	switch {
	case r.kind == pageRow:
		return p.pageName(p.groups[r.group].url, p.groups[r.group].title)
	case r.item == nil:
		return ""
	case r.inside:
		return p.tellings(r.group)[r.item.ChunkID]
	}
	return p.named().Of(r.item)
}

// pageName is what a page is called: its title, or its address where it has none, and both
// where others that are listed have the same title.
func (p *list) pageName(url, title string) string {
	return p.named().Page(url, title)
}

func (p *list) named() *wording.Names {
	if p.names == nil {
		p.namePages()
	}
	return p.names
}

// namePages finds out what the listed pages and sections are called.
func (p *list) namePages() {
	var all []*retrieval.Item
	for i := range p.groups {
		all = append(all, p.groups[i].items...)
	}
	for _, items := range [][]retrieval.Item{p.below, p.changes.gone} {
		for i := range items {
			all = append(all, &items[i])
		}
	}
	p.names, p.told = wording.NamesOf(all, p.suffixes), map[int]map[string]string{}
}

// tellings are the names of the sections of a page, below it, by their ids.
func (p *list) tellings(of int) map[string]string {
	if names, ok := p.told[of]; ok {
		return names
	}
	items := p.groups[of].items
	names := make(map[string]string, len(items))
	for i, name := range wording.Telling(items, p.suffixes) {
		names[items[i].ChunkID] = name
	}
	if p.told != nil {
		p.told[of] = names
	}
	return names
}

// pageWords say how many sections a page has in the result, at length first and then in
// short, and its best score; of one that was opened, only that it was.
func (p *list) pageWords(g *group) (facts []string, score string) {
	switch {
	case g.cites:
		return []string{"opened span"}, ""
	case g.opened:
		return []string{"opened"}, ""
	}
	short := wording.Plural(len(g.items), "section")
	facts = []string{short}
	if !p.level {
		facts = append([]string{fmt.Sprintf("depth %d · %s", g.depth, facts[0])}, facts...)
	}
	if p.full {
		return facts, ""
	}
	return facts, wording.Score(g.best)
}

// scoreOf is the number by which a section of the result is told from others; ok says
// whether there is one. In full-context mode it is the similarity of its nearest passage.
func (p *list) scoreOf(it *retrieval.Item) (value float64, ok bool) {
	switch {
	case !p.full:
		return it.Score, true
	case len(it.Matches) == 0:
		return 0, false
	}
	return it.Matches[0].Similarity, true
}

// delta is what the score of the section of an id has gained against the baseline, empty where that
// is nothing or the scales differ.
func (d drawing) delta(id string) (text string, style lipgloss.Style) {
	shift := d.changes.shifts[id]
	if shift == nil || !d.changes.scores || d.full {
		return "", d.s.Up
	}
	if style = d.s.Up; shift.ScoreDelta() < 0 {
		style = d.s.Down
	}
	return wording.ScoreDelta(d.s, shift.ScoreDelta()), style
}

// failedValue is the number for which a candidate was dropped.
func (p *list) failedValue(it *retrieval.Item) string {
	if it.Why == nil {
		return ""
	}
	return wording.FailedValue(it.Why, p.arms)
}

// goneWhy says what dropped a section that only the baseline returns, goneRank which rank
// it has there.
func (p *list) goneWhy(it *retrieval.Item) string {
	return wording.Said(wording.OfArm(it.Why, p.arms).Say(phrase.Brief), wording.Score)
}

func goneRank(it *retrieval.Item) string { return "was " + wording.Count(it.Rank) }
