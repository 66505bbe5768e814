package results

import (
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
	r := &d.rows[d.At]
	switch r.kind {
	case pageRow:
		g, fold := &d.groups[r.group], "unfolded"
		if d.folded[g.url] {
			fold = "folded"
		}
		held, score := d.pageWords(g)
		return wording.Aloud(fold, d.pageTitle(g), held, score)
	case sectionRow:
		return d.saidSection(r.item)
	case belowRow:
		return wording.Aloud(wording.LeafFirst(r.item, d.suffixes), strings.TrimSpace(d.failedValue(r.item)))
	case goneRow:
		return wording.Aloud(wording.LeafFirst(r.item, d.suffixes), d.goneWhy(r.item), goneRank(r.item))
	}
	return ""
}

func (d drawing) saidSection(it *retrieval.Item) string {
	name, title := wording.Heading(it), ""
	if d.flat {
		title = d.flatTitle(it, name)
	}
	if it.Rank == 0 { // opened, not found
		return wording.Aloud(name, title)
	}
	score := ""
	if value, ok := d.scoreOf(it); ok {
		score = wording.Score(value)
	}
	move, _ := wording.Movement(d.s, d.changes.shifts[it.ChunkID])
	delta, _ := d.delta(it)
	return wording.Aloud(strconv.Itoa(it.Rank)+" "+name, title, score, move, delta)
}

// pageTitle is what a page is called: its title, or its address where it has none.
func (p *list) pageTitle(g *group) string {
	if title := p.suffixes.Strip(g.title); title != "" {
		return title
	}
	return wording.ShortURL(g.url, p.w)
}

// pageWords say how many sections a page has in the result, and its best score; or, of one
// without a score, only what it is listed for.
func (p *list) pageWords(g *group) (held, score string) {
	switch {
	case g.cites:
		return "opened span", ""
	case g.opened:
		return "opened", ""
	case p.full:
		return wording.Plural(len(g.items), "section"), ""
	}
	return wording.Plural(len(g.items), "section"), wording.Score(g.best)
}

// flatTitle is the page of a section of that name in the list by rank, empty where it says
// nothing more.
func (p *list) flatTitle(it *retrieval.Item, name string) string {
	if title := p.suffixes.Strip(it.Title); title != name {
		return title
	}
	return ""
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

// delta is what the score of a section has gained against the baseline, empty where that
// is nothing or the scales differ.
func (d drawing) delta(it *retrieval.Item) (text string, style lipgloss.Style) {
	shift := d.changes.shifts[it.ChunkID]
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
