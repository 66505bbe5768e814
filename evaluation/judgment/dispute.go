package judgment

import (
	"cmp"
	"slices"
)

// Dispute is what judges that count differ on: one text that several of them graded, where A
// is B, or two texts that speak of the same. A is not after B.
type Dispute struct {
	A, B *Anchored
	// Spread is the highest difference of their grades, at least 1.
	Spread int
}

// Disputes are those of the judgments with a place, in the order of the set. Two texts of a
// page speak of the same where either has at least half of the other's characters, as a
// result has to have of a judged text to earn its grade, see [Grader.Grades]. What a judge
// says of both is compared with others on each text itself.
func (a *Anchors) Disputes(keep Keep) []Dispute {
	type page struct{ query, address, section string }
	texts := map[page][]int{}
	var all []Dispute
	for i := range a.Judgments {
		j := &a.Judgments[i]
		if spread := j.Spread(keep); spread > 0 {
			all = append(all, Dispute{j, j, spread})
		}
		if j.IsPage() {
			continue
		}
		of := page{j.QueryID, j.Page, j.Section}
		for _, before := range texts[of] {
			if first := &a.Judgments[before]; first.isAlike(j) {
				if spread := apart(&first.Judgment, &j.Judgment, keep); spread > 0 {
					all = append(all, Dispute{first, j, spread})
				}
			}
		}
		texts[of] = append(texts[of], i)
	}
	return all
}

// isAlike reports that either of two texts of a page has half of the other.
func (a *Anchored) isAlike(b *Anchored) bool {
	shared := min(a.End, b.End) - max(a.Start, b.Start)
	return shared > 0 && 2*shared >= min(a.End-a.Start, b.End-b.Start)
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

// Opinions are what the judges say of the texts of a dispute, by judge.
func (d *Dispute) Opinions() []Opinion {
	list := slices.Clone(d.A.Opinions)
	if d.A != d.B {
		list = append(list, d.B.Opinions...)
	}
	slices.SortStableFunc(list, func(a, b Opinion) int { return cmp.Compare(a.Judge, b.Judge) })
	return list
}
