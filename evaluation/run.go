package evaluation

import "fmt"

// Run holds rankings: the ids of documents by rank, by query id. No id stands in one twice.
type Run map[string][]string

// Grades are the grades of a ranking by the judgments of its query, grades by document
// id: [Unjudged] for what is not there.
func Grades(ranking []string, judgments map[string]int) []int {
	grades := make([]int, len(ranking))
	for i, id := range ranking {
		grade, ok := judgments[id]
		if !ok {
			grade = Unjudged
		}
		grades[i] = grade
	}
	return grades
}

// TwiceError reports a ranking that has a document twice, which would count twice.
type TwiceError struct {
	Query, Document string
	// First and Second are its ranks.
	First, Second int
}

func (e *TwiceError) Error() string {
	return fmt.Sprintf("query %q: the document %q stands at the ranks %d and %d: leave only the first", e.Query, e.Document, e.First, e.Second)
}

func checkTwice(query string, ranking []string) error {
	at := make(map[string]int, len(ranking))
	for i, id := range ranking {
		if first, ok := at[id]; ok {
			return &TwiceError{query, id, first + 1, i + 1}
		}
		at[id] = i
	}
	return nil
}
