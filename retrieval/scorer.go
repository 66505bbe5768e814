package retrieval

import "context"

// Scorer says how relevant texts are to a query: the engine's side of a reranker.
// It may be used from several goroutines.
type Scorer interface {
	// ID names model and method. Scores of equal id, query and texts are equal, so
	// that they are asked for once.
	ID() string
	// Scale says what the scores mean: "0 to 1", "logit".
	Scale() string
	// Listwise reports whether a score depends on the other texts and their order.
	Listwise() bool
	// Score returns a score for each text, or for some of them.
	Score(ctx context.Context, query string, docs []string) (Scores, error)
}

// Scores are a [Scorer]'s answer. Values and Scored are as long as the texts.
type Scores struct {
	Values []float64
	// Scored is false where the scorer said nothing.
	Scored []bool
	// Invalid counts what was said about texts that were not asked for.
	Invalid int
	// Notes are sentences about the answer.
	Notes []string
}

// NewScores has room for the scores of n texts, of which none has one.
func NewScores(n int) Scores {
	return Scores{Values: make([]float64, n), Scored: make([]bool, n)}
}

// Set gives text i a score; the first one counts. A text that does not exist is
// counted as invalid.
func (s *Scores) Set(i int, value float64) {
	if i < 0 || i >= len(s.Values) || s.Scored[i] {
		s.Invalid++
		return
	}
	s.Values[i], s.Scored[i] = value, true
}

// Given counts the texts that have a score.
func (s *Scores) Given() int { return count(s.Scored, func(ok *bool) bool { return *ok }) }
