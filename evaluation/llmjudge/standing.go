package llmjudge

import (
	"fmt"

	"github.com/webrag/webrag-tui/evaluation/judgment"
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
	// Agreement is that of the model with people: with the effective grade of all of them.
	judgment.Agreement
	// Alone says that they may.
	Alone bool
	// Why says it in a sentence without a full stop, with the numbers.
	Why string
}

// StandingOf compares what a model says with what people say of the same texts. Figures that
// rest on its grades alone are to be shown only where Alone is true, and with Why in any case.
func StandingOf(list []judgment.Judgment, model judgment.Judge) Standing {
	a := judgment.AgreeOf(list, judgment.Only(model), people)
	s := Standing{Agreement: a}
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

// people are those who read what they grade.
func people(j judgment.Judge) bool { return judgment.People(j) && j != judgment.Rule }
