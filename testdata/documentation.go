package testdata

import (
	"crypto/sha256"
	_ "embed" // the questions and the judgments
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

var (
	//go:embed documentation/queries.tsv
	documentationQueries string
	//go:embed documentation/judgments.tsv
	documentationJudgments string
)

// Question is asked of real documentation, which "make corpora" fetches.
type Question struct {
	// ID names the question, Corpus the documentation that it is asked of: git,
	// python, sklearn, sqlite.
	ID, Corpus string
	// Kind is name (the exact name of a thing), words (keywords of one's own),
	// paraphrase (no content word in common with the answer), error (a message,
	// pasted) or howto.
	Kind, Text string
	// Held questions are those that nothing is tuned on, about a third. A hash of
	// the ID decides.
	Held bool
	// Answers are the judged sections, the best first.
	Answers []Answer
}

// Answer is a section of a page that was judged for a question. What was not
// judged counts as not relevant.
type Answer struct {
	// Grade is 3 (answers it), 2 (answers a part, or is a second good place) or 1
	// (helps).
	Grade int
	// Page is the path of the page, from the name of the folder that is indexed:
	// "library/json.html".
	Page string
	// Section is the fragment of an anchor in the section, as in
	// "#json.loads", or the text of its heading, or empty on a page without headings.
	// Quote are words of the answer, where several sections have that heading
	// because a long one is cut.
	Section, Quote string
}

// Questions returns the questions in the order of the file.
func Questions() ([]Question, error) {
	var list []Question
	at := map[string]int{}
	err := eachRow("documentation/queries.tsv", documentationQueries, 4, func(f []string) error {
		if _, twice := at[f[0]]; twice {
			return fmt.Errorf("question %s is there twice", f[0])
		}
		at[f[0]] = len(list)
		list = append(list, Question{ID: f[0], Corpus: f[1], Kind: f[2], Text: f[3], Held: isHeld(f[0])})
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = eachRow("documentation/judgments.tsv", documentationJudgments, 5, func(f []string) error {
		i, ok := at[f[0]]
		if !ok {
			return fmt.Errorf("there is no question %s", f[0])
		}
		grade, err := strconv.Atoi(f[1])
		if err != nil || grade < 1 || grade > 3 {
			return fmt.Errorf("grade %q, want 1 to 3", f[1])
		}
		list[i].Answers = append(list[i].Answers, Answer{Grade: grade, Page: f[2], Section: f[3], Quote: f[4]})
		return nil
	})
	for i := range list {
		slices.SortStableFunc(list[i].Answers, func(a, b Answer) int { return b.Grade - a.Grade })
	}
	return list, err
}

// isHeld picks a third of the questions by their names, so that nobody does, and
// a question that is added moves no other.
func isHeld(id string) bool {
	sum := sha256.Sum256([]byte(id))
	return binary.BigEndian.Uint32(sum[:])%3 == 0
}

// eachRow reads a tab-separated file with a header line.
func eachRow(name, text string, fields int, row func([]string) error) error {
	line := 0
	for l := range strings.Lines(text) {
		line++
		f := strings.Split(strings.TrimRight(l, "\n"), "\t")
		if len(f) != fields {
			return fmt.Errorf("%s:%d: %d fields, want %d", name, line, len(f), fields)
		}
		if line == 1 {
			continue
		}
		if err := row(f); err != nil {
			return fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
	return nil
}
