package keyword

import (
	"bytes"
	"slices"
	"strings"
)

// Counter counts a query's terms in children. It is used by one goroutine.
type Counter struct {
	query *Query
	at    map[string]int
	// Counts are those of the last child, by Query.Terms.
	Counts []int
}

// NewCounter returns a counter for q.
func NewCounter(q *Query) Counter {
	at := make(map[string]int, len(q.Terms))
	for i, t := range q.Terms {
		at[t.Text] = i
	}
	return Counter{query: q, at: at, Counts: make([]int, len(q.Terms))}
}

// Count counts the query's terms among those of a child, which single spaces
// separate, and reports whether the child is a match.
func (c *Counter) Count(terms []byte) bool {
	clear(c.Counts)
	for rest := terms; len(rest) > 0; {
		var word []byte
		word, rest, _ = bytes.Cut(rest, []byte{' '})
		if i, ok := c.at[string(word)]; ok {
			c.Counts[i]++
		}
	}
	q := c.query
	some, all := len(q.Phrases) > 0, true
	for i, t := range q.Terms {
		if t.Used {
			some = some || c.Counts[i] > 0
			all = all && c.Counts[i] > 0
		}
	}
	if !some || !all && IsConjunction(q.Match) {
		return false
	}
	return !slices.ContainsFunc(q.Phrases, func(run string) bool { return !hasRun(terms, run) }) &&
		!slices.ContainsFunc(q.Without, func(run string) bool { return hasRun(terms, run) })
}

// hasRun reports whether the terms of run follow one another in terms. Single
// spaces separate both.
func hasRun(terms []byte, run string) bool {
	for from := 0; ; {
		i := bytes.Index(terms[from:], []byte(run))
		if i < 0 {
			return false
		}
		start := from + i
		end := start + len(run)
		if (start == 0 || terms[start-1] == ' ') && (end == len(terms) || terms[end] == ' ') {
			return true
		}
		from = start + 1
	}
}

// Length is the number of terms that single spaces separate.
func Length(terms string) int {
	if terms == "" {
		return 0
	}
	return strings.Count(terms, " ") + 1
}
