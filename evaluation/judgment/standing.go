package judgment

import (
	"fmt"
	"slices"
)

// What a model's grades need to be used alone [chosen]: texts that people have graded, too,
// and the least weighted kappa with them, from which agreement is called substantial
// (Landis and Koch, "The measurement of observer agreement for categorical data", 1977).
const (
	LeastBoth  = 30
	LeastKappa = 0.6
)

// Standing says whether figures may rest on a model's grades alone.
type Standing struct {
	// Model is whose grades these are.
	Model Judge
	// Agreement is that of the model with people: with the effective grade of all of them.
	Agreement
	// Alone says that they may.
	Alone bool
	// Why says it in a sentence without a full stop, with the numbers.
	Why string
}

// StandingOf compares what a model says with what people say of the same texts. Figures that
// rest on its grades alone are to be shown only where Alone is true, and with Why in any case.
func StandingOf(list []Judgment, model Judge) Standing {
	a := AgreeOf(list, Only(model), readers)
	s := Standing{Model: model, Agreement: a}
	switch {
	case a.Both < LeastBoth:
		s.Why = fmt.Sprintf("%s and people have both graded %d, and %d are needed to know whether they agree; judge %d more of those that it judged", model, a.Both, LeastBoth, LeastBoth-a.Both)
	case !a.Defined:
		s.Why = fmt.Sprintf("%s and people give all %d the same one grade, which says nothing about whether they agree; judge some that differ", model, a.Both)
	case a.Kappa < LeastKappa:
		s.Why = fmt.Sprintf("%s agrees with people too little (weighted kappa %.3f over %d, and %.1f is needed); look at where they disagree, and mend the rubric", model, a.Kappa, a.Both, LeastKappa)
	default:
		s.Alone = true
		s.Why = fmt.Sprintf("%s agrees with people (weighted kappa %.3f over %d that both graded)", model, a.Kappa, a.Both)
	}
	return s
}

// Standings are those of all models that have judged in the set, in the order in which they
// began; none where no model has.
func (s *Set) Standings() (all []Standing) {
	var list []Judgment
	for i := range s.Records {
		by := s.Records[i].Judge
		if !by.IsModel() || slices.ContainsFunc(all, func(of Standing) bool { return of.Model == by }) {
			continue
		}
		if list == nil {
			list = s.Judgments()
		}
		all = append(all, StandingOf(list, by))
	}
	return all
}

// readers are people who read what they grade.
func readers(j Judge) bool { return People(j) && j != Rule }
