package judgment

import (
	"slices"
)

// Opinion is what one judge says of a key, or cannot tell: the last record.
type Opinion struct {
	Judge Judge
	Grade Grade
	// Record is the index of the record in the set.
	Record int
}

// Judgment is what all judges say of one key.
type Judgment struct {
	Key
	// Quote is what was judged, empty for a whole page.
	Quote string
	// Opinions are one for each judge, in the order in which they first judged it.
	Opinions []Opinion
}

// Keep says whose opinions count. Nil is everybody's.
type Keep func(Judge) bool

// People counts what people say, and what the rule of questions made from the corpus says:
// all but models.
func People(j Judge) bool { return !j.IsModel() }

// Models counts what models say.
func Models(j Judge) bool { return j.IsModel() }

// Graders are those by whom grades stand in a set.
type Graders struct {
	// People are judges who read what they grade, Rule is the judge of that name, and Models
	// are models.
	People, Rule, Models bool
}

// Graders says by whom grades stand: what was taken back, and what nobody could tell, is no
// grade.
func (s *Set) Graders() (g Graders) {
	var ever Graders
	for i := range s.Records {
		ever.add(s.Records[i].Judge)
	}
	if !ever.Models || !ever.People && !ever.Rule {
		return ever // of one kind, whatever was taken back
	}
	for _, j := range s.latest() {
		for _, o := range j.Opinions {
			if o.Grade >= 0 {
				g.add(o.Judge)
			}
		}
	}
	return g
}

func (g *Graders) add(j Judge) {
	switch {
	case j.IsModel():
		g.Models = true
	case j == Rule:
		g.Rule = true
	default:
		g.People = true
	}
}

// IsMixed says that there are grades of models and of others.
func (g Graders) IsMixed() bool { return g.Models && (g.People || g.Rule) }

// IsOfModels says that all grades are of models, so that they count although nobody can know
// whether people agree.
func (g Graders) IsOfModels() bool { return g == Graders{Models: true} }

// Unmodelled is whose grades count where those of models do not: "people's", "the rule's" or
// "people's and the rule's".
func (g Graders) Unmodelled() string {
	switch {
	case g.People && g.Rule:
		return "people's and the rule's"
	case g.Rule:
		return "the rule's"
	}
	return "people's"
}

// Usual counts all but what models say where others have judged too, and otherwise everybody:
// nil.
func (s *Set) Usual() Keep {
	if s.Graders().IsMixed() {
		return People
	}
	return nil
}

// Only counts what one judge says.
func Only(j Judge) Keep { return func(other Judge) bool { return other == j } }

// grades are those of the judges that count, in ascending order. It appends to list.
func (j *Judgment) grades(list []Grade, keep Keep) []Grade {
	for _, o := range j.Opinions {
		if o.Grade >= 0 && (keep == nil || keep(o.Judge)) {
			list = append(list, o.Grade)
		}
	}
	slices.Sort(list)
	return list
}

// Grade is the effective grade: the median of those of the judges that count, the lower
// of both where they are even in number. ok is false where none of them has graded it.
//
//	1, 3 → 1    0, 2, 3 → 2    0, 1, 2, 3 → 1
func (j *Judgment) Grade(keep Keep) (grade int, ok bool) {
	var room [8]Grade
	grades := j.grades(room[:0], keep)
	if len(grades) == 0 {
		return 0, false
	}
	return int(grades[(len(grades)-1)/2]), true
}

// Spread is by how much the judges that count differ: the highest grade less the lowest.
func (j *Judgment) Spread(keep Keep) int {
	var room [8]Grade
	grades := j.grades(room[:0], keep)
	if len(grades) == 0 {
		return 0
	}
	return int(grades[len(grades)-1] - grades[0])
}

// Judgments are what is said of all keys of the set's queries, in the order in which
// they were first judged. What was withdrawn is left out.
func (s *Set) Judgments() []Judgment {
	list := s.latest()
	kept := list[:0]
	for i := range list {
		if j := list[i].standing(); len(j.Opinions) > 0 {
			kept = append(kept, j)
		}
	}
	return kept
}

// standing is the judgment without what was withdrawn.
func (j Judgment) standing() Judgment {
	j.Opinions = slices.DeleteFunc(slices.Clone(j.Opinions), func(o Opinion) bool { return o.Grade == Withdrawn })
	return j
}

// latest has the last record of each key and judge, also if that withdraws.
func (s *Set) latest() []Judgment {
	known, at := s.known(), make(map[Key]int, len(s.Records))
	var list []Judgment
	for i := range s.Records {
		r := &s.Records[i]
		if !known[r.QueryID] {
			continue
		}
		place, ok := at[r.Key]
		if !ok {
			place = len(list)
			at[r.Key] = place
			list = append(list, Judgment{Key: r.Key, Quote: r.Quote})
		}
		list[place].say(Opinion{r.Judge, r.Grade, i})
	}
	return list
}

// say puts an opinion in the place of an earlier one of the same judge.
func (j *Judgment) say(o Opinion) {
	at := slices.IndexFunc(j.Opinions, func(other Opinion) bool { return other.Judge == o.Judge })
	switch {
	case at < 0:
		j.Opinions = append(j.Opinions, o)
	case j.Opinions[at].Record < o.Record:
		j.Opinions[at] = o
	}
}

// Judges are those of judgments, in the order in which they began.
func Judges(list []Judgment) (judges []Judge) {
	for i := range list {
		for _, o := range list[i].Opinions {
			if !slices.Contains(judges, o.Judge) {
				judges = append(judges, o.Judge)
			}
		}
	}
	return judges
}

// Agreement says how far two judges agree on what both have graded.
type Agreement struct {
	// Both counts what both have graded, a text or two that overlap, and Same what they
	// gave the same grade.
	Both, Same int
	// Kappa is 1 where they agree throughout, 0 where as much as by chance, and below
	// where less. It is 0 and Defined false where both give one grade only, the same one:
	// they agree, and so would chance.
	Kappa   float64
	Defined bool
}

// Agree measures how far judges x and y agree, by weighted kappa, see [AgreeOf].
func Agree(list []Judgment, x, y Judge) Agreement { return AgreeOf(list, Only(x), Only(y)) }

// AgreeOf measures how far those of x agree with those of y, as people do with a model: the
// effective grade of either side counts. It is weighted kappa with weights that grow with
// the square of the difference (Cohen, "Weighted kappa", 1968):
//
//	κ = 1 − n Σ(x−y)² / (n Σx² + n Σy² − 2 Σx Σy)
//
// which is 1 less the observed by the expected disagreement, written out for squares. The
// number of grades cancels. What one side has graded and the other has not is compared with
// texts that speak of the same, as [Anchors.Disputes] finds them: two people rarely select
// the same passage to the letter.
func AgreeOf(list []Judgment, x, y Keep) Agreement {
	var a Agreement
	var apart, sumX, sumY, squares float64
	pair := func(of, with *Anchored) {
		gx, okX := of.Grade(x)
		gy, okY := with.Grade(y)
		if of != with {
			_, both := of.Grade(y)
			_, alone := with.Grade(x)
			okX, okY = okX && !both, okY && !alone
		}
		if !okX || !okY {
			return
		}
		a.Both++
		if gx == gy {
			a.Same++
		}
		fx, fy := float64(gx), float64(gy)
		apart += (fx - fy) * (fx - fy)
		sumX, sumY, squares = sumX+fx, sumY+fy, squares+fx*fx+fy*fy
	}
	for first, second := range alike(asJudged(list)) {
		pair(first, second)
		if first != second {
			pair(second, first)
		}
	}
	n := float64(a.Both)
	if chance := n*squares - 2*sumX*sumY; chance > 0 {
		a.Kappa, a.Defined = 1-n*apart/chance, true
	}
	return a
}
