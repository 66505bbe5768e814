package judgment

import (
	"cmp"
	"iter"
	"slices"
)

// Dispute is what judges that count differ on: one text that several of them graded, where A
// is B, or two texts that speak of the same. A is not after B.
type Dispute struct {
	A, B *Anchored
	// Spread is the highest difference of their grades, at least 1.
	Spread int
}

// Disputes are those of the judgments with a place, in the order of the set. What a judge
// says of both of two texts that speak of the same is compared with others on each text
// itself.
func (a *Anchors) Disputes(keep Keep) []Dispute {
	var all []Dispute
	for first, second := range alike(a.Judgments) {
		spread := first.Spread(keep)
		if first != second {
			spread = apart(&first.Judgment, &second.Judgment, keep)
		}
		if spread > 0 {
			all = append(all, Dispute{first, second, spread})
		}
	}
	return all
}

// Disagreements are the disputes in a set as it was judged, without a corpus, those first in
// which grades differ most.
func Disagreements(list []Judgment, keep Keep) []Dispute {
	all := (&Anchors{Judgments: asJudged(list)}).Disputes(keep)
	slices.SortStableFunc(all, func(a, b Dispute) int { return cmp.Compare(b.Spread, a.Spread) })
	return all
}

// asJudged are judgments with the places that they had when they were made.
func asJudged(list []Judgment) []Anchored {
	all := make([]Anchored, len(list))
	for i, j := range list {
		all[i] = Anchored{Judgment: j, Page: j.SourceURL, Start: j.CharStart, End: j.CharEnd}
	}
	return all
}

// alike yields each text with itself, and each two texts that speak of the same after the
// later of them: two of one page and query where either has at least half of the other's
// characters, as a result has to have of a judged text to earn its grade, see
// [Grader.Grades].
func alike(list []Anchored) iter.Seq2[*Anchored, *Anchored] {
	type page struct{ query, address, section string }
	return func(yield func(first, second *Anchored) bool) {
		texts := map[page][]*Anchored{}
		for i := range list {
			j := &list[i]
			if !yield(j, j) {
				return
			}
			if j.IsPage() {
				continue
			}
			of := page{j.QueryID, j.Page, j.Section}
			for _, before := range texts[of] {
				if before.isAlike(j) && !yield(before, j) {
					return
				}
			}
			texts[of] = append(texts[of], j)
		}
	}
}

// isAlike reports that either of two texts of a page has half of the other. Quotes that have
// other characters there are of two states of the page: their places say nothing.
func (a *Anchored) isAlike(b *Anchored) bool {
	start, end := max(a.Start, b.Start), min(a.End, b.End)
	if end <= start || 2*(end-start) < min(a.End-a.Start, b.End-b.Start) {
		return false
	}
	x, y := []rune(a.Quote), []rune(b.Quote)
	if len(x) != a.End-a.Start || len(y) != b.End-b.Start {
		return true // not known: the place has to do
	}
	return slices.Equal(x[start-a.Start:end-a.Start], y[start-b.Start:end-b.Start])
}

// apart is by how much judges of one text only differ from those of the other only.
func apart(a, b *Judgment, keep Keep) (most int) {
	for _, x := range a.Opinions {
		for _, y := range b.Opinions {
			counts := x.Grade >= 0 && y.Grade >= 0 && (keep == nil || keep(x.Judge) && keep(y.Judge))
			if counts && !b.hasOf(x.Judge) && !a.hasOf(y.Judge) {
				most = max(most, int(x.Grade-y.Grade), int(y.Grade-x.Grade))
			}
		}
	}
	return most
}

// hasOf reports that a judge graded the text.
func (j *Judgment) hasOf(by Judge) bool {
	return slices.ContainsFunc(j.Opinions, func(o Opinion) bool { return o.Judge == by && o.Grade >= 0 })
}

// Texts are those of the dispute, one or two.
func (d *Dispute) Texts() []*Anchored {
	if d.A == d.B {
		return []*Anchored{d.A}
	}
	return []*Anchored{d.A, d.B}
}
