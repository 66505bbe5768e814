package evaluation

import (
	"cmp"
	"fmt"
	"slices"
)

// Run holds rankings: the ids of documents by rank, by query id. No id stands in one twice.
type Run map[string][]string

// Scored is a document with its score, as files of results have them.
type Scored struct {
	ID    string
	Score float64
}

// Ranked sorts documents as trec_eval does, by score and of equal scores the one first whose id
// comes last in bytes, and returns their ids. A rank that a file has beside the score
// counts nothing there. (Version 9 and older keep some seven digits of a score: what differs
// by less is equal to them.)
func Ranked(documents []Scored) []string {
	slices.SortFunc(documents, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.ID, a.ID))
	})
	ids := make([]string, len(documents))
	for i := range documents {
		ids[i] = documents[i].ID
	}
	return ids
}

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
